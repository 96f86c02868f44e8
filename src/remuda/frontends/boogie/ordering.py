"""The partial order `<:`: one function for each type, and its axioms.

    const a: T; const b: T extends a complete;

means: `b <: a`; every other value above `b` is above `a`; and every other value below `b` is below one of its
children, of which there are none. `extends unique` makes the values below siblings disjoint.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.ir.program import Axiom
from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.types import BOOL, Type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remuda.base.source import Span
    from remuda.terms.store import Terms
    from remuda.terms.term import Term


@final
@dataclass(slots=True, eq=False)
class Ordered:
    """A constant with an `extends` clause."""

    constant: Variable
    parents: list[Variable]
    unique_parents: list[Variable]
    is_complete: bool
    span: Span


@final
@dataclass(slots=True)
class Ordering:
    """The orders that a program uses, by type, with the place of their first use."""

    functions: dict[Type, Function] = field(default_factory=dict)
    spans: dict[Type, Span] = field(default_factory=dict)
    constants: list[Ordered] = field(default_factory=list)

    def order(self, type_: Type, span: Span) -> Function:
        found = self.functions.get(type_)
        if found is None:
            parameters = tuple(Variable(name, type_, VariableKind.BOUND) for name in ("lower", "upper"))
            found = self.functions[type_] = Function(f"order<{type_}>", parameters, BOOL)
            self.spans[type_] = span
        return found

    def axioms(self, terms: Terms) -> list[Axiom]:
        """The axioms of the orders."""
        for ordered in self.constants:
            self.order(ordered.constant.type, ordered.span)
        general = [
            Axiom(term, self.spans[type_])
            for type_, function in self.functions.items()
            for term in _order_laws(terms, function)
        ]
        return [*general, *(axiom for ordered in self.constants for axiom in self._facts(terms, ordered))]

    def _facts(self, terms: Terms, ordered: Ordered) -> Iterator[Axiom]:
        function = self.functions[ordered.constant.type]
        own = terms.var(ordered.constant)
        bound = Variable("w", own.type, VariableKind.BOUND)
        other = terms.var(bound)

        def below(lower: Term, upper: Term) -> Term:
            return terms.apply(function, (lower, upper))

        def for_all(premise: Term, conclusion: Sequence[Term]) -> Axiom:
            body = terms.implies(premise, terms.or_(list(conclusion)))
            return Axiom(terms.quantifier("forall", [bound], body, [[premise]]), ordered.span)

        parents = [terms.var(parent) for parent in ordered.parents]
        for parent in parents:
            yield Axiom(below(own, parent), ordered.span)
        yield for_all(below(own, other), [terms.eq(own, other), *(below(parent, other) for parent in parents)])
        if ordered.is_complete:
            children = [terms.var(child.constant) for child in self.constants if ordered.constant in child.parents]
            yield for_all(below(other, own), [terms.eq(own, other), *(below(other, child) for child in children)])
        for sibling in self._siblings_before(ordered):
            them = terms.var(sibling.constant)
            both = terms.and_([below(other, own), below(other, them)])
            body = terms.implies(both, terms.eq(own, them))
            triggers = [[below(other, own), below(other, them)]]
            yield Axiom(terms.quantifier("forall", [bound], body, triggers), ordered.span)

    def _siblings_before(self, ordered: Ordered) -> Iterator[Ordered]:
        for other in self.constants:
            if other is ordered:
                return
            if any(parent in ordered.unique_parents for parent in other.unique_parents):
                yield other


def _order_laws(terms: Terms, function: Function) -> Iterator[Term]:
    type_ = function.parameters[0].type
    bound = [Variable(name, type_, VariableKind.BOUND) for name in ("x", "y", "z")]
    x, y, z = (terms.var(variable) for variable in bound)

    def below(lower: Term, upper: Term) -> Term:
        return terms.apply(function, (lower, upper))

    yield terms.quantifier("forall", bound[:1], below(x, x), [[below(x, x)]])
    steps = [below(x, y), below(y, z)]
    yield terms.quantifier("forall", bound, terms.implies(terms.and_(steps), below(x, z)), [steps])
    turns = [below(x, y), below(y, x)]
    yield terms.quantifier("forall", bound[:2], terms.implies(terms.and_(turns), terms.eq(x, y)), [turns])
