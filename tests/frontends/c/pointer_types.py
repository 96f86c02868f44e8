"""C types with their layout, for programs whose every byte a generator keeps track of.

A `Step` is one selection in an object (a member, an element); `parts` lists all that can be selected in a type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FLEXIBLE: Final = 3  # the number of used elements of a flexible array member; objects may be too small for them


@final
@dataclass(frozen=True, slots=True)
class Scalar:
    name: str
    size: int
    align: int
    signed: bool = True


@final
@dataclass(frozen=True, slots=True)
class Pointer:
    """`target` is the name of a type: a record may point to its own kind. It is empty for an integer with an
    address."""

    target: str
    size: int

    @property
    def align(self) -> int:
        return self.size


@final
@dataclass(frozen=True, slots=True)
class Array:
    """A count of 0 is a flexible array member."""

    element: Type
    count: int

    @property
    def size(self) -> int:
        return self.element.size * self.count

    @property
    def align(self) -> int:
        return self.element.align


@final
@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: Type
    offset: int
    bits: int | None = None
    span: int = 0  # bytes that a bit-field touches


@final
@dataclass(frozen=True, slots=True)
class Record:
    name: str  # with `struct` or `union`
    size: int
    align: int
    fields: tuple[Field, ...]

    @property
    def is_union(self) -> bool:
        return self.name.startswith("union")


Type = Scalar | Pointer | Array | Record


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A member (`text` is its name), or an element (`text` is empty) of an array."""

    text: str
    index: int = 0
    stride: int = 0
    count: int = 0


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A part of an object: how it is selected, where it begins, and its type. `size` is the number of bytes that a
    bit-field uses."""

    steps: tuple[Step, ...]
    offset: int
    type: Type
    size: int
    bits: int | None = None


def scalars(arch: str) -> dict[str, Scalar]:
    wide = 8 if arch == "lp64" else 4
    sizes = {"char": 1, "short": 2, "int": 4, "long": wide, "long long": 8}
    found = {"signed char": Scalar("signed char", 1, 1)}
    for name, size in sizes.items():
        align = min(size, wide)
        if name != "char":
            found[name] = Scalar(name, size, align)
        found[f"unsigned {name}"] = Scalar(f"unsigned {name}", size, align, signed=False)
    return found


def pointer(target: str, arch: str) -> Pointer:
    return Pointer(target, 8 if arch == "lp64" else 4)


def record(name: str, members: Sequence[tuple[str, Type, int | None]]) -> Record:
    """Lays out members as the System V ABI does."""
    union = name.startswith("union")
    position = 0  # in bits
    size, align, fields = 0, 1, []
    for member, type_, bits in members:
        unit = type_.size * 8
        if bits is None:
            step = type_.align * 8
            position = -(-position // step) * step
        elif position // unit != (position + bits - 1) // unit:
            position = -(-position // unit) * unit
        width = bits if bits is not None else unit
        fields.append(Field(member, type_, 0 if union else position // 8, bits, -(-(position % 8 + width) // 8)))
        if union:
            size = max(size, -(-width // 8))
        else:
            position += width
            size = -(-position // 8)
        align = max(align, type_.align)
    return Record(name, -(-size // align) * align, align, tuple(fields))


def declaration(type_: Type, name: str) -> str:
    """`type_` declares `name`, which may be a declarator itself, such as `*p`."""
    if isinstance(type_, Array):
        inner = f"({name})" if name.startswith("*") else name
        return declaration(type_.element, f"{inner}[{type_.count or ''}]")
    if isinstance(type_, Pointer):
        return f"{type_.target} *{name}" if type_.target else f"uintptr_t {name}".rstrip()
    return f"{type_.name} {name}".rstrip()


def pointer_to(type_: Type) -> str:
    """The name of the type of pointers to a type."""
    return declaration(type_, "*")


def definition(type_: Record) -> str:
    members = " ".join(
        declaration(each.type, each.name) + (f" : {each.bits};" if each.bits is not None else ";")
        for each in type_.fields
    )
    return f"{type_.name} {{ {members} }};"


def parts(type_: Type) -> list[Part]:
    """The type itself, and all that can be selected in it."""
    found = [Part((), 0, type_, type_.size)]
    for part in found:  # which grows meanwhile
        found += _inside(part)
    return found


def _inside(part: Part) -> Iterator[Part]:
    if isinstance(part.type, Record):
        for each in part.type.fields:
            yield Part((*part.steps, Step(each.name)), part.offset + each.offset, each.type, each.span, each.bits)
    elif isinstance(part.type, Array):
        element, count = part.type.element, part.type.count or FLEXIBLE
        for index in range(count):
            step = Step("", index, element.size, count)
            yield Part((*part.steps, step), part.offset + index * element.size, element, element.size)


def path_of(part: Part) -> str:
    """How a part is selected, with constant indices."""
    return "".join(f".{step.text}" if step.text else f"[{step.index}]" for step in part.steps)


def has_union(type_: Type) -> bool:
    return any(isinstance(part.type, Record) and part.type.is_union for part in parts(type_))


def padding(type_: Type) -> list[int]:
    """The bytes of a type that an assignment need not copy."""
    return [byte for byte, use in enumerate(_uses(type_)) if not use]


def shared_bytes(type_: Type) -> list[int]:
    """The bytes of a type that bit-fields have, with bits that nothing uses."""
    return [byte for byte, use in enumerate(_uses(type_)) if use == "bits"]


def _uses(type_: Type) -> list[str]:
    if isinstance(type_, Array):
        return _uses(type_.element) * type_.count
    if not isinstance(type_, Record) or type_.is_union:
        return ["data"] * type_.size
    found = [""] * type_.size
    for each in type_.fields:
        inner = _uses(each.type) if each.bits is None else ["bits"] * each.span
        found[each.offset : each.offset + len(inner)] = inner
    return found
