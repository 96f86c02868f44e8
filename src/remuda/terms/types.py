"""Types of terms. All are ground: front ends instantiate polymorphism before they build terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final


class Type:
    """A type; equal types are equal values."""

    __slots__ = ()


@final
@dataclass(frozen=True, slots=True)
class BoolType(Type):
    def __str__(self) -> str:
        return "bool"


@final
@dataclass(frozen=True, slots=True)
class IntType(Type):
    """Mathematical integers."""

    def __str__(self) -> str:
        return "int"


@final
@dataclass(frozen=True, slots=True)
class RealType(Type):
    """Mathematical reals."""

    def __str__(self) -> str:
        return "real"


@final
@dataclass(frozen=True, slots=True)
class BvType(Type):
    """Bit-vectors of a fixed width (0 is allowed, as in Boogie)."""

    width: int

    def __str__(self) -> str:
        return f"bv{self.width}"


@final
@dataclass(frozen=True, slots=True)
class FloatType(Type):
    """IEEE floats; `significand` counts the hidden bit, as in Boogie's `float24e8`."""

    significand: int
    exponent: int

    def __str__(self) -> str:
        return f"float{self.significand}e{self.exponent}"


USUAL_FLOATS: Final = frozenset({(11, 5), (24, 8), (53, 11), (113, 15)})  # the interchange formats of IEEE 754


@final
@dataclass(frozen=True, slots=True)
class RoundingType(Type):
    """IEEE rounding modes."""

    def __str__(self) -> str:
        return "rmode"


@final
@dataclass(frozen=True, slots=True)
class MapType(Type):
    """Total maps from a tuple of indices (possibly empty) to a value."""

    domain: tuple[Type, ...]
    range: Type

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.domain))}]{self.range}"


@final
@dataclass(frozen=True, slots=True)
class NamedType(Type):
    """An uninterpreted type, or an instance of an uninterpreted type constructor such as `Field int`."""

    name: str
    arguments: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *(atomic_text(argument) for argument in self.arguments)))


@final
@dataclass(frozen=True, slots=True)
class DataType(Type):
    """An algebraic datatype; its constructors are declared in the program (`Datatype`)."""

    name: str
    arguments: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *(atomic_text(argument) for argument in self.arguments)))


def atomic_text(type_: Type) -> str:
    """The type as an argument of a type constructor."""
    text = str(type_)
    return f"({text})" if " " in text or text.startswith("[") else text


BOOL: Final = BoolType()
INT: Final = IntType()
REAL: Final = RealType()
ROUNDING: Final = RoundingType()
