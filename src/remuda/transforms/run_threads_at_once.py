"""Run every thread to its end where it is started: one of the many interleavings of a concurrent program.

before:  async call worker(x);   yield;
after:   call worker(x);

A failure of the result is a failure of the program (this schedule is always allowed), but its absence says
nothing about other schedules, so no proof and no bound may be claimed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.ir.passes import PassResult, Trust, unchanged
from remuda.ir.program import Block, Call, Program, Statement, Yield

if TYPE_CHECKING:
    from remuda.base.source import Span


@final
@dataclass(frozen=True, slots=True)
class RunThreadsAtOnce:
    """Asynchronous calls become calls."""

    name: ClassVar[str] = "run-threads-at-once"

    def apply(self, program: Program) -> PassResult:
        if first_thread_start(program) is None:
            return PassResult(program, unchanged)
        procedures = {
            name: replace(procedure, blocks=tuple(_rewrite(block) for block in procedure.blocks))
            if procedure.blocks is not None
            else procedure
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged, Trust(proofs=False))


def first_thread_start(program: Program) -> Span | None:
    """Where the program starts a thread, if it does."""
    for procedure in program.procedures.values():
        for block in procedure.blocks or ():
            for statement in block.statements:
                if isinstance(statement, Call) and statement.is_async:
                    return statement.span
    return None


def _rewrite(block: Block) -> Block:
    statements: list[Statement] = []
    for statement in block.statements:
        if isinstance(statement, Call) and statement.is_async:
            statements.append(replace(statement, is_async=False))
        elif not isinstance(statement, Yield):
            statements.append(statement)
    return replace(block, statements=tuple(statements))
