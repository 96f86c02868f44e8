"""What constructs without a meaning do to the verdicts of others.

A front end puts an assertion of the kind `unsupported` where a construct stands that it cannot model, and cuts
executions off behind it. If none gets there, nothing is lost. Otherwise only violations, which are executions of their
own, may be claimed, and what is known of assertions that executions come to before the construct only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from remuda.base.reasons import Cause, Reason
from remuda.results.report import AssertionResult, Verdict

UNSUPPORTED: Final = "unsupported"

_NOT_REACHED: Final = frozenset({Verdict.PROVED, Verdict.UNREACHABLE})


Before = Mapping[str, Collection[str]]  # by the identifier of a construct: assertions that come before it only


def settle(results: Iterable[AssertionResult], before: Before | None = None) -> list[AssertionResult]:
    """The results as they may be claimed; of unsupported constructs, only those that may be reached are left."""
    listed = list(results)
    others = [result for result in listed if result.kind != UNSUPPORTED]
    if others and all(result.verdict is Verdict.VIOLATED for result in others):  # nothing depends on the constructs
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
    """What may be claimed of an assertion if executions may reach these constructs."""
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
    """Whether no execution fails an assertion, whatever its length."""
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
    """Beyond the bound, executions may reach a construct that cuts them off."""
    if result.verdict in _NOT_REACHED and result.bound is None:
        return replace(result, verdict=Verdict.BOUNDED, bound=bound)
    return result
