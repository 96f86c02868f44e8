"""Procedure instances and the calls between them: a tree, or a DAG where instances are shared.

Two calls may lead to one instance if no execution makes both (Lal and Qadeer, "DAG Inlining", PLDI 2015, sections 3.2
and 3.3). On the paths back from an instance to the entry, every call excludes the nodes that are reachable from other
calls which the same execution may make:

    outside(n) = ancestors of n  +  everything below calls that conflict with a call on some path to n

and a call in `n` may lead to `m` if nothing below `m` (with `m` itself) is outside `n`, or below a call in `n` that
conflicts. That is the paper's Alg. 1 for the one new edge: the graph without it is already consistent. Sets of nodes
are bit sets.

This module is independent of solvers.
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
        """A new node without callers."""
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
        """Let a call lead to a node, without updating `below`. After all calls of the caller, call `spread` once."""
        caller.callees[call] = callee
        callee.callers.append((caller, call))
        caller.below |= callee.below

    def spread(self, caller: Node[Key]) -> None:
        """Add the nodes below a node to those below its ancestors."""
        below = caller.below
        for node in ancestors(caller):
            node.below |= below

    def compatible(self, caller: Node[Key], call: int, key: Key) -> list[Node[Key]]:
        """The nodes that a call may lead to without making the DAG inconsistent, oldest first."""
        if key not in self._by_key:
            return []
        return self.apart(key, self.outside(caller) | conflicting(caller, call))

    def apart(self, key: Key, excluded: int) -> list[Node[Key]]:
        """The nodes with a key and without excluded nodes below them, oldest first."""
        return [node for node in self._by_key.get(key, ()) if not node.below & excluded]

    def outside(self, caller: Node[Key]) -> int:
        """The node, and the nodes that are not below it but may be entered by an execution that enters it."""
        outside = 0
        for node in ancestors(caller):
            outside |= node.bit
            for above, index in node.callers:
                outside |= conflicting(above, index)
        return outside

    def tree_size(self) -> int:
        """The number of nodes if none was shared."""
        return sum(self.contexts())

    def contexts(self) -> list[int]:
        """For each node, the number of its copies if none was shared: the number of paths from nodes without
        callers."""
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
    """The nodes below the calls that an execution of the node may make in addition to `call`."""
    mask = node.conflicts[call]
    found = 0
    for other, callee in node.callees.items():
        if mask >> other & 1:
            found |= callee.below
    return found


def ancestors(node: Node[Key]) -> list[Node[Key]]:
    """The node and all nodes that lead to it."""
    seen = node.bit
    found = [node]
    for current in found:  # the list grows during the iteration
        for caller, _ in current.callers:
            if not seen >> caller.number & 1:
                seen |= caller.bit
                found.append(caller)
    return found
