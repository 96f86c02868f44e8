"""Why a run has checked nothing, in words for the report.

A program without assertions has nothing to prove, and neither has one whose assertions no execution reaches: both look
like a success if nobody says so. `assert false` is different: its author asks exactly whether it can be reached.
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

NAMES = 3  # of entries in the sentence


def why_nothing_checked(program: Program, results: Sequence[AssertionResult], options: Options, *, is_c: bool) -> str:
    """Empty if something was checked, or if a program in which nothing can fail is what the user asked about.

    `program` is as the front end made it, with the entries of this run; `results` are final. Whoever names a property (`--property`, `--spec`, a task
    definition) or a generated check asks about that, and nothing violates it where nothing can.
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
    """Whether one of the assertions fails whenever it is reached, and a call path leads to it."""
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
