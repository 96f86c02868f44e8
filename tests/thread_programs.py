"""Small concurrent programs that a test can run by itself: lists of operations, written as Boogie or as C.

    program = random_program(Random(7), "c")
    schedules(program)                        the lines of all assertions that some interleaving violates
    schedules(program, Bound(rounds=2))       those that one of two rounds violates

Nothing here knows Remuda: operations are made by the generator, printed by one function for each language, and run,
interleaving by interleaving, by `schedules`. Every operation accesses shared memory at most once, so that it is one
step in both languages. Threads share two globals and an array of three elements, all in 0..2, and have a variable `x`
each.

A schedule of K rounds runs, in each round, every thread at most once, in the order of a program that calls a thread
where it is started. A schedule of D delays lets threads wait for the next round D times in all; a thread that never
ends has been delayed once more, unless it comes behind the failure in that order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

VALUES: Final = 3  # everything is in 0..2
GLOBALS: Final = ("g0", "g1", "m", "a[0]", "a[1]", "a[2]")
ARRAY: Final = 3  # where the array begins among the globals
LOCKED: Final = 2
Turn = tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Operation:
    """A step; `kind` decides the meaning of its numbers: `where` is a global or a thread, `value` a number, or one
    computed from `x`."""

    kind: str
    where: int = 0
    value: int | str = 0
    inside: tuple[Operation, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class ThreadProgram:
    """The operations of each thread, the first one's first."""

    language: str
    cooperative: bool
    threads: tuple[tuple[Operation, ...], ...]


@final
@dataclass(frozen=True, slots=True)
class Bound:
    """Which schedules count. If they are `lifted`, the thread that fails comes last in every round: it waits there
    from the first round on, and becomes the thread that another starts."""

    rounds: int | None = None
    delays: int | None = None
    lifted: bool = False


# --- programs


def random_program(random: Random, language: str) -> ThreadProgram:
    return _Generator(random, language).program()


@final
class _Generator:
    def __init__(self, random: Random, language: str) -> None:
        self.random = random
        self.language = language
        self.cooperative = language == "boogie" and random.random() < 0.4
        kinds = ["load", "load", "store", "store", "store", "test", "check", "if", "wait", "choose", "read", "write"]
        self.kinds = [*kinds, *random.sample(["atomic", "lock", "add"], random.randint(0, 2)) * 2]
        if self.cooperative:
            self.kinds += ["yield"] * 4
        self.started: list[int] = []

    def program(self) -> ThreadProgram:
        count = self.random.choice([1, 2, 2])
        # The first thread starts the others, or one that it has started starts the last.
        chain = count == 2 and self.random.random() < 0.3
        children = {0: [1] if chain else list(range(1, count + 1)), 1: [2] if chain else []}
        threads = [self.thread(number, children.get(number, [])) for number in range(count + 1)]
        return ThreadProgram(self.language, self.cooperative, tuple(threads))

    def thread(self, number: int, children: list[int]) -> tuple[Operation, ...]:
        random = self.random
        length = random.choice([0, 1, 2]) if number == 0 else random.choice([1, 2, 2, 3])
        self.started = []
        made: list[Operation] = []
        waiting = list(children)
        for _ in range(length + len(children)):
            if waiting and random.random() < 0.6:
                made.append(self.start(waiting.pop(0)))
            else:
                made += self.operations(1)
        made += [self.start(each) for each in waiting]
        if random.random() < (0.6 if number else 0.3):
            made.append(self.claim())
        return tuple(made)

    def start(self, number: int) -> Operation:
        start = Operation("start", number)
        if "atomic" in self.kinds and self.random.random() < 0.3:
            return Operation("atomic", inside=(start, *self.operations(1, inside=True)))
        self.started.append(number)
        return start

    def operations(self, count: int, *, inside: bool = False) -> list[Operation]:
        return [self.operation(inside=inside) for _ in range(count)]

    def claim(self) -> Operation:
        if self.random.random() < 0.5:
            return Operation("test", self.random.randrange(2), self.random.randrange(VALUES))
        return Operation("check", value=self.random.randrange(VALUES))

    def operation(self, *, inside: bool) -> Operation:
        random = self.random
        if self.language == "c" and self.started and not inside and random.random() < 0.4:
            return Operation("join", self.started.pop())
        kind = random.choice([each for each in self.kinds if not inside or each not in {"atomic", "lock", "yield"}])
        where, number = random.randrange(2), random.randrange(VALUES)
        values: list[int | str] = [number, number, "x", "x+1"]
        value = random.choice(values)
        match kind:
            case "test" | "check":
                return self.claim()
            case "if":
                return Operation(kind, value=number, inside=tuple(self.operations(1, inside=inside)))
            case "atomic" | "lock":
                return Operation(kind, inside=tuple(self.operations(random.randint(1, 2), inside=True)))
            case "store" | "write":
                return Operation(kind, where, value)
            case _:
                return Operation(kind, where, number)


