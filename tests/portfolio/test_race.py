"""Strategies that share processors: turns, messages, and the end of everything."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remuda.portfolio import race as module
from remuda.portfolio.race import Race

if TYPE_CHECKING:
    import pytest

    from remuda.jobs.worker import Outcome, Send


def answer(send: Send, number: int) -> int:
    send(f"working on {number}")
    return number


def work_on(send: Send) -> int:
    send(os.getpid())
    while True:
        pass


def fail(send: Send) -> int:  # noqa: ARG001
    raise RuntimeError("broken")


def finish(race: Race) -> dict[str, Outcome[Any]]:
    found: dict[str, Outcome[Any]] = {}
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
    assert found["broken"].stopped.startswith("crashed")
    assert found["other"].result == 7


def test_who_has_had_a_turn_waits_until_the_others_had_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_TURN", 0.05)
    race = Race(1, lambda _name, _message: None)
    race.add("endless", work_on, tuple)
    race.add("short", answer, lambda: (1,))
    ended: list[tuple[str, Outcome[Any]]] = []
    while not ended:
        ended = race.step()
    assert [name for name, _ in ended] == ["short"]
    race.close()


def count(send: Send, number: int) -> int:
    until = time.process_time() + number * 0.1
    while time.process_time() < until:
        pass
    send(number)
    return number


def test_what_ends_soon_has_only_one_turn_that_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_TURN", 0.02)
    race = Race(1, lambda _name, _message: None)
    race.add("soon", count, lambda: (5,), ends_soon=True)
    race.add("endless", work_on, tuple)
    assert race.begun == []
    order: list[str] = []
    while race.is_running and "soon" not in order:
        order += [name for name, _ in race.step()]
        if race.running == ["endless"]:
            assert race.begun == ["soon", "endless"]
    race.close()
    assert order == ["soon"]


def test_a_process_without_a_processor_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_TURN", 0.05)
    pids: dict[str, int] = {}

    def hear(name: str, message: object) -> None:
        assert isinstance(message, int)
        pids[name] = message

    race = Race(1, hear)
    race.add("one", work_on, tuple)
    race.add("two", work_on, tuple)
    while len(pids) < 2:
        race.step()
    waiting = next(iter(set(pids) - set(race.running)))
    until = time.monotonic() + 10
    while state_of(pids[waiting]) != "T" and time.monotonic() < until:  # a signal takes a moment
        time.sleep(0.01)
    assert state_of(pids[waiting]) == "T"
    race.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids.values())


def test_arguments_are_made_when_a_strategy_begins() -> None:
    known = [0]
    race = Race(1, lambda _name, _message: None)
    race.add("first", answer, lambda: (0,))
    race.add("second", answer, lambda: (known[0],))
    while not race.step():
        pass
    known[0] = 42
    assert finish(race)["second"].result == 42
