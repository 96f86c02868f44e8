"""Cut loops at their heads: after any number of iterations, only the invariants are known.

before:  H: assert I; S; goto B, D;      B: ... goto H;      D: ...
after:   H: assert I; goto H$any;        H$any: havoc what the loop changes; assume I; S; goto B, D;
         B: ... goto H$again;            H$again: assert I; assume false;

The assertions and assumptions that a head begins with are its invariants. Nothing else is assumed there: iterations may
assign values for which `where` clauses do not hold. The program has more executions than
before, and no cycles; proofs of it hold for the original, as in modular verifiers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, ClassVar, final

from remuda.analysis.loops import Loop, find_loops
from remuda.analysis.modifies import modified_globals
from remuda.base.names import FreshNames
from remuda.ir.edit import variables_of_blocks
from remuda.ir.passes import PassResult, Trust, unchanged
from remuda.ir.program import Assert, Assume, Block, Call, Havoc, Procedure, Program, Statement

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable


@final
@dataclass(frozen=True, slots=True)
class CutLoops:
    """The pass. Loops become straight code with havocs. The program must be reducible. Its traces are not traces of
    the original."""

    name: ClassVar[str] = "cut-loops"

    def apply(self, program: Program) -> PassResult:
        modified = modified_globals(program)
        procedures = {
            name: _cut(program, procedure, modified) if procedure.blocks else procedure
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged, Trust(bugs=False))


def _cut(program: Program, procedure: Procedure, modified: Mapping[str, tuple[Variable, ...]]) -> Procedure:
    loops = {loop.header: loop for loop in find_loops(procedure).loops}
    if not loops:
        return procedure
    original = {block.label: block for block in procedure.blocks or ()}
    fresh = FreshNames(original)
    again = {header: fresh.make(f"{header}$again") for header in loops}
    blocks: list[Block] = []
    for block in procedure.blocks or ():
        jumps = tuple(
            again[label] if label in loops and block.label in loops[label].sources else label
            for label in block.successors
        )
        block = replace(block, successors=jumps)
        loop = loops.get(block.label)
        if loop is None:
            blocks.append(block)
            continue
        invariants = [
            each for each in takewhile(_is_condition, block.statements) if isinstance(each, Assert | Assume)
        ]
        anything = fresh.make(f"{block.label}$any")
        blocks.append(replace(block, statements=tuple(invariants), successors=(anything,)))
        changed = _changed(loop, original, modified)
        assumed = [Assume(each.condition, each.span) for each in invariants]
        rest = block.statements[len(invariants) :]
        havoc: list[Statement] = [Havoc(changed, block.span)] if changed else []
        blocks.append(Block(anything, (*havoc, *assumed, *rest), block.successors, block.span))
        end = (*invariants, Assume(program.terms.false, block.span))
        blocks.append(Block(again[block.label], end, (), block.span))
    return replace(procedure, blocks=tuple(blocks))


def _is_condition(statement: Statement) -> bool:
    return isinstance(statement, Assert | Assume)


def _changed(
    loop: Loop, blocks: Mapping[str, Block], modified: Mapping[str, tuple[Variable, ...]]
) -> tuple[Variable, ...]:
    inside = [blocks[label] for label in loop.blocks]
    _, changed = variables_of_blocks(inside)
    for block in inside:
        for statement in block.statements:
            if isinstance(statement, Call):
                changed.update(modified[statement.procedure])
    return tuple(sorted(changed, key=lambda variable: variable.name))
