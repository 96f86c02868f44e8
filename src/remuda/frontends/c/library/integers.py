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
    name_of,
    no_effect,
    no_meaning,
    open_result,
    pointed_type,
    result,
    unsupported,
)
from remuda.frontends.c.library.ranges import block
from remuda.frontends.c.library.text import text_length
from remuda.frontends.c.lowering.places import RecordValue
from remuda.frontends.c.syntax.types import CHAR, INT, IntegerType, PointerType, RecordType, VoidType, is_scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term

RAND_MAX: Final = 2147483647
_START: Final = re.compile(r"[ \t\n\v\f\r]*([+-]?)(.*)", re.DOTALL)
_HEXADECIMAL: Final = re.compile(r"0[xX][0-9a-fA-F]")
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def _absolute(calls: CallLowering, node: ast.Call) -> Steps:
    """`abs`. The least integer has no positive counterpart, and stays the same."""
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
    combine = calls.expressions.operators.combine
    by_name = {
        "quot": combine("/", left, type_, right, type_, type_, node),
        "rem": calls.program.arithmetic.binary("%", left, right, type_),
    }
    return RecordValue(tuple([by_name[field.name] for field in record.fields]))


def _number_in(text: str, base: int | None) -> tuple[int, int] | None:
    """The number at the start of a text, as `strtol` reads it, and its number of characters; 0 and 0 if there is no
    number, None if the base is unknown."""
    if base is None or not (base == 0 or 2 <= base <= 36):
        return None
    sign, rest = _START.match(text).groups()  # type: ignore[union-attr]  # it matches every text
    if base in {0, 16} and _HEXADECIMAL.match(rest):
        base, rest = 16, rest[2:]
    elif base == 0:
        base = 8 if rest.startswith("0") else 10
    number, count = 0, 0
    for digit in rest:
        value = _DIGITS.find(digit.lower())
        if not 0 <= value < base:
            break
        number, count = number * base + value, count + 1
    return -number if sign == "-" else number, len(text) - len(rest) + count if count else 0


def _read_number(calls: CallLowering, node: ast.Call) -> Steps:
    """The number at the start of a literal. For other texts, the number and its end are unknown."""
    values = yield arguments(calls, node, ())
    text = literal_of(node.arguments[0])
    base = constant_of(node.arguments[2]) if len(node.arguments) > 2 else 10
    found = None if text is None or not isinstance(node.type, IntegerType) else _number_in(text, base)
    if name_of(node).startswith("strto") and len(node.arguments) > 1 and not is_null(node.arguments[1]):
        _tell_end(calls, node, values, None if found is None else found[1])
    number = None if found is None else _as_read(found[0], node)
    if number is not None:
        return calls.program.arithmetic.literal(number, node.type)
    calls.program.assume("numbers that are read from text are assumed to be any numbers")
    return result(calls, node, None, VoidType())


def _as_read(number: int, node: ast.Call) -> int | None:
    """A number in the type of the call. If it does not fit, `strtol` gives the nearest one, and `atoi` is undefined;
    `strtoul` negates."""
    assert isinstance(node.type, IntegerType)
    least = -(1 << node.type.width - 1) if node.type.signed else 0
    most = (1 << node.type.width - node.type.signed) - 1
    if least <= number <= most:
        return number
    if not name_of(node).startswith("strto"):
        return None
    if node.type.signed:
        return least if number < 0 else most
    return number % (most + 1) if -number <= most and number < 0 else most


def _tell_end(calls: CallLowering, node: ast.Call, values: Sequence[Term], end: int | None) -> None:
    """Write where the number ends, if the program passes a pointer for it: behind `end` characters, or anywhere in
    the text."""
    storage, arithmetic = calls.program.storage, calls.program.arithmetic
    source = block(calls, node, 0, values[0])
    if end is None:
        length = text_length(calls, node, source)
        distance = calls.context.unknown(storage.size_type, node.span, f"length of what {name_of(node)} reads")
        calls.blocks.assume(arithmetic.compare("<=", distance, length, storage.size_type), node.span)
    else:
        distance = storage.layout.number(end)
    target = block(calls, node, 1, values[1])
    given, after = calls.blocks.new("given", node.span), calls.blocks.new("after", node.span)
    calls.blocks.branch(arithmetic.is_nonzero(target.address, storage.pointer), given, after, node.span)
    calls.blocks.enter(given)
    place = calls.addresses.pointed(target.pointer, target.address, PointerType(CHAR))
    calls.accesses.write(place, source.behind(calls, distance).address, node.span)
    calls.blocks.go(after, node.span)


def _random(calls: CallLowering, node: ast.Call) -> Steps:
    yield arguments(calls, node, ())
    return result(calls, node, input_between(calls, node, 0, RAND_MAX), INT)


def _random_with_state(calls: CallLowering, node: ast.Call) -> Steps:
    """`rand_r(&seed)` also changes the seed."""
    address, *_ = yield arguments(calls, node, (None,))
    seed = pointed_type(node.arguments[0])
    if not is_scalar(seed):
        return unsupported(calls, node)
    place = calls.addresses.pointed(node.arguments[0], address, seed)
    calls.accesses.forget(place, node.span, "the next seed")
    return result(calls, node, input_between(calls, node, 0, RAND_MAX), INT)


def _random_fraction(calls: CallLowering, node: ast.Call) -> Steps:
    yield arguments(calls, node, ())
    open_result(calls, node)
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
