"""The verdict of a whole file."""

from __future__ import annotations

import pytest

from remuda.results.report import AssertionResult, Location, Report, Verdict


def result(verdict: Verdict, bound: int | None = None) -> AssertionResult:
    return AssertionResult("x", "assert", "x", Location("x.bpl", 1, 1), verdict, bound=bound)


@pytest.mark.parametrize(
    ("results", "incomplete", "verdict"),
    [
        ([], "", Verdict.PROVED),
        ([], "timeout", Verdict.UNKNOWN),
        ([result(Verdict.PROVED)], "", Verdict.PROVED),
        ([result(Verdict.PROVED)], "timeout", Verdict.PROVED),  # the remaining work could not change it
        ([result(Verdict.PROVED), result(Verdict.BOUNDED, 8)], "", Verdict.BOUNDED),
        ([result(Verdict.PROVED), result(Verdict.BOUNDED, 2)], "timeout", Verdict.BOUNDED),
        ([result(Verdict.UNKNOWN), result(Verdict.BOUNDED, 2)], "timeout", Verdict.UNKNOWN),
        ([result(Verdict.BOUNDED, 2)], "interrupted", Verdict.BOUNDED),
        ([result(Verdict.VIOLATED), result(Verdict.UNKNOWN)], "timeout", Verdict.VIOLATED),
        ([result(Verdict.UNREACHABLE, 3)], "", Verdict.BOUNDED),
    ],
)
def test_the_worst_assertion_counts(results: list[AssertionResult], incomplete: str, verdict: Verdict) -> None:
    assert Report("x.bpl", results, incomplete=incomplete).verdict is verdict
