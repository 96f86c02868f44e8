"""Strategies that share processors: turns, messages, and the end of everything."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remuda.base import clock
from remuda.base.reasons import Cause
from remuda.portfolio import race as module
from remuda.portfolio.race import Race

if TYPE_CHECKING:
    import pytest

    from remuda.jobs.worker import Send, WorkerOutcome
    from remuda.portfolio.race import Inbox


def answer(send: Send, inbox: Inbox, number: int) -> int:  # noqa: ARG001
    send(f"working on {number}")
    return number


def work_on(send: Send, inbox: Inbox) -> int:  # noqa: ARG001
    send(os.getpid())
    while True:
        clock.spend(0.01)


def work(send: Send, inbox: Inbox, name: str, steps: int) -> list[str]:
    for number in range(steps):
        clock.spend(0.25)
        send(f"{name}{number}")
    return inbox.decided()


def fail(send: Send, inbox: Inbox) -> int:  # noqa: ARG001
    raise RuntimeError("broken")


def finish(race: Race) -> dict[str, WorkerOutcome[Any]]:
    found: dict[str, WorkerOutcome[Any]] = {}
    while race.is_running:
        found.update(race.step())
    return found


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]


def test_all_results_and_messages_come() -> None:
    heard: list[tuple[str, object]] = []
    race = Race(2, lambda name, message: heard.append((name, message)))
    for number in range(5):
        race.add(f"s{number}", answer, lambda number=number: (number,))  # type: ignore[misc]
    found = finish(race)
    assert {name: outcome.result for name, outcome in found.items()} == {f"s{n}": n for n in range(5)}
    assert sorted(heard) == [(f"s{n}", f"working on {n}") for n in range(5)]


def test_one_that_fails_costs_only_its_own_result() -> None:
    race = Race(1, lambda _name, _message: None)
    race.add("broken", fail, tuple)
    race.add("other", answer, lambda: (7,))
    found = finish(race)
    assert found["broken"].ended_by(Cause.CRASHED)
    assert found["other"].result == 7


def test_who_has_had_a_turn_waits_until_the_others_had_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_TURN", 0.05)
    race = Race(1, lambda _name, _message: None)
    race.add("endless", work_on, tuple)
    race.add("short", answer, lambda: (1,))
    ended: list[tuple[str, WorkerOutcome[Any]]] = []
    while not ended:
        ended = race.step()
    assert [name for name, _ in ended] == ["short"]
    race.close()


def test_a_process_without_a_processor_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_TURN", 0.05)
    pids: dict[str, int] = {}

    def hear(name: str, message: object) -> None:
        assert isinstance(message, int)
        pids[name] = message

    race = Race(2, hear)
    for name in ("one", "two", "three"):
        race.add(name, work_on, tuple)
    while len(pids) < 3:
        race.step()
    waiting = next(iter(set(pids) - set(race.running)))
    until = time.monotonic() + 10
    while state_of(pids[waiting]) != "T" and time.monotonic() < until:  # a signal takes a moment
        time.sleep(0.01)
    assert state_of(pids[waiting]) == "T"
    race.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids.values())


def test_turns_by_work_come_in_the_same_order_every_time() -> None:
    orders = []
    for _ in range(3):
        heard: list[str] = []
        race = Race(1, lambda _name, message, heard=heard: heard.append(str(message)))  # type: ignore[misc]
        race.add("first", work, lambda: ("a", 12))
        race.add("second", work, lambda: ("b", 12))
        finish(race)
        orders.append(heard)
    assert orders[0] == orders[1] == orders[2]
    assert orders[0][:9] == [
        "a0",
        "a1",
        "a2",
        "b0",
        "b1",
        "b2",
        "a3",
        "a4",
        "a5",
    ]  # what ends a turn is said in the next


def test_processes_learn_what_was_decided() -> None:
    race = Race(1, lambda _name, _message: None)
    race.add("first", work, lambda: ("a", 6))
    race.add("second", work, lambda: ("b", 6))
    while not race.is_between_turns or race.now() == 0.0:
        race.step()
    race.note_decided(["x", "y"])
    found = finish(race)
    assert found["first"].result == ["x", "y"]
    assert found["second"].result == []  # its arguments would have said so


def test_arguments_are_made_when_a_strategy_begins() -> None:
    known = [0]
    race = Race(1, lambda _name, _message: None)
    race.add("first", answer, lambda: (0,))
    race.add("second", answer, lambda: (known[0],))
    while not race.step():
        pass
    known[0] = 42
    assert finish(race)["second"].result == 42
