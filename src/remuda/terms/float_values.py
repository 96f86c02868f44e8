"""IEEE floats as values: the layout of their bits, their exact values, and rounding."""

from __future__ import annotations

from fractions import Fraction

from remuda.terms.types import FloatType
from remuda.terms.values import FloatValue

# --- formats: the layout of the bits


def _fraction_bits(type_: FloatType) -> int:
    return type_.significand - 1


def _largest_exponent(type_: FloatType) -> int:
    return (1 << (type_.exponent - 1)) - 1


def _smallest_exponent(type_: FloatType) -> int:
    return 1 - _largest_exponent(type_)


def type_of(value: FloatValue) -> FloatType:
    return FloatType(value.significand, value.exponent)


def _assemble(type_: FloatType, *, negative: bool, exponent: int, fraction: int) -> FloatValue:
    bits = (int(negative) << type_.exponent | exponent) << _fraction_bits(type_) | fraction
    return FloatValue(bits, type_.significand, type_.exponent)


def nan(type_: FloatType) -> FloatValue:
    """The one NaN: quiet, positive, no payload."""
    top = (1 << type_.exponent) - 1
    return _assemble(type_, negative=False, exponent=top, fraction=1 << (_fraction_bits(type_) - 1))


def infinity(type_: FloatType, *, negative: bool) -> FloatValue:
    return _assemble(type_, negative=negative, exponent=(1 << type_.exponent) - 1, fraction=0)


def zero(type_: FloatType, *, negative: bool) -> FloatValue:
    return _assemble(type_, negative=negative, exponent=0, fraction=0)


def from_bits(bits: int, type_: FloatType) -> FloatValue:
    value = FloatValue(bits, type_.significand, type_.exponent)
    return nan(type_) if is_nan(value) else value


# --- reading a float


def is_negative_bit(value: FloatValue) -> bool:
    return bool(value.bits >> (value.significand + value.exponent - 1) & 1)


def _exponent_field(value: FloatValue) -> int:
    return value.bits >> (value.significand - 1) & ((1 << value.exponent) - 1)


def _fraction_field(value: FloatValue) -> int:
    return value.bits & ((1 << (value.significand - 1)) - 1)


def is_special(value: FloatValue) -> bool:
    """Whether a float is an infinity or NaN."""
    return _exponent_field(value) == (1 << value.exponent) - 1


def is_nan(value: FloatValue) -> bool:
    return is_special(value) and _fraction_field(value) != 0


def is_infinite(value: FloatValue) -> bool:
    return is_special(value) and _fraction_field(value) == 0


def is_zero(value: FloatValue) -> bool:
    return _exponent_field(value) == 0 and _fraction_field(value) == 0


def is_subnormal(value: FloatValue) -> bool:
    return _exponent_field(value) == 0 and _fraction_field(value) != 0


def is_normal(value: FloatValue) -> bool:
    return _exponent_field(value) != 0 and not is_special(value)


def exact(value: FloatValue) -> Fraction:
    """The exact value of a finite float."""
    type_ = type_of(value)
    field, fraction = _exponent_field(value), _fraction_field(value)
    if field:
        fraction |= 1 << _fraction_bits(type_)
    exponent = max(field, 1) - _largest_exponent(type_) - _fraction_bits(type_)
    magnitude = Fraction(fraction) * Fraction(2) ** exponent
    return -magnitude if is_negative_bit(value) else magnitude


# --- rounding


def binary_exponent(magnitude: Fraction) -> int:
    """The largest k with 2^k <= magnitude."""
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if Fraction(2) ** guess <= magnitude else guess - 1


def _rounds_up(mode: str, *, negative: bool, odd: bool, rest: Fraction) -> bool:
    """Whether a magnitude with this fractional rest (between 0 and 1) is rounded away from zero."""
    half = Fraction(1, 2)
    match mode:
        case "RNE":
            return rest > half or (rest == half and odd)
        case "RNA":
            return rest >= half
        case "RTP":
            return rest > 0 and not negative
        case "RTN":
            return rest > 0 and negative
        case _:
            return False


def round_to_integer(number: Fraction, mode: str) -> int:
    magnitude = abs(number)
    whole = magnitude.numerator // magnitude.denominator
    negative = number < 0
    if _rounds_up(mode, negative=negative, odd=bool(whole & 1), rest=magnitude - whole):
        whole += 1
    return -whole if negative else whole


def _overflow(type_: FloatType, mode: str, *, negative: bool) -> FloatValue:
    if mode in {"RNE", "RNA"} or mode == ("RTN" if negative else "RTP"):
        return infinity(type_, negative=negative)
    top = (1 << type_.exponent) - 2
    return _assemble(type_, negative=negative, exponent=top, fraction=(1 << _fraction_bits(type_)) - 1)


def round_fraction(number: Fraction, type_: FloatType, mode: str, *, negative_zero: bool = False) -> FloatValue:
    """The float for a number; `negative_zero` is the sign of an exact zero."""
    if number == 0:
        return zero(type_, negative=negative_zero)
    negative = number < 0
    exponent = max(binary_exponent(abs(number)), _smallest_exponent(type_))
    unit = Fraction(2) ** (exponent - _fraction_bits(type_))
    significand = abs(round_to_integer(number / unit, mode))
    if significand >> type_.significand:  # rounding up filled every bit: one binary digit more
        significand >>= 1
        exponent += 1
    if exponent > _largest_exponent(type_):
        return _overflow(type_, mode, negative=negative)
    if not significand >> _fraction_bits(type_):
        return _assemble(type_, negative=negative, exponent=0, fraction=significand)
    fraction = significand & ((1 << _fraction_bits(type_)) - 1)
    return _assemble(type_, negative=negative, exponent=exponent + _largest_exponent(type_), fraction=fraction)


def negate(value: FloatValue) -> FloatValue:
    if is_nan(value):
        return value
    sign = 1 << (value.significand + value.exponent - 1)
    return FloatValue(value.bits ^ sign, value.significand, value.exponent)


def float_text(value: FloatValue) -> str:
    """The text of a float for users."""
    sign = "-" if is_negative_bit(value) else ""
    if is_nan(value):
        return "NaN"
    if is_infinite(value):
        return f"{sign}oo"
    if is_zero(value):
        return f"{sign}0.0"
    number = exact(value)
    try:
        return repr(float(number))
    except OverflowError:
        return f"{number.numerator}/{number.denominator}"
