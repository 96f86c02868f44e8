"""What strategies report adds up: the best answer counts, and a contradiction is never a proof."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from remuda.base.reasons import NO_REASON, NOT_CHECKED, TIMEOUT, Cause, Reason
from remuda.portfolio.knowledge import DISAGREEMENT, Knowledge, is_decided
from remuda.results.report import AssertionResult, Location, Verdict
from tests.hypothesis_settings import few

PLACE = Location("program.bpl", 1, 1)


def result(verdict: Verdict, bound: int | None = None, name: str = "a", why: Reason = NO_REASON) -> AssertionResult:
    return AssertionResult(name, "assert", "x > 0", PLACE, verdict, why, bound)


def fresh() -> Knowledge:
    return Knowledge([result(Verdict.UNKNOWN, why=NOT_CHECKED), result(Verdict.UNKNOWN, name="b")])


def test_a_larger_bound_replaces_a_smaller_one() -> None:
    known = fresh()
    assert known.hear("search", result(Verdict.BOUNDED, 8))
    assert not known.hear("lifted", result(Verdict.BOUNDED, 4))
    assert not known.hear("lifted", result(Verdict.UNKNOWN))
    assert known.hear("deeper", result(Verdict.BOUNDED, 16))
    assert known.results["a"].bound == 16
    assert known.found_by["a"] == "deeper"


def test_what_is_decided_stays() -> None:
    known = fresh()
    assert known.hear("horn", result(Verdict.PROVED))
    assert not known.hear("search", result(Verdict.BOUNDED, 64))
    assert not known.hear("search", result(Verdict.UNREACHABLE))
    assert known.results["a"].verdict is Verdict.PROVED
    assert known.open(["a", "b"]) == {"b"}


def test_a_contradiction_is_unknown_and_stays_so() -> None:
    known = fresh()
    known.hear("horn", result(Verdict.PROVED))
    assert known.hear("search", result(Verdict.VIOLATED))
    assert known.results["a"].verdict is Verdict.UNKNOWN
    assert known.results["a"].reason.startswith(DISAGREEMENT)
    assert known.results["a"].cause is Cause.DISAGREEMENT
    assert not known.hear("lifted", result(Verdict.PROVED))
    assert known.results["a"].verdict is Verdict.UNKNOWN
    assert len(known.notes) == 1
    assert known.open(["a"]) == frozenset()


def test_the_first_reason_for_unknown_is_kept() -> None:
    known = fresh()
    assert known.hear("search", result(Verdict.UNKNOWN, why=TIMEOUT))
    assert not known.hear("lifted", result(Verdict.UNKNOWN, why=Reason("the solver gave up")))
    assert known.results["a"].reason == "timeout"


def test_checks_of_one_strategy_alone_are_left_out() -> None:
    known = fresh()
    assert not known.hear("modular", result(Verdict.PROVED, name="main:requires:1"))
    assert set(known.results) == {"a", "b"}


RESULTS = st.builds(
    result, st.sampled_from([Verdict.BOUNDED, Verdict.UNKNOWN, Verdict.PROVED]), st.none() | st.integers(1, 9)
).map(lambda each: each if each.verdict is Verdict.BOUNDED else result(each.verdict))


@few(100)
@given(st.lists(RESULTS), st.randoms())
def test_the_order_in_which_strategies_report_does_not_matter(results: list[AssertionResult], random: object) -> None:
    shuffled = list(results)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = fresh(), fresh()
    for each in results:
        one.hear("search", each)
    for each in shuffled:
        other.hear("search", each)
    found = [(known.results["a"].verdict, known.results["a"].bound or 0) for known in (one, other)]
    assert found[0] == found[1]
    assert is_decided(one.results["a"]) == any(map(is_decided, results))
