"""Runs every execution of a small program: the oracle that engines are compared with.

All nondeterminism is enumerated: initial values, havocs and results of procedures without a body over a small
domain of integers, every successor of every block, every thread that may run next. States that were seen before are
not continued, so a loop over finitely many states ends by itself; otherwise limits cut executions, and the result says
so.

It shares the evaluator of terms with the replay but not its execution of statements, so that each is a check
on the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.exposed import read_first
from remuda.ir.edit import targets_of, terms_of
from remuda.ir.program import Assert, Assign, Assume, Block, Call, Havoc, Procedure, Statement, Yield
from remuda.ir.threads import is_atomic_begin, is_atomic_end
from remuda.ir.trace import Choose, Enter, Event, Leave, Switch, Trace, Visit
from remuda.replay.closures import ClosureCompared
from remuda.replay.domains import Domains
from remuda.replay.evaluate import Evaluator, NotEvaluable
from remuda.replay.interpreter import variables_under_old
from remuda.replay.model import complete_unique_constants
from remuda.replay.scopes import Environment
from remuda.terms.term import postorder, variables_of
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
class ExplorationLimits:
    """The limits of the exploration.

    `steps`: statements in all executions together. `recursion`: how often a procedure may occur on the call
    stack. `iterations`: how often the body of a loop may be started each time control enters the loop from
    outside. Loops are counted if `loops` gives the labels inside them, by procedure and header label; the
    header is one of them. `rounds`: how often, in accessing the `shared` globals, it may be the turn of a thread
    again; threads take turns in the order in which a program that runs each thread where it is started would. A
    thread started by one that cannot be interrupted there takes its first turn when it begins.
    """

    steps: int = STEP_LIMIT
    recursion: int | None = None
    iterations: int | None = None
    loops: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    rounds: int | None = None
    shared: frozenset[Variable] = frozenset()


@final
@dataclass(slots=True)
class Outcomes:
    """The result of the exploration. `failing` has one witness per check that can fail; `cut` has the limits
    reached."""

    failing: dict[Check, Trace] = field(default_factory=dict)
    reached: dict[Check, None] = field(default_factory=dict)
    cut: dict[str, None] = field(default_factory=dict)
    executions: int = 0
    unevaluated: dict[str, None] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every execution over the domain was explored to its end."""
        return not self.cut and not self.unevaluated


def explore(
    program: Program, *, entry: str, havoc_domain: Sequence[int] = (0, 1, 2), limits: ExplorationLimits | None = None
) -> Outcomes:
    """Every execution from the entry, with integers chosen from `havoc_domain`.

    Bit-vectors are chosen from the same numbers, Booleans from both values, maps among the constant ones,
    uninterpreted types have one element for each number.
    """
    explorer = _Explorer(program, entry, tuple(havoc_domain), limits or ExplorationLimits())
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
class _Thread:
    """A thread. `frame` is where it goes on, when it does not run; until it first runs, `begin` is what it enters.

    `own` are its copies of the thread-local globals while it does not run. `path` is its position among the threads:
    a thread that has `started` n others is between its n-th child and the next.
    """

    number: int
    path: tuple[int, ...] = ()
    frame: _Frame | None = None
    begin: tuple[Procedure, Mapping[Variable, Value]] | None = None
    own: Mapping[Variable, Value] = field(default_factory=dict)
    started: int = 0
    atomic: bool = False
    yielded: bool = False
    waits: bool = False  # its creator could not be interrupted

    @property
    def turn(self) -> tuple[int, ...]:
        return (*self.path, 2 * self.started)


@final
@dataclass(frozen=True, slots=True)
class _State:
    """`frame` is where the running thread is, None if it has ended; `moved`: it has done something since it runs.

    `turn` is that of the last access to a shared global, in round `round`.
    """

    frame: _Frame | None
    globals: Mapping[Variable, Value]
    history: _History | None
    thread: _Thread
    waiting: tuple[_Thread, ...] = ()
    threads: int = 1
    moved: bool = True
    round: int = 1
    turn: tuple[int, ...] = ()

    @property
    def running(self) -> _Frame:
        assert self.frame is not None
        return self.frame


