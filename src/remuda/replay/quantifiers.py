"""Finds values to try for the variables of a quantifier.

    forall i, j: int :: 0 <= i && i <= j && j < n ==> m[i] <= m[j]

bounds both variables by `0` and `n`: outside these intervals the body is true (false under `exists`), so the
values inside decide. Where no intervals are found, values that occur around the quantifier are tried; these
can refute a `forall` and confirm an `exists`, and no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.terms.term import Term, variables_of
from remuda.terms.types import INT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remuda.terms.symbols import Variable


@final
@dataclass(frozen=True, slots=True)
class Side:
    """A bound variable or a term without any, plus an offset."""

    variable: Variable | None
    term: Term
    offset: int = 0


@final
@dataclass(frozen=True, slots=True)
class AtMost:
    """`low + gap <= high`, on integers."""

    low: Side
    high: Side
    gap: int


def comparisons(body: Term, variables: Iterable[Variable], *, universal: bool) -> list[AtMost]:
    """The comparisons that hold wherever the body is not trivially true (`forall`) or false (`exists`)."""
    bound = frozenset(variables)
    found: list[AtMost] = []
    for term, positive in _guards(body, universal=universal):
        for low, high, gap in _orderings(term, positive=positive):
            first, second = _side(low, bound), _side(high, bound)
            if first is not None and second is not None and (first.variable or second.variable):
                found.append(AtMost(first, second, gap))
    return found


def _guards(body: Term, *, universal: bool) -> list[tuple[Term, bool]]:
    """Atoms with their sign that are all needed for the body to be false (`forall`) or true (`exists`)."""
    atoms: list[tuple[Term, bool]] = []
    work: list[tuple[Term, bool]] = [(body, not universal)]
    while work:
        term, positive = work.pop()
        if term.op == "not":
            work.append((term.args[0], not positive))
        elif (term.op == "and" and positive) or (term.op == "or" and not positive):
            work.extend((argument, positive) for argument in term.args)
        elif term.op == "implies" and not positive:
            work.append((term.args[0], True))
            work.append((term.args[1], False))
        else:
            atoms.append((term, positive))
    return atoms


def _orderings(term: Term, *, positive: bool) -> list[tuple[Term, Term, int]]:
    """The atom as `low + gap <= high` statements."""
    if term.op not in {"lt", "le", "eq"} or term.args[0].type != INT:
        return []
    left, right = term.args
    if term.op == "eq":
        return [(left, right, 0), (right, left, 0)] if positive else []
    strict = int(term.op == "lt")
    return [(left, right, strict)] if positive else [(right, left, 1 - strict)]


def _side(term: Term, bound: frozenset[Variable]) -> Side | None:
    offset = 0
    while term.op in {"add", "sub"} and not (term.op == "sub" and term.args[1].op != "int"):
        left, right = term.args
        if right.op == "int":
            offset += right.payload if term.op == "add" else -right.payload
            term = left
        elif left.op == "int":
            offset += left.payload
            term = right
        else:
            break
    if term.op == "var" and term.payload in bound:
        return Side(term.payload, term, offset)
    if any(variable in bound for variable in variables_of([term])):
        return None
    return Side(None, term, offset)


@final
class Interval:
    """The integers from `low` to `high`, both included; None is no limit."""

    __slots__ = ("high", "low")

    def __init__(self) -> None:
        self.low: int | None = None
        self.high: int | None = None

    @property
    def size(self) -> int | None:
        return None if self.low is None or self.high is None else max(0, self.high - self.low + 1)

    def members(self) -> range:
        assert self.low is not None
        assert self.high is not None
        return range(self.low, self.high + 1)

    def raise_low(self, value: int | None) -> None:
        if value is not None and (self.low is None or value > self.low):
            self.low = value

    def lower_high(self, value: int | None) -> None:
        if value is not None and (self.high is None or value < self.high):
            self.high = value


def intervals(
    variables: Iterable[Variable], facts: Iterable[AtMost], values: Mapping[Term, int]
) -> dict[Variable, Interval]:
    """Limits that follow from the comparisons, given the values of the terms in them that could be evaluated."""
    found = {variable: Interval() for variable in variables}
    facts = list(facts)
    for _ in range(len(found) + 1):
        for fact in facts:
            low, high = _limit(fact.low, found, values, low=True), _limit(fact.high, found, values, low=False)
            if fact.high.variable is not None and low is not None:
                found[fact.high.variable].raise_low(low + fact.gap - fact.high.offset)
            if fact.low.variable is not None and high is not None:
                found[fact.low.variable].lower_high(high - fact.gap - fact.low.offset)
    return found


def _limit(side: Side, found: Mapping[Variable, Interval], values: Mapping[Term, int], *, low: bool) -> int | None:
    if side.variable is None:
        limit = values.get(side.term)
    else:
        interval = found[side.variable]
        limit = interval.low if low else interval.high
    return None if limit is None else limit + side.offset
