"""Checks that a solved points-to analysis is closed under its constraints, by enumerating offsets.

The analysis works with classes of offsets. Here every class is a list of numbers, the rules of docs/explain/memory.md
are stated for one number at a time, and nothing is solved: `faults` checks each flow and each access once, and
reports the targets of pointers and accesses that the result lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.memory.abstract_objects import WHOLE, Node
from remuda.frontends.c.memory.beliefs import BeliefFinder, Window, windows_of
from remuda.frontends.c.memory.slots import Slot, find_node, find_slot, targets_of

if TYPE_CHECKING:
    from remuda.frontends.c.memory.points_to import PointsTo

FAR: Final = 96  # bytes of an object that are gone through


def roots(graph: PointsTo) -> list[Node]:
    return list(dict.fromkeys(find_node(node)[0] for node in graph.nodes))


def offsets(root: Node) -> range:
    """The offsets to check: those in the object, if its size is known. (A pointer to its end cannot be dereferenced,
    and belongs to the class that it came from.)"""
    return range(root.low, min(root.low + FAR, FAR if root.high is None else root.high))


def faults(graph: PointsTo) -> Iterator[str]:
    """The violations of the rules."""
    yield from _cells(graph)
    finder = BeliefFinder(graph.nodes, {})

    @cache
    def alike(root: Node, offset: int) -> tuple[int, ...]:
        least = root.canonical(offset)
        return tuple(each for each in offsets(root) if root.canonical(each) == least)

    def concrete(slot: Slot) -> Iterator[tuple[Node, int]]:
        """Where a value may point, if it satisfies the invariant."""
        for root, offset, is_exact in targets_of(slot):
            for each in (offset,) if is_exact else alike(root, offset):
                yield root, each

    def has(slot: Slot, root: Node, offset: int) -> bool:
        """Whether a value may point there, or is checked wherever it is used."""
        slot = find_slot(slot)
        if slot.is_doubtful or slot.is_wild or offset not in offsets(root):
            return True
        here = [(at, is_exact) for each, at, is_exact in targets_of(slot) if each is root]
        is_partial = any(not is_exact and not root.is_whole(at) for at, is_exact in here)
        return is_partial or any(
            at == offset if is_exact else root.canonical(at) == root.canonical(offset) for at, is_exact in here
        )

    for slot in graph.slots:
        if slot.parent is not None:
            continue
        followers = [*slot.successors, *slot.fields, *((0, view) for view in slot.views)]
        for root, offset in concrete(slot):
            for added, follower in followers:
                places = (
                    offsets(root) if added is None and find_slot(follower).is_address else (offset + (added or 0),)
                )
                for place in places:
                    if not has(follower, root, place):
                        yield f"a pointer to {place} of object {root.index}, from {offset} by {added}, is lost"
        for (distance, (size, _, is_number)), (value, _) in slot.accesses.items():
            for root, place in _accessed(finder, slot, distance, size, list(concrete(slot))):
                cell = root.cell_at(place, size)
                if cell is None or find_slot(cell.numbers if is_number else cell.slot) is not find_slot(value):
                    yield f"an access of {size} bytes at {place} of object {root.index} is to another cell"


def _accessed(
    finder: BeliefFinder, slot: Slot, distance: int, size: int, concrete: list[tuple[Node, int]]
) -> Iterator[tuple[Node, int]]:
    """Where an access may be that is not checked, or that passes its check."""
    if not finder.beliefs((slot, distance), size):
        yield from ((root, place + distance) for root, place in concrete if place + distance in offsets(root))
        return
    for root, windows in windows_of(slot, distance, size).items():
        known = {root.canonical(place + distance) for each, place in concrete if each is root}
        is_sure = not slot.is_doubtful and not slot.is_wild and not _may_leave(slot, root, distance)
        for place in offsets(root):
            is_inside = root.high is None or place + size <= root.high
            is_admitted = any(_admits(window, place) for window in windows) or not windows
            if is_inside and is_admitted and (root.canonical(place) in known or not (is_sure or not windows)):
                yield root, place


def _may_leave(slot: Slot, root: Node, distance: int) -> bool:
    """Whether a constant leads from an array to somewhere else: where in an element it leads to is not certain
    then."""
    found = [root.reach(at, distance) for each, at, is_exact in targets_of(slot) if each is root and not is_exact]
    return any(each is not None and not each[1] for each in found)


def _admits(window: Window, offset: int) -> bool:
    for fold in window.folds:
        if fold.length < WHOLE and not fold.start <= offset < fold.start + fold.length:
            return False
        offset = fold.start + (offset - fold.start) % fold.stride
    return window.last - window.first >= WHOLE or window.first <= offset <= window.last


def _cells(graph: PointsTo) -> Iterator[str]:
    """Every byte belongs to one cell, and bytes that are alike to one cell."""
    for root in roots(graph):
        if root.ordered_cells():
            for one, other in zip(root.ordered_cells(), root.ordered_cells()[1:], strict=False):
                if one.start + one.size > other.start:
                    yield f"cells of object {root.index} overlap at {other.start}"
            for cell in root.ordered_cells():
                for place in range(cell.start, cell.start + cell.size):
                    if root.cell_around(root.canonical(place)) is not cell:
                        yield f"byte {place} of object {root.index} belongs to two cells"
