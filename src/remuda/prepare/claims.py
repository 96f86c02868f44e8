"""Combines outcomes of searches: the verdict over all entries, and claims restricted by schedules and passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from remuda.base.reasons import Reason
from remuda.engines.outcome import Outcome
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.prepare.pipeline import Prepared
    from remuda.transforms.sequentialize import Schedules

SEVERITY: Final = {
    Verdict.VIOLATED: 0,
    Verdict.UNKNOWN: 1,
    Verdict.BOUNDED: 2,
    Verdict.PROVED: 4,
    Verdict.UNREACHABLE: 5,
}


def severity(outcome: Outcome) -> int:
    is_bounded = outcome.verdict is Verdict.UNREACHABLE and outcome.bound is not None
    return 3 if is_bounded else SEVERITY[outcome.verdict]


def is_final(outcome: Outcome) -> bool:
    """Whether an outcome holds without a bound."""
    return severity(outcome) in {4, 5} and outcome.bound is None


def worst(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome for all executions; a proof and `unreachable` up to a bound are together `bounded`."""
    worst = min(outcomes, key=lambda outcome: (severity(outcome), outcome.bound or 0))
    if worst.verdict is Verdict.UNREACHABLE and any(one.verdict is Verdict.PROVED for one in outcomes):
        return Outcome(worst.check, Verdict.BOUNDED, bound=worst.bound)
    return worst


def within_schedules(outcome: Outcome, schedules: Schedules | None) -> Outcome:
    """The outcome, restricted to the schedules that were searched."""
    if schedules is None or outcome.verdict not in {Verdict.PROVED, Verdict.BOUNDED, Verdict.UNREACHABLE}:
        return outcome
    if not outcome.bound and outcome.verdict is Verdict.UNREACHABLE:
        return outcome  # no call path leads to it, whatever the schedule
    why = outcome.schedules or Reason(str(schedules))
    return Outcome(outcome.check, Verdict.BOUNDED, why, outcome.bound)


def as_trusted(outcome: Outcome, prepared: Prepared) -> Outcome:
    """The outcome for a program that passes have made; `unknown` if a pass forbids the claim.

    A violation counts if it was replayed on the base program, unless a pass before that may have added executions.
    """
    if outcome.verdict is Verdict.VIOLATED:
        passes = prepared.base_claims.no_bugs if outcome.confirmation is not None else prepared.claims.no_bugs
        lost = "violation may be claimed after the pass {}, which may add executions"
    elif outcome.verdict in {Verdict.PROVED, Verdict.BOUNDED, Verdict.UNREACHABLE}:
        passes = prepared.claims.no_proofs
        lost = "proof may be claimed after the pass {}, which may leave executions out"
    else:
        return outcome
    return Outcome(outcome.check, Verdict.UNKNOWN, Reason(f"no {lost.format(passes[0])}")) if passes else outcome
