"""The typing rules of operators: from operand types to the result type and the builder of the term.

Rules only depend on ground types, so their results are cached: a program has many additions, but few pairs of types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, final

from remuda.frontends.boogie.builtins import fp, rounding
from remuda.terms.term import Term
from remuda.terms.types import BOOL, INT, REAL, BvType, FloatType, NamedType, Type

if TYPE_CHECKING:
    from remuda.terms.store import Terms

BinaryBuilder = Callable[["Terms", Term, Term], Term]
UnaryBuilder = Callable[["Terms", Term], Term]
TermBuilder = Callable[[Sequence[Term]], Term]


@final
class Open:
    """A typed expression whose term is only built once all of its types are known: `Empty()` in `s == Empty()`."""

    __slots__ = ("build", "closed", "parts", "type")

    def __init__(self, type_: Type, parts: Sequence[Term | Open], build: TermBuilder) -> None:
        self.type = type_
        self.parts = parts
        self.build = build
        self.closed: Term | None = None


@final
class Failure:
    """The value of an expression with an error."""

    __slots__ = ()


FAILURE: Final = Failure()
Known = Term | Open
Value = Term | Open | Failure
Work = list[Any]  # of the walk over an expression: nodes, and pairs of an action and a node
OTHER_TYPES: Final = NamedType("other types")  # stands for the types that do not occur in the program
ANY_TYPE: Final = NamedType("any type")  # one type that does not occur in the program


def close(value: Term | Open) -> Term:
    """The term of an expression whose types are all known."""
    if not isinstance(value, Open):
        return value
    stack = [value]
    while stack:
        current = stack[-1]
        waiting = [part for part in current.parts if isinstance(part, Open) and part.closed is None]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        if current.closed is None:
            current.closed = current.build([_closed(part) for part in current.parts])
    return _closed(value)


def _closed(part: Term | Open) -> Term:
    if isinstance(part, Open):
        assert part.closed is not None
        return part.closed
    return part


# --- binary operators

COMPARISONS = frozenset({"<", "<=", ">", ">="})
BOOLEANS = frozenset({"<==>", "==>", "<==", "&&", "||"})
NUMERIC = frozenset({"+", "-", "*", "/", "div", "mod", "**"}) | COMPARISONS

_INTEGER: dict[str, tuple[Type, BinaryBuilder]] = {
    "+": (INT, lambda terms, left, right: terms.arithmetic("add", left, right)),
    "-": (INT, lambda terms, left, right: terms.arithmetic("sub", left, right)),
    "*": (INT, lambda terms, left, right: terms.arithmetic("mul", left, right)),
    "div": (INT, lambda terms, left, right: terms.div(left, right)),
    "mod": (INT, lambda terms, left, right: terms.mod(left, right)),
    "<": (BOOL, lambda terms, left, right: terms.lt(left, right)),
    "<=": (BOOL, lambda terms, left, right: terms.le(left, right)),
    ">": (BOOL, lambda terms, left, right: terms.lt(right, left)),
    ">=": (BOOL, lambda terms, left, right: terms.le(right, left)),
}
_REAL: dict[str, tuple[Type, BinaryBuilder]] = {
    **{operator: (REAL, _INTEGER[operator][1]) for operator in ("+", "-", "*")},
    **{operator: _INTEGER[operator] for operator in ("<", "<=", ">", ">=")},
    "**": (REAL, lambda terms, left, right: terms.pow_(left, right)),
}
_BOOLEAN: dict[str, BinaryBuilder] = {
    "<==>": lambda terms, left, right: terms.eq(left, right),
    "==>": lambda terms, left, right: terms.implies(left, right),
    "<==": lambda terms, left, right: terms.implies(right, left),
    "&&": lambda terms, left, right: terms.and_((left, right)),
    "||": lambda terms, left, right: terms.or_((left, right)),
}
_FLOAT_ARITHMETIC = {"+": "fp.add", "-": "fp.sub", "*": "fp.mul", "/": "fp.div"}
_FLOAT_COMPARISON = {"<": "fp.lt", "<=": "fp.leq"}
_FLOAT_TURNED = {">": "fp.lt", ">=": "fp.leq"}


@cache
def binary_rule(operator: str, left: Type, right: Type) -> tuple[Type, BinaryBuilder] | None:
    """The result type and the builder of an operator on two ground types; None if these do not fit."""
    if operator in {"==", "!="}:
        return (BOOL, _EQUALITY[operator]) if left == right else None
    if operator in BOOLEANS:
        return (BOOL, _BOOLEAN[operator]) if left == BOOL and right == BOOL else None
    if operator == "++":
        return _concatenation(left, right)
    if operator == "/" and left in (INT, REAL) and right in (INT, REAL):
        return REAL, _divide
    if left != right:
        return None
    if left == INT:
        return _INTEGER.get(operator)
    if left == REAL:
        return _REAL.get(operator)
    return _float_rule(operator, left) if isinstance(left, FloatType) else None


_EQUALITY: dict[str, BinaryBuilder] = {
    "==": lambda terms, left, right: terms.eq(left, right),
    "!=": lambda terms, left, right: terms.not_(terms.eq(left, right)),
}


def _concatenation(left: Type, right: Type) -> tuple[Type, BinaryBuilder] | None:
    if not (isinstance(left, BvType) and isinstance(right, BvType)):
        return None
    return BvType(left.width + right.width), lambda terms, high, low: terms.concat(high, low)


def _divide(terms: Terms, left: Term, right: Term) -> Term:
    return terms.realdiv(_real(terms, left), _real(terms, right))


def _real(terms: Terms, term: Term) -> Term:
    return terms.to_real(term) if term.type == INT else term


def _float_rule(operator: str, type_: FloatType) -> tuple[Type, BinaryBuilder] | None:
    arithmetic = _FLOAT_ARITHMETIC.get(operator)
    if arithmetic is not None:
        return type_, lambda terms, left, right: fp(terms, arithmetic, (rounding(terms, "RNE"), left, right), type_)
    comparison = _FLOAT_COMPARISON.get(operator)
    if comparison is not None:
        return BOOL, lambda terms, left, right: fp(terms, comparison, (left, right), BOOL)
    turned = _FLOAT_TURNED.get(operator)
    if turned is not None:
        return BOOL, lambda terms, left, right: fp(terms, turned, (right, left), BOOL)
    return None


# --- unary operators


@cache
def unary_rule(operator: str, operand: Type) -> tuple[Type, UnaryBuilder] | None:
    if operator == "!":
        return (BOOL, lambda terms, term: terms.not_(term)) if operand == BOOL else None
    if operand in (INT, REAL):
        return operand, lambda terms, term: terms.neg(term)
    if isinstance(operand, FloatType):
        return operand, lambda terms, term: fp(terms, "fp.neg", (term,), operand)
    return None
