"""Turns Boogie text into tokens: parallel lists of kinds, texts and offsets.

    x := \\old + 1bv8;   ->   kinds  identifier  :=  identifier  +  bit-vector  ;
                             texts  x           :=  old         +  1bv8        ;

The kind of a keyword or an operator is its ASCII spelling, so the parser compares kinds with the symbols of the
grammar. Comments are blanked first (nested comments are not regular). Then one regular expression splits the text,
and all work for single tokens is done by `re`, `map` and `accumulate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, final

from remuda.base.errors import Diagnostic, InputError
from remuda.base.source import Source, Span

IDENTIFIER: Final = "identifier"
INTEGER: Final = "integer"
DECIMAL: Final = "decimal"
FLOAT: Final = "float"
BIT_VECTOR: Final = "bit-vector"
STRING: Final = "string"
ROUNDING: Final = "rounding mode"
UNEXPECTED: Final = "unexpected character"
END: Final = "end of file"

ROUNDING_MODES: Final = {
    "roundNearestTiesToEven": "RNE",
    "roundNearestTiesToAway": "RNA",
    "roundTowardPositive": "RTP",
    "roundTowardNegative": "RTN",
    "roundTowardZero": "RTZ",
}

# Keywords that can never be names. Newer keywords (`yield`, `par`, `async`, `datatype`, `is`, `fork` ...) are
# identifiers here, and the parser recognizes them by their position.
_KEYWORDS: Final = re.findall(
    r"\S+",
    "assert assume axiom bool break call complete const div else ensures exists extends false forall "
    "free function goto havoc if implementation int invariant lambda mod modifies old procedure real "
    "requires return returns then true type unique var where while",
)
_OPERATORS: Final = re.findall(
    r"\S+",
    "<==> <== ==> := :: <= >= == != <: ++ ** && || -> |{ }| ( ) [ ] { } , ; : < > = + - * / ! |",
)
_OTHER_SPELLINGS: Final = {
    "⇔": "<==>",
    "⇒": "==>",
    "⇐": "<==",
    "∧": "&&",
    "\u2228": "||",  # the symbol, not the letter v
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "¬": "!",
    "∀": "forall",
    "∃": "exists",
    "λ": "lambda",
    "•": "::",
    "%": "mod",  # Ultimate's spelling
}
_FIXED: Final = {
    **{word: word for word in _KEYWORDS},
    **{operator: operator for operator in _OPERATORS},
    **_OTHER_SPELLINGS,
    **{name: ROUNDING for pair in ROUNDING_MODES.items() for name in pair},
}

_STRING_PATTERN: Final = r'"(?:\\"|[^"\r\n])*"'
_TOKEN: Final = re.compile(
    r"(\\?[A-Za-z'~#$^_.?`][A-Za-z0-9'~#$^_.?`]*"
    r"|-?0x[0-9A-Fa-f]+\.[0-9A-Fa-f]+e-?[0-9]+f[0-9]+e[0-9]+"
    r"|0(?:NaN|nan|\+oo|-oo)[0-9]+e[0-9]+"
    r"|[0-9]+(?:bv[0-9]+|(?:\.[0-9]+)?e-?[0-9]+|\.[0-9]+)?"
    rf"|{_STRING_PATTERN}"
    r"|<==>|<==|==>|:=|::|[<>=!]=|<:|\+\+|\*\*|&&|\|\||->|\|\{|\}\|"
    r"|[^ \t\r\n])"
)
# Comments and directives, which are no tokens, and strings, which may contain their delimiters.
_HIDDEN: Final = re.compile(rf"{_STRING_PATTERN}|//[^\n]*|/\*|^#[^\n]*", re.MULTILINE)
_COMMENT_EDGE: Final = re.compile(r"/\*|\*/")
_LINE_DIRECTIVE: Final = re.compile(r"#line(?:\s|$)")
_MOST_REPORTED: Final = 20
_LOOK_AHEAD: Final = 3


@final
@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one source; the last few have kind END, so the parser need not check for the end when it looks
    ahead."""

    source: Source
    kinds: list[str]
    texts: list[str]
    starts: list[int]
    ends: list[int]


