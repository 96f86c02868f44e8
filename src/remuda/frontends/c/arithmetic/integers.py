"""The range of each scalar type; addresses count as unsigned integers.

Also what both encodings share about numbers that are conditions: `(a < b) & (c < d)` is 1 if both hold, else 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.base.errors import Unsupported
from remuda.frontends.c.syntax.types import IntegerType, PointerType

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.types import CType, Machine
    from remuda.terms.store import Terms
    from remuda.terms.term import Term


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """An integer type without its name. `_Bool` is stored in eight bits, but has two values."""

    width: int
    signed: bool
    is_bool: bool = False

    @property
    def smallest(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def largest(self) -> int:
        if self.is_bool:
            return 1
        return (1 << (self.width - self.signed)) - 1

    def wrap(self, value: int) -> int:
        """The value of this type that is stored with the same bits."""
        value %= 1 << self.width
        return value - (1 << self.width) if self.signed and value >> (self.width - 1) else value

    def includes(self, other: Shape) -> bool:
        """Whether every value of the other shape is one of this shape."""
        return self.smallest <= other.smallest and other.largest <= self.largest


def shape_of(type_: CType, machine: Machine) -> Shape:
    match type_:
        case IntegerType(width, signed, is_bool):
            return Shape(width, signed, is_bool)
        case PointerType():
            return Shape(machine.pointer_width, signed=False)
        case _:
            raise Unsupported(None, f"arithmetic on values of type {type_}")


def join_conditions(terms: Terms, op: str, left: Term, right: Term, numbers: tuple[Term, Term]) -> Term | None:
    """`&`, `|` or `^` of two conditions that became one or zero (the `numbers`); None for all else."""
    if left.op != "ite" or right.op != "ite" or left.args[1:] != numbers or right.args[1:] != numbers:
        return None
    conditions = left.args[0], right.args[0]
    match op:
        case "&":
            both = terms.and_(conditions)
        case "|":
            both = terms.or_(conditions)
        case "^":
            both = terms.not_(terms.eq(*conditions))
        case _:
            return None
    return terms.ite(both, *numbers)
