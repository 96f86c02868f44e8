"""Models of math.h. Functions that IEEE 754 defines exactly are exact. Others (`sin`, `pow`, ...) return any number
or, for constant arguments, a number near the right one.

Floats round to the nearest, ties to even, whatever `fesetround` sets. A NaN has no sign in the model: functions that
read its sign get either.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import (
    DOUBLE,
    Compute,
    Model,
    arguments,
    choice,
    guarded,
    guessed,
    name_of,
    no_meaning,
    pointed_type,
    result,
    truth,
)
from remuda.frontends.c.syntax.types import INT, FloatingType, IntegerType, VoidType
from remuda.terms.float_values import exact, from_bits, is_special
from remuda.terms.types import BOOL, FloatType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType, Machine
    from remuda.terms.term import Term

FLOAT: Final = FloatingType(32, "float")
_SUFFIXES: Final = ("", "f", "l")
ERROR: Final = 2.0**-20  # relative error of functions that C does not define exactly; glibc states far smaller ones
MOST_FACTORS: Final = 200  # the largest exponent of powers that are computed exactly
SMALLEST, LARGEST = 1e-30, 1e30  # between which floats of all types have their full precision
# What glibc's fpclassify returns.
_NAN, _INFINITE, _ZERO, _SUBNORMAL, _NORMAL = range(5)


def _type(suffix: str, machine: Machine) -> FloatingType:
    """The type that a function is for: `sqrt`, `sqrtf`, `sqrtl`."""
    match suffix:
        case "f":
            return FLOAT
        case "l":
            return FloatingType(96 if machine.pointer_width == 32 else 128, "long double")
        case _:
            return DOUBLE


def _function(calls: CallLowering, name: str, *values: Term) -> Term:
    found = calls.program.arithmetic.float_function(name, values)
    assert found is not None
    return found


def _test(calls: CallLowering, op: str, value: Term) -> Term:
    return calls.program.terms.make(op, (value,), None, BOOL)


# --- functions from floats to floats


def _floating(suffix: str, count: int, compute: Compute) -> Model:
    """A function on floats of one type, with a result of that type."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        type_ = _type(suffix, calls.program.unit.machine)
        values = yield arguments(calls, node, (type_,) * count)
        return result(calls, node, compute(calls, node, values), type_)

    return guarded(count, model)


def _standard(name: str) -> Compute:
    """The operation of the arithmetic with this name."""

    def compute(calls: CallLowering, _node: ast.Call, values: Sequence[Term]) -> Term:
        return _function(calls, name, *values)

    return compute


def _is_negative(calls: CallLowering, node: ast.Call, value: Term) -> Term:
    """The sign bit; that of a NaN is unknown."""
    sign = _test(calls, "fp_isNegative", value)
    return calls.program.terms.ite(_function(calls, "isnan", value), choice(calls, node, "sign of NaN"), sign)


def _copy_sign(calls: CallLowering, node: ast.Call, values: Sequence[Term]) -> Term:
    size = _function(calls, "fabs", values[0])
    negative = calls.program.arithmetic.unary("-", size, DOUBLE)
    return calls.program.terms.ite(_is_negative(calls, node, values[1]), negative, size)


def _extreme(op: str) -> Compute:
    """`fmin` and `fmax`: the other one if one is NaN, and either of zeros that differ in sign only."""

    def compute(calls: CallLowering, node: ast.Call, values: Sequence[Term]) -> Term:
        left, right = values
        terms, compare = calls.program.terms, calls.program.arithmetic.compare
        tie = terms.and_((compare("==", left, right, DOUBLE), choice(calls, node, "which zero")))
        first = terms.or_((compare(op, left, right, DOUBLE), tie, _function(calls, "isnan", right)))
        is_left = terms.and_((terms.not_(_function(calls, "isnan", left)), first))
        return terms.ite(is_left, left, right)

    return compute


