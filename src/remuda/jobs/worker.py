"""Runs one function call in a child process, under hard limits on time and memory.

    outcome = run_limited(check, (program, options), seconds=60, memory_mb=4000, on_message=show)

runs `check(send, program, options)` in a forked child. Each message that the function passes to `send` is passed to
`on_message` in the parent at once; the result is in `outcome.result`. If the child exceeds a limit, crashes, or is
interrupted from the keyboard, it is killed with all processes that it started. Then `outcome.stopped` says why, and
its messages are kept.

A fork takes about a millisecond, and copies no arguments. The parent must not have loaded a solver before it. When
the parent ends, for whatever reason, so does the child.
"""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import struct
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, Never, TypeAlias, TypeVar, TypeVarTuple, final

from remuda.base.errors import RemudaError, ToolError
from remuda.base.reasons import CANCELLED, INTERRUPTED, MEMORY, TIMEOUT, Cause, Reason
from remuda.jobs.processes import family_usage, prepare_tie, send_signal, tie_to_parent

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")
Send: TypeAlias = Callable[[object], None]

POLL_SECONDS: Final = 0.1  # how often limits are checked
GRACE_SECONDS: Final = 0.3  # between asking a process to end and killing it
NEARLY_FULL: Final = 0.9  # a crash with this share of the memory in use counts as lack of memory
HEADER: Final = struct.Struct("<cQ")
ENDING_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

MESSAGE: Final = b"m"
RESULT: Final = b"r"
ERROR: Final = b"e"
CRASH: Final = b"c"
NO_MEMORY: Final = b"n"


@final
@dataclass(frozen=True, slots=True)
class WorkerOutcome(Generic[Result]):
    """The end of a child, and its usage.

    `stopped` is None if the function returned or raised one of Remuda's errors. Its cause is else `TIME`, `MEMORY`,
    `INTERRUPTED`, `CANCELLED` or `CRASHED`, whose text names the signal or the exception; `detail` is then the
    traceback, if there is one. A child with a `grace` may have a result all the same. `messages` are all that the
    child has sent, in order.
    """

    result: Result | None
    error: RemudaError | None
    stopped: Reason | None
    detail: str
    messages: tuple[object, ...]
    seconds: float
    cpu_seconds: float
    memory_mb: float  # the greatest usage at one time

    def ended_by(self, *causes: Cause) -> bool:
        """Whether one of these causes ended the child."""
        return self.stopped is not None and self.stopped.cause in causes


