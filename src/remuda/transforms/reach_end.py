"""Check whether the end of the entry procedure can be reached.

before:  procedure {:entrypoint} main() { ...; assert e; ...; return; }
after:   procedure {:entrypoint} main() { ...; assume e; ...; assert false; return; }

Driver programs in reachability form, and Boogie's `/stratifiedInline`, ask this question; there, every assertion is
an assumption.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import ClassVar, final

from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Assert, Assume, Block, Check, Procedure, Program, Statement


@final
@dataclass(frozen=True, slots=True)
class ReachEnd:
    """The pass: assertions become assumptions, and returning from an entry procedure is the only failure."""

    name: ClassVar[str] = "reach-end"

    def apply(self, program: Program) -> PassResult:
        procedures = {
            name: _rewrite(program, procedure, is_entry=name in program.entries)
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged)


def _rewrite(program: Program, procedure: Procedure, *, is_entry: bool) -> Procedure:
    if procedure.blocks is None:
        return procedure
    name = procedure.span.text or procedure.name  # as the user wrote it
    check = Check(
        identifier=f"{PurePath(procedure.span.source.name).name}:{name}:reach-end:1",
        kind="reach-end",
        description=f"the end of {name} is not reached",
        span=procedure.span,
    )
    closing = (Assert(program.terms.false, check, procedure.span),) if is_entry else ()
    blocks = tuple(_rewrite_block(block, closing) for block in procedure.blocks)
    return replace(procedure, blocks=blocks)


def _rewrite_block(block: Block, closing: tuple[Statement, ...]) -> Block:
    statements: tuple[Statement, ...] = tuple(
        Assume(statement.condition, statement.span, statement.attributes)
        if isinstance(statement, Assert)
        else statement
        for statement in block.statements
    )
    if not block.successors:
        statements += closing
    return replace(block, statements=statements)
