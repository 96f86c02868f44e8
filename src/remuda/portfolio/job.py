"""A job: what one process does for a program. It is data, so that it can be done in any process."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, final

from remuda.portfolio.shared import NOTHING, Shared

if TYPE_CHECKING:
    from remuda.options import Options


class Beliefs(Enum):
    """What the memory model of a C program believes of pointers; assertions check it (`Program.beliefs`)."""

    ARRAYS = "arrays"  # pointers stay in the arrays and objects that they point into
    OBJECTS = "objects"  # they stay in objects
    UNSURE = "unsure"  # the same, but an execution that breaks it makes the assertions after it unknown


@final
@dataclass(frozen=True, slots=True)
class Job:
    """`options` choose the strategies (`portfolio.stages`), and `strategy` is the name that reports give them; empty: the
    engine's. `assertions` are the identifiers to decide; None for all. `choice` is the solver to use, by its place among
    those that suit the program; None lets them take turns. `effort` is what a solver may spend (`Solver.effort`) before
    the last bound. `shared` is what other jobs have found out. `races` says that other jobs run beside this one.
    `executes` says that the job runs the program on random inputs, and does not search."""

    options: Options
    strategy: str = ""
    assertions: frozenset[str] | None = None
    choice: int | None = None
    effort: float | None = None
    beliefs: Beliefs = Beliefs.ARRAYS
    shared: Shared = NOTHING
    races: bool = False
    executes: bool = False
