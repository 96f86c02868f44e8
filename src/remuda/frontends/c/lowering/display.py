"""How traces show a statement in C, as attributes of the statement.

{:shows "p->size", value, "u32"}      the place as the source writes it, its new value, and the format of that
{:shows "*p", "", "record"}           the same for a record
{:input "nondet_int()", "i32", key}   an input: its expression, its format, and its key (`Reproduction.key`)
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.frontends.c.lowering.places import RecordValue
from remuda.frontends.c.reproduce import Reproduction
from remuda.frontends.c.syntax.types import FloatingType, IntegerType, PointerType
from remuda.ir.program import Attribute
from remuda.terms.float_values import float_text
from remuda.terms.values import FloatValue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.base.source import Source, Span
    from remuda.frontends.c.syntax.types import CType
    from remuda.ir.program import Attributes, Check, Execution, FailingProgram
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.terms.values import Value

LONGEST = 60
ABOUT_MEMORY = frozenset({"bounds", "pointer"})
FIRST_PRINTABLE, LAST_PRINTABLE = 32, 126


@final
@dataclass(frozen=True, slots=True)
class Landmark:
    """An object or function at a constant address. `step` is the size of an array's elements, else 0."""

    name: str
    size: int
    step: int = 0


@final
@dataclass(slots=True)
class CPresentation:
    """Values as C writes them: `-1`, `'a'`, `&buffer[3]`, `NULL`."""

    formats: dict[Variable, str] = field(default_factory=dict)
    landmarks: dict[int, Landmark] = field(default_factory=dict)
    reproduction: Reproduction = field(default_factory=Reproduction)
    guessed: dict[Span, str] = field(
        default_factory=dict
    )  # where values come from that models guess, and what they are
    opaque: dict[Span, str] = field(
        default_factory=dict
    )  # the same for sizes of memory that the program does not allocate
    has_chosen: bool = False  # something depends on a choice that C leaves open: of an order, or of addresses
    _sorted: list[int] = field(default_factory=list)

    def format_of(self, variable: Variable) -> str | None:
        return self.formats.get(variable)

    def guesses(self, kind: str) -> Mapping[Span, str]:
        return self.guessed | self.opaque if kind in ABOUT_MEMORY else self.guessed

    def reproduce(self, check: Check, execution: Execution, sources: Sequence[Source]) -> FailingProgram:
        return self.reproduction.test_case(check, execution, sources)

    def text(self, value: Value, format_: str) -> str:
        if isinstance(value, FloatValue):
            return float_text(value)
        if not isinstance(value, int):
            return str(value)
        match format_:
            case "pointer":
                return self._pointer(value)
            case "char":
                return _character(signed(value, 8))
            case _ if format_.startswith("i"):
                return str(signed(value, int(format_[1:])))
            case _:
                return str(int(value))

    def _pointer(self, address: int) -> str:
        if address == 0:
            return "NULL"
        if len(self._sorted) != len(self.landmarks):
            self._sorted = sorted(self.landmarks)
        position = bisect_right(self._sorted, address) - 1
        if position >= 0:
            start = self._sorted[position]
            landmark = self.landmarks[start]
            if address - start <= landmark.size:
                return _behind(landmark, address - start)
        return hex(address)


def signed(value: int, width: int) -> int:
    """The signed number that bits stand for; a mathematical integer stays the same."""
    return value - (1 << width) if 0 <= value < 1 << width and value >> (width - 1) else value


def _character(value: int) -> str:
    if FIRST_PRINTABLE <= value <= LAST_PRINTABLE:
        return f"{value} {chr(value)!r}"
    return str(value)


def _behind(landmark: Landmark, offset: int) -> str:
    if offset == 0 and not landmark.step:
        return f"&{landmark.name}"
    if landmark.step and offset % landmark.step == 0:
        return f"&{landmark.name}[{offset // landmark.step}]"
    return f"(char *)&{landmark.name} + {offset}"


def format_of(type_: CType) -> str:
    """The format of the values of a scalar type."""
    match type_:
        case IntegerType(is_bool=True):
            return "bool"
        case IntegerType(width=8, name="char"):
            return "char"
        case IntegerType(width=width, signed=signed):
            return f"{'i' if signed else 'u'}{width}"
        case FloatingType():
            return "float"
        case PointerType():
            return "pointer"
        case _:
            return "record"


def shown(target: str, value: Term | RecordValue, type_: CType) -> Attributes:
    """The attribute by which traces show an assignment. Records have no value; their fields may be shown instead."""
    name = " ".join(target.split())
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}..."
    return (Attribute("shows", (short, "" if isinstance(value, RecordValue) else value, format_of(type_))),)


def input_(source: str, type_: CType, supply: str = "") -> Attributes:
    """The attribute of an input."""
    return (Attribute("input", (source, format_of(type_), supply)),)
