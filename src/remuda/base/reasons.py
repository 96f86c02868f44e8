"""Why a verdict says no more, or why a process has ended early: a cause for programs, and a text for people.

    TIMEOUT.before("bound 8")                          timeout before bound 8
    TIMEOUT.but("no violation up to bound 3")          timeout; no violation up to bound 3
    Reason("f is not supported", Cause.UNSUPPORTED)    f is not supported

Code decides by the cause. It reads no text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, final


class Cause(Enum):
    """The values are those of `cause` in JSON reports."""

    TIME = "timeout"  # a time limit has ended the search
    EFFORT = "effort"  # the solver has spent the effort that it was allowed
    MEMORY = "memory"  # a memory limit has ended the search
    INTERRUPTED = "interrupted"  # the user has ended the run
    UNDECIDED = "undecided"  # no search was asked to decide the assertion, or the run ended before one did
    BOUND = "bound"  # a bound on loops and calls, or on schedules, leaves executions out
    INCOMPLETE = "incomplete"  # the solver cannot decide the query
    UNCONFIRMED = "unconfirmed"  # there is a counterexample, and a replay or a run does not confirm it
    UNSUPPORTED = "unsupported"  # the program has a construct that is not modelled
    DISAGREEMENT = "disagreement"  # strategies, or a proof and an execution, contradict each other
    CANCELLED = "cancelled"  # of a process only: its result is not wanted any more
    CRASHED = "crashed"  # of a process only


@final
@dataclass(frozen=True, slots=True)
class Reason:
    """`text` names the reason. `ahead` is what the search had not reached then, and `details` are clauses that follow."""

    text: str = ""
    cause: Cause | None = None
    ahead: str = ""
    details: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"{self.text} before {self.ahead}" if self.ahead else self.text
        return "; ".join(filter(None, (text, *self.details)))

    def before(self, ahead: str) -> Reason:
        """The same reason, with what the search had not reached then."""
        return replace(self, ahead=ahead)

    def but(self, *details: str) -> Reason:
        """The same reason with more clauses. Empty ones are left out."""
        return replace(self, details=(*self.details, *filter(None, details)))

    def because_of(self, other: Reason) -> Reason:
        """The same reason with the cause of another: a memory limit, say, ended the run before the time limit."""
        return replace(self, cause=other.cause, text=other.text)


NO_REASON: Final = Reason()
TIMEOUT: Final = Reason("timeout", Cause.TIME)
EFFORT: Final = Reason("the effort that was allowed is spent", Cause.EFFORT)
MEMORY: Final = Reason("memory", Cause.MEMORY)
INTERRUPTED: Final = Reason("interrupted", Cause.INTERRUPTED)
CANCELLED: Final = Reason("cancelled", Cause.CANCELLED)
NOT_CHECKED: Final = Reason("not checked", Cause.UNDECIDED)
UNDECIDED: Final = Reason("not decided when the run ended", Cause.UNDECIDED)

CUT_SHORT: Final = frozenset({Cause.TIME, Cause.EFFORT})  # they end a search that could have gone on
