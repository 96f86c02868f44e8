"""Writes the formulas of procedures as text, for `remuda show vc`.

    procedure Push(size, locked)
      B2 ==> size < limit && B1
      calls, if B1: Acquire(locked) returns (locked#1)
      returns, if B2: size + 1, locked#1

Numbers distinguish the variables of a formula, as there are many versions of each variable of the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.engines.solver_setup import solver_setups
from remuda.ir.names import Names
from remuda.ir.term_text import SourceNaming, boogie_text
from remuda.prepare.pipeline import prepare
from remuda.vc.interface import interfaces
from remuda.vc.passive import procedure_vc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.ir.program import Program
    from remuda.options import Options
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.vc.passive import CallSite, ProcedureVC


@final
class NumberedNaming(SourceNaming):
    """The names of symbols in the source, made different for different variables."""

    def __init__(self) -> None:
        self._names = Names()
        self._of: dict[Variable, str] = {}

    def variable(self, variable: Variable) -> str:
        if variable not in self._of:
            self._of[variable] = self._names.claim(variable.name)
        return self._of[variable]

    def inner_scope(self) -> Names:
        return Names(self._names)


def vc_text(program: Program, options: Options) -> str:
    """The formulas of all procedures that a search from the entries could inline."""
    code = prepare(program, options).instrumented.program
    faces = interfaces(code, summaries=options.summaries)
    joins = solver_setups(code, options)[0].joins
    formulas = [
        procedure_vc(code, name, faces, joins) for name, procedure in code.procedures.items() if procedure.blocks
    ]
    return "\n".join(procedure_text(formula) for formula in formulas)


def procedure_text(formula: ProcedureVC) -> str:
    naming = NumberedNaming()
    names = [naming.variable(variable) for variable in formula.interface.inputs]
    lines = [f"procedure {formula.procedure.name}({', '.join(names)})"]
    lines += [f"  {boogie_text(constraint, naming)}" for constraint in formula.constraints]
    lines += [f"  calls, if {naming.variable(call.control)}: {call_text(call, naming)}" for call in formula.calls]
    if formula.exit_control is not None:
        lines.append(f"  returns, if {naming.variable(formula.exit_control)}: {terms_text(formula.finals, naming)}")
    return "\n".join(lines) + "\n"


def call_text(call: CallSite, naming: NumberedNaming) -> str:
    outputs = ", ".join(naming.variable(variable) for variable in call.outputs)
    return f"{call.callee}({terms_text(call.inputs, naming)}) returns ({outputs})"


def terms_text(terms: Sequence[Term], naming: NumberedNaming) -> str:
    return ", ".join(boogie_text(term, naming) for term in terms)
