"""How far the verdicts of two ways to search must agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.results.report import AssertionResult, Report

INTEGER_SOLVERS = ("z3", "cvc5")


def strength(result: AssertionResult) -> int:
    """How much a verdict that finds no violation claims."""
    if result.verdict is Verdict.UNREACHABLE:
        return 2 if result.bound is None else 0
    return {Verdict.BOUNDED: 0, Verdict.PROVED: 1}[result.verdict]


def claims(report: Report) -> list[tuple[str, Verdict, bool]]:
    return [(result.identifier, result.verdict, result.bound is None) for result in report.assertions]


def compare(on_demand: Report, inlined: Report) -> None:
    for weaker, stronger in zip(on_demand.assertions, inlined.assertions, strict=True):
        assert weaker.identifier == stronger.identifier
        assert (weaker.verdict is Verdict.VIOLATED) == (stronger.verdict is Verdict.VIOLATED)
        if weaker.verdict is not Verdict.VIOLATED:
            assert strength(weaker) <= strength(stronger)
