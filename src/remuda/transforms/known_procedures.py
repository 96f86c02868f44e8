"""Give the procedures that Corral knows by name their contracts.

before:  procedure corral_assert_not_reachable();
after:   procedure corral_assert_not_reachable(); requires false;

before:  procedure corral_getThreadID() returns (id: int);
after:   procedure corral_getThreadID() returns (id: int); ensures id == 1;      (a sequential program has one thread)

Only procedures without a body change: for others, the body counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import ClassVar, final

from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Check, Condition, Procedure, Program
from remuda.ir.threads import THREAD_IDENTITY, starts_threads
from remuda.terms.types import INT

NOT_REACHABLE = "corral_assert_not_reachable"


@final
@dataclass(frozen=True, slots=True)
class KnownProcedures:
    """The pass."""

    name: ClassVar[str] = "known-procedures"

    def apply(self, program: Program) -> PassResult:
        procedures = dict(program.procedures)
        for name, procedure in program.procedures.items():
            if procedure.blocks is None and name == NOT_REACHABLE:
                procedures[name] = _never_called(program, procedure)
            elif procedure.blocks is None and name == THREAD_IDENTITY and not starts_threads(program):
                procedures[name] = _only_thread(program, procedure)
        return PassResult(replace(program, procedures=procedures), unchanged)


def _never_called(program: Program, procedure: Procedure) -> Procedure:
    check = Check(
        identifier=f"{PurePath(procedure.span.source.name).name}:{procedure.name}:requires:1",
        kind="requires",
        description="this call is not reached",
        span=procedure.span,
    )
    condition = Condition(program.terms.false, procedure.span, check)
    return replace(procedure, requires=(*procedure.requires, condition))


def _only_thread(program: Program, procedure: Procedure) -> Procedure:
    terms = program.terms
    conditions = [
        Condition(terms.eq(terms.var(output), terms.integer(1)), procedure.span, None)
        for output in procedure.outputs
        if output.type == INT
    ]
    return replace(procedure, ensures=(*procedure.ensures, *conditions))
