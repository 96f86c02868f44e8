"""Predicates that the text of a program suggests: intervals between the constants that it compares variables with or
assigns to them, orders and equalities of variables, and whether pointers are null.

These are guesses, which may not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Final

from remuda.base.predicates import Comparison, Kind, Observed, OneOf, Predicate

if TYPE_CHECKING:
    from remuda.base.predicates import Point

MOST_CONSTANTS: Final = 4  # that one variable is compared with
MOST_VALUES: Final = 6  # of one variable that are listed


def suggested_assertions(point: Point) -> list[Predicate]:
    """The predicates that may hold at a point: of single variables first, then of pairs."""
    found: dict[Predicate, None] = {}
    for variable in point.variables:
        found.update(dict.fromkeys(_of_one(variable)))
    for one, other in combinations(point.variables, 2):
        if one.group == other.group and not (one.is_old and other.is_old):
            found.update(dict.fromkeys(_of_two(one, other)))
    return list(found)


def _of_one(variable: Observed) -> Iterator[Predicate]:
    if variable.is_old:
        return
    name = variable.name
    if variable.kind in {Kind.ADDRESS, Kind.BOOLEAN}:
        yield Comparison(name, "!=", 0) if variable.kind is Kind.ADDRESS else Comparison(name, "==", 1)
        yield Comparison(name, "==", 0)
        return
    if variable.assigned is not None and all(map(variable.admits, variable.assigned)):
        if len(variable.assigned) == 1:
            yield Comparison(name, "==", variable.assigned[0])
        elif 1 < len(variable.assigned) <= MOST_VALUES:
            yield OneOf(name, variable.assigned)
    constants = [each for each in variable.constants if variable.admits(each)][:MOST_CONSTANTS] or [0]
    if variable.kind is Kind.BITS:
        yield from (Comparison(name, "==", each) for each in constants)
        return
    lowest_first = sorted(constants)
    yield from (Comparison(name, ">=", each) for each in lowest_first if each != variable.low)
    yield from (Comparison(name, "<=", each) for each in reversed(lowest_first) if each != variable.high)


def _of_two(one: Observed, other: Observed) -> Iterator[Predicate]:
    yield Comparison(one.name, "==", other.name)
    if one.kind is Kind.NUMBER:
        yield Comparison(one.name, "<=", other.name)
        yield Comparison(one.name, ">=", other.name)
