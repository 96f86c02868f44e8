"""The terms that a program uses. Its store also has rewritten ones: the `2` of `x / 2`, before it becomes a float."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.ir.edit import terms_of
from remuda.terms.term import postorder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.ir.program import Program
    from remuda.terms.term import Term


def used_terms(program: Program) -> Iterator[Term]:
    """Every term that the program evaluates or relies on, once, operands first."""
    roots: list[Term] = [axiom.term for axiom in program.axioms]
    roots += [function.body for function in program.functions if function.body is not None]
    roots += program.wheres.values()
    for procedure in program.procedures.values():
        roots += [each.term for each in (*procedure.requires, *procedure.ensures)]
        for block in procedure.blocks or ():
            for statement in block.statements:
                roots += terms_of(statement)
    return postorder(roots)
