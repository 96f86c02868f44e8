"""The clock of the strategies: it limits how long each may take, and says when its turn is over.

Usually it is the wall clock. A run with `--jobs 1` must be reproducible, so there the clock counts work instead: the
work that solvers report, and executed statements. A second of work takes about a second. Reported times, and the
limits that users set, are always real time.

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
    wait_for_turn: Callable[[float], float] | None  # takes the time of the clock, returns the work of the next turn


_work: _Work | None = None  # None: time is real


def count_work(wait_for_turn: Callable[[float], float] | None = None, turn: float = float("inf")) -> float:
    """Make the clock of this process, and of its later forks, count work. Returns the time that it shows.

    It begins with the time of the wall clock. `turn` is the work of the first turn; `wait_for_turn` returns that of
    the next one."""
    global _work  # noqa: PLW0603 - like the wall clock, there is one for each process
    seconds = float(int(time.monotonic())) if _work is None else _work.seconds
    _work = _Work(seconds, seconds + turn, wait_for_turn)
    return seconds


def count_time() -> None:
    """Make the clock of this process the wall clock, which is the default."""
    global _work  # noqa: PLW0603
    _work = None


def counts_work() -> bool:
    return _work is not None


def now() -> float:
    """Seconds since a fixed moment: of real time, with the same moment for all processes, or of work."""
    if _work is None:
        return time.monotonic()
    spend(READING)
    return _work.seconds


def spend(seconds: float) -> None:
    """Count work. If the turn is over, wait for the next one."""
    if _work is None:
        return
    _work.seconds += UNIT * max(1, round(seconds / UNIT))
    if _work.seconds >= _work.turn_ends and _work.wait_for_turn is not None:
        _work.turn_ends = _work.seconds + _work.wait_for_turn(_work.seconds)


def left_in_turn() -> float:
    """Seconds of work until the turn is over."""
    return float("inf") if _work is None else max(0.0, _work.turn_ends - _work.seconds)


def used() -> float:
    """Seconds of processor time that this process has used, or of work. The load of the machine has no influence."""
    return time.process_time() if _work is None else _work.seconds
