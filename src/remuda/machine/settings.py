"""The settings of an execution, and the answers to its questions about inputs."""

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
    """A question of a program about an input. `kind` is its place: a call of a function; the first value of a local,
    a parameter or an extern variable; a read of volatile or uninitialised memory; a library function; a text that the
    program gets (`TEXT`), which is chosen such that it is read as this value; bytes that a function writes (`BYTES`),
    as one number with the first byte lowest; a choice that C leaves to the implementation (`CHOICE`); whether another
    file defines a weak symbol (`PRESENCE`); or a read of memory that a function without a body may have changed
    (`CHANGED`). `part` is the part of a record, `offset` the part of an object that has changed. If the answer
    `is_needed`, the execution cannot continue without it."""

    kind: str
    name: str
    span: Span
    type: CType
    part: str = ""
    is_needed: bool = True
    thread: int = 1
    offset: int = 0


class Inputs(Protocol):
    """Answers the questions of an execution, in their order."""

    def answer(self, question: Question) -> int | float | Extended | None:
        """A number (for a pointer, its address), or None if there is none."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to run a program. `tolerated` are kinds of undefined behaviour that have the usual effect (signed numbers
    wrap around) and are only noted. `goes_on` says that an assertion that fails elsewhere than at `watched`, a file
    and a line, does not end the execution; neither does tolerated undefined behaviour, unless it is of one of the
    kinds `watched_causes` and at that line. `strict_bounds`: a pointer must not leave its object, nor an index its
    row, even without an access. `strict_conversions`: implicit conversions must keep the values of integers.
    `strict_pointers`: numbers are no addresses of devices. `library` are the names of library functions: one that the
    machine does not know is not an input. `only_checks`: only undefined behaviour counts, and assertions do not."""

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
