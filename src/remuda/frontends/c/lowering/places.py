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

Cells = Callable[[int, "CType"], "Region"]  # the region at an offset in bytes, for a scalar of a type


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
    """A condition for reading or writing a place, and one for computing its address only (None: no condition)."""

    access: Term | None
    reach: Term | None
    kind: str
    description: str
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Origin:
    """The pointer that leads to a place, its text in the source, and where it is dereferenced."""

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
    origin: Origin | None = None  # None for a variable, and if no check needs it
    guards: tuple[Guard, ...] = ()
    is_wild: bool = False  # the address comes from an unknown integer
    doubt: Doubt | None = None  # what the analysis believes about the pointer that leads here
    inside: tuple[Term, ...] = ()  # beliefs that indices of arrays on the way are in range

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
