"""Colorings: proper always, optimal where calls have an order."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from remuda.engines.coloring import color, first_fit

PAIRS = st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] != pair[1]))


def rows_of(size: int, edges: set[tuple[int, int]]) -> list[int]:
    rows = [0] * size
    for left, right in edges:
        rows[left] |= 1 << right
        rows[right] |= 1 << left
    return rows


def is_proper(rows: list[int], colors: list[int]) -> bool:
    return not any(
        rows[left] >> right & 1 and colors[left] == colors[right]
        for left in range(len(rows))
        for right in range(len(rows))
    )


def count(colors: list[int]) -> int:
    return len(set(colors))


def test_nothing_to_color() -> None:
    assert color([], [], 0) == []


def test_a_better_order_is_found() -> None:
    """A path of four vertices, colored ends first, takes a third color; another order of the classes saves it."""
    rows = rows_of(4, {(0, 1), (1, 2), (2, 3)})
    assert count(first_fit(rows, [0, 3, 1, 2])) == 3
    assert count(color(rows, [0, 3, 1, 2], 2)) == 2


def test_enough_is_not_improved() -> None:
    rows = rows_of(4, {(0, 1), (1, 2), (2, 3)})
    assert count(color(rows, [0, 3, 1, 2], 3)) == 3


@given(PAIRS, st.permutations(range(12)))
def test_neighbours_differ(edges: set[tuple[int, int]], order: list[int]) -> None:
    rows = rows_of(12, edges)
    simple, improved = first_fit(rows, order), color(rows, order, 0)
    assert is_proper(rows, simple)
    assert is_proper(rows, improved)
    assert sorted(set(improved)) == list(range(count(improved)))
    assert count(improved) <= count(simple)


@given(PAIRS)
def test_along_an_order_it_is_optimal(edges: set[tuple[int, int]]) -> None:
    """Vertices that are comparable in a partial order: as many colors as the longest chain has members."""
    order = nx.DiGraph()
    order.add_nodes_from(range(12))
    order.add_edges_from((min(pair), max(pair)) for pair in edges)
    comparable = set(nx.transitive_closure_dag(order).edges)
    longest = nx.dag_longest_path_length(order) + 1
    assert count(first_fit(rows_of(12, comparable), range(12))) == longest
