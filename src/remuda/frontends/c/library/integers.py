"""Models of the integers in stdlib.h: absolute values, quotients, numbers read from text, random numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import (
    DOUBLE,
    Model,
    arguments,
    constant_of,
    guarded,
    guessed,
    input_between,
    is_null,
    literal_of,
    no_effect,
    no_meaning,
    nothing,
    pointed_type,
    result,
    unsupported,
)
from remuda.frontends.c.lowering.places import RecordValue
from remuda.frontends.c.syntax.types import INT, IntegerType, RecordType, is_scalar

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast

RAND_MAX: Final = 2147483647
_START: Final = re.compile(r"[ \t\n\v\f\r]*([+-]?)(.*)", re.DOTALL)
_HEXADECIMAL: Final = re.compile(r"0[xX][0-9a-fA-F]")
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def _absolute(calls: CallLowering, node: ast.Call) -> Steps:
    """The least integer has no counterpart, and stays what it is."""
    type_ = node.type if isinstance(node.type, IntegerType) else INT
    (value, *_) = yield arguments(calls, node, (type_,))
    arithmetic = calls.program.arithmetic
    zero = arithmetic.literal(0, type_)
    calls.checks.overflow("-", zero, value, type_, node.span)
    is_negative = arithmetic.compare("<", value, zero, type_)
    absolute = calls.program.terms.ite(is_negative, arithmetic.unary("-", value, type_), value)
    return result(calls, node, absolute, type_)


def _divide(calls: CallLowering, node: ast.Call) -> Steps:
    """`div(a, b)`: a record of the quotient and the remainder, in either order."""
    record = node.type
    if not isinstance(record, RecordType) or {field.name for field in record.fields} != {"quot", "rem"}:
        return unsupported(calls, node)
    type_ = record.fields[0].type
    left, right, *_ = yield arguments(calls, node, (type_, type_))
    combine = calls.expressions.combine
    by_name = {
        "quot": combine("/", left, type_, right, type_, type_, node),
        "rem": calls.program.arithmetic.binary("%", left, right, type_),
    }
    return RecordValue(tuple([by_name[field.name] for field in record.fields]))


def _number_in(text: str, base: int | None) -> int | None:
    """The number that a text begins with, as `strtol` reads it; 0 if there is none, None if that is not known."""
    if base is None or not (base == 0 or 2 <= base <= 36):
        return None
    sign, rest = _START.match(text).groups()  # type: ignore[union-attr]  # it matches every text
    if base in {0, 16} and _HEXADECIMAL.match(rest):
        base, rest = 16, rest[2:]
    elif base == 0:
        base = 8 if rest.startswith("0") else 10
    number = 0
    for digit in rest:
        value = _DIGITS.find(digit.lower())
        if not 0 <= value < base:
            break
        number = number * base + value
    return -number if sign == "-" else number


def _read_number(calls: CallLowering, node: ast.Call) -> Steps:
    """The number at the start of a literal; what another text stands for, and where the number ends, is not modelled."""
    if len(node.arguments) > 1 and not is_null(node.arguments[1]):
        return unsupported(calls, node, f"a call of {node.span.text} that tells where the number ends")
    text = literal_of(node.arguments[0])
    base = constant_of(node.arguments[2]) if len(node.arguments) > 2 else 10
    if text is not None and isinstance(node.type, IntegerType):
        number = _number_in(text, base)
        least = -(1 << node.type.width - 1) if node.type.signed else 0
        if number is not None and least <= number < 1 << node.type.width - node.type.signed:
            return calls.program.arithmetic.literal(number, node.type)
    calls.program.assume("numbers that are read from text are assumed to be any numbers")
    return nothing(calls, node)


def _random(calls: CallLowering, node: ast.Call) -> Steps:
    yield arguments(calls, node, ())
    return result(calls, node, input_between(calls, node, 0, RAND_MAX), INT)


def _random_with_state(calls: CallLowering, node: ast.Call) -> Steps:
    """`rand_r(&seed)` also gives the seed another value."""
    address, *_ = yield arguments(calls, node, (None,))
    seed = pointed_type(node.arguments[0])
    if not is_scalar(seed):
        return unsupported(calls, node)
    place = calls.expressions.pointed(node.arguments[0], address, seed)
    calls.expressions.forget(place, node.span, "the next seed")
    return result(calls, node, input_between(calls, node, 0, RAND_MAX), INT)


def _random_fraction(calls: CallLowering, node: ast.Call) -> Steps:
    yield arguments(calls, node, ())
    value = calls.context.unknown(DOUBLE, node.span, node.span.text)
    arithmetic = calls.program.arithmetic
    least, limit = arithmetic.float_literal("0", DOUBLE), arithmetic.float_literal("1", DOUBLE)
    for condition in (
        arithmetic.compare("<=", least, value, DOUBLE),
        arithmetic.compare("<", value, limit, DOUBLE),
    ):
        calls.blocks.assume(condition, node.span)
    return result(calls, node, value, DOUBLE)


INTEGERS: Final[dict[str, Model]] = {
    **dict.fromkeys(("abs", "labs", "llabs", "imaxabs"), guarded(1, _absolute)),
    **dict.fromkeys(("div", "ldiv", "lldiv", "imaxdiv"), guarded(2, _divide)),
    **dict.fromkeys(
        ("atoi", "atol", "atoll", "atof", "strtol", "strtoll", "strtoul", "strtoull", "strtod", "strtof", "strtold"),
        guessed(guarded(1, _read_number)),
    ),
    **dict.fromkeys(("rand", "random", "lrand48"), _random),
    "rand_r": guarded(1, _random_with_state),
    "drand48": _random_fraction,
    **dict.fromkeys(("srand", "srandom", "srand48"), no_effect),
    **dict.fromkeys(("qsort", "bsearch", "qsort_r"), no_meaning),
}
