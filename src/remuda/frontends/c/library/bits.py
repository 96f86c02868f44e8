"""Models of the compiler's functions on the bits of integers, and of its arithmetic with overflow checks.

__builtin_ctz(x)                   the position of the lowest bit of x that is set; undefined if none is
__builtin_add_overflow(a, b, &r)   r = a + b, wrapped around; returns whether it overflows
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import Model, arguments, guarded, integer_type, pointed_type, pure, result
from remuda.frontends.c.library.names import OVERFLOW_NAMES
from remuda.frontends.c.syntax.types import BOOL, INT, IntegerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term

OnBits = Callable[["CallLowering", "ast.Call", "Term", IntegerType], "Term"]


def _unsigned(width: int) -> IntegerType:
    return IntegerType(width, signed=False, name="unsigned")


def _bits(calls: CallLowering, value: Term, type_: IntegerType) -> list[Term]:
    """Each bit as a number of the type, the lowest first."""
    arithmetic = calls.program.arithmetic
    return [arithmetic.extract_bits(value, type_, at, 1, signed=False) for at in range(type_.width)]


def _first(calls: CallLowering, cases: Sequence[tuple[Term, int]], otherwise: Term) -> Term:
    """The number of the first case that holds."""
    terms, arithmetic = calls.program.terms, calls.program.arithmetic
    chosen = otherwise
    for condition, number in reversed(cases):
        chosen = terms.ite(condition, arithmetic.literal(number, INT), chosen)
    return chosen


def _leading(calls: CallLowering, value: Term, type_: IntegerType, otherwise: Term) -> Term:
    """The number of zeros above the highest bit that is set."""
    arithmetic, width = calls.program.arithmetic, type_.width
    cases = [
        (arithmetic.compare(">=", value, arithmetic.literal(1 << at, type_), type_), width - 1 - at)
        for at in reversed(range(width))
    ]
    return _first(calls, cases, otherwise)


def _trailing(calls: CallLowering, value: Term, type_: IntegerType, otherwise: Term, start: int = 0) -> Term:
    arithmetic = calls.program.arithmetic
    bits = _bits(calls, value, type_)
    cases = [(arithmetic.is_nonzero(bit, type_), at) for at, bit in enumerate(bits, start)]
    return _first(calls, cases, otherwise)


def _count_leading(calls: CallLowering, node: ast.Call, value: Term, type_: IntegerType) -> Term:
    calls.context.checks.counted_bits(value, type_, node.span)
    return _leading(calls, value, type_, calls.program.arithmetic.literal(type_.width, INT))


def _count_trailing(calls: CallLowering, node: ast.Call, value: Term, type_: IntegerType) -> Term:
    calls.context.checks.counted_bits(value, type_, node.span)
    return _trailing(calls, value, type_, calls.program.arithmetic.literal(type_.width, INT))


def _find_first(calls: CallLowering, _node: ast.Call, value: Term, type_: IntegerType) -> Term:
    return _trailing(calls, value, type_, calls.program.arithmetic.literal(0, INT), start=1)


def _sign_copies(calls: CallLowering, _node: ast.Call, value: Term, type_: IntegerType) -> Term:
    """The number of bits below the sign bit that are equal to it."""
    arithmetic = calls.program.arithmetic
    signed = IntegerType(type_.width, signed=True)
    number = arithmetic.convert(value, type_, signed)
    negative = arithmetic.compare("<", number, arithmetic.literal(0, signed), signed)
    plain = calls.program.terms.ite(negative, arithmetic.unary("~", number, signed), number)
    zeros = _leading(calls, arithmetic.convert(plain, signed, type_), type_, arithmetic.literal(type_.width, INT))
    return arithmetic.binary("-", zeros, arithmetic.literal(1, INT), INT)


def _population(calls: CallLowering, _node: ast.Call, value: Term, type_: IntegerType) -> Term:
    arithmetic = calls.program.arithmetic
    total = arithmetic.literal(0, INT)
    for bit in _bits(calls, value, type_):
        total = arithmetic.binary("+", total, arithmetic.convert(bit, type_, INT), INT)
    return total


def _parity(calls: CallLowering, node: ast.Call, value: Term, type_: IntegerType) -> Term:
    arithmetic = calls.program.arithmetic
    return arithmetic.binary("%", _population(calls, node, value, type_), arithmetic.literal(2, INT), INT)


def _on_bits(width: str, compute: OnBits) -> Model:
    """A function on an unsigned integer that returns an int. Its name ends with the `width`: `l` for long, ..."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        long = calls.program.unit.machine.long_width
        type_ = _unsigned({"": 32, "l": long, "ll": 64}[width])
        (value, *_) = yield arguments(calls, node, (type_,))
        return result(calls, node, compute(calls, node, value, type_), INT)

    return guarded(1, model)