_FUNCTIONS: Final[dict[str, tuple[int, Compute]]] = {
    **{
        name: (1, _standard(name))
        for name in ("fabs", "sqrt", "floor", "ceil", "trunc", "round", "rint", "nearbyint")
    },
    "roundeven": (1, _standard("rint")),
    "fmod": (2, _standard("fmod")),
    "remainder": (2, _standard("remainder")),
    "drem": (2, _standard("remainder")),
    "fma": (3, _standard("fma")),
    "fmin": (2, _extreme("<")),
    "fmax": (2, _extreme(">")),
    "copysign": (2, _copy_sign),
}


# --- to integers


def _to_integer(name: str, suffix: str) -> Model:
    """`lround` and its like. A number that does not fit becomes any value."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        type_ = _type(suffix, calls.program.unit.machine)
        values = yield arguments(calls, node, (type_,))
        return result(calls, node, _function(calls, name, *values[:1]), type_)

    return guarded(1, model)


# --- tests


def _floating_type(node: ast.Expression) -> CType:
    """Tests take floats of any type."""
    return node.type if isinstance(node.type, FloatingType) else DOUBLE


def _tested(compute: Compute) -> Model:
    """A test of a float of any type."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        values = yield arguments(calls, node, [_floating_type(argument) for argument in node.arguments])
        return result(calls, node, compute(calls, node, values), INT)

    return model


def _one_if(name: str) -> Compute:
    def compute(calls: CallLowering, _node: ast.Call, values: Sequence[Term]) -> Term:
        return calls.program.arithmetic.from_bool(_function(calls, name, values[0]), INT)

    return compute


def _infinite_sign(calls: CallLowering, _node: ast.Call, values: Sequence[Term]) -> Term:
    """glibc's `isinf`, which distinguishes the infinities."""
    arithmetic, terms = calls.program.arithmetic, calls.program.terms
    negative = _test(calls, "fp_isNegative", values[0])
    sign = terms.ite(negative, arithmetic.literal(-1, INT), arithmetic.literal(1, INT))
    return terms.ite(_function(calls, "isinf", values[0]), sign, arithmetic.literal(0, INT))


def _sign_bit(calls: CallLowering, node: ast.Call, values: Sequence[Term]) -> Term:
    return truth(calls, node, _is_negative(calls, node, values[0]))


def _classify(calls: CallLowering, _node: ast.Call, values: Sequence[Term]) -> Term:
    arithmetic = calls.program.arithmetic
    kinds = [arithmetic.literal(kind, INT) for kind in (_NAN, _INFINITE, _NORMAL, _SUBNORMAL, _ZERO)]
    return _class(calls, values[0], kinds)


def _class(calls: CallLowering, value: Term, kinds: Sequence[Term]) -> Term:
    """Which of the kinds NaN, infinite, normal, subnormal and zero a float is of."""
    terms = calls.program.terms
    tests = ("fp_isNaN", "fp_isInfinite", "fp_isNormal", "fp_isSubnormal")
    chosen = kinds[-1]
    for test, kind in zip(tests, kinds, strict=False):
        chosen = terms.ite(_test(calls, test, value), kind, chosen)
    return chosen


def _classify_as_told(calls: CallLowering, node: ast.Call) -> Steps:
    """`__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`."""
    values = yield arguments(calls, node, (*(INT,) * 5, _floating_type(node.arguments[5])))
    return result(calls, node, _class(calls, values[5], values[:5]), INT)


def _compared(op: str) -> Compute:
    """`isgreater` and its like: comparisons, which are silent about NaN."""

    def compute(calls: CallLowering, node: ast.Call, values: Sequence[Term]) -> Term:
        left, right, type_ = _common(calls, node, values)
        return calls.program.arithmetic.from_bool(calls.program.arithmetic.compare(op, left, right, type_), INT)

    return compute