@final
class Worker(Generic[Result]):
    """A running child. Its owner waits for `fileno()` to become readable, then calls `receive`; and calls
    `watch` about ten times a second, until `outcome` is there."""

    def __init__(
        self,
        function: Callable[[Send, *Arguments], Result],
        args: tuple[*Arguments],
        *,
        seconds: float | None = None,
        memory_mb: int | None = None,
        on_message: Callable[[object], None] | None = None,
        grace: float | None = None,
    ) -> None:
        """Start the child. With `grace`, a child that must end gets an interrupt, and this many seconds to return its
        result."""
        self.outcome: WorkerOutcome[Result] | None = None
        self._grace = grace
        self._memory_mb = memory_mb
        self._on_message = on_message
        self._messages: list[object] = []
        self._buffer = bytearray()
        self._final: tuple[bytes, Any] | None = None
        self._stopped: Reason | None = None
        self._kill_at: float | None = None
        self._cpu_seconds = 0.0
        self._peak_mb = 0.0
        self._started = time.monotonic()
        self._deadline = None if seconds is None else self._started + seconds
        self._reader, writer = os.pipe()
        self._pid = self._fork(function, args, writer)
        os.close(writer)
        os.set_blocking(self._reader, False)

    def _fork(self, function: Callable[[Send, *Arguments], Result], args: tuple[*Arguments], writer: int) -> int:
        prepare_tie()
        for stream in filter(None, (sys.stdout, sys.stderr)):  # a process may have none
            stream.flush()  # otherwise, parent and child would both write the buffered text
        parent = os.getpid()
        # Signals are blocked until the child has its own handlers: it must not run those of the parent.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)
        try:
            with warnings.catch_warnings():
                # Python 3.12 warns if a caller has threads; but the child uses no lock that they could hold.
                warnings.simplefilter("ignore", DeprecationWarning)
                pid = os.fork()
            if pid == 0:
                _run_child(function, args, writer, parent, self._memory_mb, blocked)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        return pid

    def fileno(self) -> int:
        return self._reader

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def cpu_seconds(self) -> float:
        """Processor time of the child and all that it has started, when `watch` was called last."""
        return self._cpu_seconds

    def patience(self) -> float:
        """The longest time that the owner may wait before it calls `watch` again."""
        now = time.monotonic()
        moments = [now + POLL_SECONDS]
        if self._kill_at is not None:
            moments.append(self._kill_at)
        elif self._deadline is not None:
            moments.append(self._deadline)
        return max(0.0, min(moments) - now)

    def receive(self) -> None:
        """Read the messages of the child; at its end, collect the outcome."""
        try:
            data = os.read(self._reader, 1 << 20)
        except BlockingIOError:
            return
        self._buffer += data
        for kind, body in self._frames():
            if kind == MESSAGE:
                self._messages.append(body)
                if self._on_message is not None:
                    self._on_message(body)
            else:
                self._final = (kind, body)
        if self._final is not None or not data:
            self._collect()

    def _frames(self) -> Iterator[tuple[bytes, Any]]:
        while len(self._buffer) >= HEADER.size:
            kind, length = HEADER.unpack_from(self._buffer)
            end = HEADER.size + length
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[HEADER.size : end])
            del self._buffer[:end]  # before it is passed on, so that an interrupt does not repeat it
            yield kind, pickle.loads(body)

    def watch(self) -> None:
        """Check the limits, and end the child if it exceeds one."""
        if self.outcome is not None:
            return
        now = time.monotonic()
        if self._kill_at is not None:
            if now >= self._kill_at:
                self._collect()
            return
        self._measure()
        if self._deadline is not None and now >= self._deadline:
            self.stop(TIMEOUT)
        elif self._memory_mb is not None and self._peak_mb > self._memory_mb:
            self.stop(MEMORY)

    def _measure(self) -> None:
        usage = family_usage(self._pid)
        self._cpu_seconds = max(self._cpu_seconds, usage.cpu_seconds)
        self._peak_mb = max(self._peak_mb, usage.memory_mb)

    def stop(self, why: Reason) -> None:
        """Ask the child to end; `watch` ends it if it does not."""
        if self.outcome is None and self._kill_at is None:
            self._measure()
            self._stopped = why
            self._kill_at = time.monotonic() + (GRACE_SECONDS if self._grace is None else self._grace)
            send_signal(self._pid, signal.SIGTERM if self._grace is None else signal.SIGINT)

    def pause(self) -> None:
        """Stop the child, and all processes that it has started, until `resume`."""
        if self.outcome is None:
            send_signal(self._pid, signal.SIGSTOP)

    def resume(self) -> None:
        if self.outcome is None:
            send_signal(self._pid, signal.SIGCONT)

    def kill(self, why: Reason) -> None:
        """End the child now, without grace."""
        if self.outcome is None:
            self._stopped = self._stopped or why
            self._collect()

    def _collect(self) -> None:
        """End what is left of the child and say how it went."""
        if self._final is None and self._stopped is None:
            status, used = self._wait_for_exit()
        else:
            send_signal(self._pid, signal.SIGKILL)
            _, status, used = os.wait4(self._pid, 0)
        os.close(self._reader)
        self._cpu_seconds = max(self._cpu_seconds, used.ru_utime + used.ru_stime)
        self._peak_mb = max(self._peak_mb, used.ru_maxrss * 1024 / 1e6)
        self.outcome = self._make_outcome(status)

    def _wait_for_exit(self) -> tuple[int, resource.struct_rusage]:
        """Wait for a child that has closed its pipe without a result. Its exit status says why."""
        give_up = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < give_up:
            pid, status, used = os.wait4(self._pid, os.WNOHANG)
            if pid:
                return status, used
            time.sleep(0.001)
        send_signal(self._pid, signal.SIGKILL)
        _, status, used = os.wait4(self._pid, 0)
        return status, used

    def _make_outcome(self, status: int) -> WorkerOutcome[Result]:
        kind: bytes
        body: Any
        kind, body = self._final or (CRASH, (_ending(status), ""))
        stopped: Reason | None = None
        detail, result, error = "", None, None
        if kind == RESULT:
            result, stopped = body, None if self._grace is None else self._stopped
        elif kind == ERROR and isinstance(body, ToolError) and self._memory_nearly_full():
            stopped = MEMORY  # of which a tool needs more than is left: to be loaded, say
        elif kind == ERROR:
            error = body
        elif self._stopped is not None:
            stopped = self._stopped
        elif kind == NO_MEMORY or self._memory_nearly_full():
            stopped = MEMORY
        else:
            cause, detail = body
            stopped = Reason(f"crashed: {cause}", Cause.CRASHED)
        return WorkerOutcome(
            result=result,
            error=error,
            stopped=stopped,
            detail=detail,
            messages=tuple(self._messages),
            seconds=time.monotonic() - self._started,
            cpu_seconds=self._cpu_seconds,
            memory_mb=self._peak_mb,
        )

    def _memory_nearly_full(self) -> bool:
        return self._memory_mb is not None and self._peak_mb > NEARLY_FULL * self._memory_mb


