"""Predicates as conditions of C: without side effects, and without arithmetic that could overflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.base.predicates import Comparison, OneOf, Predicate

if TYPE_CHECKING:
    from remuda.base.predicates import Point

LEAST: Final = -(1 << 63)


def condition(predicate: Predicate) -> str:
    """The predicate as a condition of C."""
    match predicate:
        case OneOf(name=name, values=values):
            return " || ".join(f"{name} == {number(value)}" for value in values)
        case Comparison(left=left, op=op, right=int(value)):
            return f"{left} {op} {number(value)}"
        case Comparison(left=left, op=op, right=right, offset=0):
            return f"{left} {op} {right}"
        case Comparison(left=left, op=op, right=right, offset=offset):
            sign = "-" if offset < 0 else "+"
            return f"(long long){left} {op} (long long){right} {sign} {number(abs(offset))}"


def number(value: int) -> str:
    """A number in C, in a type that is wide enough for it."""
    if value == LEAST:
        return f"(-{-value - 1}ll - 1)"
    if abs(value) < 1 << 31:
        return str(value)
    return f"{value}ll" if value < 1 << 63 else f"{value}ull"


def can_be_written(predicate: Predicate, point: Point) -> bool:
    """Whether C can compute the predicate without overflow: sums need a wider type than the variables."""
    if not isinstance(predicate, Comparison) or not predicate.offset:
        return True
    named = {each.name: each for each in point.variables}
    bounds = [named[predicate.left].low, named[predicate.left].high]
    return all(bound is not None and abs(bound) <= 1 << 32 for bound in bounds)
