"""Workers: results, messages and errors come back; limits hold; nothing is left running."""

from __future__ import annotations

import faulthandler
import os
import signal
import subprocess
import sys
import time

import pytest

from remuda.base.errors import Diagnostic, FileError, InputError, Unsupported
from remuda.base.reasons import CANCELLED, INTERRUPTED, MEMORY, TIMEOUT, Cause, Reason
from remuda.base.source import Source, Span
from remuda.jobs.processes import family
from remuda.jobs.worker import Send, Worker, run_limited
from tests.patience import is_alive, wait_until_dead


def add(send: Send, first: int, second: int) -> int:
    send("adding")
    return first + second


def sleep_long(send: Send) -> None:
    send("asleep")
    time.sleep(1000)


def spin_deaf(send: Send) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    send("deaf")
    while True:
        pass


def eat_memory(send: Send) -> None:
    kept = []
    while True:
        kept.append(bytearray(10_000_000))
        send(len(kept))
        time.sleep(0.01)


def eat_memory_at_once(send: Send) -> None:
    send("starting")
    block = bytearray(1_000_000)
    while True:
        block = block + block


def end_by_signal(send: Send, number: int) -> None:
    faulthandler.disable()  # pytest's, which would print the whole stack
    send("before")
    os.kill(os.getpid(), number)


def fail(send: Send, error: Exception) -> None:
    send("before")
    raise error


def return_unpicklable(send: Send) -> object:  # noqa: ARG001
    return lambda: 1


def send_much(send: Send, count: int) -> int:
    for index in range(count):
        send("x" * 10_000 + str(index))
    return count


def start_sleeper(send: Send) -> None:
    with subprocess.Popen(["sleep", "1000"], start_new_session=True) as child:
        send(child.pid)
        child.wait()


def test_a_result_comes_back_with_messages_and_costs() -> None:
    seen: list[object] = []
    outcome = run_limited(add, (20, 22), seconds=60, memory_mb=1000, on_message=seen.append)
    assert outcome.result == 42
    assert outcome.stopped is None
    assert seen == list(outcome.messages) == ["adding"]
    assert outcome.memory_mb > 1
    assert outcome.cpu_seconds >= 0


def test_many_messages_arrive_in_order() -> None:
    outcome = run_limited(send_much, (300,))
    assert outcome.result == 300
    assert [str(message)[10_000:] for message in outcome.messages] == [str(index) for index in range(300)]


@pytest.mark.parametrize("function", [sleep_long, spin_deaf])
def test_time_limit(function: type) -> None:
    outcome = run_limited(function, (), seconds=0.3)
    assert outcome.stopped == TIMEOUT
    assert outcome.result is None
    assert len(outcome.messages) == 1


@pytest.mark.parametrize("function", [eat_memory, eat_memory_at_once])
def test_memory_limit(function: type) -> None:
    outcome = run_limited(function, (), seconds=60, memory_mb=200)
    assert outcome.stopped == MEMORY
    assert outcome.messages


def test_a_memory_limit_may_be_more_than_there_is() -> None:
    assert run_limited(add, (1, 2), memory_mb=10**20).result == 3


def test_standard_streams_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert run_limited(add, (1, 2)).result == 3


def test_processor_time_of_a_killed_child_is_counted() -> None:
    outcome = run_limited(spin_deaf, (), seconds=0.5)
    assert outcome.cpu_seconds > 0


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_crash_by_signal(number: signal.Signals) -> None:
    outcome = run_limited(end_by_signal, (int(number),), seconds=60, memory_mb=1000)
    assert outcome.stopped == Reason(f"crashed: signal {int(number)}", Cause.CRASHED)
    assert outcome.messages == ("before",)


def test_crash_by_exception_keeps_the_traceback() -> None:
    outcome = run_limited(fail, (ValueError("bad luck"),))
    assert outcome.stopped == Reason("crashed: ValueError: bad luck", Cause.CRASHED)
    assert "in fail" in outcome.detail
    assert outcome.messages == ("before",)


def test_a_result_that_cannot_travel_is_a_crash() -> None:
    assert run_limited(return_unpicklable, ()).ended_by(Cause.CRASHED)


def test_memory_error_is_memory() -> None:
    assert run_limited(fail, (MemoryError(),)).stopped == MEMORY


def test_input_errors_are_raised_as_themselves() -> None:
    span = Span(Source("a.bpl", "var x;\nvar x;"), 11, 12)
    with pytest.raises(InputError) as caught:
        run_limited(fail, (InputError([Diagnostic(span, "declared twice")]),))
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.message == "declared twice"
    assert str(diagnostic.span) == "a.bpl:2:5"
    assert "declared twice" in str(caught.value)


def test_unsupported_and_file_errors_are_raised_as_themselves() -> None:
    with pytest.raises(Unsupported) as caught:
        run_limited(fail, (Unsupported(None, "yield"),))
    assert caught.value.construct == "yield"
    with pytest.raises(FileError, match="gone"):
        run_limited(fail, (FileError("gone"),))


def test_processes_that_a_child_started_end_with_it() -> None:
    outcome = run_limited(start_sleeper, (), seconds=0.5)
    [pid] = outcome.messages
    assert isinstance(pid, int)
    wait_until_dead(pid)


def test_an_error_in_the_callback_ends_the_child() -> None:
    def refuse(message: object) -> None:
        raise RuntimeError(message)

    with pytest.raises(RuntimeError, match="asleep"):
        run_limited(sleep_long, (), on_message=refuse)
    assert family(os.getpid()) == [os.getpid()]


def test_interrupt_keeps_what_was_received() -> None:
    def interrupt(message: object) -> None:
        if message == "asleep":
            os.kill(os.getpid(), signal.SIGINT)

    outcome = run_limited(sleep_long, (), on_message=interrupt)
    assert outcome.stopped == INTERRUPTED
    assert outcome.messages == ("asleep",)


def test_a_worker_can_be_killed_by_its_owner() -> None:
    worker: Worker[None] = Worker(sleep_long, ())
    worker.kill(CANCELLED)
    assert worker.outcome is not None
    assert worker.outcome.stopped == CANCELLED
    assert not is_alive(worker.pid)


PARENT = """
import time
from remuda.jobs.worker import run_limited

def sleep_long(send):
    import os
    send(os.getpid())
    time.sleep(1000)

run_limited(sleep_long, (), on_message=lambda pid: print(pid, flush=True))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs prctl")
def test_the_child_dies_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.kill()
    wait_until_dead(child)
