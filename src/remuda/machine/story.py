"""The events of an execution: its assignments, the arguments of calls, and the values that conditions read.

An execution has a story only on demand: then its instructions include some that record events.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

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
At = tuple[str, int]  # a function, and how many calls it is inside of
Make = Callable[..., "Event"]


@final
@dataclass(frozen=True, slots=True)
class Kept:
    """How many of the events a story keeps, of the first and of the last ones. None of the last ones happens within the
    first `quiet` steps of the execution, so that events there need only be counted."""

    first: int = MOST_EVENTS
    last: int = 0
    quiet: int = 0


@final
@dataclass(frozen=True, slots=True)
class Event:
    """An assignment has a value without a name, or several that are named by the way to them from the record that is
    assigned (`.next`); `place` is what it is assigned to. A call has the parameters. A test has what its condition reads:
    variables, and parts of objects by the name of the object (`a[3]`).
    `variable` is what is assigned to, if nothing points to it; `is_branch` says of a test that the program branches on
    it, and does not assert or assume it. `function` is where it happens, inside of `depth` calls."""

    kind: str
    span: Span
    values: tuple[tuple[str, str], ...]
    place: str = ""
    variable: str = ""
    is_branch: bool = False
    function: str = ""
    depth: int = 0


@final
class Story:
    """The events of one execution: the first ones in `events`, and the last of those that are too many in `last_events`.
    Only what is kept is put into words. `at` says where the execution is."""

    def __init__(self, memory: Memory, layouts: Layouts, at: Callable[[], At], kept: Kept) -> None:
        self._memory = memory
        self._layouts = layouts
        self._at = at
        self._kept = kept
        self._wording = Wording(memory.target)
        self.events: list[Event] = []
        self._last: deque[tuple[Make, At, tuple[Any, ...]]] = deque(maxlen=kept.last)
        self._beyond = 0  # events after the first ones
        self._is_early = True
        self.is_quiet = False  # events are only counted at the moment

    def restart(self) -> None:
        self.events.clear()
        self._last.clear()
        self._beyond = 0
        self._is_early, self.is_quiet = True, False
        self._wording.restart()

    @property
    def is_complete(self) -> bool:
        """Whether `events` are all of them."""
        return self._beyond == 0

    @property
    def left_out(self) -> int:
        """How many events are between the first and the last ones."""
        return self._beyond - len(self._last)

    def count(self) -> None:
        """Something happens while the story is quiet."""
        self._beyond += 1

    def end_quiet(self) -> None:
        """The first steps are over."""
        self._is_early = self.is_quiet = False

    def last_events(self) -> list[Event]:
        return [make(at, *arguments) for make, at, arguments in self._last]

    # --- what happens

    def assigned(
        self,
        span: Span,
        type_: CType,
        value: Value,
        place: MemoryPlace | None,
        base: Pointer | None,
        variable: str = "",
    ) -> None:
        """A value was assigned; to a place behind a pointer, if the target is not a variable that nothing points to."""
        self._note(self._assignment, (span, type_, value, place, base, variable))

    def called(self, span: Span, parameters: Sequence[ast.Variable], values: Sequence[Value]) -> None:
        self._note(self._call, (span, parameters, values))

    def tested(self, span: Span, reads: Sequence[Read], *, is_branch: bool) -> None:
        """A condition was evaluated. What was read twice with different values is not told."""
        self._note(self._test, (span, reads, is_branch))

    def _note(self, make: Make, arguments: tuple[Any, ...]) -> None:
        if self.is_quiet:
            self.count()
        elif len(self.events) < self._kept.first:
            self.events.append(make(self._at(), *arguments))
        else:
            self._beyond += 1
            self._last.append((make, self._at(), arguments))
            self.is_quiet = self._is_early

    # --- in words

    def _assignment(
        self,
        at: At,
        span: Span,
        type_: CType,
        value: Value,
        place: MemoryPlace | None,
        base: Pointer | None,
        variable: str,
    ) -> Event:
        values = (
            self._fields(value, type_, span)
            if isinstance(value, Blob)
            else (("", self._wording.value(value, type_)),)
        )
        where = "" if place is None or base is None else self._place(place, base)
        return Event(ASSIGN, span, values, where, variable, False, *at)

    def _call(self, at: At, span: Span, parameters: Sequence[ast.Variable], values: Iterable[Value]) -> Event:
        told = [
            (parameter.name, self._wording.value(value, parameter.type))
            for parameter, value in zip(parameters, values, strict=True)
            if not isinstance(value, Blob)
        ]
        return Event(CALL, span, tuple(told), "", "", False, *at)

    def _test(self, at: At, span: Span, reads: Iterable[Read], is_branch: bool) -> Event:  # noqa: FBT001
        found: dict[str, str] = {}
        changing: set[str] = set()
        for name, type_, value, base, place in reads:
            if value is None or isinstance(value, Blob):
                continue
            told = name if place is None or base is None else self._place(place, base)
            text = self._wording.value(value, type_)
            if found.setdefault(told, text) != text:
                changing.add(told)
        values = tuple([pair for pair in found.items() if pair[0] and pair[0] not in changing])
        return Event(TEST, span, values, "", "", is_branch, *at)

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
