"""Selects the solvers that suit a program, with their settings, and asserts the program's axioms.

The choices were measured on driver programs (integers and maps) and on C programs (bit-vectors and maps);
docs/explain/vc.md has tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.arithmetic import is_mostly_linear
from remuda.analysis.bit_programs import is_bit_program
from remuda.engines.inlining import Inlining
from remuda.smt.create import create_solver

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.options import Options
    from remuda.results.report import Statistics
    from remuda.smt.solver import Solver
    from remuda.terms.term import Term
    from remuda.transforms.error_bit import ErrorBitResult
    from remuda.vc.interface import Interface

BEST_JOINS: Final = {"z3": "equations", "cvc5": "equations", "bitwuzla": "ite"}


@final
@dataclass(frozen=True, slots=True)
class SolverSetup:
    """A solver with its settings, and the encoding of joins that suits it."""

    solver: str
    joins: str
    settings: Mapping[str, str] = field(default_factory=dict)

    def for_program(self, program: Program) -> Solver:
        """A new solver with the program's datatypes, axioms and constants."""
        solver = create_solver(self.solver, settings=self.settings)
        _tell_background(solver, program)
        return solver

    def for_code(self, code: ErrorBitResult) -> Solver:
        """A new solver for an instrumented program, with the definitions of its error bits too."""
        solver = self.for_program(code.program)
        for definition in code.definitions:
            solver.add(solver.translate(definition))
        return solver

    def inlining(self, code: ErrorBitResult, faces: Mapping[str, Interface], statistics: Statistics) -> Inlining:
        """The instrumented program in a new solver, without any instances."""
        return Inlining(code.program, faces, self.for_code(code), statistics, joins=self.joins)


def solver_setups(program: Program, options: Options) -> list[SolverSetup]:
    """The setup to begin with, followed by those that take turns with it if it takes long.

    Z3's older arithmetic is two to ten times faster on driver programs, but has no procedure for products of
    variables. Case splits along the structure of the formula, backwards from the failure, are sometimes ten times
    faster, and sometimes slower.
    """
    own = {"smt.arith.solver": "2"} if is_mostly_linear(program) else {}
    z3 = SolverSetup("z3", _joins("z3", options), own)
    match options.solver:
        case "auto" if is_bit_program(program):
            return [SolverSetup("bitwuzla", _joins("bitwuzla", options)), z3]
        case "auto" | "z3":
            return [z3, SolverSetup("z3", z3.joins, {**own, "smt.case_split": "3"})]
        case name:
            return [SolverSetup(name, _joins(name, options))]


def _joins(solver: str, options: Options) -> str:
    return BEST_JOINS[solver] if options.joins == "auto" else options.joins


def _tell_background(solver: Solver, program: Program) -> None:
    """Declare the datatypes, and assert the axioms and the distinctness of unique constants."""
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
