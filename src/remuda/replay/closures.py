"""Maps that are given by a lambda, where listing their entries is impossible.

A closure stands wherever a map value may stand. It cannot be compared with other values in general, so
comparing or hashing one raises `ClosureCompared`, which the evaluator turns into "not evaluable" instead of
an answer that may be wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remuda.replay.scopes import Scope
    from remuda.terms.term import Term
    from remuda.terms.values import Value


@final
class ClosureCompared(Exception):
    """Two map values are compared and at least one is a closure: a signal inside this folder, not an error."""


@final
class Closure:
    """`(lambda i :: body)` in the scope where it was evaluated, with some entries overwritten later."""

    __slots__ = ("entries", "scope", "term")

    def __init__(self, term: Term, scope: Scope, entries: Mapping[tuple[Value, ...], Value]) -> None:
        self.term = term
        self.scope = scope
        self.entries = entries

    def set(self, indices: tuple[Value, ...], value: Value) -> Closure:
        return Closure(self.term, self.scope, {**self.entries, indices: value})

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        raise ClosureCompared

    def __hash__(self) -> int:
        raise ClosureCompared


def as_value(closure: Closure) -> Value:
    """A closure in the place of a map value."""
    return cast("Value", closure)


def as_closure(value: object) -> Closure | None:
    """The closure that a value is, if it is one."""
    return value if isinstance(value, Closure) else None
