"""A report in the words of SV-COMP: `true`, `false(unreach-call)`, `unknown`.

What holds up to a bound is `unknown` there: a verifier is asked about all executions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.results.report import Report

_BROKEN: Final = {
    "overflow": "no-overflow",
    "bounds": "valid-deref",
    "pointer": "valid-deref",
    "leak": "valid-memtrack",
}

_FREED: Final = ("is not freed twice", "the start of an allocated block")


def verdict_string(report: Report) -> str:
    """The answer to the question that the run was asked."""
    if report.verdict in {Verdict.PROVED, Verdict.NOTHING_CHECKED}:  # an error that is nowhere is not reached
        return "true"
    if report.verdict is not Verdict.VIOLATED:
        return "unknown"
    first = next(result for result in report.assertions if result.verdict is Verdict.VIOLATED)
    if first.kind == "pointer" and first.description.endswith(_FREED):
        return "false(valid-free)"
    return f"false({_BROKEN.get(first.kind, 'unreach-call')})"
