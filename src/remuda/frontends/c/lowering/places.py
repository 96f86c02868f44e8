"""Where values are: in variables of the IR, or in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.lowering.beliefs import Doubt
    from remuda.frontends.c.memory.model import Region
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

Cells = Callable[[int, "CType"], "Region"]  # where the scalar of that type, so many bytes behind an address, is kept


@final
@dataclass(frozen=True, slots=True)
class RegisterPlace:
    """An object that nothing points to: one variable for each of its scalars."""

    type: CType
    variables: tuple[Variable, ...]
    bits: int | None = None  # of a bit-field
    is_volatile: bool = False


@final
@dataclass(frozen=True, slots=True)
class Guard:
    """What must hold if a place is read or written, and what if only its address is computed (None: nothing)."""

    access: Term | None
    reach: Term | None
    kind: str
    description: str
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Origin:
    """The pointer that leads to a place, how the source writes it, and where it is followed."""

    pointer: Term
    text: str
    span: Span
    family: int | None  # of the objects that it may point into


@final
@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """An object at an address. A bit-field is `bits` from `shift` on in the unit of its type there."""

    type: CType
    address: Term
    cells: Cells
    shift: int = 0
    bits: int | None = None
    is_volatile: bool = False
    origin: Origin | None = None  # None for an object with a name, and if nobody asks
    guards: tuple[Guard, ...] = ()
    is_wild: bool = False  # the address comes from an integer that nothing is known of
    doubt: Doubt | None = None  # what the analysis believes of the pointer that leads here
    inside: tuple[Term, ...] = ()  # what it believes of indices of arrays on the way: that they are in the array

    def at(self, offset: int, address: Term, type_: CType) -> MemoryPlace:
        """A part of the object, `offset` bytes behind its start."""
        cells = self.cells
        shifted = cells if offset == 0 else lambda further, part: cells(offset + further, part)
        doubt = None if self.doubt is None else self.doubt.at(offset)
        return replace(self, type=type_, address=address, cells=shifted, doubt=doubt)


Place = RegisterPlace | MemoryPlace


@final
@dataclass(frozen=True, slots=True)
class RecordValue:
    """A struct or union by value: its scalars, in the order of its leaves."""

    scalars: tuple[Term, ...]


def row_of(value: Term | RecordValue) -> tuple[Term, ...]:
    """The scalars of a value, one by one."""
    return value.scalars if isinstance(value, RecordValue) else (value,)
