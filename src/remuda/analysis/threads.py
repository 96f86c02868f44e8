"""Where the threads of a program can interfere: the globals that they share, and the points of interruption.

procedure main() { x := 0;                    main is alone: no thread can interrupt it here
                   async call T();  x := 1; } x is accessed by both threads: shared
procedure T()    { y := x; }                  y is T's alone
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.analysis.accesses import access_of, read_at_start
from remuda.analysis.locks import mark_unnoticed
from remuda.analysis.loops import find_loops
from remuda.analysis.thread_states import COMPANY, calls_of, thread_states
from remuda.ir.program import Call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.analysis.thread_states import States
    from remuda.ir.program import Procedure, Program
    from remuda.terms.symbols import Variable


@final
@dataclass(frozen=True, slots=True, eq=False)
class ThreadFacts:
    """The facts about threads. `shared` is in the program's order. `states` are those of `thread_states`, with marks
    of steps that other threads cannot see. `schedules_matter` is false if threads share none of the program's own
    globals."""

    shared: tuple[Variable, ...]
    states: States
    schedules_matter: bool


def thread_facts(program: Program) -> ThreadFacts:
    states = thread_states(program)
    shared = _shared(program, states)
    return ThreadFacts(shared, mark_unnoticed(program, states, frozenset(shared)), schedules_matter=bool(shared))


@final
@dataclass(slots=True)
class _Kind:
    """Threads that start with the same procedure (None: the first thread), and their accesses while others exist."""

    several: bool
    reads: set[Variable]
    writes: set[Variable]


def _shared(program: Program, states: States) -> tuple[Variable, ...]:
    """The globals that two threads access at the same time, one of them writing.

    Accesses of the first thread before it starts another one happen before all accesses of other threads.
    """
    kinds = [_kind(program, states, program.entries, several=False)]
    roots = dict.fromkeys(call.procedure for procedure in program.procedures.values() for call in _starts(procedure))
    for root in roots:
        kind = _kind(program, states, (root,), several=_starts_often(program, root))
        kind.reads |= read_at_start(program)
        kinds.append(kind)
    found: set[Variable] = set()
    for index, kind in enumerate(kinds):
        others = [*kinds[:index], *kinds[index + 1 :], *([kind] if kind.several else [])]
        for other in others:
            found.update(kind.writes & (other.reads | other.writes))
    own = set(program.thread_locals)
    return tuple(variable for variable in program.globals if variable in found and variable not in own)


def _starts(procedure: Procedure) -> Iterator[Call]:
    return (call for call in calls_of(procedure) if call.is_async)


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
    called = any(call.procedure == name for procedure in program.procedures.values() for call in calls_of(procedure))
    loops = find_loops(program.procedures[name])
    return called or bool(loops.irreducible) or any(label in loop.blocks for loop in loops.loops)


def _kind(program: Program, states: States, roots: tuple[str, ...], *, several: bool) -> _Kind:
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
