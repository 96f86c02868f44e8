"""The types of C, with the sizes and layouts that the target machine gives them.

Types have no qualifiers: these are stored where they matter (`volatile` on the lvalue that is read, `const` on the
pointer that is passed).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.ast import Variable


class CType:
    """A type. Equal types are equal values, except that records are compared by identity."""

    __slots__ = ()


@final
@dataclass(frozen=True, slots=True)
class VoidType(CType):
    def __str__(self) -> str:
        return "void"


@final
@dataclass(frozen=True, slots=True)
class IntegerType(CType):
    """An integer type, `_Bool` and enumerations included. `name` is its spelling in C, which comparisons ignore."""

    width: int  # in bits, as stored
    signed: bool
    is_bool: bool = False
    name: str = field(default="int", compare=False)

    def __str__(self) -> str:
        return self.name


@final
@dataclass(frozen=True, slots=True)
class FloatingType(CType):
    """`float`, `double`, `long double`. `width` is the storage size in bits."""

    width: int
    name: str = field(default="double", compare=False)

    def __str__(self) -> str:
        return self.name


@final
@dataclass(frozen=True, slots=True)
class PointerType(CType):
    """A pointer. `to_const` says that nothing may be written through it."""

    target: CType
    to_const: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.target} *"


@final
@dataclass(frozen=True, slots=True)
class ArrayType(CType):
    """An array; `length` is None if it is not known (parameters are pointers already; flexible members; `extern`)."""

    element: CType
    length: int | None

    def __str__(self) -> str:
        return f"{self.element} [{'' if self.length is None else self.length}]"


@final
@dataclass(frozen=True, slots=True)
class VariableArrayType(CType):
    """An array whose length is computed where its type is written. A variable without a name, of type `size_t`, keeps it."""

    element: CType
    length: Variable | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.element} [*]"


@final
@dataclass(frozen=True, slots=True)
class FunctionType(CType):
    """A function; without a prototype, it takes any arguments."""

    result: CType
    parameters: tuple[CType, ...]
    is_variadic: bool = False
    has_prototype: bool = True
    is_noreturn: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        parameters = ", ".join(map(str, self.parameters)) + (", ..." if self.is_variadic else "")
        return f"{self.result} ({parameters})"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A member of a struct or union. Anonymous structs and unions are fields with an empty name.

    `offset` is in bits from the start of the record; `bits` is the width of a bit-field, else None.
    """

    name: str
    type: CType
    offset: int
    bits: int | None = None
    is_volatile: bool = False


@final
@dataclass(slots=True, eq=False)
class RecordType(CType):
    """A struct or union. Its fields are set after construction, because types may be recursive."""

    kind: str  # "struct" or "union"
    tag: str  # empty if it has none
    size: int = 0  # in bytes
    alignment: int = 1
    fields: tuple[Field, ...] = ()
    is_complete: bool = False
    is_vector: bool = False  # GNU's `vector_size`: one field, an array

    def __str__(self) -> str:
        return f"{self.kind} {self.tag or '<anonymous>'}"

    def __repr__(self) -> str:
        return f"<{self}>"


@final
@dataclass(frozen=True, slots=True)
class UnsupportedType(CType):
    """A type that is not supported (complex numbers, ...); `name` says which."""

    name: str

    def __str__(self) -> str:
        return self.name


@final
@dataclass(frozen=True, slots=True)
class Machine:
    """The properties of a target machine."""

    name: str  # "ilp32" or "lp64"
    pointer_width: int
    long_width: int
    triple: str  # for clang

    @property
    def pointer_bytes(self) -> int:
        return self.pointer_width // 8


ILP32: Final = Machine("ilp32", 32, 32, "i386-pc-linux-gnu")
LP64: Final = Machine("lp64", 64, 64, "x86_64-pc-linux-gnu")
MACHINES: Final = {machine.name: machine for machine in (ILP32, LP64)}

VOID: Final = VoidType()
BOOL: Final = IntegerType(8, signed=False, is_bool=True, name="_Bool")
CHAR: Final = IntegerType(8, signed=True, name="char")
UNSIGNED_CHAR: Final = IntegerType(8, signed=False, name="unsigned char")
INT: Final = IntegerType(32, signed=True, name="int")
UNSIGNED: Final = IntegerType(32, signed=False, name="unsigned int")


def size_of(type_: CType, machine: Machine) -> int | None:
    """The size in bytes; None if the type has no constant size. (GNU: void and functions have size 1.)"""
    match type_:
        case IntegerType() | FloatingType():
            return type_.width // 8
        case PointerType():
            return machine.pointer_bytes
        case ArrayType(element, length):
            size = size_of(element, machine)
            return None if size is None or length is None else size * length
        case RecordType():
            return type_.size if type_.is_complete else None
        case VoidType() | FunctionType():
            return 1
        case _:
            return None


def is_scalar(type_: CType) -> bool:
    return isinstance(type_, IntegerType | FloatingType | PointerType)
