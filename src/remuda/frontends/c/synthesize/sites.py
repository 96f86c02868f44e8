"""Finds where to write statements in the text, so that they are executed at a point.

    if (c) return e;      if (c) { int remuda_result = (e); ...; return remuda_result; }
    while (c) s;          while (c) { ...; s; }

No text is written into macros, because their expansion may be anything. No line breaks are written, so that all lines
keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.isolate.moves import StayError, locate
from remuda.frontends.c.isolate.usage import has_side_effects
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import IntegerType, PointerType, RecordType, VoidType

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.frontends.c.isolate.moves import Range
    from remuda.frontends.c.isolate.tokens import Token, Tokens
    from remuda.frontends.c.syntax.types import CType
    from remuda.frontends.c.synthesize.flow import Place

CLOSE: Final = 0  # at one position, closing text comes first,
INSERT: Final = 1  # then new text,
REPLACE: Final = 2  # then text that replaces the old one


@final
@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """`text` that replaces the text between two offsets."""

    start: int
    rank: int
    end: int
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. They do not overlap."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits):
        pieces += [text[at : edit.start], edit.text]
        at = max(at, edit.end)
    return "".join([*pieces, text[at:]])


@final
@dataclass(frozen=True, slots=True)
class Inside:
    """Behind an opening brace, or before a closing one."""

    offset: int
    is_end: bool = False

    def edits(self, statements: str) -> list[Edit]:
        text = f"{statements} " if self.is_end else f" {statements}"
        return [Edit(self.offset, INSERT, self.offset, text)]


@final
@dataclass(frozen=True, slots=True)
class Before:
    """Before a statement, which may need braces to remain one statement."""

    statement: Range

    def edits(self, statements: str) -> list[Edit]:
        start, end = self.statement
        return [Edit(start, INSERT, start, f"{{ {statements} "), Edit(end, CLOSE, end, " }")]


@final
@dataclass(frozen=True, slots=True)
class Returning:
    """Between the computation of a result and its return. `type` is that of the result."""

    keyword: Range
    semicolon: Range
    type: str
    result: str

    def edits(self, statements: str) -> list[Edit]:
        return [
            Edit(self.keyword[0], REPLACE, self.keyword[1], f"{{ {self.type} {self.result} = ("),
            Edit(self.semicolon[0], REPLACE, self.semicolon[1], f"); {statements} return {self.result}; }}"),
        ]


Site = Inside | Before | Returning


@final
class Sites:
    """Finds sites in one file; `result` is an unused name."""

    def __init__(self, source: Source, tokens: Tokens, result: str) -> None:
        self._source = source
        self._tokens = tokens
        self._result = result

    def find(self, function: ast.Function, place: Place) -> Site | None:
        """The site for text at a point; None if there is none."""
        body = function.body
        if body is None or body.span.source is not self._source or place.span.source is not self._source:
            return None
        opening, closing = self._braces(body)
        if opening is None or closing is None:
            return None
        match place:
            case ast.Function():
                return Inside(opening.end)
            case ast.Compound():
                return Inside(closing.start, is_end=True)
            case ast.Return():
                return self._return(function, place)
            case _:
                return self._loop(place)

    def jump(self, goto: ast.Goto) -> Site | None:
        """The site for text before a jump."""
        keyword = self._tokens.at(goto.span.start)
        if keyword is None or keyword.text != "goto" or goto.span.source is not self._source:
            return None
        semicolon = self._semicolon(keyword)
        return None if semicolon is None else Before((keyword.start, semicolon.end))

    def _braces(self, body: ast.Compound) -> tuple[Token | None, Token | None]:
        opening = self._tokens.at(body.span.start)
        if opening is None or opening.text != "{":
            return None, None
        closing = self._tokens.closing(opening)
        return opening, closing if closing is not None and closing.end == body.span.end else None

    def _loop(self, loop: ast.While | ast.DoWhile | ast.For) -> Site | None:
        try:
            start, end = locate(loop, self._tokens).body
        except StayError:
            return None
        if isinstance(loop.body, ast.Compound):
            return Inside(start + 1) if self._source.text[start] == "{" else None
        return Before((start, end))

    def _return(self, function: ast.Function, place: ast.Return) -> Site | None:
        keyword = self._tokens.at(place.span.start)
        if keyword is None or keyword.text != "return":
            return None
        semicolon = self._semicolon(keyword)
        if semicolon is None:
            return None
        type_ = spelled(function.type.result)
        if place.value is not None and not isinstance(function.type.result, VoidType) and type_ is not None:
            ends = (semicolon.start, semicolon.end)
            text = self._source.text[keyword.end : semicolon.start]
            space = len(text) - len(text.lstrip(" "))
            return Returning((keyword.start, keyword.end + space), ends, type_, self._result)
        if place.value is None or not has_side_effects(place.value):
            return Before((keyword.start, semicolon.end))
        return None

    def _semicolon(self, keyword: Token) -> Token | None:
        """The semicolon that ends a statement; None if there is a directive in the statement."""
        token = self._tokens.next(keyword.end)
        while token is not None and token.text != ";":
            if token.kind == "directive" or token.text == "}":
                return None
            closing = self._tokens.closing(token)
            token = self._tokens.next(token.end if closing is None else closing.end)
        return token


def spelled(type_: CType) -> str | None:
    """The text of a type before a name; None for types that need text after the name."""
    stars = ""
    while isinstance(type_, PointerType):
        stars = f"{stars}*"
        type_ = type_.target
    match type_:
        case IntegerType(name=name) if _is_words(name):
            return f"{name} {stars}".rstrip()
        case RecordType(kind=kind, tag=tag) if stars and _is_words(tag):
            return f"{kind} {tag} {stars}"
        case VoidType() if stars:
            return f"void {stars}"
        case _:
            return "void *" if stars else None


def _is_words(text: str) -> bool:
    return bool(text) and all(word.isidentifier() for word in text.split())


def start_of_declaration(tokens: Tokens, name: int) -> int:
    """The start of the declaration at file scope that declares the name at an offset."""
    start, depth = name, 0
    token = tokens.before(name)
    while token is not None and token.kind != "directive":
        if token.text in {")", "]"}:
            depth += 1
        elif token.text in {"(", "["}:
            depth -= 1
        elif depth == 0 and token.text in {";", "}"}:
            break
        start = token.start
        token = tokens.before(token.start)
    return start


def directive_words(tokens: Tokens) -> Iterator[str]:
    """The names that a file defines as macros."""
    for token in tokens.all:
        if token.kind == "directive":
            words = token.text.lstrip("#%: \t").split(None, 1)
            if len(words) == 2 and words[0] == "define":
                yield words[1].split("(")[0].split()[0]
