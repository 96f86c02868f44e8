"""The partially inlined program in the solver: instances of procedures, and open calls.

Inlining a call instantiates the callee's template, or takes an instance that the call may share, and adds

    control(call) ==> control(exit of the instance)  &&  outputs of the call == final values of the instance
                                                     &&  inputs of the instance == inputs of the call

If an instance will never be shared, the call's inputs are substituted for its own, so it needs no equations for them.
Only this module asserts the program in the solver.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.analysis.callgraph import called_once
from remuda.analysis.data_disjoint import CONTROL, Disjointness
from remuda.base import clock
from remuda.engines.call_dag import CallDag, Node
from remuda.engines.stacks import Stack, Stacks
from remuda.terms.types import BOOL
from remuda.vc.passive import Choice, Edge, ProcedureVC, procedure_vc

if TYPE_CHECKING:
    from remuda.engines.merging import Strategy
    from remuda.engines.outcome import NamedShape
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
    position: dict[Term, int]  # of each term that the template instantiates
    index: dict[Variable, int]  # of each parameter
    conflicts: list[int]  # for each call, the other calls that the same execution may make
    certain_call: bool  # whether there is only one call, and every execution of the body makes it


@final
@dataclass(slots=True, eq=False)
class Instance:
    """One copy of a procedure's formula, with the solver's terms for its parameters."""

    compiled: Compiled
    stack: Stack
    actuals: list[Native]
    terms: list[Native]
    calls: list[OpenCall] = field(default_factory=list)  # all its calls, by index, open or not
    children: dict[int, Instance] = field(default_factory=dict)
    callers: list[OpenCall] = field(default_factory=list)  # the calls that lead to it
    can_end: bool = False  # whether some path through it makes no open calls, directly or in other instances
    node: Node[Stack] | None = None  # its node in the DAG, if instances are shared

    @property
    def procedure(self) -> str:
        return self.compiled.vc.procedure.name

    def variable(self, variable: Variable) -> Native:
        return self.actuals[self.compiled.index[variable]]


@final
@dataclass(slots=True, eq=False)
class OpenCall:
    """A call in an instance. `stack` is the stack that an instance of the callee would have."""

    instance: Instance
    index: int
    control: Native
    stack: Stack

    @property
    def callee(self) -> str:
        return self.stack.procedure


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path that a model describes.

    The kinds, and their fields: "enter" and "leave" an instance; "visit" a block (label); "choose" (choice); "open":
    the path goes through a call that is not inlined (call).
    """

    kind: str
    instance: Instance
    label: str = ""
    choice: Choice | None = None
    call: OpenCall | None = None


