"""Lifting assertions into the entry: the theorems of the paper on random programs, and verdicts after it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.callgraph import call_graph
from remuda.analysis.loops import find_loops
from remuda.frontends.boogie.load import load
from remuda.ir.check import check
from remuda.ir.edit import size
from remuda.options import Options
from remuda.prepare.pipeline import base_program
from remuda.replay.explore import ExplorationLimits, explore
from remuda.replay.interpreter import replay
from remuda.results.report import Verdict
from remuda.session.api import verify_files
from remuda.transforms.lift_assertions import LiftAssertions, LiftedAssertions
from remuda.transforms.make_reducible import MakeReducible
from tests.golden_programs import PROGRAMS, expected_by_line, options_of, verdicts_by_line
from tests.hypothesis_settings import few, many
from tests.oracle import FEW, Oracle, source
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, RandomProgram, programs, random_program
from tests.transforms.assertion_places import assertions
from tests.verify_text import verify

if TYPE_CHECKING:
    from remuda.ir.program import Program

LIFTING = Options(lift=True)
EXTRA = 6  # the constant of theorem 5.3: blocks and statements for each call that may fail


def reducible(text: str) -> Program:
    return MakeReducible().apply(base_program(load([source(text)]), LIFTING)).program


def nesting(program: Program) -> int:
    """The loop nesting depth, which is 1 without loops."""
    bodies = [procedure for procedure in program.procedures.values() if procedure.blocks]
    return 1 + max((loop.depth for procedure in bodies for loop in find_loops(procedure).loops), default=0)


def check_theorems(text: str, steps: int) -> None:
    program = reducible(text)
    lifted = LiftAssertions().apply(program)
    assert check(lifted.program) == []
    check_same_failures(program, lifted, steps)
    check_places(program, lifted)
    assert size(lifted.program) <= size(program) * (nesting(program) + EXTRA) * len(program.entries)
    check_shape(program, lifted)


def check_same_failures(program: Program, lifted: LiftedAssertions, steps: int) -> None:
    """Theorem 5.1, assertion by assertion; and what fails after lifting is an execution of the program before it."""
    limits = ExplorationLimits(steps=steps, recursion=12)
    for entry in program.entries:
        before = explore(program, entry=entry, havoc_domain=DOMAIN, limits=limits)
        after = explore(lifted.program, entry=entry, havoc_domain=DOMAIN, limits=limits)
        for failed, trace in after.failing.items():
            played = replay(program, lifted.traces.lift(trace))
            assert played.ok, f"{failed.identifier}: {played.why}"
        if before.complete:
            assert set(after.failing) <= set(before.failing)
        if before.complete and after.complete:
            assert set(after.failing) == set(before.failing)


def check_places(program: Program, lifted: LiftedAssertions) -> None:
    """Theorem 5.2: assertions are in entries only, none more often than before, and not in loops."""
    before = Counter(
        check for each in program.procedures.values() for checks in assertions(each).values() for check in checks
    )
    is_recursive = bool(call_graph(program).recursive())
    for name, procedure in lifted.program.procedures.items():
        found = assertions(procedure)
        everything = [check for checks in found.values() for check in checks]
        assert name in program.entries or not everything
        assert Counter(everything) <= before  # an `ensures` is checked at every return
        if procedure.blocks and not is_recursive:
            inside = {label for loop in find_loops(procedure).loops for label in loop.blocks}
            assert not any(found[label] for label in inside)


def check_shape(program: Program, lifted: LiftedAssertions) -> None:
    """Theorem 5.4: no recursion and no loops before, none after."""
    if call_graph(program).recursive() or nesting(program) > 1:
        return
    assert not call_graph(lifted.program).recursive()
    assert nesting(lifted.program) == 1


@few(40)
@given(programs())
def test_theorems(program: RandomProgram) -> None:
    check_theorems(program.text, FEW)


@few(20)
@given(st.randoms(use_true_random=False).map(lambda random: random_program(random, loops=False, sharing=True)))
def test_theorems_without_loops(program: RandomProgram) -> None:
    check_theorems(program.text, FEW)


@pytest.mark.slow
@many(1000)
@given(programs())
def test_theorems_on_many_programs(program: RandomProgram) -> None:
    check_theorems(program.text, 10_000)


# --- verdicts


def check_verdicts(random: Random, steps: int) -> None:
    """Right about every assertion. More than the bound allows may be found: a recursive call that fails costs no
    procedure on the stack."""
    text = random_program(random, sharing=random.random() < 0.5).text
    options = Options(
        bound=random.choice([1, 2, 2, 3]),
        engine=random.choice(["dag", "stratified", "static"]),
        unroll=random.random() < 0.8,
        lift=True,
        check_ir=True,
        timeout=PATIENCE,
    )
    report = verify(text, options)
    found = Oracle(text, options, DOMAIN, steps).complaints(report)
    assert [each for each in found if "no execution within the bound" not in each] == []


@pytest.mark.parametrize("seed", range(20))
def test_verdicts_after_lifting_are_right(seed: int) -> None:
    check_verdicts(Random(seed), FEW)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1500))
def test_many_verdicts_after_lifting_are_right(seed: int) -> None:
    check_verdicts(Random(seed), 10_000)


@pytest.mark.parametrize("program", PROGRAMS[::3], ids=lambda path: path.stem)
def test_verdicts_on_golden_programs(program: Path) -> None:
    check_golden(program)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_verdicts_on_all_golden_programs(program: Path) -> None:
    check_golden(program)


def check_golden(program: Path) -> None:
    """The same verdicts as without lifting, or stronger ones, except with delays: the assertions in a call that
    returns are known to hold after it, and the failing thread comes last in every round, so a round may cover
    more."""
    text = program.read_text()
    options = replace(options_of(text), lift=True, check_ir=True, timeout=PATIENCE)
    found = verdicts_by_line(verify_files([str(program)], options))
    expected = expected_by_line(text)
    assert set(found) == set(expected)
    for line, verdicts in expected.items():
        for before, after in zip(verdicts, found[line], strict=True):
            more = {"proved", "violated"} if "rounds" in text else {"proved"}
            is_more = before == "bounded" and after in more
            # To note which thread fails is an access that others see, so it may take one more delay.
            is_less = "delays" in text and (before, after) == ("violated", "bounded")
            assert after == before or is_more or is_less, f"line {line}"


# --- examples

OPEN_CLOSE = """
var s: int;
var g: int;

