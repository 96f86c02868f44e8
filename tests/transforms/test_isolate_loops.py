"""Loops as procedures of their own, and loops cut for induction, compared with running the program."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.fragments import caller_tree
from remuda.analysis.loops import find_loops
from remuda.frontends.boogie.load import load
from remuda.ir.check import check
from remuda.ir.printer import print_program
from remuda.ir.program import Assert, Program
from remuda.options import Options
from remuda.prepare.pipeline import base_program
from remuda.replay.explore import ExplorationLimits, explore
from remuda.transforms.induct_loops import InductLoops
from remuda.transforms.isolate_loops import IsolateLoops
from remuda.transforms.lone_procedure import LoneProcedure
from remuda.transforms.make_reducible import MakeReducible
from tests.hypothesis_settings import few, many
from tests.oracle import source
from tests.random_programs import DOMAIN, RandomProgram, random_program

PROGRAMS = st.randoms(use_true_random=False).map(random_program)
LIMITS = ExplorationLimits(steps=3_000, recursion=12)


def reducible(text: str) -> Program:
    return MakeReducible().apply(base_program(load([source(text)]), Options())).program


def isolated(program: Program, *, beside: bool = False) -> Program:
    loops = [each.loop for each in caller_tree(program).fragments.values() if each.loop is not None]
    return IsolateLoops(loops, beside=beside).apply(program).program


def keeps_what_fails(text: str) -> None:
    before = reducible(text)
    after = isolated(before)
    assert check(after) == []
    assert check(isolated(before, beside=True)) == []
    for entry in before.entries:
        one = explore(before, entry=entry, havoc_domain=DOMAIN, limits=LIMITS)
        other = explore(after, entry=entry, havoc_domain=DOMAIN, limits=LIMITS)
        if one.complete and other.complete:
            assert set(one.failing) == set(other.failing)
            assert set(one.reached) == set(other.reached)


def loses_nothing_that_fails(text: str, depth: int) -> None:
    """Where a havoc may be anything the exploration tries too little, so only what fails in the first iterations, and
    where nothing changes, must be found again; the rest is what proofs are tested for."""
    before = reducible(text)
    after = InductLoops(depth).apply(before).program
    assert check(after) == []
    assert not any(find_loops(each).loops for each in after.procedures.values() if each.blocks)
    loops = {
        (name, loop.header): frozenset(loop.blocks)
        for name, procedure in before.procedures.items()
        if procedure.blocks
        for loop in find_loops(procedure).loops
    }
    short = ExplorationLimits(steps=3_000, recursion=2, iterations=depth, loops=loops)
    for entry in before.entries:
        one = explore(before, entry=entry, havoc_domain=DOMAIN, limits=short)
        other = explore(after, entry=entry, havoc_domain=DOMAIN, limits=ExplorationLimits(steps=20_000, recursion=2))
        if "steps" not in other.cut:
            assert set(one.failing) <= set(other.failing)


FIRST_BLOCK = """
procedure main(n: int) {
  var i: int;
  head: i := i + 1; assert i != 2; goto head, out;
  out: assert i > 0;
}
"""
SHARED_STOP = """
procedure main(n: int) {
  var i: int;
  i := 0;
  if (n == 0) { goto stop; }
  while (i < n) { if (i == 3) { goto stop; } i := i + 1; }
  return;
  stop: assume false;
}
"""


@pytest.mark.parametrize("text", [FIRST_BLOCK, SHARED_STOP])
def test_odd_shapes_stay_well_formed(text: str) -> None:
    program = reducible(text)
    assert check(isolated(program)) == []
    for depth in (0, 1, 2):
        assert check(InductLoops(depth).apply(program).program) == []
        assert check(InductLoops(depth).apply(isolated(program)).program) == []


def test_the_body_is_a_procedure_with_what_it_uses() -> None:
    program = reducible("procedure main(n: int) { var i, x: int; h: while (i < n) { i := i + x; } }")
    body = isolated(program).procedures["main/h$body"]
    assert [each.name for each in body.inputs] == ["in$n", "in$i", "in$x"]
    assert [each.name for each in body.outputs] == ["i"]
    assert not find_loops(body).loops


def test_a_lone_procedure_has_the_wanted_assertions_only() -> None:
    program = reducible("""
procedure main() { assert false; call f(1); }
procedure f(x: int) { assert x > 0; call g(); }
procedure g();
""")
    wanted = [
        each.check
        for block in program.procedures["f"].blocks or ()
        for each in block.statements
        if isinstance(each, Assert)
    ]
    lone = LoneProcedure("main", wanted).apply(program).program
    assert check(lone) == []
    text = print_program(lone)
    assert text.count("assert ") == 1
    assert "assert {:remuda 0} 0 < x;" in text
    assert list(lone.procedures) == ["fragment", "f", "g"]


@few(25)
@given(PROGRAMS)
def test_isolated_programs_do_what_they_did(program: RandomProgram) -> None:
    keeps_what_fails(program.text)


@few(20)
@given(PROGRAMS, st.integers(0, 2))
def test_induction_loses_nothing_that_fails(program: RandomProgram, depth: int) -> None:
    loses_nothing_that_fails(program.text, depth)


@pytest.mark.slow
@many(1000)
@given(PROGRAMS)
def test_isolated_programs_do_what_they_did_at_length(program: RandomProgram) -> None:
    keeps_what_fails(program.text)
