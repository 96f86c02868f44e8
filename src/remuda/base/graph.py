"""Graph algorithms on plain adjacency mappings, without recursion and with deterministic results.

{"a": ["b"], "b": ["a", "c"], "c": []}   components: ("c",) then ("a", "b")
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reachable(roots: Iterable[Node], successors: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """The nodes that are reachable from the roots, in depth-first preorder."""
    order: dict[Node, None] = {}
    stack = list(roots)[::-1]
    while stack:
        node = stack.pop()
        if node in order:
            continue
        order[node] = None
        stack.extend([successor for successor in reversed(successors[node]) if successor not in order])
    return list(order)


def reverse_postorder(root: Node, successors: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """The nodes reachable from the root so that, cycles aside, every node comes before its successors.

    Successors are walked last to first, so that the first branch of a fork also comes first in the order.
    """
    finished: list[Node] = []
    seen = {root}
    stack = [(root, reversed(successors[root]))]
    while stack:
        node, rest = stack[-1]
        for successor in rest:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, reversed(successors[successor])))
                break
        else:
            stack.pop()
            finished.append(node)
    finished.reverse()
    return finished


def components(successors: Mapping[Node, Sequence[Node]]) -> list[tuple[Node, ...]]:
    """Tarjan's strongly connected components, each after all components that it leads to.

    The nodes of a component are in the order of the mapping.
    """
    position = {node: index for index, node in enumerate(successors)}
    number: dict[Node, int] = {}  # order of discovery
    low: dict[Node, int] = {}  # the earliest node known to be reachable whose component is not complete
    waiting: list[Node] = []  # nodes whose component is not complete, in order of discovery
    complete: set[Node] = set()
    found: list[tuple[Node, ...]] = []
    stack: list[tuple[Node, Iterator[Node]]] = []

    def discover(node: Node) -> None:
        number[node] = low[node] = len(number)
        waiting.append(node)
        stack.append((node, iter(successors[node])))

    def finish(node: Node) -> None:
        if low[node] == number[node]:
            members = _pop_until(waiting, node)
            complete.update(members)
            found.append(tuple(sorted(members, key=position.__getitem__)))
        elif stack:
            caller = stack[-1][0]
            low[caller] = min(low[caller], low[node])

    for root in successors:
        if root not in number:
            discover(root)
        while stack:
            node, rest = stack[-1]
            successor = next(rest, None)
            if successor is None:
                stack.pop()
                finish(node)
            elif successor not in number:
                discover(successor)
            elif successor not in complete:
                low[node] = min(low[node], number[successor])
    return found


def _pop_until(stack: list[Node], last: Node) -> list[Node]:
    """Pop nodes from the stack up to and including `last`, and return them."""
    taken = [stack.pop()]
    while taken[-1] != last:
        taken.append(stack.pop())
    return taken
