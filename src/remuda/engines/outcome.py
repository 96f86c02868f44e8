"""What an engine finds out about an assertion, and what it needs from outside to do so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from remuda.ir.program import Check
    from remuda.ir.trace import Trace
    from remuda.results.report import TraceStep, Verdict


TIMEOUT: Final = "timeout"  # the reason of whoever ran out of time


@final
@dataclass(frozen=True, slots=True)
class Confirmation:
    """The result of replaying a trace on the original program.

    `problem` says why the replay failed; empty if the assertion really failed. `assumed` lists conditions that
    could not be evaluated and are taken on trust. `reproduction` is a program that fails like this when it is run, if
    one was asked for.
    """

    problem: str
    steps: tuple[TraceStep, ...] = ()
    assumed: tuple[str, ...] = ()
    reproduction: str = ""


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """One assertion's verdict as far as one search can tell. `schedules` are those of a search of fewer than asked for."""

    check: Check
    verdict: Verdict
    reason: str = ""
    bound: int | None = None
    confirmation: Confirmation | None = None
    schedules: str = ""


Confirm = Callable[["Trace"], Confirmation]
Announce = Callable[[Outcome], None]
