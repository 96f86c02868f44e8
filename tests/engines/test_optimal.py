"""Bounds on what sharing can do, the planned DAG, and searches that follow it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.families import dag_fig2
from remuda.base.source import Source
from remuda.engines.bounded_calls import BoundedCalls, TooLarge, UnfoldingLimits, body_of, most_entered, tree_size
from remuda.engines.bounds import Bounds
from remuda.engines.call_dag import CallDag
from remuda.engines.merging import STRATEGIES, strategy
from remuda.engines.optimal import FollowPlan, Plan, optimal_plan
from remuda.engines.stacks import Stack
from remuda.engines.unfold import unfold
from remuda.frontends.boogie.load import load
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.prepare.pipeline import prepare
from remuda.results.report import Report, Verdict
from remuda.vc.interface import interfaces
from remuda.vc.passive import procedure_vc
from tests.engines.call_structures import (
    ENTRY,
    FIG_1,
    FIG_5,
    FIG_6,
    LARGEST_TREE,
    LEAF,
    BruteForce,
    Flow,
    bounded,
    program,
    programs,
)

if TYPE_CHECKING:
    from remuda.ir.program import Program

SEQUENCE: Flow = {"start": (("foo", "foo"), ())}


def doubling(depth: int) -> Program:
    """Procedures that each call the next one twice."""
    chain: dict[str, Flow] = {f"p{index}": {"start": ((f"p{index + 1}",) * 2, ())} for index in range(depth)}
    return program({**chain, f"p{depth}": LEAF})


# --- counting without unfolding


def test_tree_size_of_a_program_that_is_too_large_to_unfold() -> None:
    code = doubling(200)
    assert tree_size(bounded(code), ENTRY) == 2**201 - 1
    assert sum(most_entered(bounded(code), ENTRY).values()) == 2**201 - 1


@pytest.mark.parametrize(("flow", "expected"), [(FIG_5, 2), (FIG_6, 1), (SEQUENCE, 2)])
def test_most_entered(flow: Flow, expected: int) -> None:
    most = most_entered(bounded(program({"p0": flow, "foo": LEAF})), ENTRY)
    assert most == {Stack("p0"): 1, Stack("foo"): expected}


def test_calls_beyond_the_bound_are_left_out() -> None:
    code = program({"p0": {"start": (("p0", "foo"), ())}, "foo": LEAF})
    assert tree_size(bounded(code, 1), ENTRY) == 2
    assert tree_size(bounded(code, 3), ENTRY) == 6
    assert tree_size(BoundedCalls(code, Bounds(3, {"p0": 2})), ENTRY) == 4
    assert tree_size(BoundedCalls(code, Bounds(9, stack_depth=3)), ENTRY) == 5


@given(programs(recursive=True), st.integers(1, 2))
@settings(max_examples=60, deadline=None)
def test_counts_are_those_of_the_tree(code: Program, bound: int) -> None:
    calls = bounded(code, bound)
    assume(tree_size(calls, ENTRY) <= LARGEST_TREE)
    brute = BruteForce(code, calls)
    assert tree_size(calls, ENTRY) == len(brute.stacks)
    assert most_entered(calls, ENTRY) == {stack: brute.most_entered(stack) for stack in set(brute.stacks.values())}


def test_calls_are_numbered_as_in_formulas() -> None:
    code = prepare(load([Source("fig2.bpl", dag_fig2(3, buggy=False))]), Options()).instrumented.program
    faces = interfaces(code, summaries="modset")
    for name, procedure in code.procedures.items():
        formula = procedure_vc(code, name, faces, "equations")
        assert body_of(code, procedure).callees == tuple(call.callee for call in formula.calls)


# --- plans


def plan_size(code: Program) -> int:
    return optimal_plan(bounded(code), ENTRY).size


def test_plans_of_the_papers_examples() -> None:
    assert plan_size(program(FIG_1)) == 4
    assert plan_size(program({"p0": FIG_5, "foo": LEAF})) == 3
    assert plan_size(program({"p0": FIG_6, "foo": LEAF})) == 2
    assert plan_size(program({"p0": SEQUENCE, "foo": LEAF})) == 3


def test_a_plan_that_is_too_large() -> None:
    code = doubling(20)
    with pytest.raises(TooLarge, match="at least 2097151 instances, which is more than 1000"):
        optimal_plan(bounded(code), ENTRY, UnfoldingLimits(1000))
    with pytest.raises(TooLarge, match="out of time"):
        optimal_plan(bounded(code), ENTRY, UnfoldingLimits(deadline=0.0))
    with pytest.raises(TooLarge, match="more than 1000 instances"):
        unfold(bounded(code), ENTRY, strategy("first", 1), UnfoldingLimits(1000))


@given(programs(recursive=True), st.integers(1, 3))
@settings(max_examples=80, deadline=None)
def test_a_plan_is_consistent_and_no_smaller_than_possible(code: Program, bound: int) -> None:
    calls = bounded(code, bound)
    assume(tree_size(calls, ENTRY) <= LARGEST_TREE)
    plan = optimal_plan(calls, ENTRY)
    BruteForce(code, calls).check(plan.dag(calls))
    assert plan.at_least == sum(most_entered(calls, ENTRY).values())
    assert plan.at_least <= plan.size
    for name in STRATEGIES:
        assert plan.at_least <= len(unfold(calls, ENTRY, strategy(name, 1)).nodes)


# --- following a plan


def open_at_random(calls: BoundedCalls, plan: Plan, source: random.Random) -> CallDag[Stack]:
    """Unfold in any order, as a search does that opens calls as it needs them."""
    merge = FollowPlan(plan)
    dag: CallDag[Stack] = CallDag()
    dag.add(Stack(ENTRY), calls.body(ENTRY).conflicts)
    work = [(dag.nodes[0], call) for call in range(len(calls.callees(dag.nodes[0].key)))]
    while work:
        node, call = work.pop(source.randrange(len(work)))
        stack = calls.callees(node.key)[call]
        if stack is None:
            continue
        compatible = dag.compatible(node, call, stack) if calls.may_share(stack) else []
        callee = merge(node, call, compatible) if compatible else None
        if callee is None:
            callee = dag.add(stack, calls.body(stack.procedure).conflicts)
            work += [(callee, inner) for inner in range(len(calls.callees(stack)))]
        dag.connect(node, call, callee)
        assert len(dag.nodes) <= plan.size
    return dag


@given(programs(recursive=True), st.integers(1, 3), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_a_search_stays_inside_the_plan(code: Program, bound: int, seed: int) -> None:
    calls = bounded(code, bound)
    assume(tree_size(calls, ENTRY) <= LARGEST_TREE)
    plan = optimal_plan(calls, ENTRY)
    dag = open_at_random(calls, plan, random.Random(seed))
    assert len(dag.nodes) == plan.size
    BruteForce(code, calls).check(dag)


def search(text: str, options: Options) -> Report:
    return run([Source("program.bpl", text)], options, lambda _: None)


def test_a_verdict_with_a_plan() -> None:
    report = search(dag_fig2(6, buggy=False), Options(merge="optimal"))
    assert report.verdict is Verdict.PROVED
    assert report.statistics.instances == 8
    assert report.notes == []


def test_without_a_plan_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remuda.portfolio.searches.PLAN_NODES", 3)
    report = search(dag_fig2(6, buggy=False), Options(merge="optimal"))
    assert report.verdict is Verdict.PROVED
    [note] = report.notes
    assert "more than 3 instances" in note
    assert "`first`" in note
