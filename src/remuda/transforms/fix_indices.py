"""Replace indices of maps by constants where they always have the same value.

before:  procedure main() { q := 64;  call push(q); }       procedure push(p: bv32) { tail[p + 4] := 1; }
after:   procedure main() { q := 64;  call push(q); }       procedure push(p: bv32) { tail[68] := 1; }

Addresses of global objects are constants that programs pass around. The pass propagates values through calls: into
procedures, if all calls agree, and out of them; but not through globals that threads share. It only changes indices,
and leaves other constants to the engines. It adds and removes no statements, so traces do not change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.analysis.dataflow import solve
from remuda.analysis.modifies import modified_globals
from remuda.analysis.threads import thread_facts
from remuda.ir.edit import targets_of, terms_of, with_terms
from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Assign, Assume, Block, Call, Procedure, Program, Statement
from remuda.ir.threads import starts_threads
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder
from remuda.terms.types import MapType

if TYPE_CHECKING:
    from remuda.analysis.dataflow import Where
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

Known = dict["Variable", "Term"]
LITERALS: Final = frozenset({"bool", "int", "bv"})
ACCESSES: Final = frozenset({"select", "store"})


@final
@dataclass(frozen=True, slots=True)
class FixIndices:
    """The pass. Contracts must be statements already."""

    name: ClassVar[str] = "fix-indices"

    def apply(self, program: Program) -> PassResult:
        if not any(isinstance(variable.type, MapType) for variable in program.globals):
            return PassResult(program, unchanged)
        constants = _Constants(program)
        facts = solve(program, constants)

        def rewrite(name: str, block: Block) -> Block:
            along = facts.along(name, block)
            fixed = [_fix(program, each, known) for each, known in zip(block.statements, along, strict=False)]
            return replace(block, statements=(*fixed, *block.statements[len(fixed) :]))

        procedures = {
            name: procedure
            if procedure.blocks is None
            else replace(procedure, blocks=tuple(rewrite(name, block) for block in procedure.blocks))
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged)


def _fix(program: Program, statement: Statement, known: Known) -> Statement:
    terms = program.terms
    before = terms_of(statement)
    if not known or not any(term.op in ACCESSES for term in postorder(before)):
        return statement
    new: dict[Term, Term] = {}
    for term in postorder(before):
        arguments = [new[argument] for argument in term.args]
        if term.op in ACCESSES:
            indices = range(1, len(arguments) - (term.op == "store"))
            values = terms.substitute([term.args[index] for index in indices], known)
            for index, value in zip(indices, values, strict=True):
                arguments[index] = value if value.op in LITERALS else arguments[index]
        is_same = all(one is other for one, other in zip(arguments, term.args, strict=True))
        new[term] = term if is_same else terms.rebuild(term, tuple(arguments))
    return with_terms(statement, tuple(new[term] for term in before))


@final
class _Constants:
    """The dataflow problem: the variables that have a known value."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._terms = program.terms
        self._modified = {name: frozenset(found) for name, found in modified_globals(program).items()}
        threads = starts_threads(program)
        self._changing = frozenset(thread_facts(program).shared if threads else ()) | {*program.thread_locals}

    def at_start(self) -> Known:
        return {}

    def either(self, one: Known, other: Known) -> Known:
        return {variable: value for variable, value in one.items() if other.get(variable) is value}

    def after(self, _where: Where, statement: Statement, before: Known) -> Known | None:
        if isinstance(statement, Assign) and all(isinstance(each.type, MapType) for each in statement.targets):
            return before  # no map is a literal
        known = dict(before)
        match statement:
            case Assume():
                (condition,) = self._terms.substitute([statement.condition], known)
                if condition is self._terms.false:
                    return None
                self._learn(condition, known)
            case Assign():
                values = self._terms.substitute(statement.values, known)
                for target, value in zip(statement.targets, values, strict=True):
                    self._set(target, value, known)
            case Call():
                for target in (*statement.results, *self._program.procedures[statement.procedure].modifies):
                    known.pop(target, None)
            case _:
                for target in targets_of(statement):
                    known.pop(target, None)
        return known

    def _learn(self, condition: Term, known: Known) -> None:
        if condition.op == "eq":
            for variable, value in (condition.args, reversed(condition.args)):
                if variable.op == "var" and variable.payload.kind is not VariableKind.CONSTANT:
                    if value.op in LITERALS:
                        self._set(variable.payload, value, known)

    def _set(self, variable: Variable, value: Term, known: Known) -> None:
        if value.op in LITERALS and variable not in self._changing:
            known[variable] = value
        else:
            known.pop(variable, None)

    def into(self, call: Call, known: Known) -> Known:
        parameters = self._program.procedures[call.procedure].inputs
        arguments = self._terms.substitute(call.arguments, known)
        given = {
            parameter: value for parameter, value in zip(parameters, arguments, strict=True) if value.op in LITERALS
        }
        if call.is_async:
            return given
        return given | {variable: value for variable, value in known.items() if variable.kind is VariableKind.GLOBAL}

    def out_of(self, _where: Where, call: Call, known: Known, end: Known | None) -> Known | None:
        modified = self._modified[call.procedure]
        kept = {variable: value for variable, value in known.items() if variable not in modified}
        if call.is_async:
            return kept
        if end is None:
            return None
        kept.update({variable: value for variable, value in end.items() if variable in modified})
        for target, output in zip(call.results, self._program.procedures[call.procedure].outputs, strict=True):
            value = end.get(output)
            if value is None:
                kept.pop(target, None)
            else:
                self._set(target, value, kept)
        return kept

    def at_end(self, procedure: Procedure, known: Known) -> Known:
        outputs = frozenset(procedure.outputs)
        return {
            variable: value
            for variable, value in known.items()
            if variable in outputs or variable.kind is VariableKind.GLOBAL
        }