Shape = list[tuple[int, int, int]]  # numbers of an instance, of a call in it, and of the instance that it leads to


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
        merge: Strategy | None = None,
        disjoint: str = CONTROL,
        keep_depth: bool = False,
    ) -> None:
        """Start without instances. `merge` selects the instance that a call shares; without it, none is shared. See
        `Disjointness`."""
        self.program = program
        self.solver = solver
        self.statistics = statistics
        self._size = 0
        self.open_calls: dict[OpenCall, None] = {}
        self._interfaces = interfaces
        self._joins = joins
        self._merge = merge
        self._disjointness = Disjointness(program, disjoint)
        self._dag: CallDag[Stack] = CallDag()
        self._at: list[Instance] = []  # by the number of its node
        self._stacks = Stacks(program, keep_depth=keep_depth)
        self._compiled: dict[str, Compiled] = {}
        self.guards: dict[Native, OpenCall] | None = (
            None  # with guards, an inlined call only counts if its guard is true
        )
        self._single_call = called_once(program) if merge is not None else frozenset()

    # --- growing

    def start(self, entry: str) -> Instance:
        """Instantiate the entry procedure over fresh inputs, and require that its exit is reached."""
        compiled = self.compiled(entry)
        inputs = [self.solver.fresh(variable.type) for variable in compiled.vc.interface.inputs]
        instance = self._instantiate(compiled, inputs, Stack(entry))
        assert compiled.vc.exit_control is not None
        self.solver.add(instance.variable(compiled.vc.exit_control))
        return instance

    def inline(self, call: OpenCall) -> Instance:
        """Replace an open call by an instance of its callee: one that it may share, or a new one."""
        shared = self._find_shared(call) if self._merge is not None else None
        instance = self._new_instance(call) if shared is None else shared
        self._connect(call, instance, equate_inputs=self._may_share(call.callee))
        return instance

    def shape(self, entry: Instance) -> Shape:
        """The calls that have been inlined, callers first."""
        numbers = {entry: 0}
        found: list[tuple[int, int, int]] = []
        for instance in (order := [entry]):
            for index, child in sorted(instance.children.items()):
                if child not in numbers:
                    numbers[child] = len(numbers)
                    order.append(child)
                found.append((numbers[instance], index, numbers[child]))
        return found

    def regrow(self, entry: Instance, shape: Shape) -> None:
        """Inline the calls that another search had inlined, of a program with the same calls. Instances may be shared
        differently."""
        instances = {0: entry}
        for number, index, child_number in shape:
            call = instances[number].calls[index]
            child = self.inline(call) if call in self.open_calls else instances[number].children[index]
            instances.setdefault(child_number, child)

    @property
    def inlined(self) -> tuple[str, ...]:
        """The procedures that have instances."""
        return tuple(sorted(self._compiled))

    def named_shape(self, entry: Instance, among: Collection[OpenCall] | None = None) -> NamedShape:
        """The calls that have been inlined, callers first, by names that are valid in an edited program too. With
        `among`, only the calls that are reachable through calls in it."""
        numbers = {entry: 0}
        found: list[tuple[int, str, int, int]] = []
        for instance in (order := [entry]):
            for call, count in _numbered(instance):
                child = instance.children.get(call.index)
                if child is None or (among is not None and call not in among):
                    continue
                if child not in numbers:
                    numbers[child] = len(numbers)
                    order.append(child)
                found.append((numbers[instance], call.callee, count, numbers[child]))
        return tuple(found)

    def regrow_named(self, entry: Instance, shape: NamedShape, may_inline: Callable[[OpenCall], bool]) -> None:
        """Inline the calls that were inlined in another program, if this one has them."""
        instances = {0: entry}
        calls = {entry: {(call.callee, count): call for call, count in _numbered(entry)}}
        for number, callee, count, child_number in shape:
            instance = instances.get(number)
            call = None if instance is None else calls[instance].get((callee, count))
            if instance is None or call is None:
                continue
            if call in self.open_calls and may_inline(call):
                self.inline(call)
            child = instance.children.get(call.index)
            if child is not None and child_number not in instances:
                instances[child_number] = child
                calls[child] = {(each.callee, count): each for each, count in _numbered(child)}

    def _may_share(self, procedure: str) -> bool:
        """Whether to try sharing instances of a procedure. With only one call site, sharing its caller suffices."""
        return self._merge is not None and procedure not in self._single_call

    def _find_shared(self, call: OpenCall) -> Instance | None:
        began = time.perf_counter()
        found = None
        if self._may_share(call.callee):
            assert call.instance.node is not None
            compatible = self._dag.compatible(call.instance.node, call.index, call.stack)
            if compatible and self._merge is not None:
                found = self._merge(call.instance.node, call.index, compatible)
        self.statistics.merge_seconds += time.perf_counter() - began
        return None if found is None else self._at[found.number]

    def _new_instance(self, call: OpenCall) -> Instance:
        compiled = self.compiled(call.callee)
        began = time.perf_counter()
        if self._may_share(call.callee):
            inputs = [self.solver.fresh(variable.type) for variable in compiled.vc.interface.inputs]
        else:
            inputs = self._inputs(call)
        self.statistics.vc_seconds += time.perf_counter() - began
        return self._instantiate(compiled, inputs, call.stack)

    def _connect(self, call: OpenCall, instance: Instance, *, equate_inputs: bool) -> None:
        """Assert that the call, if it is made, runs the instance."""
        began = time.perf_counter()
        solver, vc = self.solver, instance.compiled.vc
        site = call.instance.compiled.vc.calls[call.index]
        assert vc.exit_control is not None
        conclusions = [instance.variable(vc.exit_control)]
        for output, final_value in zip(site.outputs, vc.finals, strict=True):
            conclusions.append(solver.eq(call.instance.variable(output), self.native(instance, final_value)))
        if equate_inputs:
            for variable, actual in zip(vc.interface.inputs, self._inputs(call), strict=True):
                conclusions.append(solver.eq(instance.variable(variable), actual))
        made = call.control
        if self.guards is not None:
            guard = solver.fresh(BOOL)
            self.guards[guard] = call
            made = solver.and_([guard, made])
        solver.add(solver.implies(made, solver.and_(conclusions)))
        call.instance.children[call.index] = instance
        instance.callers.append(call)
        del self.open_calls[call]
        if instance.can_end:
            _note_ends(call.instance)
        clock.spend(clock.INSTANCE)
        now = time.perf_counter()
        self.statistics.vc_seconds += now - began
        if call.instance.node is not None and instance.node is not None:
            self._dag.connect(call.instance.node, call.index, instance.node)
            self.statistics.merge_seconds += time.perf_counter() - now

    def _inputs(self, call: OpenCall) -> list[Native]:
        site = call.instance.compiled.vc.calls[call.index]
        return [self.native(call.instance, term) for term in site.inputs]

    def compiled(self, procedure: str) -> Compiled:
        """The procedure's template, built at its first use."""
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
        blocks = [call.block for call in vc.calls]
        conflicts = [] if self._merge is None else self._disjointness.conflicts(vc.procedure, vc.flow, blocks)
        ends = [label for label in vc.flow.order if not vc.flow.successors[label]]
        certain_call = len(blocks) == 1 and all(vc.flow.dominates(blocks[0], end) for end in ends)
        template = self.solver.template(vc.parameters, terms)
        return Compiled(vc, template, position, index, conflicts, certain_call)

    def _instantiate(self, compiled: Compiled, inputs: list[Native], stack: Stack) -> Instance:
        began = time.perf_counter()
        vc = compiled.vc
        fresh = self.solver.fresh
        actuals = inputs + [fresh(variable.type) for variable in vc.parameters[len(inputs) :]]
        terms = self.solver.instantiate(compiled.template, actuals)
        instance = Instance(compiled, stack, actuals, terms)
        self.solver.add(terms[0])
        for index, site in enumerate(vc.calls):
            control = instance.variable(site.control)
            opened = OpenCall(instance, index, control, self._stacks.push(stack, site.callee))
            instance.calls.append(opened)
            self.open_calls[opened] = None
        if self._merge is not None:
            instance.node = self._dag.add(stack, compiled.conflicts)
            self._at.append(instance)
        _note_ends(instance)
        self._size += 1
        self.statistics.instances += 1
        self.statistics.vc_seconds += time.perf_counter() - began
        return instance

    @property
    def tree_size(self) -> int:
        """The number of instances if none was shared."""
        return self._size if self._merge is None else self._dag.tree_size()

    # --- reading

    def native(self, instance: Instance, term: Term) -> Native:
        """The solver's term for a term of the template in an instance."""
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
        """The source of the first edge that the model takes; the last one needs no check."""
        for edge in edges[:-1]:
            if edge.taken.op == "bool" or model.is_true(instance.variable(edge.taken.payload)):
                return edge.source
        return edges[-1].source

    def path_literals(self, entry: Instance, model: Model) -> tuple[Native, ...]:
        """Literals that hold in exactly the models with the same path; other blocks do not matter."""
        literals: dict[Native, None] = {}
        for instance in dict.fromkeys(step.instance for step in self.walk(entry, model)):
            vc = instance.compiled.vc
            edges: Sequence[Edge] = vc.exit_edges
            while edges:
                label = self._taken(instance, edges, model)
                for edge in edges:  # up to the one that is taken
                    if edge.taken.op != "bool":
                        native = instance.variable(edge.taken.payload)
                        literals[native if edge.source == label else self.solver.not_(native)] = None
                    if edge.source == label:
                        break
                edges = vc.edges.get(label, ())
        return tuple(literals)

    def open_calls_on_path(self, entry: Instance, model: Model) -> list[OpenCall]:
        """The open calls on the model's path, in order. This must be fast, because most queries are followed by
        it."""
        found: list[OpenCall] = []
        work: list[Instance | OpenCall] = [entry]
        while work:
            at = work.pop()
            if isinstance(at, OpenCall):
                found.append(at)
            elif at.calls:
                steps = at.compiled.vc.steps
                calls = [step for label in self.path(at, model) for step in steps[label] if isinstance(step, int)]
                work.extend(at.children.get(call) or at.calls[call] for call in reversed(calls))
        return found

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
        """The steps of one instance; "enter" stands for all steps of a child."""
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


def _numbered(instance: Instance) -> list[tuple[OpenCall, int]]:
    """The calls of an instance, each with the number of earlier ones of the same procedure."""
    counts: dict[str, int] = {}
    found = []
    for call in instance.calls:
        count = counts.get(call.callee, 0)
        counts[call.callee] = count + 1
        found.append((call, count))
    return found


def _note_ends(instance: Instance) -> None:
    """Update `can_end` of an instance, and of those that lead to it."""
    work = [instance]
    while work:
        at = work.pop()
        if not at.can_end and _has_path(at):
            at.can_end = True
            work.extend(call.instance for call in at.callers)


def _has_path(instance: Instance) -> bool:
    """Whether there is a path through the body on which every call leads to an instance that can end."""
    vc = instance.compiled.vc
    closed = {
        site.block
        for index, site in enumerate(vc.calls)
        if index not in instance.children or not instance.children[index].can_end
    }
    if not closed:
        return True
    flow = vc.flow
    passed: set[str] = set()
    for label in flow.order:
        predecessors = flow.predecessors[label]
        if label not in closed and (not predecessors or not passed.isdisjoint(predecessors)):
            passed.add(label)
            if not flow.successors[label]:
                return True
    return False
