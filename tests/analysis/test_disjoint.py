"""Which calls one execution of a body can both make."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.controlflow import ControlFlow, control_flow_of_blocks
from remuda.analysis.disjoint import call_conflicts
from remuda.base.source import synthetic_span
from remuda.ir.program import Block

SPAN = synthetic_span("flow.bpl")


def flow(successors: dict[str, str]) -> ControlFlow:
    """A flow of blocks with names of one letter; the first is the entry."""
    return control_flow_of_blocks([Block(label, (), tuple(targets), SPAN) for label, targets in successors.items()])


def conflicts(successors: dict[str, str], calls: str) -> list[set[int]]:
    masks = call_conflicts(flow(successors), calls)
    return [{other for other in range(len(calls)) if mask >> other & 1} for mask in masks]


def test_calls_on_two_branches_do_not_conflict() -> None:
    diamond = {"s": "ab", "a": "e", "b": "e", "e": ""}
    assert conflicts(diamond, "ab") == [set(), set()]
    assert conflicts(diamond, "sabe") == [{1, 2, 3}, {0, 3}, {0, 3}, {0, 1, 2}]


def test_calls_of_one_block_conflict() -> None:
    assert conflicts({"s": ""}, "sss") == [{1, 2}, {0, 2}, {0, 1}]


def test_a_way_around_does_not_help() -> None:
    """A block that may be skipped still conflicts with what comes after it."""
    assert conflicts({"s": "ae", "a": "e", "e": ""}, "ae") == [{1}, {0}]


def test_two_diamonds_in_a_row() -> None:
    row = {"s": "ab", "a": "m", "b": "m", "m": "cd", "c": "", "d": ""}
    assert conflicts(row, "abcd") == [{2, 3}, {2, 3}, {0, 1}, {0, 1}]


def test_the_flow_of_fig_5() -> None:
    assert conflicts({"s": "AB", "A": "CD", "B": "D", "C": "", "D": ""}, "ABCD") == [{2, 3}, {3}, {0}, {0, 1}]


def test_no_calls() -> None:
    assert conflicts({"s": ""}, "") == []


@given(st.integers(1, 8), st.data())
def test_conflicts_are_paths(size: int, data: st.DataObject) -> None:
    labels = [chr(ord("a") + index) for index in range(size)]
    successors = {
        label: "".join(data.draw(st.sets(st.sampled_from(labels[index + 1 :])))) if labels[index + 1 :] else ""
        for index, label in enumerate(labels)
    }
    order = flow(successors).order
    calls = "".join(data.draw(st.lists(st.sampled_from(order), max_size=6)))
    graph = nx.DiGraph()
    graph.add_nodes_from(order)
    graph.add_edges_from((label, target) for label in order for target in successors[label])
    expected = [
        {
            other
            for other, block in enumerate(calls)
            if other != call and (nx.has_path(graph, label, block) or nx.has_path(graph, block, label))
        }
        for call, label in enumerate(calls)
    ]
    assert conflicts(successors, calls) == expected
