"""The partially inlined program inside the solver: instances of procedures, and calls not yet inlined.

Inlining a call instantiates the callee's template with the call's inputs substituted for its parameters and adds

    control(call) ==> control(exit of the instance)  &&  outputs of the call == final values of the instance

This is the only place that changes what the solver has been told about the program.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.vc.passive import Choice, Edge, ProcedureVC, procedure_vc

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.results.report import Statistics
    from remuda.smt.solver import Model, Native, Solver, Template
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.vc.interface import Interface


@final
@dataclass(slots=True, eq=False)
class Compiled:
    """A procedure's formula as a template of the solver."""

    vc: ProcedureVC
    template: Template
    position: dict[Term, int]  # of the terms that the template instantiates
    index: dict[Variable, int]  # of the parameters


@final
@dataclass(slots=True, eq=False)
class Instance:
    """One copy of a procedure's formula, with the solver's terms for its parameters."""

    compiled: Compiled
    actuals: list[Native]
    terms: list[Native]
    call: OpenCall | None  # the call it was inlined for; None for the entry
    calls: list[OpenCall] = field(default_factory=list)  # all its calls, by index, open or not
    children: dict[int, Instance] = field(default_factory=dict)

    @property
    def procedure(self) -> str:
        return self.compiled.vc.procedure.name

    def variable(self, variable: Variable) -> Native:
        return self.actuals[self.compiled.index[variable]]


