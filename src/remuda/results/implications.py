"""The graph of implications between assertions.

An edge leads from a stronger assertion to a weaker one that it implies. Assertions that imply each other are
*equivalent*. The *strongest* are implied only by equivalent ones, and the *weakest* imply only equivalent ones.

    x == 0  ->  x >= 0  ->  x >= -1         strongest: x == 0; weakest: x >= -1
    x == 0  ->  x >= -1                     not in the reduced graph: it follows from the other edges
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from remuda.base.graph import components

if TYPE_CHECKING:
    from remuda.results.report import Location


@final
@dataclass(frozen=True, slots=True)
class Node:
    """An assertion."""

    identifier: str
    procedure: str
    description: str
    location: Location


@final
@dataclass(frozen=True)
class ImplicationGraph:
    """The graph. `edges` are pairs of positions in `nodes`: stronger, weaker. `bound` is the bound up to which they
    hold, None if they hold for every execution. `notes` say what was not examined."""

    file: str
    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int], ...]
    bound: int | None = None
    steps: int = 0  # the steps of the examined sequences
    pairs: int = 0  # the pairs of dependent assertions that are near enough to each other
    queries: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = field(default=())

    @cached_property
    def weaker(self) -> Mapping[int, Sequence[int]]:
        found: dict[int, list[int]] = {number: [] for number in range(len(self.nodes))}
        for stronger, weaker in self.edges:
            found[stronger].append(weaker)
        return found

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The groups of equivalent assertions."""
        return tuple(sorted(tuple(sorted(each)) for each in components(self.weaker)))

    @cached_property
    def first_of(self) -> Mapping[int, int]:
        """For every assertion, the first one of its group, which represents the group."""
        return {number: group[0] for group in self.groups for number in group}

    @cached_property
    def between_groups(self) -> Mapping[int, Sequence[int]]:
        """The edges between the first ones of groups: all members of a group imply the same."""
        found: dict[int, dict[int, None]] = {group[0]: {} for group in self.groups}
        for stronger, weaker in self.edges:
            one, other = self.first_of[stronger], self.first_of[weaker]
            if one != other:
                found[one][other] = None
        return {node: sorted(targets) for node, targets in found.items()}

    @cached_property
    def reduced_between_groups(self) -> Mapping[int, Sequence[int]]:
        """The edges between the first ones of groups, without those that follow from others."""
        below = _all_below(self.between_groups)
        found: dict[int, Sequence[int]] = {}
        for node, targets in self.between_groups.items():
            others = 0
            for target in targets:
                others |= below[target]
            found[node] = [target for target in targets if not others >> target & 1]
        return found

    @cached_property
    def strongest(self) -> frozenset[int]:
        implied = {weaker for targets in self.between_groups.values() for weaker in targets}
        return frozenset(number for number, first in self.first_of.items() if first not in implied)

    @cached_property
    def weakest(self) -> frozenset[int]:
        return frozenset(number for number, first in self.first_of.items() if not self.between_groups[first])

    @cached_property
    def alone(self) -> frozenset[int]:
        """The assertions that imply no other, and are implied by no other."""
        connected = {number for edge in self.edges for number in edge}
        return frozenset(number for number in range(len(self.nodes)) if number not in connected)

    @cached_property
    def equivalent(self) -> frozenset[int]:
        """The assertions that are equivalent to another one."""
        return frozenset(number for group in self.groups if len(group) > 1 for number in group)

    @cached_property
    def reduced(self) -> tuple[tuple[int, int], ...]:
        """The least edges with the same meaning: equivalent assertions form a ring, and no edge follows from
        others."""
        rings = [
            pair
            for group in self.groups
            if len(group) > 1
            for pair in zip(group, (*group[1:], group[0]), strict=True)
        ]
        kept = [(stronger, weaker) for stronger, targets in self.reduced_between_groups.items() for weaker in targets]
        return tuple(sorted((*rings, *kept)))

    def as_json(self) -> dict[str, Any]:
        identifiers = [node.identifier for node in self.nodes]
        return {
            "schema_version": 1,
            "file": self.file,
            "bound": self.bound,
            "assertions": [
                {
                    "id": node.identifier,
                    "procedure": node.procedure,
                    "description": node.description,
                    "location": {
                        "file": node.location.file,
                        "line": node.location.line,
                        "column": node.location.column,
                    },
                    "strongest": number in self.strongest,
                    "weakest": number in self.weakest,
                }
                for number, node in enumerate(self.nodes)
            ],
            "implications": [[identifiers[one], identifiers[other]] for one, other in self.edges],
            "reduced": [[identifiers[one], identifiers[other]] for one, other in self.reduced],
            "equivalent": [[identifiers[number] for number in group] for group in self.groups if len(group) > 1],
            "notes": list(self.notes),
            "stats": {
                "steps": self.steps,
                "pairs": self.pairs,
                "solver_calls": self.queries,
                "seconds": round(self.seconds, 6),
            },
        }


def _all_below(direct: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """For every node of a graph without cycles, the nodes that it leads to, as bits of a number."""
    below: dict[int, int] = {}
    for (node,) in components(direct):
        found = 0
        for target in direct[node]:
            found |= below[target] | 1 << target
        below[node] = found
    return below
