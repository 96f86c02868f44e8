"""Runs every execution of a small program: the oracle that engines are compared with.

All nondeterminism is enumerated: initial values, havocs and results of procedures without a body over a small
domain of integers, every successor of every block. States that were seen before are not continued, so a loop
over finitely many states ends by itself; otherwise limits cut executions, and the result says so.

It shares the evaluator of terms with the replay but not its execution of statements, so that each is a check
on the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Final, final

from remuda.ir.program import Assert, Assign, Assume, Block, Call, Havoc, Procedure, Statement, Yield
from remuda.ir.trace import Choose, Enter, Event, Leave, Trace, Visit
from remuda.replay.closures import ClosureCompared
from remuda.replay.domains import Domains
from remuda.replay.evaluate import Evaluator, NotEvaluable
from remuda.replay.interpreter import variables_under_old
from remuda.replay.model import complete_unique_constants
from remuda.replay.scopes import Environment
from remuda.terms.types import INT, BvType, MapType, NamedType, Type
from remuda.terms.values import Element, Interpretation, MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from remuda.ir.program import Check, Program
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

STEP_LIMIT: Final = 100_000


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far executions are followed.

    `steps`: statements in all executions together. `recursion`: how often a procedure may occur on the call
    stack. `iterations`: how often the body of a loop may be started each time control enters the loop from
    outside. Loops are counted if `loops` gives the labels inside them, by procedure and header label; the
    header is one of them.
    """

    steps: int = STEP_LIMIT
    recursion: int | None = None
    iterations: int | None = None
    loops: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)


