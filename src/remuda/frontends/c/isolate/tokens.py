"""The tokens of a C text: enough to find brackets, names and directives, not to parse.

Comments and white space are no tokens; a directive, with the lines that continue it, is one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final, final

_TOKEN: Final = re.compile(
    r"""
    (?P<space> [ \t\r\n\f\v]+ | \\\r?\n | //(?:\\\r?\n|[^\n])* | /\*.*?(?:\*/|\Z) )
  | (?P<directive> (?:\#|%:)(?:\\\r?\n|/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[^\n"'])* )
  | (?P<text> (?:u8|[uUL])?"(?:\\(?:\r\n|.)|[^"\\])*(?:"|\Z) | [uUL]?'(?:\\(?:\r\n|.)|[^'\\\n])*' )
  | (?P<word> [A-Za-z_$\u0080-\U0010ffff][\w$]* )
  | (?P<number> \.?[0-9](?:[eEpP][+-]|[\w.])* )
  | (?P<mark> \.\.\. | -> | <<= | >>= | [-+*/%&|^!=<>]= | && | \|\| | \+\+ | -- | << | >> | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
_MARKER: Final = re.compile(r"#[ \t]*(?:line\b|[0-9])")


@final
@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is one of directive, text, word, number, mark."""

    kind: str
    start: int
    end: int
    text: str


@final
class Tokens:
    """The tokens of a text in order, and the pairs of brackets."""

    def __init__(self, text: str) -> None:
        self.all: Final[list[Token]] = []
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup or ""
            if kind != "space":
                self.all.append(Token(kind, match.start(), match.end(), match.group()))
        self._starts: Final = [token.start for token in self.all]
        self._closing: Final = self._brackets()

    def _brackets(self) -> dict[int, Token]:
        """The closing bracket for the position of each opening one."""
        found: dict[int, Token] = {}
        waiting: list[Token] = []
        for token in self.all:
            if token.kind == "mark" and token.text in _OPENING:
                waiting.append(token)
            elif token.kind == "mark" and token.text in ")]}" and waiting:
                if _OPENING[waiting[-1].text] == token.text:
                    found[waiting.pop().start] = token
        return found

    def at(self, offset: int) -> Token | None:
        """The token that begins at an offset."""
        token = self.next(offset)
        return token if token is not None and token.start == offset else None

    def next(self, offset: int) -> Token | None:
        """The first token that begins at an offset or behind it."""
        index = bisect_left(self._starts, offset)
        return self.all[index] if index < len(self.all) else None

    def before(self, offset: int) -> Token | None:
        """The last token that begins before an offset."""
        index = bisect_left(self._starts, offset)
        return self.all[index - 1] if index else None

    def within(self, start: int, end: int) -> list[Token]:
        return self.all[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def closing(self, opening: Token) -> Token | None:
        """The bracket that closes another."""
        return self._closing.get(opening.start)


def is_line_marker(token: Token) -> bool:
    """Whether a directive only sets the file and number of the next line."""
    return token.kind == "directive" and _MARKER.match(token.text) is not None
