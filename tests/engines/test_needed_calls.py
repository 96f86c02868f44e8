"""A proof is stored with the calls that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from remuda.engines.needed_calls import with_needed_calls
from remuda.engines.outcome import Ground
from remuda.engines.solver_setup import SolverSetup
from remuda.options import Options
from remuda.prepare.load import load
from remuda.prepare.pipeline import prepare
from remuda.results.report import Statistics
from remuda.vc.interface import interfaces
from tests.oracle import source

if TYPE_CHECKING:
    from remuda.engines.inlining import Inlining
    from remuda.prepare.pipeline import Prepared

PROGRAM = """
var g: int; var h: int;
procedure {:entrypoint} main() { call set(); call other(); call deep(); assert g == 1; assert h >= 0; }
procedure set() modifies g; { g := 1; }
procedure other() modifies h; { h := h * h; }
procedure deep() modifies h; { call other(); call other(); }
"""
SHAPE = ((0, "set", 0, 1), (0, "other", 0, 2), (0, "deep", 0, 3), (3, "other", 0, 4), (3, "other", 1, 5))


def prepared() -> Prepared:
    program, options = load([source(PROGRAM)], Options())
    return prepare(program, options)


def loader(program: Prepared, solver_name: str) -> Inlining:
    code = program.instrumented
    faces = interfaces(code.program, summaries="modset")
    return SolverSetup(solver_name, "ite").inlining(code, faces, Statistics())


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_only_what_is_needed_is_left(solver: str) -> None:
    program = prepared()
    first = program.checks["random.bpl:main:assert:1"]
    ground = Ground(program.instrumented, "main", ("deep", "main", "other", "set"), SHAPE, reach=False, seconds=0.0)
    found = with_needed_calls(ground, [first], lambda: loader(program, solver), 20.0)
    assert found.inlined == ("main", "set")
    assert found.shape == ((0, "set", 0, 1),)


def test_without_a_smaller_proof_the_ground_is_unchanged() -> None:
    program = prepared()
    ground = Ground(program.instrumented, "main", ("main",), (), reach=False, seconds=0.0)
    found = with_needed_calls(ground, list(program.checks.values()), lambda: loader(program, "z3"), 20.0)
    assert found is ground
