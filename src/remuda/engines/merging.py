"""Which of the compatible instances a newly opened call shares (DAG Inlining, section 3.4).

A strategy is a function from the compatible nodes, oldest first and at least one, to the node to share, or to None for
a new instance. `STRATEGIES` is the one place to add another.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from remuda.engines.call_dag import Node

NEW_INSTANCE_PROBABILITY: Final = 0.1  # of `random`, though a compatible instance exists


class Strategy(Protocol):
    def __call__(self, compatible: Sequence[Node[Any]]) -> Node[Any] | None: ...


def first(_: random.Random) -> Strategy:
    """The oldest one: fast, and in the limit close to the best."""
    return lambda compatible: compatible[0]


def random_pick(source: random.Random) -> Strategy:
    """Any of them."""
    return lambda compatible: compatible[source.randrange(len(compatible))]


def random_or_new(source: random.Random) -> Strategy:
    """Any of them, or now and then none."""
    pick = random_pick(source)
    return lambda compatible: None if source.random() < NEW_INSTANCE_PROBABILITY else pick(compatible)


def max_descendants(_: random.Random) -> Strategy:
    """The one with the most instances below it; of several, the oldest."""
    return lambda compatible: max(compatible, key=lambda node: node.below.bit_count())


STRATEGIES: Final[dict[str, Callable[[random.Random], Strategy]]] = {
    "first": first,
    "random": random_or_new,
    "random-pick": random_pick,
    "max-descendants": max_descendants,
}


def strategy(name: str, seed: int) -> Strategy:
    return STRATEGIES[name](random.Random(seed))
