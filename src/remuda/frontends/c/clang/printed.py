"""Properties of a function that libclang does not show, read from clang's own printout of it.

The cursors of `for` do not show which of its three parts are missing; those of inline assembly do not show the number
of outputs, nor whether it may jump. The printed text shows all that, with macros expanded, in the order of the
cursors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from remuda.frontends.c.clang.native import Cursor, Library

_INDENTATION: Final = 0  # the codes of properties
_WITHOUT_INITIALIZERS: Final = 6
_TERSE: Final = 17
_TOKEN: Final = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\])*")|'(?:\\.|[^'\\])+'|(?P<word>[A-Za-z_$][\w$]*)|(?P<mark>[()\[\]{};:,])|[^\s]""",
    re.DOTALL,
)


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """`keyword` is `for` or `asm`. Of a `for`: which of the three parts are there. Of an `asm`: the outputs, and whether
    it may go to a label (`asm goto`)."""

    keyword: str
    parts: tuple[bool, bool, bool] = (False, False, False)
    outputs: int = 0
    jumps: bool = False


@final
class _Open:
    """A `for` or `asm` whose parentheses are being read."""

    __slots__ = ("at", "depth", "filled", "jumps", "keyword", "strings")

    def __init__(self, keyword: str, at: int, depth: int, *, jumps: bool) -> None:
        self.keyword = keyword
        self.jumps = jumps
        self.at = at  # its place among the shapes
        self.depth = depth  # inside its parentheses
        self.filled = [False]  # for each section so far: is anything in it?
        self.strings = [0]  # ... and how many strings are directly in it?

    def shape(self) -> Shape:
        filled = [*self.filled, False, False, False]
        outputs = self.strings[1] if len(self.strings) > 1 else 0
        return Shape(self.keyword, (filled[0], filled[1], filled[2]), outputs, self.jumps)


def print_declaration(library: Library, cursor: Cursor, *, is_terse: bool = False) -> str:
    """Clang's printout of a declaration; a terse one is without bodies and initialisers."""
    policy = library.getCursorPrintingPolicy(cursor)
    library.PrintingPolicy_setProperty(policy, _INDENTATION, 0)  # which would be most of a deeply nested text
    if is_terse:
        library.PrintingPolicy_setProperty(policy, _TERSE, 1)
        library.PrintingPolicy_setProperty(policy, _WITHOUT_INITIALIZERS, 1)
    text = library.text(library.getCursorPrettyPrinted(cursor, policy))
    library.PrintingPolicy_dispose(policy)
    return text


def shapes(text: str) -> list[Shape]:
    """The loops and assembly statements of a printed function, in order."""
    found: list[Shape] = []
    opened: list[_Open] = []
    depth = 0
    pending: str | None = None  # a keyword whose parenthesis is to come
    jumps = False  # whether `goto` stands behind it
    for match in _TOKEN.finditer(text):
        token = match.group()
        inner = opened[-1] if opened else None
        if pending is not None and token == "(":
            depth += 1
            opened.append(_Open(pending, len(found), depth, jumps=jumps))
            found.append(Shape(pending))
            pending = None
            continue
        if token == "for" or (token == "asm" and text[match.end()] != "("):  # `asm("name")` renames a variable
            pending, jumps = token, False
        elif pending is not None and token == "goto":
            jumps = True
        elif pending is not None and token not in {"volatile", "inline"}:
            pending = None
        if token in {")", "]", "}"}:
            if inner is not None and token == ")" and depth == inner.depth:
                found[inner.at] = opened.pop().shape()
                inner = None
            depth -= 1
        if inner is not None:
            _read(inner, match, depth)
        if token in {"(", "[", "{"}:
            depth += 1
    return found


def _read(inner: _Open, match: re.Match[str], depth: int) -> None:
    """A token somewhere inside the parentheses of a loop or an assembly statement."""
    separator = ";" if inner.keyword == "for" else ":"
    if depth == inner.depth and match.group() == separator:
        inner.filled.append(False)
        inner.strings.append(0)
    else:
        inner.filled[-1] = True
        if depth == inner.depth and match.group("string"):
            inner.strings[-1] += 1
