"""The events of an execution: its assignments, the arguments of calls, and the values that conditions read.

An execution has a story only on demand: then its instructions include some that record events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.syntax.types import PointerType, is_scalar, size_of
from remuda.machine.arithmetic import is_extended
from remuda.machine.extended import WRITTEN, from_bytes
from remuda.machine.memory import Blob, Pointer, packing
from remuda.machine.wording import Wording

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.layouts import Layouts
    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.code import MemoryPlace
    from remuda.machine.memory import Memory, Scalar, Value

ASSIGN: Final = "assign"
CALL: Final = "call"
TEST: Final = "test"
MOST_EVENTS: Final = 200_000
MOST_RECORD: Final = 256  # bytes of a record that is shown field by field

Read = tuple[str, "CType", "Value | None", "Pointer | None", "MemoryPlace | None"]


@final
@dataclass(frozen=True, slots=True)
class Event:
    """An event. An assignment has a value without a name, or several values that are named by their paths in the
    assigned record (`.next`); `place` is the target. A call has the values of the parameters. A test has the values
    that its condition reads: of variables, and of parts of objects with the name of the object (`a[3]`)."""

    kind: str
    span: Span
    values: tuple[tuple[str, str], ...]
    place: str = ""


@final
class Story:
    """The events of one execution. If there are too many, it is not `is_complete`."""

    def __init__(self, memory: Memory, layouts: Layouts) -> None:
        self._memory = memory
        self._layouts = layouts
        self._wording = Wording(memory.target)
        self.events: list[Event] = []
        self.is_complete = True

    def restart(self) -> None:
        self.events.clear()
        self.is_complete = True
        self._wording.restart()

    def assigned(
        self, span: Span, type_: CType, value: Value, place: MemoryPlace | None, base: Pointer | None
    ) -> None:
        """Add an assignment of a value: to a variable without an address, or to a place in memory."""
        values = (
            self._fields(value, type_, span)
            if isinstance(value, Blob)
            else (("", self._wording.value(value, type_)),)
        )
        where = "" if place is None or base is None else self._place(place, base)
        self._add(Event(ASSIGN, span, values, where))

    def called(self, span: Span, parameters: Sequence[ast.Variable], values: Iterable[Value]) -> None:
        told = [
            (parameter.name, self._wording.value(value, parameter.type))
            for parameter, value in zip(parameters, values, strict=True)
            if not isinstance(value, Blob)
        ]
        self._add(Event(CALL, span, tuple(told)))

    def tested(self, span: Span, reads: Iterable[Read]) -> None:
        """Add the evaluation of a condition, without reads of the same place with different values."""
        found: dict[str, str] = {}
        changing: set[str] = set()
        for name, type_, value, base, place in reads:
            if value is None or isinstance(value, Blob):
                continue
            told = name if place is None or base is None else self._place(place, base)
            text = self._wording.value(value, type_)
            if found.setdefault(told, text) != text:
                changing.add(told)
        self._add(Event(TEST, span, tuple([pair for pair in found.items() if pair[0] and pair[0] not in changing])))

    def _place(self, place: MemoryPlace, base: Pointer) -> str:
        first_bit = place.first_bit if place.bits is not None else None
        return self._wording.place(base, place.offset, place.type, first_bit)

    def _fields(self, record: Blob, type_: CType, span: Span) -> tuple[tuple[str, str], ...]:
        size = size_of(type_, self._memory.target)
        if size is None or size > MOST_RECORD or self._layouts.has_union(type_):
            return ()
        found = []
        for leaf in self._layouts.leaves(type_, span):
            value = self._leaf(record, leaf.offset, leaf.type) if leaf.bits is None else None
            if value is not None:
                found.append((leaf.name, self._wording.value(value, leaf.type)))
        return tuple(found)

    def _leaf(self, record: Blob, offset: int, type_: CType) -> Scalar | None:
        size = WRITTEN if is_extended(type_) else size_of(type_, self._memory.target)
        if (
            size is None
            or not is_scalar(type_)
            or (record.known is not None and 0 in record.known[offset : offset + size])
        ):
            return None
        if isinstance(type_, PointerType):
            address = int.from_bytes(record.data[offset : offset + size], "little")
            return record.pointers.get(offset) or self._memory.at_address(address)
        if is_extended(type_):
            return from_bytes(record.data[offset : offset + size])
        packed = packing(type_)
        return None if packed is None else packed[0](record.data, offset)[0]

    def _add(self, event: Event) -> None:
        if len(self.events) < MOST_EVENTS:
            self.events.append(event)
        else:
            self.is_complete = False