@final
class _Explorer:
    def __init__(self, program: Program, entry: str, domain: tuple[int, ...], limits: ExplorationLimits) -> None:
        self.program = program
        self.entry = program.procedures[entry]
        self.domain = domain
        self.limits = limits
        self._read_first: dict[str, frozenset[Variable]] = {}
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
            start = _State(None, global_values, None, _Thread(1))
            self._search(self._entered(self.entry, inputs, None, start))

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
        if state.waiting:
            yield from self._switched(state)
        if state.frame is not None:
            for following in self._advanced(state):
                yield following if following.moved else replace(following, moved=True)

    def _advanced(self, state: _State) -> Iterator[_State]:
        frame = state.running
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
        rounds = self._rounds_after(state.running, label)
        if rounds is None:
            self.outcomes.cut["iterations"] = None
            return
        frame = state.running.at(label, 0, rounds)
        following = replace(state, frame=frame, history=_History(Visit(label), state.history))
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
        running = replace(state.thread, frame=state.frame, own={})
        threads = tuple(_thread_key(thread) for thread in (running, *state.waiting))
        global_values = tuple(state.globals[each] for each in self.program.globals)
        key = (threads, global_values, state.moved, state.round, state.turn)
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
        state: _State,
        own: Mapping[Variable, Value] | None = None,
    ) -> Iterator[_State]:
        """Enter a procedure from a state whose frame is the caller's. `own` is given for the start of a thread."""
        if not procedure.blocks:
            return
        if self.limits.recursion is not None and _occurrences(procedure, state.frame) >= self.limits.recursion:
            self.outcomes.cut["recursion"] = None
            return
        old = {variable: state.globals[variable] for variable in variables_under_old(procedure.ensures)}
        for values in self._first_values(procedure):
            local = {**inputs, **values}
            environment = Environment(dict(local), dict(state.globals), old)
            if all(self._holds(each.term, environment) for each in procedure.requires if each.free):
                label = procedure.blocks[0].label
                frame = _Frame(procedure, local, old, label, -1, {}, call, state.frame)
                entered = _History(Enter(procedure.name, {**values, **(own or {})}), state.history)
                yield from self._jump(replace(state, frame=frame, history=entered), label)

    def _returned(self, state: _State) -> Iterator[_State]:
        frame = state.running
        environment = self._environment(state)
        if not all(self._holds(each.term, environment) for each in frame.procedure.ensures if each.free):
            return
        left = _History(Leave(), state.history)
        if frame.caller is None or frame.call is None:
            if state.waiting:
                yield replace(state, frame=None, history=left)
            else:
                self.outcomes.executions += 1
            return
        results = {
            target: frame.locals[output]
            for target, output in zip(frame.call.results, frame.procedure.outputs, strict=True)
        }
        back = self._accessed(replace(state, frame=frame.caller, history=left), set(results))
        if back is not None:
            yield self._updated(back, results)

    # --- threads

    def _switched(self, state: _State) -> Iterator[_State]:
        """Let each of the other threads run, if the running one can be interrupted."""
        thread = state.thread
        if state.frame is not None and (thread.atomic or not state.moved):
            return
        if state.frame is not None and self.program.cooperative and not thread.yielded:
            return
        own = {variable: state.globals[variable] for variable in self.program.thread_locals}
        left = () if state.frame is None else (replace(thread, frame=state.frame, own=own),)
        position = 0 if state.frame is None else state.frame.position
        for target in state.waiting:
            others = tuple(each for each in state.waiting if each is not target)
            following = replace(
                state,
                frame=target.frame,
                history=_History(Switch(target.number, position), state.history),
                thread=target,
                waiting=tuple(sorted((*others, *left), key=lambda each: each.number)),
                moved=False,
            )
            yield from self._resumed(following, target)

    def _resumed(self, state: _State, thread: _Thread) -> Iterator[_State]:
        if thread.begin is None:
            state = replace(state, globals={**state.globals, **thread.own})
            if self._is_new(state):
                yield state
            return
        procedure, inputs = thread.begin
        taken = self._takes_turn(state) if thread.waits else state
        if taken is None:
            return
        state = replace(taken, thread=replace(thread, begin=None))
        for own in self._assignments(self.program.thread_locals):
            global_values = {**state.globals, **own}
            wheres = [self.program.wheres[each] for each in own if each in self.program.wheres]
            if all(self._holds(where, Environment({}, dict(global_values))) for where in wheres):
                yield from self._entered(procedure, inputs, None, replace(state, globals=global_values), own)

    def _started(self, procedure: Procedure, inputs: Mapping[Variable, Value], state: _State) -> _State:
        creator = state.thread
        path = (*creator.path, 2 * creator.started + 1)
        waits = creator.atomic or self.program.cooperative
        thread = _Thread(state.threads + 1, path, begin=(procedure, inputs), waits=waits)
        creator = replace(creator, started=creator.started + 1)
        return replace(state, thread=creator, waiting=(*state.waiting, thread), threads=state.threads + 1)

    def _accessed(self, state: _State, variables: set[Variable]) -> _State | None:
        """The state when the variables are accessed; None if that takes more rounds than there are."""
        return state if self.limits.shared.isdisjoint(variables) else self._takes_turn(state)

    def _takes_turn(self, state: _State) -> _State | None:
        if self.limits.rounds is None or not self.limits.shared:
            return state
        turn = state.thread.turn
        round_ = state.round + (turn < state.turn)
        if round_ > self.limits.rounds:
            self.outcomes.cut["rounds"] = None
            return None
        return replace(state, round=round_, turn=turn)

    def _touched(self, statement: Statement) -> set[Variable]:
        """What a statement accesses by itself."""
        found = {term.payload for term in postorder(terms_of(statement)) if term.op == "var"}
        if not isinstance(statement, Call):
            return found | set(targets_of(statement))
        callee = self.program.procedures[statement.procedure]
        if callee.blocks is None:
            conditions = [condition.term for condition in callee.ensures]
            found |= {*statement.results, *callee.modifies}
            found |= {term.payload for term in postorder(conditions) if term.op == "var"}
        return found

    # --- statements

    def _execute(self, statement: Statement, state: _State) -> Iterator[_State]:
        if self.limits.rounds is not None:
            accessed = self._accessed(state, self._touched(statement))
            if accessed is None:
                return
            state = accessed
        frame = state.running
        after = replace(state, frame=frame.at(frame.label, frame.position + 1))
        if self.program.cooperative:
            after = replace(after, thread=replace(state.thread, yielded=isinstance(statement, Yield)))
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
        procedure = self.program.procedures[statement.procedure]
        environment = self._environment(state)
        arguments = [self._value(term, environment) for term in statement.arguments]
        inputs = {
            variable: value for variable, value in zip(procedure.inputs, arguments, strict=True) if value is not None
        }
        if len(inputs) < len(arguments):
            return
        if statement.is_async:
            yield self._started(procedure, inputs, after)
        elif procedure.blocks is None:
            if is_atomic_begin(procedure) or is_atomic_end(procedure):
                after = replace(after, thread=replace(after.thread, atomic=is_atomic_begin(procedure)))
            yield from self._bodiless(statement, procedure, inputs, after)
        else:
            yield from self._entered(procedure, inputs, statement, after)

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
            changed = replace(after, globals=global_values)
            yield self._chosen(self._updated(changed, results), chosen)

    # --- values

    def _environment(self, state: _State) -> Environment:
        return Environment(dict(state.running.locals), dict(state.globals), state.running.old)

    def _updated(self, state: _State, values: Mapping[Variable, Value]) -> _State:
        frame = state.running
        local = {variable: value for variable, value in values.items() if variable in frame.locals}
        other = {variable: value for variable, value in values.items() if variable not in local}
        frame = frame.with_locals({**frame.locals, **local}) if local else frame
        return replace(state, frame=frame, globals={**state.globals, **other} if other else state.globals)

    def _chosen(self, state: _State, values: Mapping[Variable, Value]) -> _State:
        return replace(state, history=_History(Choose(values), state.history))

    def _value(self, term: Term, environment: Environment) -> Value | None:
        try:
            return self.evaluator.evaluate(term, environment)
        except NotEvaluable as problem:
            self.outcomes.unevaluated[problem.why] = None
            return None

    def _holds(self, term: Term, environment: Environment) -> bool:
        """Whether the condition is true; one that cannot be evaluated counts as true and is reported."""
        return self._value(term, environment) is not False

    def _first_values(self, procedure: Procedure) -> Iterator[dict[Variable, Value]]:
        """All values for the variables whose first value matters, any for the others."""
        if procedure.name not in self._read_first:
            free = {variable for each in procedure.requires for variable in variables_of([each.term])}
            self._read_first[procedure.name] = read_first(procedure) | free
        exposed = self._read_first[procedure.name]
        own = (*procedure.outputs, *procedure.locals)
        other = next(self._assignments([variable for variable in own if variable not in exposed]))
        for values in self._assignments([variable for variable in own if variable in exposed]):
            yield {**other, **values}

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


def _thread_key(thread: _Thread) -> object:
    frames: list[object] = []
    frame = thread.frame
    while frame is not None:
        values = tuple(frame.locals[each] for each in _variables(frame.procedure))
        old = tuple(frame.old.values())
        frames.append((frame.procedure.name, frame.label, frame.position, values, old, *frame.rounds.items()))
        frame = frame.caller
    begin = () if thread.begin is None else (thread.begin[0].name, *thread.begin[1].values())
    progress = (thread.number, thread.path, thread.started, thread.atomic, thread.yielded)
    return progress, tuple(frames), begin, tuple(thread.own.values())


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
