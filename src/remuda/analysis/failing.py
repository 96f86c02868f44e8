"""Finds code that can fail: it has an assertion, or calls such code. If a thread fails, its creator does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.ir.program import Assert, Call

if TYPE_CHECKING:
    from collections.abc import Container

    from remuda.ir.program import Check, Program, Statement


def may_fail(program: Program, trusted: Container[Check] = ()) -> dict[str, None]:
    """The procedures with a body in which, or below which, an assertion can fail, in program order.

    Assertions in `trusted` cannot, and neither can loop procedures (see `Procedure.loop_of`).
    """
    callers: dict[str, list[str]] = {}
    failing: dict[str, None] = {}
    for name, procedure in program.procedures.items():
        if procedure.loop_of is None:
            for block in procedure.blocks or ():
                for statement in block.statements:
                    if isinstance(statement, Assert):
                        if statement.check not in trusted:
                            failing[name] = None
                    elif isinstance(statement, Call) and not statement.is_async:
                        callers.setdefault(statement.procedure, []).append(name)
    work = list(failing)
    while work:
        for caller in callers.get(work.pop(), ()):
            if caller not in failing:
                failing[caller] = None
                work.append(caller)
    return {name: None for name in program.procedures if name in failing}


def can_fail(statement: Statement, failing: Container[str], trusted: Container[Check] = ()) -> bool:
    """Whether a statement can fail, or calls a procedure that can."""
    if isinstance(statement, Assert):
        return statement.check not in trusted
    return isinstance(statement, Call) and not statement.is_async and statement.procedure in failing
