"""The loops of a procedure: natural loops with their nesting, and cycles that are not natural loops.

    entry -> head;  head -> body, done;  body -> head
    one loop: header head, blocks head body, back edge from body, exit head -> done

A cycle that can be entered at two or more blocks has no header. Such cycles are irreducible regions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.analysis.controlflow import ControlFlow, control_flow
from remuda.base.graph import components
from remuda.ir.program import Assume

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from remuda.ir.program import Block, Procedure

Edge = tuple[str, str]


@final
@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop. Back edges to one header make one loop.

    `blocks` begin with the header and are in the procedure's reverse postorder. `parent` is the header of the
    next loop outwards; `depth` is 1 for an outermost loop.
    """

    procedure: str
    header: str
    blocks: tuple[str, ...]
    sources: tuple[str, ...]  # of the back edges
    exits: tuple[Edge, ...]
    parent: str | None
    depth: int

    @property
    def name(self) -> str:
        """The name of the loop for users."""
        return f"{self.procedure}/{self.header}"


@final
@dataclass(frozen=True, slots=True)
class IrreducibleRegion:
    """Blocks that form cycles with more than one entry, with all loops inside them.

    `retreating` are the edges within it that go against the reverse postorder: cutting them cuts its cycles.
    """

    procedure: str
    blocks: tuple[str, ...]
    entries: tuple[str, ...]
    retreating: tuple[Edge, ...]

    @property
    def name(self) -> str:
        return f"{self.procedure}/{self.blocks[0]}"


@final
@dataclass(frozen=True, slots=True)
class Loops:
    """All cycles of a procedure. `loops` are ordered by header in reverse postorder, so outer before inner."""

    procedure: str
    loops: tuple[Loop, ...]
    irreducible: tuple[IrreducibleRegion, ...]
    innermost: Mapping[str, Loop]  # by label; blocks outside all loops are missing

    @property
    def is_reducible(self) -> bool:
        return not self.irreducible


def stops_here(block: Block) -> bool:
    """Whether no execution continues after a block, and none returns from it: `assume false`."""
    return not block.successors and any(
        isinstance(each, Assume) and each.condition.op == "bool" and each.condition.payload is False
        for each in block.statements
    )


def why_not_local(loop: Loop, blocks: Mapping[str, Block]) -> str:
    """The reason why a loop is not local; empty if it is local: entered at its head only, like all natural loops, and
    left there only.

    Executions that end in the loop do not leave it.
    """
    for source, target in loop.exits:
        if source != loop.header and not stops_here(blocks[target]):
            statements = (*blocks[source].statements[-1:], *blocks[target].statements[:1])
            place = statements[-1] if statements else blocks[source]
            return f"left at line {place.span.line}, not only at its head"
    return ""


def find_loops(procedure: Procedure, flow: ControlFlow | None = None) -> Loops:
    """The loops of a procedure with a body."""
    flow = flow or control_flow(procedure)
    back_edges: dict[str, list[str]] = {}
    irregular: list[Edge] = []
    for source, target in flow.retreating_edges():
        if flow.dominates(target, source):
            back_edges.setdefault(target, []).append(source)
        else:
            irregular.append((source, target))
    bodies = {header: _body(flow, header, sources) for header, sources in back_edges.items()}
    loops = _nest(procedure.name, flow, bodies, back_edges)
    regions = _irreducible_regions(procedure.name, flow, irregular) if irregular else ()
    return Loops(procedure.name, tuple(loops.values()), regions, _innermost(loops.values()))


def _body(flow: ControlFlow, header: str, sources: Sequence[str]) -> tuple[str, ...]:
    """The header and all blocks that reach a back edge without passing the header."""
    found = {header}
    stack = list(sources)
    while stack:
        label = stack.pop()
        if label not in found:
            found.add(label)
            stack.extend(flow.predecessors[label])
    return tuple(sorted(found, key=flow.position.__getitem__))


def _nest(
    procedure: str, flow: ControlFlow, bodies: Mapping[str, tuple[str, ...]], back_edges: Mapping[str, Sequence[str]]
) -> dict[str, Loop]:
    """The loops by header. Two natural loops are disjoint or one is inside the other, whose body is greater."""
    innermost: dict[str, str] = {}
    found: dict[str, Loop] = {}
    for header in sorted(bodies, key=lambda header: -len(bodies[header])):
        blocks = bodies[header]
        parent = innermost.get(header)
        innermost.update(dict.fromkeys(blocks, header))
        depth = found[parent].depth + 1 if parent is not None else 1
        exits = _exits(flow, blocks)
        found[header] = Loop(procedure, header, blocks, tuple(back_edges[header]), exits, parent, depth)
    return {header: found[header] for header in bodies}


def _exits(flow: ControlFlow, blocks: Sequence[str]) -> tuple[Edge, ...]:
    inside = set(blocks)
    return tuple((label, target) for label in blocks for target in flow.successors[label] if target not in inside)


def _innermost(loops: Iterable[Loop]) -> dict[str, Loop]:
    outer_first = sorted(loops, key=lambda loop: loop.depth)
    return {label: loop for loop in outer_first for label in loop.blocks}


def _irreducible_regions(
    procedure: str, flow: ControlFlow, irregular: Sequence[Edge]
) -> tuple[IrreducibleRegion, ...]:
    """The outermost cycles with several entries: for a cycle with one entry, those inside it without the entry."""
    regions = []
    work = [flow.order]
    while work:
        for cycle in _cycles(flow, work.pop()):
            entries = _entries(flow, cycle)
            if len(entries) > 1:
                inside = set(cycle)
                retreating = tuple(edge for edge in irregular if edge[0] in inside and edge[1] in inside)
                regions.append(IrreducibleRegion(procedure, cycle, entries, retreating))
            else:
                work.append(tuple(label for label in cycle if label not in entries))
    return tuple(sorted(regions, key=lambda region: flow.position[region.blocks[0]]))


def _cycles(flow: ControlFlow, labels: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The strongly connected components of more than one block among the given blocks, in reverse postorder."""
    inside = set(labels)
    successors = {label: [target for target in flow.successors[label] if target in inside] for label in labels}
    for component in components(successors):
        if len(component) > 1:
            yield tuple(sorted(component, key=flow.position.__getitem__))


def _entries(flow: ControlFlow, cycle: Sequence[str]) -> tuple[str, ...]:
    inside = set(cycle)
    return tuple(
        label
        for label in cycle
        if label == flow.entry or any(source not in inside for source in flow.predecessors[label])
    )
