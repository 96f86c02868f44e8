"""Operations on IEEE floats, exactly: each is computed on fractions and rounded once.

Operators are SMT-LIB's `fp.*` with dots as underscores. None means that SMT-LIB leaves the result open
(`fp.to_real` of an infinity, `fp.min` of zeros of different sign, conversions out of range).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, Any, Final

from remuda.terms.bit_operators import signed
from remuda.terms.float_values import (
    binary_exponent,
    exact,
    from_bits,
    infinity,
    is_infinite,
    is_nan,
    is_negative_bit,
    is_normal,
    is_special,
    is_subnormal,
    is_zero,
    nan,
    negate,
    round_fraction,
    round_to_integer,
    type_of,
    zero,
)
from remuda.terms.types import BvType, FloatType

if TYPE_CHECKING:
    from remuda.replay.operators import Operation
    from remuda.terms.term import Term
    from remuda.terms.values import FloatValue

# --- arithmetic


def absolute(value: FloatValue) -> FloatValue:
    return negate(value) if is_negative_bit(value) else value


def add(mode: str, left: FloatValue, right: FloatValue) -> FloatValue:
    type_ = type_of(left)
    if is_nan(left) or is_nan(right):
        return nan(type_)
    if is_infinite(left) or is_infinite(right):
        if is_infinite(left) and is_infinite(right) and left != right:
            return nan(type_)
        return left if is_infinite(left) else right
    both_negative = is_negative_bit(left) and is_negative_bit(right)
    same_sign = is_negative_bit(left) == is_negative_bit(right)
    negative_zero = both_negative if same_sign else mode == "RTN"
    return round_fraction(exact(left) + exact(right), type_, mode, negative_zero=negative_zero)


def multiply(mode: str, left: FloatValue, right: FloatValue) -> FloatValue:
    type_ = type_of(left)
    negative = is_negative_bit(left) != is_negative_bit(right)
    if is_nan(left) or is_nan(right):
        return nan(type_)
    if is_infinite(left) or is_infinite(right):
        return nan(type_) if is_zero(left) or is_zero(right) else infinity(type_, negative=negative)
    return round_fraction(exact(left) * exact(right), type_, mode, negative_zero=negative)


def divide(mode: str, left: FloatValue, right: FloatValue) -> FloatValue:
    type_ = type_of(left)
    negative = is_negative_bit(left) != is_negative_bit(right)
    if is_nan(left) or is_nan(right) or (is_infinite(left) and is_infinite(right)):
        return nan(type_)
    if is_infinite(left):
        return infinity(type_, negative=negative)
    if is_infinite(right):
        return zero(type_, negative=negative)
    if is_zero(right):
        return nan(type_) if is_zero(left) else infinity(type_, negative=negative)
    return round_fraction(exact(left) / exact(right), type_, mode, negative_zero=negative)


def fused_multiply_add(mode: str, left: FloatValue, right: FloatValue, addend: FloatValue) -> FloatValue:
    type_ = type_of(left)
    if not (is_nan(left) or is_nan(right) or is_infinite(left) or is_infinite(right)):
        if is_nan(addend) or is_infinite(addend):
            return addend
        negative = is_negative_bit(left) != is_negative_bit(right)
        same_sign = negative == is_negative_bit(addend)
        negative_zero = negative if same_sign else mode == "RTN"
        number = exact(left) * exact(right) + exact(addend)
        return round_fraction(number, type_, mode, negative_zero=negative_zero)
    return add(mode, multiply(mode, left, right), addend)


def square_root(mode: str, value: FloatValue) -> FloatValue:
    type_ = type_of(value)
    if is_nan(value) or is_zero(value):
        return value
    if is_negative_bit(value):
        return nan(type_)
    if is_infinite(value):
        return value
    return round_fraction(_root_with_sticky_bit(exact(value), type_.significand), type_, mode)


def _root_with_sticky_bit(number: Fraction, precision: int) -> Fraction:
    """A fraction that rounds as the square root does: many digits of it, plus half a digit if it is inexact."""
    shift = max(0, 2 * precision + 4 - binary_exponent(number))
    shift += shift % 2
    scaled = number * 2**shift
    root = isqrt(scaled.numerator // scaled.denominator)
    inexact = root * root != scaled
    return (Fraction(root) + Fraction(int(inexact), 2)) / (1 << (shift // 2))


def remainder(left: FloatValue, right: FloatValue) -> FloatValue:
    type_ = type_of(left)
    if is_nan(left) or is_nan(right) or is_infinite(left) or is_zero(right):
        return nan(type_)
    if is_infinite(right):
        return left
    first, second = exact(left), exact(right)
    number = first - second * round_to_integer(first / second, "RNE")
    return round_fraction(number, type_, "RNE", negative_zero=is_negative_bit(left))


def round_to_integral(mode: str, value: FloatValue) -> FloatValue:
    if is_special(value) or is_zero(value):
        return value
    number = Fraction(round_to_integer(exact(value), mode))
    return round_fraction(number, type_of(value), mode, negative_zero=is_negative_bit(value))


# --- comparisons


def _key(value: FloatValue) -> Fraction | float:
    """Ordered as IEEE orders floats; not for NaN."""
    if is_infinite(value):
        return float("-inf") if is_negative_bit(value) else float("inf")
    return exact(value)


def _compares(relation: Callable[[Any, Any], bool]) -> Operation:
    def operation(_: Term, values: Sequence[Any]) -> bool:
        keys = [None if is_nan(value) else _key(value) for value in values]
        return None not in keys and all(relation(left, right) for left, right in pairwise(keys))

    return operation


def _extreme(values: Sequence[Any], *, smallest: bool) -> FloatValue | None:
    left: FloatValue = values[0]
    right: FloatValue = values[1]
    if is_nan(left) or is_nan(right):
        return right if is_nan(left) else left
    if is_zero(left) and is_zero(right):
        return left if left == right else None
    return left if (_key(left) <= _key(right)) == smallest else right


# --- conversions


def _from_float(term: Term, values: Sequence[Any]) -> FloatValue:
    mode, value = values
    type_: FloatType = term.payload
    if is_nan(value):
        return nan(type_)
    negative = is_negative_bit(value)
    if is_infinite(value):
        return infinity(type_, negative=negative)
    return round_fraction(exact(value), type_, mode, negative_zero=negative)


def _from_signed(term: Term, values: Sequence[Any]) -> FloatValue:
    argument = term.args[1].type
    assert isinstance(argument, BvType)
    return round_fraction(Fraction(signed(values[1], argument.width)), term.payload, values[0])


def _to_bits(term: Term, values: Sequence[Any], *, low: int, high: int) -> int | None:
    mode, value = values
    if is_special(value):
        return None
    number = round_to_integer(exact(value), mode)
    return number % (1 << term.payload) if low <= number < high else None


FLOAT_OPERATIONS: Final[dict[str, Operation]] = {
    "fp_abs": lambda _, values: absolute(values[0]),
    "fp_neg": lambda _, values: negate(values[0]),
    "fp_add": lambda _, values: add(*values),
    "fp_sub": lambda _, values: add(values[0], values[1], negate(values[2])),
    "fp_mul": lambda _, values: multiply(*values),
    "fp_div": lambda _, values: divide(*values),
    "fp_fma": lambda _, values: fused_multiply_add(*values),
    "fp_sqrt": lambda _, values: square_root(*values),
    "fp_rem": lambda _, values: remainder(*values),
    "fp_roundToIntegral": lambda _, values: round_to_integral(*values),
    "fp_min": lambda _, values: _extreme(values, smallest=True),
    "fp_max": lambda _, values: _extreme(values, smallest=False),
    "fp_leq": _compares(lambda left, right: bool(left <= right)),
    "fp_lt": _compares(lambda left, right: bool(left < right)),
    "fp_geq": _compares(lambda left, right: bool(left >= right)),
    "fp_gt": _compares(lambda left, right: bool(left > right)),
    "fp_eq": _compares(lambda left, right: bool(left == right)),
    "fp_isNormal": lambda _, values: is_normal(values[0]),
    "fp_isSubnormal": lambda _, values: is_subnormal(values[0]),
    "fp_isZero": lambda _, values: is_zero(values[0]),
    "fp_isInfinite": lambda _, values: is_infinite(values[0]),
    "fp_isNaN": lambda _, values: is_nan(values[0]),
    "fp_isNegative": lambda _, values: is_negative_bit(values[0]) and not is_nan(values[0]),
    "fp_isPositive": lambda _, values: not is_negative_bit(values[0]) and not is_nan(values[0]),
    "to_fp_real": lambda term, values: round_fraction(Fraction(values[1]), term.payload, values[0]),
    "to_fp_bits": lambda term, values: from_bits(values[0], term.payload),
    "to_fp_float": _from_float,
    "to_fp_sbv": _from_signed,
    "to_fp_ubv": lambda term, values: round_fraction(Fraction(values[1]), term.payload, values[0]),
    "fp_to_real": lambda _, values: None if is_special(values[0]) else exact(values[0]),
    "fp_to_ubv": lambda term, values: _to_bits(term, values, low=0, high=1 << term.payload),
    "fp_to_sbv": lambda term, values: _to_bits(
        term, values, low=-(1 << (term.payload - 1)), high=1 << (term.payload - 1)
    ),
}
