"""Abstract objects: which offsets in an object of the program the analysis distinguishes.

Offsets are taken modulo the size of elements: in an `Array` part modulo its stride, in the whole object modulo its
period, if it has one. An offset stands for all offsets that are equal to it in this way, its *class*. An object
consists of cells: bytes that are accessed as one scalar or, where accesses disagree, as single bytes.

    struct { int n; struct { int x; char *name; } rows[8]; }    on a machine of 64 bits: cells of 4 bytes at 0 and 8,
                                                                one of 8 bytes at 16; offset 24 is the cell at 8
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.syntax.shapes import UNBOUNDED, Array

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remuda.frontends.c.memory.slots import Slot
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import FloatingType

WHOLE: Final = 1 << 63  # the extent of a pointer that may move through a whole object: longer than any array

MOST_LEFT: Final = 64  # offsets outside of an array that are distinguished

United = list[tuple["Slot", "Slot"]]  # pairs of slots that have become one


@final
@dataclass(slots=True, eq=False)
class Cell:
    """Bytes that are accessed together. `slot` says what the value there may point to. `numbers` says it for accesses
    as a number: integers may contain pointers, but a counter that shares a cell with a pointer does not."""

    start: int
    size: int
    slot: Slot
    numbers: Slot
    floating: FloatingType | None  # the type of all accesses, if it is a floating one
    label: tuple[int, int, str]  # a name for it; the least one wins
    is_bytes: bool = False

    def absorb(self, other: Cell) -> None:
        """Take over the accesses of another cell."""
        self.is_bytes = self.is_bytes or other.is_bytes or self.floating != other.floating
        if self.is_bytes:
            self.floating = None
        self.label = min(self.label, other.label)

    def takes(self, start: int, size: int) -> bool:
        """Whether an access belongs to this cell."""
        if self.is_bytes:
            return self.start <= start and start + size <= self.start + self.size
        return self.start == start and self.size == size


@final
class Node:
    """An abstract object. Once it is united with another one, `parent` is that one, whose offsets are greater by
    `shift`.

    The knowledge about offsets only grows: `whole_period`, `folds`, `declared`. The others follow from it
    (`arrange`).
    """

    __slots__ = (
        "_starts",
        "arrays",
        "calls",
        "cells",
        "declared",
        "folds",
        "functions",
        "high",
        "in_memory",
        "index",
        "is_object",
        "is_wild",
        "low",
        "parent",
        "period",
        "shift",
        "whole_period",
    )

    def __init__(self, index: int, *, is_object: bool, in_memory: bool, size: int | None = None) -> None:
        self.index = index
        self.low = 0  # a lower bound of where the objects begin that this one stands for
        self.high = size  # an upper bound of where they end; None if that is not known
        self.is_object = is_object  # offset 0 is where an object of the program begins
        self.is_wild = False  # only unknown integers lead here, no pointer
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
        """The least offset in the class of an offset."""
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
        """The step after which the bytes around a canonical offset repeat (0: never), and where they end."""
        around = self._around(start)
        if around:
            return around[-1].stride, around[-1].start + around[-1].stride
        return self.period, self.period

    def is_whole(self, offset: int) -> bool:
        """Whether the innermost array around an offset is the whole object: a pointer cannot leave it without leaving
        the object."""
        around = self._around(offset)
        for position in range(len(around) - 1, 0, -1):
            array, outer = around[position], around[position - 1]
            if array.start != outer.start or array.length < outer.stride:
                return False
        if not around:
            return True
        if self.period:
            return around[0].start == 0 and around[0].length >= self.period
        is_open = around[0].length >= UNBOUNDED
        return around[0].start <= self.low and (is_open or (self.high is not None and around[0].end >= self.high))

    def window(self, offset: int, size: int, *, is_exact: bool) -> tuple[list[Array], int, int]:
        """The offsets that an offset stands for: the folds around them from the outside in, and the range of
        remainders at which an access of `size` bytes may begin. If its position in an element is certain, the window
        only says that it lies in the arrays. (The ends of a fold of length WHOLE need not be checked.)"""
        start = self.canonical(offset)
        folds = [Array(0, WHOLE, self.period)] if self.period else []
        room = (0, self.period) if self.period else None
        for array in self._around(start):
            is_full = room is not None and array.start == room[0] and array.length >= room[1]
            folds.append(Array(array.start, WHOLE if is_full else array.length, array.stride))
            room = (array.start, array.stride)
        cell = self.cell_at(start, size)
        is_in_bytes = bool(folds) and folds[-1].stride == 1  # all offsets in them are equal
        if is_exact and not is_in_bytes:
            return (folds, start, start) if cell is None else (folds, cell.start, cell.start + cell.size - size)
        while folds and folds[-1].length >= WHOLE:
            folds.pop()
        if not folds:
            return [], 0, WHOLE
        last = folds.pop()
        return folds, last.start, last.end - size

    def reach(self, offset: int, added: int) -> tuple[list[int], bool] | None:
        """The offsets after adding a constant to all offsets that an offset stands for; and whether they are certain.

        They are not certain if a pointer may have left an array before: only offsets in the array count. None if they
        are too many to list."""
        around = self._around(offset)
        start = self.canonical(offset)
        if not around or added == 0:
            return [start + added], True
        inner = around[-1]
        if inner.start <= start + added < inner.start + inner.stride:  # in the same element
            return [start + added], True
        inside = inner.start + (start + added - inner.start) % inner.stride
        if self.is_whole(offset):
            return [inside], True
        if added % inner.stride == 0:
            if abs(added) < inner.length:
                return [inside], True
            # No two elements are so far apart. The constant leads to a part of the record that begins with the array.
            return [start + added], False
        outside = self._leave(around, start + added)
        return None if outside is None else (list(dict.fromkeys([inside, *outside])), False)

    def _leave(self, around: list[Array], position: int) -> list[int] | None:
        """The offsets outside of the innermost array that pointers to its elements reach, if the pointer to the first
        element reaches `position`."""
        found: dict[int, None] = {}
        pending = [(position, len(around) - 1)]
        while pending:
            place, level = pending.pop()
            array = around[level]
            count = array.length // array.stride
            first = min(max(0, -(-(array.start - place) // array.stride)), count)  # the first element that stays
            last = (
                count
                if array.length >= UNBOUNDED
                else min(max(first, -(-(array.end - place) // array.stride)), count)
            )
            if first + count - last > MOST_LEFT:
                return None
            if first < last and level < len(around) - 1:
                found[array.start + (place - array.start) % array.stride] = None
            for step in (*range(first), *range(last, count)):
                there = place + step * array.stride
                if level > 0:
                    outer = around[level - 1]
                    if outer.start <= there < outer.start + outer.stride:
                        found[there] = None
                    else:
                        pending.append((there, level - 1))
                elif self.period or self.low <= there <= (WHOLE if self.high is None else self.high):
                    found[there] = None
        return list(found)

    # --- cells

    def ordered_cells(self) -> list[Cell]:
        return [self.cells[start] for start in self._starts]

    def cell_at(self, offset: int, size: int) -> Cell | None:
        """The cell that an access belongs to, if there is one."""
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

    def overlapping(self, offset: int, size: int) -> list[Cell]:
        """The cells that overlap these bytes, or bytes in the same class."""
        if size > 1 and self._room(self.canonical(offset))[0] == 1:
            size = 1  # in an array of bytes, one byte stands for all
        return self._overlapping(self.canonical(offset), size)

    @property
    def end(self) -> int:
        """The end of all known parts of the object."""
        ends = [array.start + array.length for array in self.arrays]
        return max([*ends, *(cell.start + cell.size for cell in self.cells.values())], default=0)

    def strides(self, offset: int) -> list[int]:
        """The steps after which the bytes around an offset repeat."""
        strides = [array.stride for array in self._around(offset)]
        return [*strides, self.period] if self.period else strides

    def is_free(self, offset: int, size: int) -> bool:
        """Whether a cell can be added here without changing others."""
        start = self.canonical(offset)
        is_mixed = size > 1 and self._room(start)[0] == 1
        return self._fits(offset, size) and not self._overlapping(start, size) and not is_mixed

    def _overlapping(self, start: int, size: int) -> list[Cell]:
        starts = self._starts
        first = bisect_right(starts, start) - 1
        if first >= 0 and starts[first] + self.cells[starts[first]].size <= start:
            first += 1
        return [self.cells[at] for at in starts[max(first, 0) : bisect_left(starts, start + size)]]

    def add_cell(self, cell: Cell) -> United:
        """Add a cell at its start."""
        if self._fits(cell.start, cell.size):
            return self._insert(cell)
        return self.arrange([cell])

    def _position(self, offset: int) -> int:
        """An offset in the innermost array around it, in the first element of every array further out."""
        if self.period:
            offset %= self.period
        for array in self._around(offset)[:-1]:
            offset = array.start + (offset - array.start) % array.stride
        return offset

    def _fits(self, offset: int, size: int) -> bool:
        """Whether a cell lies in one element, or in an array of bytes, and touches no array that begins after it."""
        start = self.canonical(offset)
        step, end = self._room(start)
        if step == 1:
            around = self._around(start)
            return not around or self._position(offset) + size <= around[-1].end
        if step and start + size > end:
            return False
        return not any(start < array.start < start + size for array in self.arrays)

    def _make_room(self, offset: int, size: int) -> None:
        """Split the cells that a new cell does not fit into bytes."""
        start = self.canonical(offset)
        step, end = self._room(start)
        if step and (step == 1 or start + size > end):
            around = self._around(start)
            if not around:
                self.whole_period = 1
                return
            first, last = around[-1].start, max(around[-1].end, self._position(offset) + size)
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
        start = array.start % self.period if self.period else array.start
        for other in self.arrays:
            if other.start <= start and start + array.length <= other.end:
                if array.stride % other.stride == 0 and (start - other.start) % other.stride == 0:
                    return []
                start = other.start + (start - other.start) % other.stride
        self.declared[array] = None
        return self.arrange()

    def fold(self, offset: int, stride: int, extent: int) -> United:
        """Note that a pointer moves from an offset in steps of `stride`, through at most `extent` bytes: the array
        that it comes from, or the whole object."""
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
        """Stop distinguishing two offsets, because a pointer may point to either."""
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
        """Unite with another object, whose offsets become greater by `shift`."""
        self.in_memory = self.in_memory or other.in_memory
        self.is_object = self.is_object or other.is_object
        self.low = min(self.low, other.low + shift)
        self.high = None if self.high is None or other.high is None else max(self.high, other.high + shift)
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
        """Place all cells again, and some new ones, after arrays, folds or the period have changed."""
        cells = [*self.ordered_cells(), *more]
        while True:
            self._arrange_arrays()
            misfit = next((cell for cell in cells if not self._fits(cell.start, cell.size)), None)
            if misfit is None:
                break
            self._make_room(misfit.start, misfit.size)
        self.cells, self._starts = {}, []
        return [pair for cell in cells for pair in self._insert(cell)]

    def _arrange_arrays(self) -> None:
        """Move folds into the arrays that are large enough; the other folds change the period."""
        arrays = list(self.declared)
        self.period = self.whole_period
        may_return = is_stable = False  # a fold without an array may find one later: then the period is longer again
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
        """Make all arrays nested or disjoint, by uniting those that overlap otherwise."""
        while True:
            arrays.sort(key=lambda array: (-array.length, array.start, array.stride))
            clash = self._place_arrays(arrays)
            if clash is None:
                return arrays
            arrays = clash

    def _place_arrays(self, arrays: list[Array]) -> list[Array] | None:
        """Set `self.arrays`. If that is not possible, return the arrays to try instead."""
        placed: list[Array] = []
        self.arrays = placed
        for position, array in enumerate(arrays):
            if self.period == 1:  # bytes have no structure
                break
            start = array.start % self.period if self.period else array.start
            if self.period and start + array.length > self.period:
                self.period = gcd(self.period, array.stride)
                return [*placed, *arrays[position + 1 :]]
            for other in placed:
                end = start + array.length
                first = other.start + (start - other.start) % other.stride  # in the first element
                is_around = other.start <= start and end <= other.end
                if is_around and other.stride == 1:  # nor has an array of them
                    break
                if is_around and first + array.length <= other.start + other.stride:
                    start = first
                elif start < other.end and other.start < end:
                    first = min(start, other.start)
                    stride = gcd(array.stride, other.stride, start - other.start)
                    hull = Array(first, max(end, other.end) - first, stride)
                    rest = [each for each in placed if each is not other]
                    return [*rest, hull, *arrays[position + 1 :]]
            else:
                placed.append(Array(start, array.length, array.stride))
        return None
