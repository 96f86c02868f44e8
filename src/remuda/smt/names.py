"""Names for a solver's symbols: readable, and never used twice."""

from __future__ import annotations

from typing import final


@final
class UniqueNames:
    """Gives each request its own name: the wanted one, or `wanted!serial` if that is taken.

    before: x, x, y, x!1      after: x, x!1, y, x$1

    A name holds at most one `!`, so solvers may use names with two of them for their own constants.
    """

    __slots__ = ("_taken",)

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        wanted = wanted.replace("!", "$")
        serial = self._taken.get(wanted, 0)
        self._taken[wanted] = serial + 1
        return f"{wanted}!{serial}" if serial else wanted