# --- text


@final
@dataclass(frozen=True, slots=True)
class Written:
    """A program's text; `lines` has the line of every assertion, in the order of the operations."""

    text: str
    lines: tuple[int, ...]


def written(program: ThreadProgram) -> Written:
    lines = _BOOGIE_HEAD[:] if program.language == "boogie" else _C_HEAD[:]
    write = _boogie if program.language == "boogie" else _c
    # Started threads are declared first, and the first thread comes last.
    places: dict[int, list[int]] = {}
    for number in reversed(range(len(program.threads))):
        operations = program.threads[number]
        body = [line for operation in operations for line in write(operation)]
        head, foot = _around(program, number)
        places[number] = [
            len(lines) + len(head) + index + 1
            for index, line in enumerate(body)
            if _ASSERTION[program.language] in line
        ]
        lines += [*head, *(f"  {line}" for line in body), *foot]
    asserted = tuple(line for number in range(len(program.threads)) for line in places[number])
    return Written("\n".join(lines) + "\n", asserted)


_ASSERTION: Final = {"boogie": "assert ", "c": "__VERIFIER_assert("}
_BOOGIE_HEAD: Final = [
    "var g0, g1, m: int;",
    "var a: [int]int;",
    "function {:inline} next(x: int): int { if x >= 2 then 0 else x + 1 }",
    "procedure corral_atomic_begin();",
    "procedure corral_atomic_end();",
]
_C_HEAD: Final = [
    "#include <pthread.h>",
    "void __VERIFIER_assert(int);",
    "void __VERIFIER_assume(int);",
    "void __VERIFIER_atomic_begin(void);",
    "void __VERIFIER_atomic_end(void);",
    "int __VERIFIER_nondet_int(void);",
    "int g0, g1, a[3];",
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
]


def _around(program: ThreadProgram, number: int) -> tuple[list[str], list[str]]:
    if program.language == "boogie":
        if number:
            return [f"procedure T{number}(given: int)", "{", "  var x: int;", "  x := given;"], ["}"]
        start = "  g0, g1, m, x := 0, 0, 0, 0; a[0] := 0; a[1] := 0; a[2] := 0;"
        return ["procedure {:entrypoint} main()", "{", "  var x: int;", start], ["}"]
    handles = [f"  pthread_t t{each.where};" for each in _starts(program.threads[number])]
    if number:
        return [f"void *T{number}(void *given) {{", "  int x = (int)(long)given;", *handles], ["  return 0;", "}"]
    return ["int main(void) {", "  int x = 0;", *handles], ["  return 0;", "}"]


def _starts(operations: tuple[Operation, ...]) -> Iterator[Operation]:
    for operation in operations:
        if operation.kind == "start":
            yield operation
        yield from _starts(operation.inside)


def _boogie(operation: Operation) -> list[str]:
    name = GLOBALS[operation.where]
    value = "next(x)" if operation.value == "x+1" else str(operation.value)
    inside = [f"  {line}" for each in operation.inside for line in _boogie(each)]
    match operation.kind:
        case "load":
            return [f"x := {name};"]
        case "store":
            return [f"{name} := {value};"]
        case "read":
            return ["x := a[x];"]
        case "write":
            return [f"a[x] := {value};"]
        case "add":
            return [f"{name} := next({name});"]
        case "test":
            return [f"assert {name} != {value};"]
        case "check":
            return [f"assert x != {value};"]
        case "wait":
            return [f"assume {name} == {value};"]
        case "choose":
            return ["havoc x; assume 0 <= x && x <= 1;"]
        case "if":
            return [f"if (x == {value}) {{", *inside, "}"]
        case "atomic":
            return ["call corral_atomic_begin();", *inside, "call corral_atomic_end();"]
        case "lock":
            take = "call corral_atomic_begin(); assume m == 0; m := 1; call corral_atomic_end();"
            return [take, *inside, "m := 0;"]
        case "start":
            return [f"async call T{operation.where}(x);"]
        case _:
            return ["yield;"]


