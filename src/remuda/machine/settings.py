"""What an execution is given: settings, and answers to what the program asks from outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, final

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.extended import Extended
    from remuda.machine.outcomes import Cause

TEXT: Final = "text"
CHOICE: Final = "choice"
BYTES: Final = "bytes"
PRESENCE: Final = "presence"
CHANGED: Final = "changed"


@final
@dataclass(frozen=True, slots=True)
class Question:
    """What a program asks from outside. `kind` is where it asks: at a call of a function, for the first value of a
    local, a parameter or an extern variable, at a read of volatile or uninitialised memory, in a library function,
    for a text (`TEXT`) that a program is given, and that is chosen to be read as this value, for bytes (`BYTES`) that a
    function writes, as one number with the first byte lowest, where C leaves the implementation a choice
    (`CHOICE`), whether another file defines a weak symbol (`PRESENCE`), or at a read of what a function without a body may
    have changed (`CHANGED`).
    `part` says which part of a record it is about, `offset` which part of an object has changed. If it `is_needed`, the execution cannot go on without an answer."""

    kind: str
    name: str
    span: Span
    type: CType
    part: str = ""
    is_needed: bool = True
    thread: int = 1
    offset: int = 0


class Inputs(Protocol):
    """Answers questions, in the order in which the execution asks them."""

    def answer(self, question: Question) -> int | float | Extended | None:
        """A number (for a pointer, its address), or None if there is none."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to run a program. `tolerated` are kinds of undefined behaviour that have the usual effect (signed numbers
    wrap around) and are only noted. `goes_on` says that an assertion that fails elsewhere than at `watched`, a file and
    a line, does not end the execution; nor does tolerated undefined behaviour, unless it is of one of the kinds
    `watched_causes` and there. `strict_bounds`: even a pointer must not leave its object, nor an index its row.
    `strict_conversions`: integers keep their values in conversions that the program does not write down.
    `strict_pointers`: numbers are no addresses of devices. `library` are functions that mean something: one of
    them that the machine does not know is no input. `only_checks`: assertions do not count, only undefined behaviour does."""

    error_labels: frozenset[str] = frozenset()
    tolerated: frozenset[Cause] = frozenset()
    strict_bounds: bool = False
    strict_conversions: bool = False
    strict_pointers: bool = False
    library: frozenset[str] = frozenset()
    volatile_is_input: bool = True
    only_checks: bool = False
    finds_leaks: bool = False
    goes_on: bool = False
    watched: tuple[str, int] | None = None
    watched_causes: frozenset[Cause] = frozenset()
    most_steps: int = 5_000_000
    most_memory: int = 1 << 28
