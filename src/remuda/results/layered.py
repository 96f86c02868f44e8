"""Places the boxes of a graph without cycles in rows, so that every edge leads down.

    sizes {0: (80, 40), 1: (80, 40), 2: (80, 40)}, edges {0: [2], 1: [2], 2: []}      0   1
                                                                                        \\ /
                                                                                         2

It is Sugiyama's method, for each connected part of the graph:

1. a row for the boxes with the same length of the longest path to them; too wide rows are broken;
2. a point in each row that an edge passes (edges to the same box share it);
3. an order in each row that follows the order of the neighbours, so that few edges cross;
4. positions as near to the neighbours as the order allows.

The parts are placed side by side in shelves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from remuda.base.disjoint_sets import DisjointSets
from remuda.base.graph import components

GAP: Final = 22.0  # between boxes of a row
THIN_GAP: Final = 8.0  # beside an edge that passes
ROW_GAP: Final = 46.0
PART_GAP: Final = 44.0
SWEEPS: Final = 6
SHAPE: Final = 1.6  # the desired ratio of width to height
MOST_POINTS: Final = 20_000  # on edges; if there are more, edges are straight
FEWEST_IN_ROW: Final = 5

Size = tuple[float, float]
Point = tuple[float, float]


@final
@dataclass(frozen=True, slots=True)
class Layout:
    """A layout: `places` are the top left corners of boxes, `ways` the points where edges pass rows."""

    places: Mapping[int, Point]
    ways: Mapping[tuple[int, int], Sequence[Point]]
    width: float
    height: float


def layered(sizes: Mapping[int, Size], edges: Mapping[int, Sequence[int]]) -> Layout:
    """The layout of boxes whose edges have no cycles."""
    parts = [_Part(sizes, edges, members).layout() for members in _parts(sizes, edges)]
    return _in_shelves(parts)


def in_grid(sizes: Mapping[int, Size], width: float) -> Layout:
    """The layout of boxes without edges: row by row."""
    singles = [Layout({node: (0.0, 0.0)}, {}, *size) for node, size in sizes.items()]
    return _in_shelves(singles, width, GAP)


def _parts(sizes: Mapping[int, Size], edges: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """The connected parts, in the order of the first box of each."""
    sets: DisjointSets[int] = DisjointSets()
    for node in sizes:
        for target in edges[node]:
            sets.unite(node, target)
    parts: dict[int, list[int]] = {}
    for node in sizes:
        parts.setdefault(sets.find(node), []).append(node)
    return list(parts.values())


def _in_shelves(parts: Sequence[Layout], width: float | None = None, gap: float = PART_GAP) -> Layout:
    """The layout of all parts: in shelves, high parts first, from left to right."""
    area = sum((part.width + gap) * (part.height + gap) for part in parts)
    widest = max((part.width for part in parts), default=0.0)
    limit = max(widest, math.sqrt(area * SHAPE)) if width is None else max(widest, width)
    places: dict[int, Point] = {}
    ways: dict[tuple[int, int], Sequence[Point]] = {}
    left = top = bottom = right = 0.0
    for part in sorted(parts, key=lambda part: -part.height):
        if left and left + part.width > limit:
            left, top = 0.0, bottom + gap
        places.update({node: (x + left, y + top) for node, (x, y) in part.places.items()})
        ways.update({edge: [(x + left, y + top) for x, y in way] for edge, way in part.ways.items()})
        right, bottom = max(right, left + part.width), max(bottom, top + part.height)
        left += part.width + gap
    return Layout(places, ways, right, bottom)


@final
class _Part:
    """A connected part. Boxes are numbers; points on edges get further numbers, and are treated as thin boxes."""

    def __init__(self, sizes: Mapping[int, Size], edges: Mapping[int, Sequence[int]], members: Sequence[int]) -> None:
        self._members = members
        self._sizes = {node: sizes[node] for node in members}
        self._edges = {node: list(edges[node]) for node in members}
        self._rows: list[list[int]] = []
        self._points: set[int] = set()
        self._ways: dict[tuple[int, int], list[int]] = {}  # the points of each edge
        self._above: dict[int, list[int]] = {}  # the neighbours in the row above, and below
        self._below: dict[int, list[int]] = {}
        self._x: dict[int, float] = {}  # of centres

    def layout(self) -> Layout:
        self._rows = self._broken(self._rank())
        self._add_points()
        self._order()
        self._place()
        return self._result()

    def _rank(self) -> list[list[int]]:
        """The rows of boxes, by the longest path from a box without incoming edges."""
        rank = dict.fromkeys(self._members, 0)
        for (node,) in reversed(components(self._edges)):
            for target in self._edges[node]:
                rank[target] = max(rank[target], rank[node] + 1)
        rows: list[list[int]] = [[] for _ in range(max(rank.values()) + 1)]
        for node in self._members:
            rows[rank[node]].append(node)
        return rows

    def _broken(self, rows: list[list[int]]) -> list[list[int]]:
        """The rows, with too wide ones broken; boxes with the same neighbours stay together."""
        width = sum(width + GAP for width, _ in self._sizes.values())
        height = sum(height + ROW_GAP for _, height in self._sizes.values())
        most = max(FEWEST_IN_ROW, math.ceil(math.sqrt(SHAPE * len(self._members) * height / width)))
        found: list[list[int]] = []
        for row in rows:
            ordered = sorted(row, key=lambda node: min(self._edges[node], default=-1)) if len(row) > most else row
            count = math.ceil(len(row) / most)
            share = math.ceil(len(row) / count)
            found += [list(ordered[start : start + share]) for start in range(0, len(row), share)]
        return found

    def _add_points(self) -> None:
        row_of = {node: number for number, row in enumerate(self._rows) for node in row}
        spans = {(a, b): row_of[b] - row_of[a] for a in self._members for b in self._edges[a]}
        is_straight = sum(span - 1 for span in spans.values()) > MOST_POINTS
        self._above = {node: [] for node in self._members}
        self._below = {node: [] for node in self._members}
        passing: dict[tuple[int, int], int] = {}  # by row and by the target of the edge
        fresh = max(self._members) + 1
        for (stronger, weaker), span in spans.items():
            way = self._ways[stronger, weaker] = []
            before = stronger
            for row in range(row_of[stronger] + 1, row_of[stronger] + (1 if is_straight else span)):
                point = passing.setdefault((row, weaker), fresh)
                if point == fresh:
                    self._points.add(fresh)
                    self._sizes[fresh] = (0.0, 0.0)
                    self._rows[row].append(fresh)
                    self._above[fresh], self._below[fresh] = [], []
                    fresh += 1
                self._link(before, point)
                before = point
                way.append(point)
            self._link(before, weaker)

    def _link(self, one: int, other: int) -> None:
        if one in self._points and self._below[one]:  # a point of an earlier edge
            return
        self._below[one].append(other)
        self._above[other].append(one)

    def _order(self) -> None:
        """Sweep down and up, and sort each row by the mean position of the neighbours."""
        position = {node: float(index) for row in self._rows for index, node in enumerate(row)}
        for sweep in range(SWEEPS):
            is_down = sweep % 2 == 0
            neighbours = self._above if is_down else self._below
            for row in self._rows if is_down else reversed(self._rows):
                row.sort(key=lambda node: _mean((position[other] for other in neighbours[node]), position[node]))
                middle = (len(row) - 1) / 2
                position.update({node: index - middle for index, node in enumerate(row)})

    def _place(self) -> None:
        for row in self._rows:
            self._settle(row, dict.fromkeys(row, 0.0))
        for sweep in range(SWEEPS):
            is_down = sweep % 2 == 0
            neighbours = self._above if is_down else self._below
            for row in self._rows if is_down else reversed(self._rows):
                wishes = {node: _mean((self._x[other] for other in neighbours[node]), self._x[node]) for node in row}
                self._settle(row, wishes)

    def _settle(self, row: Sequence[int], wishes: Mapping[int, float]) -> None:
        """Place the boxes of a row as near to their desired positions as the order and the gaps allow, by least
        squares: boxes that would overlap move as one block, to the mean of their desired positions."""
        blocks: list[tuple[float, int]] = []  # the position of the first box, and the number of boxes
        offsets: list[float] = []
        for index, node in enumerate(row):
            offsets.append(0.0 if index == 0 else offsets[-1] + self._distance(row[index - 1], node))
            total, count = wishes[node] - offsets[-1], 1
            while blocks and blocks[-1][0] >= total / count:
                mean, more = blocks.pop()
                total, count = total + mean * more, count + more
            blocks.append((total / count, count))
        places = [place for place, count in blocks for _ in range(count)]
        for node, place, offset in zip(row, places, offsets, strict=True):
            self._x[node] = place + offset

    def _distance(self, one: int, other: int) -> float:
        gap = THIN_GAP if one in self._points or other in self._points else GAP
        return (self._sizes[one][0] + self._sizes[other][0]) / 2 + gap

    def _result(self) -> Layout:
        left = min(x - self._sizes[node][0] / 2 for node, x in self._x.items())
        right = max(x + self._sizes[node][0] / 2 for node, x in self._x.items())
        places: dict[int, Point] = {}
        passed: dict[int, tuple[Point, Point]] = {}
        top = 0.0
        for row in self._rows:
            height = max(self._sizes[node][1] for node in row)
            for node in row:
                x = self._x[node] - left
                if node in self._points:
                    passed[node] = ((x, top), (x, top + height))
                else:
                    width, own = self._sizes[node]
                    places[node] = (x - width / 2, top + (height - own) / 2)
            top += height + ROW_GAP
        ways = {edge: [end for point in points for end in passed[point]] for edge, points in self._ways.items()}
        return Layout(places, ways, right - left, top - ROW_GAP)


def _mean(values: Iterable[float], default: float) -> float:
    found = list(values)
    return sum(found) / len(found) if found else default
