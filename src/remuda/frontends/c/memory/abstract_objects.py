"""Abstract objects: the bytes that some objects of a program have in common, and which of them are told apart.

Offsets are taken modulo the size of elements: in an `Array` part modulo its stride, in the whole object modulo its
period, if it has one. What is left are cells: bytes that are accessed as one scalar or, where accesses disagree, as
bytes.

    struct { int n; struct { int x; char *name; } rows[8]; }    on a machine of 64 bits: cells of 4 bytes at 0 and 8,
                                                                one of 8 bytes at 16; offset 24 is the cell at 8
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.syntax.shapes import Array

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remuda.frontends.c.memory.points_to import Slot
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import FloatingType

WHOLE: Final = 1 << 63  # the extent of a pointer that may move through all of an object: longer than any array

United = list[tuple["Slot", "Slot"]]  # pairs of slots that have become one


@final
@dataclass(slots=True, eq=False)
class Cell:
    """Bytes that are accessed together. `slot` says what the value there may point to, `numbers` the same of what is
    accessed as a number: pointers may be kept in integers, but a counter that happens to be confused with a pointer is
    none."""

    start: int
    size: int
    slot: Slot
    numbers: Slot
    floating: FloatingType | None  # what all accesses are of
    label: tuple[int, int, str]  # how it may be called; the least one wins
    is_bytes: bool = False

    def absorb(self, other: Cell) -> None:
        """Be the cell for the accesses of another one, too."""
        self.is_bytes = self.is_bytes or other.is_bytes or self.floating != other.floating
        if self.is_bytes:
            self.floating = None
        self.label = min(self.label, other.label)

    def takes(self, start: int, size: int) -> bool:
        """Whether an access there is one of this cell's."""
        if self.is_bytes:
            return self.start <= start and start + size <= self.start + self.size
        return self.start == start and self.size == size


