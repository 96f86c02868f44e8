"""What every formula of a program takes for granted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.smt.solver import Solver
    from remuda.terms.term import Term


def tell_background(solver: Solver, program: Program) -> None:
    """Datatypes, axioms and the distinctness of unique constants."""
    solver.declare_datatypes([(datatype.type, datatype.constructors) for datatype in program.datatypes])
    terms = program.terms
    by_type: dict[object, list[Term]] = {}
    for constant in program.unique_constants:
        by_type.setdefault(constant.type, []).append(terms.var(constant))
    for constants in by_type.values():
        if len(constants) > 1:
            solver.add(solver.translate(terms.distinct(constants)))
    for axiom in program.axioms:
        solver.add(solver.translate(axiom.term))
