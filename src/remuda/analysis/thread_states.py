"""What may hold before and after every statement of a program with threads.

    procedure main() { x := 0;                    main is alone: nobody can interrupt it here
                       async call T();  x := 1; } here others can

A state says what may hold: the thread is inside an atomic section, it is outside of any, other threads exist. States
are found by running over all procedures until nothing changes; a procedure has one state for all its callers. Calls
with contracts as statements only (`transforms.contracts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, final

from remuda.ir.program import Call
from remuda.ir.threads import is_atomic_begin, is_atomic_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from remuda.ir.program import Block, Procedure, Program, Statement

INTERRUPTIBLE: Final = 1  # outside of any atomic section
ATOMIC: Final = 2
COMPANY: Final = 4  # other threads exist
UNNOTICED: Final = 8  # what was done just before makes no difference to others yet (`analysis.locks`)

Place = tuple[str, str]  # procedure and block label
States = Mapping[Place, tuple[int, ...]]


def thread_states(program: Program) -> dict[Place, tuple[int, ...]]:
    """`[place][i]` holds before statement i of the block; the last holds at its end. A block without states is never
    reached."""
    return _States(program).run()


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
        for call in calls_of(procedure):
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


def calls_of(procedure: Procedure) -> Iterator[Call]:
    for block in procedure.blocks or ():
        for statement in block.statements:
            if isinstance(statement, Call):
                yield statement
