"""Strategies that select the instance that a newly opened call shares (DAG Inlining, section 3.4).

A strategy is a function. It takes a call, given by its instance and index, and the compatible nodes, at least one,
oldest first. It returns the node to share, or None for a new instance. All strategies are in `STRATEGIES`, except
`optimal`, which needs the whole program: see `optimal.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from remuda.engines.call_dag import Node

NEW_INSTANCE_PROBABILITY: Final = 0.1  # of `random`, even if a compatible instance exists


class Strategy(Protocol):
    def __call__(self, caller: Node[Any], call: int, compatible: Sequence[Node[Any]]) -> Node[Any] | None: ...


Choice = Callable[[Sequence["Node[Any]"]], "Node[Any] | None"]


def first(_: random.Random) -> Choice:
    """Select the oldest node. It is fast, and the result is close to the best one."""
    return lambda compatible: compatible[0]


def random_pick(source: random.Random) -> Choice:
    """Select a node at random."""
    return lambda compatible: compatible[source.randrange(len(compatible))]


def random_or_new(source: random.Random) -> Choice:
    """Select a node at random, or sometimes a new instance."""
    pick = random_pick(source)
    return lambda compatible: None if source.random() < NEW_INSTANCE_PROBABILITY else pick(compatible)


def max_descendants(_: random.Random) -> Choice:
    """Select the node with the most instances below it; of several, the oldest."""
    return lambda compatible: max(compatible, key=lambda node: node.below.bit_count())


STRATEGIES: Final[dict[str, Callable[[random.Random], Choice]]] = {
    "first": first,
    "random": random_or_new,
    "random-pick": random_pick,
    "max-descendants": max_descendants,
}


def strategy(name: str, seed: int) -> Strategy:
    choose = STRATEGIES[name](random.Random(seed))
    return lambda caller, call, compatible: choose(compatible)  # noqa: ARG005
