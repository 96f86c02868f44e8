"""The pool: all results, in parallel, whatever happens to single workers."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from remuda.base.reasons import CANCELLED, TIMEOUT, Cause, Reason
from remuda.jobs.pool import Job, Pool
from remuda.jobs.processes import family

if TYPE_CHECKING:
    from remuda.jobs.worker import Send


def double(send: Send, number: int) -> int:
    send(number)
    return 2 * number


def kill_itself(send: Send, number: int) -> int:  # noqa: ARG001
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def sleep_long(send: Send, number: int) -> int:  # noqa: ARG001
    time.sleep(1000)
    return 0


def count_siblings(send: Send, number: int) -> int:  # noqa: ARG001
    """How many workers run beside this one, itself included."""
    time.sleep(0.05)
    return len(family(os.getppid())) - 1


def test_all_results_come() -> None:
    with Pool[int, int](slots=3) as pool:
        for number in range(10):
            pool.submit(Job(number, double, (number,)))
        results = dict(pool.results())
    assert {key: outcome.result for key, outcome in results.items()} == {n: 2 * n for n in range(10)}
    assert results[4].messages == (4,)


def test_no_more_than_the_slots_at_a_time() -> None:
    with Pool[int, int](slots=2) as pool:
        for number in range(6):
            pool.submit(Job(number, count_siblings, (number,)))
        counts = [outcome.result for _, outcome in pool.results()]
    assert len(counts) == 6
    assert all(count is not None and count <= 2 for count in counts)


def test_killed_workers_do_not_matter_to_others() -> None:
    with Pool[int, int](slots=2) as pool:
        for number in range(6):
            pool.submit(Job(number, kill_itself if number % 2 else double, (number,)))
        results = dict(pool.results())
    assert [results[n].result for n in (0, 2, 4)] == [0, 4, 8]
    assert {results[n].stopped for n in (1, 3, 5)} == {Reason("crashed: signal 9", Cause.CRASHED)}


def test_limits_are_per_job() -> None:
    with Pool[str, int](slots=2) as pool:
        pool.submit(Job("slow", sleep_long, (0,), seconds=0.2))
        pool.submit(Job("quick", double, (1,), seconds=60))
        results = dict(pool.results())
    assert results["slow"].stopped == TIMEOUT
    assert results["quick"].result == 2


def test_cancel_waiting_and_running() -> None:
    with Pool[str, int](slots=2) as pool:
        for key in ("first", "second", "third"):
            pool.submit(Job(key, sleep_long, (0,)))
        pool.submit(Job("quick", double, (1,)))
        pool.cancel("third")
        results = {}
        pool.cancel("second")
        for key, outcome in pool.results():
            results[key] = outcome
            pool.cancel("first")
    assert results["quick"].result == 2
    assert results["first"].stopped == CANCELLED
    assert set(results) == {"quick", "first"}


def test_jobs_may_be_added_while_results_come() -> None:
    with Pool[int, int](slots=1) as pool:
        pool.submit(Job(0, double, (0,)))
        keys = []
        for key, _ in pool.results():
            keys.append(key)
            if key < 3:
                pool.submit(Job(key + 1, double, (key,)))
    assert keys == [0, 1, 2, 3]


def test_leaving_the_pool_ends_what_runs() -> None:
    with Pool[int, int](slots=2) as pool:
        pool.submit(Job(0, sleep_long, (0,)))
        pool.submit(Job(1, double, (1,)))
        assert next(pool.results())[0] == 1
    assert family(os.getpid()) == [os.getpid()]


def test_a_pool_needs_a_slot() -> None:
    with pytest.raises(ValueError, match="slot"):
        Pool[int, int](slots=0)
