"""Order, predecessors and dominators of control-flow graphs."""

from __future__ import annotations

import networkx
from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.controlflow import control_flow
from tests.ir.builders import procedure

DIAMOND = {"entry": ["a", "b"], "a": ["end"], "b": ["end"], "end": []}


def test_order_of_a_diamond_follows_the_goto() -> None:
    flow = control_flow(procedure("P", DIAMOND))
    assert flow.order == ("entry", "a", "b", "end")
    assert flow.predecessors["end"] == ("a", "b")
    assert flow.is_acyclic


def test_dominators_of_a_diamond() -> None:
    flow = control_flow(procedure("P", DIAMOND))
    assert flow.dominators == {"entry": None, "a": "entry", "b": "entry", "end": "entry"}
    assert flow.dominates("entry", "end")
    assert flow.dominates("a", "a")
    assert not flow.dominates("a", "end")


def test_unreachable_blocks_and_doubled_targets_do_not_count() -> None:
    flow = control_flow(procedure("P", {"entry": ["end", "end"], "lost": ["end"], "end": []}))
    assert flow.order == ("entry", "end")
    assert flow.predecessors["end"] == ("entry",)


def test_retreating_edge() -> None:
    flow = control_flow(procedure("P", {"entry": ["head"], "head": ["body", "end"], "body": ["head"], "end": []}))
    assert flow.retreating_edges() == [("body", "head")]
    assert not flow.is_acyclic


def test_a_long_chain_needs_no_recursion() -> None:
    count = 50_000
    edges = {f"b{index}": [f"b{index + 1}"] for index in range(count)} | {f"b{count}": ["b0"]}
    flow = control_flow(procedure("P", edges))
    assert flow.order[-1] == f"b{count}"
    assert flow.dominates("b0", f"b{count}")


GRAPHS = st.integers(1, 9).flatmap(
    lambda count: st.lists(st.lists(st.integers(0, count - 1), max_size=3), min_size=count, max_size=count)
)


@given(GRAPHS)
def test_dominators_agree_with_networkx(graph: list[list[int]]) -> None:
    flow = control_flow(
        procedure("P", {str(source): [str(t) for t in targets] for source, targets in enumerate(graph)})
    )
    other = networkx.DiGraph(
        [(str(source), str(target)) for source, targets in enumerate(graph) for target in targets]
    )
    other.add_node("0")
    expected = {node: parent for node, parent in networkx.immediate_dominators(other, "0").items() if node != "0"}
    assert {label: parent for label, parent in flow.dominators.items() if label != "0"} == expected
    for above in flow.order:
        for below in flow.order:
            assert flow.dominates(above, below) == (above in ancestors(flow.dominators, below))


def ancestors(parents: object, label: str | None) -> list[str]:
    assert isinstance(parents, dict)
    found: list[str] = []
    while label is not None:
        found.append(label)
        label = parents[label]
    return found