@final
@dataclass(slots=True)
class Outcomes:
    """What can happen. `failing` has one witness per check that can fail; `cut` says what limits were hit."""

    failing: dict[Check, Trace] = field(default_factory=dict)
    reached: dict[Check, None] = field(default_factory=dict)
    cut: dict[str, None] = field(default_factory=dict)
    executions: int = 0
    unevaluated: dict[str, None] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every execution over the domain was followed to its end."""
        return not self.cut and not self.unevaluated


def explore(
    program: Program, *, entry: str, havoc_domain: Sequence[int] = (0, 1, 2), limits: Limits | None = None
) -> Outcomes:
    """Every execution from the entry, with integers chosen from `havoc_domain`.

    Bit-vectors are chosen from the same numbers, Booleans from both values, maps among the constant ones,
    uninterpreted types have one element for each number.
    """
    explorer = _Explorer(program, entry, tuple(havoc_domain), limits or Limits())
    explorer.run()
    return explorer.outcomes


@final
@dataclass(frozen=True, slots=True)
class _History:
    """The events so far, last first, sharing their beginnings."""

    event: Event
    before: _History | None


@final
@dataclass(frozen=True, slots=True)
class _Frame:
    """A running procedure; frames are never changed, because states share them."""

    procedure: Procedure
    locals: Mapping[Variable, Value]
    old: Mapping[Variable, Value]
    label: str
    position: int
    rounds: Mapping[str, int]
    call: Call | None
    caller: _Frame | None

    def at(self, label: str, position: int, rounds: Mapping[str, int] | None = None) -> _Frame:
        new_rounds = self.rounds if rounds is None else rounds
        return _Frame(self.procedure, self.locals, self.old, label, position, new_rounds, self.call, self.caller)

    def with_locals(self, values: Mapping[Variable, Value]) -> _Frame:
        return _Frame(
            self.procedure, values, self.old, self.label, self.position, self.rounds, self.call, self.caller
        )


@final
@dataclass(frozen=True, slots=True)
class _State:
    frame: _Frame
    globals: Mapping[Variable, Value]
    history: _History | None


@final
class _Explorer:
    def __init__(self, program: Program, entry: str, domain: tuple[int, ...], limits: Limits) -> None:
        self.program = program
        self.entry = program.procedures[entry]
        self.domain = domain
        self.limits = limits
        self.outcomes = Outcomes()
        universe: dict[Type, list[Element]] = {
            type_: [Element(type_, index) for index in range(len(domain))] for type_ in program.types
        }
        self.domains = Domains(program.datatypes, universe)
        self.evaluator = Evaluator(Interpretation(), self.domains)
        self._initial: Mapping[Variable, Value] = {}
        self._blocks: dict[str, dict[str, Block]] = {}
        self._steps = 0
        self._seen: set[object] = set()

    # --- the search

    def run(self) -> None:
        for constants in self._assignments(self.program.constants):
            interpretation = Interpretation(dict(constants))
            complete_unique_constants(self.program, interpretation, self.domains)
            self.evaluator = Evaluator(interpretation, self.domains)
            self._seen = set()
            if self._constants_allowed():
                self._explore_initial_states()

    def _constants_allowed(self) -> bool:
        unique = [self.evaluator.interpretation.constants[each] for each in self.program.unique_constants]
        types = [constant.type for constant in self.program.unique_constants]
        if len(set(zip(map(str, types), unique, strict=True))) < len(unique):
            return False
        return all(self._holds(axiom.term, Environment()) for axiom in self.program.axioms)

    def _explore_initial_states(self) -> None:
        for values in self._assignments((*self.program.globals, *self.entry.inputs)):
            self._initial = values
            global_values = {variable: values[variable] for variable in self.program.globals}
            if not self._wheres_hold(global_values):
                continue
            inputs = {variable: values[variable] for variable in self.entry.inputs}
            self._search(self._entered(self.entry, inputs, None, None, global_values, None))

    def _wheres_hold(self, global_values: dict[Variable, Value]) -> bool:
        wheres = [self.program.wheres[each] for each in self.program.globals if each in self.program.wheres]
        return all(self._holds(where, Environment({}, dict(global_values))) for where in wheres)

    def _search(self, start: Iterable[_State]) -> None:
        work = list(start)
        while work:
            state = work.pop()
            if self._steps >= self.limits.steps:
                self.outcomes.cut["steps"] = None
                return
            self._steps += 1
            following = list(self._successors(state))
            work.extend(reversed(following))

    def _successors(self, state: _State) -> Iterator[_State]:
        frame = state.frame
        block = self._block(frame.procedure, frame.label)
        if frame.position < len(block.statements):
            yield from self._execute(block.statements[frame.position], state)
        elif block.successors:
            for label in block.successors:
                yield from self._jump(state, label)
        else:
            yield from self._returned(state)

    def _block(self, procedure: Procedure, label: str) -> Block:
        if procedure.name not in self._blocks:
            self._blocks[procedure.name] = {block.label: block for block in procedure.blocks or ()}
        return self._blocks[procedure.name][label]

    # --- control

    def _jump(self, state: _State, label: str) -> Iterator[_State]:
        rounds = self._rounds_after(state.frame, label)
        if rounds is None:
            self.outcomes.cut["iterations"] = None
            return
        following = _State(state.frame.at(label, 0, rounds), state.globals, _History(Visit(label), state.history))
        if self._is_new(following):
            yield following

    def _rounds_after(self, frame: _Frame, label: str) -> dict[str, int] | None:
        """The loops that control is in at `label`, with their rounds; None if one is beyond its limit."""
        name = frame.procedure.name
        loops = self.limits.loops
        rounds = {header: count for header, count in frame.rounds.items() if label in loops[name, header]}
        if (name, label) in loops:
            rounds[label] = rounds.get(label, 0) + 1
        if self.limits.iterations is None:
            return rounds
        limit = self.limits.iterations
        started = any(
            count > limit and (label != header or len(loops[name, header]) == 1) for header, count in rounds.items()
        )
        # The last visit to the header may leave the loop; a visit to a block inside is what starts a round,
        # and in a loop of one block the header's visit is.
        return None if started else rounds

    def _is_new(self, state: _State) -> bool:
        frames: list[object] = []
        frame: _Frame | None = state.frame
        while frame is not None:
            values = tuple(frame.locals[each] for each in _variables(frame.procedure))
            old = tuple(frame.old.values())
            frames.append((frame.procedure.name, frame.label, frame.position, values, old, *frame.rounds.items()))
            frame = frame.caller
        key = (tuple(frames), tuple(state.globals[each] for each in self.program.globals))
        try:
            known = key in self._seen
            self._seen.add(key)
        except ClosureCompared:
            return True  # maps given by a lambda: the state may have been seen, which costs time only
        return not known

    def _entered(
        self,
        procedure: Procedure,
        inputs: Mapping[Variable, Value],
        call: Call | None,
        caller: _Frame | None,
        global_values: Mapping[Variable, Value],
        history: _History | None,
    ) -> Iterator[_State]:
        if not procedure.blocks:
            return
        if self.limits.recursion is not None and _occurrences(procedure, caller) >= self.limits.recursion:
            self.outcomes.cut["recursion"] = None
            return
        old = {variable: global_values[variable] for variable in variables_under_old(procedure.ensures)}
        for values in self._assignments((*procedure.outputs, *procedure.locals)):
            local = {**inputs, **values}
            environment = Environment(dict(local), dict(global_values), old)
            if all(self._holds(each.term, environment) for each in procedure.requires if each.free):
                label = procedure.blocks[0].label
                frame = _Frame(procedure, local, old, label, -1, {}, call, caller)
                entered = _History(Enter(procedure.name, values), history)
                yield from self._jump(_State(frame, global_values, entered), label)

    def _returned(self, state: _State) -> Iterator[_State]:
        frame = state.frame
        environment = self._environment(state)
        if not all(self._holds(each.term, environment) for each in frame.procedure.ensures if each.free):
            return
        if frame.caller is None or frame.call is None:
            self.outcomes.executions += 1
            return
        results = {
            target: frame.locals[output]
            for target, output in zip(frame.call.results, frame.procedure.outputs, strict=True)
        }
        yield self._updated(_State(frame.caller, state.globals, _History(Leave(), state.history)), results)

    # --- statements

    def _execute(self, statement: Statement, state: _State) -> Iterator[_State]:
        frame = state.frame
        after = _State(frame.at(frame.label, frame.position + 1), state.globals, state.history)
        match statement:
            case Assign():
                environment = self._environment(state)
                values = [self._value(term, environment) for term in statement.values]
                known = [value for value in values if value is not None]
                if len(known) == len(values):
                    yield self._updated(after, dict(zip(statement.targets, known, strict=True)))
            case Havoc():
                for chosen in self._assignments(statement.variables):
                    yield self._chosen(self._updated(after, chosen), chosen)
            case Assume():
                if self._holds(statement.condition, self._environment(state)):
                    yield after
            case Assert():
                yield from self._asserted(statement, state, after)
            case Call():
                yield from self._called(statement, state, after)
            case Yield():
                yield after

    def _asserted(self, statement: Assert, state: _State, after: _State) -> Iterator[_State]:
        check = statement.check
        self.outcomes.reached[check] = None
        if self._holds(statement.condition, self._environment(state)):
            yield after
        elif check not in self.outcomes.failing:
            self.outcomes.failing[check] = self._trace(state, check)

    def _called(self, statement: Call, state: _State, after: _State) -> Iterator[_State]:
        if statement.is_async:
            self.outcomes.cut["asynchronous call"] = None
            return
        procedure = self.program.procedures[statement.procedure]
        environment = self._environment(state)
        arguments = [self._value(term, environment) for term in statement.arguments]
        inputs = {
            variable: value for variable, value in zip(procedure.inputs, arguments, strict=True) if value is not None
        }
        if len(inputs) < len(arguments):
            return
        if procedure.blocks is None:
            yield from self._bodiless(statement, procedure, inputs, after)
        else:
            yield from self._entered(procedure, inputs, statement, after.frame, state.globals, state.history)

    def _bodiless(
        self, statement: Call, procedure: Procedure, inputs: Mapping[Variable, Value], after: _State
    ) -> Iterator[_State]:
        for chosen in self._assignments((*procedure.outputs, *procedure.modifies)):
            modified = {variable: chosen[variable] for variable in procedure.modifies}
            outputs = {variable: chosen[variable] for variable in procedure.outputs}
            global_values = {**after.globals, **modified}
            environment = Environment({**inputs, **outputs}, global_values, after.globals)
            if not all(self._holds(each.term, environment) for each in procedure.ensures):
                continue
            results = dict(zip(statement.results, outputs.values(), strict=True))
            changed = _State(after.frame, global_values, after.history)
            yield self._chosen(self._updated(changed, results), chosen)

    # --- values

    def _environment(self, state: _State) -> Environment:
        return Environment(dict(state.frame.locals), dict(state.globals), state.frame.old)

    def _updated(self, state: _State, values: Mapping[Variable, Value]) -> _State:
        local = {variable: value for variable, value in values.items() if variable in state.frame.locals}
        other = {variable: value for variable, value in values.items() if variable not in local}
        frame = state.frame.with_locals({**state.frame.locals, **local}) if local else state.frame
        return _State(frame, {**state.globals, **other} if other else state.globals, state.history)

    def _chosen(self, state: _State, values: Mapping[Variable, Value]) -> _State:
        return _State(state.frame, state.globals, _History(Choose(values), state.history))

    def _value(self, term: Term, environment: Environment) -> Value | None:
        try:
            return self.evaluator.evaluate(term, environment)
        except NotEvaluable as problem:
            self.outcomes.unevaluated[problem.why] = None
            return None

    def _holds(self, term: Term, environment: Environment) -> bool:
        """Whether the condition is true; one that cannot be evaluated counts as true and is reported."""
        return self._value(term, environment) is not False

    def _assignments(self, variables: Sequence[Variable]) -> Iterator[dict[Variable, Value]]:
        distinct = tuple(dict.fromkeys(variables))
        for values in product(*(self._choices(variable.type) for variable in distinct)):
            yield dict(zip(distinct, values, strict=True))

    def _choices(self, type_: Type) -> Sequence[Value]:
        if type_ == INT:
            return self.domain
        if isinstance(type_, BvType):
            return tuple(dict.fromkeys(number % (1 << type_.width) for number in self.domain))
        if isinstance(type_, MapType):
            return tuple(MapValue(value, {}) for value in self._choices(type_.range))
        if isinstance(type_, NamedType):
            return self.domains.elements(type_) or (self.domains.default(type_),)
        return self.domains.members(type_) or (self.domains.default(type_),)

    def _trace(self, state: _State, check: Check) -> Trace:
        events: list[Event] = []
        history = state.history
        while history is not None:
            events.append(history.event)
            history = history.before
        interpretation = Interpretation(dict(self.evaluator.interpretation.constants))
        return Trace(self.entry.name, interpretation, dict(self._initial), tuple(reversed(events)), check)


def _variables(procedure: Procedure) -> tuple[Variable, ...]:
    return (*procedure.inputs, *procedure.outputs, *procedure.locals)


def _occurrences(procedure: Procedure, caller: _Frame | None) -> int:
    """How often a procedure is on the call stack."""
    count = 0
    frame = caller
    while frame is not None:
        count += frame.procedure is procedure
        frame = frame.caller
    return count
