"""Bytes from outside that a call writes (`__VERIFIER_nondet_memory`, `fgets`), in a trace and on the machine for C.

A trace has cells of memory, each with its offset in the range that the call writes, or whole maps of cells by address. The
machine has one number for all bytes of a call, the first byte lowest.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.frontends.c.reproduce import BYTES, LEAF
from remuda.ir.program import Havoc, attribute
from remuda.replay.retell import INPUT
from remuda.terms.values import FloatValue, MapValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from remuda.replay.steps import Step
    from remuda.terms.values import Value

Cell = tuple[int, int]  # its width in bits, and its contents


@final
@dataclass(slots=True)
class Written:
    """The bytes that one call writes: cells by offset, and maps by the names of their variables, with the address of
    the first byte and the width of their cells."""

    cells: dict[int, Cell] = field(default_factory=dict)
    maps: dict[str, tuple[int, int, MapValue]] = field(default_factory=dict)

    @property
    def is_certain(self) -> bool:
        """Whether it is known which map a byte is in."""
        return len(self.maps) <= 1

    def number(self, size: int) -> int:
        """The first bytes as a number. Bytes that the trace does not have are zero: nothing reads them."""
        made = bytearray(size)
        for start, width, map_ in self.maps.values():
            step = width // 8
            for at in range(0, size, step):
                _put(made, at, (width, _bits(map_.default)))
            for index, value in map_.entries.items():
                if isinstance(index[0], int) and 0 <= index[0] - start < size:
                    _put(made, index[0] - start, (width, _bits(value)))
        for at, cell in self.cells.items():
            _put(made, at, cell)
        return int.from_bytes(made, "little")


@final
class TraceBytes:
    """The bytes of all calls of a trace, by thread and by the name of the call."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._calls: dict[tuple[int, str], deque[Written]] = {}
        for step in steps:
            self._read(step)

    def next(self, thread: int, key: str) -> Written | None:
        """The bytes that the next call with a name writes."""
        calls = self._calls.get((thread, key))
        return calls.popleft() if calls else None

    def _read(self, step: Step) -> None:
        if not isinstance(step.statement, Havoc) or not step.sets:
            return
        value, marked = step.sets[0].value, attribute(step.statement.attributes, INPUT)
        if marked is not None and is_bytes(str(marked.arguments[2])):
            key, offset, width = parts(str(marked.arguments[2]))
            written = self._call(step.thread, key, lambda each: offset in each.cells)
            written.cells[offset] = width, _bits(value)
        elif step.printed and is_bytes(str(step.printed[0])) and isinstance(value, MapValue):
            key, _, width = parts(str(step.printed[0]))
            name, start = step.sets[0].variable.name, step.printed[1]
            written = self._call(step.thread, key, lambda each: name in each.maps)
            if isinstance(start, int):
                written.maps[name] = start, width, value

    def _call(self, thread: int, key: str, has: Callable[[Written], bool]) -> Written:
        """The call that a part belongs to: the last one, or a new one if that has the part."""
        calls = self._calls.setdefault((thread, key), deque())
        if not calls or has(calls[-1]):
            calls.append(Written())
        return calls[-1]


def is_bytes(supply: str) -> bool:
    return supply.startswith(f"{BYTES} ")


def parts(supply: str) -> tuple[str, int, int]:
    """The name of a call, and the offset and width of a cell; the offset of a map is zero."""
    key, _, leaf = supply.partition(LEAF)
    offset, _, width = leaf.partition(":")
    return key, int(offset or "0"), int(width)


def _put(data: bytearray, at: int, cell: Cell) -> None:
    width, bits = cell
    size = width // 8
    room = min(size, len(data) - at)
    if room > 0:
        data[at : at + room] = (bits % (1 << width)).to_bytes(size, "little")[:room]


def _bits(value: Value) -> int:
    if isinstance(value, FloatValue):
        return value.bits
    assert isinstance(value, int)
    return int(value)
