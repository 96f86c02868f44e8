"""`long double` of x86: 64 digits in base two, all of them stored, and an exponent of 15 bits.

Numbers are exact fractions, and each operation rounds its result once, to the nearest number, ties to even. There is
only one NaN, without sign and payload.
"""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal
from fractions import Fraction
from typing import Final, NamedTuple, final

WRITTEN: Final = 10  # bytes of the number; the others are padding
BIAS: Final = 16383
TOP: Final = (1 << 15) - 1  # the exponent of infinities and NaN
UNIT: Final = 1 << 63  # the first digit
DIGITS: Final = 21  # the number of decimal digits that distinguishes all numbers
FEWEST_TENS, MOST_TENS = -5000, 5000  # powers of ten out of this range are zero and infinity for all formats here
_HEXADECIMAL: Final = re.compile(r"0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?")
MOST_TWOS: Final = 20000  # powers of two out of this range, likewise


class Format(NamedTuple):
    """The number of binary digits, and the exponents of the smallest and the largest normal numbers."""

    digits: int
    least: int
    most: int


SINGLE: Final = Format(24, -126, 127)
DOUBLE: Final = Format(53, -1022, 1023)
EXTENDED: Final = Format(64, 1 - BIAS, BIAS)


def rounded(magnitude: Fraction, form: Format) -> Fraction | None:
    """The nearest number of a format; None if that is infinity."""
    if not magnitude:
        return magnitude
    unit = _power(max(exponent_of(magnitude), form.least) - form.digits + 1)
    nearest = round(magnitude / unit) * unit  # `round` takes the even one of two
    return nearest if nearest < _power(form.most + 1) else None


def exponent_of(magnitude: Fraction) -> int:
    """The largest e with 2**e <= magnitude."""
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if _power(guess) <= magnitude else guess - 1


def _power(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


@final
class Extended:
    """A `long double`. Without a magnitude, it is infinite, unless it is no number."""

    __slots__ = ("is_nan", "magnitude", "negative")

    def __init__(self, magnitude: Fraction | None, *, negative: bool = False, is_nan: bool = False) -> None:
        self.magnitude = magnitude
        self.negative = negative
        self.is_nan = is_nan

    # --- Python's operators

    def __bool__(self) -> bool:
        return self.magnitude is None or self.magnitude != 0

    def __neg__(self) -> Extended:
        return Extended(self.magnitude, negative=not self.negative, is_nan=self.is_nan)

    def __trunc__(self) -> int:
        assert self.magnitude is not None
        return -math.trunc(self.magnitude) if self.negative else math.trunc(self.magnitude)

    __int__ = __trunc__

    def __float__(self) -> float:
        return self.to(DOUBLE)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Extended) or self.is_nan or other.is_nan:
            return False
        is_zero = not self and not other
        return is_zero or (self.negative == other.negative and self.magnitude == other.magnitude)

    def __hash__(self) -> int:
        return hash((self.magnitude, self.negative and bool(self)))

    def __lt__(self, other: Extended) -> bool:
        if self.is_nan or other.is_nan or self == other:
            return False
        if self.negative != other.negative:
            return self.negative
        small, large = (other.magnitude, self.magnitude) if self.negative else (self.magnitude, other.magnitude)
        return small is not None and (large is None or small < large)

    def __gt__(self, other: Extended) -> bool:
        return other < self

    def __le__(self, other: Extended) -> bool:
        return self < other or self == other

    def __ge__(self, other: Extended) -> bool:
        return other < self or self == other

    def __str__(self) -> str:
        sign = "-" if self.negative else ""
        if self.magnitude is None:
            return "NaN" if self.is_nan else f"{sign}oo"
        double = rounded(self.magnitude, DOUBLE)
        if double == self.magnitude:
            return f"{sign}{float(double)!r}"
        return f"{sign}{Context(DIGITS).divide(Decimal(self.magnitude.numerator), self.magnitude.denominator):g}"

    # --- other types

    def to(self, form: Format) -> float:
        """As a `float` or a `double`, rounded once."""
        if self.is_nan:
            return math.nan
        number = None if self.magnitude is None else rounded(self.magnitude, form)
        return math.copysign(math.inf if number is None else float(number), -1.0 if self.negative else 1.0)

    def to_bytes(self) -> bytes:
        """The bytes in memory, without the padding."""
        exponent, digits = TOP, UNIT | (UNIT >> 1 if self.is_nan else 0)
        if self.magnitude is not None:
            power = max(exponent_of(self.magnitude), EXTENDED.least) if self.magnitude else 0
            digits = int(self.magnitude / _power(power - EXTENDED.digits + 1))
            exponent = power + BIAS if digits & UNIT else 0
        return ((int(self.negative) << 15 | exponent) << 64 | digits).to_bytes(WRITTEN, "little")


