"""The constructs of programs with threads.

    async call worker(x);             a thread of its own starts
    yield;                            other threads may run here
    call corral_atomic_begin();       no other thread runs from here ...
    call corral_atomic_end();         ... to here

The last two are procedures without a body, which have this meaning by their names, as in Corral; procedures of these
names with a body are ordinary ones. Atomic sections do not nest: the first end ends the section. A thread that ends
inside a section ends the section. Calls with the attribute `step` are an exception, until `transforms.nest_sections`
has removed those inside another section.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.ir.program import Call, Yield

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.ir.program import Procedure, Program

ATOMIC_BEGIN: Final = "corral_atomic_begin"
ATOMIC_END: Final = "corral_atomic_end"
STEP: Final = "step"  # marks a section that a front end adds; with an argument, one around a call of a function
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
    """Whether a program contains a `yield`, and so states that its threads switch there only."""
    return any(
        isinstance(statement, Yield)
        for procedure in program.procedures.values()
        for block in procedure.blocks or ()
        for statement in block.statements
    )
