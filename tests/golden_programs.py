"""The golden programs, and the comments in them: the expected verdict is on the assertion's own line.

    assert x > 0;                     //~ violated
    __VERIFIER_assert(x > 0);         //~ violated

    __VERIFIER_assert(y < n);         //~ bounded, by default proved

The first verdict is that of the search alone, without proofs of bounded assertions (`--no-houdini`); the second one
is that of a run without flags, if it differs. A first line `// options: bound=3 entry=*` sets options, and `//
solvers: z3` restricts the solvers.
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
EXPECTATION = re.compile(r"//~\s*(?P<search>[a-z ]+?)(, by default (?P<default>[a-z ]+))?$")
EVERY = 6  # of the programs are in a sample


def header(text: str, key: str) -> str:
    found = re.search(rf"^// {key}: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else ""


def sample(programs: list[Path]) -> list[Path]:
    """Some programs, and all programs for which the default has other verdicts."""
    return [each for turn, each in enumerate(programs) if turn % EVERY == 0 or ", by default " in each.read_text()]


def options_of(text: str) -> Options:
    """For the search alone."""
    return replace(default_options(text), houdini=False)


def default_options(text: str) -> Options:
    """No flags but those of the program."""
    options = Options()
    for setting in header(text, "options").split():
        name, value = setting.split("=", 1)
        converted: object = int(value) if value.isdigit() else (value,) if name in {"entry", "check"} else value
        options = replace(options, **{name: converted})  # type: ignore[arg-type]
    return options


def expected_by_line(text: str, *, default: bool = False) -> dict[int, list[str]]:
    """The expected verdicts of the search alone, or of a run without flags."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        expectation = EXPECTATION.search(line)
        if expectation:
            verdicts = (default and expectation["default"]) or expectation["search"]
            found[number] = sorted(verdicts.split())
    return found


def verdicts_by_line(report: Report) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for result in report.assertions:
        found.setdefault(result.location.line, []).append(result.verdict.value)
    return {line: sorted(verdicts) for line, verdicts in found.items()}
