"""The assumptions of a procedure's blocks, as terms over values that do not change while the procedure runs.

    tmp := x;  assume tmp == 0;  x := x + 1;  assume x < 9      x == 0,  x + 1 < 9       (x: its value at the start)
    call g();  assume x == 1                                    x' == 1                  (g changes x)

A variable stands for the value that it has at the procedure's start. Assigned values replace their targets, as in a
procedure's formula. Other new values of a variable, from a havoc, a call, or a join of paths with different values,
are new variables, one for each such place. The flow has no cycle, so an execution of the procedure comes to each
place at most once: in each execution, every variable here has one value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.ir.edit import targets_of
from remuda.ir.program import Assign, Assume, Call
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import variables_of
from remuda.terms.types import MapType

if TYPE_CHECKING:
    from remuda.analysis.controlflow import ControlFlow
    from remuda.analysis.modifies import GlobalsByProcedure
    from remuda.ir.program import Procedure, Statement
    from remuda.terms.store import Terms
    from remuda.terms.term import Term

Environment = dict[Variable, "Term"]
LITERALS: Final = frozenset({"bool", "int", "real", "bv"})


@final
@dataclass(frozen=True, slots=True)
class Steady:
    """The conditions that hold on executions that pass a block (by label), or an edge (by both labels)."""

    blocks: dict[str, list[Term]]
    edges: dict[tuple[str, str], list[Term]]


def steady_assumptions(terms: Terms, procedure: Procedure, flow: ControlFlow, modified: GlobalsByProcedure) -> Steady:
    """The assumptions of the reachable blocks of a procedure without threads and cycles, and the literals at joins.

    `modified` are the globals that a call of each procedure may change.
    """
    return _Walk(terms, procedure, modified).run(flow)


@final
class _Walk:
    """One walk over the blocks, with an environment of the variables that no longer have their first values."""

    def __init__(self, terms: Terms, procedure: Procedure, modified: GlobalsByProcedure) -> None:
        self._terms = terms
        self._statements = {block.label: block.statements for block in procedure.blocks or ()}
        self._modified = modified
        self._relevant = _relevant(procedure)
        self._ends: dict[str, Environment] = {}
        self._edges: dict[tuple[str, str], list[Term]] = {}

    def run(self, flow: ControlFlow) -> Steady:
        return Steady({label: self._visit(label, flow.predecessors[label]) for label in flow.order}, self._edges)

    def _visit(self, label: str, sources: Sequence[str]) -> list[Term]:
        environment = self._enter(label, sources)
        conditions: list[Term] = []
        for statement in self._statements[label]:
            if isinstance(statement, Assume):
                conditions.append(self._evaluate(statement.condition, environment))
            else:
                self._change(statement, environment)
        self._ends[label] = environment
        return conditions

    def _enter(self, label: str, sources: Sequence[str]) -> Environment:
        if len(sources) <= 1:
            return dict(self._ends[sources[0]]) if sources else {}
        ends = [self._ends[source] for source in sources]
        environment: Environment = {}
        for variable in dict.fromkeys(variable for end in ends for variable in end):
            values = [end.get(variable) or self._terms.var(variable) for end in ends]
            if all(value is values[0] for value in values):
                environment[variable] = values[0]
            else:
                environment[variable] = self._meet(variable, values, [(source, label) for source in sources])
        return environment

    def _meet(self, variable: Variable, values: Sequence[Term], edges: Sequence[tuple[str, str]]) -> Term:
        """A new variable for several values; on edges with a literal, its value is known."""
        met = self._unknown(variable)
        for value, edge in zip(values, edges, strict=True):
            if value.op in LITERALS:
                self._edges.setdefault(edge, []).append(self._terms.eq(met, value))
        return met

    def _change(self, statement: Statement, environment: Environment) -> None:
        """Update the environment by a statement; the results of a call are assigned after the globals."""
        if isinstance(statement, Assign):
            pairs = zip(statement.targets, statement.values, strict=True)
            values = {target: self._assigned(target, value, environment) for target, value in pairs}
            environment.update((target, value) for target, value in values.items() if target in self._relevant)
            return
        changed = self._modified[statement.procedure] if isinstance(statement, Call) else ()
        for variable in (*changed, *targets_of(statement)):
            if variable in self._relevant:
                environment[variable] = self._unknown(variable)

    def _assigned(self, target: Variable, value: Term, environment: Environment) -> Term:
        return self._evaluate(value, environment) if _is_followed(target) else self._unknown(target)

    def _evaluate(self, term: Term, environment: Mapping[Variable, Term]) -> Term:
        def leaf(part: Term) -> Term | None:
            if part.op == "old":
                return part.args[0]  # what it was at the start
            return environment.get(part.payload, part) if part.op == "var" else None

        return self._terms.rewrite([term], leaf)[0]

    def _unknown(self, variable: Variable) -> Term:
        return self._terms.var(Variable(variable.name, variable.type, VariableKind.CONSTANT))


def _is_followed(variable: Variable) -> bool:
    """Whether assigned values are tracked: those of maps grow with every update, and are rarely useful."""
    return not isinstance(variable.type, MapType)


def _relevant(procedure: Procedure) -> set[Variable]:
    """The variables that assumptions depend on."""
    assumed: list[Term] = []
    sources: dict[Variable, list[Term]] = {}
    for block in procedure.blocks or ():
        for statement in block.statements:
            if isinstance(statement, Assume):
                assumed.append(statement.condition)
            elif isinstance(statement, Assign):
                for target, value in zip(statement.targets, statement.values, strict=True):
                    if _is_followed(target):
                        sources.setdefault(target, []).append(value)
    found = set(variables_of(assumed))
    work = list(found)
    while work:
        for variable in variables_of(sources.get(work.pop(), ())):
            if variable not in found:
                found.add(variable)
                work.append(variable)
    return found
