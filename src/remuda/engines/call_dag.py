"""Procedure instances and the calls between them: a tree, or a DAG where instances are shared.

Two calls may lead to one instance if no execution goes through both (Lal and Qadeer, "DAG Inlining", PLDI 2015,
sections 3.2 and 3.3). Walking back from an instance to the entry, every call on the way rules out what can be
reached from the calls that the same execution may make besides it:

    outside(n) = ancestors of n  +  everything below calls that conflict with a call on some path to n

and a call in `n` may lead to `m` if nothing below `m` (with `m` itself) is outside `n`, or below a call in `n` that
conflicts. That is the paper's Alg. 1 for the one edge being added: the graph without it is consistent already. Sets of
nodes are bit sets.

Nothing here knows of solvers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar, final

Key = TypeVar("Key", bound=Hashable)


@final
@dataclass(slots=True, eq=False)
class Node(Generic[Key]):
    """An instance. Nodes with different keys are never shared.

    `conflicts[i]` is the bit set of the calls that an execution of the body which makes call i may make too.
    `below` is the bit set of the nodes reachable from this one, itself included.
    """

    number: int
    key: Key
    conflicts: Sequence[int]
    callers: list[tuple[Node[Key], int]] = field(default_factory=list)
    callees: dict[int, Node[Key]] = field(default_factory=dict)
    below: int = 0

    @property
    def bit(self) -> int:
        return 1 << self.number


@final
class CallDag(Generic[Key]):
    """A consistent DAG: no execution enters a node twice."""

    def __init__(self) -> None:
        self.nodes: list[Node[Key]] = []
        self._by_key: dict[Key, list[Node[Key]]] = {}

    def add(self, key: Key, conflicts: Sequence[int]) -> Node[Key]:
        """A new node, not yet called from anywhere."""
        node = Node(len(self.nodes), key, conflicts)
        node.below = node.bit
        self.nodes.append(node)
        self._by_key.setdefault(key, []).append(node)
        return node

    def connect(self, caller: Node[Key], call: int, callee: Node[Key]) -> None:
        """Let a call lead to a node."""
        self.attach(caller, call, callee)
        self.spread(caller)

    def attach(self, caller: Node[Key], call: int, callee: Node[Key]) -> None:
        """Let a call lead to a node; whoever connects all calls of the caller together ends with one `spread`."""
        caller.callees[call] = callee
        callee.callers.append((caller, call))
        caller.below |= callee.below

    def spread(self, caller: Node[Key]) -> None:
        """What is below a node is below all that lead to it."""
        below = caller.below
        for node in ancestors(caller):
            node.below |= below

    def compatible(self, caller: Node[Key], call: int, key: Key) -> list[Node[Key]]:
        """The nodes that a call may lead to so that the DAG stays consistent, oldest first."""
        if key not in self._by_key:
            return []
        return self.apart(key, self.outside(caller) | conflicting(caller, call))

    def apart(self, key: Key, excluded: int) -> list[Node[Key]]:
        """The nodes with a key and nothing excluded below them, oldest first."""
        return [node for node in self._by_key.get(key, ()) if not node.below & excluded]

    def outside(self, caller: Node[Key]) -> int:
        """The node, and what may be entered besides it and all below it on an execution that enters it."""
        outside = 0
        for node in ancestors(caller):
            outside |= node.bit
            for above, index in node.callers:
                outside |= conflicting(above, index)
        return outside

    def tree_size(self) -> int:
        """How many nodes there were if none was shared."""
        return sum(self.contexts())

    def contexts(self) -> list[int]:
        """For each node, how many there were if none was shared: the number of paths from nodes without callers."""
        paths = [1] * len(self.nodes)
        for node in self.top_down():
            if node.callers:
                paths[node.number] = sum(paths[caller.number] for caller, _ in node.callers)
        return paths

    def top_down(self) -> Iterator[Node[Key]]:
        """All nodes, callers before callees."""
        missing = [len(node.callers) for node in self.nodes]
        ready = [node for node in self.nodes if not node.callers]
        while ready:
            node = ready.pop()
            yield node
            for callee in node.callees.values():
                missing[callee.number] -= 1
                if not missing[callee.number]:
                    ready.append(callee)


def conflicting(node: Node[Key], call: int) -> int:
    """Everything below the calls that an execution of the node which makes `call` may make too."""
    mask = node.conflicts[call]
    found = 0
    for other, callee in node.callees.items():
        if mask >> other & 1:
            found |= callee.below
    return found


def ancestors(node: Node[Key]) -> list[Node[Key]]:
    """The node and everything that leads to it."""
    seen = node.bit
    found = [node]
    for current in found:  # grows while it is walked
        for caller, _ in current.callers:
            if not seen >> caller.number & 1:
                seen |= caller.bit
                found.append(caller)
    return found
