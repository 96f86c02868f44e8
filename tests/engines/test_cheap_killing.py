"""Candidates that are dropped before Houdini begins: those that an execution contradicts, and no others."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from remuda.engines.bounded_violations import without_violated
from remuda.engines.bounds import Bounds
from remuda.engines.contract_candidates import InferenceLimits, infer_contracts
from remuda.engines.inlining import Inlining
from remuda.engines.sampling import Sampling
from remuda.engines.solver_setup import SolverSetup
from remuda.engines.templates import Templates
from remuda.frontends.boogie.load import load
from remuda.ir.term_text import term_text
from remuda.options import Options
from remuda.prepare.pipeline import prepare
from remuda.results.report import Statistics
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL
from remuda.transforms.add_contracts import Candidate, Contract
from remuda.vc.interface import interfaces
from tests.oracle import source
from tests.random_programs import random_program

if TYPE_CHECKING:
    from remuda.smt.solver import Solver

LONG = 60.0


class Looked:
    """A program, its suggested candidates, and those that each kind of refutation leaves."""

    def __init__(self, text: str) -> None:
        self.code = prepare(load([source(text)]), Options(unroll=False)).instrumented
        self.program = self.code.program
        self.faces = interfaces(self.program, summaries="modset")
        templates = Templates(self.code)
        self.suggested = [
            contract
            for name, procedure in self.program.procedures.items()
            if procedure.blocks is not None
            for contract in templates.propose(procedure, self.faces[name])
        ]

    def sampled(self) -> list[Contract]:
        return Sampling(self.code).without_contradicted(self.suggested, self.program.entries, LONG)

    def within_bound(self) -> list[Contract]:
        left = self.suggested
        for entry in self.program.entries:
            inlining = Inlining(self.program, self.faces, self.solver(), Statistics(), joins="equations")
            left = without_violated(inlining, entry, Bounds(1), left, self.effort())
        return left

    def holding(self, contracts: list[Contract]) -> list[Contract]:
        candidates = [
            Candidate(Variable(f"c{number}", BOOL, VariableKind.CONSTANT), each)
            for number, each in enumerate(contracts)
        ]
        kept = infer_contracts(self.program, self.faces, candidates, self.solver, "equations", self.effort()).kept
        return [each.contract for each in candidates if each.guard in kept]

    def effort(self) -> InferenceLimits:
        return InferenceLimits(LONG, time.monotonic() + LONG, time.monotonic)

    def solver(self) -> Solver:
        solver = SolverSetup("z3", "equations").for_code(self.code)
        solver.add(solver.not_(solver.translate(self.program.terms.var(self.code.reach))))
        return solver


def said(contracts: list[Contract]) -> set[str]:
    return {
        f"{each.procedure} {kind} {term_text(term).removeprefix('failed$ || ')}"
        for each in contracts
        for kind, term in (("requires", each.requires), ("ensures", each.ensures))
        if term is not None
    }


LOCK = """
const limit: int; axiom limit == 3;
function half(x: int): int; axiom (forall x: int :: half(2 * x) == x);
type T; const unique a, b: T;
var held, count: int; var owner: T;
procedure {:entrypoint} main() modifies held, count, owner;
{
  held, count, owner := 0, 0, a;
  while (*) { call Acquire(b); call Release(); }
  assert held == 0;
}
procedure Acquire(t: T) modifies held, count, owner; { assert held == 0; held := 1; owner := t; count := count + 1; }
procedure Release() modifies held; { assert held == 1; held := 0; }
"""


def test_runs_contradict_much_and_nothing_that_holds() -> None:
    looked = Looked(LOCK)
    left, all_ = said(looked.sampled()), said(looked.suggested)
    assert "Acquire requires held == 0" in left
    assert {"Acquire requires held == 1", "Acquire ensures held == 0", "Release ensures held == 1"} <= all_ - left
    assert said(looked.holding(looked.suggested)) <= left


def test_executions_within_the_bound_contradict_much_and_nothing_that_holds() -> None:
    looked = Looked(
        LOCK.replace("while (*) { call Acquire(b); call Release(); }", "call Acquire(b); call Release();")
    )
    left, all_ = said(looked.within_bound()), said(looked.suggested)
    assert "Acquire requires held == 0" in left
    assert {"Acquire requires held == 1", "Acquire ensures held == 0"} <= all_ - left
    assert said(looked.holding(looked.suggested)) <= left


@pytest.mark.parametrize("first", range(0, 24, 6))
def test_only_contradicted_candidates_are_dropped_in_random_programs(first: int) -> None:
    dropped = 0
    for seed in range(first, first + 6):
        looked = Looked(random_program(Random(seed)).text)
        holding = looked.holding(looked.suggested)
        for left in (looked.sampled(), looked.within_bound()):
            dropped += len(looked.suggested) - len(left)
            assert looked.holding(left) == holding, seed
    assert dropped > 0


def test_axioms_that_chance_does_not_meet_stop_nothing_but_what_they_are_about() -> None:
    text = """
    function f(x: int): int; axiom (forall x: int :: f(x) > x);
    var g: int;
    procedure {:entrypoint} main() modifies g; { g := 0; call P(); call Q(f(g)); }
    procedure P() modifies g; { g := 1; }
    procedure Q(x: int) modifies g; { if (x <= g) { g := 7; } }
    """
    looked = Looked(text)
    left = said(looked.sampled())
    assert "P ensures g == 0" not in left
    assert said(looked.holding(looked.suggested)) <= left
