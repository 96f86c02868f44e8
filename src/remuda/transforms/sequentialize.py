"""Run the threads of a concurrent program one after another, as if in rounds (Lal and Reps, FMSD 2009).

before:  x := 1;  async call T();
after:   x := 1;  goto on, move, stop;                    where the thread can be interrupted:
         move: assume round == 0;                           it goes on in the next round, or
               x$0, x, round := x, x$1, 1;  goto on;
         stop: stopped := true;  return;                    never again
         on:   saved := round;  call T();                 the new thread runs here and now, in rounds of its own
               x$i := x;  x, round := x$j, saved;         and its creator goes on in the round it was in

In every round each thread runs once, in the order of the sequential program. `x` is the value in the current round;
`x$i` is that in round i, which starts with a guess. At the end every round must have left the values that the next
one was guessed to start with. Then, and only then, does a failure count: it is recorded as the number of its Check,
its thread stops, and the entry's end asserts, Check by Check, that nothing was recorded.

A thread started in an atomic section (or, in a cooperative program, anywhere) waits until its creator can be
interrupted. So it starts in a later round, or its creator is `spent`: no more accesses to shared globals before that.

With a bound on delays (Emmi, Qadeer and Rakamaric, POPL 2011), the program counts how often threads go on to a later
round, or stop for good before something has failed.

Only globals that threads share have copies, and a thread can only be interrupted after accessing one: elsewhere an
interruption makes no difference, and neither does it if a lock protects all accesses (`analysis.locks`). Contracts
must be statements already, and asynchronous calls must be prepared (`transforms.prepare_threads`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.analysis.accesses import access_of, read_at_start
from remuda.analysis.bit_programs import SmallNumbers
from remuda.analysis.thread_states import ATOMIC, COMPANY, INTERRUPTIBLE, UNNOTICED
from remuda.analysis.threads import ThreadFacts, thread_facts
from remuda.base.names import FreshNames
from remuda.ir.interleaving import Mark, Plan
from remuda.ir.passes import PassResult, Trust, unchanged
from remuda.ir.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Check,
    Condition,
    Havoc,
    Procedure,
    Program,
    Statement,
    Yield,
)
from remuda.ir.threads import is_atomic_begin, is_atomic_end, starts_threads, thread_starts
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remuda.base.source import Span
    from remuda.terms.term import Term
    from remuda.terms.types import Type

PROMISED_CHECKS: Final = 24  # the number of Checks that a procedure's `ensures` lists


@final
@dataclass(frozen=True, slots=True)
class Schedules:
    """The schedules with a number of rounds; with `delays`, only those in which all threads together are delayed at
    most so often."""

    rounds: int
    delays: int | None = None

    @staticmethod
    def with_delays(delays: int) -> Schedules:
        """All schedules with a number of delays: each delay leads to at most one further round."""
        return Schedules(delays + 1, delays)

    def __str__(self) -> str:
        if self.delays is not None:
            return f"{self.delays} {'delay' if self.delays == 1 else 'delays'} of threads"
        return f"{self.rounds} {'round' if self.rounds == 1 else 'rounds'} of context switches"

    def fewer(self) -> Iterator[Schedules]:
        """The smaller sets of schedules of the same kind, from the smallest on."""
        for rounds in range(1, self.rounds):
            yield Schedules(rounds) if self.delays is None else Schedules.with_delays(rounds - 1)


@final
@dataclass(frozen=True, slots=True)
class Sequentialize:
    """The pass: threads become calls, and schedules become choices. `facts` are the program's, if known."""

    schedules: Schedules
    facts: ThreadFacts | None = None
    name: ClassVar[str] = "sequentialize"

    def apply(self, program: Program) -> PassResult:
        if not starts_threads(program):
            return PassResult(program, unchanged)
        facts = thread_facts(program) if self.facts is None else self.facts
        whole = _Sequentialization(program, facts, self.schedules if facts.schedules_matter else Schedules(1))
        return PassResult(whole.sequential(), whole.plan.lift, Trust(proofs=not facts.schedules_matter))


