"""Likely invariants hold of all samples, and those that hold are found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.likely_invariants import FARTHEST, MOST_VALUES, likely_invariants
from remuda.analysis.suggested_assertions import suggested_assertions
from remuda.base.predicates import Comparison, Kind, Moment, Observed, OneOf, Point, Predicate, holds, mentioned

if TYPE_CHECKING:
    from remuda.analysis.likely_invariants import Sample

INT: Final = "signed32"
LOW, HIGH = -(1 << 31), (1 << 31) - 1


def number(name: str, *, is_old: bool = False, constants: tuple[int, ...] = ()) -> Observed:
    return Observed(name, INT, Kind.NUMBER, LOW, HIGH, constants, is_old=is_old)


def point(*variables: Observed) -> Point:
    return Point(1, "f", Moment.EXIT, 1, variables)


def of(samples: list[Sample], *variables: Observed) -> list[Predicate]:
    return likely_invariants(point(*variables), samples)


def test_without_samples_there_are_no_invariants() -> None:
    assert of([], number("x")) == []


def test_a_constant_is_found_with_its_bounds() -> None:
    found = of([(0,), (0,)], number("x"))
    assert found == [Comparison("x", "==", 0), Comparison("x", ">=", 0), Comparison("x", "<=", 0)]


def test_few_values_are_listed_and_many_are_not() -> None:
    assert OneOf("x", (1, 2, 5)) in of([(5,), (1,), (2,)], number("x"))
    many = of([(value,) for value in range(MOST_VALUES + 1)], number("x"))
    assert many == [Comparison("x", ">=", 0), Comparison("x", "<=", MOST_VALUES)]


def test_variables_are_compared() -> None:
    found = of([(1, 3), (4, 6), (9, 11)], number("x"), number("y"))
    assert Comparison("x", "==", "y", -2) in found
    assert Comparison("x", "<=", "y") in found
    assert Comparison("x", ">=", "y") not in found
    assert Comparison("x", "==", "y") in of([(1, 1), (7, 7)], number("x"), number("y"))


def test_values_at_the_entry_are_compared() -> None:
    found = of([(1, 1), (5, 5)], number("x"), number("old_x", is_old=True))
    assert Comparison("x", "==", "old_x") in found
    assert not any(mentioned(each) == ("old_x",) for each in found)


def test_pointers_are_null_or_not_and_equal_or_not() -> None:
    pointers = [Observed(name, "char *", Kind.ADDRESS, 0) for name in "pqr"]
    found = of([(0, 4096, 4096), (0, 8192, 8192)], *pointers)
    assert found == [
        Comparison("p", "==", 0),
        Comparison("q", "!=", 0),
        Comparison("r", "!=", 0),
        Comparison("q", "==", "r"),
    ]


def test_types_are_not_compared_with_others() -> None:
    other = Observed("y", "unsigned8", Kind.NUMBER, 0, 255)
    assert not any(len(mentioned(each)) > 1 for each in of([(1, 1)], number("x"), other))


def test_invariants_that_the_type_implies_are_left_out() -> None:
    byte = Observed("b", "unsigned8", Kind.NUMBER, 0, 255)
    found = of([(0,), (255,), (3,), (9,), (11,), (12,)], byte)
    assert found == []


def test_far_bounds_count_only_if_the_program_has_them() -> None:
    far = FARTHEST + 1
    assert Comparison("x", ">=", far) not in of([(far,), (far + 1,)], number("x"))
    assert Comparison("x", ">=", far) in of([(far,), (far + 1,)], number("x", constants=(far,)))


SAMPLES: Final = st.lists(st.tuples(*[st.integers(-4, 12)] * 3), min_size=1, max_size=12)
VARIABLES: Final = (number("x"), number("y"), number("z", is_old=True))


@given(SAMPLES)
def test_all_that_is_found_holds_of_all_samples(samples: list[Sample]) -> None:
    for predicate in of(samples, *VARIABLES):
        for sample in samples:
            assert holds(predicate, dict(zip("xyz", sample, strict=True)))


@given(SAMPLES)
def test_all_that_holds_is_found(samples: list[Sample]) -> None:
    found = set(of(samples, *VARIABLES))
    states = [dict(zip("xyz", sample, strict=True)) for sample in samples]
    for one, other in (("x", "y"), ("x", "z"), ("y", "z")):
        for op in ("==", "<=", ">="):
            predicate = Comparison(one, op, other)
            assert (predicate in found) == all(holds(predicate, state) for state in states)
        for offset in (-3, -1, 1, 7):
            shifted = Comparison(one, "==", other, offset)
            assert (shifted in found) == all(holds(shifted, state) for state in states)
    for name in "xy":
        values = sorted({state[name] for state in states})
        assert (Comparison(name, "==", values[0]) in found) == (len(values) == 1)
        assert (OneOf(name, tuple(values)) in found) == (1 < len(values) <= MOST_VALUES)
        assert {Comparison(name, ">=", values[0]), Comparison(name, "<=", values[-1])} <= found


def test_suggestions_are_intervals_orders_and_null_pointers() -> None:
    pointer = Observed("p", "int *", Kind.ADDRESS, 0)
    state = Observed("s", INT, Kind.NUMBER, LOW, HIGH, (3, 1), assigned=(1, 3))
    found = suggested_assertions(point(state, number("x"), pointer))
    assert found == [
        OneOf("s", (1, 3)),
        Comparison("s", ">=", 1),
        Comparison("s", ">=", 3),
        Comparison("s", "<=", 3),
        Comparison("s", "<=", 1),
        Comparison("x", ">=", 0),
        Comparison("x", "<=", 0),
        Comparison("p", "!=", 0),
        Comparison("p", "==", 0),
        Comparison("s", "==", "x"),
        Comparison("s", "<=", "x"),
        Comparison("s", ">=", "x"),
    ]
