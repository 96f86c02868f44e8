"""Operators that need the values of all their arguments, on bool, int, real and bit-vectors.

Each takes the term (for widths and payloads) and the values of its arguments. None means: no value can be
computed. Bit-vector operators are SMT-LIB's, with its answers for division by zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from remuda.terms.term import Term

Operation = Callable[["Term", Sequence[Any]], Any]

EXPONENT_LIMIT: Final = 10_000


def _width(term: Term) -> int:
    width: int = term.args[0].type.width  # type: ignore[attr-defined]
    return width


def _mask(width: int) -> int:
    return (1 << width) - 1


def signed(value: int, width: int) -> int:
    """The two's complement reading of an unsigned value."""
    return value - (1 << width) if width and value >> (width - 1) else value


def _unsigned_div(left: int, right: int, width: int) -> int:
    return left // right if right else _mask(width)


def _unsigned_rem(left: int, right: int) -> int:
    return left % right if right else left


def _signed_div(left: int, right: int, width: int) -> int:
    first, second = signed(left, width), signed(right, width)
    quotient = _unsigned_div(abs(first), abs(second), width)
    return (quotient if (first < 0) == (second < 0) else -quotient) & _mask(width)


def _signed_rem(left: int, right: int, width: int) -> int:
    first, second = signed(left, width), signed(right, width)
    remainder = _unsigned_rem(abs(first), abs(second))
    return (-remainder if first < 0 else remainder) & _mask(width)


def _signed_mod(left: int, right: int, width: int) -> int:
    first, second = signed(left, width), signed(right, width)
    return (first % second if second else first) & _mask(width)


def _arithmetic_shift(value: int, amount: int, width: int) -> int:
    return (signed(value, width) >> min(amount, width)) & _mask(width)


def _rotate_left(value: int, bits: int, width: int) -> int:
    if not width:
        return value
    bits %= width
    return ((value << bits) | (value >> (width - bits))) & _mask(width)


def _repeat(value: int, copies: int, width: int) -> int:
    return sum(value << (width * copy) for copy in range(copies))


def _concat(term: Term, values: Sequence[Any]) -> int:
    low: int = term.args[1].type.width  # type: ignore[attr-defined]
    return int((values[0] << low) | values[1])


def _power(_: Term, values: Sequence[Any]) -> Fraction | int | None:
    """`**` with an integral exponent; other powers are not rational in general."""
    base, exponent = Fraction(values[0]), Fraction(values[1])
    if exponent.denominator != 1 or abs(exponent) > EXPONENT_LIMIT or (base == 0 and exponent < 0):
        return None
    power = base ** int(exponent)
    if isinstance(values[0], Fraction):
        return power
    return int(power) if power.denominator == 1 else None


def _modular(operation: Callable[[int, int], int]) -> Operation:
    return lambda term, values: operation(values[0], values[1]) & _mask(_width(term))


OPERATIONS: Final[dict[str, Operation]] = {
    "not": lambda _, values: not values[0],
    "neg": lambda _, values: -values[0],
    "add": lambda _, values: values[0] + values[1],
    "sub": lambda _, values: values[0] - values[1],
    "mul": lambda _, values: values[0] * values[1],
    "lt": lambda _, values: values[0] < values[1],
    "le": lambda _, values: values[0] <= values[1],
    "pow": _power,
    "to_real": lambda _, values: Fraction(values[0]),
    "to_int": lambda _, values: floor(values[0]),
    "concat": _concat,
    "extract": lambda term, values: (values[0] >> term.payload[1]) & _mask(term.payload[0] - term.payload[1]),
    "bvnot": lambda term, values: ~values[0] & _mask(_width(term)),
    "bvneg": lambda term, values: -values[0] & _mask(_width(term)),
    "bvadd": _modular(lambda left, right: left + right),
    "bvsub": _modular(lambda left, right: left - right),
    "bvmul": _modular(lambda left, right: left * right),
    "bvudiv": lambda term, values: _unsigned_div(values[0], values[1], _width(term)),
    "bvurem": lambda _, values: _unsigned_rem(values[0], values[1]),
    "bvsdiv": lambda term, values: _signed_div(values[0], values[1], _width(term)),
    "bvsrem": lambda term, values: _signed_rem(values[0], values[1], _width(term)),
    "bvsmod": lambda term, values: _signed_mod(values[0], values[1], _width(term)),
    "bvand": lambda _, values: values[0] & values[1],
    "bvor": lambda _, values: values[0] | values[1],
    "bvxor": lambda _, values: values[0] ^ values[1],
    "bvnand": _modular(lambda left, right: ~(left & right)),
    "bvnor": _modular(lambda left, right: ~(left | right)),
    "bvxnor": _modular(lambda left, right: ~(left ^ right)),
    "bvshl": lambda term, values: (values[0] << min(values[1], _width(term))) & _mask(_width(term)),
    "bvlshr": lambda term, values: values[0] >> min(values[1], _width(term)),
    "bvashr": lambda term, values: _arithmetic_shift(values[0], values[1], _width(term)),
    "bvult": lambda _, values: values[0] < values[1],
    "bvule": lambda _, values: values[0] <= values[1],
    "bvslt": lambda term, values: signed(values[0], _width(term)) < signed(values[1], _width(term)),
    "bvsle": lambda term, values: signed(values[0], _width(term)) <= signed(values[1], _width(term)),
    "zero_extend": lambda _, values: values[0],
    "sign_extend": lambda term, values: signed(values[0], _width(term)) & _mask(_width(term) + term.payload),
    "rotate_left": lambda term, values: _rotate_left(values[0], term.payload, _width(term)),
    "rotate_right": lambda term, values: _rotate_left(values[0], -term.payload, _width(term)),
    "repeat": lambda term, values: _repeat(values[0], term.payload, _width(term)),
    "bv2nat": lambda _, values: values[0],
    "bv2int": lambda term, values: signed(values[0], _width(term)),
    "int2bv": lambda term, values: values[0] % (1 << term.payload),
}
