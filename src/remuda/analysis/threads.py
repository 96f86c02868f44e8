"""Where the threads of a program can meet: which globals they share, and where one can be interrupted.

    procedure main() { x := 0;                    main is alone: nobody can interrupt it here
                       async call T();  x := 1; } x is accessed by both threads: shared
    procedure T()    { y := x; }                  y is T's alone

A statement's state, before it and after it, says what may hold there: the thread is inside an atomic section, it is
outside of any, other threads exist. States are found by running over all procedures until nothing changes; a
procedure has one state for all its callers. Calls with contracts as statements only (`transforms.contracts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.loops import find_loops
from remuda.ir.edit import targets_of, terms_of
from remuda.ir.program import Call
from remuda.ir.threads import is_atomic_begin, is_atomic_end
from remuda.terms.term import postorder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from remuda.ir.program import Block, Procedure, Program, Statement
    from remuda.terms.symbols import Variable

INTERRUPTIBLE: Final = 1  # outside of any atomic section
ATOMIC: Final = 2
COMPANY: Final = 4  # other threads exist

Place = tuple[str, str]  # procedure and block label


@final
@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """The globals that a statement reads and writes, in itself: not what the body of a callee does."""

    reads: frozenset[Variable]
    writes: frozenset[Variable]

    def touches(self, variables: frozenset[Variable]) -> bool:
        return not variables.isdisjoint(self.reads) or not variables.isdisjoint(self.writes)


@final
@dataclass(frozen=True, slots=True, eq=False)
class ThreadFacts:
    """`shared` in the program's order. `states[place][i]` holds before statement i of the block; the last holds at
    its end. A block without states is never reached. Whether `schedules_matter`: not if threads share nothing of the
    program's own."""

    shared: tuple[Variable, ...]
    states: Mapping[Place, tuple[int, ...]]
    schedules_matter: bool


def thread_facts(program: Program) -> ThreadFacts:
    states = _States(program).run()
    shared = _shared(program, states)
    return ThreadFacts(shared, states, schedules_matter=bool(shared))


def access_of(program: Program, statement: Statement) -> Access:
    """What a statement touches. A call of a procedure without a body also does what that one declares."""
    reads = {term.payload for term in postorder(terms_of(statement)) if term.op == "var"}
    writes = set(targets_of(statement))
    if isinstance(statement, Call):
        callee = program.procedures[statement.procedure]
        if callee.blocks is None:
            writes.update(callee.modifies)
            conditions = [condition.term for condition in callee.ensures]
            reads.update(term.payload for term in postorder(conditions) if term.op == "var")
    everything = set(program.globals)
    return Access(frozenset(reads & everything), frozenset(writes & everything))


# --- states


