"""Where the assertions of a procedure stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.ir.program import Assert

if TYPE_CHECKING:
    from remuda.ir.program import Check, Procedure


def assertions(procedure: Procedure) -> dict[str, list[Check]]:
    """By the label of the block."""
    return {
        block.label: [each.check for each in block.statements if isinstance(each, Assert)]
        for block in procedure.blocks or ()
    }
