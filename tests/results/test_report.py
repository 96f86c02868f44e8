"""The verdict of a whole file."""

from __future__ import annotations

import pytest

from remuda.base.reasons import INTERRUPTED, TIMEOUT, Reason
from remuda.results.report import AssertionResult, Location, Report, Verdict


def result(verdict: Verdict, bound: int | None = None) -> AssertionResult:
    return AssertionResult("x", "assert", "x", Location("x.bpl", 1, 1), verdict, bound=bound)


@pytest.mark.parametrize(
    ("results", "stopped", "verdict"),
    [
        ([], None, Verdict.PROVED),
        ([], TIMEOUT, Verdict.UNKNOWN),
        ([result(Verdict.PROVED)], None, Verdict.PROVED),
        ([result(Verdict.PROVED)], TIMEOUT, Verdict.PROVED),  # what was left to do could not change it
        ([result(Verdict.PROVED), result(Verdict.BOUNDED, 8)], None, Verdict.BOUNDED),
        ([result(Verdict.PROVED), result(Verdict.BOUNDED, 2)], TIMEOUT, Verdict.BOUNDED),
        ([result(Verdict.UNKNOWN), result(Verdict.BOUNDED, 2)], TIMEOUT, Verdict.UNKNOWN),
        ([result(Verdict.BOUNDED, 2)], INTERRUPTED, Verdict.BOUNDED),
        ([result(Verdict.VIOLATED), result(Verdict.UNKNOWN)], TIMEOUT, Verdict.VIOLATED),
        ([result(Verdict.UNREACHABLE, 3)], None, Verdict.BOUNDED),
    ],
)
def test_the_worst_assertion_counts(results: list[AssertionResult], stopped: Reason | None, verdict: Verdict) -> None:
    assert Report("x.bpl", results, stopped=stopped).verdict is verdict