@final
class _Kinds(dict[str, str]):
    """The kinds of spellings: it begins with the fixed spellings, and classifies each new one once."""

    def __missing__(self, text: str) -> str:
        kind = _classify(text)
        self[text] = kind
        return kind


def tokenize(source: Source) -> Tokens:
    """The tokens of a source. Raises an `InputError` about characters that are not part of Boogie."""
    parts = _TOKEN.split(_without_comments(source))
    offsets = list(accumulate(map(len, parts)))
    texts = parts[1::2]
    starts = offsets[0:-1:2]
    ends = offsets[1::2]
    table = _Kinds(_FIXED)
    kinds = list(map(table.__getitem__, texts))
    if UNEXPECTED in table.values():
        raise InputError(list(_unexpected(source, kinds, starts)))
    if "\\" in source.text:
        texts = [text[1:] if text[0] == "\\" else text for text in texts]
    last = [ends[-1] if ends else 0] * _LOOK_AHEAD
    return Tokens(source, kinds + [END] * _LOOK_AHEAD, texts + [""] * _LOOK_AHEAD, starts + last, ends + last)


def _classify(text: str) -> str:
    """The kind of a token that is not a keyword or an operator, by its first character."""
    first = text[0]
    if "0" <= first <= "9" or (first == "-" and len(text) > 1):
        return _number_kind(text)
    if first == '"' and len(text) > 1:
        return STRING
    if first.isascii() and (first.isalpha() or first in "'~#$^_.?`" or (first == "\\" and len(text) > 1)):
        return IDENTIFIER
    return UNEXPECTED


def _number_kind(text: str) -> str:
    if "bv" in text:
        return BIT_VECTOR
    if text.isdigit():
        return INTEGER
    return FLOAT if "x" in text or "N" in text or "n" in text or "oo" in text else DECIMAL


def _without_comments(source: Source) -> str:
    """The text with spaces in place of comments and `#line` directives."""
    text = source.text
    if text.startswith("\ufeff"):
        text = "\n" + text[1:]  # a directive may follow it
    pieces = []
    done = 0
    at = 0
    while match := _HIDDEN.search(text, at):
        start, at = match.span()
        first = text[start]
        if first == '"':
            continue
        if first == "#" and not _LINE_DIRECTIVE.match(text, start):
            raise InputError([Diagnostic(Span(source, start, at), "only the directive #line is known")])
        if first == "/" and text[start + 1] == "*":
            at = _comment_end(source, start)
        pieces.append(text[done:start])
        pieces.append(" " * (at - start))
        done = at
    pieces.append(text[done:])
    return "".join(pieces)


def _comment_end(source: Source, start: int) -> int:
    depth = 0
    for edge in _COMMENT_EDGE.finditer(source.text, start):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    raise InputError([Diagnostic(Span(source, start, start + 2), "this comment is not closed")])


def _unexpected(source: Source, kinds: list[str], starts: list[int]) -> Iterator[Diagnostic]:
    """An error for each character that starts no token; only one if there are so many that the input is not Boogie
    at all."""
    found = [start for kind, start in zip(kinds, starts, strict=True) if kind == UNEXPECTED]
    first = source.text[found[0]]
    if len(found) > _MOST_REPORTED or (not first.isprintable() and first != "\ufeff"):
        message = f"this does not look like Boogie: {_description(first)}"
        yield Diagnostic(Span(source, found[0], found[0] + 1), message)
        return
    for start in found:
        yield Diagnostic(Span(source, start, start + 1), _description(source.text[start]))


def _description(character: str) -> str:
    if character == '"':
        return "this string is not closed on its line"
    code = f"U+{ord(character):04X}"
    return f"unexpected character '{character}' ({code})" if character.isprintable() else f"unexpected {code}"
