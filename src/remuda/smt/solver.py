"""The protocol of solvers, for the engines.

Terms are translated once into the solver's own objects (`Native`), and everything on the hot path happens on
those: a procedure's VC becomes a template, and inlining a call is one substitution inside the solver's
library. Nothing rebuilds terms in Python per instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, final

from remuda.base.reasons import Cause, Reason

if TYPE_CHECKING:
    from remuda.terms.symbols import Constructor, Function, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import DataType, Type
    from remuda.terms.values import Interpretation, Value

Native = Any  # a solver's own term: opaque to everyone but the solver that made it


class Model(Protocol):
    """A satisfying assignment, read lazily: values are computed on demand."""

    def is_true(self, native: Native) -> bool:
        """Whether a Boolean is true; unconstrained ones count as false."""
        ...

    def value(self, native: Native, type_: Type) -> Value:
        """The value of a term of this type, completed where the model leaves it open."""
        ...

    def interpretation(self, constants: Sequence[Variable], functions: Sequence[Function]) -> Interpretation:
        """The values of these constants and the tables of these uninterpreted functions (and of division by
        zero, where the solver chose it)."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Sat:
    model: Model


@final
@dataclass(frozen=True, slots=True)
class Unsat:
    """`core`: those of the assumptions that were needed, in the order they were given."""

    core: tuple[Native, ...]


@final
@dataclass(frozen=True, slots=True)
class Unknown:
    """No answer. The causes are `TIME`, `MEMORY` and `INCOMPLETE`.

    `candidate` is the model that an incomplete solver stopped with (quantifiers, non-linear arithmetic); it
    may be wrong, so callers must check results from it.
    """

    why: Reason
    candidate: Model | None = None


Answer = Sat | Unsat | Unknown


def incomplete(words: str) -> Reason:
    """The reason of a solver that gives up by itself, in its words."""
    return Reason(f"incomplete ({words})", Cause.INCOMPLETE)


class Template(Protocol):
    """Terms over parameters, ready to be instantiated many times. Made and read by one solver only."""


class Solver(Protocol):
    """One incremental solver with its own terms. Not shared between threads."""

    name: str

    def declare_datatypes(self, datatypes: Sequence[tuple[DataType, Sequence[Constructor]]]) -> None:
        """Declare (mutually recursive) datatypes, before any term that uses them."""
        ...

    def translate(self, term: Term) -> Native:
        """The solver's version of a term. A Variable becomes one solver constant, always the same."""
        ...

    def fresh(self, type_: Type) -> Native:
        """A new constant that occurs nowhere else."""
        ...

    def template(self, parameters: Sequence[Variable], terms: Sequence[Term]) -> Template:
        """Prepare terms for instantiation. Variables that are not parameters stay what `translate` makes them."""
        ...

    def instantiate(self, template: Template, actuals: Sequence[Native]) -> list[Native]:
        """The template's terms with each parameter replaced by the actual at its position."""
        ...

    def not_(self, native: Native) -> Native: ...
    def and_(self, natives: Sequence[Native]) -> Native: ...
    def or_(self, natives: Sequence[Native]) -> Native: ...
    def implies(self, premise: Native, conclusion: Native) -> Native: ...
    def eq(self, left: Native, right: Native) -> Native: ...

    def add(self, native: Native) -> None:
        """Assert a formula (until the enclosing `pop`)."""
        ...

    def push(self) -> None: ...
    def pop(self) -> None: ...

    def check(
        self,
        assumptions: Sequence[Native] = (),
        seconds: float | None = None,
        *,
        thorough: bool = False,
        rough: bool = False,
    ) -> Answer:
        """Is everything asserted satisfiable together with the assumptions (Boolean constants or their
        negations)? Gives up with `Unknown(TIMEOUT)` after about `seconds`. A thorough check also tries to
        build models of quantified formulas, which may take long where a quick one says "incomplete". The model of a
        rough one may be wrong about maps that are given by lambdas."""
        ...

    def effort(self) -> float:
        """The work of all checks so far, in about milliseconds. It is counted, not measured, so that it does not
        depend on the machine and its load."""
        ...

    def text(self) -> str:
        """Everything asserted, as SMT-LIB."""
        ...