@final
class _States:
    """The states of all statements, as a fixed point."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._entry: dict[str, int] = dict.fromkeys(program.entries, INTERRUPTIBLE)
        self._exit: dict[str, int] = {}
        self._callers: dict[str, dict[str, None]] = {}
        self._at_start: dict[Place, int] = {}
        self._starts = _below(program, lambda call, _: call.is_async)
        self._sections = _below(program, lambda call, callee: not call.is_async and _is_section(callee))
        self._work = dict.fromkeys(program.entries)

    def run(self) -> dict[Place, tuple[int, ...]]:
        while self._work:
            name = next(iter(self._work))
            del self._work[name]
            procedure = self._program.procedures[name]
            if procedure.blocks:
                self._run_procedure(procedure, procedure.blocks[0].label)
        return {
            (name, block.label): self._along(name, block, self._at_start[name, block.label])
            for name, procedure in self._program.procedures.items()
            for block in procedure.blocks or ()
            if (name, block.label) in self._at_start
        }

    def _run_procedure(self, procedure: Procedure, first: str) -> None:
        name = procedure.name
        blocks = {block.label: block for block in procedure.blocks or ()}
        self._join(name, first, self._entry[name])
        work = dict.fromkeys(label for label in blocks if (name, label) in self._at_start)
        while work:
            label = next(iter(work))
            del work[label]
            block = blocks[label]
            state = self._along(name, block, self._at_start[name, label])[-1]
            if not state & (INTERRUPTIBLE | ATOMIC):
                continue  # a call that is not known to return
            for successor in block.successors:
                if self._join(name, successor, state):
                    work[successor] = None
            if not block.successors:
                self._note_exit(name, state)

    def _join(self, name: str, label: str, state: int) -> bool:
        before = self._at_start.get((name, label))
        after = (before or 0) | state
        self._at_start[name, label] = after
        return after != before

    def _note_exit(self, name: str, state: int) -> None:
        before = self._exit.get(name, 0)
        if before | state != before:
            self._exit[name] = before | state
            self._work.update(self._callers.get(name, {}))

    def _along(self, name: str, block: Block, state: int) -> tuple[int, ...]:
        states = [state]
        for statement in block.statements:
            state = self._after(name, statement, state)
            states.append(state)
        return tuple(states)

    def _after(self, name: str, statement: Statement, state: int) -> int:
        if not isinstance(statement, Call):
            return state
        callee = self._program.procedures[statement.procedure]
        if statement.is_async:
            self._enter(name, callee, INTERRUPTIBLE | COMPANY)
            return state | COMPANY
        if callee.blocks is None:
            section = ATOMIC if is_atomic_begin(callee) else INTERRUPTIBLE if is_atomic_end(callee) else None
            return state if section is None else section | state & COMPANY
        self._enter(name, callee, state)
        company = state & COMPANY | (COMPANY if callee.name in self._starts else 0)
        sections = state if callee.name not in self._sections else self._exit.get(callee.name, 0)
        return sections & (INTERRUPTIBLE | ATOMIC) | company

    def _enter(self, caller: str, callee: Procedure, state: int) -> None:
        self._callers.setdefault(callee.name, {})[caller] = None
        before = self._entry.get(callee.name)
        after = (before or 0) | state
        if after != before:
            self._entry[callee.name] = after
            self._work[callee.name] = None


def _is_section(procedure: Procedure) -> bool:
    return is_atomic_begin(procedure) or is_atomic_end(procedure)


def _below(program: Program, is_one: Callable[[Call, Procedure], bool]) -> set[str]:
    """The procedures in which, or below which, by calls that are not asynchronous, there is such a call."""
    callers: dict[str, list[str]] = {}
    found: dict[str, None] = {}
    for name, procedure in program.procedures.items():
        for call in _calls(procedure):
            if is_one(call, program.procedures[call.procedure]):
                found[name] = None
            if not call.is_async:
                callers.setdefault(call.procedure, []).append(name)
    work = list(found)
    while work:
        for caller in callers.get(work.pop(), ()):
            if caller not in found:
                found[caller] = None
                work.append(caller)
    return set(found)


def _calls(procedure: Procedure) -> Iterator[Call]:
    for block in procedure.blocks or ():
        for statement in block.statements:
            if isinstance(statement, Call):
                yield statement


# --- sharing


@final
@dataclass(slots=True)
class _Kind:
    """Threads that start with the same procedure (None: the execution's own), and what they touch in company."""

    several: bool
    reads: set[Variable]
    writes: set[Variable]


def _shared(program: Program, states: Mapping[Place, tuple[int, ...]]) -> tuple[Variable, ...]:
    """The globals that two threads access at the same time, one of them writing.

    What the execution's first thread does before it starts another happens before everything those do.
    """
    kinds = [_kind(program, states, program.entries, several=False)]
    roots = dict.fromkeys(call.procedure for procedure in program.procedures.values() for call in _starts(procedure))
    kinds += [_kind(program, states, (root,), several=_starts_often(program, root)) for root in roots]
    found: set[Variable] = set()
    for index, kind in enumerate(kinds):
        others = [*kinds[:index], *kinds[index + 1 :], *([kind] if kind.several else [])]
        for other in others:
            found.update(kind.writes & (other.reads | other.writes))
    own = set(program.thread_locals)
    return tuple(variable for variable in program.globals if variable in found and variable not in own)


def _starts(procedure: Procedure) -> Iterator[Call]:
    return (call for call in _calls(procedure) if call.is_async)


def _starts_often(program: Program, root: str) -> bool:
    """Whether there may be two threads that run this procedure: anything but one call, in an entry, outside loops."""
    sites = [
        (name, block.label)
        for name, procedure in program.procedures.items()
        for block in procedure.blocks or ()
        for statement in block.statements
        if isinstance(statement, Call) and statement.is_async and statement.procedure == root
    ]
    if len(sites) != 1 or sites[0][0] not in program.entries:
        return True
    name, label = sites[0]
    called = any(call.procedure == name for procedure in program.procedures.values() for call in _calls(procedure))
    loops = find_loops(program.procedures[name])
    return called or bool(loops.irreducible) or any(label in loop.blocks for loop in loops.loops)


def _kind(
    program: Program, states: Mapping[Place, tuple[int, ...]], roots: tuple[str, ...], *, several: bool
) -> _Kind:
    kind = _Kind(several, set(), set())
    reached = dict.fromkeys(roots)
    work = list(roots)
    while work:
        procedure = program.procedures[work.pop()]
        for block in procedure.blocks or ():
            for statement, state in zip(
                block.statements, states.get((procedure.name, block.label), ()), strict=False
            ):
                if isinstance(statement, Call) and not statement.is_async and statement.procedure not in reached:
                    reached[statement.procedure] = None
                    work.append(statement.procedure)
                after_call = isinstance(statement, Call) and statement.results
                if state & COMPANY or after_call:
                    access = access_of(program, statement)
                    kind.reads |= access.reads
                    kind.writes |= access.writes
    return kind
