"""How far a running verification is: what a progress line shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot, sent now and then while searches run; `doing` says what goes on before or after them. `strategies` are
    those that run at the moment, if there are several processes; `decided` of `assertions` have their last verdict then."""

    bound: int = 0
    instances: int = 0
    open_calls: int = 0
    solver_calls: int = 0
    seconds: float = 0.0
    doing: str = ""
    strategies: tuple[str, ...] = ()
    decided: int = 0
    assertions: int = 0
