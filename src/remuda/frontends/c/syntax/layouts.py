"""Types as lists of scalars: the parts of structs, unions and arrays.

struct { int a; struct { char b[2]; } s; unsigned f : 3; }    a: int at 0, s.b[0]: char at 4, s.b[1]: char at 5,
                                                               f: bits 0 to 3 of the unsigned int at 8
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from remuda.base.errors import InternalError, Unsupported
from remuda.frontends.c.syntax.types import ArrayType, Field, IntegerType, RecordType, is_scalar, size_of

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType, Machine

LARGEST = 4096  # scalars in an object that is copied by value


@final
@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar in an object. A bit-field has the `bits` it fills from `shift` on, in the unit of its type at `offset`."""

    name: str  # the path from the whole object: `.a`, `.s.b[0]`, empty for a scalar itself
    offset: int  # in bytes
    type: CType
    shift: int = 0
    bits: int | None = None
    is_volatile: bool = False  # a member around it is, or another view of a union


def unit_of(field: Field) -> tuple[int, int]:
    """The offset of the storage unit of a bit-field, in bytes, and the field's offset in it, in bits.

    Compilers put a bit-field into one unit of its declared type; in packed records it may straddle two units, which
    is unsupported (`straddles`).
    """
    assert isinstance(field.type, IntegerType)
    width = field.type.width
    return field.offset // width * width // 8, field.offset % width


def straddles(field: Field) -> bool:
    assert isinstance(field.type, IntegerType)
    return field.bits is not None and field.offset % field.type.width + field.bits > field.type.width


@final
class Layouts:
    """Computes the leaves of types, and caches them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._leaves: dict[CType, tuple[Leaf, ...]] = {}
        self._unions: dict[CType, bool] = {}

    def size(self, type_: CType, span: Span) -> int:
        size = size_of(type_, self.machine)
        if size is None:
            raise Unsupported(span, f"an object of type {type_}, whose size is not known,")
        return size

    def has_union(self, type_: CType) -> bool:
        """Whether some scalars of an object overlap, because it contains a union."""
        found = self._unions.get(type_)
        if found is None:
            work, found = [type_], False
            while work and not found:
                part = work.pop()
                if isinstance(part, ArrayType):
                    work.append(part.element)
                elif isinstance(part, RecordType):
                    found = part.kind == "union"
                    work.extend(field.type for field in part.fields)
            self._unions[type_] = found
        return found

    def leaves(self, type_: CType, span: Span) -> tuple[Leaf, ...]:
        """The scalars of an object, in order; the members of a union one after another."""
        found = self._leaves.get(type_)
        if found is None:
            found = tuple(self._enumerate(type_, span))
            self._leaves[type_] = found
        return found

    def gaps(self, type_: CType, span: Span) -> list[int]:
        """The offsets of the bytes of an object that belong to none of its scalars."""
        used: set[int] = set()
        for leaf in self.leaves(type_, span):
            used.update(range(leaf.offset, leaf.offset + self.size(leaf.type, span)))
        return [offset for offset in range(self.size(type_, span)) if offset not in used]

    def kinds(self, type_: CType, span: Span) -> list[tuple[int, CType]]:
        """The scalars of an object, with only the first element of each array."""
        made: list[tuple[int, CType]] = []
        work = [Leaf("", 0, type_)]
        while work:
            part = work.pop()
            if is_scalar(part.type):
                made.append((part.offset, part.type))
            elif isinstance(part.type, ArrayType):
                if part.type.length:
                    work.append(Leaf("", part.offset, part.type.element))
            else:
                work.extend(reversed(self._parts(part, span)))
        return made

    def _enumerate(self, type_: CType, span: Span) -> list[Leaf]:
        made: list[Leaf] = []
        work = [Leaf("", 0, type_)]
        while work:
            part = work.pop()
            if is_scalar(part.type):
                made.append(part)
            else:
                work.extend(reversed(self._parts(part, span)))
            if len(made) > LARGEST:
                raise Unsupported(span, f"copying {type_} by value")
        return made

    def _parts(self, whole: Leaf, span: Span) -> list[Leaf]:
        """The direct parts of an array or a record."""
        match whole.type:
            case ArrayType(element, length):
                size, count = self.size(element, span), length or 0
                if count > LARGEST:
                    raise Unsupported(span, f"copying {whole.type} by value")
                return [
                    Leaf(f"{whole.name}[{at}]", whole.offset + at * size, element, is_volatile=whole.is_volatile)
                    for at in range(count)
                ]
            case RecordType(kind=kind, fields=fields):
                is_volatile = whole.is_volatile or (kind == "union" and any(field.is_volatile for field in fields))
                return [
                    replace(self._field(whole, field, span), is_volatile=is_volatile or field.is_volatile)
                    for field in fields
                    if field.bits is None or field.name
                ]
            case _:
                raise Unsupported(span, f"a value of type {whole.type}")

    def _field(self, whole: Leaf, field: Field, span: Span) -> Leaf:
        if field.bits is not None:
            return self._bit_field(whole.name, whole.offset, field, span)
        return Leaf(_member(whole.name, field), whole.offset + field.offset // 8, field.type)

    def slice_of(self, record: RecordType, field: Field, span: Span) -> slice:
        """The positions of a field's leaves among those of the record."""
        start = 0
        for other in record.fields:
            if other.bits is not None and not other.name:
                continue
            count = 1 if other.bits is not None else len(self.leaves(other.type, span))
            if other is field:
                return slice(start, start + count)
            start += count
        raise InternalError(f"{record} has no field {field.name}")

    def _bit_field(self, name: str, offset: int, field: Field, span: Span) -> Leaf:
        if straddles(field):
            raise Unsupported(span, f"the packed bit-field {field.name}")
        unit, shift = unit_of(field)
        return Leaf(_member(name, field), offset + unit, field.type, shift, field.bits)


def _member(name: str, field: Field) -> str:
    return f"{name}.{field.name}" if field.name else name