NAN: Final = Extended(None, is_nan=True)


def from_bytes(data: bytes | bytearray) -> Extended:
    bits = int.from_bytes(data[:WRITTEN], "little")
    digits, exponent, negative = bits & ((1 << 64) - 1), bits >> 64 & TOP, bool(bits >> 79)
    if exponent and not digits & UNIT:
        return NAN  # invalid for the processor: the first digit is missing
    if exponent == TOP:
        return NAN if digits != UNIT else Extended(None, negative=negative)
    power = max(exponent, 1) - BIAS
    return Extended(digits * _power(power - EXTENDED.digits + 1), negative=negative)


def extended(value: int | float | Extended) -> Extended:
    """A number of any type as a `long double`."""
    if isinstance(value, Extended):
        return value
    if isinstance(value, int):
        return Extended(rounded(Fraction(abs(value)), EXTENDED), negative=value < 0)
    if math.isnan(value):
        return NAN
    magnitude = None if math.isinf(value) else Fraction(abs(value))
    return Extended(magnitude, negative=math.copysign(1.0, value) < 0)


def parsed(text: str, form: Format) -> Extended:
    """A literal, without its suffix, rounded to a format."""
    text = text.lower()
    if text.startswith("0x"):
        found = _HEXADECIMAL.fullmatch(text)
        assert found is not None
        whole, fraction, exponent = found.groups()
        digits, power = int(f"{whole}{fraction}" or "0", 16), int(exponent or 0) - 4 * len(fraction)
        size = power + digits.bit_length()
        if digits and abs(size) > MOST_TWOS:
            return Extended(None if size > 0 else Fraction(0))
        return Extended(rounded(digits * _power(power), form) if digits else Fraction(0))
    number = Decimal(text)
    if number and not FEWEST_TENS < number.adjusted() < MOST_TENS:
        return Extended(None if number.adjusted() > 0 else Fraction(0))
    return Extended(rounded(Fraction(number), form))


# --- operators


def add(x: Extended, y: Extended) -> Extended:
    if x.is_nan or y.is_nan or (x.magnitude is None and y.magnitude is None and x.negative != y.negative):
        return NAN
    if x.magnitude is None or y.magnitude is None:
        return x if x.magnitude is None else y
    total = (-x.magnitude if x.negative else x.magnitude) + (-y.magnitude if y.negative else y.magnitude)
    if not total:
        return Extended(total, negative=x.negative and y.negative)
    return Extended(rounded(abs(total), EXTENDED), negative=total < 0)


def subtract(x: Extended, y: Extended) -> Extended:
    return add(x, -y)


def multiply(x: Extended, y: Extended) -> Extended:
    is_undefined = (x.magnitude is None and not y) or (y.magnitude is None and not x)
    if x.is_nan or y.is_nan or is_undefined:
        return NAN
    negative = x.negative != y.negative
    if x.magnitude is None or y.magnitude is None:
        return Extended(None, negative=negative)
    return Extended(rounded(x.magnitude * y.magnitude, EXTENDED), negative=negative)


def divide(x: Extended, y: Extended) -> Extended:
    is_undefined = (x.magnitude is None and y.magnitude is None) or (not x and not y)
    if x.is_nan or y.is_nan or is_undefined:
        return NAN
    negative = x.negative != y.negative
    if x.magnitude is None or not y:
        return Extended(None, negative=negative)
    if y.magnitude is None:
        return Extended(Fraction(0), negative=negative)
    return Extended(rounded(x.magnitude / y.magnitude, EXTENDED), negative=negative)
