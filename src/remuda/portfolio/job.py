"""A job: one strategy for some assertions of a program. It is data, so that it can be done in any process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from remuda.options import Options

SEARCH, WITHOUT_MEMORY, MODULAR = "search", "without memory", "modular"  # kinds of jobs


@final
@dataclass(frozen=True, slots=True)
class Job:
    """`strategy` is the name that reports use. `assertions` are the identifiers to decide; None for all. `choice` is the
    solver to use, by its place among those that suit the program; None lets them take turns. `effort` is what a solver may
    spend (`Solver.effort`) before the last bound."""

    strategy: str
    kind: str
    options: Options
    assertions: frozenset[str] | None = None
    choice: int | None = None
    effort: float | None = None
