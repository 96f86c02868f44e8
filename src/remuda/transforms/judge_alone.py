"""Let executions continue after a failing assertion, so that each assertion is checked as if it were the only one.

before:  B: s; assert e; t; goto C
after:   B: s; goto B$on, B$judged;   B$judged: assert e; assume false   B$on: t; goto C

An assertion fails in an execution of the new program if it fails in one of the original in which failures do not end
the execution. Errors, and undefined behaviour of C (an access out of bounds, an overflow), still end an execution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.base.names import FreshNames
from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Assert, Assume, Attribute, Block, Program, Statement, attribute
from remuda.ir.trace import Enter, Leave, Trace, Visit

if TYPE_CHECKING:
    from remuda.ir.program import Check, Procedure
    from remuda.terms.store import Terms

STATED: Final = frozenset({"assert", "requires", "ensures", "invariant"})
ALONE: Final = "judged_alone"


@final
@dataclass(frozen=True, slots=True)
class JudgeAlone:
    """The pass, for assertions in the source. Traces do not change: they are replayed on the new program."""

    name: ClassVar[str] = "judge-alone"

    def apply(self, program: Program) -> PassResult:
        procedures = {
            name: _rewrite(program.terms, procedure) if procedure.blocks else procedure
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged)


def cut_traces(program: Program, trace: Trace, check: Check) -> Iterator[Trace]:
    """Traces of the new program: for each assertion that an execution passes, the execution up to it, failing it."""
    beside = _failures_beside(program, check)
    stack: list[str] = []
    for number, event in enumerate(trace.events):
        if isinstance(event, Enter):
            stack.append(event.procedure)
        elif isinstance(event, Leave):
            stack.pop()
        elif isinstance(event, Visit) and stack and (stack[-1], event.label) in beside:
            failing = Visit(beside[stack[-1], event.label])
            yield replace(trace, events=(*trace.events[:number], failing), check=check)


def _failures_beside(program: Program, check: Check) -> dict[tuple[str, str], str]:
    """For every block that comes after an assertion, the block in which it fails instead."""
    found: dict[tuple[str, str], str] = {}
    for name, procedure in program.procedures.items():
        marked = {
            block.label
            for block in procedure.blocks or ()
            for statement in block.statements
            if isinstance(statement, Assert)
            and statement.check is check
            and attribute(statement.attributes, ALONE) is not None
        }
        for block in procedure.blocks or ():
            if len(block.successors) == 2 and block.successors[1] in marked:
                found[name, block.successors[0]] = block.successors[1]
    return found


def _rewrite(terms: Terms, procedure: Procedure) -> Procedure:
    fresh = FreshNames(block.label for block in procedure.blocks or ())
    blocks: list[Block] = []
    for block in procedure.blocks or ():
        label, pending = block.label, list[Statement]()
        for statement in block.statements:
            if not isinstance(statement, Assert) or statement.check.kind not in STATED:
                pending.append(statement)
                continue
            onward, judged = fresh.make(f"{block.label}$on"), fresh.make(f"{block.label}$judged")
            blocks.append(Block(label, tuple(pending), (onward, judged), statement.span))
            judging = (
                replace(statement, attributes=(*statement.attributes, Attribute(ALONE))),
                Assume(terms.false, statement.span),
            )
            blocks.append(Block(judged, judging, (), statement.span))
            label, pending = onward, []
        blocks.append(Block(label, tuple(pending), block.successors, block.span))
    return replace(procedure, blocks=tuple(blocks))
