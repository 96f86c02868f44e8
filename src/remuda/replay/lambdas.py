"""Decides when two lambdas are certainly the same map.

    (lambda x :: x + a)   and   (lambda y :: b + y)   are the same where a and b have the same value

The bodies are compared as they are written, with values for captured variables, positions for bound ones, and
without regard to the order of operands where it does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.replay.scopes import Stuck
from remuda.terms.term import postorder

if TYPE_CHECKING:
    from collections.abc import Hashable

    from remuda.replay.closures import Closure
    from remuda.terms.term import Term

COMMUTATIVE: Final = frozenset({"eq", "distinct"})
ASSOCIATIVE: Final = frozenset({"and", "or", "add", "mul", "bvadd", "bvmul", "bvand", "bvor", "bvxor"})  # both
LITERALS: Final = frozenset({"bool", "int", "real", "rounding"})
NOT_COMPARED: Final = frozenset({"forall", "exists", "lambda", "old"})


def same_lambda(left: Closure, right: Closure) -> bool:
    """Whether the lambdas, without overwritten entries, are the same; False if that is unknown."""
    shapes: dict[Hashable, int] = {}
    first = _shape(left, shapes)
    return first is not None and first == _shape(right, shapes)


def _shape(closure: Closure, shapes: dict[Hashable, int]) -> int | None:
    """A number for the body: the same one only for bodies with the same value everywhere."""
    positions = {variable: position for position, variable in enumerate(closure.term.payload.variables)}
    found: dict[Term, int] = {}
    operands: dict[Term, list[int]] = {}  # of associative operators, through nested ones
    body = closure.term.args[0]
    for part in postorder([body]):
        if part.op in NOT_COMPARED:
            return None
        content: Hashable
        if part.op == "var" and part.payload in positions:
            content = positions[part.payload]
        elif part.op == "var":
            value = closure.scope.find(part.payload)
            if value is None or isinstance(value, Stuck):
                return None
            content = ("value", value)
        elif part.op in LITERALS:
            content = ("value", part.payload)
        elif part.op == "bv":
            content = ("value", part.payload[0])
        else:
            content = (part.op, part.payload, _arguments(part, found, operands))
        found[part] = shapes.setdefault((part.type, content), len(shapes))
    return found[body]


def _arguments(term: Term, found: dict[Term, int], operands: dict[Term, list[int]]) -> tuple[int, ...]:
    if term.op in ASSOCIATIVE:
        parts: list[int] = []
        for argument in term.args:
            parts.extend(operands[argument] if argument.op == term.op else [found[argument]])
        operands[term] = parts
        return tuple(sorted(parts))
    arguments = tuple(found[argument] for argument in term.args)
    return tuple(sorted(arguments)) if term.op in COMMUTATIVE else arguments
