"""Unique names, and lists of names in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_NAMED: Final = 8


@final
class FreshNames:
    """Makes names that differ from all names taken and from each other."""

    __slots__ = ("_counts", "_taken")

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._counts: dict[str, int] = {}

    def make(self, wish: str) -> str:
        """`wish` itself if it is free, else `wish` with a number."""
        name = wish
        while name in self._taken:
            self._counts[wish] = self._counts.get(wish, 0) + 1
            name = f"{wish}.{self._counts[wish]}"
        self._taken.add(name)
        return name


def some_of(names: Sequence[str], otherwise: str) -> str:
    """The first few names, for a message; `otherwise` if there are no names."""
    more = ", ..." if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}" if names else otherwise
