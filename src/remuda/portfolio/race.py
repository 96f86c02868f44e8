"""Strategies in processes that share the processors.

    race = Race(slots=2, hear=knowledge.hear)
    race.add("search", search, tuple, stays=True)      # keeps its processor until it ends
    race.add("lifted", perform, lambda: (job,))        # the others take turns on what is left
    while race.is_running:
        for name, outcome in race.step():
            ...

A process whose turn is over is stopped, not ended, and goes on where it was. Each turn is as long as all turns of the
process before, so that a strategy that would decide everything in a second waits for the others a few seconds at most.
Seconds are of processor time, so that a busy machine changes little.
Arguments are made when a process starts, so that it knows what was decided until then; what is decided later it finds in
its inbox.

With one slot, turns are measured in work (`base.clock`): a process says itself that its turn is over, and waits. Then the
same program has the same turns, and the same results, every time.
"""

from __future__ import annotations

import json
import os
import select
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, final

from remuda.base import clock
from remuda.base.reasons import CANCELLED
from remuda.jobs.worker import Send, Worker, WorkerOutcome

FIRST_TURN: Final = 1.0  # seconds
MOST_STOPPED: Final = 4  # processes that wait in the middle of their work, and keep their memory
MOST_WAIT: Final = 0.05  # seconds between two looks at the clock
REAL: Final = 0.2  # how much real time counts as processor time, at least
DECIDED, TURN = "decided", "turn"  # what is sent to a process

Function = Callable[..., object]
Arguments = Callable[[], tuple[Any, ...]]