def body_names(program: Program) -> dict[str, str]:
    """The names of the entries' bodies in the sequential program."""
    fresh = FreshNames(program.procedures)
    return {entry: fresh.make(f"{entry}$body") for entry in program.entries}


@final
class _State:
    """The variables that carry the schedule, and the statements that change them."""

    def __init__(self, program: Program, facts: ThreadFacts, schedules: Schedules, checks: int) -> None:
        rounds = schedules.rounds
        self.terms = program.terms
        self.rounds = rounds
        self.most_delays = schedules.delays or 0
        self.numbers = SmallNumbers(program, max(rounds, self.most_delays, checks))  # and of Checks from 1 on
        self.delays = None if schedules.delays is None else _global("delays$", self.numbers.type)
        self.round = _global("round$", self.numbers.type)
        self.failed = _global("failed$", self.numbers.type)
        both = INTERRUPTIBLE | ATOMIC
        mixed = any(state & both == both for states in facts.states.values() for state in states)
        self.atomic = _global("atomic$", BOOL) if mixed else None
        self.spent = _global("spent$", BOOL) if facts.shared and _starts_uninterrupted(program, facts) else None
        self.copies = {
            variable: tuple(_global(f"{variable.name}$round{index}", variable.type) for index in range(rounds))
            for variable in facts.shared
        }

    @property
    def globals(self) -> tuple[Variable, ...]:
        flags = [flag for flag in (self.atomic, self.spent, self.delays) if flag is not None]
        return (self.round, self.failed, *flags, *(copy for copies in self.copies.values() for copy in copies))

    def is_round(self, index: int) -> Term:
        return self.terms.eq(self.terms.var(self.round), self.numbers.literal(index))

    def store(self, index: int, span: Span) -> list[Statement]:
        """Store the current values as those of the current round, whose number is given."""
        targets = tuple(copies[index] for copies in self.copies.values())
        values = tuple(self.terms.var(variable) for variable in self.copies)
        return [Assume(self.is_round(index), span), Assign(targets, values, span)]

    def load(self, index: int, span: Span) -> Assign:
        """Go to a round, whose values are stored."""
        values = tuple(self.terms.var(copies[index]) for copies in self.copies.values())
        return Assign((self.round, *self.copies), (self.numbers.literal(index), *values), span)

    def move(self, index: int, span: Span) -> list[Statement]:
        """Go from this round to the next."""
        return [*self._delay(span), *self.store(index, span), self.load(index + 1, span)]

    def stop(self, span: Span) -> list[Statement]:
        """Stop the thread for good, which is no delay if something has failed."""
        terms = self.terms
        return self._delay(span, unless=terms.not_(terms.eq(terms.var(self.failed), self.numbers.literal(0))))

    def _delay(self, span: Span, unless: Term | None = None) -> list[Statement]:
        if self.delays is None:
            return []
        terms, delays = self.terms, self.terms.var(self.delays)
        unless = terms.false if unless is None else unless
        free = self.numbers.less(delays, self.numbers.literal(self.most_delays))
        return [
            Assume(terms.or_([unless, free]), span),
            Assign((self.delays,), (terms.ite(unless, delays, self.numbers.successor(delays)),), span),
        ]


def _global(name: str, type_: Type) -> Variable:
    return Variable(name, type_, VariableKind.GLOBAL)


def _starts_uninterrupted(program: Program, facts: ThreadFacts) -> bool:
    """Whether a thread may be started by one that cannot be interrupted there."""
    for name, procedure in program.procedures.items():
        for block in procedure.blocks or ():
            for statement, state in zip(block.statements, facts.states.get((name, block.label), ()), strict=False):
                if isinstance(statement, Call) and statement.is_async and (program.cooperative or state & ATOMIC):
                    return True
    return False


