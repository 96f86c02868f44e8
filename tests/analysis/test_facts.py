"""Implications between simple conditions, compared with trying all values."""

from __future__ import annotations

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.facts import Facts, Values, stated
from remuda.terms.store import Terms
from tests.ir.builders import constant, local

SOME: Final = range(-5, 6)
limits = st.none() | st.integers(-3, 3)
numbers = st.builds(
    Values, among=st.none() | st.frozensets(st.integers(-3, 3), max_size=3), low=limits, high=limits, but=limits
)


def members(values: Values) -> set[int]:
    return {value for value in SOME if values.contains(value)}


@given(numbers, numbers)
def test_values_that_exclude_each_other_have_none_in_common(left: Values, right: Values) -> None:
    assert left.excludes(right) == right.excludes(left)
    if left.excludes(right):
        assert not members(left) & members(right)


@given(numbers, numbers)
def test_values_within_others_are_among_them(left: Values, right: Values) -> None:
    if left.within(right):
        assert members(left) <= members(right)


def test_facts_that_follow_and_that_are_excluded() -> None:
    terms = Terms()
    x, zero, two = terms.var(local("x")), terms.integer(0), terms.integer(2)
    is_two, positive, is_zero = terms.eq(x, two), terms.lt(zero, x), terms.eq(zero, x)
    facts = Facts([is_two, positive, is_zero])
    assert facts.known([is_two]) == (0b011, 0b100)
    assert facts.known([positive]) == (0b010, 0b100)
    assert facts.known([is_zero]) == (0b100, 0b011)
    assert facts.known([positive, is_zero]).contradictory
    assert not facts.known([is_two, positive]).contradictory


def test_a_condition_that_is_never_true() -> None:
    terms = Terms()
    facts = Facts([terms.false, terms.true])
    assert facts.known([terms.false]).contradictory
    assert not facts.known([terms.true]).contradictory
    assert facts.any_excluded


def test_unique_constants_differ_from_each_other_but_not_from_literals() -> None:
    terms = Terms()
    a, b = constant("a"), constant("b")
    x = terms.var(local("x"))
    conditions = [terms.eq(x, terms.var(a)), terms.eq(terms.var(b), x), terms.eq(x, terms.integer(1))]
    facts = Facts(conditions, frozenset({a, b}))
    assert facts.known(conditions[:2]).contradictory
    assert not facts.known(conditions[1:]).contradictory
    assert not Facts(conditions, frozenset({a})).known(conditions).contradictory


def test_only_conjunctions_state_facts_about_their_parts() -> None:
    terms = Terms()
    p, q = (terms.var(local(name)) for name in "pq")
    assert len(list(stated(terms.make("and", (p, q), None, p.type)))) == 2
    assert len(list(stated(terms.or_([p, q])))) == 1
    assert len(list(stated(terms.not_(terms.or_([p, q]))))) == 2
