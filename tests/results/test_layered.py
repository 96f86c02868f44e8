"""Boxes in rows: edges lead down, and nothing overlaps."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from remuda.results.layered import Layout, Size, in_grid, layered

SMALL: Size = (80.0, 40.0)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[dict[int, Size], dict[int, list[int]]]:
    """Edges from smaller to larger numbers: no cycles."""
    count = draw(st.integers(0, 14))
    sizes = {node: (float(draw(st.integers(20, 300))), float(draw(st.integers(20, 90)))) for node in range(count)}
    edges: dict[int, list[int]] = {node: [] for node in sizes}
    for one, other in combinations(range(count), 2):
        if draw(st.integers(0, 3)) == 0:
            edges[one].append(other)
    return sizes, edges


def overlaps(sizes: Mapping[int, Size], layout: Layout) -> list[tuple[int, int]]:
    def meet(a: int, b: int) -> bool:
        (left, top), (other_left, other_top) = layout.places[a], layout.places[b]
        apart = (
            left + sizes[a][0] <= other_left + 0.01,
            other_left + sizes[b][0] <= left + 0.01,
            top + sizes[a][1] <= other_top + 0.01,
            other_top + sizes[b][1] <= top + 0.01,
        )
        return not any(apart)

    return [pair for pair in combinations(layout.places, 2) if meet(*pair)]


@settings(deadline=None)
@given(graphs())
def test_edges_lead_down_and_nothing_overlaps(graph: tuple[dict[int, Size], dict[int, list[int]]]) -> None:
    sizes, edges = graph
    layout = layered(sizes, edges)
    assert layout.places.keys() == sizes.keys()
    assert overlaps(sizes, layout) == []
    for one, targets in edges.items():
        for other in targets:
            heights = [y for _, y in layout.ways.get((one, other), ())]
            bottom, top = layout.places[one][1] + sizes[one][1], layout.places[other][1]
            assert all(above <= below for above, below in pairwise((bottom, *heights, top)))
    for node, (x, y) in layout.places.items():
        assert -0.01 <= x <= layout.width - sizes[node][0] + 0.01
        assert -0.01 <= y <= layout.height - sizes[node][1] + 0.01
    assert layered(sizes, edges) == layout


def test_a_box_stands_in_the_middle_of_what_leads_to_it() -> None:
    layout = layered(dict.fromkeys(range(3), SMALL), {0: [2], 1: [2], 2: []})
    assert layout.places[0] == (0.0, 0.0)
    assert layout.places[2][0] == (layout.places[0][0] + layout.places[1][0]) / 2


def test_edges_that_pass_a_row_go_round_its_boxes() -> None:
    layout = layered(dict.fromkeys(range(3), SMALL), {0: [1, 2], 1: [2], 2: []})
    ((x, _), (same, _)) = layout.ways[0, 2]
    assert x == same
    assert not layout.places[1][0] <= x <= layout.places[1][0] + SMALL[0]


def test_many_boxes_are_broken_into_rows() -> None:
    count = 400
    star: dict[int, Sequence[int]] = {node: [0] if node else [] for node in range(count)}
    layout = layered(dict.fromkeys(range(count), SMALL), star)
    assert layout.width < 4 * layout.height
    assert max(y for _, y in layout.places.values()) == layout.places[0][1]


def test_boxes_without_edges_stand_in_a_grid() -> None:
    sizes = dict.fromkeys(range(10), SMALL)
    layout = in_grid(sizes, 400.0)
    assert overlaps(sizes, layout) == []
    assert layout.width <= 400
    assert len({y for _, y in layout.places.values()}) == 3
    assert in_grid({}, 400.0).places == {}


def test_large_graphs_take_seconds_at_most() -> None:
    count = 1500
    sizes = dict.fromkeys(range(count), SMALL)
    chain: dict[int, Sequence[int]] = {node: [node + 1] if node + 1 < count else [] for node in range(count)}
    wide: dict[int, Sequence[int]] = {
        node: [count - 1, *range(node + 50, min(count - 1, node + 53))] if node < count - 1 else []
        for node in range(count)
    }
    began = time.process_time()
    layered(sizes, chain)
    layered(sizes, wide)
    assert time.process_time() - began < 10
