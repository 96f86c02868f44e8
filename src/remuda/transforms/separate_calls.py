"""Give every call of a procedure with a body a block that begins with it, and an exit before the call.

before:  A: S; call P(); T; goto B
after:   A: S; goto A$call, A$short;    A$call: call P(); T; goto B;    A$short: assume false

So there is one condition for "control reaches the call" and one for "the call returns": a formula in which P never
returns still has the arguments of P.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.base.names import FreshNames
from remuda.ir.passes import PassResult, Trust, unchanged
from remuda.ir.program import Assume, Block, Call

if TYPE_CHECKING:
    from remuda.ir.program import Procedure, Program, Statement


@final
@dataclass(frozen=True, slots=True)
class SeparateCalls:
    """The pass, for formulas of single procedures: traces are not lifted."""

    name: ClassVar[str] = "separate-calls"
    procedures: Collection[str]  # those to change

    def apply(self, program: Program) -> PassResult:
        changed = {name: _separate(program, program.procedures[name]) for name in self.procedures}
        return PassResult(
            replace(program, procedures={**program.procedures, **changed}), unchanged, Trust(bugs=False)
        )


def _separate(program: Program, procedure: Procedure) -> Procedure:
    fresh = FreshNames(block.label for block in procedure.blocks or ())
    blocks: list[Block] = []
    for block in procedure.blocks or ():
        label = block.label
        pending: list[Statement] = []
        for statement in block.statements:
            if isinstance(statement, Call) and program.procedures[statement.procedure].blocks is not None:
                onward, short = fresh.make(f"{block.label}$call"), fresh.make(f"{block.label}$short")
                blocks.append(Block(label, tuple(pending), (onward, short), block.span))
                blocks.append(Block(short, (Assume(program.terms.false, block.span),), (), block.span))
                label, pending = onward, []
            pending.append(statement)
        blocks.append(Block(label, tuple(pending), block.successors, block.span))
    return replace(procedure, blocks=tuple(blocks))
