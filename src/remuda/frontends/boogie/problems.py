"""Collects the errors in a program, so that one run reports all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.base.errors import Diagnostic, InputError, Unsupported

if TYPE_CHECKING:
    from remuda.base.source import Span

LIMIT = 50


@final
class Problems:
    """Collects errors (each place and message once), and the first construct that is not modelled."""

    def __init__(self) -> None:
        self._diagnostics: dict[tuple[str, int, str], Diagnostic] = {}
        self._unsupported: Unsupported | None = None

    def report(self, span: Span, message: str) -> None:
        self._diagnostics.setdefault((span.source.name, span.start, message), Diagnostic(span, message))

    def unsupported(self, span: Span, construct: str) -> None:
        if self._unsupported is None:
            self._unsupported = Unsupported(span, construct)

    @property
    def any(self) -> bool:
        return bool(self._diagnostics) or self._unsupported is not None

    def check(self) -> None:
        """Raise the collected errors, or else the first construct that is not modelled."""
        if self._diagnostics:
            raise InputError(list(self._diagnostics.values())[:LIMIT])
        if self._unsupported is not None:
            raise self._unsupported
