"""Contracts of procedures and invariants of loops that hold, found before the search and believed by it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.templates import propose
from remuda.engines.contract_candidates import Effort, infer_contracts
from remuda.session.background import tell_background
from remuda.session.mounts import mounts
from remuda.smt.create import create_solver
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL
from remuda.transforms.add_contracts import AddContracts, Candidate, Contract
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remuda.options import Options
    from remuda.session.pipeline import Prepared
    from remuda.smt.solver import Solver

QUESTION_SECONDS: Final = 5.0


@final
@dataclass(frozen=True, slots=True)
class Found:
    """How many candidates there were, and those that hold."""

    count: int
    contracts: tuple[Contract, ...]


def infer(prepared: Prepared, options: Options, deadline: float | None) -> Found:
    """What holds of the candidates that the program suggests."""
    code = prepared.instrumented
    faces = interfaces(code.program, summaries="modset")
    return holding(prepared, propose(code, faces), options, deadline)


def holding(prepared: Prepared, contracts: Iterable[Contract], options: Options, deadline: float | None) -> Found:
    """The greatest set of contracts that hold together."""
    code = prepared.instrumented
    candidates = [
        Candidate(Variable(f"candidate${number}", BOOL, VariableKind.CONSTANT), contract)
        for number, contract in enumerate(contracts)
    ]
    mount = mounts(code.program, options)[0]

    def new_solver() -> Solver:
        solver = create_solver(mount.solver, settings=mount.settings)
        tell_background(solver, code.program)
        for definition in code.definitions:
            solver.add(solver.translate(definition))
        solver.add(solver.not_(solver.translate(code.program.terms.var(code.reach))))
        return solver

    effort = Effort(QUESTION_SECONDS, float("inf") if deadline is None else deadline, time.monotonic)
    inferred = infer_contracts(code.program, candidates, new_solver, mount.joins, effort)
    kept = frozenset(inferred.kept)
    return Found(len(candidates), tuple(each.contract for each in candidates if each.guard in kept))


def with_contracts(prepared: Prepared, contracts: Sequence[Contract]) -> Prepared:
    """The same program, with contracts that are known to hold."""
    program = AddContracts(contracts).apply(prepared.instrumented.program).program
    return replace(prepared, instrumented=replace(prepared.instrumented, program=program))
