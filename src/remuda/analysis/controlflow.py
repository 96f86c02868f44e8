"""The control flow of one procedure: order, predecessors, dominators.

Only blocks that the entry reaches take part.

    entry -> a, b;  a -> end;  b -> end        order: entry a b end       dominator of end: entry
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.base.graph import reverse_postorder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.ir.program import Block, Procedure


@final
@dataclass(frozen=True, slots=True, eq=False)
class ControlFlow:
    """The reachable blocks of a procedure and how control passes between them.

    `order` is a reverse postorder: without loops, a topological one, and in any case dominators come before
    what they dominate. A successor that a `goto` names twice is there once. `dominators` maps a label to its
    immediate dominator, the entry to None. `intervals` numbers the dominator tree (first and last visit).
    """

    entry: str
    order: tuple[str, ...]
    position: Mapping[str, int]
    successors: Mapping[str, tuple[str, ...]]
    predecessors: Mapping[str, tuple[str, ...]]
    dominators: Mapping[str, str | None]
    intervals: Mapping[str, tuple[int, int]]

    def dominates(self, above: str, below: str) -> bool:
        """Whether every path from the entry to `below` passes `above` (a block dominates itself)."""
        first, last = self.intervals[above]
        return first <= self.intervals[below][0] <= last

    def retreating_edges(self) -> list[tuple[str, str]]:
        """Edges that go backwards in `order`: every cycle has one. In order of their targets, then sources."""
        position = self.position
        return [
            (source, target)
            for target in self.order
            for source in self.predecessors[target]
            if position[source] >= position[target]
        ]

    @property
    def is_acyclic(self) -> bool:
        return not self.retreating_edges()


def control_flow(procedure: Procedure) -> ControlFlow:
    """The control flow of a procedure with a body."""
    assert procedure.blocks, f"{procedure.name} has no body"
    return control_flow_of_blocks(procedure.blocks)


def control_flow_of_blocks(blocks: Sequence[Block]) -> ControlFlow:
    """The control flow of blocks of which the first is the entry."""
    entry = blocks[0].label
    targets = {block.label: tuple(dict.fromkeys(block.successors)) for block in blocks}
    order = reverse_postorder(entry, targets)
    predecessors: dict[str, list[str]] = {label: [] for label in order}
    for label in order:
        for target in targets[label]:
            predecessors[target].append(label)
    position = {label: index for index, label in enumerate(order)}
    parents = _immediate_dominators([[position[label] for label in predecessors[target]] for target in order])
    return ControlFlow(
        entry,
        tuple(order),
        position,
        {label: targets[label] for label in order},
        {label: tuple(found) for label, found in predecessors.items()},
        {label: order[parents[index]] if index else None for index, label in enumerate(order)},
        dict(zip(order, _intervals(parents), strict=True)),
    )


def _immediate_dominators(predecessors: Sequence[Sequence[int]]) -> list[int]:
    """Cooper, Harvey and Kennedy's algorithm on blocks numbered in reverse postorder; the entry's is itself."""
    unknown = -1
    parents = [unknown] * len(predecessors)
    parents[0] = 0
    changed = True
    while changed:
        changed = False
        for index in range(1, len(predecessors)):
            parent = unknown
            for predecessor in predecessors[index]:
                if parents[predecessor] != unknown:
                    parent = predecessor if parent == unknown else _meet(parents, parent, predecessor)
            if parents[index] != parent:
                parents[index] = parent
                changed = True
    return parents


def _meet(parents: Sequence[int], left: int, right: int) -> int:
    """The nearest common ancestor: a dominator always has the smaller number."""
    while left != right:
        if left > right:
            left = parents[left]
        else:
            right = parents[right]
    return left


def _intervals(parents: Sequence[int]) -> list[tuple[int, int]]:
    """For each node of the dominator tree, the range of preorder numbers of its subtree."""
    size = [1] * len(parents)
    for index in range(len(parents) - 1, 0, -1):  # children have greater numbers than parents
        size[parents[index]] += size[index]
    first = [0] * len(parents)
    free = [1] * len(parents)  # the next preorder number for a child
    for index in range(1, len(parents)):
        parent = parents[index]
        first[index] = free[parent]
        free[parent] += size[index]
        free[index] = first[index] + 1
    return [(start, start + length - 1) for start, length in zip(first, size, strict=True)]
