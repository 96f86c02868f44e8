"""Every way to search for which verdicts must stay the same: engines, merging strategies, searches, inlining.

    dag-random-under, dag-optimal-all, stratified-mixed, ...

There are too many for every program in the fast run, so that programs take turns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from remuda.options import MERGES, SEARCHES

if TYPE_CHECKING:
    from remuda.options import Options


@final
@dataclass(frozen=True, slots=True)
class Configuration:
    """A way to search. `inline` "all" leaves nothing to search for, so that `search` plays no part in it."""

    engine: str
    merge: str = "first"
    search: str = "over"
    inline: str = "lazy"

    @property
    def name(self) -> str:
        parts = [self.engine] if self.engine != "dag" else [self.engine, self.merge]
        return "-".join([*parts, "all" if self.inline == "all" else self.search])

    def options(self, base: Options) -> Options:
        return replace(base, engine=self.engine, merge=self.merge, search=self.search, inline=self.inline)


CONFIGURATIONS: Final = (
    *(Configuration("dag", merge, search) for search in SEARCHES[1:] for merge in MERGES),
    *(Configuration("dag", merge, inline="all") for merge in MERGES),
    *(Configuration("stratified", search=search) for search in SEARCHES[2:]),
)


def in_turn(turn: int, count: int) -> list[Configuration]:
    """Some configurations; as turns go on, all get the same number of them."""
    return [CONFIGURATIONS[(turn * count + index) % len(CONFIGURATIONS)] for index in range(count)]
