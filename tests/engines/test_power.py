"""The costs of a search: counts of instances and of queries, never seconds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.families import dag_fig2, fmcad14_fig1
from remuda.options import Options
from remuda.results.report import Report, Verdict
from remuda.session import verify

IRRELEVANT_CALL = """
var x: int;
var y: int;
procedure busy() modifies y; { y := y + 1; call deeper(); }
procedure deeper() modifies y; { y := y * 2; }
procedure main() modifies x, y; { x := 1; call busy(); assert x == 1; }
"""


def search(program: str, **changes: object) -> Report:
    return verify(program, replace(Options(reachability=False), **changes))  # type: ignore[arg-type]


def test_a_call_that_cannot_matter_is_never_inlined() -> None:
    report = search(IRRELEVANT_CALL)
    assert report.verdict is Verdict.PROVED
    assert report.statistics.instances == 1


def test_without_summaries_the_same_call_has_to_be_inlined() -> None:
    report = search(IRRELEVANT_CALL, summaries="none")
    assert report.verdict is Verdict.PROVED
    assert report.statistics.instances == 3


def test_static_inlining_inlines_it_all_the_same() -> None:
    assert search(IRRELEVANT_CALL, engine="static").statistics.instances == 3


@pytest.mark.parametrize("size", [4, 6])
def test_static_inlining_is_a_full_tree(size: int) -> None:
    report = search(dag_fig2(size, buggy=True), engine="static")
    assert report.verdict is Verdict.VIOLATED
    assert report.statistics.instances >= 2**size


def test_stratified_inlining_finds_a_failure_in_part_of_the_tree() -> None:
    lazy = search(fmcad14_fig1(6, buggy=True))
    full = search(fmcad14_fig1(6, buggy=True), engine="static")
    assert lazy.verdict is full.verdict is Verdict.VIOLATED
    assert lazy.statistics.instances * 4 < full.statistics.instances


def test_all_assertions_are_decided_in_one_search() -> None:
    assertions = "\n".join(f"  assert x != {number} || y > 0;" for number in range(40))
    text = f"procedure main(x: int, y: int) {{\n  assume x > 100;\n{assertions}\n}}"
    report = search(text, implications="off")
    assert all(result.verdict is Verdict.PROVED for result in report.assertions)
    assert report.statistics.solver_calls == 1


@pytest.mark.parametrize("bound", [1, 3, 5])
def test_a_bound_is_how_often_a_procedure_is_on_the_stack(bound: int) -> None:
    program = """
    procedure down(n: int) returns (depth: int)
    { if (n <= 1) { depth := 1; } else { call depth := down(n - 1); depth := depth + 1; } }
    procedure main(n: int) { var d: int; call d := down(n); assert d != 3; }
    """
    report = search(program, bound=bound)
    assert report.verdict is (Verdict.VIOLATED if bound >= 3 else Verdict.BOUNDED)


def test_one_loop_can_have_a_bound_of_its_own() -> None:
    program = """
    procedure main(n: int)
    { var i: int; i := 0; while (i < n) { i := i + 1; } assert i != 6; }
    """
    assert search(program, bound=2).verdict is Verdict.BOUNDED
    loop = "main/loop_head.1"  # as `remuda show loops` prints it
    assert search(program, bound=2, bound_for=((loop, 7),)).verdict is Verdict.VIOLATED