def _c(operation: Operation) -> list[str]:
    name = GLOBALS[operation.where]
    value = "(x + 1) % 3" if operation.value == "x+1" else str(operation.value)
    inside = [f"  {line}" for each in operation.inside for line in _c(each)]
    match operation.kind:
        case "load":
            return [f"x = {name};"]
        case "store":
            return [f"{name} = {value};"]
        case "read":
            return ["x = a[x];"]
        case "write":
            return [f"a[x] = {value};"]
        case "add":
            return [f"__VERIFIER_atomic_begin(); {name} = ({name} + 1) % 3; __VERIFIER_atomic_end();"]
        case "test":
            return [f"__VERIFIER_assert({name} != {value});"]
        case "check":
            return [f"__VERIFIER_assert(x != {value});"]
        case "wait":
            return [f"__VERIFIER_assume({name} == {value});"]
        case "choose":
            return ["x = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= x && x <= 1);"]
        case "if":
            return [f"if (x == {value}) {{", *inside, "}"]
        case "atomic":
            return ["__VERIFIER_atomic_begin();", *inside, "__VERIFIER_atomic_end();"]
        case "lock":
            return ["pthread_mutex_lock(&m);", *inside, "pthread_mutex_unlock(&m);"]
        case "start":
            return [f"pthread_create(&t{operation.where}, 0, T{operation.where}, (void *)(long)x);"]
        case _:
            return [f"pthread_join(t{operation.where}, 0);"]


# --- interleavings


@final
@dataclass(frozen=True, slots=True)
class _Step:
    """One step of a thread: an operation without others inside. `target` is where a jump goes."""

    kind: str
    where: int = 0
    value: int | str = 0
    target: int = 0
    assertion: int = 0


@final
@dataclass(frozen=True, slots=True)
class _Thread:
    """A thread. `path` identifies it: (*p, 2n + 1) if its creator with `path` p had started n others before."""

    code: int
    path: Turn
    x: int
    at: int = 0
    started: int = 0
    atomic: bool = False
    stays: bool = False  # it does not yield here
    waits: bool = False  # its creator could not be interrupted, and it has not begun
    round: int = 0
    failing: bool = False  # its failures count

    @property
    def turn(self) -> Turn:
        return (*self.path, 2 * self.started)


@final
@dataclass(frozen=True, slots=True)
class _State:
    """`round` and `turn` are those of the last access to shared memory. `failed`: an assertion, and whose turn it
    was."""

    threads: tuple[_Thread, ...]
    memory: tuple[int, ...]
    ended: frozenset[int] = frozenset()
    running: int = 0
    round: int = 0
    turn: Turn = ()
    delays: int = 0
    failed: tuple[int, Turn] | None = None


@final
@dataclass(slots=True)
class TooMany(Exception):
    """There are more states than the test has time for."""

    states: int


def schedules(program: ThreadProgram, bound: Bound | None = None, most: int = 30_000) -> set[int]:
    """The lines of the assertions that a schedule within the bound violates."""
    return _Schedules(program, bound or Bound(), most).run()