procedure {:entrypoint} main()
  modifies s, g;
{
  s := 0;
  g := 1;
  call P1();
}

procedure P1() modifies s; { call P2(); call P2(); }
procedure P2() modifies s; { call P3(); call P3(); }

procedure P3()
  modifies s;
{
  while (*) {
    if (g == 1) { call Open(); }
    call Close();
  }
}

procedure Open() modifies s; { s := 1; }

procedure Close()
  modifies s;
{
  assert s > 0;
  s := 0;
}
"""


def test_the_example_of_the_paper() -> None:
    """Two calls of `Open` are inlined, for any code between the entry and the assertion."""
    report = verify(OPEN_CLOSE, replace(LIFTING, engine="stratified"))
    assert [result.verdict for result in report.assertions] == [Verdict.PROVED]
    assert report.statistics.instances <= 4


def test_code_that_cannot_fail_is_not_copied() -> None:
    lifted = LiftAssertions().apply(reducible(OPEN_CLOSE))
    copied = {comment.partition(":")[0] for comment in lifted.comments.values()}
    assert copied == {"P1", "P2", "P3", "Close"}


def test_proved_assertions_are_not_lifted() -> None:
    program = reducible(OPEN_CLOSE)
    checks = {check for each in program.procedures.values() for found in assertions(each).values() for check in found}
    lifted = LiftAssertions(proved=frozenset(checks)).apply(program)
    assert not lifted.comments
    assert not any(
        found for each in lifted.program.procedures.values() for found in assertions(each).values() if found
    )


def test_entries_that_are_called_get_a_start_of_their_own() -> None:
    text = """
    var n: int;
    procedure {:entrypoint} main() modifies n; { n := n + 1; if (n < 5) { call main(); } assert n > 4; assert n < 9; }
    """
    report = verify(text, replace(LIFTING, bound=6))
    assert [result.verdict for result in report.assertions] == [Verdict.PROVED, Verdict.VIOLATED]


EVEN_ODD = """
procedure {:entrypoint} main() { if (*) { call even(0); } else { call odd(0); } }
procedure even(n: int) { assert n != -DEPTH; if (*) { call odd(n - 1); } }
procedure odd(n: int) { if (*) { call even(n - 1); } else if (*) { call odd(n - 1); } assume n >= 0; }
"""


@pytest.mark.parametrize("bound", [1, 2, 3])
def test_a_chain_of_calls_is_as_long_as_the_bounds_allow(bound: int) -> None:
    """The bound limits how often each procedure is on the stack, so there may be twice as many calls on it."""
    report = verify(EVEN_ODD.replace("DEPTH", str(2 * bound - 1)), replace(LIFTING, bound=bound))
    assert [result.verdict for result in report.assertions] == [Verdict.VIOLATED]
