"""Source texts and the spans that point into them.

A span is two offsets, because a megabyte of Boogie has a hundred thousand spans, and only the few that are printed
need a line and a column.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import final


@final
class Source:
    """One input text, with the name by which the user knows it."""

    __slots__ = ("_line_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._line_starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both counted from 1."""
        starts = self.line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of one line, without its line break."""
        starts = self.line_starts()
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")

    def line_starts(self) -> list[int]:
        if self._line_starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._line_starts = starts
        return self._line_starts


@final
@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """The characters `start` (included) to `end` (excluded) of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other`, in the same source."""
        return Span(self.source, self.start, other.end)

    def excerpt(self) -> str:
        """The source line with carets under the span, as error messages show it."""
        line, column = self.source.position(self.start)
        text = self.source.line_text(line).expandtabs(1)
        room = max(1, len(text) - column + 1)
        carets = "^" * max(1, min(self.end - self.start, room))
        if len(text) > 160:  # generated files can have lines of a megabyte
            cut = max(0, column - 60)
            text = text[cut : cut + 160]
            column -= cut
            carets = carets[: max(1, 161 - column)]
        margin = f"{line:>5} | "
        return f"{margin}{text}\n{' ' * (len(margin) - 2)}| {' ' * (column - 1)}{carets}"


def synthetic_span(name: str) -> Span:
    """A span for programs that were built, not parsed (tests, generated drivers)."""
    return Span(Source(name, ""), 0, 0)
