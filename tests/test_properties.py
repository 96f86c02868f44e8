"""Verdicts about random programs, compared with running every execution of them.

The fast run takes the same programs every time; `make slow` takes new ones, and many more.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.loops import find_loops
from remuda.frontends.boogie.load import load
from remuda.ir.printer import print_program
from remuda.ir.program import Assert, Assume, Block, Check, Procedure, Program, Statement
from remuda.options import JOINS, Options
from remuda.prepare.pipeline import base_program
from remuda.replay.explore import ExplorationLimits, explore
from remuda.replay.interpreter import replay
from remuda.results.report import Report, Verdict
from remuda.transforms.error_bit import ErrorBitResult, InsertErrorBit
from remuda.transforms.extract_loops import ExtractLoops
from remuda.transforms.make_reducible import MakeReducible
from remuda.transforms.unroll_loops import UnrollLoops
from tests.agreement import INTEGER_SOLVERS, claims, compare
from tests.hypothesis_settings import few, many
from tests.oracle import FEW, Oracle, run_all, source, tags
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, RandomProgram, programs
from tests.verify_text import verify

if TYPE_CHECKING:
    from remuda.ir.passes import PassResult
    from remuda.ir.trace import Trace
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term


# --- verdicts


def check_verdicts(program: RandomProgram, random: Random, steps: int) -> None:
    """Every configuration is right about every assertion, and they agree where they must.

    With all calls inlined up to the bound, proofs do not depend on the solver or the formula, but only on the effects
    of calls beyond the bound. A lazy search may know less about calls that it never needed to inline, so it may
    report `bounded` where the other one reports `proved`, but not the reverse.
    """
    options = Options(
        houdini=False,
        bound=random.choice([1, 2, 2, 3]),
        unroll=random.random() < 0.8,
        check_ir=True,
        timeout=PATIENCE,
    )
    oracle = Oracle(program.text, options, DOMAIN, steps)
    reports = {
        (engine, solver): verify(
            program.text, replace(options, engine=engine, solver=solver, joins=random.choice(JOINS))
        )
        for engine in ("static", "stratified")
        for solver in INTEGER_SOLVERS
    }
    for configuration, report in reports.items():
        assert oracle.complaints(report) == [], configuration
    if any(result.verdict is Verdict.UNKNOWN for report in reports.values() for result in report.assertions):
        return  # out of time, or the oracle has complained
    reference = reports["static", "z3"]
    assert claims(reports["static", "cvc5"]) == claims(reference)
    for solver in INTEGER_SOLVERS:
        compare(reports["stratified", solver], reference)


@few(40)
@given(programs(), st.randoms(use_true_random=False))
def test_verdicts_are_those_of_running_every_execution(program: RandomProgram, random: Random) -> None:
    check_verdicts(program, random, FEW)


@pytest.mark.slow
@many(1000)
@given(programs(), st.randoms(use_true_random=False))
def test_verdicts_on_many_programs(program: RandomProgram, random: Random) -> None:
    check_verdicts(program, random, 10_000)


@few(25)
@given(programs())
def test_printed_programs_get_the_same_verdicts(program: RandomProgram) -> None:
    check_printed(program)


@pytest.mark.slow
@many(500)
@given(programs())
def test_printed_programs_on_many_programs(program: RandomProgram) -> None:
    check_printed(program)


def check_printed(program: RandomProgram) -> None:
    """The calls that are inlined up to the bound decide the verdicts, not the order or shared instances."""
    options = Options(bound=2, engine="static", houdini=False, isolate=False)
    printed = print_program(load([source(program.text)]))
    ours, again = verify(program.text, options), verify(printed, replace(options, engine="dag", inline="all"))
    assert sorted(verdicts(ours)) == sorted(verdicts(again))


def verdicts(report: Report) -> list[tuple[str, bool]]:
    return [(result.verdict.value, result.bound is None) for result in report.assertions]


# --- transforms


def check_contracts(program: RandomProgram, steps: int) -> None:
    """Contracts have the same meaning as when they are written out by hand."""
    options = Options(bound=2)
    limits = ExplorationLimits(steps=steps, recursion=2)
    found = []
    for text in (program.text, program.explicit):
        base = base_program(load([source(text)]), options)
        numbers = tags(base)
        outcomes = run_all(MakeReducible().apply(base).program, DOMAIN, limits)
        if not outcomes.exact:
            return
        found.append([{numbers[name] for name in names} for names in (outcomes.failing, outcomes.reached)])
    assert found[0] == found[1]


@few(40)
@given(programs())
def test_contracts_mean_what_is_written_out(program: RandomProgram) -> None:
    check_contracts(program, FEW)


@pytest.mark.slow
@many(1000)
@given(programs())
def test_contracts_on_many_programs(program: RandomProgram) -> None:
    check_contracts(program, 10_000)


def check_transforms(program: RandomProgram, steps: int) -> None:
    """Each pass keeps the failing and the reached assertions, and its lifted traces replay on the program before
    it."""
    options = Options(bound=2)
    base = base_program(load([source(program.text)]), options)
    limits = ExplorationLimits(steps=steps, recursion=12)
    for entry in base.entries:
        before = explore(base, entry=entry, havoc_domain=DOMAIN, limits=limits)
        if not before.complete:
            continue
        current = base
        for transform in (MakeReducible(), UnrollLoops(), ExtractLoops()):
            result = transform.apply(current)
            after = explore(result.program, entry=entry, havoc_domain=DOMAIN, limits=limits)
            replay_all(current, result, after.failing)
            assert set(after.failing) <= set(before.failing)
            if after.complete:
                assert set(after.failing) == set(before.failing)
                assert set(after.reached) == set(before.reached)
            current = result.program
        check_error_bit(base, entry, set(before.failing), limits)


def replay_all(program: Program, result: PassResult, traces: dict[Check, Trace]) -> None:
    for check, trace in traces.items():
        played = replay(program, result.lift(trace))
        assert played.ok, f"{check.identifier}: {played.why}"


def check_error_bit(program: Program, entry: str, failing: set[Check], limits: ExplorationLimits) -> None:
    """The error bit can be set at the entry's end exactly for assertions that can fail."""
    code = InsertErrorBit().apply(program)
    for check in code.below(entry)[:4]:
        visible = failure_visible(code, entry, check)
        outcomes = explore(visible, entry=entry, havoc_domain=DOMAIN, limits=limits)
        if "steps" not in outcomes.cut:
            assert bool(outcomes.failing) == (check in failing)
        for trace in outcomes.failing.values():
            played = replay(program, code.lift(replace(trace, check=check)))
            assert played.ok, f"{check.identifier}: {played.why}"


