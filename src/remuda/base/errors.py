"""The kinds of errors: one class for each kind of cause.

The library raises no others; the command line turns each into one message and an exit code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from remuda.base.source import Span


class RemudaError(Exception):
    """Root of the errors that Remuda raises on purpose."""


@final
@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message about the user's program, with the place that it refers to."""

    span: Span
    message: str

    def render(self) -> str:
        return f"{self.span}: error: {self.message}\n{self.span.excerpt()}"


@final
class InputError(RemudaError):
    """The user's program is not valid. The diagnostics, one or more, say what is wrong, and where."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(diagnostic.render() for diagnostic in self.diagnostics))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Diagnostic, ...]]]:
        return InputError, (self.diagnostics,)  # the default passes the message, not the parameters


@final
class FileError(RemudaError):
    """An input file cannot be read, or is not text."""


@final
class Unsupported(RemudaError):
    """The program is valid, but uses a construct that is not modelled. Verdicts become `unknown`."""

    def __init__(self, span: Span | None, construct: str) -> None:
        self.span = span
        self.construct = construct
        super().__init__(f"{span}: {construct} is not supported" if span else f"{construct} is not supported")

    def __reduce__(self) -> tuple[type[Unsupported], tuple[Span | None, str]]:
        return Unsupported, (self.span, self.construct)


@final
class UsageError(RemudaError):
    """The command or the options are wrong."""


@final
class ToolError(RemudaError):
    """A solver or another program that Remuda runs failed."""


@final
class InternalError(RemudaError):
    """Remuda broke one of its own rules."""