def run_limited(
    function: Callable[[Send, *Arguments], Result],
    args: tuple[*Arguments],
    *,
    seconds: float | None = None,
    memory_mb: int | None = None,
    on_message: Callable[[object], None] | None = None,
    on_idle: Callable[[], None] | None = None,
    grace: float | None = None,
) -> WorkerOutcome[Result]:
    """Run `function(send, *args)` in a child process. Remuda's own errors in the child are raised here again."""
    worker = Worker(function, args, seconds=seconds, memory_mb=memory_mb, on_message=on_message, grace=grace)
    try:
        outcome = wait(worker, on_idle)
    except KeyboardInterrupt:
        worker.stop(INTERRUPTED)
        outcome = wait(worker)
    finally:
        worker.kill(CANCELLED)  # only if `on_message` raised, or a second interrupt came
    if outcome.error is not None:
        raise outcome.error
    return outcome


def wait(worker: Worker[Result], on_idle: Callable[[], None] | None = None) -> WorkerOutcome[Result]:
    """Take in what a child says until it has ended; `on_idle` is called where it says nothing for a moment."""
    poll = select.poll()
    poll.register(worker.fileno(), select.POLLIN)
    while worker.outcome is None:
        if poll.poll(worker.patience() * 1000):
            worker.receive()
        elif on_idle is not None:
            on_idle()
        worker.watch()
    return worker.outcome


def _ending(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _run_child(
    function: Callable[[Send, *Arguments], Result],
    args: tuple[*Arguments],
    writer: int,
    parent: int,
    memory_mb: int | None,
    blocked: Iterable[int],
) -> Never:
    """Run the function in the child, and exit. This must never return into the parent's code."""
    try:
        os.setsid()
        for number in ENDING_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        tie_to_parent(parent)
        if memory_mb is not None:
            _limit_address_space(memory_mb)
        _write(writer, *_call(function, args, writer))
    finally:
        os._exit(0)


def _call(
    function: Callable[[Send, *Arguments], Result], args: tuple[*Arguments], writer: int
) -> tuple[bytes, bytes]:
    """Call the function. Returns its pickled result, or the error."""

    def send(message: object) -> None:
        _write(writer, MESSAGE, pickle.dumps(message))

    try:
        return RESULT, pickle.dumps(function(send, *args))
    except RemudaError as error:
        return ERROR, pickle.dumps(error)
    except MemoryError:
        return NO_MEMORY, pickle.dumps(None)
    except Exception as error:  # noqa: BLE001 (the edge of the process: the parent reports it)
        cause = f"{type(error).__name__}: {error}"
        return CRASH, pickle.dumps((cause, traceback.format_exc()))


def _write(writer: int, kind: bytes, body: bytes) -> None:
    view = memoryview(HEADER.pack(kind, len(body)) + body)
    while view:
        view = view[os.write(writer, view) :]


def _limit_address_space(memory_mb: int) -> None:
    """Limit the address space, in case memory grows faster than the parent checks it. Solvers reserve more address
    space than they use, so this limit is well above the one that the parent enforces."""
    limit = _address_space() + 2 * memory_mb * 1_000_000 + 512_000_000
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = min(limit, sys.maxsize)  # the greatest limit that Python accepts
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _address_space() -> int:
    """The mapped address space of this process, in bytes."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
