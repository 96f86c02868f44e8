"""Colors the vertices of a graph with few colors, so that neighbours differ.

A graph is a list of bit sets: `rows[v]` are the neighbours of v. Conflicts of calls are computed in this form, and
graphs with thousands of vertices and millions of edges are common. (On driver programs, DSATUR from networkx gives
the same numbers of instances, and takes ten to thirty times as long.)

First fit in the order in which executions make calls is optimal for the calls of a tree: there, "an execution makes u
and later v" is a partial order, and first fit needs as many colors as the longest chain has calls, which is a clique.
After calls have been merged, this relation may not be a partial order. So the color classes are reordered, and first
fit in the new order never needs more colors than before (Culberson's iterated greedy coloring).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Final

ROUNDS: Final = 30  # rounds of improvement; more rounds gain nothing on driver programs
WORK: Final = 20_000_000  # steps that improving one coloring may take


def color(rows: Sequence[int], order: Iterable[int], enough: int) -> list[int]:
    """The color of each vertex, numbered from 0. Improvement stops at `enough` colors."""
    colors = first_fit(rows, order)
    count = max(colors, default=-1) + 1
    source = random.Random(1)  # the same graph is always colored the same way
    rounds = min(ROUNDS, WORK // max(1, count * len(rows)))
    for turn in range(rounds):
        if count <= enough:
            break
        colors = first_fit(rows, _reordered(colors, count, turn, source))
        count = max(colors) + 1
    return colors


def first_fit(rows: Sequence[int], order: Iterable[int]) -> list[int]:
    """Give each vertex in turn the first color that none of its neighbours has."""
    colors = [0] * len(rows)
    classes: list[int] = []
    for vertex in order:
        row = rows[vertex]
        chosen = next((index for index, members in enumerate(classes) if not members & row), len(classes))
        if chosen == len(classes):
            classes.append(0)
        classes[chosen] |= 1 << vertex
        colors[vertex] = chosen
    return colors


def _reordered(colors: Sequence[int], count: int, turn: int, source: random.Random) -> list[int]:
    """The vertices class by class: the last class first, the largest class first, or in random order."""
    classes: list[list[int]] = [[] for _ in range(count)]
    for vertex, chosen in enumerate(colors):
        classes[chosen].append(vertex)
    match turn % 3:
        case 0:
            classes.reverse()
        case 1:
            classes.sort(key=len, reverse=True)
        case _:
            source.shuffle(classes)
    return [vertex for members in classes for vertex in members]
