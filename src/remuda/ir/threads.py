"""What programs with threads are made of, for whoever runs or transforms them.

    async call worker(x);             a thread of its own starts
    yield;                            other threads may run here
    call corral_atomic_begin();       no other thread runs from here ...
    call corral_atomic_end();         ... to here

Corral knows the last two by their names; they are procedures without a body (one with a body means what it says).
Atomic sections do not nest: the first end ends the section. A thread that ends inside one ends the section. Calls with
the attribute `step` are an exception, until `transforms.nest_sections` has removed those inside another section.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.ir.program import Call, Yield

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.ir.program import Procedure, Program

ATOMIC_BEGIN: Final = "corral_atomic_begin"
ATOMIC_END: Final = "corral_atomic_end"
STEP: Final = "step"  # a section that a front end adds; with an argument, around a call of a function
YIELD: Final = "corral_yield"
THREAD_IDENTITY: Final = "corral_getThreadID"
CHILD_IDENTITY: Final = "corral_getChildThreadID"
PRIMITIVES: Final = frozenset({ATOMIC_BEGIN, ATOMIC_END, YIELD, THREAD_IDENTITY, CHILD_IDENTITY})


def is_atomic_begin(procedure: Procedure) -> bool:
    return procedure.name == ATOMIC_BEGIN and procedure.blocks is None


def is_atomic_end(procedure: Procedure) -> bool:
    return procedure.name == ATOMIC_END and procedure.blocks is None


def thread_starts(program: Program) -> Iterator[Call]:
    """The asynchronous calls of a program, in order."""
    for procedure in program.procedures.values():
        for block in procedure.blocks or ():
            for statement in block.statements:
                if isinstance(statement, Call) and statement.is_async:
                    yield statement


def starts_threads(program: Program) -> bool:
    return next(thread_starts(program), None) is not None


def yields(program: Program) -> bool:
    """Whether there is a `yield` anywhere, by which a program says that its threads take turns there only."""
    return any(
        isinstance(statement, Yield)
        for procedure in program.procedures.values()
        for block in procedure.blocks or ()
        for statement in block.statements
    )
