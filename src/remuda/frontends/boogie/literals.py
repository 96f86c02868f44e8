"""Turns literal tokens into literal nodes: `5bv32`, `2.5e-1`, `0x1.8e3f24e8`, `"text"`, `true`, `RNE`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from remuda.frontends.boogie.ast import Literal
from remuda.frontends.boogie.tokens import (
    BIT_VECTOR,
    DECIMAL,
    FLOAT,
    INTEGER,
    ROUNDING,
    ROUNDING_MODES,
    STRING,
)

if TYPE_CHECKING:
    from remuda.frontends.boogie.cursor import Cursor

LITERAL_KINDS: Final = frozenset([INTEGER, DECIMAL, BIT_VECTOR, FLOAT, STRING, ROUNDING, "true", "false"])

# Python refuses to convert longer texts at once, because one conversion could take very long.
_DIGITS_AT_ONCE: Final = 4000
_LARGEST_EXPONENT: Final = 100_000
_LARGEST_WIDTH: Final = 2**31 - 1


def literal(cursor: Cursor) -> Literal:
    """Parse the literal at the cursor, whose token has one of the LITERAL_KINDS."""
    position = cursor.position
    kind, text = cursor.kinds[position], cursor.texts[position]
    start, end = cursor.starts[position], cursor.ends[position]
    node: Literal
    if kind == INTEGER:
        node = Literal(start, end, "int", integer(text))
    elif kind == STRING:
        node = Literal(start, end, "string", text[1:-1])
    elif kind in ("true", "false"):
        node = Literal(start, end, "bool", kind == "true")
    elif kind == BIT_VECTOR:
        node = Literal(start, end, "bv", _bit_vector(cursor, text))
    elif kind == DECIMAL:
        node = Literal(start, end, "real", _decimal(cursor, text))
    elif kind == FLOAT:
        node = Literal(start, end, "float", text)
    else:
        node = Literal(start, end, "rounding", ROUNDING_MODES.get(text, text))
    cursor.position = position + 1
    return node


def integer(digits: str) -> int:
    """The value of a decimal number of any length."""
    if len(digits) <= _DIGITS_AT_ONCE:
        return int(digits)
    value = 0
    for at in range(0, len(digits), _DIGITS_AT_ONCE):
        chunk = digits[at : at + _DIGITS_AT_ONCE]
        value = value * 10 ** len(chunk) + int(chunk)
    return value


def _bit_vector(cursor: Cursor, text: str) -> tuple[int, int]:
    value, _, width = text.partition("bv")
    if integer(width) > _LARGEST_WIDTH:
        raise cursor.complaint("the width of this bit-vector is too large")
    return integer(value), int(width)


def _decimal(cursor: Cursor, text: str) -> Fraction:
    significand, _, exponent = text.partition("e")
    whole, _, fraction = significand.partition(".")
    scale = integer(exponent.removeprefix("-") or "0")
    if scale > _LARGEST_EXPONENT:
        raise cursor.complaint("the exponent of this number is too large")
    power = (-scale if exponent.startswith("-") else scale) - len(fraction)
    value = integer(whole + fraction)
    return Fraction(value * 10**power) if power >= 0 else Fraction(value, 10**-power)
