"""What an engine finds out about an assertion, and what it needs from outside to do so."""

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
    """The result of replaying a trace on the original program, and of the other confirmations that were asked for.

    `problem` says why a confirmation failed; empty if the assertion really failed. `assumed` lists conditions that
    could not be evaluated and are taken on trust. `confirmed` names the ways in which the failure was shown,
    `unconfirmed` lists those that cannot show it, with the reason. `reproduction` is a program that fails like this when
    it is run, if one was asked for. `left_open` lists what the language leaves open on the execution. `is_not_shown` says
    of a problem that the execution fails in the program as it was translated, and only there: another may fail everywhere.
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
    """What a proof from an entry of a program rests on: the bodies of the procedures in `inlined`, and of the other
    procedures no more than what is known of their calls.

    `reach` says that it was refuted that the assertion is reached, not only that it fails. `shape` are the calls that were
    inlined: the number of an instance, what it calls there, the how manieth such call it is, the number of the instance
    that the call leads to. `seconds` is what the search has taken.
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
