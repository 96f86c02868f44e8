"""The operators on bit-vectors, on unsigned values: they compute as SMT-LIB defines, including division by zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final


def mask(width: int) -> int:
    """The value whose bits are all set."""
    return (1 << width) - 1


def signed(value: int, width: int) -> int:
    """The two's complement value with the same bits as an unsigned value."""
    return value - (1 << width) if width and value >> (width - 1) else value


def _unsigned_div(left: int, right: int, width: int) -> int:
    return left // right if right else mask(width)


def _unsigned_rem(left: int, right: int, _: int) -> int:
    return left % right if right else left


def _signed_div(left: int, right: int, width: int) -> int:
    first, second = signed(left, width), signed(right, width)
    quotient = _unsigned_div(abs(first), abs(second), width)
    return (quotient if (first < 0) == (second < 0) else -quotient) & mask(width)


def _signed_rem(left: int, right: int, width: int) -> int:
    first, second = signed(left, width), signed(right, width)
    remainder = abs(first) % abs(second) if second else abs(first)
    return (-remainder if first < 0 else remainder) & mask(width)


def _signed_mod(left: int, right: int, width: int) -> int:
    first, second = signed(left, width), signed(right, width)
    return (first % second if second else first) & mask(width)


def _rotate_left(value: int, bits: int, width: int) -> int:
    if not width:
        return value
    bits %= width
    return ((value << bits) | (value >> (width - bits))) & mask(width)


def _repeat(value: int, copies: int, width: int) -> int:
    return sum(value << (width * copy) for copy in range(copies))


UNARY: Final[dict[str, Callable[[int, int], int]]] = {  # operand, width
    "bvnot": lambda value, width: ~value & mask(width),
    "bvneg": lambda value, width: -value & mask(width),
}

BINARY: Final[dict[str, Callable[[int, int, int], int]]] = {  # left, right, width
    "bvadd": lambda left, right, width: (left + right) & mask(width),
    "bvsub": lambda left, right, width: (left - right) & mask(width),
    "bvmul": lambda left, right, width: (left * right) & mask(width),
    "bvudiv": _unsigned_div,
    "bvurem": _unsigned_rem,
    "bvsdiv": _signed_div,
    "bvsrem": _signed_rem,
    "bvsmod": _signed_mod,
    "bvand": lambda left, right, _: left & right,
    "bvor": lambda left, right, _: left | right,
    "bvxor": lambda left, right, _: left ^ right,
    "bvnand": lambda left, right, width: ~(left & right) & mask(width),
    "bvnor": lambda left, right, width: ~(left | right) & mask(width),
    "bvxnor": lambda left, right, width: ~(left ^ right) & mask(width),
    "bvshl": lambda left, right, width: (left << min(right, width)) & mask(width),
    "bvlshr": lambda left, right, width: left >> min(right, width),
    "bvashr": lambda left, right, width: (signed(left, width) >> min(right, width)) & mask(width),
}

COMPARISONS: Final[dict[str, Callable[[int, int, int], bool]]] = {  # left, right, width
    "bvult": lambda left, right, _: left < right,
    "bvule": lambda left, right, _: left <= right,
    "bvslt": lambda left, right, width: signed(left, width) < signed(right, width),
    "bvsle": lambda left, right, width: signed(left, width) <= signed(right, width),
}

RESIZINGS: Final[dict[str, Callable[[int, int, int], int]]] = {  # operand, number of bits or copies, width
    "zero_extend": lambda value, _, __: value,
    "sign_extend": lambda value, bits, width: signed(value, width) & mask(width + bits),
    "rotate_left": _rotate_left,
    "rotate_right": lambda value, bits, width: _rotate_left(value, -bits, width),
    "repeat": _repeat,
}
