"""Adjusts verdicts if the program contains constructs that are not modelled.

A front end replaces a construct that it cannot model by an assertion of the kind `unsupported`, after which
executions end. If no execution reaches it, all verdicts hold. Otherwise only these may be claimed: violations,
because each has an execution of its own, and verdicts of assertions that executions only reach before the construct.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from remuda.base.reasons import Cause, Reason
from remuda.results.report import AssertionResult, Verdict

UNSUPPORTED: Final = "unsupported"

_NOT_REACHED: Final = frozenset({Verdict.PROVED, Verdict.UNREACHABLE})


# By the identifier of a construct, the assertions that executions only reach before it.
Before = Mapping[str, Collection[str]]


def settle(results: Iterable[AssertionResult], before: Before | None = None) -> list[AssertionResult]:
    """The results that may be claimed, without the unsupported constructs that no execution reaches."""
    listed = list(results)
    others = [result for result in listed if result.kind != UNSUPPORTED]
    if others and all(result.verdict is Verdict.VIOLATED for result in others):  # none depends on the constructs
        return [
            result if result.kind != UNSUPPORTED else _unknown(result, result)
            for result in listed
            if _is_reached(result)
        ]
    constructs = [result for result in listed if result.kind == UNSUPPORTED and may_be_reached(result)]
    if not constructs:
        return [result for result in listed if result.kind != UNSUPPORTED]
    in_doubt = [result for result in constructs if result.verdict is not Verdict.BOUNDED]
    return [
        _unknown(result, result) if result.kind == UNSUPPORTED else _settled(result, constructs, before or {})
        for result in listed
        if result.kind != UNSUPPORTED or result in in_doubt
    ]


def _settled(result: AssertionResult, constructs: list[AssertionResult], before: Before) -> AssertionResult:
    """The result that may be claimed for an assertion if executions may reach these constructs."""
    ahead = [each for each in constructs if result.identifier not in before.get(each.identifier, ())]
    in_doubt = next((each for each in ahead if each.verdict is not Verdict.BOUNDED), None)
    if in_doubt is not None:
        return _unknown(result, in_doubt)
    return _bounded(result, ahead[0].bound) if ahead else result


def _is_reached(result: AssertionResult) -> bool:
    return result.verdict is Verdict.VIOLATED


def may_be_reached(construct: AssertionResult) -> bool:
    return not holds_always(construct)


def holds_always(result: AssertionResult) -> bool:
    """Whether no execution of any length fails an assertion."""
    return result.verdict in _NOT_REACHED and result.bound is None


def _unknown(result: AssertionResult, construct: AssertionResult) -> AssertionResult:
    if result.kind == UNSUPPORTED:
        why = Reason(f"{result.description} is not supported", Cause.UNSUPPORTED)
        unclaimed = replace(result, trace=None, assumed=(), confirmed=(), unconfirmed=(), left_open=())
        return replace(unclaimed, verdict=Verdict.UNKNOWN, why=why, bound=None)
    if result.verdict in {Verdict.VIOLATED, Verdict.UNKNOWN}:
        return result
    place = f"{construct.location.file}:{construct.location.line}"
    text = f"executions that reach {construct.description} ({place}), which is not supported, are not covered"
    return replace(result, verdict=Verdict.UNKNOWN, why=Reason(text, Cause.UNSUPPORTED), bound=None)


def _bounded(result: AssertionResult, bound: int | None) -> AssertionResult:
    """The result up to the bound: longer executions may reach a construct that ends them."""
    if result.verdict in _NOT_REACHED and result.bound is None:
        return replace(result, verdict=Verdict.BOUNDED, bound=bound)
    return result
