"""Explains in the report why a run has checked nothing.

A program without assertions has nothing to prove, and neither has one whose assertions no execution reaches. Without
an explanation, both look like a success. `assert false` is different: its purpose is to ask whether it is reachable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.ir.program import Assert
from remuda.options import FAILURES
from remuda.results.report import Verdict
from remuda.transforms.prune import reachable_procedures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.ir.program import Program
    from remuda.options import Options
    from remuda.results.report import AssertionResult

NAMES = 3  # the most names of entries in the sentence


def why_nothing_checked(program: Program, results: Sequence[AssertionResult], options: Options, *, is_c: bool) -> str:
    """The reason why nothing was checked. Empty if something was checked, or if the question has an answer anyway.

    `program` is the program that the front end made, with the entries of this run; `results` are final. If the user
    names a property (`--property`, `--spec`, a task definition) or a generated check, then a program in which nothing
    can violate it satisfies it.
    """
    if options.property not in FAILURES or options.property == "unreach-call" or (is_c and options.check):
        return ""
    if any(result.verdict is not Verdict.UNREACHABLE or result.bound is not None for result in results):
        return ""
    if not results and not program.has_unreached_assertions:
        found = "the program has no assertion"
    elif not results or not _asks_for_reachability(program, {result.identifier for result in results}):
        names = ", ".join(program.entries[:NAMES]) + (", ..." if len(program.entries) > NAMES else "")
        found = f"no assertion is reachable from {names}"
    else:
        return ""
    hint = "; memory and overflow are not checked, try `--check ub`" if is_c else ""
    return f"nothing to check: {found}{hint}"


def _asks_for_reachability(program: Program, identifiers: set[str]) -> bool:
    """Whether one of the assertions always fails, and a call path leads to it."""
    reached = reachable_procedures(program)
    return any(
        isinstance(statement, Assert)
        and statement.condition is program.terms.false
        and statement.check.identifier in identifiers
        for name, procedure in program.procedures.items()
        if name in reached
        for block in procedure.blocks or ()
        for statement in block.statements
    )
