"""Models of ctype.h, in the locale C.

To add a class of characters, put its ranges into `_CLASSES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import Model, between, pure, truth
from remuda.frontends.c.syntax.types import INT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term

Ranges = tuple[tuple[str, str], ...]

_DIGITS: Final[Ranges] = (("0", "9"),)
_UPPER: Final[Ranges] = (("A", "Z"),)
_LOWER: Final[Ranges] = (("a", "z"),)
_CLASSES: Final[dict[str, Ranges]] = {
    "isdigit": _DIGITS,
    "isupper": _UPPER,
    "islower": _LOWER,
    "isalpha": _UPPER + _LOWER,
    "isalnum": _DIGITS + _UPPER + _LOWER,
    "isxdigit": (*_DIGITS, ("A", "F"), ("a", "f")),
    "isspace": (("\t", "\r"), (" ", " ")),
    "isblank": (("\t", "\t"), (" ", " ")),
    "isprint": ((" ", "~"),),
    "isgraph": (("!", "~"),),
    "ispunct": (("!", "/"), (":", "@"), ("[", "`"), ("{", "~")),
    "iscntrl": (("\0", "\x1f"), ("\x7f", "\x7f")),
    "isascii": (("\0", "\x7f"),),
}
_CASE_DISTANCE: Final = ord("a") - ord("A")


def _class(ranges: Ranges) -> Model:
    """A test of a class of characters, which returns any number but 0 for members."""

    def compute(calls: CallLowering, node: ast.Call, values: Sequence[Term]) -> Term:
        return truth(calls, node, _within(calls, values[0], ranges))

    return pure((INT,), INT, compute)


def _within(calls: CallLowering, character: Term, ranges: Ranges) -> Term:
    inside = [between(calls, character, ord(low), ord(high), INT) for low, high in ranges]
    return calls.program.terms.or_(inside)


def _case(ranges: Ranges, distance: int) -> Model:
    """`toupper` and `tolower`."""

    def compute(calls: CallLowering, _node: ast.Call, values: Sequence[Term]) -> Term:
        arithmetic = calls.program.arithmetic
        moved = arithmetic.binary("+", values[0], arithmetic.literal(distance, INT), INT)
        return calls.program.terms.ite(_within(calls, values[0], ranges), moved, values[0])

    return pure((INT,), INT, compute)


def _to_ascii(calls: CallLowering, _node: ast.Call, values: Sequence[Term]) -> Term:
    return calls.program.arithmetic.binary("&", values[0], calls.program.arithmetic.literal(0x7F, INT), INT)


CHARACTERS: Final[dict[str, Model]] = {
    **{name: _class(ranges) for name, ranges in _CLASSES.items()},
    "toupper": _case(_LOWER, -_CASE_DISTANCE),
    "tolower": _case(_UPPER, _CASE_DISTANCE),
    "toascii": pure((INT,), INT, _to_ascii),
}
