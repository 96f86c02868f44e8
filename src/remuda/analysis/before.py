"""Finds assertions that no execution reaches after an unsupported call: their verdicts do not depend on it.

    main: assert a;  x := qsort(...);  assert b        `a` comes before the call only, `b` does not

A call may continue behind itself, and behind every call of its procedure. It may call back any procedure, so only
assertions of procedures count that cannot be called back: those where executions start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.analysis.callgraph import call_graph
from remuda.base.graph import reachable
from remuda.ir.program import Assert, Call

if TYPE_CHECKING:
    from collections.abc import Collection

    from remuda.analysis.callgraph import CallGraph
    from remuda.ir.program import Block, Check, Procedure, Program, Statement

CALL: Final = "a call of "  # the prefix of the descriptions of such calls
START: Final = "$start"  # the suffix of procedures that run before an entry


def checks_before(program: Program, constructs: Collection[Check]) -> dict[str, frozenset[str]]:
    """For each of these constructs, by identifier: the assertions that executions only reach before it. Constructs
    that are not calls may lead anywhere, and are left out; with jumps between procedures or threads, all are left
    out."""
    if any("jmp" in construct.description for construct in constructs) or _has_threads(program):
        return {}
    graph = call_graph(program)
    return {
        construct.identifier: _before(program, construct, graph)
        for construct in constructs
        if construct.description.startswith(CALL)
    }


def _has_threads(program: Program) -> bool:
    return any(
        isinstance(statement, Call) and statement.is_async
        for procedure in program.procedures.values()
        for block in procedure.blocks or ()
        for statement in block.statements
    )


def _before(program: Program, construct: Check, graph: CallGraph) -> frozenset[str]:
    starts = {name.removesuffix(START) for name in program.entries} | set(program.entries)
    started: set[str] = set()
    everywhere: set[str] = set()
    for name, procedure in program.procedures.items():
        found = {each.check.identifier for each in _statements(procedure) if isinstance(each, Assert)}
        (started if name in starts else everywhere).update(found)
    behind = _behind(program, construct, graph)
    return frozenset(started - everywhere - behind - {construct.identifier})


def _behind(program: Program, construct: Check, graph: CallGraph) -> set[str]:
    """The assertions that executions may reach after a construct."""
    found: set[str] = set()
    entered: set[str] = set()  # procedures that may be called afterwards
    left = reachable([name for name, each in program.procedures.items() if _has(each, construct)], graph.callers)
    for name in left:
        for statement in _after(program.procedures[name], construct, left):
            if isinstance(statement, Assert):
                found.add(statement.check.identifier)
            elif isinstance(statement, Call):
                entered.add(statement.procedure)
    for name in graph.reachable(entered):
        found |= {each.check.identifier for each in _statements(program.procedures[name]) if isinstance(each, Assert)}
    return found


def _after(procedure: Procedure, construct: Check, ending: Collection[str]) -> list[Statement]:
    """The statements of a procedure that may follow the construct, or a call of a procedure in which it may have been."""
    blocks: dict[str, Block] = {block.label: block for block in procedure.blocks or ()}
    successors = {label: block.successors for label, block in blocks.items()}
    found: list[Statement] = []
    following: list[str] = []
    for block in blocks.values():
        places = [
            number
            for number, statement in enumerate(block.statements)
            if (isinstance(statement, Assert) and statement.check.identifier == construct.identifier)
            or (isinstance(statement, Call) and statement.procedure in ending)
        ]
        if places:
            found += block.statements[places[0] + 1 :]
            following += block.successors
    for label in reachable(following, successors):
        found += blocks[label].statements
    return found


def _has(procedure: Procedure, construct: Check) -> bool:
    return any(
        isinstance(each, Assert) and each.check.identifier == construct.identifier for each in _statements(procedure)
    )


def _statements(procedure: Procedure) -> list[Statement]:
    return [statement for block in procedure.blocks or () for statement in block.statements]