def _unordered(calls: CallLowering, _node: ast.Call, values: Sequence[Term]) -> Term:
    one_is_nan = calls.program.terms.or_([_function(calls, "isnan", value) for value in values[:2]])
    return calls.program.arithmetic.from_bool(one_is_nan, INT)


def _less_or_greater(calls: CallLowering, node: ast.Call, values: Sequence[Term]) -> Term:
    left, right, type_ = _common(calls, node, values)
    arithmetic = calls.program.arithmetic
    either = [arithmetic.compare(op, left, right, type_) for op in ("<", ">")]
    return arithmetic.from_bool(calls.program.terms.or_(either), INT)


def _common(calls: CallLowering, node: ast.Call, values: Sequence[Term]) -> tuple[Term, Term, CType]:
    """Two floats in the wider of their types."""
    types = [_floating_type(argument) for argument in node.arguments[:2]]
    assert isinstance(types[0], FloatingType)
    assert isinstance(types[1], FloatingType)
    wide = types[0] if types[0].width >= types[1].width else types[1]
    left, right = [
        calls.program.arithmetic.convert(value, type_, wide) for value, type_ in zip(values, types, strict=False)
    ]
    return left, right, wide


_TESTS: Final[dict[str, tuple[int, Compute]]] = {
    "isnan": (1, _one_if("isnan")),
    "isinf": (1, _infinite_sign),
    "isinf_sign": (1, _infinite_sign),
    "isfinite": (1, _one_if("isfinite")),
    "finite": (1, _one_if("isfinite")),
    "isnormal": (1, _one_if("isnormal")),
    "signbit": (1, _sign_bit),
    "fpclassify": (1, _classify),
    "isgreater": (2, _compared(">")),
    "isgreaterequal": (2, _compared(">=")),
    "isless": (2, _compared("<")),
    "islessequal": (2, _compared("<=")),
    "islessgreater": (2, _less_or_greater),
    "isunordered": (2, _unordered),
}
_TEST_NAMES: Final = {
    f"{prefix}{name}{suffix}": guarded(count, _tested(compute))
    for name, (count, compute) in _TESTS.items()
    for prefix in ("", "__", "__builtin_")
    for suffix in _SUFFIXES
}


# --- constants


def _constant(text: str, suffix: str) -> Model:
    """Infinity or a NaN, which has no payload here."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        type_ = _type(suffix, calls.program.unit.machine)
        return result(calls, node, calls.program.arithmetic.float_literal(text, type_), type_)

    return model


_CONSTANTS: Final = {
    **{f"__builtin_{name}": "inf" for name in ("inf", "huge_val")},
    **dict.fromkeys(("nan", "__builtin_nan", "__builtin_nans"), "nan"),
}


# --- what is not computed


def _any_number(name: str, suffix: str) -> Model:
    """A function that no solver computes. For constant arguments, the result is known up to an error."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        type_ = _type(suffix, calls.program.unit.machine)
        values = yield arguments(calls, node, [type_ for argument in node.arguments])
        known = _value_of(name, values)
        if known is None or not isinstance(node.type, FloatingType):
            calls.program.assume(f"{name_of(node)} is assumed to return any number")
            return result(calls, node, None, VoidType())
        power = _exact_power(values, type_) if name == "pow" else None
        if power is not None:
            calls.program.assume(f"{name_of(node)} is assumed to be exact where a float is the exact result")
            return result(calls, node, calls.program.arithmetic.float_literal(repr(power), type_), type_)
        calls.program.assume(f"{name_of(node)} of constants is assumed to be right to one part in a million")
        arithmetic, near = calls.program.arithmetic, calls.context.unknown(type_, node.span, node.span.text)
        least, most = sorted((known * (1 - ERROR), known * (1 + ERROR)))
        for low, high in (
            (arithmetic.float_literal(repr(least), type_), near),
            (near, arithmetic.float_literal(repr(most), type_)),
        ):
            calls.blocks.assume(arithmetic.compare("<=", low, high, type_), node.span)
        return result(calls, node, near, type_)

    return model


