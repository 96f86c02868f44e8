"""Translates initialisers to instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import ArrayType, RecordType, size_of
from remuda.machine.code import MemoryPlace, RegisterPlace
from remuda.machine.instructions import size_in
from remuda.machine.outcomes import not_modelled

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType, Field, Machine
    from remuda.machine.builder import Builder
    from remuda.machine.code import Registers
    from remuda.machine.expressions import Expressions


@final
class Initializers:
    """The initialisers in one function, or of one static object."""

    def __init__(self, builder: Builder, expressions: Expressions) -> None:
        self._builder = builder
        self._execution = builder.execution
        self._expressions = expressions

    def initialize(self, variable: ast.Variable) -> None:
        """Give an object its initial value."""
        builder, initializer = self._builder, variable.initializer
        place = builder.place(variable, variable.span)
        if initializer is None:
            return
        if isinstance(place, RegisterPlace):
            for part in initializer.parts:
                builder.move(place.slot, self._expressions.full(part.value))
                self._expressions.tell(part.value.span, place, place.slot)
            return
        if initializer.zero_rest:
            self.zero(place)
        if variable.storage is ast.Storage.LOCAL:
            self._forget_rests(place, initializer)
        known: dict[ast.Expression, int] = {}  # values of several parts are computed once
        for part in initializer.parts:
            self._part(place, part, known)

    def _forget_rests(self, place: MemoryPlace, initializer: ast.Initializer) -> None:
        """Leave the bytes behind the initialised member of an automatic union uninitialised, and the padding of
        structs with initialised members: by C, the padding is only zero if all members are implicit."""
        target, slot = self._execution.target, place.slot
        found = [rest for part in initializer.parts for rest in _rests(place.type, part, target)]
        rests = list(dict.fromkeys(found))

        def forget(r: Registers) -> None:
            known = r[slot].object.known
            for start, end in rests:
                known[start:end] = bytes(end - start)

        if rests:
            self._builder.do(forget)

    def zero(self, place: MemoryPlace) -> None:
        slot, memory = place.slot, self._execution.memory

        def clear(r: Registers) -> None:
            object_ = r[slot].object
            memory.touch(object_, 0, object_.size)
            object_.data[:] = bytes(object_.size)

        self._builder.do(clear)

    def _part(self, whole: MemoryPlace, part: ast.Part, known: dict[ast.Expression, int]) -> None:
        place = _part_of(self._builder, whole, part.path, part.value.span)
        value = part.value
        if isinstance(value, ast.StringLiteral):
            self._string(place, value)
            return
        if value not in known:
            known[value] = self._expressions.full(value)
        self._builder.write(place, known[value], value.span)
        self._expressions.tell(value.span, place, known[value])

    def _string(self, place: MemoryPlace, node: ast.StringLiteral) -> None:
        assert isinstance(place.type, ArrayType)
        width = size_in(self._execution, place.type.element, node.span)
        data = b"".join((unit % (1 << width * 8)).to_bytes(width, "little") for unit in node.units)
        size = len(data) if place.type.length is None else place.type.length * width
        data = data[:size].ljust(size, b"\0")
        slot, offset, memory = place.slot, place.offset, self._execution.memory

        def copy(r: Registers) -> None:
            object_, at = r[slot].object, r[slot].offset + offset
            memory.check(r[slot], offset, size, node.span)
            memory.touch(object_, at, size)
            object_.data[at : at + size] = data

        self._builder.do(copy)


def _part_of(builder: Builder, whole: MemoryPlace, path: tuple[Field | int, ...], span: Span) -> MemoryPlace:
    """The part of an object that a path leads to."""
    offset, type_, field = _follow(whole.type, path, builder.execution.target, span)
    if field is not None:
        at = whole.offset + offset + field.offset // 8
        return MemoryPlace(whole.slot, at, field.type, first_bit=field.offset % 8, bits=field.bits)
    return MemoryPlace(whole.slot, whole.offset + offset, type_)


def _follow(
    type_: CType, path: tuple[Field | int, ...], target: Machine, span: Span
) -> tuple[int, CType, Field | None]:
    """The offset and type of a part; for a bit-field, those of its record, and the field."""
    offset = 0
    for step in path:
        if isinstance(step, int):
            assert isinstance(type_, ArrayType)
            type_ = type_.element
            size = size_of(type_, target)
            if size is None:
                raise not_modelled(span, f"an array of {type_}")
            offset += step * size
        elif step.bits is not None:
            return offset, type_, step
        else:
            offset, type_ = offset + step.offset // 8, step.type
    return offset, type_, None


def _rests(type_: CType, part: ast.Part, target: Machine) -> list[tuple[int, int]]:
    """The bytes of unions around a part that are behind the member with the part, and the padding of structs."""
    found = []
    for count, step in enumerate(part.path):
        if isinstance(step, int):
            continue
        offset, whole, _ = _follow(type_, part.path[:count], target, part.value.span)
        if isinstance(whole, RecordType) and whole.kind == "union":
            if step.bits is None:
                found.append((offset + (size_of(step.type, target) or 0), offset + whole.size))
        elif isinstance(whole, RecordType):
            found += [(offset + start, offset + end) for start, end in _padding(whole, target)]
    return found


def _padding(record: RecordType, target: Machine) -> list[tuple[int, int]]:
    """The bytes of a struct that belong to none of its members."""
    found, end = [], 0
    for field in sorted(record.fields, key=lambda each: each.offset):
        start = field.offset // 8
        if start > end:
            found.append((end, start))
        bits = field.bits if field.bits is not None else 8 * (size_of(field.type, target) or record.size - start)
        end = max(end, (field.offset + bits + 7) // 8)
    return [*found, (end, record.size)] if end < record.size else found


def initialized_size(variable: ast.Variable, target: Machine) -> int:
    """The size of an initialised object: a flexible array at its end has the elements of its initialiser."""
    end = 0
    for part in () if variable.initializer is None else variable.initializer.parts:
        offset, type_, field = _follow(variable.type, part.path, target, part.value.span)
        if field is None:
            size = size_of(type_, target)
            end = max(end, offset + (size if size is not None else size_of(part.value.type, target) or 0))
    return end
