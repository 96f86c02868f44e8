"""Strategies in processes that share the processors.

    race = Race(slots=2, hear=knowledge.hear)
    race.add("search", search, (), stays=True)         # keeps its processor until it ends
    race.add("lifted", perform, (job,))                # the others take turns on what is left
    while race.is_running:
        for name, outcome in race.step():
            ...

A process whose turn is over is stopped, not ended, and goes on where it was. Each turn is as long as all turns of the
process before, so that a strategy that would decide everything in a second waits for the others a few seconds at most.
Arguments are made when a process starts, so that it knows what was decided until then.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Final, final

from remuda.jobs.worker import Outcome, Send, Worker

FIRST_TURN: Final = 1.0  # seconds
MOST_STOPPED: Final = 4  # processes that wait in the middle of their work, and keep their memory
MOST_WAIT: Final = 0.05  # seconds between two looks at the clock

Function = Callable[..., object]
Arguments = Callable[[], tuple[Any, ...]]


@final
@dataclass(slots=True, eq=False)
class _Entry:
    name: str
    function: Function
    arguments: Arguments
    stays: bool
    ends_soon: bool
    worker: Worker[Any] | None = None
    used: float = 0.0  # seconds of all turns that are over
    since: float | None = None  # when the present turn began

    @property
    def turn(self) -> float:
        return inf if self.ends_soon and self.used else max(FIRST_TURN, self.used)


@final
class Race:
    """At most `slots` processes run at a time. `hear` gets the name of a strategy and what it has sent."""

    def __init__(self, slots: int, hear: Callable[[str, object], None], memory_mb: int | None = None) -> None:
        self._slots = slots
        self._hear = hear
        self._memory_mb = memory_mb
        self._entries: list[_Entry] = []

    def add(
        self,
        name: str,
        function: Callable[[Send], object] | Function,
        arguments: Arguments,
        *,
        stays: bool = False,
        ends_soon: bool = False,
    ) -> None:
        """Let `function(send, *arguments())` take part. With `stays`, it begins first and is never stopped while there is a
        second processor. With `ends_soon`, its second turn lasts until it ends."""
        entry = _Entry(name, function, arguments, stays and self._slots > 1, ends_soon)
        self._entries.insert(0 if stays else len(self._entries), entry)

    @property
    def is_running(self) -> bool:
        return bool(self._entries)

    @property
    def begun(self) -> list[str]:
        """The strategies that have begun, and have not ended."""
        return [entry.name for entry in self._entries if entry.worker is not None]

    @property
    def running(self) -> list[str]:
        """The strategies that have a processor."""
        return [entry.name for entry in self._entries if entry.since is not None]

    def step(self) -> list[tuple[str, Outcome[Any]]]:
        """Wait a moment for something to happen; what has ended."""
        self._fill()
        poll = select.poll()
        by_descriptor = {entry.worker.fileno(): entry for entry in self._entries if entry.worker is not None}
        for descriptor in by_descriptor:
            poll.register(descriptor, select.POLLIN)
        for descriptor, _ in poll.poll(MOST_WAIT * 1000):
            worker = by_descriptor[descriptor].worker
            assert worker is not None
            worker.receive()
        ended = []
        for entry in by_descriptor.values():
            assert entry.worker is not None
            entry.worker.watch()
            if entry.worker.outcome is not None:
                ended.append((entry.name, entry.worker.outcome))
                self._entries.remove(entry)
        self._rotate()
        return ended

    def close(self) -> list[tuple[str, Outcome[Any]]]:
        """End everything at once; what has been running."""
        ended = []
        for entry in self._entries:
            if entry.worker is not None:
                entry.worker.kill("cancelled")
                assert entry.worker.outcome is not None
                ended.append((entry.name, entry.worker.outcome))
        self._entries.clear()
        return ended

    def _fill(self) -> None:
        while sum(entry.since is not None for entry in self._entries) < self._slots:
            entry = self._next()
            if entry is None:
                return
            if entry.worker is None:
                name = entry.name
                entry.worker = Worker(
                    entry.function,
                    entry.arguments(),
                    memory_mb=self._memory_mb,
                    on_message=lambda message, name=name: self._hear(name, message),  # type: ignore[misc]
                )
            else:
                entry.worker.resume()
            entry.since = time.monotonic()

    def _next(self) -> _Entry | None:
        """The one to go on: of those that wait, the one with the shortest time so far."""
        waiting = [entry for entry in self._entries if entry.since is None]
        stopped = [entry for entry in waiting if entry.worker is not None]
        if len(stopped) >= MOST_STOPPED:
            waiting = stopped
        return min(waiting, key=lambda entry: (not entry.stays, entry.used), default=None)

    def _rotate(self) -> None:
        """End turns that are over, if somebody waits who has had less."""
        now = time.monotonic()
        for entry in self._entries:
            if entry.since is None or entry.stays or now - entry.since < entry.turn:
                continue
            following = self._next()
            used = entry.used + now - entry.since
            if following is not None and following.used < used:
                assert entry.worker is not None
                entry.worker.pause()
                entry.used, entry.since = used, None