def _value_of(name: str, values: Sequence[Term]) -> float | None:
    """The value of a function for constant arguments, if it is a number of an ordinary size."""
    compute = getattr(math, {"tgamma": "gamma"}.get(name, name), None)
    known = [_constant_of(value) for value in values]
    numbers = [each for each in known if each is not None]
    if compute is None or not numbers or len(numbers) < len(known):
        return None
    try:
        found = float(compute(*numbers))
    except (ValueError, OverflowError, TypeError):
        return None
    return found if found == 0 or SMALLEST < abs(found) < LARGEST else None


def _exact_power(values: Sequence[Term], type_: FloatingType) -> float | None:
    """An integer power of a constant, if the type can represent it: `pow(2, 10)`."""
    base, exponent = [_constant_of(value) for value in values]
    if not base or exponent is None or exponent != int(exponent) or abs(exponent) > MOST_FACTORS:
        return None
    exact_power = Fraction(base) ** int(exponent)
    significand = {32: 24, 64: 53}.get(type_.width, 0)
    if not SMALLEST < abs(exact_power) < LARGEST or not _has_few_bits(exact_power, significand):
        return None
    return float(exact_power)


def _has_few_bits(number: Fraction, count: int) -> bool:
    """Whether a float with this precision in bits can be exactly this number (of an ordinary size)."""
    top, bottom = abs(number.numerator), number.denominator
    is_binary = bottom & (bottom - 1) == 0
    return is_binary and (top // (top & -top)).bit_length() <= count


def _constant_of(term: Term) -> float | None:
    if term.op != "float":
        return None
    bits, significand, exponent = term.payload
    value = from_bits(bits, FloatType(significand, exponent))
    return None if is_special(value) else float(exact(value))


def _any_parts(calls: CallLowering, node: ast.Call) -> Steps:
    """`frexp`, `modf` return one part, and write the other where the last argument points to."""
    values = yield arguments(calls, node, ())
    target = pointed_type(node.arguments[-1])
    if not isinstance(target, FloatingType | IntegerType):
        calls.context.unsupported(f"a call of {name_of(node)}", node.span)
        return result(calls, node, None, VoidType())
    calls.program.assume(f"{name_of(node)} is assumed to compute any numbers")
    place = calls.addresses.pointed(node.arguments[-1], values[-1], target)
    calls.accesses.forget(place, node.span, name_of(node))
    return result(calls, node, None, VoidType())


_UNKNOWN: Final = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "atan2"),
    *("exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "logb", "ilogb", "pow", "cbrt", "hypot"),
    *("erf", "erfc", "tgamma", "lgamma", "ldexp", "scalbn", "scalbln", "nextafter", "nexttoward", "fdim"),
)


FLOATS: Final[dict[str, Model]] = {
    **{
        f"{name}{suffix}": _floating(suffix, count, compute)
        for name, (count, compute) in _FUNCTIONS.items()
        for suffix in _SUFFIXES
    },
    **{
        f"{size}{name}{suffix}": _to_integer(name, suffix)
        for name in ("round", "rint")
        for size in ("l", "ll")
        for suffix in _SUFFIXES
    },
    **_TEST_NAMES,
    "__builtin_fpclassify": guarded(6, _classify_as_told),
    **{f"{name}{suffix}": _constant(text, suffix) for name, text in _CONSTANTS.items() for suffix in _SUFFIXES},
    **{f"{name}{suffix}": guessed(_any_number(name, suffix)) for name in _UNKNOWN for suffix in _SUFFIXES},
    **{f"{name}{suffix}": guessed(guarded(2, _any_parts)) for name in ("frexp", "modf") for suffix in _SUFFIXES},
    **dict.fromkeys(("fesetround", "fegetround", "feholdexcept", "fesetenv"), no_meaning),
}
