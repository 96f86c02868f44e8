"""The path of a trace as a program without choices: all calls inlined, no branches, no loops.

trace:   main enters Q, leaves it, fails `assert x > y`
before:  procedure main() { x := 1; call y := Q(2); assert x > y; }    procedure Q(i: int) returns (r: int) { r := i; }
after:   procedure path() { x := 1; i.1 := 2; r.1 := i.1; y := r.1; assume !(x > y); }

The program has an execution exactly if the trace's path has a failing one: the trace may come from an abstraction,
and its values do not count. Every frame of the call stack has variables of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, final

from remuda.base.names import FreshNames
from remuda.ir.edit import rename_statement
from remuda.ir.program import Assert, Assign, Assume, Block, Call, Havoc, Procedure, Program, Statement
from remuda.ir.trace import Choose, Enter, Event, Leave, Trace, Visit
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import postorder

if TYPE_CHECKING:
    from remuda.terms.term import Term
    from remuda.terms.values import Value

NAME: Final = "path"
LABEL: Final = "path"

Copies = dict[Variable, Variable]  # the variables of the path program


@final
@dataclass(frozen=True, slots=True)
class PathProgram:
    """`program` has the one procedure `path`. `lift` takes a trace of it to one of the program that the path is of."""

    program: Program
    trace: Trace  # whose path this is
    told: tuple[tuple[Event, Copies], ...]  # its events, and the copies of the variables that they give values to
    inputs: Copies

    def lift(self, trace: Trace) -> Trace:
        start = next(event for event in trace.events if isinstance(event, Enter))
        choices = (event for event in trace.events if isinstance(event, Choose))
        events: list[Event] = []
        for event, copies in self.told:
            match event:
                case Enter(procedure):
                    events.append(Enter(procedure, _values(copies, start.values)))
                case Choose():
                    events.append(Choose(_values(copies, next(choices).values)))
                case _:
                    events.append(event)
        own = set(self.program.globals)
        first = {variable: value for variable, value in trace.initial.items() if variable in own}
        first.update(_values(self.inputs, start.values))
        return replace(self.trace, interpretation=trace.interpretation, initial=first, events=tuple(events))


def _values(copies: Copies, values: Mapping[Variable, Value]) -> dict[Variable, Value]:
    return {variable: values[copy] for variable, copy in copies.items() if copy in values}


def path_program(program: Program, trace: Trace) -> PathProgram:
    """The path of a trace of the program; only blocks, calls and the assertion that fails are taken from it."""
    return _Walk(program, trace).run()


@final
@dataclass(slots=True)
class _Frame:
    procedure: Procedure
    copies: Copies
    replacement: dict[Variable, Term]  # the same, as terms
    saved: Copies  # what globals were when it was entered
    statements: Iterator[Statement] = field(default_factory=lambda: iter(()))
    call: Call | None = None  # that is being run


@final
class _Walk:
    def __init__(self, program: Program, trace: Trace) -> None:
        self._program = program
        self._terms = program.terms
        self._trace = trace
        self._events = iter([event for event in trace.events if not isinstance(event, Choose)])
        self._fresh = FreshNames(variable.name for variable in program.globals)
        self._frames: list[_Frame] = []
        self._locals: list[Variable] = []
        self._statements: list[Statement] = []
        self._told: list[tuple[Event, Copies]] = []

    def run(self) -> PathProgram:
        entry = self._program.procedures[self._trace.entry]
        self._enter(entry)
        inputs = {variable: self._frames[0].copies[variable] for variable in entry.inputs}
        next(self._events)  # that it is entered
        has_failed = False
        while not has_failed:
            has_failed = self._run_block()
        path = Procedure(
            NAME,
            (),
            (),
            entry.span,
            locals=tuple(self._locals),
            blocks=(Block(LABEL, tuple(self._statements), (), entry.span),),
        )
        procedures = {NAME: path}
        whole = replace(self._program, procedures=procedures, entries=(NAME,), wheres={})
        return PathProgram(whole, self._trace, tuple(self._told), inputs)

    def _run_block(self) -> bool:
        """Run the statements of the current frame up to the next event. The result says whether the failing assertion
        is among them."""
        frame = self._frames[-1]
        for statement in frame.statements:
            match statement:
                case Assert(condition, check, span):
                    fails = check is self._trace.check and self._is_last_block()
                    condition = self._renamed(frame, [condition])[0]
                    self._statements.append(Assume(self._terms.not_(condition) if fails else condition, span))
                    if fails:
                        return True
                case Call() if self._program.procedures[statement.procedure].blocks is not None:
                    self._call(frame, statement)
                    return False
                case Call():
                    self._choose(frame, statement)
                case Havoc(variables):
                    copies = {variable: frame.copies.get(variable, variable) for variable in variables}
                    self._told.append((Choose({}), copies))
                    self._statements.append(rename_statement(self._terms, statement, frame.copies, frame.replacement))
                case _:
                    self._statements.append(rename_statement(self._terms, statement, frame.copies, frame.replacement))
        self._next_event(frame)
        return False

    def _is_last_block(self) -> bool:
        """Whether no event is left."""
        following = next(self._events, None)
        if following is None:
            return True
        self._events = iter([following, *self._events])
        return False

    def _next_event(self, frame: _Frame) -> None:
        event = next(self._events)
        self._told.append((event, {}))
        match event:
            case Visit(label):
                block = next(block for block in frame.procedure.blocks or () if block.label == label)
                frame.statements = iter(block.statements)
            case Leave():
                self._frames.pop()
                self._promise(frame.procedure, frame.copies, frame.saved)
                caller = self._frames[-1]
                call, caller.call = caller.call, None
                assert call is not None
                if call.results:
                    targets = tuple(caller.copies.get(result, result) for result in call.results)
                    values = tuple(self._terms.var(frame.copies[output]) for output in frame.procedure.outputs)
                    self._statements.append(Assign(targets, values, call.span))
            case _:
                raise AssertionError(event)  # a trace has calls where they are made

    def _call(self, frame: _Frame, call: Call) -> None:
        callee = self._program.procedures[call.procedure]
        arguments = tuple(self._renamed(frame, call.arguments))
        frame.call = call
        next(self._events)  # that it is entered
        self._enter(callee)
        if arguments:
            targets = tuple(self._frames[-1].copies[variable] for variable in callee.inputs)
            self._statements.append(Assign(targets, arguments, call.span))

    def _enter(self, procedure: Procedure) -> None:
        own = (*procedure.outputs, *procedure.locals)
        copies = {variable: self._copy(variable) for variable in (*procedure.inputs, *own)}
        replacement = {variable: self._terms.var(copy) for variable, copy in copies.items()}
        self._frames.append(_Frame(procedure, copies, replacement, self._save_old(procedure)))
        self._told.append((Enter(procedure.name, {}), {variable: copies[variable] for variable in own}))

    def _copy(self, variable: Variable) -> Variable:
        copy = Variable(self._fresh.make(variable.name), variable.type, VariableKind.LOCAL)
        self._locals.append(copy)
        return copy

    def _choose(self, frame: _Frame, call: Call) -> None:
        """A call of a procedure without a body: it may do everything that its contract allows."""
        callee, terms = self._program.procedures[call.procedure], self._terms
        given = {variable: self._copy(variable) for variable in callee.inputs}
        if given:
            self._statements.append(
                Assign(tuple(given.values()), tuple(self._renamed(frame, call.arguments)), call.span)
            )
        saved = self._save_old(callee)
        outputs = {output: self._copy(output) for output in callee.outputs}
        self._told.append(
            (
                Choose({}),
                {
                    **dict(zip(callee.outputs, outputs.values(), strict=True)),
                    **{variable: variable for variable in callee.modifies},
                },
            )
        )
        self._statements.append(Havoc((*outputs.values(), *callee.modifies), call.span))
        self._promise(callee, {**given, **outputs}, saved)
        if call.results:
            targets = tuple(frame.copies.get(result, result) for result in call.results)
            self._statements.append(Assign(targets, tuple(map(terms.var, outputs.values())), call.span))

    def _save_old(self, callee: Procedure) -> Copies:
        """The values of globals before a call whose contract mentions them."""
        conditions = [condition.term for condition in callee.ensures]
        saved = {
            each.args[0].payload: self._copy(each.args[0].payload)
            for each in postorder(conditions)
            if each.op == "old"
        }
        if saved:
            values = tuple(self._terms.var(variable) for variable in saved)
            self._statements.append(Assign(tuple(saved.values()), values, callee.span))
        return saved

    def _promise(self, callee: Procedure, copies: Copies, saved: Copies) -> None:
        """Assume the `ensures` clauses after a call."""
        terms = self._terms

        def meant(term: Term) -> Term | None:
            if term.op == "old":
                return terms.var(saved[term.args[0].payload])
            return terms.var(copies.get(term.payload, term.payload)) if term.op == "var" else None

        for condition in terms.rewrite([condition.term for condition in callee.ensures], meant):
            self._statements.append(Assume(condition, callee.span))

    def _renamed(self, frame: _Frame, roots: Sequence[Term]) -> list[Term]:
        return self._terms.substitute(roots, frame.replacement)
