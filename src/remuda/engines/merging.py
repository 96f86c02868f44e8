"""Which of the compatible instances a newly opened call shares (DAG Inlining, section 3.4).

A strategy is a function from a call, given by its instance and index, and the compatible nodes, oldest first and at
least one, to the node to share, or to None for a new instance. `STRATEGIES` is the one place to add another. The
strategy `optimal` is not among them: it needs the whole program, see `optimal.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from remuda.engines.call_dag import Node

NEW_INSTANCE_PROBABILITY: Final = 0.1  # of `random`, though a compatible instance exists


class Strategy(Protocol):
    def __call__(self, caller: Node[Any], call: int, compatible: Sequence[Node[Any]]) -> Node[Any] | None: ...


Choice = Callable[[Sequence["Node[Any]"]], "Node[Any] | None"]


def first(_: random.Random) -> Choice:
    """The oldest one: fast, and in the limit close to the best."""
    return lambda compatible: compatible[0]


def random_pick(source: random.Random) -> Choice:
    """Any of them."""
    return lambda compatible: compatible[source.randrange(len(compatible))]


def random_or_new(source: random.Random) -> Choice:
    """Any of them, or now and then none."""
    pick = random_pick(source)
    return lambda compatible: None if source.random() < NEW_INSTANCE_PROBABILITY else pick(compatible)


def max_descendants(_: random.Random) -> Choice:
    """The one with the most instances below it; of several, the oldest."""
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
