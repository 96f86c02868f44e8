"""Runs a trace on a program, and relies only on the values that it computes.

The trace has the visited blocks and the nondeterministic choices. The interpreter recomputes every value, and checks
that every assumption holds, that threads take turns only where they may, and that exactly the last assertion fails.
The result lists conditions that it cannot evaluate, so that a verdict can list them as assumptions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.ir.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Condition,
    Havoc,
    Procedure,
    Statement,
    Yield,
    attribute,
)
from remuda.ir.threads import is_atomic_begin, is_atomic_end
from remuda.ir.trace import Choose, Enter, Leave, Switch, Visit
from remuda.replay.model import definitions_of, evaluator_for, open_symbols
from remuda.replay.scopes import Environment, Scope, Stuck
from remuda.replay.steps import Reading, Step, changes, is_scalar, readings
from remuda.terms.term import postorder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from remuda.base.source import Span
    from remuda.ir.program import Attributes, Check, Program
    from remuda.ir.trace import Event, Trace
    from remuda.replay.evaluate import Evaluator, Outcome
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.terms.values import Value

QUANTIFIERS = frozenset({"forall", "exists"})


@final
@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of a replay.

    `ok`: the trace is an execution of the program that fails its check, given `unevaluated`, the conditions
    (as text, with their positions) that count as true because they cannot be evaluated. If not ok, `why` is the
    reason; `steps` is the number of executed steps.
    """

    ok: bool
    why: str
    check: Check
    steps: tuple[Step, ...]
    unevaluated: tuple[tuple[str, Span], ...] = ()


def replay(program: Program, trace: Trace) -> Replay:
    """Run the trace. Never raises for a trace that does not fit: that is a result."""
    machine = _Machine(program, trace)
    try:
        machine.run()
    except _Failed as failure:
        return Replay(False, failure.why, trace.check, tuple(machine.steps), tuple(machine.unevaluated))
    return Replay(True, "", trace.check, tuple(machine.steps), tuple(machine.unevaluated))


