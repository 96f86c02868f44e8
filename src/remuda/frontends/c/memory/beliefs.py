"""Beliefs of the points-to analysis: an access stays in the array that its pointer was made for.

The analysis does not prove its beliefs. The program must check an access through a pointer into an array that is only
a part of its object, or through a doubtful pointer (`Slot.is_doubtful`, `Slot.is_wild`): the address must lie in one
of the `Window`s of its object. Then the access is to the cells that the analysis has chosen, and every other access
to these bytes is to the same region.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.memory.slots import Slot, find_node, find_slot, targets_of
from remuda.frontends.c.syntax.shapes import Array

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from remuda.frontends.c.memory.abstract_objects import Node
    from remuda.frontends.c.memory.slots import Place
    from remuda.frontends.c.syntax import ast


@final
@dataclass(frozen=True, slots=True)
class Window:
    """A set of offsets in an object. To test an offset, take the folds in turn: the offset must lie in the fold's
    bytes (a fold without an end is a period), and its remainder in the fold is the next offset. The last remainder
    must be between `first` and `last`."""

    folds: tuple[Array, ...]
    first: int
    last: int


@final
@dataclass(frozen=True, slots=True)
class Belief:
    """An access to one of these objects lies in one of these windows; no windows: nothing has to be checked. `object_`
    is None for objects without a name. An unknown object is assumed to be an object of its own, and not checked."""

    object_: ast.Variable | ast.StringLiteral | None
    windows: tuple[Window, ...]
    is_unknown: bool = False


Beliefs = tuple[Belief, ...]

NOWHERE: Final = Window((), 1, 0)


@final
@dataclass(frozen=True, slots=True)
class _Spot:
    """An offset that an access may be at, alone or with its whole class. `is_sure`: its position in an element is
    certain."""

    offset: int
    is_alone: bool
    is_sure: bool

    def is_certain_in(self, root: Node) -> bool:
        return self.is_alone or root.is_whole(self.offset)

    def window(self, root: Node, size: int, *, is_exact: bool) -> Window:
        if self.is_alone:
            return Window((), self.offset, self.offset)
        folds, first, last = root.window(self.offset, size, is_exact=is_exact)
        return Window(tuple(folds), first, last)


@final
class BeliefFinder:
    """Finds the beliefs about accesses in a solved analysis."""

    def __init__(self, nodes: Iterable[Node], named: Mapping[Node, ast.Variable | ast.StringLiteral]) -> None:
        self._named = named
        self._members: dict[Node, list[tuple[Node, int]]] = {}
        self._blocks: dict[Node, None] = {}  # objects that addresses do not distinguish
        for node in nodes:
            root, _ = find_node(node)
            if node.is_object and node not in named and root.in_memory and root.cells:
                self._blocks[root] = None
            if node.is_object or not node.is_wild:
                root, shift = find_node(node)
                self._members.setdefault(root, []).append((node, shift))

    def beliefs(self, place: Place, size: int) -> Beliefs:
        """The beliefs about an access of `size` bytes at a place; none if all is certain."""
        base, distance = place
        if not isinstance(base, Slot):
            return ()
        slot = find_slot(base)
        targets = _spots(slot, distance)
        if all(spot.is_sure and spot.is_certain_in(root) for root, spots in targets.items() for spot in spots):
            return ()
        believed = [belief for root, spots in targets.items() for belief in self._of(root, spots, size)]
        is_unknown = any(belief.is_unknown for belief in believed)
        if slot.is_wild and believed and not is_unknown and any(root not in targets for root in self._blocks):
            believed.append(Belief(None, (NOWHERE,)))  # an unknown integer may lead to the wrong block
        return tuple(believed)

    def _of(self, root: Node, spots: list[_Spot], size: int) -> Iterator[Belief]:
        found = _windows(root, spots, size)
        for node, shift in self._members.get(root, ()):
            if not node.is_object and not node.is_wild:
                yield Belief(None, (), is_unknown=True)
            elif node.is_object:
                windows = tuple([_shifted(window, shift) for window in found])
                yield Belief(self._named.get(node), windows)


def windows_of(slot: Slot, distance: int, size: int) -> dict[Node, list[Window]]:
    """Where an access may be if its beliefs hold, by object; no windows: any offset that the slot refers to."""
    return {root: _windows(root, spots, size) for root, spots in _spots(find_slot(slot), distance).items()}


def _spots(slot: Slot, distance: int) -> dict[Node, list[_Spot]]:
    """The offsets that accesses at a distance from a pointer may be at."""
    is_sure = not slot.is_doubtful and not slot.is_wild
    targets: dict[Node, list[_Spot]] = {}
    for root, start, is_exact in targets_of(slot):
        found = None if is_exact else root.reach(start, distance)
        offsets, is_certain = ([start + distance], True) if found is None else found
        for offset in offsets:
            at = offset if is_exact else root.canonical(offset)
            targets.setdefault(root, []).append(_Spot(at, is_exact, is_certain and is_sure))
    return targets


def _windows(root: Node, spots: list[_Spot], size: int) -> list[Window]:
    is_exact = len(spots) > 1 or not all(spot.is_sure for spot in spots)
    is_certain = not is_exact and all(spot.is_certain_in(root) for spot in spots)
    return [] if is_certain else [spot.window(root, size, is_exact=is_exact) for spot in spots]


def _shifted(window: Window, shift: int) -> Window:
    """A window in an object whose offsets are less by `shift`."""
    folds = tuple([Array(fold.start - shift, fold.length, fold.stride) for fold in window.folds])
    return Window(folds, window.first - shift, window.last - shift)
