"""Values and places of an execution as C writes them: `-1`, `&a[3]`, `&node#2`, `node#2.next`, `NULL`.

Blocks of the heap have no names in the program. Their names come from the type of the first pointer to them that is
shown, with a number in the order in which they are shown: `node#2` is the second block, with one `struct node` or
more.
"""

from __future__ import annotations

from math import isinf, isnan
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.syntax.types import (
    ArrayType,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    VariableArrayType,
    VoidType,
    size_of,
)
from remuda.machine.extended import Extended
from remuda.machine.memory import Pointer

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.types import CType
    from remuda.frontends.c.syntax.types import Machine as Target
    from remuda.machine.memory import Object, Scalar

FIRST_PRINTABLE: Final = 32
LAST_PRINTABLE: Final = 126
CHARACTER_BITS: Final = 8
BIT_FIELD: Final = VoidType()  # the type of a bit-field, as far as its parts go: it has none


@final
class Wording:
    """Writes the values of one execution; `restart` before the next one."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._blocks: dict[Object, tuple[str, CType | None]] = {}  # their names, and the types of their elements

    def restart(self) -> None:
        self._blocks.clear()

    def value(self, value: Scalar, type_: CType) -> str:
        """A scalar."""
        if isinstance(value, Pointer):
            return self._pointer(value, type_.target if isinstance(type_, PointerType) else None)
        if isinstance(value, float):
            return _float(value)
        if isinstance(value, Extended):
            return str(value)
        is_character = isinstance(type_, IntegerType) and type_.width == CHARACTER_BITS and type_.name == "char"
        if is_character and FIRST_PRINTABLE <= value <= LAST_PRINTABLE:
            return f"{value} {chr(value)!r}"
        return str(int(value))

    def place(self, pointer: Pointer, offset: int, type_: CType, first_bit: int | None = None) -> str:
        """The name of a scalar or record in an object; empty if it has none. A bit-field begins at a bit."""
        object_, at = pointer.object, pointer.offset + offset
        if object_ is None or object_.kind in {"outside", "function", "label"}:
            return ""
        name, whole = self._named(object_, type_, at)
        part = None if whole is None else self._part(whole, at, type_, first_bit)
        return f"{name}{part}" if part is not None else f"{name}, offset {at}"

    def _pointer(self, pointer: Pointer, target: CType | None) -> str:
        object_, at = pointer.object, pointer.offset
        if object_ is None or object_.kind == "outside":
            return hex(at) if at else "NULL"
        if object_.kind in {"function", "label"}:
            return f"&{object_.name}"
        wanted = None if isinstance(target, VoidType | FunctionType) else target
        name, whole = self._named(object_, wanted, at)
        part = None if whole is None else self._part(whole, at, wanted)
        if part is not None:
            return f"&{name}{part}"
        return f"(char *)&{name} + {at}" if at else f"&{name}"

    def _named(self, object_: Object, type_: CType | None, at: int) -> tuple[str, CType | None]:
        """The name of an object, and its type if it is known."""
        if object_.type is not None:
            return object_.name, object_.type
        if object_.kind != "heap":
            name = object_.name if object_.kind == "global" else f"({object_.name})"
            return name, None if type_ is None else self._as_array(object_, type_, at)
        name, whole = self._blocks.get(object_, ("", None))
        if whole is None:
            number = name.rpartition("#")[2] or str(len(self._blocks) + 1)
            whole = None if type_ is None else self._as_array(object_, type_, at)
            name = f"{'block' if whole is None else _short(type_)}#{number}"
            self._blocks[object_] = name, whole
        return name, whole

    def _as_array(self, object_: Object, type_: CType, at: int) -> CType | None:
        """The type of a block that has an element of some type somewhere: that type, or an array of it."""
        size = size_of(type_, self._target)
        if not size or at % size or object_.size < size:
            return None
        is_one = isinstance(type_, RecordType) and object_.size < 2 * size  # with a flexible array
        return type_ if is_one else ArrayType(type_, object_.size // size)

    def _part(self, type_: CType, offset: int, wanted: CType | None, first_bit: int | None = None) -> str | None:
        """The path to the part of an object at an offset: `.in[3]`; None if no part begins there. In a union, it goes
        to a member of the wanted type, or else to the first one."""
        another: str | None = None
        work = [("", type_, offset)]
        while work:
            text, part, at = work.pop()
            is_there = at == 0 and first_bit is None
            if part is BIT_FIELD or (
                is_there and (part == wanted or (wanted is None and isinstance(part, RecordType)))
            ):
                return text
            inside = self._inside(text, part, at, first_bit)
            if not inside and is_there:
                another = text if another is None else another
            work += reversed(inside)
        return another

    def _inside(self, text: str, type_: CType, at: int, first_bit: int | None) -> list[tuple[str, CType, int]]:
        """The elements or members around an offset: their names, types, and the offset in them."""
        if isinstance(type_, ArrayType | VariableArrayType):
            size = size_of(type_.element, self._target)
            return [(f"{text}[{at // size}]", type_.element, at % size)] if size else []
        found: list[tuple[str, CType, int]] = []
        for field in type_.fields if isinstance(type_, RecordType) else ():
            name = f"{text}.{field.name}" if field.name else text
            start, size = field.offset // 8, size_of(field.type, self._target)
            if field.bits is not None:
                if first_bit is not None and field.offset == at * 8 + first_bit:
                    return [(name, BIT_FIELD, 0)]
            elif start <= at and (size is None or at < start + size):
                found.append((name, field.type, at - start))
        return found


def _short(type_: CType | None) -> str:
    """The name of a type without `struct`."""
    match type_:
        case RecordType(tag=tag, kind=kind):
            return tag or kind
        case PointerType():
            return "pointer"
        case _:
            return str(type_)


def _float(value: float) -> str:
    if isnan(value):
        return "NaN"
    return ("-oo" if value < 0 else "oo") if isinf(value) else repr(value)