@final
@dataclass(slots=True, eq=False)
class OpenCall:
    """A call in an instance. `cost` counts its callee on the call stack, itself included; `depth` is the stack's."""

    instance: Instance
    index: int
    callee: str
    control: Native
    cost: int
    depth: int


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path that a model describes.

    `kind` and what goes with it: "enter" and "leave" an instance; "visit" a block (label); "choose" (choice);
    "open": the path goes through a call that is not inlined (call).
    """

    kind: str
    instance: Instance
    label: str = ""
    choice: Choice | None = None
    call: OpenCall | None = None


@final
class Inlining:
    """The state of a search: instances and open calls, mirrored in the solver."""

    def __init__(
        self,
        program: Program,
        interfaces: Mapping[str, Interface],
        solver: Solver,
        statistics: Statistics,
        *,
        joins: str,
    ) -> None:
        self.program = program
        self.solver = solver
        self.statistics = statistics
        self.open_calls: dict[OpenCall, None] = {}
        self._interfaces = interfaces
        self._joins = joins
        self._compiled: dict[str, Compiled] = {}

    # --- growing

    def start(self, entry: str) -> Instance:
        """Instantiate the entry procedure over fresh inputs, and require that its exit is reached."""
        compiled = self.compiled(entry)
        inputs = [self.solver.fresh(variable.type) for variable in compiled.vc.interface.inputs]
        instance = self._instantiate(compiled, inputs, None)
        assert compiled.vc.exit_control is not None
        self.solver.add(instance.variable(compiled.vc.exit_control))
        return instance

    def inline(self, call: OpenCall) -> Instance:
        """Replace an open call by an instance of its callee."""
        site = call.instance.compiled.vc.calls[call.index]
        compiled = self.compiled(call.callee)
        began = time.perf_counter()
        inputs = [self.native(call.instance, term) for term in site.inputs]
        self.statistics.vc_seconds += time.perf_counter() - began
        instance = self._instantiate(compiled, inputs, call)
        began = time.perf_counter()
        solver = self.solver
        exit_control = compiled.vc.exit_control
        assert exit_control is not None
        conclusions = [instance.variable(exit_control)]
        for output, final_value in zip(site.outputs, compiled.vc.finals, strict=True):
            conclusions.append(solver.eq(call.instance.variable(output), self.native(instance, final_value)))
        solver.add(solver.implies(call.control, solver.and_(conclusions)))
        call.instance.children[call.index] = instance
        del self.open_calls[call]
        self.statistics.vc_seconds += time.perf_counter() - began
        return instance

    def compiled(self, procedure: str) -> Compiled:
        """The procedure's template, built when it is first needed."""
        found = self._compiled.get(procedure)
        if found is None:
            began = time.perf_counter()
            found = self._compile(procedure_vc(self.program, procedure, self._interfaces, self._joins))
            self._compiled[procedure] = found
            self.statistics.vc_seconds += time.perf_counter() - began
        return found

    def _compile(self, vc: ProcedureVC) -> Compiled:
        index = {variable: position for position, variable in enumerate(vc.parameters)}
        position: dict[Term, int] = {}
        terms: list[Term] = [self.program.terms.and_(vc.constraints)]
        for term in (*vc.finals, *(term for call in vc.calls for term in call.inputs)):
            if term.op != "var" and term not in position:
                position[term] = len(terms)
                terms.append(term)
        return Compiled(vc, self.solver.template(vc.parameters, terms), position, index)

    def _instantiate(self, compiled: Compiled, inputs: list[Native], call: OpenCall | None) -> Instance:
        began = time.perf_counter()
        vc = compiled.vc
        fresh = self.solver.fresh
        actuals = inputs + [fresh(variable.type) for variable in vc.parameters[len(inputs) :]]
        terms = self.solver.instantiate(compiled.template, actuals)
        instance = Instance(compiled, actuals, terms, call)
        self.solver.add(terms[0])
        for index, site in enumerate(vc.calls):
            control = instance.variable(site.control)
            cost, depth = self._cost(instance, site.callee)
            opened = OpenCall(instance, index, site.callee, control, cost, depth)
            instance.calls.append(opened)
            self.open_calls[opened] = None
        self.statistics.instances += 1
        self.statistics.tree_instances += 1
        self.statistics.vc_seconds += time.perf_counter() - began
        return instance

    def _cost(self, instance: Instance, callee: str) -> tuple[int, int]:
        """How often the callee would be on the call stack, and how deep the stack would be."""
        cost, depth = 1, 1
        at: Instance | None = instance
        while at is not None:
            depth += 1
            if at.procedure == callee:
                cost += 1
            at = at.call.instance if at.call is not None else None
        return cost, depth

    # --- reading

    def native(self, instance: Instance, term: Term) -> Native:
        """The solver's version of one of the template's terms in an instance."""
        position = instance.compiled.position.get(term)
        if position is not None:
            return instance.terms[position]
        if term.op == "var":
            index = instance.compiled.index.get(term.payload)
            if index is not None:
                return instance.actuals[index]
        return self.solver.translate(term)

    def path(self, instance: Instance, model: Model) -> list[str]:
        """The blocks of an instance that the model's execution passes, in order."""
        vc = instance.compiled.vc
        labels: list[str] = []
        edges: Sequence[Edge] = vc.exit_edges
        while edges:
            label = self._taken(instance, edges, model)
            labels.append(label)
            edges = vc.edges.get(label, ())
        labels.reverse()
        return labels

    def _taken(self, instance: Instance, edges: Sequence[Edge], model: Model) -> str:
        """The source of the first edge that the model takes; the last one needs no look."""
        for edge in edges[:-1]:
            if edge.taken.op == "bool" or model.is_true(instance.variable(edge.taken.payload)):
                return edge.source
        return edges[-1].source

    def walk(self, entry: Instance, model: Model) -> Iterator[Step]:
        """The execution that a model describes, through all inlined instances."""
        frames: list[tuple[Instance, Iterator[Step]]] = [(entry, self._steps(entry, model))]
        yield Step("enter", entry)
        while frames:
            instance, steps = frames[-1]
            step = next(steps, None)
            if step is None:
                frames.pop()
                yield Step("leave", instance)
            elif step.kind == "enter":
                frames.append((step.instance, self._steps(step.instance, model)))
                yield step
            else:
                yield step

    def _steps(self, instance: Instance, model: Model) -> Iterator[Step]:
        """The steps of one instance; "enter" stands for all that happens in a child."""
        vc = instance.compiled.vc
        for label in self.path(instance, model):
            yield Step("visit", instance, label)
            for step in vc.steps[label]:
                if isinstance(step, Choice):
                    yield Step("choose", instance, choice=step)
                elif step in instance.children:
                    yield Step("enter", instance.children[step])
                else:
                    yield Step("open", instance, call=instance.calls[step])
