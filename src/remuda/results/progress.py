"""How far a running verification is: what a progress line shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot, sent now and then while the search runs; `doing` says what goes on before or after it."""

    bound: int = 0
    instances: int = 0
    open_calls: int = 0
    solver_calls: int = 0
    seconds: float = 0.0
    doing: str = ""
