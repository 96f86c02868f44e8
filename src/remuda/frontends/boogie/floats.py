"""Reads float literals: `0x5.0e0f24e8` (hexadecimal digits, a power of 16, the type), `0NaN24e8`, `0+oo24e8`."""

from __future__ import annotations

import re
from fractions import Fraction

from remuda.terms.types import FloatType

_NUMBER = re.compile(r"(-?)0x([0-9a-fA-F]+)\.([0-9a-fA-F]+)e(-?[0-9]+)f([0-9]+)e([0-9]+)")
_SPECIAL = re.compile(r"0(NaN|nan|\+oo|-oo)([0-9]+)e([0-9]+)")


def parse_float(text: str) -> tuple[int, FloatType] | None:
    """The bits and the type of a literal; None if no float of the type has exactly that value."""
    special = _SPECIAL.fullmatch(text)
    if special is not None:
        return _special(special[1], FloatType(int(special[2]), int(special[3])))
    number = _NUMBER.fullmatch(text)
    if number is None:
        return None
    type_ = FloatType(int(number[5]), int(number[6]))
    digits = int(number[2] + number[3], 16)
    bits = _encode(Fraction(digits) * Fraction(16) ** (int(number[4]) - len(number[3])), type_)
    if bits is None:
        return None
    sign = 1 << (type_.significand + type_.exponent - 1) if number[1] else 0
    return sign | bits, type_


def _special(name: str, type_: FloatType) -> tuple[int, FloatType]:
    mantissa_bits = type_.significand - 1
    infinity = ((1 << type_.exponent) - 1) << mantissa_bits
    if name.lower() == "nan":
        return infinity | (1 << (mantissa_bits - 1)), type_
    return (infinity if name == "+oo" else infinity | (1 << (mantissa_bits + type_.exponent))), type_


def _encode(value: Fraction, type_: FloatType) -> int | None:
    """The bits of a value that is not negative."""
    if value == 0:
        return 0
    mantissa_bits = type_.significand - 1
    bias = (1 << (type_.exponent - 1)) - 1
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if Fraction(2) ** exponent > value:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    scaled = value / Fraction(2) ** (exponent - mantissa_bits)
    if scaled.denominator != 1 or exponent > bias:
        return None
    if scaled < 1 << mantissa_bits:  # subnormal
        return int(scaled)
    return ((exponent + bias) << mantissa_bits) | (int(scaled) - (1 << mantissa_bits))
