"""What unsupported constructs do to the verdicts of other assertions."""

from __future__ import annotations

from remuda.results.report import AssertionResult, Location, Verdict
from remuda.results.unsupported import UNSUPPORTED, settle


def result(name: str, verdict: Verdict, kind: str = "assert") -> AssertionResult:
    return AssertionResult(
        identifier=name, kind=kind, description=name, location=Location("a.c", 1, 1), verdict=verdict
    )


def test_claims_become_unknown_if_a_construct_may_be_reached() -> None:
    for reached in (Verdict.VIOLATED, Verdict.UNKNOWN):
        settled = settle(
            [result("a", Verdict.PROVED), result("b", Verdict.VIOLATED), result("c", reached, UNSUPPORTED)]
        )
        assert [each.verdict for each in settled] == [Verdict.UNKNOWN, Verdict.VIOLATED, Verdict.UNKNOWN]


def test_constructs_that_are_not_decided_do_not_matter_if_all_else_is_violated() -> None:
    settled = settle([result("a", Verdict.VIOLATED), result("b", Verdict.UNKNOWN, UNSUPPORTED)])
    assert [each.identifier for each in settled] == ["a"]


def test_a_construct_that_is_reached_is_named_in_any_case() -> None:
    settled = settle([result("a", Verdict.VIOLATED), result("b", Verdict.VIOLATED, UNSUPPORTED)])
    assert [(each.identifier, each.verdict) for each in settled] == [
        ("a", Verdict.VIOLATED),
        ("b", Verdict.UNKNOWN),
    ]


def test_verdicts_of_assertions_before_a_construct_are_claimed() -> None:
    results = [result("a", Verdict.PROVED), result("b", Verdict.PROVED), result("c", Verdict.VIOLATED, UNSUPPORTED)]
    settled = settle(results, {"c": {"a"}})
    assert [each.verdict for each in settled] == [Verdict.PROVED, Verdict.UNKNOWN, Verdict.UNKNOWN]
    settled = settle([*results, result("d", Verdict.VIOLATED, UNSUPPORTED)], {"c": {"a"}})
    assert [each.verdict for each in settled] == [Verdict.UNKNOWN] * 4
