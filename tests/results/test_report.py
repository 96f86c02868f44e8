"""The verdict of a whole file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from remuda.base.reasons import INTERRUPTED, NO_REASON, TIMEOUT, Cause, Reason
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


@pytest.mark.parametrize(
    ("verdict", "why", "bound", "cause"),
    [
        (Verdict.PROVED, NO_REASON, None, None),
        (Verdict.PROVED, Reason("implied by `x > 0` at x.bpl:1"), None, None),
        (Verdict.BOUNDED, NO_REASON, 8, Cause.BOUND),
        (Verdict.BOUNDED, Reason("2 rounds of context switches"), None, Cause.BOUND),
        (Verdict.BOUNDED, TIMEOUT.before("bound 8"), 3, Cause.TIME),
        (Verdict.UNREACHABLE, Reason("not reached within bound 8"), 8, Cause.BOUND),
        (Verdict.UNREACHABLE, Reason("no execution reaches it"), None, None),
        (Verdict.UNKNOWN, TIMEOUT, None, Cause.TIME),
        (Verdict.UNKNOWN, Reason("the solver gave up"), None, None),
    ],
)
def test_what_keeps_a_verdict_from_saying_more(
    verdict: Verdict, why: Reason, bound: int | None, cause: Cause | None
) -> None:
    found = replace(result(verdict, bound), why=why)
    assert (found.cause, found.reason) == (cause, str(why))


def test_a_run_that_ended_early_names_the_reason() -> None:
    assert Report("x.bpl").incomplete == ""
    assert Report("x.bpl", stopped=INTERRUPTED).incomplete == "interrupted"
