"""C's floating types by the IEEE theory of the solvers.

    float           float24e8           double              float53e11
    long double     float64e15          __float128          float113e15

The 80-bit `long double` of x86 writes its leading bit out, but its numbers are those of float64e15. Operations are
rounded to the nearest float, ties to even, in the type that C computes them in: no excess precision, no contraction.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import InternalError, Unsupported
from remuda.terms.float_values import (
    exact,
    from_bits,
    infinity,
    is_nan,
    is_negative_bit,
    is_special,
    nan,
    negate,
    round_fraction,
    round_to_integer,
    zero,
)
from remuda.terms.types import BOOL, REAL, ROUNDING, BvType, FloatType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.syntax.types import FloatingType
    from remuda.terms.store import Terms
    from remuda.terms.term import Term
    from remuda.terms.types import Type
    from remuda.terms.values import FloatValue

_SINGLE: Final = FloatType(24, 8)
_DOUBLE: Final = FloatType(53, 11)
_EXTENDED: Final = FloatType(64, 15)
_QUADRUPLE: Final = FloatType(113, 15)
_BY_NAME: Final = {
    "_Float16": FloatType(11, 5),
    "__fp16": FloatType(11, 5),
    "float": _SINGLE,
    "_Float32": _SINGLE,
    "double": _DOUBLE,
    "_Float64": _DOUBLE,
    "_Float32x": _DOUBLE,
    "__float128": _QUADRUPLE,
    "_Float128": _QUADRUPLE,
    "_Float64x": _EXTENDED,
}

_DECIMAL: Final = re.compile(r"([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")
_HEXADECIMAL: Final = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)")
_LONGEST: Final = 4_000  # characters of a literal; Python reads no longer integers
_EXTREME: Final = 40_000  # binary exponents beyond this are infinite or zero in every format

_ARITHMETIC: Final = {"+": "fp_add", "-": "fp_sub", "*": "fp_mul", "/": "fp_div"}
_ROUNDING_FUNCTIONS: Final = {
    "floor": "RTN",
    "ceil": "RTP",
    "trunc": "RTZ",
    "round": "RNA",
    "rint": "RNE",
    "nearbyint": "RNE",
}
_TESTS: Final = {"isnan": "fp_isNaN", "isinf": "fp_isInfinite", "isnormal": "fp_isNormal"}
_PLAIN_FUNCTIONS: Final = {"fabs": "fp_abs", "fmin": "fp_min", "fmax": "fp_max", "remainder": "fp_rem"}


def format_of(type_: FloatingType) -> FloatType:
    if type_.name == "long double":
        return _DOUBLE if type_.width == 64 else _EXTENDED
    format_ = _BY_NAME.get(type_.name)
    if format_ is None:
        raise Unsupported(None, f"the type {type_}")
    return format_


def is_padded(type_: FloatingType) -> bool:
    """Whether objects of a floating type contain padding."""
    return format_of(type_) == _EXTENDED


def parse_float(text: str, type_: FloatType) -> FloatValue:
    """The float nearest to a number as C writes it; also `inf` and `nan`."""
    if text == "nan":
        return nan(type_)
    if text in {"inf", "-inf"}:
        return infinity(type_, negative=text.startswith("-"))
    if len(text) > _LONGEST:
        raise Unsupported(None, "a floating constant with thousands of digits")
    radix, found = 2, _HEXADECIMAL.fullmatch(text)
    if found is None:
        radix, found = 10, _DECIMAL.fullmatch(text)
    if found is None or not (found[2] or found[3]):
        raise InternalError(f"`{text}` is no floating constant")
    negative = found[1] == "-"
    digits = int(found[2] + found[3], 16 if radix == 2 else 10)
    exponent = int(found[4] or "0") - len(found[3]) * (4 if radix == 2 else 1)
    magnitude = digits.bit_length() + exponent * (1 if radix == 2 else 3)  # a rough binary exponent
    if digits == 0 or magnitude < -_EXTREME:
        return zero(type_, negative=negative)
    if magnitude > _EXTREME:
        return infinity(type_, negative=negative)
    number = digits * Fraction(radix) ** exponent
    return round_fraction(-number if negative else number, type_, "RNE")


@final
class Floats:
    """Terms of the IEEE theory. Literals are converted and negated at once."""

    __slots__ = ("_terms",)

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    # --- values

    def literal(self, text: str, type_: FloatingType) -> Term:
        return self._constant(parse_float(text, format_of(type_)))

    def zero(self, type_: FloatingType) -> Term:
        return self._constant(zero(format_of(type_), negative=False))

    def from_bool(self, condition: Term, type_: FloatingType) -> Term:
        return self._terms.ite(condition, self.literal("1", type_), self.zero(type_))

    def of_bits(self, bits: Term, type_: FloatingType) -> Term:
        """From a bit-vector as wide as the type is stored."""
        format_ = format_of(type_)
        if is_padded(type_):
            bits = self._without_leading_bit(bits)
        if bits.type != BvType(format_.significand + format_.exponent):
            raise Unsupported(None, f"the bits of a {type_}")
        if bits.op == "bv":
            return self._constant(from_bits(bits.payload[0], format_))
        return self._terms.make("to_fp_bits", (bits,), format_, format_)

    def bits_of(self, term: Term, type_: FloatingType) -> Term:
        """The bits of a literal, or those that a float was made from, without padding; the theory has no other
        bits."""
        format_ = format_of(type_)
        if term.op == "to_fp_bits":
            bits = term.args[0]
        else:
            value = _value(term)
            if value is None or is_nan(value):
                raise Unsupported(None, f"the bytes of a {type_}")
            bits = self._terms.bitvector(value.bits, format_.significand + format_.exponent)
        return self._with_leading_bit(bits) if is_padded(type_) else bits

    # x86 stores a `long double` in 80 bits: sign, 15 bits of exponent, leading bit, 63 bits of fraction.

    def _with_leading_bit(self, bits: Term) -> Term:
        """The leading bit is 0 for zero and for what is too small to be normal."""
        terms = self._terms
        head, fraction = terms.extract(bits, 79, 63), terms.extract(bits, 63, 0)
        is_small = terms.eq(terms.extract(bits, 78, 63), terms.bitvector(0, 15))
        leading = terms.ite(is_small, terms.bitvector(0, 1), terms.bitvector(1, 1))
        return terms.concat(terms.concat(head, leading), fraction)

    def _without_leading_bit(self, bits: Term) -> Term:
        """The float without its leading bit. Other leading bits than those of `_with_leading_bit` mean exponent 1 (if
        the exponent is 0), or else NaN."""
        terms = self._terms
        sign, fraction = terms.extract(bits, 80, 79), terms.extract(bits, 63, 0)
        exponent, leading = terms.extract(bits, 79, 64), terms.extract(bits, 64, 63)
        is_small = terms.eq(exponent, terms.bitvector(0, 15))
        is_leading = terms.eq(leading, terms.bitvector(1, 1))
        is_invalid = terms.not_(terms.or_((is_small, is_leading)))
        counted = terms.ite(terms.and_((is_small, is_leading)), terms.bitvector(1, 15), exponent)
        counted = terms.ite(is_invalid, terms.bitvector((1 << 15) - 1, 15), counted)
        rest = terms.ite(is_invalid, terms.bitvector(1 << 62, 63), fraction)
        return terms.concat(terms.concat(sign, counted), rest)

    def _constant(self, value: FloatValue) -> Term:
        return self._terms.float_(value.bits, FloatType(value.significand, value.exponent))

    def _mode(self, name: str = "RNE") -> Term:
        return self._terms.make("rounding", (), name, ROUNDING)

    def _make(self, op: str, *args: Term, type_: Type | None = None) -> Term:
        return self._terms.make(op, args, None, args[-1].type if type_ is None else type_)

    # --- operators

    def unary(self, op: str, operand: Term) -> Term:
        match op:
            case "+":
                return operand
            case "-":
                value = _value(operand)
                return self._make("fp_neg", operand) if value is None else self._constant(negate(value))
            case _:
                raise InternalError(f"`{op}` does not apply to floats")

    def binary(self, op: str, left: Term, right: Term) -> Term:
        name = _ARITHMETIC.get(op)
        if name is None:
            raise InternalError(f"`{op}` does not apply to floats")
        return self._make(name, self._mode(), left, right)

    def compare(self, op: str, left: Term, right: Term) -> Term:
        match op:
            case "==":
                return self._test("fp_eq", left, right)
            case "!=":
                return self._terms.not_(self._test("fp_eq", left, right))
            case "<":
                return self._test("fp_lt", left, right)
            case "<=":
                return self._test("fp_leq", left, right)
            case ">":
                return self._test("fp_lt", right, left)
            case ">=":
                return self._test("fp_leq", right, left)
            case _:
                raise InternalError(f"`{op}` is no comparison")

    def _test(self, op: str, *args: Term) -> Term:
        return self._make(op, *args, type_=BOOL)

    def is_nonzero(self, term: Term) -> Term:
        """NaN is not zero."""
        value = _value(term)
        if value is not None:
            return self._terms.boolean(is_special(value) or exact(value) != 0)
        return self._terms.not_(self._test("fp_isZero", term))

    def function(self, name: str, arguments: Sequence[Term]) -> Term | None:
        """A function of `math.h`, by its name without `f` or `l`; the tests are Booleans. None if it is unknown."""
        first = arguments[0]
        if name in _TESTS:
            return self._test(_TESTS[name], first)
        if name in _ROUNDING_FUNCTIONS:
            return self._make("fp_roundToIntegral", self._mode(_ROUNDING_FUNCTIONS[name]), first)
        if name in _PLAIN_FUNCTIONS:
            return self._make(_PLAIN_FUNCTIONS[name], *arguments)
        match name:
            case "isfinite":
                special = (self._test("fp_isInfinite", first), self._test("fp_isNaN", first))
                return self._terms.not_(self._terms.or_(special))
            case "sqrt" | "fma":
                return self._make(f"fp_{name}", self._mode(), *arguments)
            case "fmod":
                return self._modulo(first, arguments[1])
            case _:
                return None

    def _modulo(self, left: Term, right: Term) -> Term:
        """The remainder with the sign of `left`: the nearest one, moved to the right side of zero."""
        size = self._make("fp_abs", right)
        nearest = self._make("fp_rem", self._make("fp_abs", left), size)
        moved = self._make("fp_add", self._mode(), nearest, size)
        remainder = self._terms.ite(self._test("fp_isNegative", nearest), moved, nearest)
        return self._terms.ite(self._test("fp_isNegative", left), self._make("fp_neg", remainder), remainder)

    # --- conversions

    def convert(self, term: Term, target: FloatingType) -> Term:
        format_ = format_of(target)
        if term.type == format_:
            return term
        value = _value(term)
        if value is None or is_special(value):
            return self._terms.make("to_fp_float", (self._mode(), term), format_, format_)
        return self._constant(
            round_fraction(exact(value), format_, "RNE", negative_zero=is_negative_bit(value)),
        )

    def from_integer(self, term: Term, target: FloatingType, *, signed: bool) -> Term:
        """From a bit-vector or a mathematical integer."""
        format_ = format_of(target)
        if term.op == "int":
            return self._constant(round_fraction(Fraction(term.payload), format_, "RNE"))
        if term.op == "bv":
            number = self._terms.bv2int(term) if signed else self._terms.bv2nat(term)
            return self.from_integer(number, target, signed=signed)
        if isinstance(term.type, BvType):
            op, operand = "to_fp_sbv" if signed else "to_fp_ubv", term
        else:
            op, operand = "to_fp_real", self._terms.to_real(term)
        return self._terms.make(op, (self._mode(), operand), format_, format_)

    def to_bits(self, term: Term, width: int, *, signed: bool) -> Term:
        """Without its fraction, as a bit-vector; any value if it is out of range."""
        whole = _whole(term)
        half = 1 << (width - 1)
        if whole is not None and (-half <= whole < half if signed else 0 <= whole < 2 * half):
            return self._terms.bitvector(whole, width)
        op = "fp_to_sbv" if signed else "fp_to_ubv"
        return self._terms.make(op, (self._mode("RTZ"), term), width, BvType(width))

    def to_integer(self, term: Term) -> Term:
        """Without its fraction, as a mathematical integer; any value if it is not finite."""
        whole = _whole(term)
        if whole is not None:
            return self._terms.integer(whole)
        rounded = self._make("fp_roundToIntegral", self._mode("RTZ"), term)
        return self._terms.to_int(self._make("fp_to_real", rounded, type_=REAL))

    # --- conditions

    def is_between(self, term: Term, smallest: int, largest: int) -> Term:
        """Whether the float is finite and, without its fraction, between the two integers."""
        whole = _whole(term)
        if whole is not None:
            return self._terms.boolean(smallest <= whole <= largest)
        format_ = term.type
        assert isinstance(format_, FloatType)
        # No float lies between a number and what it is rounded to, so strict comparisons stay right.
        low = self._constant(round_fraction(Fraction(smallest - 1), format_, "RTN"))
        high = self._constant(round_fraction(Fraction(largest + 1), format_, "RTP"))
        return self._terms.and_((self._test("fp_lt", low, term), self._test("fp_lt", term, high)))

    def survives(self, term: Term, source: FloatingType, target: FloatingType) -> Term:
        """Whether a conversion between floats loses nothing."""
        return self._terms.eq(self.convert(self.convert(term, target), source), term)

    def is_exact(self, term: Term, target: FloatingType, *, signed: bool, width: int) -> Term:
        """The condition that an integer of `width` bits is exactly a float."""
        format_ = format_of(target)
        if width - signed <= format_.significand:
            return self._terms.true
        converted = self.from_integer(term, target, signed=signed)
        if isinstance(term.type, BvType):
            # Rounding up may need one more bit; the sign needs none.
            back = self.to_bits(converted, width + 2, signed=True)
            same = self._terms.eq(back, self._terms.extend("sign_extend" if signed else "zero_extend", term, 2))
        else:
            same = self._terms.eq(self.to_integer(converted), term)
        finite = self.function("isfinite", (converted,))
        assert finite is not None
        return self._terms.and_((finite, same))


def _value(term: Term) -> FloatValue | None:
    """The float that a literal is."""
    if term.op != "float":
        return None
    bits, significand, exponent = term.payload
    return from_bits(bits, FloatType(significand, exponent))


def _whole(term: Term) -> int | None:
    """The integer part of a finite literal."""
    value = _value(term)
    return None if value is None or is_special(value) else round_to_integer(exact(value), "RTZ")
