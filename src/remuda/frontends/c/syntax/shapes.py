"""The shapes of objects, as accesses to memory see them: arrays, and scalars at offsets.

struct { int a; struct { char b[2]; } s[3]; }    arrays: 6 bytes from 4 on in steps of 2, 2 bytes from 4 on in steps of 1
                                                 scalars: int at 0, char at 4
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from remuda.frontends.c.syntax.types import (
    ArrayType,
    CType,
    Field,
    IntegerType,
    Machine,
    PointerType,
    RecordType,
    VariableArrayType,
    is_scalar,
    size_of,
)

MANY_RANGES: Final = 64
UNBOUNDED: Final = 1 << 62  # the length in bytes of an array whose end is not known


@final
@dataclass(frozen=True, slots=True)
class Array:
    """`length` bytes from `start` on, which are elements of `stride` bytes each."""

    start: int
    length: int
    stride: int

    @property
    def end(self) -> int:
        return self.start + self.length


@final
@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar at an offset in bytes. `label` is the name of its field or type."""

    offset: int
    type: CType
    label: str


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """The arrays in an object, the outer ones first, and its scalars: those of the first element of each array, and
    of all members of a union."""

    arrays: tuple[Array, ...]
    scalars: tuple[Scalar, ...]


def element_size(type_: CType, machine: Machine) -> int:
    """How far adding 1 moves a pointer to this type, in bytes; a divisor of that if it is computed at run time."""
    while isinstance(type_, VariableArrayType):
        type_ = type_.element
    return size_of(type_, machine) or 1


def array_at(type_: ArrayType | VariableArrayType, offset: int, machine: Machine) -> Array:
    """The array of a type at an offset. (Arrays without elements end records and have any length.)"""
    return Array(offset, size_of(type_, machine) or UNBOUNDED, element_size(type_.element, machine))


def field_offset(field: Field) -> int:
    """The offset in the record of the bytes that an access of a field needs."""
    if field.bits is None or not isinstance(field.type, IntegerType) or _straddles(field):
        return field.offset // 8
    return field.offset // field.type.width * field.type.width // 8


def field_size(field: Field, machine: Machine) -> int:
    """The number of bytes that an access of a scalar field needs. For a bit-field, these are the aligned integer of
    its type, or two of them in a packed record that makes it straddle."""
    if field.bits is not None and _straddles(field):
        return (field.offset + max(field.bits, 1) - 1) // 8 - field.offset // 8 + 1
    return size_of(field.type, machine) or 1


def _straddles(field: Field) -> bool:
    if field.bits is None or not isinstance(field.type, IntegerType):
        return False
    return field.offset % field.type.width + field.bits > field.type.width


def shape_of(type_: CType, machine: Machine) -> Shape:
    arrays: list[Array] = []
    scalars: list[Scalar] = []
    pending: list[tuple[CType, int, str]] = [(type_, 0, "")]
    while pending:
        part, offset, label = pending.pop()
        if is_scalar(part):
            scalars.append(Scalar(offset, part, label))
        elif isinstance(part, ArrayType | VariableArrayType):
            arrays.append(array_at(part, offset, machine))
            pending.append((part.element, offset, label))
        elif isinstance(part, RecordType):
            fields = [field for field in part.fields if field.bits is None or (field.name and not _straddles(field))]
            for field in reversed(fields):
                inner = member_label(part.tag or label, field)
                pending.append((field.type, offset + field_offset(field), inner))
    return Shape(tuple(arrays), tuple(scalars))


def member_label(record: str, field: Field) -> str:
    return ".".join(filter(None, (record, field.name)))


def type_label(type_: CType) -> str:
    """A short name for a type."""
    pointers = 0
    while hasattr(type_, "target"):
        type_ = type_.target
        pointers += 1
    name = type_.tag if isinstance(type_, RecordType) else str(type_) if is_scalar(type_) else "void"
    return "_".join([*(name or "record").split(), *["pointer"] * pointers])


def can_be_split(type_: CType) -> bool:
    """Whether an object of this type can be one variable for each scalar, if its address is never taken."""
    pending = [type_]
    while pending:
        part = pending.pop()
        if isinstance(part, RecordType):
            if not part.is_complete or (part.kind == "union" and len(part.fields) > 1):
                return False
            pending.extend(field.type for field in part.fields)
        elif not is_scalar(part):
            return False
    return True


def count_scalars(type_: CType) -> int:
    """The approximate number of scalars in an object, without listing them."""
    work, count = [(type_, 1)], 0
    while work:
        part, times = work.pop()
        if isinstance(part, ArrayType):
            work.append((part.element, times * (part.length or 0)))
        elif isinstance(part, RecordType):
            work.extend((field.type, times) for field in part.fields)
        else:
            count += times
    return count


def number_ranges(type_: CType, machine: Machine) -> list[tuple[int, int]]:
    """The ranges of bytes of the numbers in an object, in order, without pointers (unless there are too many)."""
    found: list[tuple[int, int]] = []
    work = [(type_, 0)]
    while work and len(work) + len(found) <= MANY_RANGES:
        part, start = work.pop()
        size = size_of(part, machine) or 0
        if not has_pointers(part):
            found.append((start, start + size))
        elif isinstance(part, ArrayType):
            step, count = size_of(part.element, machine) or 0, part.length or 0
            work.extend((part.element, start + index * step) for index in range(min(count, MANY_RANGES + 1)))
        elif isinstance(part, RecordType):
            for field in part.fields:
                if field.bits is None:
                    work.append((field.type, start + field_offset(field)))
                else:
                    found.append(
                        (start + field_offset(field), start + field_offset(field) + field_size(field, machine))
                    )
    if work:
        return [(0, size_of(type_, machine) or 0)]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(each for each in found if each[0] < each[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def has_pointers(type_: CType) -> bool:
    """Whether an object has a pointer in it."""
    work = [type_]
    while work:
        part = work.pop()
        if isinstance(part, PointerType):
            return True
        if isinstance(part, ArrayType | VariableArrayType):
            work.append(part.element)
        elif isinstance(part, RecordType):
            work.extend(field.type for field in part.fields)
    return False
