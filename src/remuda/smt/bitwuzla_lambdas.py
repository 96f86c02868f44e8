"""Arrays given by lambdas, for Bitwuzla, which has none: constants with lemmas at the indices that matter.

    memory' == (lambda a :: if a in the range then 0 else memory[a])

becomes a constant `memory'` and, for every index `i` at which a model has read a wrong value from it, the lemma

    memory'[i] == (if i in the range then 0 else memory[i])

Each lemma follows from the definition, so `unsat` is always right. A model counts once it breaks no lemma at the
indices in assertions about the array, or about an array that it is equal to, stored into or selected by an `ite`.
That is right as long as an equation between arrays defines one of them. If arrays are compared as a whole, a model
may take two for equal that are not; the replay of the model detects this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, final

from bitwuzla import Kind

from remuda.base.errors import Unsupported
from remuda.terms.term import Term, postorder

if TYPE_CHECKING:
    import bitwuzla

    from remuda.terms.symbols import Variable

Node = Any  # Bitwuzla's own term


@final
@dataclass(frozen=True, slots=True, eq=False)
class Lambda:
    """An array constant and, over constants for its indices, its element."""

    array: Node
    bound: tuple[Node, ...]
    value: Node


def require_independent(binder: Term, bound: Sequence[Variable]) -> None:
    """Refuse a lambda that depends on the variables of a binder around it: it would be several arrays."""
    variables = frozenset(bound)
    for term in postorder(binder.args):
        if term.op == "lambda" and any(
            inner.op == "var" and inner.payload in variables for inner in postorder([term])
        ):
            raise Unsupported(None, f"a lambda expression inside a {binder.op} (with the solver bitwuzla)")


@final
@dataclass(slots=True, eq=False)
class _Family:
    """Arrays that have elements in common, and the indices at which some of them is read or changed.

    Where an array is changed but not read, a lambda makes no difference, unless whole arrays are compared. Most
    equations do not compare arrays, but define a constant.
    """

    read: dict[Node, None] = field(default_factory=dict)
    changed: dict[Node, None] = field(default_factory=dict)
    is_compared: bool = False

    def take_in(self, other: _Family) -> None:
        self.read.update(other.read)
        self.changed.update(other.changed)
        self.is_compared = self.is_compared or other.is_compared

    def indices(self) -> Iterator[Node]:
        return chain(self.read, self.changed) if self.is_compared else iter(self.read)


@final
class LambdaArrays:
    """The lambdas of one solver, and the indices in what is asserted."""

    def __init__(self, manager: bitwuzla.TermManager, parts: Callable[[Node, Lambda], Sequence[Node]]) -> None:
        self._manager = manager
        self._parts = parts  # of an index that stands for several
        self._lambdas: dict[Node, Lambda] = {}  # by the array
        self._asserted: list[Node] = []  # not processed yet
        self._seen: set[Node] = set()
        self._parent: dict[Node, Node] = {}
        self._families: dict[Node, _Family] = {}  # by the root of each
        self._used: list[Lambda] = []  # those whose arrays occur in what is asserted
        self._lemmas: dict[tuple[Node, Node], Node] = {}

    def define(self, lambda_: Lambda) -> None:
        self._lambdas[lambda_.array] = lambda_

    def note(self, asserted: Node) -> None:
        self._asserted.append(asserted)

    def is_defined(self, node: Node) -> bool:
        return node in self._lambdas

    def broken(self, value_of: Callable[[Node], Node]) -> list[Node]:
        """The lemmas that a model breaks."""
        if not self._lambdas:
            return []
        while self._asserted:
            self._visit(self._asserted.pop())
        values: dict[Node, Node] = {}  # of indices
        broken = []
        for lambda_ in self._used:
            tried = set()  # one of several indices with the same value is enough
            for index in self._families[self._root(lambda_.array)].indices():
                value = values.get(index)
                if value is None:
                    value = values[index] = value_of(index)
                if value not in tried:
                    tried.add(value)
                    lemma = self._lemma(lambda_, index)
                    if value_of(lemma).is_false():
                        broken.append(lemma)
        return broken

    def _lemma(self, lambda_: Lambda, index: Node) -> Node:
        known = self._lemmas.get((lambda_.array, index))
        if known is None:
            read = self._manager.mk_term(Kind.ARRAY_SELECT, [lambda_.array, index])
            actuals = dict(zip(lambda_.bound, self._parts(index, lambda_), strict=True))
            value = self._manager.substitute_term(lambda_.value, actuals)
            known = self._lemmas[lambda_.array, index] = self._manager.mk_term(Kind.EQUAL, [read, value])
        return known

    # --- what is asserted

    def _visit(self, root: Node) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            if node in self._seen:
                continue
            self._seen.add(node)
            children = node.children()
            stack += children
            match node.kind():
                case Kind.ARRAY_SELECT:
                    self._family(children[0]).read[children[1]] = None
                case Kind.ARRAY_STORE:
                    self._unite(node, children[0]).changed[children[1]] = None
                case Kind.ITE if node.sort().is_array():
                    self._unite(node, children[1])
                    self._unite(node, children[2])
                case Kind.EQUAL if children[0].sort().is_array():
                    family = self._unite(children[0], children[1])
                    family.is_compared |= not any(child.is_const() for child in children)
                case Kind.CONSTANT if node in self._lambdas:
                    self._family(node)
                    self._used.append(self._lambdas[node])

    def _root(self, node: Node) -> Node:
        parent = self._parent
        while (above := parent.get(node)) is not None:
            if (further := parent.get(above)) is not None:
                parent[node] = further
            node = above
        return node

    def _family(self, node: Node) -> _Family:
        return self._families.setdefault(self._root(node), _Family())

    def _unite(self, one: Node, other: Node) -> _Family:
        kept, lost = self._root(one), self._root(other)
        family = self._family(kept)
        if kept != lost:
            joining = self._families.pop(lost, _Family())
            if len(joining.read) + len(joining.changed) > len(family.read) + len(family.changed):
                kept, lost, family, joining = lost, kept, joining, family
                self._families.pop(lost)
                self._families[kept] = family
            self._parent[lost] = kept
            family.take_in(joining)
        return family


def lambdas_in(terms: Sequence[Term]) -> Iterator[Term]:
    """The lambdas in a term, inner ones first."""
    return (term for term in postorder(terms) if term.op == "lambda")
