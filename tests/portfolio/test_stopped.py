"""What a search has not decided when a limit ends it: the limit is the reason, and executions may still decide it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from remuda.base import clock
from remuda.base.reasons import MEMORY, TIMEOUT, Cause, Reason
from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.job import Job
from remuda.portfolio.verification import Verification
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.results.report import Report

FAILS = "int main(void) { int n = 0; while (n < 30) n++; __VERIFIER_assert(n != 30); }"
HOLDS = "int main(void) { int n = 0; while (n < 30) n++; __VERIFIER_assert(n == 30); }"
FAIL = (
    "int main(void) { int n = 0; while (n < 30) n++;\n  __VERIFIER_assert(n != 30);\n  __VERIFIER_assert(n != 30); }"
)


def concluded(text: str, stopped: Reason | None, assertion: tuple[str, ...] = ()) -> Report:
    """The report of a run that has ended before its search began."""
    source = Source("stopped.c", f"void __VERIFIER_assert(int);\n{text}\n")
    options = Options(bound=4, challenge=20.0, assertion=assertion, on_failure="continue")
    run = Verification([source], Job(options), lambda _: None, clock.now())
    run.attempt.prepare()
    return run.conclude(run.results, stopped)


@pytest.mark.parametrize("stopped", [TIMEOUT, MEMORY])
def test_an_execution_decides_what_a_stopped_search_has_not(stopped: Reason) -> None:
    report = concluded(FAILS, stopped)
    (result,) = report.assertions
    assert result.verdict is Verdict.VIOLATED
    assert result.confirmed == ("replayed", "machine")
    assert report.incomplete == ""


@pytest.mark.parametrize(("stopped", "incomplete"), [(TIMEOUT, "timeout"), (MEMORY, "")])
def test_the_limit_is_the_reason(stopped: Reason, incomplete: str) -> None:
    report = concluded(HOLDS, stopped)
    (result,) = report.assertions
    assert (result.verdict, result.reason, report.incomplete) == (Verdict.UNKNOWN, str(stopped), incomplete)


def test_without_a_limit_nothing_more_is_said() -> None:
    (result,) = concluded(FAILS, None).assertions
    assert (result.verdict, result.reason, result.cause) == (Verdict.UNKNOWN, "not checked", Cause.UNDECIDED)


def test_assertions_that_were_not_asked_for_stay_unchecked() -> None:
    asked, other = concluded(FAIL, TIMEOUT, ("stopped.c:main:assert:1",)).assertions
    assert asked.verdict is Verdict.VIOLATED
    assert (other.verdict, other.reason) == (Verdict.UNKNOWN, "not checked")
