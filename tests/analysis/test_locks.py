"""Locks: what counts as one, and where threads need not be interrupted because of it."""

from __future__ import annotations

import pytest

from remuda.analysis.thread_states import UNNOTICED
from remuda.analysis.threads import thread_facts
from remuda.frontends.boogie.load import load
from remuda.ir.edit import targets_of
from remuda.ir.program import Assign
from remuda.options import Options
from remuda.prepare.pipeline import base_program
from remuda.transforms.prune import PruneProcedures
from tests.oracle import source

TAKE = "call corral_atomic_begin(); assume lock == 0; lock := 1; call corral_atomic_end();"
GIVE = "lock := 0;"


def unnoticed(main: str, thread: str, more: str = "") -> list[str]:
    """The globals whose assignments by main and by threads T need no interruption, because of the lock."""
    text = f"""
    var lock, other, x, y: int; var locks: [int]int;
    procedure corral_atomic_begin();
    procedure corral_atomic_end();
    procedure {{:entrypoint}} main() {{ var t: int; lock, other := 0, 0; async call T(); async call T(); {main} }}
    procedure T() {{ var t: int; {thread} }}
    {more}
    """
    base = PruneProcedures().apply(base_program(load([source(text)]), Options())).program
    states = thread_facts(base).states
    return [
        variable.name
        for name, procedure in base.procedures.items()
        for block in procedure.blocks or ()
        for index, statement in enumerate(block.statements)
        if isinstance(statement, Assign) and states[name, block.label][index + 1] & UNNOTICED
        for variable in targets_of(statement)
    ]


def test_accesses_that_all_threads_make_with_the_lock_need_no_interruption() -> None:
    assert unnoticed(f"{TAKE} x := 1; {GIVE}", f"{TAKE} y := x; {GIVE}") == ["x", "y"]


def test_writes_that_others_can_read_are_noticed_and_reads_are_not() -> None:
    assert unnoticed(f"t := x; {TAKE} x := 1; {GIVE}", f"{TAKE} t := x; {GIVE}") == ["t"]


def test_a_lock_of_ones_own_protects_nothing() -> None:
    take_other = TAKE.replace("lock", "other")
    assert unnoticed(f"{TAKE} x := 1; {GIVE}", f"{take_other} x := 2; other := 0;") == []


def test_locks_are_taken_and_given_back_in_callees() -> None:
    more = f"procedure Lock() {{ {TAKE} }} procedure Unlock() {{ {GIVE} }}"
    held = "call Lock(); x := 1; call Unlock();"
    assert unnoticed(held, held, more) == ["x", "x"]
    assert unnoticed(f"{held} x := 2;", held, more) == []


@pytest.mark.parametrize(
    "broken",
    [
        "lock := 0;",  # released by a thread that does not hold it
        "havoc lock;",
        f"if (y == 0) {{ {TAKE} }} x := 1; {GIVE}",  # taken on one way only
        "assume lock == 0; lock := 1; x := 1; lock := 0;",  # in two steps
        f"{TAKE} {GIVE} x := 1;",  # not any more
        f"{TAKE} lock := y; x := 1; {GIVE}",  # maybe not any more
        "call corral_atomic_begin(); assume lock <= 1; lock := 1; call corral_atomic_end(); x := 1; lock := 0;",
    ],
)
def test_conditions_that_are_no_locks(broken: str) -> None:
    assert "x" not in unnoticed(f"{TAKE} x := 1; {GIVE} y := 0;", broken)


def test_a_condition_may_be_read_into_a_local_first() -> None:
    take = "call corral_atomic_begin(); t := lock; assume t == 0; lock := 1; call corral_atomic_end();"
    assert unnoticed(f"{take} x := 1; {GIVE}", f"{take} x := 2; {GIVE}") == ["x", "x"]


def test_places_of_a_map_are_locks() -> None:
    def take(place: int) -> str:
        lines = f"assume locks[{place}] == 0; locks[{place}] := 1;"
        return f"call corral_atomic_begin(); {lines} call corral_atomic_end();"

    other = f"{take(2)} locks[2] := 0;"
    held = f"{take(1)} x := 1; locks[1] := 0;"
    assert (
        unnoticed(f"locks[1] := 0; locks[2] := 0; {held}", f"{held} {other}") == []
    )  # given back by main in company
    assert unnoticed(f"{held} {other}", f"{held} {other}") == ["x", "x"]
    assert unnoticed(f"{held} {other}", f"{held} {take(1)} locks[t] := 0;") == ["x", "x"]
    assert unnoticed(f"{held} {other}", f"{held} {take(2)} locks[t] := 0;") == []  # that may be the other one


def test_cooperative_programs_have_no_need_for_it() -> None:
    assert unnoticed(f"{TAKE} x := 1; {GIVE} yield;", f"{TAKE} x := 1; {GIVE}") == []
