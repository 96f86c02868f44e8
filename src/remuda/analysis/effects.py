"""The effects of procedures on their variables, if they have few possible values.

    procedure Acquire(p: int) { if (error == 0) { previous := level; level := 2; Mem[p] := previous; } }

    previous:  previous or level before       level:  level before or 2       Mem:  Mem before or Mem before[p := level before]

Nothing is claimed about recursion and about large terms.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.controlflow import control_flow
from remuda.analysis.modifies import modified_globals
from remuda.ir.program import Assign, Call, Havoc
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import postorder, variables_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from remuda.ir.program import Procedure, Program, Statement
    from remuda.terms.term import Term

MOST_PARTS: Final = 24  # of a term
MOST_VALUES: Final = 3  # of a variable

Values = dict[Variable, "Term"]  # of the variables that have changed, in terms of what they were at the start
Effects = dict[Variable, tuple["Term", ...]]


def effects(program: Program) -> Mapping[str, Mapping[Variable, tuple[Term, ...]]]:
    """For each procedure with a body, the possible values at its end of the globals and results that it changes:
    terms over its inputs and the first values of globals."""
    return _Effects(program).found


@final
class _Effects:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._terms = program.terms
        self._modified = modified_globals(program)
        self._choices: dict[Term, tuple[Term, ...]] = {}  # what stands for one of several values
        self.found: dict[str, Effects] = {}
        for name in call_graph(program).bottom_up():
            procedure = program.procedures[name]
            if procedure.blocks is not None:
                self.found[name] = self._of(procedure)

    def _of(self, procedure: Procedure) -> Effects:
        flow = control_flow(procedure)
        if not flow.is_acyclic:
            return {}
        statements = {block.label: block.statements for block in procedure.blocks or ()}
        ends: dict[str, Values] = {}
        for label in flow.order:
            values = self._joined([ends[source] for source in flow.predecessors[label]])
            for statement in statements[label]:
                self._run(statement, values)
            ends[label] = values
        last = self._joined([ends[label] for label in flow.order if not flow.successors[label]])
        changed = (*procedure.outputs, *self._modified[procedure.name])
        found = {
            variable: self._choices.get(last[variable], (last[variable],)) for variable in changed if variable in last
        }
        given = frozenset(procedure.inputs)
        return {
            variable: values
            for variable, values in found.items()
            if all(_is_given(each, given) for each in variables_of(values))
        }

    def _joined(self, ends: Sequence[Values]) -> Values:
        if len(ends) < 2:
            return dict(ends[0]) if ends else {}
        changed = dict.fromkeys(variable for end in ends for variable in end)
        return {
            variable: self._one_of(variable, [self._value(end, variable) for end in ends]) for variable in changed
        }

    def _value(self, values: Values, variable: Variable) -> Term:
        return values.get(variable) or self._terms.var(variable)

    def _one_of(self, variable: Variable, values: Iterable[Term]) -> Term:
        """A term for one of these values; no value stands for any."""
        different = tuple(dict.fromkeys(each for value in values for each in self._choices.get(value, (value,))))
        if len(different) == 1:
            return different[0]
        choice = self._terms.var(Variable(variable.name, variable.type, VariableKind.LOCAL))
        if 1 < len(different) <= MOST_VALUES:
            self._choices[choice] = different
        return choice

    def _run(self, statement: Statement, values: Values) -> None:
        match statement:
            case Assign(targets=targets, values=assigned):
                self._set(targets, self._terms.substitute(assigned, values), values)
            case Havoc(variables=variables):
                values.update((variable, self._one_of(variable, ())) for variable in variables)
            case Call():
                self._call(statement, values)

    def _set(self, targets: Sequence[Variable], results: Sequence[Term], values: Values) -> None:
        for target, result in zip(targets, results, strict=True):
            is_short = len(list(islice(postorder([result]), MOST_PARTS + 1))) <= MOST_PARTS
            values[target] = result if is_short else self._one_of(target, ())

    def _call(self, call: Call, values: Values) -> None:
        callee = self._program.procedures[call.procedure]
        known = self.found.get(callee.name, {})
        arguments = self._terms.substitute(call.arguments, values)
        before = {**values, **dict(zip(callee.inputs, arguments, strict=True))}

        def after(variable: Variable) -> Term:
            return self._one_of(variable, self._terms.substitute(known.get(variable, ()), before))

        changed = self._modified[callee.name]
        results = [after(variable) for variable in callee.outputs]
        self._set(changed, [after(variable) for variable in changed], values)
        self._set(call.results, results, values)


def _is_given(variable: Variable, inputs: frozenset[Variable]) -> bool:
    return variable.kind in {VariableKind.GLOBAL, VariableKind.CONSTANT} or variable in inputs
