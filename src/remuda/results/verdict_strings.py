"""The verdict of a report as SV-COMP writes it: `true`, `false(unreach-call)`, `unknown`.

A verdict up to a bound is `unknown` there, because SV-COMP asks about all executions.
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
    """The SV-COMP verdict for the property of the run."""
    if report.verdict in {Verdict.PROVED, Verdict.NOTHING_CHECKED}:  # without an error location, none is reached
        return "true"
    if report.verdict is not Verdict.VIOLATED:
        return "unknown"
    first = next(result for result in report.assertions if result.verdict is Verdict.VIOLATED)
    if first.kind == "pointer" and first.description.endswith(_FREED):
        return "false(valid-free)"
    return f"false({_BROKEN.get(first.kind, 'unreach-call')})"