def failure_visible(code: ErrorBitResult, entry: str, wanted: Check) -> Program:
    """The instrumented program with one target that counts, and an assertion that the entry does not fail."""
    program, terms = code.program, code.program.terms
    values = {target: terms.boolean(check is wanted) for check, target in code.targets.items()}
    values[code.reach] = terms.false
    added = set(program.constants) - set(values)
    constants = tuple(each for each in program.constants if each in added and not each.name.startswith("may_fail$"))
    ending = Assert(terms.not_(terms.var(code.failed[entry])), wanted, wanted.span)
    procedures = {
        name: with_values(program, procedure, values, ending if name == entry else None, name in code.failed)
        for name, procedure in program.procedures.items()
    }
    return replace(program, procedures=procedures, constants=constants)


def with_values(
    program: Program, procedure: Procedure, values: dict[Variable, Term], ending: Assert | None, promises: bool
) -> Procedure:
    """A procedure with constants replaced by values, and without its contracts for searches, which a later pass
    adds."""

    def statement(one: Statement) -> Statement:
        if not isinstance(one, Assume):
            return one
        return replace(one, condition=program.terms.substitute([one.condition], values)[0])

    def block(one: Block) -> Block:
        last = (ending,) if ending is not None and not one.successors else ()
        return replace(one, statements=(*map(statement, one.statements), *last))

    if procedure.blocks is None:
        return procedure
    ensures = procedure.ensures[:-1] if promises else procedure.ensures
    return replace(procedure, blocks=tuple(map(block, procedure.blocks)), ensures=ensures)


@few(40)
@given(programs())
def test_transforms_keep_what_can_fail(program: RandomProgram) -> None:
    check_transforms(program, FEW)


@pytest.mark.slow
@many(1000)
@given(programs())
def test_transforms_on_many_programs(program: RandomProgram) -> None:
    check_transforms(program, 10_000)


# --- what random programs do not show


DOUBTED = """
procedure main()
{
  var m: [int]int;
  var x: int;
  assume (forall i: int :: {m[i]} m[i] >= 0);
  x := 0;
  goto B, C;
B:
  call x := five();
  goto C;
C:
  assert (exists j: int :: {m[j]} 0 <= j && j < 2 && m[j] >= x);
}
procedure five() returns (r: int) { r := 5; }
"""


@pytest.mark.parametrize("engine", ["stratified", "static"])
def test_excluding_a_path_keeps_longer_ones(engine: str) -> None:
    """The way to C without B cannot fail, which takes a second look to see; the way through B can."""
    report = verify(DOUBTED, Options(engine=engine))
    assert report.assertions[0].verdict in {Verdict.VIOLATED, Verdict.UNKNOWN}


@given(
    st.integers(1, 8).flatmap(
        lambda count: st.lists(st.sets(st.integers(0, count - 1), max_size=3), min_size=count, max_size=count)
    )
)
def test_every_graph_becomes_reducible(graph: list[set[int]]) -> None:
    jumps = [", ".join(f"L{target}" for target in sorted(targets)) for targets in graph]
    lines = [f"L{number}: {f'goto {targets}' if targets else 'return'};" for number, targets in enumerate(jumps)]
    program = load([source("procedure main() { " + " ".join(lines) + " }")])
    reducible = MakeReducible().apply(program).program
    assert find_loops(reducible.procedures["main"]).is_reducible
