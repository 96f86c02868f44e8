"""What strategies find out about a program besides verdicts, as data that other processes can use.

Contracts are written down by the names of what they are about, under a key of the program that they were found for: they
hold for that program, and nothing is said of others. Which globals had to be tracked is a matter of time only, never of
verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, final


@final
@dataclass(frozen=True, slots=True)
class FoundContracts:
    """`program` is the key of the program that they hold for."""

    program: str
    texts: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class FoundTracked:
    """The globals that a search from an entry has had to track."""

    entry: str
    names: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Shared:
    """All that is known: contracts by program, and tracked globals by entry."""

    contracts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tracked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def with_found(self, found: FoundContracts | FoundTracked) -> Shared:
        match found:
            case FoundContracts(program, texts):
                known = {**self.contracts, program: _joined(self.contracts.get(program, ()), texts)}
                return Shared(known, self.tracked)
            case FoundTracked(entry, names):
                return Shared(self.contracts, {**self.tracked, entry: _joined(self.tracked.get(entry, ()), names)})


def _joined(known: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *more)))


NOTHING: Final = Shared()