@final
class Inbox:
    """What a process is told while it runs."""

    def __init__(self, reader: int) -> None:
        self._reader = reader
        self._text = b""
        self._decided: list[str] = []
        self._turns: list[float] = []

    def decided(self) -> list[str]:
        """The identifiers of assertions that were decided elsewhere since the last call."""
        while select.select([self._reader], [], [], 0)[0] and self._read():
            pass
        found, self._decided = self._decided, []
        return found

    def wait_for_turn(self) -> float:
        """How long the next turn is, once it has begun."""
        while not self._turns and self._read():
            pass
        return self._turns.pop(0) if self._turns else float("inf")

    def _read(self) -> bool:
        data = os.read(self._reader, 1 << 16)
        *lines, self._text = (self._text + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            self._decided += message.get(DECIDED, ())
            self._turns += message.get(TURN, ())
        return bool(data)


@final
@dataclass(frozen=True, slots=True)
class _TurnOver:
    """What a process says when it has done the work of a turn."""

    used: float


def _take_part(send: Send, reader: int, function: Function, arguments: tuple[Any, ...], turn: float | None) -> object:
    inbox = Inbox(reader)
    if turn is not None:

        def wait_for_turn(shown: float) -> float:
            send(_TurnOver(shown - began))
            return inbox.wait_for_turn()

        began = clock.count_work(wait_for_turn, turn)
    return function(send, inbox, *arguments)


@final
@dataclass(slots=True, eq=False)
class _Entry:
    name: str
    function: Function
    arguments: Arguments
    stays: bool
    worker: Worker[Any] | None = None
    used: float = 0.0  # seconds of all turns that are over
    since: float | None = None  # when the present turn began, by the wall clock
    news: dict[str, None] = field(default_factory=dict)  # decided assertions that it has not been told of
    reader: int = -1
    writer: int = -1

    @property
    def cpu_seconds(self) -> float:
        return 0.0 if self.worker is None else self.worker.cpu_seconds

    @property
    def turn(self) -> float:
        return max(FIRST_TURN, self.used)

    def tell(self, message: dict[str, list[Any]]) -> None:
        """Send a message, unless so many wait that nobody can be reading them."""
        try:
            os.write(self.writer, json.dumps(message).encode() + b"\n")
        except (BlockingIOError, BrokenPipeError):
            return

    def tell_news(self) -> None:
        if self.worker is not None and self.news:
            self.tell({DECIDED: list(self.news)})
        self.news.clear()

    def close(self) -> None:
        for descriptor in (self.reader, self.writer):
            if descriptor >= 0:
                os.close(descriptor)
        self.reader = self.writer = -1


@final
class Race:
    """At most `slots` processes run at a time. `hear` gets the name of a strategy and what it has sent."""

    def __init__(self, slots: int, hear: Callable[[str, object], None], memory_mb: int | None = None) -> None:
        self._slots = slots
        self._by_work = slots == 1
        self._hear = hear
        self._memory_mb = memory_mb
        self._entries: list[_Entry] = []
        self._work = 0.0  # of all processes, in turns that are over
        self._ended = 0.0  # processor time of processes that are gone
        self._began = time.monotonic()

    def add(self, name: str, function: Function, arguments: Arguments, *, stays: bool = False) -> None:
        """Let `function(send, inbox, *arguments())` take part. With `stays`, it begins first and is never stopped while
        there is a second processor."""
        entry = _Entry(name, function, arguments, stays and not self._by_work)
        self._entries.insert(0 if stays else len(self._entries), entry)

    @property
    def is_running(self) -> bool:
        return bool(self._entries)

    @property
    def running(self) -> list[str]:
        """The strategies that have a processor."""
        return [entry.name for entry in self._entries if entry.since is not None]

    def now(self) -> float:
        """Seconds since some moment: of work, if turns are; else of processor time on each of the processors.

        A process that waits for something uses none, so real time counts too, in part."""
        if self._by_work:
            return self._work
        used = self._ended + sum(entry.cpu_seconds for entry in self._entries)
        return max(used / self._slots, REAL * (time.monotonic() - self._began))

    def note_decided(self, identifiers: Iterable[str]) -> None:
        """Tell all processes of assertions that are decided."""
        for entry in self._entries:
            entry.news.update(dict.fromkeys(identifiers))
            if not self._by_work:
                entry.tell_news()

    @property
    def is_between_turns(self) -> bool:
        """Whether what is known now does not depend on the speed of processes: with turns by work, where none runs."""
        return not self._by_work or not self.running

    def step(self) -> list[tuple[str, WorkerOutcome[Any]]]:
        """Wait a moment for something to happen; what has ended."""
        self._fill()
        ended = self._receive()
        self._rotate()
        return ended

    def _receive(self) -> list[tuple[str, WorkerOutcome[Any]]]:
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
                self._remove(entry)
        return ended

    def end(self, names: Collection[str]) -> list[tuple[str, WorkerOutcome[Any]]]:
        """End these processes at once; what has been running."""
        ended = []
        for entry in [entry for entry in self._entries if entry.name in names]:
            if entry.worker is not None:
                entry.worker.kill(CANCELLED)
                assert entry.worker.outcome is not None
                ended.append((entry.name, entry.worker.outcome))
            self._remove(entry)
        return ended

    def close(self) -> list[tuple[str, WorkerOutcome[Any]]]:
        """End everything at once; what has been running."""
        return self.end([entry.name for entry in self._entries])

    def _remove(self, entry: _Entry) -> None:
        self._ended += entry.cpu_seconds
        entry.close()
        self._entries.remove(entry)

    def _fill(self) -> None:
        while sum(entry.since is not None for entry in self._entries) < self._slots:
            entry = self._next()
            if entry is None:
                return
            if entry.worker is None:
                self._start(entry)
            elif self._by_work:
                entry.tell_news()
                entry.tell({TURN: [entry.turn]})
            else:
                entry.worker.resume()
            entry.since = time.monotonic()

    def _start(self, entry: _Entry) -> None:
        entry.reader, entry.writer = os.pipe()
        os.set_blocking(entry.writer, False)
        entry.news.clear()  # its arguments say what is decided
        turn = FIRST_TURN if self._by_work else None

        def receive(message: object) -> None:
            if isinstance(message, _TurnOver):
                self._work += message.used - entry.used
                entry.used, entry.since = message.used, None
            else:
                self._hear(entry.name, message)

        entry.worker = Worker(
            _take_part,
            (entry.reader, entry.function, entry.arguments(), turn),
            memory_mb=self._memory_mb,
            on_message=receive,
        )

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
            if self._by_work or entry.since is None or entry.stays:
                continue
            used = max(entry.cpu_seconds, entry.used + REAL * (now - entry.since))
            if used - entry.used < entry.turn:
                continue
            following = self._next()
            if following is not None and following.used < used:
                assert entry.worker is not None
                entry.worker.pause()
                entry.used, entry.since = used, None
