"""Instances that calls share: the paper's examples, and brute force on random call structures."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from remuda.engines.bounded_calls import tree_size
from remuda.engines.call_dag import CallDag, Node
from remuda.engines.merging import STRATEGIES, strategy
from remuda.engines.unfold import unfold
from tests.engines.call_structures import (
    ENTRY,
    FIG_1,
    FIG_6,
    LARGEST_TREE,
    LEAF,
    BruteForce,
    Flow,
    Path,
    bits,
    bounded,
    naive_below,
    program,
    programs,
)

if TYPE_CHECKING:
    from remuda.ir.program import Program


def size(code: Program, merge: str | None = "first", bound: int = 1) -> int:
    return len(unfold(bounded(code, bound), ENTRY, None if merge is None else strategy(merge, 1)).nodes)


# --- the paper's examples


def test_fig_1_shares_what_both_branches_call() -> None:
    code = program(FIG_1)
    assert size(code, None) == 5
    assert size(code) == 4


def test_fig_1_shares_nothing_if_the_calls_follow_each_other() -> None:
    code = program({**FIG_1, "p0": {"start": (("bar", "baz"), ())}})
    assert size(code) == size(code, None) == 5


def test_fig_6_shares_the_calls_of_both_branches() -> None:
    assert size(program({"p0": FIG_6, "foo": LEAF})) == 2


def test_a_call_after_both_branches_is_not_shared() -> None:
    after = {**FIG_6, "end": (("foo",), ())}
    assert size(program({"p0": after, "foo": LEAF})) == 3


def open_in_order(conflicts: dict[str, set[str]], order: str) -> int:
    """How many instances there are after opening calls of one body in an order, each sharing the oldest it may."""
    names = sorted(conflicts)
    masks = [sum(1 << names.index(other) for other in conflicts[name]) for name in names]
    dag: CallDag[str] = CallDag()
    caller = dag.add("main", masks)
    for name in order:
        call = names.index(name)
        compatible = dag.compatible(caller, call, "foo")
        dag.connect(caller, call, compatible[0] if compatible else dag.add("foo", []))
    return len(dag.nodes) - 1


def test_fig_5_depends_on_what_is_merged_first() -> None:
    conflicts = {"A": {"C", "D"}, "B": {"D"}, "C": {"A"}, "D": {"A", "B"}}
    assert open_in_order(conflicts, "ABCD") == 2
    assert open_in_order(conflicts, "BCAD") == 3


# --- one edge at a time


def chain(dag: CallDag[str], keys: Iterable[str]) -> list[Node[str]]:
    """Nodes that call each other in turn, by one call each."""
    nodes = [dag.add(key, [0]) for key in keys]
    for caller, callee in pairwise(nodes):
        dag.connect(caller, 0, callee)
    return nodes


def test_below_grows_above_a_new_edge() -> None:
    dag: CallDag[str] = CallDag()
    a, b, c = chain(dag, "abc")
    assert [bits(node.below) for node in (a, b, c)] == [{0, 1, 2}, {1, 2}, {2}]
    d = dag.add("d", [])
    dag.connect(c, 0, d)
    assert [bits(node.below) for node in (a, b, c, d)] == [{0, 1, 2, 3}, {1, 2, 3}, {2, 3}, {3}]


def test_a_node_with_something_excluded_below_it_is_not_compatible() -> None:
    """main calls p, then q or r: p is the only one that q and r cannot share with."""
    dag: CallDag[str] = CallDag()
    main = dag.add("main", [0b110, 0b001, 0b001])
    p, q, r = (dag.add(key, [0]) for key in "pqr")
    for call, node in enumerate((p, q, r)):
        dag.connect(main, call, node)
    below_p = dag.add("log", [])
    dag.connect(p, 0, below_p)
    assert dag.compatible(q, 0, "log") == []
    below_q = dag.add("log", [])
    dag.connect(q, 0, below_q)
    assert dag.compatible(r, 0, "log") == [below_q]


def test_keys_are_never_mixed() -> None:
    dag: CallDag[str] = CallDag()
    main = dag.add("main", [0, 0])
    dag.connect(main, 0, dag.add("p", []))
    assert dag.compatible(main, 1, "q") == []


# --- brute force


def checked(code: Program, bound: int) -> BruteForce:
    calls = bounded(code, bound)
    assume(tree_size(calls, ENTRY) <= LARGEST_TREE)
    brute = BruteForce(code, calls)
    for name in STRATEGIES:
        dag = unfold(calls, ENTRY, strategy(name, 1))
        brute.check(dag)
        for node in dag.nodes:
            assert bits(node.below) == naive_below(node)
    return brute


@given(programs())
@settings(max_examples=60, deadline=None)
def test_every_strategy_is_consistent(code: Program) -> None:
    checked(code, 1)


@given(programs(recursive=True), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_every_strategy_is_consistent_on_recursive_programs(code: Program, bound: int) -> None:
    checked(code, bound)


@given(programs(), st.sampled_from(["first", "random-pick", "max-descendants"]))
@settings(max_examples=60, deadline=None)
def test_instances_that_could_be_one_are(code: Program, merge: str) -> None:
    """Of a procedure that calls nothing, two instances stay apart only if an execution enters both."""
    calls = bounded(code)
    assume(tree_size(calls, ENTRY) <= LARGEST_TREE)
    dag = unfold(calls, ENTRY, strategy(merge, 1))
    brute = BruteForce(code, calls)
    paths: dict[int, list[Path]] = {node.number: [] for node in dag.nodes}
    for path in brute.stacks:
        paths[brute.node_at(dag, path).number].append(path)
    leaves = [node for node in dag.nodes if not calls.callees(node.key) and calls.may_share(node.key)]
    for one, other in combinations(leaves, 2):
        if one.key == other.key:
            pairs = product(paths[one.number], paths[other.number])
            assert any(not brute.disjoint(left, right) for left, right in pairs)


@pytest.mark.parametrize("merge", [None, *STRATEGIES])
def test_recursion_of_different_depth_is_not_shared(merge: str | None) -> None:
    down: Flow = {"start": ((), ("end", "more")), "end": ((), ()), "more": (("down",), ("end",))}
    code = program({"p0": {"start": ((), ("a", "b")), "a": (("down",), ()), "b": (("down",), ())}, "down": down})
    calls = bounded(code, 3)
    dag = unfold(calls, ENTRY, None if merge is None else strategy(merge, 5))
    costs = [node.key.cost for node in dag.nodes if node.key.procedure == "down"]
    assert sorted(set(costs)) == [1, 2, 3]
    if merge in {"first", "random-pick", "max-descendants"}:
        assert sorted(costs) == [1, 2, 3]
