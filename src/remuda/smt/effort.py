"""Questions to solvers within limits: of real time, or of work, which ends a question at the same point every time.

A question that is cut short because a turn is over is asked again in the next turn. Solvers keep what they have learned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from remuda.base import clock
from remuda.base.reasons import Cause
from remuda.smt.solver import Unknown

if TYPE_CHECKING:
    from remuda.smt.solver import Answer

MILLISECONDS: Final = 1000  # in a second
LEAST: Final = 0.001  # seconds of work for a question
FEWEST_SECONDS: Final = 0.5  # of work for a question in what is left of a turn


def ask(effort: Callable[[], float], question: Callable[[float | None], Answer], seconds: float | None) -> Answer:
    """Ask a question, which gets the seconds that it may take; `effort` is what the solver has done, in milliseconds."""
    if not clock.counts_work():
        return question(seconds)
    left = float("inf") if seconds is None else seconds
    while True:
        in_turn = max(FEWEST_SECONDS, clock.left_in_turn())
        limit = min(left, in_turn)
        before = effort()
        answer = question(None if limit == float("inf") else limit)
        is_cut_short = isinstance(answer, Unknown) and answer.why.cause is Cause.TIME
        # What is cut short has spent what it was given, even if the solver did not count its work.
        least = limit if is_cut_short and limit != float("inf") else LEAST
        clock.spend(max(least, (effort() - before) / MILLISECONDS))
        if not is_cut_short or left <= in_turn:
            return answer
        left -= limit
