"""The progress of a running verification, which a progress line shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot, sent repeatedly while searches run; `doing` describes the work before or after them. `strategies`
    are those that run at the moment, if there are several processes; `decided` of the `assertions` have their final
    verdict then."""

    bound: int = 0
    instances: int = 0
    open_calls: int = 0
    solver_calls: int = 0
    seconds: float = 0.0
    doing: str = ""
    strategies: tuple[str, ...] = ()
    decided: int = 0
    assertions: int = 0
