"""Give every cycle one entry, so that it is a natural loop.

before:  u: goto A;   v: goto B;   A: ... goto B;   B: ... goto A;        (a cycle with entries A and B)
after:   one entry becomes the head, here A. A jump from outside to A or B, and one from inside to the head, first notes
         its target and then passes one new block:
         u: goto to.A;   to.A: pick := 0; goto pick;   pick: goto at.A, at.B;   at.A: assume pick == 0; goto A; ...

Jumps from inside note it in blocks of their own, so that the new block is the only entry. Those to other entries do
not change: an iteration then passes the new block once, which is what a bound counts. Cycles without the head are
smaller, and are rewritten next.

Executions stay the same, so unlike with unrolling, proofs stay complete.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, final

from remuda.analysis.bit_programs import SmallNumbers
from remuda.analysis.loops import IrreducibleRegion, find_loops
from remuda.base.graph import components
from remuda.base.names import FreshNames
from remuda.ir.passes import PassResult
from remuda.ir.program import Assign, Assume, Block, Procedure, Program
from remuda.ir.trace import Origins
from remuda.terms.symbols import Variable, VariableKind

MOST_HEADS: Final = 50  # entries of one cycle that are tried as its head


@final
@dataclass(frozen=True, slots=True)
class MakeReducible:
    """The pass."""

    name: ClassVar[str] = "make-reducible"

    def apply(self, program: Program) -> PassResult:
        labels: dict[tuple[str, str], str | None] = {}
        procedures = dict(program.procedures)
        for name, procedure in program.procedures.items():
            if procedure.blocks:
                changed = procedure
                while regions := find_loops(changed).irreducible:
                    changed = _dispatch(program, changed, regions[0], labels)
                procedures[name] = changed
        return PassResult(replace(program, procedures=procedures), Origins(labels).lift)


def _dispatch(
    program: Program,
    procedure: Procedure,
    region: IrreducibleRegion,
    labels: dict[tuple[str, str], str | None],
) -> Procedure:
    """Send the jumps into a region, and those to its head, through one new block."""
    assert procedure.blocks
    fresh = FreshNames(block.label for block in procedure.blocks)
    terms = program.terms
    entries = region.entries or region.blocks[:1]
    numbers = SmallNumbers(program, len(entries))
    head = _head(procedure, region, entries)
    inside = {head: fresh.make(f"again${head}")}
    outside = {label: fresh.make(f"to${label}") for label in entries}
    arrivals = {label: fresh.make(f"at${label}") for label in entries}
    middle = fresh.make(header_of(region))
    pick = Variable(middle, numbers.type, VariableKind.LOCAL)
    span = {block.label: block.span for block in procedure.blocks}
    members = set(region.blocks)
    blocks = [_redirect(block, inside if block.label in members else outside) for block in procedure.blocks]
    if procedure.blocks[0].label in outside:
        start = fresh.make("start$")
        blocks.insert(0, Block(start, (), (outside[procedure.blocks[0].label],), procedure.span))
        labels[procedure.name, start] = None
    blocks.append(Block(middle, (), tuple(arrivals.values()), span[entries[0]]))
    for index, label in enumerate(entries):
        number = numbers.literal(index)
        note = Assign((pick,), (number,), span[label])
        requests = [requests[label] for requests in (inside, outside) if label in requests]
        blocks += [Block(request, (note,), (middle,), span[label]) for request in requests]
        chosen = Assume(terms.eq(terms.var(pick), number), span[label])
        blocks.append(Block(arrivals[label], (chosen,), (label,), span[label]))
    labels.update(
        {(procedure.name, label): None for label in (middle, *inside.values(), *outside.values(), *arrivals.values())}
    )
    return replace(procedure, blocks=tuple(blocks), locals=(*procedure.locals, pick))


def _head(procedure: Procedure, region: IrreducibleRegion, entries: Sequence[str]) -> str:
    """The entry on most cycles: without it, the fewest blocks are still on a cycle."""
    members = set(region.blocks)
    successors = {
        block.label: [label for label in block.successors if label in members]
        for block in procedure.blocks or ()
        if block.label in members
    }

    def still_on_cycles(entry: str) -> int:
        rest = {
            label: [each for each in targets if each != entry]
            for label, targets in successors.items()
            if label != entry
        }
        return sum(len(cycle) for cycle in components(rest) if len(cycle) > 1 or cycle[0] in rest[cycle[0]])

    return min(entries[:MOST_HEADS], key=still_on_cycles)


def header_of(region: IrreducibleRegion) -> str:
    """The label that the region has as a loop."""
    return f"pick${region.blocks[0]}"


def _redirect(block: Block, requests: Mapping[str, str]) -> Block:
    successors: Sequence[str] = [requests.get(label, label) for label in block.successors]
    return replace(block, successors=tuple(successors))
