"""Interpolants follow from one formula and contradict the other; another solver checks this here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from remuda.smt.create import create_solver
from remuda.smt.interpolation import interpolants
from remuda.smt.solver import Unsat
from remuda.terms.store import Terms
from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.types import BOOL, INT, BvType, MapType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.terms.term import Term
    from remuda.terms.types import Type

ERROR = Function("error$", (), BOOL)


def bound(name: str, type_: Type) -> Variable:
    return Variable(name, type_, VariableKind.BOUND)


def holds(terms: Terms, condition: Term) -> bool:
    """Whether a condition is true for all values of its variables."""
    free = {
        term: terms.var(Variable(term.name, term.type, VariableKind.CONSTANT))
        for term in {each.payload for each in _variables(condition)}
    }
    solver = create_solver("z3")
    (ground,) = terms.substitute([condition], free)
    solver.add(solver.not_(solver.translate(ground)))
    return isinstance(solver.check((), 10.0), Unsat)


def _variables(term: Term) -> list[Term]:
    return [term] if term.op == "var" else [each for argument in term.args for each in _variables(argument)]


def closed(terms: Terms, variables: Sequence[Variable], premise: Term, conclusion: Term) -> Term:
    return terms.quantifier("forall", tuple(variables), terms.implies(premise, conclusion))


@pytest.mark.parametrize("type_", [INT, BvType(32)])
def test_an_interpolant_is_between(type_: Type) -> None:
    terms = Terms()
    x, y, local = bound("x", type_), bound("y", type_), bound("local", type_)

    def number(value: int) -> Term:
        return terms.integer(value) if type_ == INT else terms.bitvector(value, 32)

    def add(left: Term, right: Term) -> Term:
        return terms.arithmetic("add", left, right) if type_ == INT else terms.bv("bvadd", [left, right])

    one = terms.and_(
        [terms.eq(terms.var(local), add(terms.var(x), number(1))), terms.eq(terms.var(y), terms.var(local))]
    )
    other = terms.and_([terms.eq(terms.var(x), number(4)), terms.not_(terms.eq(terms.var(y), number(5)))])
    predicate = Function("P", (x, y), BOOL)
    applied = terms.apply(predicate, [terms.var(x), terms.var(y)])
    rules = [
        closed(terms, [x, y, local], one, applied),
        closed(terms, [x, y], terms.and_([applied, other]), terms.apply(ERROR, [])),
    ]
    found = interpolants(terms, rules, [predicate], ERROR, 10.0)
    assert found is not None
    assert {each.payload for each in _variables(found[predicate])} <= {x, y}
    assert holds(terms, terms.implies(one, found[predicate]))
    assert holds(terms, terms.not_(terms.and_([found[predicate], other])))


def test_there_is_none_where_the_error_can_be() -> None:
    terms = Terms()
    x = bound("x", INT)
    predicate = Function("P", (x,), BOOL)
    applied = terms.apply(predicate, [terms.var(x)])
    rules = [
        closed(terms, [x], terms.le(terms.integer(0), terms.var(x)), applied),
        closed(
            terms,
            [x],
            terms.and_([applied, terms.eq(terms.var(x), terms.integer(7))]),
            terms.apply(ERROR, []),
        ),
    ]
    assert interpolants(terms, rules, [predicate], ERROR, 10.0) is None


def test_without_support_by_spacer_there_is_no_interpolant_or_a_valid_one() -> None:
    """Maps may or may not be within its reach; it must not fail."""
    terms = Terms()
    type_ = MapType((INT,), INT)
    m, n, i = bound("m", type_), bound("n", type_), bound("i", INT)
    predicate = Function("P", (m, n), BOOL)
    applied = terms.apply(predicate, [terms.var(m), terms.var(n)])
    one = terms.eq(terms.var(n), terms.store(terms.var(m), [terms.integer(0)], terms.integer(1)))
    other = terms.not_(terms.eq(terms.select(terms.var(n), [terms.integer(0)]), terms.integer(1)))
    rules = [
        closed(terms, [m, n], one, applied),
        closed(terms, [m, n, i], terms.and_([applied, other]), terms.apply(ERROR, [])),
    ]
    found = interpolants(terms, rules, [predicate], ERROR, 5.0)
    assert found is None or predicate not in found or holds(terms, terms.implies(one, found[predicate]))
