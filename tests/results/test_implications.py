"""The graph of implications: strongest, weakest and equivalent assertions, and the reduced edges."""

from __future__ import annotations

import time
from collections.abc import Iterable

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remuda.results.implications import ImplicationGraph, Node
from remuda.results.report import Location


def graph_of(count: int, edges: Iterable[tuple[int, int]]) -> ImplicationGraph:
    nodes = [
        Node(f"a.c:main:assert:{number}", "main", f"x > {number}", Location("a.c", number + 1, 3))
        for number in range(count)
    ]
    return ImplicationGraph("a.c", tuple(nodes), tuple(edges))


@st.composite
def graphs(draw: st.DrawFn) -> ImplicationGraph:
    """Few nodes and any edges, so that cycles are common."""
    count = draw(st.integers(1, 9))
    number = st.integers(0, count - 1)
    edges = draw(
        st.lists(st.tuples(number, number).filter(lambda edge: edge[0] != edge[1]), unique=True, max_size=24)
    )
    return graph_of(count, edges)


def test_a_chain() -> None:
    graph = graph_of(4, [(0, 1), (1, 2), (0, 2)])
    assert graph.strongest == {0, 3}
    assert graph.weakest == {2, 3}
    assert graph.alone == {3}
    assert graph.groups == ((0,), (1,), (2,), (3,))
    assert graph.reduced == ((0, 1), (1, 2))


def test_equivalent_assertions_have_the_edges_of_each_other() -> None:
    graph = graph_of(5, [(0, 1), (1, 0), (1, 2), (4, 0)])
    assert graph.groups == ((0, 1), (2,), (3,), (4,))
    assert graph.strongest == {3, 4}
    assert graph.weakest == {2, 3}
    assert graph.reduced == ((0, 1), (0, 2), (1, 0), (4, 0))


def test_as_json() -> None:
    document = graph_of(3, [(0, 1), (1, 0), (1, 2)]).as_json()
    names = [each["id"] for each in document["assertions"]]
    assert [each["strongest"] for each in document["assertions"]] == [True, True, False]
    assert [each["weakest"] for each in document["assertions"]] == [False, False, True]
    assert document["implications"] == [[names[0], names[1]], [names[1], names[0]], [names[1], names[2]]]
    assert document["reduced"] == [[names[0], names[1]], [names[0], names[2]], [names[1], names[0]]]
    assert document["equivalent"] == [names[:2]]


@settings(deadline=None)
@given(graphs())
def test_it_is_what_networkx_says(graph: ImplicationGraph) -> None:
    whole = networkx.DiGraph(graph.edges)
    whole.add_nodes_from(range(len(graph.nodes)))
    condensed = networkx.condensation(whole)
    members = condensed.nodes.data("members")
    assert sorted(graph.groups) == sorted(tuple(sorted(group)) for _, group in members)
    expected = networkx.transitive_reduction(condensed)
    group_of = condensed.graph["mapping"]
    assert {(group_of[a], group_of[b]) for a, b in graph.reduced if group_of[a] != group_of[b]} == set(expected.edges)
    assert graph.strongest == {node for number, group in members if not condensed.in_degree(number) for node in group}
    assert graph.weakest == {node for number, group in members if not condensed.out_degree(number) for node in group}
    assert graph.alone == {node for node in whole if whole.degree(node) == 0}


@settings(deadline=None)
@given(graphs())
def test_reduced_edges_have_the_same_meaning(graph: ImplicationGraph) -> None:
    def reached(edges: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
        every = networkx.DiGraph(edges)
        return {(a, b) for a in every for b in networkx.descendants(every, a)}

    assert len(graph.reduced) <= len(set(graph.edges)) or len(graph.groups) < len(graph.nodes)
    assert reached(graph.reduced) == reached(graph.edges)


@pytest.mark.parametrize("is_equal", [False, True])
def test_large_graphs_take_no_time(is_equal: bool) -> None:
    """All of one group imply all of the other; or all are in one order."""
    count = 600
    edges = [(a, b) for a in range(count) for b in range(count) if a != b and (is_equal or a > b)]
    began = time.process_time()
    graph = graph_of(count, edges)
    assert len(graph.reduced) == (count if is_equal else count - 1)
    assert len(graph.strongest) == (count if is_equal else 1)
    assert time.process_time() - began < 5