@final
@dataclass(slots=True)
class _Schedules:
    program: ThreadProgram
    bound: Bound
    most: int
    code: list[list[_Step]] = field(default_factory=list)
    found: set[int] = field(default_factory=set)

    def run(self) -> set[int]:
        assertions = iter(written(self.program).lines)
        self.code = [_steps(operations, assertions) for operations in self.program.threads]
        if self.program.language == "c":
            for number, steps in enumerate(self.code[1:], start=1):
                steps.append(_Step("end", number))
        work = list(self.first())
        seen = set(work)
        while work:
            if len(seen) > self.most:
                raise TooMany(len(seen))
            for state in self.following(work.pop()):
                if state not in seen:
                    seen.add(state)
                    work.append(state)
        return self.found

    def first(self) -> Iterator[_State]:
        memory = (0,) * len(GLOBALS)
        main = _Thread(0, (), 0, stays=self.program.cooperative, failing=True)
        yield _State((main,), memory)
        if self.bound.lifted:
            yield _State((replace(main, path=(1,), failing=False),), memory)

    def following(self, state: _State) -> Iterator[_State]:
        current = state.threads[state.running]
        has_ended = self.has_ended(current)
        free = has_ended or not (current.atomic or current.stays)
        if free and state.failed is not None:
            self.count(state)
        for number, thread in enumerate(state.threads):
            if not free and number != state.running:
                continue
            if self.bound.delays is not None and free and state.delays < self.bound.delays and thread.at >= 0:
                yield self.put(
                    replace(state, delays=state.delays + 1), number, replace(thread, round=thread.round + 1)
                )
            if not self.has_ended(thread):
                yield from self.step(replace(state, running=number), thread)

    def has_ended(self, thread: _Thread) -> bool:
        return thread.at < 0 or thread.at == len(self.code[thread.code])

    def count(self, state: _State) -> None:
        """Something has failed: what has been delayed for good by then?"""
        assert state.failed is not None
        assertion, turn = state.failed
        stopped = [each for each in state.threads if not self.has_ended(each) and each.turn < turn]
        if self.bound.delays is None or state.delays + len(stopped) <= self.bound.delays:
            self.found.add(assertion)

    def put(self, state: _State, number: int, thread: _Thread) -> _State:
        return replace(state, threads=(*state.threads[:number], thread, *state.threads[number + 1 :]))

    def step(self, state: _State, thread: _Thread) -> Iterator[_State]:
        step = self.code[thread.code][thread.at]
        number = state.running
        if thread.waits:
            begun = self.accessed(state, thread)
            if begun is None:
                return
            state = begun
        if step.kind in _ACCESSES or (step.kind == "start" and self.program.language == "c"):
            accessed = self.accessed(state, thread)
            if accessed is None:
                return
            state = accessed
        after = replace(
            thread, at=thread.at + 1, waits=False, stays=self.program.cooperative and step.kind != "yield"
        )
        match step.kind:
            case "test" | "check":
                if (state.memory[step.where] if step.kind == "test" else thread.x) == step.value:
                    yield from self.failure(state, thread, step.assertion)
                    return
            case "choose":
                yield from (self.put(state, number, replace(after, x=value)) for value in (0, 1))
                return
            case "unless" if thread.x != step.value:
                after = replace(after, at=step.target)
            case "begin" | "finish":
                after = replace(after, atomic=step.kind == "begin")
            case "start":
                yield from self.started(state, after, step.where)
                return
            case "join" if step.where not in state.ended:
                return
            case "end":
                state = replace(state, ended=state.ended | {step.where})
        changed = _changed(step, thread.x, state.memory)
        if changed is not None:
            x, memory = changed
            yield self.put(replace(state, memory=memory), number, replace(after, x=x))

    def started(self, state: _State, creator: _Thread, code: int) -> Iterator[_State]:
        after = self.put(state, state.running, replace(creator, started=creator.started + 1))
        waits = creator.atomic or self.program.cooperative or self.program.language == "c"
        path = (*creator.path, 2 * creator.started + 1)
        child = _Thread(code, path, creator.x, waits=waits, round=creator.round, failing=not self.bound.lifted)
        yield replace(after, threads=(*after.threads, child))
        if self.bound.lifted and not any(each.failing for each in state.threads):
            # The creator notes which thread fails: that is an access, as to any shared variable.
            noted = self.accessed(after, creator)
            if noted is not None:
                last = replace(child, path=(), started=1, waits=True, failing=True, round=0)
                yield replace(noted, threads=(*after.threads, last))

    def failure(self, state: _State, thread: _Thread, assertion: int) -> Iterator[_State]:
        if thread.failing and state.failed is None:
            failed = replace(state, failed=(assertion, thread.turn))
            yield self.put(failed, state.running, replace(thread, at=-1))

    def accessed(self, state: _State, thread: _Thread) -> _State | None:
        """The state in which the thread accesses shared memory, if it can within the bound."""
        if self.bound.delays is not None:
            if (thread.round, thread.turn) < (state.round, state.turn):
                return None
            return replace(state, round=thread.round, turn=thread.turn)
        if self.bound.rounds is None:
            return state
        round_ = state.round + (thread.turn < state.turn)
        return None if round_ >= self.bound.rounds else replace(state, round=round_, turn=thread.turn)


_ACCESSES: Final = {"load", "read", "store", "write", "add", "test", "wait", "take", "give", "join", "end"}


def _changed(step: _Step, x: int, memory: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
    """`x` and the memory after a step; None if it has to wait."""
    value = (x + 1) % VALUES if step.value == "x+1" else x if step.value == "x" else int(step.value)
    match step.kind:
        case "load":
            return memory[step.where], memory
        case "read":
            return memory[ARRAY + x], memory
        case "store":
            return x, _set(memory, step.where, value)
        case "write":
            return x, _set(memory, ARRAY + x, value)
        case "add":
            return x, _set(memory, step.where, (memory[step.where] + 1) % VALUES)
        case "wait":
            return (x, memory) if memory[step.where] == value else None
        case "take":
            return None if memory[LOCKED] else (x, _set(memory, LOCKED, 1))
        case "give":
            return x, _set(memory, LOCKED, 0)
        case _:
            return x, memory


def _set(memory: tuple[int, ...], where: int, value: int) -> tuple[int, ...]:
    return (*memory[:where], value, *memory[where + 1 :])


def _steps(operations: tuple[Operation, ...], assertions: Iterator[int], begin: int = 0) -> list[_Step]:
    """The operations one after another, the first at `begin`."""
    made: list[_Step] = []
    for operation in operations:
        here = begin + len(made)
        match operation.kind:
            case "if":
                inside = _steps(operation.inside, assertions, here + 1)
                made += [_Step("unless", value=operation.value, target=here + 1 + len(inside)), *inside]
            case "atomic":
                made += [_Step("begin"), *_steps(operation.inside, assertions, here + 1), _Step("finish")]
            case "lock":
                made += [_Step("take"), *_steps(operation.inside, assertions, here + 1), _Step("give")]
            case "test" | "check":
                made.append(_Step(operation.kind, operation.where, operation.value, assertion=next(assertions)))
            case _:
                made.append(_Step(operation.kind, operation.where, operation.value))
    return made
