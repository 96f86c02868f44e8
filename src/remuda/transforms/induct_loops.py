"""Prove loops by k-induction: a property that holds in the first k iterations, and in each iteration after k
iterations in which it holds, holds in all.

before:  ...; goto H;  H: goto B, D;  B: assert p; T; goto H;  D: ...                       (k = 1)
after:   ...; goto H$first1;  H$first1: goto B$first1, D;  B$first1: assert p; T; goto H$any;
         H$any: havoc what the loop changes; goto H$before1;
         H$before1: goto B$before1;  B$before1: assume p; T; goto H;
         H: goto B, D;  B: assert p; T; assume false;  D: ...

An execution with n iterations takes the first copies if n <= k. Otherwise, the havoc stands for the first n - k, the
next k are the copies that assume, and the last one, which may leave the loop or fail, is the loop's own code. So the
program has more executions than before, and no loops; proofs of it hold for the original. With k = 0, a loop is one
iteration from any state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.analysis.loops import Loop, find_loops
from remuda.analysis.modifies import modified_globals
from remuda.base.names import FreshNames
from remuda.ir.edit import cut_jumps, variables_of_blocks
from remuda.ir.passes import PassResult, Trust, unchanged
from remuda.ir.program import SUCCEEDS, Assert, Assume, Attribute, Block, Call, Havoc

if TYPE_CHECKING:
    from remuda.ir.program import Procedure, Program, Statement
    from remuda.terms.symbols import Variable

MOST_BLOCKS: Final = 4000  # of a procedure; loops beyond that stay


@final
@dataclass(frozen=True, slots=True)
class InductLoops:
    """The pass. The program must be reducible. Traces of the result are not traces of the original."""

    name: ClassVar[str] = "induct-loops"
    depth: int = 1

    def apply(self, program: Program) -> PassResult:
        modified = modified_globals(program)
        procedures = {
            name: self._induct(program, procedure, modified) if procedure.blocks else procedure
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged, Trust(bugs=False))

    def _induct(
        self, program: Program, procedure: Procedure, modified: Mapping[str, tuple[Variable, ...]]
    ) -> Procedure:
        loops = find_loops(procedure).loops
        while loops:
            innermost = max(loops, key=lambda loop: loop.depth)
            copies = 2 * self.depth * len(innermost.blocks)
            if len(procedure.blocks or ()) + copies > MOST_BLOCKS:
                break
            procedure = _Induction(program, procedure, innermost, modified, self.depth).run()
            loops = find_loops(procedure).loops
        return procedure


@final
class _Induction:
    """The rewriting of one loop without inner loops."""

    def __init__(
        self,
        program: Program,
        procedure: Procedure,
        loop: Loop,
        modified: Mapping[str, tuple[Variable, ...]],
        depth: int,
    ) -> None:
        self._program = program
        self._procedure = procedure
        self._loop = loop
        self._modified = modified
        self._depth = depth
        self._code = {block.label: block for block in procedure.blocks or ()}
        self._fresh = FreshNames(self._code)
        self._inside = frozenset(loop.blocks)

    def run(self) -> Procedure:
        header = self._loop.header
        anything = self._fresh.make(f"{header}$any")
        first = [self._names(f"$first{number + 1}") for number in range(self._depth)]
        before = [self._names(f"$before{number + 1}") for number in range(self._depth)]
        firsts = [*(each[header] for each in first), anything]
        befores = [*(each[header] for each in before), header]
        copies: list[Block] = []
        for names, back in zip(first, firsts[1:], strict=True):
            copies += [self._copied(self._code[label], names, back) for label in self._loop.blocks]
        copies.append(Block(anything, self._havoc(), (befores[0],), self._code[header].span))
        for names, back in zip(before, befores[1:], strict=True):
            copies += [self._assumed(self._code[label], names, back) for label in self._loop.blocks]
        blocks: list[Block] = []
        for label, block in self._code.items():
            if label in self._inside:
                last = cut_jumps(self._program.terms, block, lambda target: target != header)
                blocks += [*(copies if label == header else ()), last]
            else:
                ways = tuple(firsts[0] if target == header else target for target in block.successors)
                blocks.append(replace(block, successors=ways))
        if blocks[0].label != next(iter(self._code)):  # a procedure that begins with the loop
            blocks.insert(0, Block(self._fresh.make("$start"), (), (firsts[0],), self._procedure.span))
        return replace(self._procedure, blocks=tuple(blocks))

    def _names(self, ending: str) -> dict[str, str]:
        return {label: self._fresh.make(f"{label}{ending}") for label in self._loop.blocks}

    def _copied(self, block: Block, names: Mapping[str, str], back: str) -> Block:
        """A block of an iteration, whose next one begins at `back`."""
        ways = tuple(back if each == self._loop.header else names.get(each, each) for each in block.successors)
        return replace(block, label=names[block.label], successors=ways)

    def _assumed(self, block: Block, names: Mapping[str, str], back: str) -> Block:
        """The same for a complete iteration in which nothing fails."""
        kept = cut_jumps(self._program.terms, block, self._inside.__contains__)
        statements = tuple(_succeeding(each) for each in kept.statements)
        return self._copied(replace(kept, statements=statements), names, back)

    def _havoc(self) -> tuple[Statement, ...]:
        inside = [self._code[label] for label in self._loop.blocks]
        span = inside[0].span
        _, changed = variables_of_blocks(inside)
        calls = [each for block in inside for each in block.statements if isinstance(each, Call)]
        changed.update(variable for call in calls for variable in self._modified[call.procedure])
        variables = tuple(sorted(changed, key=lambda variable: variable.name))
        return (Havoc(variables, span),) if variables else ()  # a `where` clause does not apply to assigned values


def _succeeding(statement: Statement) -> Statement:
    if isinstance(statement, Assert):
        return Assume(statement.condition, statement.span)
    if isinstance(statement, Call):
        return replace(statement, attributes=(*statement.attributes, Attribute(SUCCEEDS)))
    return statement