@final
class _Failed(Exception):
    """The trace is not an execution that fails its check."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


@final
@dataclass(slots=True)
class _Frame:
    """A running procedure. `call` is the statement in the caller that started it; None for the entry."""

    procedure: Procedure
    environment: Environment
    call: Call | None
    blocks: Mapping[str, Block]
    block: Block | None = None
    position: int = 0
    came_by: Sequence[str] = ()  # the labels among which the jump to this block could choose


@final
@dataclass(slots=True)
class _Thread:
    """A thread. `begin` is what it will enter, until it is first switched to; without frames afterwards, it has
    ended. `own` are its copies of the thread-local globals while it does not run."""

    number: int
    begin: tuple[Procedure, dict[Variable, Value], Call] | None = None
    frames: list[_Frame] = field(default_factory=list)
    own: dict[Variable, Value] = field(default_factory=dict)
    atomic: bool = False
    yielded: bool = False

    @property
    def ended(self) -> bool:
        return self.begin is None and not self.frames


@final
class _Machine:
    """The state of a replay: an explicit stack of frames, because traces recurse tens of thousands deep."""

    def __init__(self, program: Program, trace: Trace) -> None:
        self.program = program
        self.trace = trace
        self.evaluator: Evaluator = evaluator_for(program, trace)
        self.steps: list[Step] = []
        self.unevaluated: dict[tuple[str, Span], None] = {}  # each once, even if a loop evaluates it often
        self._events: Sequence[Event] = trace.events
        self._next = 0
        self._thread = _Thread(1)
        self._threads = [self._thread]
        self._frames = self._thread.frames
        self._globals: dict[Variable, Value] = {}
        self._blocks: dict[str, dict[str, Block]] = {}
        self._old_uses: dict[str, tuple[Variable, ...]] = {}
        self._failed = False

    # --- the whole run

    def run(self) -> None:
        entry = self.program.procedures.get(self.trace.entry)
        if entry is None or entry.blocks is None:
            raise _Failed(f"the entry {self.trace.entry} has no body")
        self._globals.update(self._values(self.program.globals, self.trace.initial))
        self._assume_axioms()
        self._assume_global_wheres()
        inputs = self._values(entry.inputs, self.trace.initial)
        start = tuple(
            Reading(variable, (), value)
            for variable, value in {**self._globals, **inputs}.items()
            if is_scalar(value) and variable in self.trace.initial
        )
        self.steps.append(Step("start", 0, entry.name, entry.span, sets=start))
        self._enter(entry, inputs, None)
        while not self._failed:
            if self._is_time_to_switch():
                self._switch()
            else:
                self._advance()
        if self._next < len(self._events):
            raise _Failed(f"the check fails already at event {self._next} of {len(self._events)}")

    def _assume_axioms(self) -> None:
        """Assume that axioms hold. One that is false only where the model leaves symbols open counts as true: an
        engine may leave out axioms about symbols that the program does not use, so the model has no values for
        them."""
        environment = Environment({}, self._globals)
        definitions = {axiom for axiom, _ in definitions_of(self.program).values()}  # true by construction
        for axiom in self.program.axioms:
            if axiom in definitions:
                continue
            opened = open_symbols(axiom.term, self.trace.interpretation)
            if opened and self._outcome(axiom.term, Scope(environment)) is False:
                self.unevaluated[f"axiom: the model leaves {', '.join(opened)} open", axiom.span] = None
            else:
                self._assume(axiom.term, environment, axiom.span, "axiom")
        for left, right in self._equal_unique_constants():
            raise _Failed(f"the unique constants {left.name} and {right.name} have the same value")

    def _equal_unique_constants(self) -> Iterable[tuple[Variable, Variable]]:
        seen: dict[tuple[str, object], Variable] = {}
        for constant in self.program.unique_constants:
            value = self.evaluator.interpretation.constants[constant]
            other = seen.setdefault((str(constant.type), value), constant)
            if other is not constant:
                yield other, constant

    def _assume_global_wheres(self) -> None:
        environment = Environment({}, self._globals)
        for variable in self.program.globals:
            where = self.program.wheres.get(variable)
            if where is not None:
                entry = self.program.procedures[self.trace.entry]
                self._assume(where, environment, entry.span, f"where condition of {variable.name}")

    def _advance(self) -> None:
        """Execute one statement, or leave the current block."""
        if not self._frames:
            wanted = f"switch to another thread, because thread {self._thread.number} has ended"
            raise self._wrong(self._event(wanted), wanted)
        frame = self._frames[-1]
        assert frame.block is not None
        if frame.position < len(frame.block.statements):
            statement = frame.block.statements[frame.position]
            frame.position += 1
            self._execute(statement, frame)
        elif frame.block.successors:
            self._visit(frame, frame.block.successors)
        else:
            self._leave(frame)

    # --- threads

    def _is_time_to_switch(self) -> bool:
        event = self._events[self._next] if self._next < len(self._events) else None
        return isinstance(event, Switch) and (not self._frames or self._frames[-1].position == event.position)

    def _switch(self) -> None:
        """Let another thread run, if the program allows that here."""
        event = self._event("switch")
        assert isinstance(event, Switch)
        before = self._thread
        if not 1 <= event.thread <= len(self._threads) or self._threads[event.thread - 1].ended:
            raise _Failed(f"event {self._next - 1} switches to thread {event.thread}, which does not run")
        if not before.ended and before.atomic:
            raise _Failed(f"event {self._next - 1} switches threads inside an atomic section")
        if not before.ended and self.program.cooperative and not before.yielded:
            raise _Failed(f"event {self._next - 1} switches threads where the program does not yield")
        before.own = {variable: self._globals[variable] for variable in self.program.thread_locals}
        thread = self._threads[event.thread - 1]
        self._thread, self._frames = thread, thread.frames
        if thread.begin is None:
            self._globals.update(thread.own)
        else:
            self._begin(thread, *thread.begin)

    def _begin(self, thread: _Thread, procedure: Procedure, inputs: dict[Variable, Value], call: Call) -> None:
        """Enter what a new thread runs; its copies of the thread-local globals start arbitrary."""
        thread.begin = None
        event = self._events[self._next] if self._next < len(self._events) else None
        chosen = event.values if isinstance(event, Enter) else {}
        self._globals.update(self._values(self.program.thread_locals, chosen))
        environment = Environment({}, self._globals)
        for variable in self.program.thread_locals:
            where = self.program.wheres.get(variable)
            if where is not None:
                self._assume(where, environment, call.span, f"where condition of {variable.name}")
        start = tuple(Reading(variable, (), value) for variable, value in inputs.items() if is_scalar(value))
        self.steps.append(Step("start", 0, procedure.name, procedure.span, sets=start, thread=thread.number))
        self._enter(procedure, inputs, None)

    # --- events

    def _event(self, wanted: str) -> Event:
        if self._next >= len(self._events):
            raise _Failed(f"the trace ends where it must say: {wanted}")
        event = self._events[self._next]
        self._next += 1
        return event

    def _wrong(self, event: Event, wanted: str) -> _Failed:
        return _Failed(f"event {self._next - 1} is {_event_text(event)}, not {wanted}")

    def _values(self, variables: Iterable[Variable], chosen: Mapping[Variable, Value]) -> dict[Variable, Value]:
        """The chosen values; any value where the trace has none."""
        domains = self.evaluator.domains
        return {
            variable: domains.canonical(chosen[variable], variable.type)
            if variable in chosen
            else domains.default(variable.type)
            for variable in variables
        }

    def _enter(self, procedure: Procedure, inputs: dict[Variable, Value], call: Call | None) -> None:
        wanted = f"enter {procedure.name}"
        event = self._event(wanted)
        if not isinstance(event, Enter) or event.procedure != procedure.name:
            raise self._wrong(event, wanted)
        values = self._values((*procedure.outputs, *procedure.locals), event.values)
        old = {variable: self._globals[variable] for variable in self._read_as_old(procedure)}
        environment = Environment({**inputs, **values}, self._globals, old)
        frame = _Frame(procedure, environment, call, self._blocks_of(procedure))
        self._frames.append(frame)
        sets = tuple(Reading(variable, (), value) for variable, value in inputs.items() if is_scalar(value))
        span = procedure.span if call is None else call.span
        self.steps.append(
            Step(
                "enter",
                len(self._frames) - 1,
                procedure.name,
                span,
                call,
                sets=() if call is None else sets,
                thread=self._thread.number,
            )
        )
        for condition in procedure.requires:
            if condition.free:
                self._assume(condition.term, environment, condition.span, f"free requires of {procedure.name}")
        assert procedure.blocks
        self._visit(frame, (procedure.blocks[0].label,))

    def _visit(self, frame: _Frame, allowed: Sequence[str]) -> None:
        wanted = f"visit {' or '.join(allowed)} in {frame.procedure.name}"
        event = self._event(wanted)
        if not isinstance(event, Visit) or event.label not in allowed:
            raise self._wrong(event, wanted)
        frame.block = frame.blocks[event.label]
        frame.position = 0
        frame.came_by = allowed

    def _leave(self, frame: _Frame) -> None:
        procedure = frame.procedure
        event = self._event(f"leave {procedure.name}")
        if not isinstance(event, Leave):
            raise self._wrong(event, f"leave {procedure.name}")
        for condition in procedure.ensures:
            if condition.free:
                self._assume(condition.term, frame.environment, condition.span, f"free ensures of {procedure.name}")
        self._frames.pop()
        if frame.call is None:
            if self._next >= len(self._events):
                raise _Failed(
                    f"{'the entry' if self._thread.number == 1 else 'a thread'} ends and no assertion fails"
                )
            return
        results = [frame.environment.locals[output] for output in procedure.outputs]
        sets = self._assign_results(frame.call, results)
        caller = self._frames[-1].procedure.name
        depth, number = len(self._frames) - 1, self._thread.number
        self.steps.append(Step("leave", depth, caller, frame.call.span, frame.call, sets=sets, thread=number))

    def _assign_results(self, call: Call, results: Sequence[Value]) -> tuple[Reading, ...]:
        for target, value in zip(call.results, results, strict=True):
            self._set(target, value)
        pairs = zip(call.results, results, strict=True)
        return tuple(Reading(target, (), value) for target, value in pairs if is_scalar(value))

    def _blocks_of(self, procedure: Procedure) -> Mapping[str, Block]:
        if procedure.name not in self._blocks:
            self._blocks[procedure.name] = {block.label: block for block in procedure.blocks or ()}
        return self._blocks[procedure.name]

    def _read_as_old(self, procedure: Procedure) -> tuple[Variable, ...]:
        if procedure.name not in self._old_uses:
            self._old_uses[procedure.name] = variables_under_old(procedure.ensures)
        return self._old_uses[procedure.name]

    # --- statements

    def _execute(self, statement: Statement, frame: _Frame) -> None:
        self._thread.yielded = isinstance(statement, Yield)
        match statement:
            case Assign():
                self._assignment(statement, frame)
            case Havoc():
                self._havoc(statement, frame)
            case Assume():
                self._assumption(statement, frame)
            case Assert():
                self._assertion(statement, frame)
            case Call():
                self._call(statement, frame)
            case Yield():
                self._record("yield", statement, frame)

    def _assignment(self, statement: Assign, frame: _Frame) -> None:
        scope = Scope(frame.environment)
        values = [self._value(term, scope, statement.span) for term in statement.values]
        sets: list[Reading] = []
        for target, term, value in zip(statement.targets, statement.values, values, strict=True):
            sets.extend(changes(target, term, value, scope.memo))
        step_reads = readings(scope.memo)
        printed = self._printed(statement.attributes, frame)
        for target, value in zip(statement.targets, values, strict=True):
            self._set(target, value)
        self._record("assign", statement, frame, reads=step_reads, sets=tuple(sets), printed=printed)

    def _havoc(self, statement: Havoc, frame: _Frame) -> None:
        chosen = self._chosen("choose the values of a havoc")
        printed = self._printed(statement.attributes, frame)
        values = self._values(statement.variables, chosen)
        for variable, value in values.items():
            self._set(variable, value)
        is_shown = attribute(statement.attributes, "shows") is not None
        sets = tuple(
            Reading(variable, (), value) for variable, value in values.items() if is_shown or is_scalar(value)
        )
        self._record("havoc", statement, frame, sets=sets, printed=printed)

    def _assumption(self, statement: Assume, frame: _Frame) -> None:
        scope = Scope(frame.environment)
        printed = self._printed(statement.attributes, frame)
        branch = len(frame.came_by) > 1 and frame.position == 1
        self._assume_in(statement.condition, scope, statement.span, "assumption")
        negated = branch and _is_other_branch(statement, frame)
        reads = readings(scope.memo)
        self._record("assume", statement, frame, reads=reads, printed=printed, branch=branch, negated=negated)

    def _assertion(self, statement: Assert, frame: _Frame) -> None:
        scope = Scope(frame.environment)
        outcome = self.evaluator.outcome(statement.condition, scope)
        printed = self._printed(statement.attributes, frame)
        self._record("assert", statement, frame, reads=readings(scope.memo), printed=printed)
        last = self._next >= len(self._events)
        if isinstance(outcome, Stuck):
            self._unevaluated_assertion(statement, outcome, last=last)
        elif outcome is False:
            if statement.check is not self.trace.check:
                raise _Failed(f"{statement.check.identifier} fails first, at {statement.span}")
            self._failed = True

    def _unevaluated_assertion(self, statement: Assert, stuck: Stuck, *, last: bool) -> None:
        if last and statement.check is self.trace.check:
            raise _Failed(f"the assertion at {statement.span} cannot be evaluated: {stuck.why}")
        self.unevaluated[f"earlier assertion holds: {stuck.why}", statement.span] = None

    # --- calls

    def _call(self, statement: Call, frame: _Frame) -> None:
        procedure = self.program.procedures[statement.procedure]
        scope = Scope(frame.environment)
        arguments = [self._value(term, scope, statement.span) for term in statement.arguments]
        inputs = dict(zip(procedure.inputs, arguments, strict=True))
        printed = self._printed(statement.attributes, frame)
        reads = readings(scope.memo)
        if statement.is_async:
            self._record("call", statement, frame, reads=reads, printed=printed, arguments=tuple(arguments))
            self._start_thread(procedure, inputs, statement)
            return
        if procedure.blocks is None:
            sets = self._choose_results(statement, procedure, inputs)
            self._record(
                "call", statement, frame, reads=reads, sets=sets, printed=printed, arguments=tuple(arguments)
            )
            if is_atomic_begin(procedure) or is_atomic_end(procedure):
                self._thread.atomic = is_atomic_begin(procedure)
            return
        self._record("call", statement, frame, reads=reads, printed=printed, arguments=tuple(arguments))
        self._enter(procedure, inputs, statement)

    def _start_thread(self, procedure: Procedure, inputs: dict[Variable, Value], call: Call) -> None:
        if procedure.blocks is None or call.results:
            raise _Failed(f"the asynchronous call at {call.span} cannot be replayed")
        self._threads.append(_Thread(len(self._threads) + 1, (procedure, inputs, call)))

    def _choose_results(
        self, statement: Call, procedure: Procedure, inputs: dict[Variable, Value]
    ) -> tuple[Reading, ...]:
        """Execute a call of a procedure without a body. The result has the scalars that it set."""
        chosen = self._chosen(f"choose the results of {procedure.name}")
        old = {variable: self._globals[variable] for variable in self._read_as_old(procedure)}
        outputs = self._values(procedure.outputs, _by_output(statement, procedure, chosen))
        modified = self._values(procedure.modifies, chosen)
        self._globals.update(modified)
        environment = Environment({**inputs, **outputs}, self._globals, old)
        for condition in procedure.ensures:
            self._assume(condition.term, environment, condition.span, f"ensures of {procedure.name}")
        changed = tuple(Reading(variable, (), value) for variable, value in modified.items() if is_scalar(value))
        return (*self._assign_results(statement, list(outputs.values())), *changed)

    def _chosen(self, wanted: str) -> Mapping[Variable, Value]:
        event = self._event(wanted)
        if not isinstance(event, Choose):
            raise self._wrong(event, wanted)
        if not event.terms:
            return event.values
        frame = self._frames[-1]
        scope = Scope(frame.environment)
        now = {variable: self._value(term, scope, frame.procedure.span) for variable, term in event.terms.items()}
        return {**event.values, **now}

    # --- terms

    def _set(self, variable: Variable, value: Value) -> None:
        local = self._frames[-1].environment.locals
        if variable in local:
            local[variable] = value
        else:
            self._globals[variable] = value

    def _value(self, term: Term, scope: Scope, span: Span) -> Value:
        outcome = self.evaluator.outcome(term, scope)
        if isinstance(outcome, Stuck):
            raise _Failed(f"a value at {span} cannot be computed: {outcome.why}")
        return outcome

    def _assume(self, term: Term, environment: Environment, span: Span, what: str) -> None:
        self._assume_in(term, Scope(environment), span, what)

    def _assume_in(self, term: Term, scope: Scope, span: Span, what: str) -> None:
        outcome = self._outcome(term, scope)
        if isinstance(outcome, Stuck):
            self.unevaluated[f"{what}: {outcome.why}", span] = None
        elif outcome is False:
            raise _Failed(f"the {what} at {span} is false")

    def _outcome(self, term: Term, scope: Scope) -> Outcome:
        """The value of a condition. Quantifiers range over indices that an incomplete solver has not considered: its
        guesses there must not refute them."""
        self.evaluator.doubts_guesses = any(part.op in QUANTIFIERS for part in postorder([term]))
        outcome = self.evaluator.outcome(term, scope)
        self.evaluator.doubts_guesses = False
        return outcome

    def _printed(self, attributes: Attributes, frame: _Frame) -> tuple[str | Value | None, ...]:
        if not attributes:
            return ()
        found = attribute(attributes, "print") or attribute(attributes, "shows")
        return tuple(self._print_value(argument, frame) for argument in found.arguments) if found else ()

    def _print_value(self, argument: Term | str, frame: _Frame) -> str | Value | None:
        if isinstance(argument, str):
            return argument
        outcome = self.evaluator.outcome(argument, Scope(frame.environment))
        return None if isinstance(outcome, Stuck) else outcome

    def _record(
        self,
        kind: str,
        statement: Statement,
        frame: _Frame,
        *,
        reads: tuple[Reading, ...] = (),
        sets: tuple[Reading, ...] = (),
        arguments: tuple[Value, ...] = (),
        printed: tuple[str | Value | None, ...] = (),
        branch: bool = False,
        negated: bool = False,
    ) -> None:
        depth = len(self._frames) - 1
        name = frame.procedure.name
        self.steps.append(
            Step(
                kind,
                depth,
                name,
                statement.span,
                statement,
                reads,
                sets,
                arguments,
                printed,
                branch,
                negated,
                self._thread.number,
            )
        )


def variables_under_old(conditions: Iterable[Condition]) -> tuple[Variable, ...]:
    """The globals whose values at the start the conditions mention."""
    terms = postorder(condition.term for condition in conditions)
    return tuple(term.args[0].payload for term in terms if term.op == "old")


def _by_output(call: Call, procedure: Procedure, chosen: Mapping[Variable, Value]) -> dict[Variable, Value]:
    """Values for the callee's outputs, which the trace may name by the variables that receive them."""
    values: dict[Variable, Value] = {}
    for output, result in zip(procedure.outputs, call.results, strict=True):
        if output in chosen:
            values[output] = chosen[output]
        elif result in chosen:
            values[output] = chosen[result]
    return values


def _is_other_branch(statement: Assume, frame: _Frame) -> bool:
    """Whether an earlier branch assumes the condition in the same place of the source: this is its `else`."""
    for label in frame.came_by:
        first = next(iter(frame.blocks[label].statements), None)
        if first is statement:
            return False
        if isinstance(first, Assume) and first.span.start == statement.span.start < statement.span.end:
            return first.span.source is statement.span.source
    return False


def _event_text(event: Event) -> str:
    match event:
        case Enter(procedure):
            return f"enter {procedure}"
        case Visit(label):
            return f"visit {label}"
        case Choose():
            return "a choice of values"
        case Leave():
            return "leave"
        case Switch(thread):
            return f"switch to thread {thread}"
