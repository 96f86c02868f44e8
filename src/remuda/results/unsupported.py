"""What constructs without a meaning do to the verdicts of others.

A front end puts an assertion of the kind `unsupported` where a construct stands that it cannot model, and cuts
executions off behind it. If none gets there, nothing is lost. Otherwise only violations, which are executions of their
own, may be claimed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from remuda.results.report import AssertionResult, Verdict

UNSUPPORTED: Final = "unsupported"

_NOT_REACHED: Final = frozenset({Verdict.PROVED, Verdict.UNREACHABLE})


def settle(results: Iterable[AssertionResult]) -> list[AssertionResult]:
    """The results as they may be claimed; of unsupported constructs, only those that may be reached are left."""
    listed = list(results)
    others = [result for result in listed if result.kind != UNSUPPORTED]
    if others and all(result.verdict is Verdict.VIOLATED for result in others):  # nothing depends on the constructs
        return [
            result if result.kind != UNSUPPORTED else _unknown(result, result)
            for result in listed
            if _is_reached(result)
        ]
    constructs = [result for result in listed if result.kind == UNSUPPORTED and not _is_out_of_reach(result)]
    if not constructs:
        return [result for result in listed if result.kind != UNSUPPORTED]
    in_doubt = [result for result in constructs if result.verdict is not Verdict.BOUNDED]
    if in_doubt:
        return [
            _unknown(result, result if result in in_doubt else in_doubt[0])
            for result in listed
            if result.kind != UNSUPPORTED or result in in_doubt
        ]
    bound = constructs[0].bound
    return [_bounded(result, bound) for result in listed if result.kind != UNSUPPORTED]


def _is_reached(result: AssertionResult) -> bool:
    return result.verdict is Verdict.VIOLATED


def _is_out_of_reach(result: AssertionResult) -> bool:
    return result.verdict in _NOT_REACHED and result.bound is None


def _unknown(result: AssertionResult, construct: AssertionResult) -> AssertionResult:
    if result.kind == UNSUPPORTED:
        reason = f"{result.description} is not supported"
        unclaimed = replace(result, trace=None, assumed=(), confirmed=(), unconfirmed=(), left_open=())
        return replace(unclaimed, verdict=Verdict.UNKNOWN, reason=reason, bound=None)
    if result.verdict in {Verdict.VIOLATED, Verdict.UNKNOWN}:
        return result
    place = f"{construct.location.file}:{construct.location.line}"
    reason = f"executions that reach {construct.description} ({place}), which is not supported, are not covered"
    return replace(result, verdict=Verdict.UNKNOWN, reason=reason, bound=None)


def _bounded(result: AssertionResult, bound: int | None) -> AssertionResult:
    """Beyond the bound, executions may reach a construct that cuts them off."""
    if result.verdict in _NOT_REACHED and result.bound is None:
        return replace(result, verdict=Verdict.BOUNDED, bound=bound)
    return result
