"""What strategies find out for each other: contracts, and globals that had to be tracked."""

from __future__ import annotations

import json

import pytest

from remuda.contracts.inference import infer
from remuda.frontends.boogie.load import load
from remuda.options import Options
from remuda.portfolio.knowledge import Knowledge
from remuda.portfolio.shared import NOTHING, FoundContracts, FoundTracked
from remuda.portfolio.strategies.exchange import read, written
from remuda.prepare.pipeline import Prepared, prepare
from tests.oracle import source

COUNTER = """
var g: int;
procedure {:entrypoint} main(n: int) modifies g; { g := 0; while (g < n) { call step(); } assert g >= 0; }
procedure step() modifies g; { g := g + 1; }
"""


def prepared(text: str) -> Prepared:
    return prepare(load([source(text)]), Options())


def found_in(text: str) -> FoundContracts:
    program = prepared(text)
    found = written(program, infer(program, Options(), None).contracts)
    assert found is not None
    return found


def test_contracts_are_read_in_a_program_that_is_the_same() -> None:
    found = found_in(COUNTER)
    assert found.texts
    again = read(prepared(COUNTER), NOTHING.with_found(found))
    assert len(again) == len(found.texts)
    assert {each.procedure for each in again} <= {"main", "step", "main/loop_head.1"}


@pytest.mark.parametrize("change", [("g + 1", "g - 1"), ("g := 0", "g := 1"), ("g >= 0", "g >= 1")])
def test_contracts_say_nothing_of_another_program(change: tuple[str, str]) -> None:
    other = prepared(COUNTER.replace(*change))
    assert read(other, NOTHING.with_found(found_in(COUNTER))) == []


def test_texts_that_mean_nothing_are_left_out() -> None:
    found = found_in(COUNTER)
    broken = FoundContracts(found.program, ("no contract", json.dumps({"procedure": "main"}), *found.texts))
    assert len(read(prepared(COUNTER), NOTHING.with_found(broken))) == len(found.texts)


def test_knowledge_adds_up() -> None:
    knowledge = Knowledge([])
    for found in (
        FoundContracts("p", ("a",)),
        FoundTracked("main", ("x",)),
        FoundContracts("p", ("a", "b")),
        FoundContracts("q", ("c",)),
        FoundTracked("main", ("y", "x")),
    ):
        knowledge.learn(found)
    assert knowledge.shared.contracts == {"p": ("a", "b"), "q": ("c",)}
    assert knowledge.shared.tracked == {"main": ("x", "y")}
