"""The values of variables during evaluation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.terms.values import Value


@final
@dataclass(frozen=True, slots=True)
class Stuck:
    """The outcome of a term that cannot be evaluated, with the subterm that is the reason."""

    term: Term
    why: str


@final
@dataclass(frozen=True, slots=True)
class Environment:
    """The variables of a running procedure. A variable that is missing gets a value when it is first read.

    `old` has the values of globals at the start of the procedure, for those under `old`.
    """

    locals: dict[Variable, Value] = field(default_factory=dict)
    globals: dict[Variable, Value] = field(default_factory=dict)
    old: Mapping[Variable, Value] = field(default_factory=dict)


@final
class Scope:
    """Bound variables over an environment, with the outcomes of the terms evaluated in it so far.

    A bound variable may be bound to a `Stuck`: it matters only if the variable is read.
    """

    __slots__ = ("bound", "environment", "memo", "outer")

    def __init__(
        self,
        environment: Environment,
        bound: Mapping[Variable, Value | Stuck] | None = None,
        outer: Scope | None = None,
    ) -> None:
        self.environment = environment
        self.bound = bound or {}
        self.outer = outer
        self.memo: dict[Term, Value | Stuck] = {}

    def find(self, variable: Variable) -> Value | Stuck | None:
        """The variable's value here, or None if nothing gave it one."""
        scope: Scope | None = self
        while scope is not None:
            if variable in scope.bound:
                return scope.bound[variable]
            scope = scope.outer
        found = self.environment.locals.get(variable)
        return self.environment.globals.get(variable) if found is None else found

    def inner(self, bound: Mapping[Variable, Value | Stuck]) -> Scope:
        return Scope(self.environment, bound, self)
