"""A partition of items into sets, which are united pair by pair (union-find)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar, final

Item = TypeVar("Item", bound=Hashable)


@final
class DisjointSets(Generic[Item]):
    """Disjoint sets: every item is alone until it is united with others. Each step takes nearly constant time."""

    def __init__(self) -> None:
        self._parents: dict[Item, Item] = {}

    def find(self, item: Item) -> Item:
        """The representative of the set that contains an item."""
        root = item
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        while item != root:  # shortens the path for the next search
            item, self._parents[item] = self._parents.get(item, item), root
        return root

    def unite(self, left: Item, right: Item) -> None:
        one, other = self.find(left), self.find(right)
        if one != other:
            self._parents[one] = other
