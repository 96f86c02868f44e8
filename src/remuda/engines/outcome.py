"""The result of an engine for an assertion, and of the confirmation of a violation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.base.reasons import NO_REASON, Reason

if TYPE_CHECKING:
    from remuda.ir.program import Check
    from remuda.ir.trace import Trace
    from remuda.results.report import TraceStep, Verdict
    from remuda.transforms.error_bit import ErrorBitResult

NamedShape = tuple[tuple[int, str, int, int], ...]


@final
@dataclass(frozen=True, slots=True)
class Confirmation:
    """The result of replaying a trace on the original program, and of the other requested confirmations.

    `problem` says why a confirmation failed; empty if the assertion really failed. `assumed` lists conditions that
    could not be evaluated and are assumed. `confirmed` names the ways in which the failure was shown; `unconfirmed`
    lists those that cannot show it, with the reason. `reproduction` is a program that fails in the same way when it
    is run, if one was requested. `left_open` lists the choices that the language leaves open on the execution.
    `is_not_shown` means that the execution only fails in the translated program: another one may also fail when it is
    run.
    """

    problem: str
    steps: tuple[TraceStep, ...] = ()
    assumed: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    reproduction: str = ""
    left_open: tuple[str, ...] = ()
    is_not_shown: bool = False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The part of a program that a proof from an entry depends on: the bodies of the procedures in `inlined`, and
    only the summaries of all other procedures.

    `reach` says that the proof shows that the assertion is not reached, and not only that it does not fail. `shape`
    are the inlined calls: the number of an instance, the callee, the number of earlier calls of that callee in it,
    and the number of the instance that the call leads to. `seconds` is the time of the search.
    """

    code: ErrorBitResult
    entry: str
    inlined: tuple[str, ...]
    shape: NamedShape
    reach: bool
    seconds: float


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """One assertion's verdict as far as one search can tell. `schedules` says that it is about fewer schedules than
    asked for, and why.
    `ground` is what a verdict without a bound rests on, if it is known; of a violation it says where it was found."""

    check: Check
    verdict: Verdict
    why: Reason = NO_REASON
    bound: int | None = None
    confirmation: Confirmation | None = None
    schedules: Reason | None = None
    ground: Ground | None = None


Confirm = Callable[["Trace"], Confirmation]
Announce = Callable[[Outcome], None]
