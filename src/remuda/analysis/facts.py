"""Simple facts that conditions state, as bit sets: which facts follow from each other, and which exclude each other.

    x == 3      x is among {3}           follows: x != 4, 0 < x       excluded: x == 5, x < 0, x != 3
    a < b       the sign of a - b is -   follows: a <= b, a != b      excluded: b < a, a == b
    p(x)        p(x) is true             follows: -                   excluded: !p(x)

Only facts about the same term are compared, two at a time. Terms are whatever stands beside a literal or a unique
constant, two terms that are compared with each other, and conditions that are nothing of that kind.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, final

from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

LITERALS: Final = frozenset({"int", "real", "bv"})  # interned, and different ones have different values


@final
@dataclass(frozen=True, slots=True)
class Values:
    """Some values: those in `among`, or else all from `low` to `high` (None: no limit) except `but`."""

    among: frozenset[Hashable] | None = None
    low: int | None = None
    high: int | None = None
    but: Hashable = None

    def contains(self, value: Hashable) -> bool:
        if self.among is not None:
            return value in self.among
        if isinstance(value, int) and not _in_range(value, self.low, self.high):
            return False
        return self.but is None or value != self.but

    def excludes(self, other: Values) -> bool:
        """No value is in both."""
        if self.among is not None:
            return not any(other.contains(value) for value in self.among)
        if other.among is not None:
            return other.excludes(self)
        return _above(self.low, other.high) or _above(other.low, self.high)

    def within(self, other: Values) -> bool:
        """All are in the other."""
        if self.among is not None:
            return all(other.contains(value) for value in self.among)
        if other.among is not None or (other.but is not None and self.contains(other.but)):
            return False
        return _at_least(self.low, other.low) and _at_most(self.high, other.high)


def _in_range(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


def _above(low: int | None, high: int | None) -> bool:
    return low is not None and high is not None and low > high


def _at_least(low: int | None, limit: int | None) -> bool:
    return limit is None or (low is not None and low >= limit)


def _at_most(high: int | None, limit: int | None) -> bool:
    return limit is None or (high is not None and high <= limit)


def _only(*values: Hashable) -> Values:
    return Values(frozenset(values))


class Fact(NamedTuple):
    """The subject, a term or several with how they are related, has one of the values."""

    subject: Hashable
    values: Values


class Known(NamedTuple):
    """Bit sets of the facts that are known to be true and to be false."""

    true: int = 0
    false: int = 0

    @property
    def contradictory(self) -> bool:
        return bool(self.true & self.false)

    def with_(self, other: Known) -> Known:
        return Known(self.true | other.true, self.false | other.false)

    def or_(self, other: Known) -> Known:
        """The facts that are known in both cases."""
        return Known(self.true & other.true, self.false & other.false)


NEVER: Final = Fact("never", Values(frozenset()))


@final
class Facts:
    """All facts that some conditions state. `unique` are constants with values of their own."""

    def __init__(self, conditions: Iterable[Term], unique: frozenset[Variable] = frozenset()) -> None:
        self._unique = unique
        self._stated: dict[Term, list[int]] = {}
        self._numbers: dict[Fact, int] = {}
        for condition in conditions:
            if condition not in self._stated:
                facts = stated(condition, unique)
                self._stated[condition] = [self._numbers.setdefault(fact, len(self._numbers)) for fact in facts]
        self._known = _compare(list(self._numbers))

    @property
    def any_excluded(self) -> bool:
        """Whether some fact contradicts another."""
        return any(known.false for known in self._known)

    def known(self, conditions: Iterable[Term]) -> Known:
        """The facts that follow from conditions, which must be among the given ones."""
        found = Known()
        for condition in conditions:
            for number in self._stated[condition]:
                found = found.with_(self._known[number])
        return found


def _compare(facts: Sequence[Fact]) -> list[Known]:
    """For each fact, the facts that are known if it is true: always itself, and also its negation if it cannot be
    true."""
    by_subject: dict[Hashable, list[int]] = {}
    for number, fact in enumerate(facts):
        by_subject.setdefault(fact.subject, []).append(number)
    return [_follows(fact, [(other, facts[other]) for other in by_subject[fact.subject]]) for fact in facts]


def _follows(fact: Fact, others: Sequence[tuple[int, Fact]]) -> Known:
    true = false = 0
    for number, other in others:
        if fact.values.within(other.values):
            true |= 1 << number
        if fact.values.excludes(other.values):
            false |= 1 << number
    return Known(true, false)


# --- what a condition states


def stated(condition: Term, unique: frozenset[Variable] = frozenset()) -> Iterator[Fact]:
    """Facts that hold where the condition does."""
    work = [(condition, True)]
    while work:
        term, holds = work.pop()
        match term.op:
            case "not":
                work.append((term.args[0], not holds))
            case "and" if holds:
                work += [(part, True) for part in term.args]
            case "or" if not holds:
                work += [(part, False) for part in term.args]
            case "implies" if not holds:
                work += [(term.args[0], True), (term.args[1], False)]
            case "bool":
                if term.payload is not holds:
                    yield NEVER
            case _:
                yield _atom(term, unique, holds=holds)


def _atom(term: Term, unique: frozenset[Variable], *, holds: bool) -> Fact:
    match term.op:
        case "eq" if term.args[0].type != BOOL:
            return _equality(term.args[0], term.args[1], unique, holds=holds)
        case "distinct" if len(term.args) == 2 and term.args[0].type != BOOL:
            return _equality(term.args[0], term.args[1], unique, holds=not holds)
        case "lt":
            return _less(*term.args, strictly=True) if holds else _less(*reversed(term.args), strictly=False)
        case "le":
            return _less(*term.args, strictly=False) if holds else _less(*reversed(term.args), strictly=True)
    return Fact(term, _only(holds))


def _equality(left: Term, right: Term, unique: frozenset[Variable], *, holds: bool) -> Fact:
    for subject, other in ((left, right), (right, left)):
        if other.op in LITERALS:
            return Fact((subject, "literal"), _only(other.payload) if holds else Values(but=other.payload))
        if other.op == "var" and other.payload in unique:
            return Fact((subject, "unique"), _only(other.payload) if holds else Values(but=other.payload))
    return _sign(left, right, (0,) if holds else (-1, 1))


def _less(left: Term, right: Term, *, strictly: bool) -> Fact:
    """left < right, or left <= right."""
    if right.op == "int":
        return Fact((left, "literal"), Values(high=right.payload - strictly))
    if left.op == "int":
        return Fact((right, "literal"), Values(low=left.payload + strictly))
    return _sign(left, right, (-1,) if strictly else (-1, 0))


def _sign(left: Term, right: Term, signs: tuple[int, ...]) -> Fact:
    """The sign of left - right; of terms without an order, whether it is 0."""
    if left.serial < right.serial:
        return Fact((left, right), _only(*signs))
    return Fact((right, left), _only(*(-sign for sign in signs)))