@final
class _Sequentialization:
    """The rewriting of a whole program."""

    def __init__(self, program: Program, facts: ThreadFacts, schedules: Schedules) -> None:
        self.program = program
        self.facts = facts
        self.terms = program.terms
        self.checks: dict[Check, int] = {}
        for statement in _statements(program.procedures.values()):
            if isinstance(statement, Assert):
                self.checks.setdefault(statement.check, len(self.checks) + 1)
        self.state = _State(program, facts, schedules, len(self.checks))
        self.plan = Plan()
        self.shared = frozenset(facts.shared)
        self.names = body_names(program)
        self.entered_reading = self._entered_reading()
        self.stopping = self._stopping()
        self._starting = _above(program, (name for name, each in program.procedures.items() if _starts(each)))
        self._below = {name: self._checks_below(name) for name in program.procedures}

    def sequential(self) -> Program:
        procedures: dict[str, Procedure] = {}
        for procedure in self.program.procedures.values():
            body = procedure if procedure.blocks is None else _Body(self, procedure).rewrite()
            procedures[body.name] = body
        for entry, body_name in self.names.items():
            self.plan.names[body_name] = entry
            self.plan.around[entry] = None
            procedures[entry] = self._around(self.program.procedures[entry], procedures[body_name])
        state = self.state
        return replace(
            self.program, procedures=procedures, globals=(*self.program.globals, *state.globals), thread_locals=()
        )

    # --- what is where

    def is_point_after(self, procedure: str, block: Block, index: int) -> bool:
        """Whether the thread may be interrupted after a statement, such that it makes a difference."""
        states = self.facts.states.get((procedure, block.label))
        if states is None or not states[index + 1] & INTERRUPTIBLE or not states[index + 1] & COMPANY:
            return False
        statement = block.statements[index]
        if isinstance(statement, Yield):
            return True
        if self.program.cooperative:
            return False
        if isinstance(statement, Call):
            if statement.is_async or is_atomic_end(self.program.procedures[statement.procedure]):
                return True
        return self.touches_shared(statement) and not states[index + 1] & UNNOTICED

    def touches_shared(self, statement: Statement) -> bool:
        return bool(self.shared) and access_of(self.program, statement).touches(self.shared)

    def _entered_reading(self) -> frozenset[str]:
        """The procedures that are entered after shared globals were read, for arguments or where a thread starts: that is
        a point, too."""
        found: set[str] = set()
        if not self.program.cooperative and not self.shared.isdisjoint(read_at_start(self.program)):
            found.update(call.procedure for call in thread_starts(self.program))
        for name, procedure in self.program.procedures.items():
            for block in procedure.blocks or ():
                states = self.facts.states.get((name, block.label), ())
                for statement, state in zip(block.statements, states, strict=False):
                    if not isinstance(statement, Call) or statement.is_async or self.program.cooperative:
                        continue
                    reads = access_of(self.program, replace(statement, results=())).touches(self.shared)
                    if reads and state & COMPANY and state & INTERRUPTIBLE:
                        found.add(statement.procedure)
        return frozenset(name for name in found if self.program.procedures[name].blocks is not None)

    def _stopping(self) -> frozenset[str]:
        """The procedures that a thread may not return from, because it stops or fails there or below."""
        own = [
            name
            for name, procedure in self.program.procedures.items()
            if name in self.entered_reading
            or any(
                isinstance(statement, Assert) or self.is_point_after(name, block, index)
                for block in procedure.blocks or ()
                for index, statement in enumerate(block.statements)
            )
        ]
        return _above(self.program, own)

    def _checks_below(self, name: str) -> tuple[Check, ...]:
        reached = {name: None}
        work = [name]
        found: dict[Check, None] = {}
        while work:
            for statement in _statements([self.program.procedures[work.pop()]]):
                if isinstance(statement, Assert):
                    found[statement.check] = None
                elif isinstance(statement, Call) and statement.procedure not in reached:
                    reached[statement.procedure] = None
                    work.append(statement.procedure)
        return tuple(found)

    # --- the parts around the bodies

    def promises(self, procedure: Procedure) -> tuple[Condition, ...]:
        """Conditions about calls that are not inlined: rounds only go up, and at most one Check fails."""
        if procedure.name not in self.stopping and procedure.name not in self._starting:
            return ()
        terms, state = self.terms, self.state
        literal, less = state.numbers.literal, state.numbers.less
        before, after = terms.old(terms.var(state.failed)), terms.var(state.failed)
        checks = self._below[procedure.name]
        if len(checks) <= PROMISED_CHECKS:
            new = terms.or_([terms.eq(after, literal(self.checks[check])) for check in checks])
        else:
            new = less(literal(0), after)
        failing = terms.and_([terms.eq(before, literal(0)), new])
        rounds = terms.and_(
            [
                terms.not_(less(terms.var(state.round), terms.old(terms.var(state.round)))),
                less(terms.var(state.round), literal(state.rounds)),
            ]
        )
        promised = [terms.or_([terms.eq(after, before), failing]), rounds]
        if state.delays is not None:
            delays = terms.var(state.delays)
            promised += [
                terms.not_(less(delays, terms.old(delays))),
                terms.not_(less(literal(state.most_delays), delays)),
            ]
        return tuple(Condition(term, procedure.span, None) for term in promised)

    def _around(self, entry: Procedure, body: Procedure) -> Procedure:
        """Guess how rounds start, run the first thread with all that it starts, check the guesses, then fail."""
        terms, state, span = self.terms, self.state, entry.span
        guesses = {
            variable: tuple(_local(f"{copy.name}$guess", copy.type) for copy in copies[1:])
            for variable, copies in state.copies.items()
        }
        zero = state.numbers.literal(0)
        targets, values = [state.round, state.failed], [zero, zero]
        if state.delays is not None:
            targets.append(state.delays)
            values.append(zero)
        for flag in (state.atomic, state.spent):
            if flag is not None:
                targets.append(flag)
                values.append(terms.false)
        for variable, copies in state.copies.items():
            targets += copies[1:]
            values += [terms.var(guess) for guess in guesses[variable]]
        results = tuple(_local(output.name, output.type) for output in body.outputs)
        arguments = tuple(terms.var(variable) for variable in entry.inputs)
        begin = (Assign(tuple(targets), tuple(values), span), Call(body.name, arguments, results, span))
        kept = [
            Block(f"$keep{index}", tuple(state.store(index, span)), ("$check",), span)
            for index in range(state.rounds)
        ]
        statements: list[Statement] = []
        for variable, copies in state.copies.items():
            statements += [
                Assume(terms.eq(terms.var(copy), terms.var(guess)), span)
                for copy, guess in zip(copies, guesses[variable], strict=False)
            ]
        for check in self._below[entry.name]:
            number = state.numbers.literal(self.checks[check])
            statements.append(Assert(terms.not_(terms.eq(terms.var(state.failed), number)), check, check.span))
        first = Block("$threads", begin, tuple(block.label for block in kept), span)
        last = Block("$check", tuple(statements), (), span)
        local = (*results, *(guess for each in guesses.values() for guess in each))
        return Procedure(entry.name, entry.inputs, (), span, local, (first, *kept, last), attributes=entry.attributes)


