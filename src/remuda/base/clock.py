"""The clock that strategies go by: how long each may take, and when its turn is over.

It is the wall clock, as a rule. A run that is to be the same every time (`--jobs 1`) counts work instead: what solvers
say they have done, and statements that were executed. A second of work takes about a second. What people see, and the
limits that they set, are about real time in any case.

    clock.count_work(wait_for_turn)      # in a process that shares the processor with others
    clock.spend(0.2)                     # returns when it is this process's turn again
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

UNIT: Final = 2.0**-20  # seconds: whole units add up exactly, whenever a run has begun
READING: Final = 8 * UNIT  # for reading the clock, so that every loop that waits for it ends
INSTANCE: Final = 200 * UNIT  # for inlining a procedure
STATEMENT: Final = 10 * UNIT  # for a statement that is executed on concrete values


@final
@dataclass(slots=True)
class _Work:
    seconds: float
    turn_ends: float
    wait_for_turn: Callable[[float], float] | None  # gets what the clock shows; how much work the next turn is


_work: _Work | None = None  # None: time is real


def count_work(wait_for_turn: Callable[[float], float] | None = None, turn: float = float("inf")) -> float:
    """From now on, this process's clock counts its work, and goes on to do so in a copy of the process. What it shows.

    It begins with the time on the wall clock. A turn takes so much work; `wait_for_turn` gives that of the next one."""
    global _work  # noqa: PLW0603 - like the wall clock, there is one for each process
    seconds = float(int(time.monotonic())) if _work is None else _work.seconds
    _work = _Work(seconds, seconds + turn, wait_for_turn)
    return seconds


def count_time() -> None:
    """From now on, this process's clock is the wall clock, as at its start."""
    global _work  # noqa: PLW0603
    _work = None


def counts_work() -> bool:
    return _work is not None


def now() -> float:
    """Seconds since some moment: of real time, the same for all processes, or of work."""
    if _work is None:
        return time.monotonic()
    spend(READING)
    return _work.seconds


def spend(seconds: float) -> None:
    """Count work. If the turn is over, wait for the next."""
    if _work is None:
        return
    _work.seconds += UNIT * max(1, round(seconds / UNIT))
    if _work.seconds >= _work.turn_ends and _work.wait_for_turn is not None:
        _work.turn_ends = _work.seconds + _work.wait_for_turn(_work.seconds)


def left_in_turn() -> float:
    """Seconds of work until the turn is over."""
    return float("inf") if _work is None else max(0.0, _work.turn_ends - _work.seconds)


def used() -> float:
    """Seconds of processor time that this process has used, or of work. A busy machine makes no difference."""
    return time.process_time() if _work is None else _work.seconds
