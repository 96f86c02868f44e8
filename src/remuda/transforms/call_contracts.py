"""Replace the body of the callee at every call by its contract.

before:  call x := P(y);            after:  call x := P$contract(y);     procedure P$contract(a) returns (b); ensures ...;

Contracts must be statements already (`transforms.contracts`): then preconditions are asserted before calls and assumed
where executions start, which is in every procedure. A property that is proved of every procedure alone is proved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from remuda.analysis.modifies import modified_globals
from remuda.base.names import FreshNames
from remuda.ir.passes import PassResult, Trust, unchanged
from remuda.ir.program import Block, Call, Procedure, Program


@final
@dataclass(frozen=True, slots=True)
class CallContracts:
    """The pass. Afterwards, no procedure with a body is called. The program must have no threads."""

    name: ClassVar[str] = "call-contracts"

    def apply(self, program: Program) -> PassResult:
        fresh = FreshNames(program.procedures)
        names = {
            name: fresh.make(f"{name}$contract")
            for name, body in program.procedures.items()
            if body.blocks is not None
        }
        modified = modified_globals(program)
        procedures: dict[str, Procedure] = {}
        for name, procedure in program.procedures.items():
            if procedure.blocks is None:
                procedures[name] = procedure
                continue
            procedures[name] = replace(procedure, blocks=tuple(_redirect(block, names) for block in procedure.blocks))
            procedures[names[name]] = replace(
                procedure,
                name=names[name],
                blocks=None,
                locals=(),
                modifies=tuple(dict.fromkeys((*procedure.modifies, *modified[name]))),
            )
        return PassResult(replace(program, procedures=procedures), unchanged, Trust(bugs=False))


def _redirect(block: Block, names: dict[str, str]) -> Block:
    return replace(
        block,
        statements=tuple(
            replace(each, procedure=names.get(each.procedure, each.procedure)) if isinstance(each, Call) else each
            for each in block.statements
        ),
    )
