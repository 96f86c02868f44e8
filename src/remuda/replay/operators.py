"""Operators that need the values of all their arguments, on bool, int, real and bit-vectors.

Each takes the term (for widths and payloads) and the values of its arguments. None means: no value can be
computed. The operators on bit-vectors are those of `terms/bit_operators.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any, Final

from remuda.terms.bit_operators import BINARY, COMPARISONS, RESIZINGS, UNARY, mask, signed

if TYPE_CHECKING:
    from remuda.terms.term import Term

Operation = Callable[["Term", Sequence[Any]], Any]

EXPONENT_LIMIT: Final = 10_000


def _width(term: Term) -> int:
    width: int = term.args[0].type.width  # type: ignore[attr-defined]
    return width


def _concat(term: Term, values: Sequence[Any]) -> int:
    low: int = term.args[1].type.width  # type: ignore[attr-defined]
    return int((values[0] << low) | values[1])


def _power(_: Term, values: Sequence[Any]) -> Fraction | int | None:
    """`**` with an integral exponent; other powers are not rational in general."""
    base, exponent = Fraction(values[0]), Fraction(values[1])
    if exponent.denominator != 1 or abs(exponent) > EXPONENT_LIMIT or (base == 0 and exponent < 0):
        return None
    power = base ** int(exponent)
    if isinstance(values[0], Fraction):
        return power
    return int(power) if power.denominator == 1 else None


def _on_width(operation: Callable[[Any, Any, int], Any]) -> Operation:
    return lambda term, values: operation(values[0], values[1], _width(term))


def _on_own_width(operation: Callable[[Any, int], Any]) -> Operation:
    return lambda term, values: operation(values[0], _width(term))


def _on_payload(operation: Callable[[Any, int, int], Any]) -> Operation:
    return lambda term, values: operation(values[0], term.payload, _width(term))


OPERATIONS: Final[dict[str, Operation]] = {
    "not": lambda _, values: not values[0],
    "neg": lambda _, values: -values[0],
    "add": lambda _, values: values[0] + values[1],
    "sub": lambda _, values: values[0] - values[1],
    "mul": lambda _, values: values[0] * values[1],
    "lt": lambda _, values: values[0] < values[1],
    "le": lambda _, values: values[0] <= values[1],
    "pow": _power,
    "to_real": lambda _, values: Fraction(values[0]),
    "to_int": lambda _, values: floor(values[0]),
    "concat": _concat,
    "extract": lambda term, values: (values[0] >> term.payload[1]) & mask(term.payload[0] - term.payload[1]),
    **{op: _on_own_width(operation) for op, operation in UNARY.items()},
    **{op: _on_width(operation) for op, operation in BINARY.items()},
    **{op: _on_width(operation) for op, operation in COMPARISONS.items()},
    **{op: _on_payload(operation) for op, operation in RESIZINGS.items()},
    "bv2nat": lambda _, values: values[0],
    "bv2int": lambda term, values: signed(values[0], _width(term)),
    "int2bv": lambda term, values: values[0] % (1 << term.payload),
}