def _local(name: str, type_: Type) -> Variable:
    return Variable(name, type_, VariableKind.LOCAL)


def _statements(procedures: Iterable[Procedure]) -> Iterable[Statement]:
    return (
        statement for procedure in procedures for block in procedure.blocks or () for statement in block.statements
    )


def _starts(procedure: Procedure) -> bool:
    return any(isinstance(statement, Call) and statement.is_async for statement in _statements([procedure]))


def _above(program: Program, names: Iterable[str]) -> frozenset[str]:
    """Procedures and those that call them, directly or through others, other than asynchronously."""
    callers: dict[str, list[str]] = {}
    for name, procedure in program.procedures.items():
        for statement in _statements([procedure]):
            if isinstance(statement, Call) and not statement.is_async:
                callers.setdefault(statement.procedure, []).append(name)
    found = dict.fromkeys(names)
    work = list(found)
    while work:
        for caller in callers.get(work.pop(), ()):
            if caller not in found:
                found[caller] = None
                work.append(caller)
    return frozenset(found)


@final
class _Body:
    """The rewriting of one procedure."""

    def __init__(self, whole: _Sequentialization, procedure: Procedure) -> None:
        assert procedure.blocks
        self._whole = whole
        self._terms = whole.terms
        self._state = whole.state
        self._procedure = procedure
        self._name = whole.names.get(procedure.name, procedure.name)
        self._stopped = _local("stopped$", BOOL) if procedure.name in whole.stopping else None
        self._fresh = FreshNames(block.label for block in procedure.blocks)
        self._extra: dict[str, Variable] = {}
        self._blocks: list[Block] = []
        self._base = ""  # the original label, so that names of pieces do not grow
        self._label = ""
        self._pending: list[Statement] = []

    def rewrite(self) -> Procedure:
        procedure = self._procedure
        assert procedure.blocks
        first = procedure.blocks[0].label
        if self._stopped is not None:
            label = self._new_label("$start", None)
            clear = Assign((self._stopped,), (self._terms.false,), procedure.span)
            self._blocks.append(Block(label, (clear,), (first,), procedure.span))
        for block in procedure.blocks:
            self._rewrite_block(block, is_first=block.label == first)
        stopped = () if self._stopped is None else (self._stopped,)
        return replace(
            procedure,
            name=self._name,
            outputs=(*procedure.outputs, *stopped),
            locals=(*procedure.locals, *self._extra.values()),
            blocks=tuple(self._blocks),
            ensures=self._whole.promises(procedure),
        )

    # --- blocks

    def _rewrite_block(self, block: Block, *, is_first: bool) -> None:
        self._base = self._label = block.label
        self._pending = []
        if is_first and self._procedure.name in self._whole.entered_reading:
            self._point(0, self._state_at(block, 0), block.span)
        for index, statement in enumerate(block.statements):
            self._statement(block, index, statement)
            if self._whole.is_point_after(self._procedure.name, block, index):
                self._point(index + 1, self._state_at(block, index + 1), statement.span)
        self._close(block.successors, block.span)

    def _state_at(self, block: Block, index: int) -> int:
        states = self._whole.facts.states.get((self._procedure.name, block.label))
        return INTERRUPTIBLE if states is None else states[index]

    def _close(self, successors: Sequence[str], span: Span) -> None:
        self._blocks.append(Block(self._label, tuple(self._pending), tuple(successors), span))

    def _continue(self, label: str, statements: Iterable[Statement] = ()) -> None:
        self._label, self._pending = label, list(statements)

    def _new_label(self, wish: str, mark: Mark | None, position: int = 0) -> str:
        label = self._fresh.make(wish)
        self._whole.plan.labels[self._name, label] = None
        if mark is not None:
            self._whole.plan.marks[self._name, label] = (mark, position)
        return label

    def _local(self, name: str, type_: Type) -> Variable:
        if name not in self._extra:
            self._extra[name] = _local(name, type_)
        return self._extra[name]

    # --- statements

    def _statement(self, block: Block, index: int, statement: Statement) -> None:
        self._guard(statement, self._state_at(block, index))
        match statement:
            case Assert():
                self._assertion(statement)
            case Yield():
                pass
            case Call(is_async=True):
                self._start_thread(statement, self._state_at(block, index))
            case Call():
                self._call(statement, self._state_at(block, index))
            case _:
                self._pending.append(statement)

    def _guard(self, statement: Statement, state: int) -> None:
        """Exclude an access that comes too late: a thread that waits for this one in the same round has already
        run."""
        spent = self._state.spent
        interruptible = not state & ATOMIC and not self._whole.program.cooperative
        if spent is not None and not interruptible and self._whole.touches_shared(statement):
            self._pending.append(Assume(self._terms.not_(self._terms.var(spent)), statement.span))

    def _assertion(self, statement: Assert) -> None:
        assert self._stopped is not None
        terms, state, span = self._terms, self._state, statement.span
        fail = self._new_label(f"{self._base}$fail", Mark.FAIL)
        holds = self._new_label(f"{self._base}$on", None)
        first = terms.eq(terms.var(state.failed), state.numbers.literal(0))
        number = state.numbers.literal(self._whole.checks[statement.check])
        statements: tuple[Statement, ...] = (
            Assume(terms.and_([terms.not_(statement.condition), first]), span),
            Assign((state.failed, self._stopped), (number, terms.true), span),
        )
        self._close((holds, fail), span)
        self._blocks.append(Block(fail, statements, (), span))
        self._continue(holds, [Assume(statement.condition, span)])

    def _call(self, call: Call, state: int) -> None:
        callee = self._whole.program.procedures[call.procedure]
        if callee.blocks is None:
            self._pending.append(call)
            self._note_section(callee, call.span)
            return
        held = {
            result: self._local(f"{result.name}$result", result.type)
            for result in call.results
            if result.kind is VariableKind.GLOBAL
        }
        results = tuple(held.get(result, result) for result in call.results)
        name = self._whole.names.get(call.procedure, call.procedure)
        if call.procedure in self._whole.stopping:
            stopped = self._local("callee_stopped$", BOOL)
            self._pending.append(replace(call, procedure=name, results=(*results, stopped)))
            self._pass_on(stopped, call.span)
        else:
            self._pending.append(replace(call, procedure=name, results=results))
        if held:
            self._guard(replace(call, arguments=()), state)
            values = tuple(self._terms.var(variable) for variable in held.values())
            self._pending.append(Assign(tuple(held), values, call.span))

    def _pass_on(self, callee_stopped: Variable, span: Span) -> None:
        """If the callee did not return, neither does this procedure."""
        assert self._stopped is not None
        flag = self._terms.var(callee_stopped)
        out = self._new_label(f"{self._base}$out", None)
        onward = self._new_label(f"{self._base}$on", None)
        self._close((onward, out), span)
        leave = (Assume(flag, span), Assign((self._stopped,), (self._terms.true,), span))
        self._blocks.append(Block(out, leave, (), span))
        self._continue(onward, [Assume(self._terms.not_(flag), span)])

    def _note_section(self, callee: Procedure, span: Span) -> None:
        atomic = self._state.atomic
        if atomic is not None and (is_atomic_begin(callee) or is_atomic_end(callee)):
            self._pending.append(Assign((atomic,), (self._terms.boolean(is_atomic_begin(callee)),), span))

    # --- threads

    def _point(self, position: int, state: int, span: Span) -> None:
        """Let the thread be interrupted here, for some rounds or for good, unless it is in an atomic section."""
        assert self._stopped is not None
        terms, variables = self._terms, self._state
        atomic = terms.var(variables.atomic) if state & ATOMIC and variables.atomic is not None else None
        stay = self._new_label(f"{self._base}$stay", Mark.POINT, position)
        stop = self._new_label(f"{self._base}$stop", Mark.STOP, position)
        onward = self._new_label(f"{self._base}$on", None)
        outside: list[Statement] = [] if atomic is None else [Assume(terms.not_(atomic), span)]
        forget: list[Statement] = (
            [] if variables.spent is None else [Assign((variables.spent,), (terms.false,), span)]
        )
        stopping = (*outside, *variables.stop(span), Assign((self._stopped,), (terms.true,), span))
        choices = [
            Block(stay, (*outside, *forget), (onward,), span),
            Block(stop, stopping, (), span),
            *self._moves(Mark.MOVE, outside, stay, span),
        ]
        if atomic is not None:
            inside = self._new_label(f"{self._base}$inside", None)
            choices.append(Block(inside, (Assume(atomic, span),), (onward,), span))
        self._choose(choices, span)
        self._continue(onward)

    def _choose(self, choices: Sequence[Block], span: Span) -> None:
        """End the current block with a choice between blocks. They come after it, because it may be the first one."""
        self._close([block.label for block in choices], span)
        self._blocks += choices

    def _moves(self, mark: Mark, before: Sequence[Statement], target: str, span: Span) -> list[Block]:
        """Blocks that go to any later round, one by one, and then to the target."""
        rounds = range(self._state.rounds - 1)
        labels = [self._new_label(f"{self._base}${mark.value}", mark, index + 1) for index in rounds]
        return [
            Block(label, (*before, *self._state.move(index, span)), (target, *labels[index + 1 : index + 2]), span)
            for index, label in enumerate(labels)
        ]

    def _start_thread(self, call: Call, state: int) -> None:
        """Run the new thread, from this round or a later one, or not at all; then return to the round of its
        creator."""
        terms, span = self._terms, call.span
        now = self._new_label(f"{self._base}$now", None)
        skip = self._new_label(f"{self._base}$skip", Mark.SKIP)
        start = self._new_label(f"{self._base}$thread", Mark.START)
        after = self._new_label(f"{self._base}$on", None)
        callee = self._whole.program.procedures[call.procedure]
        arguments = tuple(
            self._local(f"{each.name}$argument{index}", each.type) for index, each in enumerate(callee.inputs)
        )
        # The arguments are values of the creator's round.
        self._pending.append(Assign(arguments, call.arguments, span))
        saved = self._save(span)
        choices = [
            Block(now, self._become_spent(state, saved, span), (start,), span),
            Block(skip, tuple(self._state.stop(span)), (after,), span),
            *self._moves(Mark.LATER, (), start, span),
        ]
        self._choose(choices, span)
        values = tuple(terms.var(argument) for argument in arguments)
        own = self._own()
        restore = Assign(own, tuple(terms.var(saved[variable]) for variable in own), span)
        self._continue(start, [*self._fresh_thread(span), self._thread_call(call, callee, values), restore])
        self._go_back(saved[self._state.round], after, span)
        self._continue(after)

    def _go_back(self, saved: Variable, after: str, span: Span) -> None:
        """End the current block, go to the round that was saved, and then on."""
        state, terms = self._state, self._terms
        if state.rounds == 1:
            self._close((after,), span)
            return
        again = self._new_label(f"{self._base}$again", None)
        kept = [self._new_label(f"{self._base}$keep", None) for _ in range(state.rounds)]
        back = [self._new_label(f"{self._base}$back", None) for _ in range(state.rounds)]
        self._close(kept, span)
        for index in range(state.rounds):
            here = Assume(terms.eq(terms.var(saved), self._state.numbers.literal(index)), span)
            self._blocks.append(Block(kept[index], tuple(state.store(index, span)), (again,), span))
            self._blocks.append(Block(back[index], (here, state.load(index, span)), (after,), span))
        self._blocks.append(Block(again, (), tuple(back), span))

    def _thread_call(self, call: Call, callee: Procedure, arguments: tuple[Term, ...]) -> Call:
        stopped = [self._local("thread_stopped$", BOOL)] if callee.name in self._whole.stopping else []
        name = self._whole.names.get(callee.name, callee.name)
        return Call(name, arguments, tuple(stopped), call.span, call.attributes)

    def _own(self) -> tuple[Variable, ...]:
        """The variables that each thread has of its own, except its round."""
        flags = (flag for flag in (self._state.atomic, self._state.spent) if flag is not None)
        return (*flags, *self._whole.program.thread_locals)

    def _save(self, span: Span) -> dict[Variable, Variable]:
        saved = {each: self._local(f"{each.name}$saved", each.type) for each in (self._state.round, *self._own())}
        values = tuple(self._terms.var(variable) for variable in saved)
        self._pending.append(Assign(tuple(saved.values()), values, span))
        return saved

    def _become_spent(self, state: int, saved: dict[Variable, Variable], span: Span) -> tuple[Statement, ...]:
        """If the creator cannot be interrupted, the new thread waits for it, though it runs first here."""
        spent, atomic = self._state.spent, self._state.atomic
        if spent is None:
            return ()
        if self._whole.program.cooperative or not state & INTERRUPTIBLE:
            waits = self._terms.true
        elif state & ATOMIC and atomic is not None:
            waits = self._terms.var(atomic)
        else:
            return ()
        value = self._terms.or_([self._terms.var(spent), waits])
        return (Assign((saved[spent],), (value,), span),)

    def _fresh_thread(self, span: Span) -> list[Statement]:
        flags = [flag for flag in (self._state.atomic, self._state.spent) if flag is not None]
        own = self._whole.program.thread_locals
        statements: list[Statement] = [Assign(tuple(flags), (self._terms.false,) * len(flags), span)]
        if own:
            statements.append(Havoc(own, span))
        wheres = (self._whole.program.wheres.get(variable) for variable in own)
        return [*statements, *(Assume(where, span) for where in wheres if where is not None)]
