"""The parser's position in the tokens, and its errors so far.

All parts of the parser share one cursor. A construct that does not parse raises `SyntaxFailure`. The part of the
parser that can continue after it catches it, reports it here, and moves the cursor.
"""

from __future__ import annotations

from typing import Final, final

from remuda.base.errors import Diagnostic, Unsupported
from remuda.base.source import Span
from remuda.frontends.boogie.ast import Name
from remuda.frontends.boogie.tokens import END, IDENTIFIER, Tokens

_MOST_REPORTED: Final = 20
_LONGEST_SHOWN: Final = 60


@final
class SyntaxFailure(Exception):
    """The current construct does not parse."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@final
class TooManyFailures(Exception):
    """More errors would not help the user."""


@final
class Cursor:
    """A position in the tokens; `position` is the index of the next token."""

    __slots__ = ("diagnostics", "ends", "kinds", "position", "source", "starts", "texts")

    def __init__(self, tokens: Tokens) -> None:
        self.source = tokens.source
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.position = 0
        self.diagnostics: list[Diagnostic] = []

    @property
    def kind(self) -> str:
        return self.kinds[self.position]

    def is_word(self, word: str) -> bool:
        """Whether the next token is the identifier `word`, which is a keyword only in some positions."""
        return self.kinds[self.position] == IDENTIFIER and self.texts[self.position] == word

    def take(self, kind: str) -> bool:
        """Skip the next token if it has this kind. Returns whether it has."""
        if self.kinds[self.position] != kind:
            return False
        self.position += 1
        return True

    def expect(self, kind: str) -> int:
        """Skip a token, which must have this kind, and return its index."""
        position = self.position
        if self.kinds[position] != kind:
            raise self.failure(f"'{kind}'")
        self.position = position + 1
        return position

    def identifier(self) -> int:
        """Skip an identifier, and return its index."""
        position = self.position
        if self.kinds[position] != IDENTIFIER:
            raise self.failure("an identifier")
        self.position = position + 1
        return position

    def identifiers(self) -> list[int]:
        """Skip `a, b, c`, and return the indices of the identifiers."""
        found = [self.identifier()]
        while self.take(","):
            found.append(self.identifier())
        return found

    def names(self) -> list[Name]:
        """Skip `a, b, c`, and return the names."""
        return [Name(self.starts[token], self.ends[token], self.texts[token]) for token in self.identifiers()]

    def previous_end(self) -> int:
        """The end offset of the token before the next one."""
        return self.ends[self.position - 1]

    def failure(self, expected: str) -> SyntaxFailure:
        """A failure at the next token, because it is not what was `expected`."""
        text = self.texts[self.position]
        shown = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
        found = f"the {END}" if self.kind == END else f"'{shown}'"
        return self.complaint(f"expected {expected} but found {found}")

    def failure_or_struct(self, expected: str) -> SyntaxFailure | Unsupported:
        """A failure at the next token, or `Unsupported` for one of Ultimate's structs, `{ base: 0, offset: 0 }`."""
        at = self.position
        kinds = self.kinds[at : at + 3]
        if kinds[0] == "{" and kinds[1:] in ([IDENTIFIER, ":"], [IDENTIFIER, ","]):
            return Unsupported(Span(self.source, self.starts[at], self.ends[at]), "a struct")
        return self.failure(expected)

    def complaint(self, message: str) -> SyntaxFailure:
        """A failure at the next token, with this message."""
        span = Span(self.source, self.starts[self.position], self.ends[self.position])
        return SyntaxFailure(Diagnostic(span, message))

    def report(self, failure: SyntaxFailure) -> None:
        self.diagnostics.append(failure.diagnostic)
        if len(self.diagnostics) >= _MOST_REPORTED:
            raise TooManyFailures
