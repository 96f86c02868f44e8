"""The ways in which an execution ends, and their causes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from remuda.base.source import Span

ANY_RESULT: Final = "may return anything: it has no body"  # of a function that gives inputs


class End(Enum):
    """The ways in which an execution ends."""

    FAILED = "failed"  # an assertion does not hold, or an error function or label is reached
    ASSUMED = "assumed"  # an assumption does not hold: this is no execution of the program
    EXITED = "exited"
    UNDEFINED = "undefined"  # the program has undefined behaviour
    LIMIT = "limit"  # too many steps, or too much memory
    NOT_MODELLED = "not modelled"
    NO_INPUT = "no input"  # a question of the program has no answer


class Cause(Enum):
    """The kinds of undefined behaviour, named as `--check` names them."""

    BOUNDS = "bounds"
    POINTER = "pointer"  # null, dangling or invalid; also a wrong `free` and a call of something that is no function
    DIVISION = "div"
    OVERFLOW = "overflow"
    SHIFT = "shift"
    CONVERSION = "conversion"  # a float that does not fit into an integer
    LOSS = "loss"  # an integer that does not fit into its new type or bit-field; C defines the result
    LEAK = "leak"
    OTHER = "other"


@final
@dataclass(frozen=True, slots=True)
class Open:
    """Something that C leaves open, and the choice that the execution has made."""

    span: Span
    text: str

    def __str__(self) -> str:
        return f"{self.text} ({self.span})"


@final
@dataclass(frozen=True, slots=True)
class ExecutionOutcome:
    """How an execution ended. `text` describes it, `code` is the exit code of the program."""

    end: End
    span: Span | None
    text: str
    cause: Cause | None = None
    code: int = 0
    opens: tuple[Open, ...] = ()
    failures: tuple[tuple[Span, str], ...] = ()  # of assertions that did not end the execution
    steps: int = 0

    def __str__(self) -> str:
        return f"{self.text} at {self.span}" if self.span is not None else self.text


class Stop(Exception):
    """Raised where an execution ends."""

    def __init__(self, end: End, span: Span | None, text: str, cause: Cause | None = None, code: int = 0) -> None:
        self.end = end
        self.span = span
        self.text = text
        self.cause = cause
        self.code = code
        super().__init__(text)


def undefined(cause: Cause, span: Span, text: str) -> Stop:
    return Stop(End.UNDEFINED, span, text, cause)


def not_modelled(span: Span, construct: str) -> Stop:
    return Stop(End.NOT_MODELLED, span, construct)
