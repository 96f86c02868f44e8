"""The parts of a program that an assertion may be proved in, without the rest: loops and procedures.

    main { while (a) { while (b) { assert p } }  call f }        f { assert q }

    main/while.1 (inner loop) -> main/while (outer loop) -> main          where p may be proved, smallest part first
    f -> main                                                             where q may be

A loop is a fragment if it is *local*: entered at its head only, and left there only (Akhundov, section 2). Other
loops are parts of the fragments around them. The fragments around a procedure are all that call it; procedures that
call each other have the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.loops import Loop, Loops, find_loops, why_not_local
from remuda.ir.program import Assert, Call

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.ir.program import Check, Procedure, Program


@final
@dataclass(frozen=True, slots=True, eq=False)
class Fragment:
    """A local loop, or a procedure (`loop` is None). `parents` are the fragments around it, none for an entry that
    nothing calls. `checks` are the assertions that are in no smaller fragment."""

    name: str
    procedure: str
    loop: Loop | None
    span: Span
    parents: tuple[str, ...]
    checks: tuple[Check, ...]


@final
@dataclass(frozen=True, slots=True)
class CallerTree:
    """All fragments by name, those inside others after them. `entries` are the procedures that executions start in, and those
    that call each other with one."""

    fragments: Mapping[str, Fragment]
    entries: frozenset[str]

    def around(self, name: str) -> tuple[str, ...] | None:
        """The next fragments outwards, which together contain all executions of this one; None if there are none, or
        if executions may start in it."""
        fragment = self.fragments[name]
        if fragment.loop is None and name in self.entries:
            return None
        return fragment.parents or None


def caller_tree(program: Program) -> CallerTree:
    """The fragments of the procedures that entries reach."""
    graph = call_graph(program)
    loops = {
        name: find_loops(procedure)
        for name in graph.reachable()
        if (procedure := program.procedures[name]).blocks is not None
    }
    group_of = {name: group for group in graph.components for name in group}
    innermost = {name: _innermost_local(program.procedures[name], found) for name, found in loops.items()}
    callers: dict[str, dict[str, None]] = {name: {} for name in loops}
    for name, around in innermost.items():
        for block in program.procedures[name].blocks or ():
            for statement in block.statements:
                if isinstance(statement, Call) and statement.procedure in callers:
                    for member in group_of[statement.procedure]:
                        if name not in group_of[statement.procedure] and member in callers:
                            callers[member][around.get(block.label, name)] = None
    fragments: dict[str, Fragment] = {}
    for name, found in loops.items():
        procedure = program.procedures[name]
        checks = _checks_by_fragment(procedure, innermost[name])
        own = checks.get(name, ())
        fragments[name] = Fragment(name, name, None, procedure.span, tuple(callers[name]), own)
        for loop in _local_loops(procedure, found):
            outside = _parent(loop, found, innermost[name]) or name
            span = next(block.span for block in procedure.blocks or () if block.label == loop.header)
            fragments[loop.name] = Fragment(loop.name, name, loop, span, (outside,), checks.get(loop.name, ()))
    return CallerTree(fragments, frozenset(member for entry in program.entries for member in group_of[entry]))


def _local_loops(procedure: Procedure, found: Loops) -> list[Loop]:
    """The local loops of a procedure, outer ones first."""
    blocks = {block.label: block for block in procedure.blocks or ()}
    cyclic = {label for region in found.irreducible for label in region.blocks}
    return [loop for loop in found.loops if loop.header not in cyclic and not why_not_local(loop, blocks)]


def _innermost_local(procedure: Procedure, found: Loops) -> dict[str, str]:
    """For each block in a local loop, the name of the innermost one."""
    return {label: loop.name for loop in _local_loops(procedure, found) for label in loop.blocks}


def _parent(loop: Loop, found: Loops, innermost: Mapping[str, str]) -> str | None:
    """The next local loop outwards."""
    by_header = {each.header: each for each in found.loops}
    header = loop.parent
    while header is not None:
        around = by_header[header]
        if innermost.get(header) == around.name:
            return around.name
        header = around.parent
    return None


def _checks_by_fragment(procedure: Procedure, innermost: Mapping[str, str]) -> dict[str, tuple[Check, ...]]:
    found: dict[str, dict[Check, None]] = {}
    for block in procedure.blocks or ():
        for statement in block.statements:
            if isinstance(statement, Assert):
                found.setdefault(innermost.get(block.label, procedure.name), {})[statement.check] = None
    return {name: tuple(checks) for name, checks in found.items()}
