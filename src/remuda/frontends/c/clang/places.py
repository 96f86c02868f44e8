"""The positions of clang's nodes: from location codes to spans of our sources.

Inside one file the codes are consecutive, so one call of clang per file (and inclusion of it) is enough. A macro
expansion has the position of the macro's use, and its arguments have their own positions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from ctypes import byref, c_ulonglong, string_at
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base.source import Source, Span
from remuda.frontends.c.clang import kinds
from remuda.frontends.c.clang.native import Cursor, Library, Location, Range, place_of, token_at

if TYPE_CHECKING:
    from ctypes import c_void_p

    from remuda.frontends.c.clang.tree import Node

IN_MACRO: Final = 1 << 31  # the bit of a location code that marks macro expansions
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")


@final
class Text:
    """A source, with the mapping from bytes of its encoding to characters."""

    __slots__ = ("_starts", "_surplus", "length", "source")

    def __init__(self, source: Source, length: int) -> None:
        self.source = source
        self.length = length  # in bytes
        self._starts: list[int] = []  # the offset behind each character that takes several bytes
        self._surplus: list[int] = []  # the number of bytes minus that of characters, up to there
        if length != len(source.text):
            surplus = 0
            for match in _NOT_ASCII.finditer(source.text):
                surplus += len(match.group().encode("utf-8", "surrogateescape")) - 1
                self._starts.append(match.end() + surplus)
                self._surplus.append(surplus)

    def characters(self, offset: int) -> int:
        """The index of the character at a byte offset."""
        if not self._starts:
            return offset
        before = bisect_right(self._starts, offset)
        return offset - self._surplus[before - 1] if before else offset


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Stretch:
    """The location codes of one inclusion of a file."""

    first: int
    last: int
    text: Text


@final
class Places:
    """Spans for the cursors of one translation unit."""

    def __init__(self, library: Library, unit: c_void_p, main: Source) -> None:
        self._library = library
        self._unit = unit
        self.main: Final = Text(main, len(main.text.encode("utf-8", "surrogateescape")))
        self._texts: dict[int, Text] = {}
        self._stretches: list[_Stretch] = []
        self._stretch = _Stretch(1, 0, self.main)  # the one that was used last
        self._macros: dict[int, tuple[Text, int]] = {}
        self._base = Range()  # the last range from clang: all ranges are the same but for their codes
        self.nowhere: Final = Span(main, 0, 0)

    def locate(self, node: Node) -> None:
        """Find the start and end of a node. Clang walks down to the first operand of an operator, which takes
        quadratic time in long chains; so operators take their start from their operands, which are located
        already."""
        if node.begin >= 0:
            return
        if node.kind == kinds.BINARY_OPERATOR and len(node.children) == 2:
            first, last = node.children
            self.locate(first)
            self.locate(last)
            if 0 < first.begin < last.end < IN_MACRO and last.begin > 0:
                node.begin, node.end = first.begin, last.end
                return
        extent = self._library.getCursorExtent(node.cursor)
        self._base = extent
        node.begin, node.end = extent.begin, extent.end

    def span(self, node: Node) -> Span:
        self.locate(node)
        begin, end = node.begin, node.end
        stretch = self._stretch
        if stretch.first <= begin <= end <= stretch.last:
            text, start, stop = stretch.text, begin - stretch.first, end - stretch.first
        elif begin == 0:
            return self.nowhere
        else:
            text, start = self._place(self._base.data0, self._base.data1, begin)
            other, stop = self._place(self._base.data0, self._base.data1, end)
            if other is not text or stop < start:
                stop = start
        return Span(text.source, text.characters(start), text.characters(stop))

    def span_of_extent(self, cursor: Cursor) -> Span:
        """The span of all of a declaration."""
        extent = self._library.getCursorExtent(cursor)
        text, start = self._place(extent.data0, extent.data1, extent.begin)
        other, stop = self._place(extent.data0, extent.data1, extent.end)
        return Span(text.source, text.characters(start), text.characters(stop if other is text else start))

    def span_of_name(self, cursor: Cursor, name: str) -> Span:
        """The span of the name that a declaration declares."""
        location = self._library.getCursorLocation(cursor)
        start = self.span_of_location(location)
        if start.source.text.startswith(name, start.start):
            return Span(start.source, start.start, start.start + len(name))
        return start

    def span_of_location(self, location: Location) -> Span:
        if location.code == 0:
            return self.nowhere
        text, offset = self._place(location.data0, location.data1, location.code)
        at = text.characters(offset)
        return Span(text.source, at, at)

    def first_token(self, cursor: Cursor) -> str:
        """The first token of a cursor; inside macros, the token of the definition. Empty if it is unknown."""
        extent = self._library.getCursorExtent(cursor)
        return token_at(self._library, self._unit, Location(extent.data0, extent.data1, extent.begin))

    def _place(self, data0: int | None, data1: int | None, code: int) -> tuple[Text, int]:
        """The file and the byte offset of a location code."""
        if code & IN_MACRO:
            found = self._macros.get(code)
            if found is None:
                file, offset = place_of(self._library, Location(data0, data1, code))
                found = (self._text(file), offset) if file is not None else (self.main, 0)
                self._macros[code] = found
            return found
        for stretch in self._stretches:
            if stretch.first <= code <= stretch.last:
                self._stretch = stretch
                return stretch.text, code - stretch.first
        file, offset = place_of(self._library, Location(data0, data1, code))
        if file is None:
            return self.main, 0
        text = self._text(file)
        self._stretch = _Stretch(code - offset, code - offset + text.length, text)
        self._stretches.append(self._stretch)
        return text, offset

    def _text(self, file: int) -> Text:
        text = self._texts.get(file)
        if text is None:
            name = self._library.text(self._library.getFileName(file))
            text = self.main if name == self.main.source.name else self._read(file, name)
            self._texts[file] = text
        return text

    def _read(self, file: int, name: str) -> Text:
        size = c_ulonglong()
        contents = self._library.getFileContents(self._unit, file, byref(size))
        raw = string_at(contents, size.value) if contents else b""
        return Text(Source(name, raw.decode("utf-8", "surrogateescape")), len(raw))