@final
class Node:
    """An abstract object. Once it is united with another one, `parent` is that one, whose offsets are greater by
    `shift`.

    What is known of offsets only grows: `whole_period`, `folds`, `declared`. The others follow from it (`arrange`).
    """

    __slots__ = (
        "_starts",
        "arrays",
        "calls",
        "cells",
        "declared",
        "folds",
        "functions",
        "in_memory",
        "index",
        "is_object",
        "parent",
        "period",
        "shift",
        "whole_period",
    )

    def __init__(self, index: int, *, is_object: bool, in_memory: bool) -> None:
        self.index = index
        self.is_object = is_object  # offset 0 is where an object of the program begins
        self.in_memory = in_memory
        self.parent: Node | None = None
        self.shift = 0
        self.functions: list[ast.Function] = []
        self.calls: list[ast.Call] = []  # through pointers to here
        self.whole_period = 0  # the offsets o and o + period are the same, if it is not 0
        self.declared: dict[Array, None] = {}
        self.folds: dict[tuple[int, int], int] = {}  # (offset, extent): stride of pointers that move from there
        self.period = 0
        self.arrays: list[Array] = []  # nested or disjoint; longer ones first
        self.cells: dict[int, Cell] = {}
        self._starts: list[int] = []

    # --- offsets

    def canonical(self, offset: int) -> int:
        """The least of the offsets that are the same as this one."""
        if self.period:
            offset %= self.period
        for array in self.arrays:
            if array.start <= offset < array.start + array.length:
                offset = array.start + (offset - array.start) % array.stride
        return offset

    def _around(self, offset: int) -> list[Array]:
        """The arrays around an offset, from the outside in."""
        found = []
        if self.period:
            offset %= self.period
        for array in self.arrays:
            if array.start <= offset < array.start + array.length:
                offset = array.start + (offset - array.start) % array.stride
                found.append(array)
        return found

    def _room(self, start: int) -> tuple[int, int]:
        """After which step the bytes around a canonical offset are the same again, and where they end. (0: never.)"""
        around = self._around(start)
        if around:
            return around[-1].stride, around[-1].start + around[-1].stride
        return self.period, self.period

    # --- cells

    def ordered_cells(self) -> list[Cell]:
        return [self.cells[start] for start in self._starts]

    def cell_at(self, offset: int, size: int) -> Cell | None:
        """The cell that an access belongs to, if there was one like it."""
        start = self.canonical(offset)
        cell = self.cells.get(start)
        if cell is not None and cell.size == size:
            return cell
        if size > 1 and self._room(start)[0] == 1:
            return cell if cell is not None and cell.is_bytes else None
        found = self._overlapping(start, size)
        return found[0] if len(found) == 1 and found[0].takes(start, size) else None

    def cell_around(self, start: int) -> Cell | None:
        """The cell that a byte at a canonical offset belongs to."""
        found = self._overlapping(start, 1)
        return found[0] if found else None

    @property
    def end(self) -> int:
        """Behind everything that is known to be there."""
        ends = [array.start + array.length for array in self.arrays]
        return max([*ends, *(cell.start + cell.size for cell in self.cells.values())], default=0)

    def strides(self, offset: int) -> list[int]:
        """After which steps the bytes around an offset are the same again."""
        strides = [array.stride for array in self._around(offset)]
        return [*strides, self.period] if self.period else strides

    def is_free(self, offset: int, size: int) -> bool:
        """Whether a cell can be added here without changing what there is."""
        start = self.canonical(offset)
        is_mixed = size > 1 and self._room(start)[0] == 1
        return self._fits(start, size) and not self._overlapping(start, size) and not is_mixed

    def _overlapping(self, start: int, size: int) -> list[Cell]:
        starts = self._starts
        first = bisect_right(starts, start) - 1
        if first >= 0 and starts[first] + self.cells[starts[first]].size <= start:
            first += 1
        return [self.cells[at] for at in starts[max(first, 0) : bisect_left(starts, start + size)]]

    def add_cell(self, cell: Cell) -> United:
        """Put a cell where its start says."""
        if self._fits(self.canonical(cell.start), cell.size):
            return self._insert(cell)
        return self.arrange([cell])

    def _fits(self, start: int, size: int) -> bool:
        """Whether a cell at a canonical offset lies in one element and touches no array that begins after it."""
        step, end = self._room(start)
        if step == 1:
            return True
        if step and start + size > end:
            return False
        return not any(start < array.start < start + size for array in self.arrays)

    def _make_room(self, start: int, size: int) -> None:
        """Make bytes of what a cell does not fit into."""
        step, end = self._room(start)
        if step and start + size > end:
            around = self._around(start)
            if not around:
                self.whole_period = 1
                return
            first, last = around[-1].start, around[-1].end
        else:
            first, last = start, max(array.end for array in self.arrays if start < array.start < start + size)
        self.declared[Array(first, max(last, start + size) - first, 1)] = None

    def _insert(self, cell: Cell) -> United:
        start = self.canonical(cell.start)
        cell.start = start
        if cell.size > 1 and self._room(start)[0] == 1:
            cell.size, cell.is_bytes, cell.floating = 1, True, None
        found = self._overlapping(start, cell.size)
        if len(found) == 1 and (found[0].takes(start, cell.size) or cell.takes(found[0].start, found[0].size)):
            present = found[0]
            if present.size >= cell.size:
                present.absorb(cell)
                return [(present.slot, cell.slot), (present.numbers, cell.numbers)]
        for other in found:
            del self.cells[other.start]
            self._starts.remove(other.start)
            cell.absorb(other)
        if found:
            end = max(start + cell.size, found[-1].start + found[-1].size)
            cell.start = min(start, found[0].start)
            cell.size, cell.is_bytes, cell.floating = end - cell.start, True, None
        self.cells[cell.start] = cell
        insort(self._starts, cell.start)
        slots = [(cell.slot, other.slot) for other in found]
        return slots + [(cell.numbers, other.numbers) for other in found]

    # --- structure

    def add_array(self, array: Array) -> United:
        """An array lies here."""
        start = self.canonical(array.start)
        for other in self.arrays:
            if other.start == start and other.length >= array.length and array.stride % other.stride == 0:
                return []
        self.declared[array] = None
        return self.arrange()

    def fold(self, offset: int, stride: int, extent: int) -> United:
        """A pointer moves from an offset in steps of `stride`, and through no more than `extent` bytes: the array that
        it comes from, or everything."""
        key = (self.canonical(offset), extent)
        known = self.folds.get(key, 0)
        stride = gcd(known, stride)
        taker = self.taker(*key, stride)
        if stride == known or (taker is not None and stride % taker.stride == 0):
            return []
        self.folds[key] = stride
        return self.arrange()

    def taker(self, offset: int, extent: int, stride: int) -> Array | None:
        """The innermost array that is large enough for a pointer to move in."""
        for array in reversed(self._around(offset)):
            if array.length >= max(extent, stride):
                return array
        return None

    def join_offsets(self, one: int, other: int, extent: int) -> United:
        """A pointer may point to either of two offsets: no longer tell them apart."""
        united = self.fold(one, abs(one - other), extent)
        while True:
            first, second = self.canonical(one), self.canonical(other)
            if first == second:
                return united
            common = [array for array in self._around(first) if array in self._around(second)]
            if common:
                stride = gcd(common[-1].stride, first - second)
                self.declared[Array(common[-1].start, common[-1].length, stride)] = None
            else:
                self.whole_period = gcd(self.whole_period, first - second)
            united += self.arrange()

    def take_in(self, other: Node, shift: int) -> United:
        """Be the object that another one is, too; its offsets become greater by `shift`."""
        self.in_memory = self.in_memory or other.in_memory
        self.is_object = self.is_object or other.is_object
        has_structure = bool(other.declared or other.folds or other.whole_period or self.folds)
        self.whole_period = gcd(self.whole_period, other.whole_period)
        for array in other.declared:
            self.declared[Array(array.start + shift, array.length, array.stride)] = None
        for (offset, extent), stride in other.folds.items():
            key = (offset + shift, extent)
            self.folds[key] = gcd(self.folds.get(key, 0), stride)
        cells = other.ordered_cells()
        for cell in cells:
            cell.start += shift
        other.cells, other.arrays, other.declared, other.folds = {}, [], {}, {}
        if has_structure:
            return self.arrange(cells)
        return [pair for cell in cells for pair in self.add_cell(cell)]

    def arrange(self, more: Iterable[Cell] = ()) -> United:
        """Find the places of all cells, and of more, after arrays, folds or the period changed."""
        cells = [*self.ordered_cells(), *more]
        while True:
            self._arrange_arrays()
            misfit = next((cell for cell in cells if not self._fits(self.canonical(cell.start), cell.size)), None)
            if misfit is None:
                break
            self._make_room(self.canonical(misfit.start), misfit.size)
        self.cells, self._starts = {}, []
        return [pair for cell in cells for pair in self._insert(cell)]

    def _arrange_arrays(self) -> None:
        """Move what folds ask for into the arrays that can take it; the rest goes to the period."""
        arrays = list(self.declared)
        self.period = self.whole_period
        may_return = is_stable = False  # a fold that has no array may find one later: then the period is longer again
        while not is_stable:
            arrays = self._nest(arrays)
            is_stable = True
            for (offset, extent), stride in self.folds.items():
                taker = self.taker(offset, extent, stride)
                if taker is None:
                    may_return = may_return or extent < WHOLE
                    period = gcd(self.period, stride)
                    is_stable = is_stable and period == self.period
                    self.period = period
                elif stride % taker.stride:
                    arrays.append(Array(taker.start, taker.length, gcd(taker.stride, stride)))
                    is_stable = False
        if not may_return:
            self.whole_period = self.period
            self.declared = dict.fromkeys(self.arrays)

    def _nest(self, arrays: list[Array]) -> list[Array]:
        """Make arrays nested or disjoint, by uniting those that are neither."""
        while True:
            arrays.sort(key=lambda array: (-array.length, array.start, array.stride))
            clash = self._place_arrays(arrays)
            if clash is None:
                return arrays
            arrays = clash

    def _place_arrays(self, arrays: list[Array]) -> list[Array] | None:
        """Set `self.arrays`; if that is not possible, returns the arrays to try with instead."""
        placed: list[Array] = []
        self.arrays = placed
        for position, array in enumerate(arrays):
            start = self.canonical(array.start)
            end = start + array.length
            if self.period and end > self.period:
                self.period = gcd(self.period, array.stride)
                return [*placed, *arrays[position + 1 :]]
            for other in placed:
                inside = other.start <= start and end <= other.start + other.stride
                if not inside and start < other.end and other.start < end:
                    first = min(start, other.start)
                    stride = gcd(array.stride, other.stride, start - other.start)
                    hull = Array(first, max(end, other.end) - first, stride)
                    rest = [each for each in placed if each is not other]
                    return [*rest, hull, *arrays[position + 1 :]]
            placed.append(Array(start, array.length, array.stride))
        return None
