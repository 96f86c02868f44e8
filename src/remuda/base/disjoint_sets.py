"""Which things belong together, where that is learned pair by pair (union-find)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar, final

Item = TypeVar("Item", bound=Hashable)


@final
class DisjointSets(Generic[Item]):
    """Every item is alone until it is united with others. Nearly constant time for each step."""

    def __init__(self) -> None:
        self._parents: dict[Item, Item] = {}

    def find(self, item: Item) -> Item:
        """The item that stands for all that this one belongs together with."""
        root = item
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        while item != root:  # the way is shorter next time
            item, self._parents[item] = self._parents.get(item, item), root
        return root

    def unite(self, left: Item, right: Item) -> None:
        one, other = self.find(left), self.find(right)
        if one != other:
            self._parents[one] = other
