"""A run that checks nothing reports that, and is no proof."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from remuda.options import Options
from remuda.results.report import Verdict
from remuda.results.verdict_strings import verdict_string
from remuda.session import verify, verify_files
from remuda.tasks import load_task, task_options

if TYPE_CHECKING:
    from pathlib import Path

    from remuda.results.report import Report

HINT = "; memory and overflow are not checked, try `--check ub`"
NONE = "nothing to check: the program has no assertion"
UNREACHED = "nothing to check: no assertion is reachable from main"

WITHOUT = "int main(void) { return 0; }"
ELSEWHERE = "#include <assert.h>\nvoid f(int x) { assert(x); }\nint main(void) { return 0; }"
STATIC = ELSEWHERE.replace("void f", "static void f")
DEAD = "#include <assert.h>\nint main(void) { int x = 1; return x; assert(x); }"


def verify_c(folder: Path, text: str, options: Options | None = None) -> Report:
    file = folder / "program.c"
    file.write_text(text)
    return verify_files([str(file)], options or Options())


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("procedure main() { }", NONE),
        ("procedure main() { }\nprocedure f() { assert false; }", UNREACHED),
        ("procedure main() { var x: int; assume false; assert x == 2; }", UNREACHED),
    ],
)
def test_boogie(program: str, reason: str) -> None:
    report = verify(program)
    assert (report.verdict, report.reason) == (Verdict.NOTHING_CHECKED, reason)


@pytest.mark.parametrize(
    ("program", "reason"), [(WITHOUT, NONE), (ELSEWHERE, UNREACHED), (STATIC, UNREACHED), (DEAD, UNREACHED)]
)
def test_c(tmp_path: Path, program: str, reason: str) -> None:
    report = verify_c(tmp_path, program)
    assert (report.verdict, report.reason) == (Verdict.NOTHING_CHECKED, reason + HINT)
    assert verdict_string(report) == "true"  # no error is reached, which is what competitions ask


@pytest.mark.parametrize(
    "program",
    [
        "procedure main() { var x: int; if (x != x) { assert false; } }",
        "procedure main() { var x: int; assert x == x; }",
    ],
)
def test_reachability_may_be_the_question(program: str) -> None:
    assert verify(program).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "asked",
    [{"property": "unreach-call"}, {"property": "no-overflow"}, {"property": "valid-memsafety"}, {"check": ("ub",)}],
    ids=str,
)
def test_nothing_violates_a_property_where_nothing_can(tmp_path: Path, asked: dict[str, object]) -> None:
    report = verify_c(tmp_path, WITHOUT, replace(Options(), **asked))  # type: ignore[arg-type]
    assert (report.verdict, report.reason) == (Verdict.PROVED, "")


def test_a_task_definition_asks_for_a_property(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(WITHOUT)
    task = tmp_path / "task.yml"
    task.write_text(
        'format_version: "2.0"\ninput_files: program.c\nproperties:\n'
        "  - property_file: unreach-call.prp\n    expected_verdict: true\n"
    )
    assert task_options(load_task(task), Options()).property == "unreach-call"


def test_unreachable_within_the_bound_is_reported_with_the_bound() -> None:
    report = verify(
        "procedure main() { var i: int; var n: int; assume n > 20; i := 0;"
        " while (i < n) { i := i + 1; } assert n != 3000; }",
        Options(houdini=False),  # one search, and none beyond the bound
    )
    result = report.assertions[0]
    assert (report.verdict, result.verdict, result.bound) == (Verdict.BOUNDED, Verdict.UNREACHABLE, 8)
    assert result.reason.startswith("not reached within bound 8; ")
    assert result.reason.endswith("; try `--bound 16`")
