"""Operators on numbers, and conversions between them.

Integers are in the range of their type. Floats are Python's, which are `double`; those of type `float` are rounded
after each operation, which is exact because a double has more than twice as many digits. A `long double` is an
`Extended`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from ctypes import c_float
from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax.types import FloatingType, IntegerType
from remuda.machine.extended import (
    DOUBLE,
    EXTENDED,
    SINGLE,
    Extended,
    add,
    divide,
    extended,
    multiply,
    parsed,
    subtract,
)
from remuda.machine.outcomes import Cause, not_modelled

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType

Number = int | float
AnyNumber = int | float | Extended
Report = Callable[[Cause, "Span", str], None]  # of undefined behaviour; returns if the execution may continue
Unary = Callable[[Any], Any]  # numbers of the type that the operator is for
Binary = Callable[[Any, Any], Any]

SINGLE_WIDTH: Final = 32
WIDEST_DOUBLE: Final = 64
COMPARISONS: Final[dict[str, Binary]] = {
    "<": lambda x, y: 1 if x < y else 0,
    ">": lambda x, y: 1 if x > y else 0,
    "<=": lambda x, y: 1 if x <= y else 0,
    ">=": lambda x, y: 1 if x >= y else 0,
    "==": lambda x, y: 1 if x == y else 0,
    "!=": lambda x, y: 1 if x != y else 0,
}


def wrap(value: int, type_: IntegerType) -> int:
    """The value of an integer type that is the same modulo its size."""
    if type_.is_bool:
        return 1 if value else 0
    value &= (1 << type_.width) - 1
    return value - (1 << type_.width) if type_.signed and value >> (type_.width - 1) else value


def limits(type_: IntegerType) -> tuple[int, int]:
    if type_.is_bool:
        return 0, 1
    if type_.signed:
        return -(1 << (type_.width - 1)), (1 << (type_.width - 1)) - 1
    return 0, (1 << type_.width) - 1


def single(value: float) -> float:
    return c_float(value).value


def is_extended(type_: CType) -> bool:
    """Whether a type is `long double`."""
    return isinstance(type_, FloatingType) and type_.width > WIDEST_DOUBLE


def require_double(type_: CType, span: Span) -> None:
    """Demand `double` or `float`: functions of the library compute with nothing else."""
    if is_extended(type_):
        raise not_modelled(span, f"a function on {type_}")


# --- integers


def integer_binary(op: str, type_: IntegerType, span: Span, report: Report) -> Binary:
    """`+ - * / % << >> & ^ |` on integers of one type (the amount of a shift may be of any)."""
    low, high = limits(type_)
    width = type_.width
    text = " ".join(span.text.split())
    if op in {"<<", ">>"}:
        return _shift(op, type_, span, report)
    if op in {"/", "%"}:
        return _divide(op, type_, span, report)
    if op in {"&", "|", "^"}:
        return {"&": lambda x, y: x & y, "|": lambda x, y: x | y, "^": lambda x, y: x ^ y}[op]
    if not type_.signed:
        mask = (1 << width) - 1
        return {
            "+": lambda x, y: (x + y) & mask,
            "-": lambda x, y: (x - y) & mask,
            "*": lambda x, y: (x * y) & mask,
        }[op]

    def overflow(value: Number) -> Number:
        report(Cause.OVERFLOW, span, f"signed overflow in {text}: {value} does not fit into {type_}")
        return wrap(int(value), type_)

    def add(x: Number, y: Number) -> Number:
        value = x + y
        return value if low <= value <= high else overflow(value)

    def subtract(x: Number, y: Number) -> Number:
        value = x - y
        return value if low <= value <= high else overflow(value)

    def multiply(x: Number, y: Number) -> Number:
        value = x * y
        return value if low <= value <= high else overflow(value)

    return {"+": add, "-": subtract, "*": multiply}[op]


def _divide(op: str, type_: IntegerType, span: Span, report: Report) -> Binary:
    text = " ".join(span.text.split())

    def divide(x: Number, y: Number) -> Number:
        assert isinstance(x, int)
        assert isinstance(y, int)
        if y == 0:
            report(Cause.DIVISION, span, f"division by zero in {text}")
            return 0
        quotient = abs(x) // abs(y)
        if (x < 0) != (y < 0):
            quotient = -quotient
        if type_.signed and y == -1 and quotient == 1 << (type_.width - 1):
            report(Cause.OVERFLOW, span, f"signed overflow in {text}: {quotient} does not fit into {type_}")
        return wrap(quotient, type_) if op == "/" else x - quotient * y

    return divide


def _shift(op: str, type_: IntegerType, span: Span, report: Report) -> Binary:
    text = " ".join(span.text.split())
    width = type_.width
    _, high = limits(type_)

    def shift(x: Number, y: Number) -> Number:
        assert isinstance(x, int)
        assert isinstance(y, int)
        if not 0 <= y < width:
            report(Cause.SHIFT, span, f"a shift by {y} in {text}, of {width} bits")
            y %= width
        if op == ">>":
            return x >> y
        value = x << y
        if type_.signed and (x < 0 or value > high):
            report(Cause.OVERFLOW, span, f"signed overflow in {text}: {value} does not fit into {type_}")
        return wrap(value, type_)

    return shift


def integer_unary(op: str, type_: IntegerType, span: Span, report: Report) -> Unary:
    if op == "-":
        subtract = integer_binary("-", type_, span, report)
        return lambda x: subtract(0, x)
    if op == "~":
        return lambda x: wrap(~x, type_)
    return lambda x: x  # `+`


# --- floats


def float_literal(text: str, type_: FloatingType) -> float | Extended:
    """The value of a literal, without its suffix."""
    if is_extended(type_):
        return parsed(text, EXTENDED)
    form = SINGLE if type_.width == SINGLE_WIDTH else DOUBLE
    return parsed(text, form).to(form)


def float_value(value: AnyNumber, type_: FloatingType) -> float | Extended:
    """A number as one of a floating type."""
    if is_extended(type_):
        return extended(value)
    if isinstance(value, Extended):
        return value.to(SINGLE if type_.width == SINGLE_WIDTH else DOUBLE)
    return single(float(value)) if type_.width == SINGLE_WIDTH else float(value)


def float_binary(op: str, type_: FloatingType) -> Binary:
    if is_extended(type_):
        return {"+": add, "-": subtract, "*": multiply, "/": divide}[op]
    exact: dict[str, Callable[[float, float], float]] = {
        "+": lambda x, y: x + y,
        "-": lambda x, y: x - y,
        "*": lambda x, y: x * y,
        "/": divide_floats,
    }
    operation = exact[op]
    return (lambda x, y: single(operation(x, y))) if type_.width == SINGLE_WIDTH else operation


def divide_floats(x: float, y: float) -> float:
    if y != 0:
        return x / y
    if x == 0 or math.isnan(x):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


# --- conversions


def conversion(source: CType, target: CType, span: Span, report: Report) -> Unary:
    """A number of one type as one of another."""
    if isinstance(target, IntegerType) and isinstance(source, IntegerType):
        return _to_integer(source, target)
    if isinstance(target, IntegerType):
        return _truncation(target, span, report)
    assert isinstance(target, FloatingType)
    if is_extended(target):
        return extended
    if is_extended(source):
        return lambda x: x.to(SINGLE if target.width == SINGLE_WIDTH else DOUBLE)
    if target.width == SINGLE_WIDTH:
        return _integer_to_single if isinstance(source, IntegerType) else single
    return float


def _to_integer(source: IntegerType, target: IntegerType) -> Unary:
    if target.is_bool:
        return lambda x: 1 if x else 0
    low, high = limits(target)
    least, most = limits(source)
    if low <= least and most <= high:
        return lambda x: x
    return lambda x: wrap(x, target)


def _integer_to_single(value: Number) -> float:
    """An integer as a `float`, rounded once: an odd last digit keeps the double on the right side of a tie."""
    number = int(value)
    excess = abs(number).bit_length() - 50
    if excess <= 0:
        return single(float(number))
    kept = abs(number) >> excess
    sticky = 1 if abs(number) & ((1 << excess) - 1) else 0
    rounded = math.ldexp(float(kept | sticky), excess)
    return single(-rounded if number < 0 else rounded)


def _truncation(target: IntegerType, span: Span, report: Report) -> Unary:
    if target.is_bool:
        return lambda x: 1 if x else 0
    low, high = limits(target)

    def truncate(value: AnyNumber) -> int:
        if math.isfinite(value) and low <= math.trunc(value) <= high:
            return math.trunc(value)
        report(Cause.CONVERSION, span, f"the conversion of {value} to {target}")
        return 0

    return truncate
