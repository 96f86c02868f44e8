"""Remove procedures that no entry reaches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Call, Program


@final
@dataclass(frozen=True, slots=True)
class PruneProcedures:
    """The pass: only procedures that an execution can enter remain."""

    name: ClassVar[str] = "prune"

    def apply(self, program: Program) -> PassResult:
        reached = reachable_procedures(program)
        procedures = {name: body for name, body in program.procedures.items() if name in reached}
        return PassResult(replace(program, procedures=procedures), unchanged)


def reachable_procedures(program: Program) -> set[str]:
    """The entries and everything they call."""
    reached = set(program.entries)
    work = list(program.entries)
    while work:
        for block in program.procedures[work.pop()].blocks or ():
            for statement in block.statements:
                if isinstance(statement, Call) and statement.procedure not in reached:
                    reached.add(statement.procedure)
                    work.append(statement.procedure)
    return reached
