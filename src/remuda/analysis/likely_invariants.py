"""Likely invariants: predicates that were true at a point in all observed executions.

This is dynamic invariant detection as in Daikon (*Dynamically Discovering Likely Program Invariants to Support
Program Evolution*, Ernst, Cockrell, Griswold and Notkin, 2001): it keeps every predicate of a few forms that no
sample contradicts. It also keeps predicates that others imply, because a verifier decides which of them it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

from remuda.base.predicates import Comparison, Kind, Observed, OneOf, Predicate

if TYPE_CHECKING:
    from remuda.base.predicates import Point

MOST_VALUES: Final = 5  # of one variable that are listed
FARTHEST: Final = 1 << 20  # from 0: a greater number is a bound by chance only, unless it is in the program

Sample = tuple[int, ...]  # the values of a point's variables, in their order


def likely_invariants(point: Point, samples: Sequence[Sample]) -> list[Predicate]:
    """The predicates that hold for all samples: of single variables first, then of pairs; none without samples."""
    distinct = list(dict.fromkeys(samples))
    if not distinct:
        return []
    columns = list(zip(*distinct, strict=True))
    found: list[Predicate] = []
    for variable, column in zip(point.variables, columns, strict=True):
        found += _of_one(variable, column)
    for (one, left), (other, right) in combinations(zip(point.variables, columns, strict=True), 2):
        if one.group == other.group and not (one.is_old and other.is_old):
            found += _of_two(one, other, left, right)
    return found


def _of_one(variable: Observed, column: Sample) -> Iterator[Predicate]:
    if variable.is_old:
        return  # the predicates of the entry are enough
    name, values = variable.name, sorted(set(column))
    if not (variable.admits(values[0]) and variable.admits(values[-1])):
        return
    if variable.kind is Kind.ADDRESS:
        if 0 not in values:
            yield Comparison(name, "!=", 0)
        elif len(values) == 1:
            yield Comparison(name, "==", 0)
        return
    if len(values) == 1:
        yield Comparison(name, "==", values[0])
    elif len(values) <= MOST_VALUES and variable.kind is not Kind.BOOLEAN:
        if all(_is_near(variable, value) for value in values):
            yield OneOf(name, tuple(values))
    if variable.kind is Kind.NUMBER:
        if values[0] != variable.low and _is_near(variable, values[0]):
            yield Comparison(name, ">=", values[0])
        if values[-1] != variable.high and _is_near(variable, values[-1]):
            yield Comparison(name, "<=", values[-1])


def _is_near(variable: Observed, value: int) -> bool:
    return abs(value) <= FARTHEST or value in variable.constants


def _of_two(one: Observed, other: Observed, left: Sample, right: Sample) -> Iterator[Predicate]:
    if left == right:
        yield Comparison(one.name, "==", other.name)
    if one.kind is not Kind.NUMBER:
        return
    if all(map(int.__le__, left, right)):
        yield Comparison(one.name, "<=", other.name)
    if all(map(int.__ge__, left, right)):
        yield Comparison(one.name, ">=", other.name)
    offset = left[0] - right[0]
    if 0 < abs(offset) <= FARTHEST and all(a - b == offset for a, b in zip(left, right, strict=True)):
        yield Comparison(one.name, "==", other.name, offset)
