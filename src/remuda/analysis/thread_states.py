"""Computes the possible states of threads before and after every statement of a program.

    procedure main() { x := 0;                    main is alone: no thread can interrupt it here
                       async call T();  x := 1; } here T can

A state has the possible conditions: the thread is inside an atomic section, it is outside of any, other threads
exist. A procedure has one state for all its callers. Contracts must be statements already (`transforms.contracts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.dataflow import Place, Where, solve
from remuda.ir.program import Call
from remuda.ir.threads import is_atomic_begin, is_atomic_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from remuda.ir.program import Procedure, Program, Statement

INTERRUPTIBLE: Final = 1  # outside of any atomic section
ATOMIC: Final = 2
COMPANY: Final = 4  # other threads exist
UNNOTICED: Final = 8  # other threads cannot see the last step yet (`analysis.locks`)

States = Mapping[Place, tuple[int, ...]]


def thread_states(program: Program) -> dict[Place, tuple[int, ...]]:
    """`[place][i]` holds before statement i of the block; the last holds at its end. A block without states is never
    reached, and where control does not get in a block there is 0."""
    facts = solve(program, _States(program))
    along = {
        (name, block.label): (facts.along(name, block), len(block.statements) + 1)
        for name, procedure in program.procedures.items()
        for block in procedure.blocks or ()
    }
    return {place: states + (0,) * (length - len(states)) for place, (states, length) in along.items() if states}


@final
class _States:
    """The dataflow problem."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._starts = procedures_above(program, lambda call, _: call.is_async)
        self._sections = procedures_above(program, lambda call, callee: not call.is_async and _is_section(callee))

    def at_start(self) -> int:
        return INTERRUPTIBLE

    def either(self, one: int, other: int) -> int:
        return one | other

    def after(self, _where: Where, statement: Statement, state: int) -> int:
        if not isinstance(statement, Call):
            return state
        callee = self._program.procedures[statement.procedure]
        if statement.is_async:
            return state | COMPANY
        section = ATOMIC if is_atomic_begin(callee) else INTERRUPTIBLE if is_atomic_end(callee) else None
        return state if section is None else section | state & COMPANY

    def into(self, call: Call, state: int) -> int:
        return INTERRUPTIBLE | COMPANY if call.is_async else state

    def out_of(self, _where: Where, call: Call, state: int, end: int | None) -> int | None:
        if call.is_async:
            return state | COMPANY
        sections = (state if call.procedure not in self._sections else end or 0) & (INTERRUPTIBLE | ATOMIC)
        company = state & COMPANY | (COMPANY if call.procedure in self._starts else 0)
        return sections | company if sections else None

    def at_end(self, _procedure: Procedure, state: int) -> int:
        return state


def _is_section(procedure: Procedure) -> bool:
    return is_atomic_begin(procedure) or is_atomic_end(procedure)


def procedures_above(program: Program, is_one: Callable[[Call, Procedure], bool]) -> set[str]:
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
