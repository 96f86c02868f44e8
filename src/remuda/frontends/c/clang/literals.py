"""Literals and constants: read from the text, or evaluated by clang."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.syntax.ast import IntegerLiteral
from remuda.frontends.c.syntax.types import ArrayType, CType, IntegerType

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.clang.native import Cursor, Library

_EVALUATED_TO_INTEGER: Final = 1
_INTEGER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uUlLzZ]*(?![\w.])")
_FLOATING: Final = re.compile(
    r"(0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[fFlL]?"
)
_UNIT: Final = re.compile(r'\\x([0-9A-F]+)|\\u([0-9A-F]{4})|\\U([0-9A-F]{8})|\\([0-7]{3})|\\(.)|("")|(.)', re.DOTALL)
_ESCAPES: Final = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


def evaluate(library: Library, cursor: Cursor) -> int | None:
    """The value of an integer constant expression; None for other expressions."""
    result = library.Cursor_Evaluate(cursor)
    if not result:
        return None
    value: int | None = None
    if library.EvalResult_getKind(result) == _EVALUATED_TO_INTEGER:
        is_unsigned = library.EvalResult_isUnsignedInt(result)
        value = (library.EvalResult_getAsUnsigned if is_unsigned else library.EvalResult_getAsLongLong)(result)
    library.EvalResult_dispose(result)
    return value


def integer_at(text: str, start: int) -> int | None:
    """The integer literal at a position in a text; None for unusual ones (digit separators, suffixes)."""
    match = _INTEGER.match(text, start)
    if match is None:
        return None
    digits = match.group(1)
    if digits[:2] in {"0x", "0X"}:
        return int(digits, 16)
    if digits[:2] in {"0b", "0B"}:
        return int(digits, 2)
    return int(digits, 8) if digits[0] == "0" else int(digits)


def floating_text(token: str) -> str | None:
    """A floating literal without its suffix."""
    match = _FLOATING.fullmatch(token)
    return None if match is None else match.group(1)


def floating_at(text: str, start: int) -> str | None:
    """The floating literal at a position in a text, without its suffix. (Clang has no tokens for some literals that
    are arguments of macros, only their positions.)"""
    match = _FLOATING.match(text, start)
    return None if match is None else match.group(1)


def wrapped(value: int, type_: CType) -> int:
    """The value that an integer type gives to a bit pattern."""
    if not isinstance(type_, IntegerType):
        return value
    value &= (1 << type_.width) - 1
    return value - (1 << type_.width) if type_.signed and value >> (type_.width - 1) else value


def string_units(printed: str, type_: CType) -> tuple[int, ...]:
    """The characters of a string that clang has printed, and the final zero."""
    assert isinstance(type_, ArrayType)
    element = type_.element
    assert isinstance(element, IntegerType)
    start = printed.index('"') + 1
    units: list[int] = []
    for match in _UNIT.finditer(printed, start, len(printed) - 1):
        units.extend(_units_of(match, element.width))
    return tuple(wrapped(unit, element) for unit in (*units, 0))


def _units_of(match: re.Match[str], width: int) -> tuple[int, ...]:
    hexadecimal, short, long, octal, escaped, joint, plain = match.groups()
    if joint:
        return ()
    if plain:
        return (ord(plain),)
    if octal:
        return (int(octal, 8),)
    if escaped:
        return (_ESCAPES.get(escaped, ord(escaped)),)
    code = int(hexadecimal or short or long, 16)
    if width == 16 and code > 0xFFFF:  # a surrogate pair, printed as one
        return 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF)
    return (code,)


def literal(value: int, type_: CType, span: Span) -> IntegerLiteral:
    return IntegerLiteral(type_, span, wrapped(value, type_))