def _swapped(width: int) -> Model:
    """The bytes in the opposite order."""
    type_ = _unsigned(width)

    def compute(calls: CallLowering, _node: ast.Call, values: Sequence[Term]) -> Term:
        arithmetic = calls.program.arithmetic
        return arithmetic.from_bytes(arithmetic.bytes_of(values[0], type_)[::-1], type_)

    return pure((type_,), type_, compute)


def _reversed(width: int) -> Model:
    """The bits in the opposite order."""
    type_ = _unsigned(width)

    def compute(calls: CallLowering, _node: ast.Call, values: Sequence[Term]) -> Term:
        arithmetic = calls.program.arithmetic
        whole = arithmetic.literal(0, type_)
        for at, bit in enumerate(_bits(calls, values[0], type_)):
            whole = arithmetic.insert_bits(whole, type_, width - 1 - at, 1, bit)
        return whole

    return pure((type_,), type_, compute)


def _with_overflow(op: str) -> Model:
    """Arithmetic with an overflow check: a wider type holds the exact result."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        left_type, right_type = integer_type(node.arguments[0]), integer_type(node.arguments[1])
        target = pointed_type(node.arguments[2])
        if not isinstance(target, IntegerType):
            calls.context.unsupported(f"{node.span.text}, whose result is no integer", node.span)
            return result(calls, node, None, BOOL)
        width = 2 * max(left_type.width, right_type.width, target.width) + 2
        wide = IntegerType(width, signed=True, name="exact")
        left, right, address = yield arguments(calls, node, (wide, wide))
        arithmetic = calls.program.arithmetic
        exact = arithmetic.binary(op, left, right, wide)
        stored = arithmetic.convert(exact, wide, target)
        is_lost = calls.program.terms.not_(arithmetic.fits(exact, wide, target))
        flag = calls.blocks.save(is_lost, calls.blocks.position(), node.span)
        place = calls.addresses.pointed(node.arguments[2], address, target)
        calls.accesses.write(place, stored, node.span, f"*{node.arguments[2].span.text}")
        return result(calls, node, arithmetic.from_bool(flag, BOOL), BOOL)

    return guarded(3, model)


_WIDTHS: Final = ("", "l", "ll")
_ON_BITS: Final[dict[str, OnBits]] = {
    "__builtin_clz": _count_leading,
    "__builtin_ctz": _count_trailing,
    "__builtin_ffs": _find_first,
    "__builtin_clrsb": _sign_copies,
    "__builtin_popcount": _population,
    "__builtin_parity": _parity,
    "ffs": _find_first,
}
_OPERATORS: Final = {"add": "+", "sub": "-", "mul": "*"}

BITS: Final[dict[str, Model]] = {
    **{f"{name}{width}": _on_bits(width, compute) for name, compute in _ON_BITS.items() for width in _WIDTHS},
    **{f"__builtin_bswap{width}": _swapped(width) for width in (16, 32, 64)},
    **{f"__builtin_bitreverse{width}": _reversed(width) for width in (8, 16, 32, 64)},
    **{
        name: _with_overflow(op)
        for name in OVERFLOW_NAMES
        for operation, op in _OPERATORS.items()
        if operation in name
    },
}
