"""A small scheduler for child processes: it limits how many run at a time, and yields results as they arrive.

    with Pool(slots=2) as pool:
        for task in tasks:
            pool.submit(Job(task.name, verify, (task,), seconds=60, memory_mb=4000))
        for name, outcome in pool.results():
            ...                                   # may submit more jobs, or cancel some

Every job has its own child process, so if one is killed or crashes, only its own result is lost. Leaving the `with`
block ends all running jobs.
"""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar, final

from remuda.base.reasons import CANCELLED
from remuda.jobs.worker import Worker, WorkerOutcome

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


@final
@dataclass(frozen=True, slots=True)
class Job(Generic[Key, Result]):
    """A call `function(send, *args)` for a child process, with a key for its outcome."""

    key: Key
    function: Callable[..., Result]
    args: tuple[Any, ...]
    seconds: float | None = None
    memory_mb: int | None = None
    on_message: Callable[[object], None] | None = None


@final
class Pool(Generic[Key, Result]):
    """Runs jobs in the order of their submission, at most `slots` at a time."""

    def __init__(self, slots: int) -> None:
        if slots < 1:
            raise ValueError("a pool needs at least one slot")
        self._slots = slots
        self._waiting: deque[Job[Key, Result]] = deque()
        self._running: dict[int, tuple[Key, Worker[Result]]] = {}  # by the worker's file descriptor

    def __enter__(self) -> Pool[Key, Result]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def submit(self, job: Job[Key, Result]) -> None:
        self._waiting.append(job)

    def cancel(self, key: Key) -> None:
        """Drop a job that waits; end one that runs, whose outcome then says so."""
        self._waiting = deque(job for job in self._waiting if job.key != key)
        for running, worker in self._running.values():
            if running == key:
                worker.stop(CANCELLED)

    def results(self, idle: Callable[[], None] = lambda: None) -> Iterator[tuple[Key, WorkerOutcome[Result]]]:
        """The outcomes in the order in which jobs end, until none is left. `idle` is called regularly, and may submit
        jobs."""
        while self._waiting or self._running:
            self._fill()
            yield from self._step()
            idle()

    def close(self) -> None:
        """End all jobs at once."""
        self._waiting.clear()
        for _, worker in self._running.values():
            worker.kill(CANCELLED)
        self._running.clear()

    def _fill(self) -> None:
        while self._waiting and len(self._running) < self._slots:
            job = self._waiting.popleft()
            worker: Worker[Result] = Worker(
                job.function, job.args, seconds=job.seconds, memory_mb=job.memory_mb, on_message=job.on_message
            )
            self._running[worker.fileno()] = (job.key, worker)

    def _step(self) -> Iterator[tuple[Key, WorkerOutcome[Result]]]:
        """Wait for an event, and yield the outcomes of jobs that have ended."""
        poll = select.poll()
        for descriptor in self._running:
            poll.register(descriptor, select.POLLIN)
        patience = min(worker.patience() for _, worker in self._running.values())
        for descriptor, _ in poll.poll(patience * 1000):
            self._running[descriptor][1].receive()
        ended = []
        for descriptor, (key, worker) in self._running.items():
            worker.watch()
            if worker.outcome is not None:
                ended.append((descriptor, key, worker.outcome))
        for descriptor, _, _ in ended:
            del self._running[descriptor]
        for _, key, outcome in ended:
            yield key, outcome
