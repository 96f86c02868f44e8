"""The variables whose values still matter at the start of each block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from remuda.ir.edit import targets_of, terms_of
from remuda.ir.program import Call, Procedure
from remuda.terms.term import postorder

if TYPE_CHECKING:
    from remuda.analysis.controlflow import ControlFlow
    from remuda.terms.symbols import Variable
    from remuda.vc.interface import Interface


def live_at_start(
    procedure: Procedure, flow: ControlFlow, interfaces: Mapping[str, Interface]
) -> dict[str, set[Variable]]:
    """Live variables per block of an acyclic procedure: one backward pass."""
    assert procedure.blocks
    blocks = {block.label: block for block in procedure.blocks}
    at_exit = set(interfaces[procedure.name].outputs)
    live: dict[str, set[Variable]] = {}
    for label in reversed(flow.order):
        successors = flow.successors[label]
        alive: set[Variable] = set().union(*(live[target] for target in successors)) if successors else set(at_exit)
        for statement in reversed(blocks[label].statements):
            alive.difference_update(targets_of(statement))
            if isinstance(statement, Call):
                # The callee's outputs are inputs as well, so a call kills no variables, and needs only its inputs.
                alive.update(v for v in interfaces[statement.procedure].inputs if v.kind.value == "global")
            for term in postorder(terms_of(statement)):
                if term.op == "var":
                    alive.add(term.payload)
        live[label] = alive
    return live
