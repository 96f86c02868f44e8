"""The formula of one procedure: passive form, built once.

Blocks are visited in topological order with an environment from variables to terms over incarnations. Assignments
only change the environment; `havoc` and calls introduce new incarnations. One Boolean per block that matters says
whether the execution passes it, and implications run backwards, from the exit to the entry:

    control(J) ==> assumptions of J  &&  (one of the edges into J)
    edge(P, J) ==> control(P)  (&& equations, see below)

so control(exit) is satisfiable exactly if some execution runs from entry to exit: every true block has a true
predecessor, and following the latest true predecessor in topological order gives the path. Other blocks may be
true as well; they constrain, but never enable.

Where paths join, a variable whose incarnations differ gets either an `ite` over the edges or a new incarnation
with an equation per edge (`joins`: "ite", "equations", or "mixed": `ite` for scalars, equations for maps). "copies"
is the form of the DAG-inlining paper's Fig. 8, there to be compared with: every variable has an incarnation of its own
in every block, and after every assignment. docs/explain/vc.md says what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.analysis.controlflow import ControlFlow, control_flow
from remuda.base.errors import Unsupported
from remuda.ir.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Condition,
    Havoc,
    Procedure,
    Program,
    Statement,
    Yield,
)
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL, MapType
from remuda.vc.liveness import live_at_start

if TYPE_CHECKING:
    from remuda.terms.store import Terms
    from remuda.terms.term import Term
    from remuda.terms.types import Type
    from remuda.vc.interface import Interface

Environment = dict[Variable, "Term"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class CallSite:
    """A call that can be inlined: its block, and the terms and incarnations at its interface."""

    callee: str
    block: str  # the label of the block that makes the call
    control: Variable  # of that block
    inputs: tuple[Term, ...]  # for the callee's interface inputs
    outputs: tuple[Variable, ...]  # incarnations for the callee's interface outputs


@final
@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A havoc or a call without a body: variables (for a call, the callee's) and incarnations with their values."""

    variables: tuple[Variable, ...]
    incarnations: tuple[Variable, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """An edge into a block: its source, and the term that is true if it was taken."""

    source: str
    taken: Term


@final
@dataclass(slots=True, eq=False)
class ProcedureVC:
    """The formula of a procedure over its interface and its own incarnations.

    `parameters` are all variables that differ from instance to instance: first the interface inputs, then the
    rest. Locals stand for their own initial values. `edges[label]` are the ways into a block, in the order in
    which they must be tried; `exit_edges` those to the end. `steps[label]` are the choices and calls (by index
    into `calls`) of a block in order.
    """

    procedure: Procedure
    interface: Interface
    flow: ControlFlow
    parameters: list[Variable] = field(default_factory=list)
    constraints: list[Term] = field(default_factory=list)
    control: dict[str, Variable] = field(default_factory=dict)
    exit_control: Variable | None = None
    exit_edges: tuple[Edge, ...] = ()
    edges: dict[str, tuple[Edge, ...]] = field(default_factory=dict)
    finals: tuple[Term, ...] = ()  # values of the interface outputs at the exit
    calls: list[CallSite] = field(default_factory=list)
    steps: dict[str, list[Choice | int]] = field(default_factory=dict)


def procedure_vc(program: Program, name: str, interfaces: Mapping[str, Interface], joins: str) -> ProcedureVC:
    """Build the formula of a procedure with an acyclic body."""
    return _Passify(program, program.procedures[name], interfaces, joins).run()


@final
class _Passify:
    """One walk over a procedure's blocks."""

    def __init__(
        self, program: Program, procedure: Procedure, interfaces: Mapping[str, Interface], joins: str
    ) -> None:
        assert procedure.blocks
        self._program = program
        self._terms: Terms = program.terms
        self._interfaces = interfaces
        self._procedure = procedure
        self._flow: ControlFlow = control_flow(procedure)
        self._blocks: Mapping[str, Block] = {block.label: block for block in procedure.blocks}
        self._by_ite = {"ite": _always, "mixed": _is_scalar}.get(joins, _never)
        self._copies = joins == "copies"
        self._vc = ProcedureVC(procedure, interfaces[procedure.name], self._flow)
        self._live = live_at_start(procedure, self._flow, interfaces)
        self._own = 0  # how many of the parameters are the procedure's variables, and not incarnations
        self._ends: dict[str, Environment] = {}
        self._guarded: dict[Variable, list[Term]] = {}

    def run(self) -> ProcedureVC:
        vc = self._vc
        vc.parameters.extend(vc.interface.inputs)
        known = set(vc.interface.inputs)
        own = (*self._procedure.outputs, *self._procedure.locals)
        vc.parameters.extend(variable for variable in own if variable not in known)
        self._own = len(vc.parameters)
        for label in self._flow.order:
            self._visit(self._blocks[label])
        self._exit()
        terms = self._terms
        vc.constraints = [
            terms.implies(terms.var(control), terms.and_(parts)) for control, parts in self._guarded.items()
        ]
        vc.constraints = [constraint for constraint in vc.constraints if constraint is not terms.true]
        return vc

    # --- blocks

    def _visit(self, block: Block) -> None:
        label = block.label
        sources = self._flow.predecessors[label]
        control = self._control(label, sources)
        self._vc.control[label] = control
        environment = self._enter(label, sources, control)
        self._vc.steps[label] = []
        for statement in block.statements:
            self._statement(statement, label, environment, self._guarded[control])
        self._ends[label] = environment

    def _control(self, label: str, sources: Sequence[str]) -> Variable:
        """The block's Boolean: that of its only predecessor if the block is that one's only successor."""
        if len(sources) == 1 and len(self._flow.successors[sources[0]]) == 1 and not self._copies:
            return self._vc.control[sources[0]]
        control = self._new(f"at${label}", BOOL)
        self._guarded[control] = []
        return control

    def _enter(self, label: str, sources: Sequence[str], control: Variable) -> Environment:
        """The environment at the start of a block."""
        if not sources:
            return {}
        if len(sources) == 1 and not self._copies:
            source = self._vc.control[sources[0]]
            self._vc.edges[label] = (Edge(sources[0], self._terms.true),)
            if source is not control:
                self._guarded[control].append(self._terms.var(source))
            return dict(self._ends[sources[0]])
        edges, environment = self._join(sources, self._live[label], f"{label}")
        self._vc.edges[label] = edges
        self._guarded[control].append(self._terms.or_([edge.taken for edge in edges]))
        return environment

    def _exit(self) -> None:
        """Join all returning blocks, and read the interface outputs off there."""
        vc, terms = self._vc, self._terms
        sources = [label for label in self._flow.order if not self._flow.successors[label]]
        if len(sources) == 1:
            vc.exit_control = vc.control[sources[0]]
            vc.exit_edges = (Edge(sources[0], terms.true),)
            environment = self._ends[sources[0]]
        else:
            vc.exit_control = self._new("at$exit", BOOL)
            self._guarded[vc.exit_control] = []
            vc.exit_edges, environment = self._join(sources, set(vc.interface.outputs), "exit")
            self._guarded[vc.exit_control].append(terms.or_([edge.taken for edge in vc.exit_edges]))
        vc.finals = tuple(self._value(environment, variable) for variable in vc.interface.outputs)

    # --- joins

    def _join(self, sources: Sequence[str], live: set[Variable], hint: str) -> tuple[tuple[Edge, ...], Environment]:
        """Edges into a join, latest source first, and the merged environment."""
        terms = self._terms
        order = sorted(sources, key=self._flow.position.__getitem__, reverse=True)
        ends = [self._ends[source] for source in order]
        environment: Environment = {}
        differing: list[Variable] = list(self._vc.parameters[: self._own]) if self._copies else []
        for variable in dict.fromkeys(variable for end in ends for variable in end) if not self._copies else ():
            if variable not in live:
                continue
            values = [self._value(end, variable) for end in ends]
            if all(value is values[0] for value in values):
                environment[variable] = values[0]
            else:
                differing.append(variable)
        by_equation = [variable for variable in differing if not self._by_ite(variable)]
        taken = [terms.var(self._vc.control[source]) for source in order]
        if by_equation:
            taken = [self._edge(source, hint) for source in order]
        for variable in differing:
            values = [self._value(end, variable) for end in ends]
            environment[variable] = (
                self._merge_by_ite(taken, values)
                if self._by_ite(variable)
                else self._merge_by_equation(taken, values, variable)
            )
        return tuple(Edge(source, term) for source, term in zip(order, taken, strict=True)), environment

    def _edge(self, source: str, hint: str) -> Term:
        """A Boolean of its own for an edge, so that equations can hang on it."""
        edge = self._new(f"edge${source}${hint}", BOOL)
        self._guarded[edge] = [self._terms.var(self._vc.control[source])]
        return self._terms.var(edge)

    def _merge_by_ite(self, taken: Sequence[Term], values: Sequence[Term]) -> Term:
        merged = values[-1]
        for condition, value in zip(reversed(taken[:-1]), reversed(values[:-1]), strict=True):
            merged = self._terms.ite(condition, value, merged)
        return merged

    def _merge_by_equation(self, taken: Sequence[Term], values: Sequence[Term], variable: Variable) -> Term:
        incarnation = self._terms.var(self._new(variable.name, variable.type))
        for edge, value in zip(taken, values, strict=True):
            self._guarded[edge.payload].append(self._terms.eq(incarnation, value))
        return incarnation

    # --- statements

    def _statement(self, statement: Statement, label: str, environment: Environment, assumptions: list[Term]) -> None:
        terms = self._terms
        match statement:
            case Assign(targets=targets, values=values):
                results = self._evaluate(values, environment)
                if self._copies:
                    copies = [terms.var(self._new(target.name, target.type)) for target in targets]
                    assumptions.extend(map(terms.eq, copies, results))
                    results = copies
                environment.update(zip(targets, results, strict=True))
            case Assume(condition=condition):
                assumptions.append(self._evaluate((condition,), environment)[0])
            case Havoc(variables=variables):
                incarnations = tuple(self._new(variable.name, variable.type) for variable in variables)
                self._vc.steps[label].append(Choice(variables, incarnations))
                environment.update(zip(variables, map(terms.var, incarnations), strict=True))
            case Call(is_async=False):
                self._call(statement, label, environment, assumptions)
            case Call():
                raise Unsupported(statement.span, "async call")
            case Yield():
                raise Unsupported(statement.span, "yield")
            case Assert():
                msg = "assertions are gone after error-bit instrumentation"
                raise AssertionError(msg)

    def _call(self, call: Call, label: str, environment: Environment, assumptions: list[Term]) -> None:
        callee = self._program.procedures[call.procedure]
        interface = self._interfaces[call.procedure]
        before = dict(zip(callee.inputs, self._evaluate(call.arguments, environment), strict=True))
        for variable in interface.inputs[len(callee.inputs) :]:
            before[variable] = self._value(environment, variable)
        outputs = tuple(self._new(variable.name, variable.type) for variable in interface.outputs)
        if callee.blocks is None:
            self._vc.steps[label].append(Choice(interface.outputs, outputs))
        else:
            site = CallSite(
                callee=call.procedure,
                block=label,
                control=self._vc.control[label],
                inputs=tuple(before[variable] for variable in interface.inputs),
                outputs=outputs,
            )
            self._vc.steps[label].append(len(self._vc.calls))
            self._vc.calls.append(site)
        # A global that is also named as a result gets the result, which is assigned last.
        after = dict(zip(interface.outputs, map(self._terms.var, outputs), strict=True))
        for variable in interface.outputs[len(callee.outputs) :]:
            environment[variable] = after[variable]
        assumptions.extend(self._ensured(callee.ensures, before, after, environment))
        environment.update(zip(call.results, [after[variable] for variable in callee.outputs], strict=True))

    def _ensured(
        self, ensures: Sequence[Condition], before: Environment, after: Environment, environment: Environment
    ) -> list[Term]:
        """The callee's `ensures` at this call: `old(g)` is before, globals and results after it."""
        if not ensures:
            return []
        now = {**before, **after}

        def leaf(term: Term) -> Term | None:
            if term.op == "old":
                return before.get(term.args[0].payload) or self._value(environment, term.args[0].payload)
            if term.op != "var":
                return None
            variable = term.payload
            if variable in now:
                return now[variable]
            return self._value(environment, variable) if variable.kind is VariableKind.GLOBAL else term

        return self._terms.rewrite([condition.term for condition in ensures], leaf)

    # --- values

    def _value(self, environment: Environment, variable: Variable) -> Term:
        return environment.get(variable) or self._terms.var(variable)

    def _evaluate(self, terms: Sequence[Term], environment: Environment) -> Sequence[Term]:
        return self._terms.substitute(terms, environment) if environment else terms

    def _new(self, name: str, type_: Type) -> Variable:
        variable = Variable(name, type_, VariableKind.CONSTANT)
        self._vc.parameters.append(variable)
        return variable


def _always(_: Variable) -> bool:
    return True


def _never(_: Variable) -> bool:
    return False


def _is_scalar(variable: Variable) -> bool:
    return not isinstance(variable.type, MapType)
