"""What is known of implications between assertions: a graph, and how it is read.

An edge leads from a stronger assertion to a weaker one that it implies. Assertions that imply each other are *equivalent*. The
*strongest* are implied by none but their equals, the *weakest* imply none but their equals.
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
    """`edges` are pairs of positions in `nodes`: stronger, weaker. `bound` is the bound that they hold up to, None if they
    hold for every execution. `notes` say what was not looked at."""

    file: str
    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int], ...]
    bound: int | None = None
    steps: int = 0  # of the sequences that were looked at
    pairs: int = 0  # of assertions that are dependent, and near enough
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
        """Equivalent assertions together."""
        return tuple(sorted(tuple(sorted(each)) for each in components(self.weaker)))

    @cached_property
    def strongest(self) -> frozenset[int]:
        return frozenset(range(len(self.nodes))) - frozenset(weaker for _, weaker in self._between_groups)

    @cached_property
    def weakest(self) -> frozenset[int]:
        return frozenset(range(len(self.nodes))) - frozenset(stronger for stronger, _ in self._between_groups)

    @cached_property
    def _between_groups(self) -> list[tuple[int, int]]:
        """All edges of all members of groups, as if every member had those of its equals."""
        members = {number: group for group in self.groups for number in group}
        apart = [(one, other) for one, other in self.edges if members[one] is not members[other]]
        return [(one, other) for a, b in apart for one in members[a] for other in members[b]]

    @cached_property
    def reduced(self) -> tuple[tuple[int, int], ...]:
        """As few edges as tell the same: equivalent assertions in a ring, and no edge that others make up for."""
        first = {number: group[0] for group in self.groups for number in group}
        rings = [
            pair
            for group in self.groups
            if len(group) > 1
            for pair in zip(group, (*group[1:], group[0]), strict=True)
        ]
        direct: dict[int, dict[int, None]] = {group[0]: {} for group in self.groups}
        for stronger, weaker in self.edges:
            if first[stronger] != first[weaker]:
                direct[first[stronger]][first[weaker]] = None
        below = _all_below(direct)
        kept = [
            (stronger, weaker)
            for stronger, targets in direct.items()
            for weaker in targets
            if not any(weaker in below[other] for other in targets if other != weaker)
        ]
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
            "notes": list(self.notes),
            "stats": {
                "steps": self.steps,
                "pairs": self.pairs,
                "solver_calls": self.queries,
                "seconds": round(self.seconds, 6),
            },
        }


def _all_below(direct: Mapping[int, Mapping[int, None]]) -> dict[int, set[int]]:
    """For every node of a graph without cycles, all that it leads to."""
    below: dict[int, set[int]] = {}
    for (node,) in components({node: list(targets) for node, targets in direct.items()}):
        below[node] = set(direct[node]).union(*(below[target] for target in direct[node]))
    return below
