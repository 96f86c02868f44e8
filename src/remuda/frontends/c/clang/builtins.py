"""Expressions whose kind libclang does not show: their first token distinguishes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.clang.conversions import decay
from remuda.frontends.c.clang.literals import evaluate, literal
from remuda.frontends.c.clang.vectors import converted, is_vector, shuffled
from remuda.frontends.c.syntax.ast import (
    Call,
    Conditional,
    Expression,
    Name,
    UnsupportedExpression,
    VariadicArgument,
)
from remuda.frontends.c.syntax.types import CType, FunctionType

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.clang.entities import Entities
    from remuda.frontends.c.clang.native import Library
    from remuda.frontends.c.clang.places import Places
    from remuda.frontends.c.clang.tree import Node

# Clang keeps the operands of an atomic operation in an order of its own: pointer, memory order, value, memory order
# on failure, second value, weakness. For each number of operands, where those of the source are.
_ATOMIC_ORDER: Final = {
    2: (0, 1),
    3: (0, 2, 1),
    4: (0, 2, 3, 1),
    5: (0, 2, 4, 1, 3),
    6: (0, 2, 4, 5, 1, 3),
}
_FOLDED: Final = frozenset(
    {"__builtin_offsetof", "__builtin_types_compatible_p", "__builtin_LINE", "__builtin_COLUMN"}
)


@final
class Builtins:
    """Converts the nodes of kind UNEXPOSED_EXPRESSION that are not implicit casts."""

    def __init__(self, library: Library, places: Places, entities: Entities) -> None:
        self._library = library
        self._places = places
        self._entities = entities

    def convert(self, node: Node, type_: CType, span: Span) -> Expression:
        inner = [child.value for child in node.children if isinstance(child.value, Expression)]
        if len(inner) == 4 and node.children[0].cursor.data1 == node.children[1].cursor.data1:
            return Conditional(type_, span, inner[2], None, inner[3])  # `c ?: b`, shown as c, c, c converted, b
        word = self._places.first_token(node.cursor)
        if word in _FOLDED:
            value = evaluate(self._library, node.cursor)
            if value is not None:
                return literal(value, type_, span)
        elif word == "__builtin_va_arg" and inner:
            return VariadicArgument(type_, span, inner[0])
        elif word == "__builtin_choose_expr" and len(inner) == 3:
            choice = evaluate(self._library, node.children[0].cursor)
            if choice is not None:
                return inner[1] if choice else inner[2]
        elif word == "__builtin_convertvector" and inner and is_vector(type_):
            return converted(decay(inner[0]), type_, span)
        elif word == "__builtin_shufflevector" and len(inner) > 2 and is_vector(type_):
            places = [evaluate(self._library, child.cursor) for child in node.children[2:]]
            known = [place for place in places if place is not None]
            if len(known) == len(places):
                return shuffled(decay(inner[0]), decay(inner[1]), known, type_, span)
        elif word.startswith(("__atomic_", "__c11_atomic_")) and len(inner) in _ATOMIC_ORDER:
            return self._atomic(word, inner, type_, span)
        return UnsupportedExpression(type_, span, word or "an expression of an unknown kind")

    def _atomic(self, word: str, inner: list[Expression], type_: CType, span: Span) -> Expression:
        arguments = tuple(decay(inner[at]) for at in _ATOMIC_ORDER[len(inner)])
        function = self._entities.builtin(word, FunctionType(type_, (), has_prototype=False), span)
        callee = decay(Name(function.type, span, function))
        return Call(type_, span, callee, arguments)
