"""Decides failures in memory regions that the machine for C does not show, with the flat memory model.

The flat model has one map of bytes for everything, and no analysis that could be wrong, so its verdict counts: a
violation if the machine shows it, and a proof. If the models disagree, one of them has an error, and the report says
so.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from remuda.base.reasons import Reason
from remuda.confirm.machine_replays import MACHINE
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.results.report import AssertionResult, Report

MOST_SIZE: Final = 3000  # statements and blocks, for the flat model
CLAIMS: Final = frozenset({Verdict.PROVED, Verdict.BOUNDED, Verdict.UNREACHABLE})
TOO_LARGE: Final = "the program is too large to ask the flat memory model"


def disputed(report: Report, not_shown: Collection[str]) -> list[AssertionResult]:
    """The assertions that are unknown because a failure was not shown."""
    return [each for each in report.assertions if each.verdict is Verdict.UNKNOWN and each.identifier in not_shown]


def judged(report: Report, open_: Collection[AssertionResult], flat: Report) -> list[AssertionResult]:
    """The verdicts of the flat model; where it disagrees, the report gets a note."""
    answers = {(each.identifier, each.location, each.kind): each for each in flat.assertions}
    changed = []
    for old in open_:
        answer = answers.get((old.identifier, old.location, old.kind))
        if answer is not None and answer.verdict is Verdict.VIOLATED and MACHINE in answer.confirmed:
            changed.append(answer)
        elif answer is not None and answer.verdict in CLAIMS and _is_as_deep(answer, report):
            report.notes.append(
                f"disagreement: {old.identifier} is {answer.verdict.value} in the flat memory model, and fails in regions,"
                f" where {old.why}"
            )
            doubt = "by the flat memory model alone; in regions it fails, which does not show on the machine for C"
            changed.append(replace(answer, why=answer.why.but(doubt)))
        else:
            why = _why(answer, flat)
            also = "the same in the flat memory model" if why == old.why else f"in the flat memory model: {why}"
            changed.append(replace(old, why=old.why.but(also)))
    return changed


def unjudged(open_: Collection[AssertionResult], why: str) -> list[AssertionResult]:
    """The results if the flat model is not used."""
    return [replace(old, why=old.why.but(why)) for old in open_]


def _is_as_deep(answer: AssertionResult, report: Report) -> bool:
    """Whether a claim is about all executions that the search in regions was about."""
    return answer.bound is None or (report.bound is not None and answer.bound >= report.bound)


def _why(answer: AssertionResult | None, flat: Report) -> Reason:
    if answer is None:
        return Reason(flat.reason or "there is no such assertion")
    return answer.why if answer.reason else Reason("; ".join(answer.unconfirmed) or answer.verdict.value)
