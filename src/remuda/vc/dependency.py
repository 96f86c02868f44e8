"""Decides which assertions of a sequence may depend on each other.

All variables of one guarded instruction depend on each other, and so do those that are connected by several of them
(Def. 3 of *Symbolic Detection of Assertion Dependencies for Bounded Model Checking*). Two assertions are dependent if some
variable of the one and some of the other are (Def. 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.base.disjoint_sets import DisjointSets
from remuda.terms.term import postorder
from remuda.vc.ussa import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.vc.ussa import Guard, Step


@final
class Dependency:
    """The classes of dependent variables of a sequence."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._sets: DisjointSets[object] = DisjointSets()
        self._linked: set[Guard] = set()
        self._variables: dict[Term, tuple[Variable, ...]] = {}
        for step in steps:
            if step.guard is not None:
                self._link(step.guard)
            if step.kind is Kind.ASSERT:
                continue  # it reads its variables, but does not relate them
            members: list[object] = [step.target] if step.target is not None else []
            members += self._of_term(step.term)
            if step.guard is not None:
                members.append(step.guard)
            for member in members[1:]:
                self._sets.unite(members[0], member)

    def classes(self, step: Step) -> frozenset[object]:
        """Representatives of the classes of an instruction's variables: assertions that share one depend on each
        other."""
        members: list[object] = [*self._of_term(step.term)]
        if step.guard is not None:
            members.append(step.guard)
        return frozenset(map(self._sets.find, members))

    def _link(self, guard: Guard) -> None:
        """Relate a guard to the variables of its conditions."""
        at: Guard | None = guard
        while at is not None and at not in self._linked:
            self._linked.add(at)
            for member in self._of_term(at.condition):
                self._sets.unite(at, member)
            if at.outer is not None:
                self._sets.unite(at, at.outer)
            at = at.outer

    def _of_term(self, term: Term | None) -> tuple[Variable, ...]:
        if term is None:
            return ()
        if term not in self._variables:
            self._variables[term] = tuple(each.payload for each in postorder([term]) if each.op == "var")
        return self._variables[term]
