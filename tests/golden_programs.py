"""The golden programs, and what the comments in them say: the expected verdict stands on the assertion's own line.

    assert x > 0;                     //~ violated
    __VERIFIER_assert(x > 0);         //~ violated

A first line `// options: bound=3 entry=*` sets options, and `// solvers: z3` restricts the solvers.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from remuda.options import Options

if TYPE_CHECKING:
    from remuda.results.report import Report

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.bpl"))
C_PROGRAMS = sorted((Path(__file__).parent / "programs" / "c").glob("*.c"))
EXPECTATION = re.compile(r"//~\s*(?P<verdicts>[a-z ]+)$")


def header(text: str, key: str) -> str:
    found = re.search(rf"^// {key}: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else ""


def options_of(text: str) -> Options:
    options = Options(houdini=False)
    for setting in header(text, "options").split():
        name, value = setting.split("=", 1)
        converted: object = int(value) if value.isdigit() else (value,) if name in {"entry", "check"} else value
        options = replace(options, **{name: converted})  # type: ignore[arg-type]
    return options


def expected_by_line(text: str) -> dict[int, list[str]]:
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        expectation = EXPECTATION.search(line)
        if expectation:
            found[number] = sorted(expectation.group("verdicts").split())
    return found


def verdicts_by_line(report: Report) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for result in report.assertions:
        found.setdefault(result.location.line, []).append(result.verdict.value)
    return {line: sorted(verdicts) for line, verdicts in found.items()}
