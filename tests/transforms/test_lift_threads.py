"""Lifting the assertions of programs with threads: the theorems on random programs, judged by running every
schedule."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.loops import find_loops
from remuda.analysis.threads import thread_facts
from remuda.frontends.boogie.load import load
from remuda.ir.check import check
from remuda.ir.printer import print_program
from remuda.options import Options
from remuda.prepare.pipeline import base_program
from remuda.replay.explore import ExplorationLimits, explore
from remuda.replay.interpreter import replay
from remuda.results.report import Verdict
from remuda.transforms.lift_assertions import LiftAssertions, LiftedAssertions
from remuda.transforms.make_reducible import MakeReducible
from remuda.transforms.prune import PruneProcedures
from tests.hypothesis_settings import few, many
from tests.oracle import source
from tests.patience import PATIENCE
from tests.random_threads import DOMAIN, ENTRY, random_threads
from tests.transforms.assertion_places import assertions
from tests.verify_text import verify

if TYPE_CHECKING:
    from remuda.ir.program import Program

LIFTING = Options(lift=True)


def reducible(text: str) -> Program:
    base = PruneProcedures().apply(base_program(load([source(text)]), LIFTING)).program
    return MakeReducible().apply(base).program


def check_theorems(text: str, steps: int) -> None:
    program = reducible(text)
    lifted = LiftAssertions().apply(program)
    assert check(lifted.program) == []
    load([source(print_program(lifted.program))])
    check_same_failures(program, lifted, steps)
    check_places(program, lifted)


def check_same_failures(program: Program, lifted: LiftedAssertions, steps: int) -> None:
    """Theorem 5.1, assertion by assertion; and what fails after lifting is an interleaving of the program before."""
    before = explore(program, entry=ENTRY, havoc_domain=DOMAIN, limits=ExplorationLimits(steps=steps))
    after = explore(lifted.program, entry=ENTRY, havoc_domain=DOMAIN, limits=ExplorationLimits(steps=10 * steps))
    for failed, trace in after.failing.items():
        played = replay(program, lifted.traces.lift(trace))
        assert played.ok, f"{failed.identifier}: {played.why}"
    if before.complete:
        assert set(after.failing) <= set(before.failing)
        if after.complete:
            assert set(after.failing) == set(before.failing)


def check_places(program: Program, lifted: LiftedAssertions) -> None:
    """Theorem 5.2: assertions are in entries only, each once, and not in loops."""
    for name, procedure in lifted.program.procedures.items():
        found = assertions(procedure)
        everything = [check for checks in found.values() for check in checks]
        assert name in program.entries or not everything
        assert len(everything) == len(set(everything))
        inside = {label for loop in find_loops(procedure).loops for label in loop.blocks} if procedure.blocks else ()
        assert not any(found[label] for label in inside)


def seeds() -> st.SearchStrategy[int]:
    return st.integers(0, 1_000_000)


@few(16)
@given(seeds())
def test_theorems(seed: int) -> None:
    check_theorems(random_threads(Random(seed)), 4_000)


@pytest.mark.slow
@many(1000)
@given(seeds())
def test_theorems_on_many_programs(seed: int) -> None:
    check_theorems(random_threads(Random(seed)), 20_000)


# --- verdicts


def check_verdicts(text: str, rounds: int, steps: int) -> None:
    """Exactly the assertions that fail on a schedule of this many rounds of the lifted program are violated."""
    options = Options(rounds=rounds, bound=3, check_ir=True, timeout=PATIENCE, lift=True)
    program = reducible(text)
    lifted = LiftAssertions().apply(program)
    facts = lifted.thread_facts(thread_facts(program))
    shared = frozenset(facts.shared) if facts.schedules_matter else frozenset()
    limits = ExplorationLimits(steps=steps, rounds=rounds, shared=shared)
    within = explore(lifted.program, entry=ENTRY, havoc_domain=DOMAIN, limits=limits)
    failing_ever = explore(program, entry=ENTRY, havoc_domain=DOMAIN, limits=ExplorationLimits(steps=steps)).failing
    report = verify(text, options)
    found = {each.identifier for each in report.assertions if each.verdict is Verdict.VIOLATED}
    assert not any(each.verdict is Verdict.UNKNOWN for each in report.assertions)
    if "steps" not in within.cut:
        assert found == {each.identifier for each in within.failing}
    for result in report.assertions:
        if result.verdict is Verdict.PROVED:
            assert result.identifier not in {each.identifier for each in failing_ever}


@few(30)
@given(seeds())
def test_verdicts(seed: int) -> None:
    random = Random(seed)
    check_verdicts(random_threads(random), random.choice([1, 2, 2, 3]), 8_000)


@pytest.mark.slow
@many(1000)
@given(seeds())
def test_verdicts_on_many_programs(seed: int) -> None:
    random = Random(seed)
    check_verdicts(random_threads(random), random.choice([1, 2, 2, 3]), 40_000)
