"""Terms evaluate as in logic, and terms that cannot be evaluated are reported."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from remuda.ir.program import Datatype
from remuda.replay.domains import Domains
from remuda.replay.evaluate import Evaluator, NotEvaluable
from remuda.replay.scopes import Environment
from remuda.terms.store import Terms
from remuda.terms.symbols import Constructor, Function, Variable, VariableKind
from remuda.terms.types import BOOL, INT, REAL, BvType, DataType, MapType, NamedType
from remuda.terms.values import DataValue, Element, FunctionTable, Interpretation, MapValue, Value
from tests.replay.builder import INT_MAP, Builder

if TYPE_CHECKING:
    from remuda.terms.term import Term


@pytest.fixture
def build() -> Builder:
    return Builder()


def value_of(term: Term, values: dict[Variable, Value] | None = None) -> Value:
    return Evaluator().evaluate(term, Environment(dict(values or {})))


def test_connectives_ignore_what_is_not_evaluable_where_the_rest_decides(build: Builder) -> None:
    terms = build.terms
    unbound = build.bound("b", BOOL)
    stuck = terms.var(unbound)
    assert value_of(terms.and_([stuck, terms.not_(build.eq(build.var("x"), 0))])) is False
    assert value_of(terms.or_([stuck, build.eq(build.var("x"), 0)])) is True
    assert value_of(terms.implies(stuck, build.eq(build.var("x"), 0))) is True
    assert value_of(terms.ite(build.eq(build.var("x"), 0), terms.integer(1), terms.var(build.bound("i")))) == 1
    with pytest.raises(NotEvaluable) as error:
        value_of(terms.and_([stuck, build.eq(build.var("x"), 0)]))
    assert error.value.term is stuck


def test_a_symbol_without_value_keeps_the_one_it_gets(build: Builder) -> None:
    constant = build.var("c", MapType((INT,), NamedType("T")), VariableKind.CONSTANT)
    evaluator = Evaluator()
    environment = Environment()
    first = evaluator.evaluate(build.terms.var(constant), environment)
    assert first == MapValue(Element(NamedType("T"), 0), {})
    assert evaluator.evaluate(build.terms.var(constant), environment) is first
    local = build.var("x")
    assert evaluator.evaluate(build.terms.var(local), environment) == 0
    assert environment.locals == {local: 0}


def test_division_by_zero_comes_from_the_model(build: Builder) -> None:
    x = build.var("x")
    term = build.terms.div(build.term(x), build.term(0))
    unary = Interpretation(division_by_zero={"div": FunctionTable({(7,): 3}, 9)})
    binary = Interpretation(division_by_zero={"div": FunctionTable({(7, 0): 4}, 9)})
    assert Evaluator(unary).evaluate(term, Environment({x: 7})) == 3
    assert Evaluator(binary).evaluate(term, Environment({x: 7})) == 4
    assert Evaluator(binary).evaluate(term, Environment({x: 8})) == 9
    assert value_of(term, {x: 8}) == 0
    assert value_of(build.terms.div(build.term(x), build.term(-2)), {x: -7}) == 4
    assert value_of(build.terms.mod(build.term(x), build.term(-2)), {x: -7}) == 1


def test_functions(build: Builder) -> None:
    n = build.bound("n")
    uninterpreted = Function("f", (n,), INT)
    model = Interpretation(functions={uninterpreted: FunctionTable({(1,): 5}, 6)})
    for argument, expected in ((1, 5), (2, 6)):
        term = build.terms.apply(uninterpreted, [build.term(argument)])
        assert Evaluator(model).evaluate(term, Environment()) == expected
    total = Function("sum", (n,), INT)
    again = build.terms.apply(total, [build.sub(n, 1)])
    total.body = build.terms.ite(build.le(n, 0), build.term(0), build.add(n, again))
    assert value_of(build.terms.apply(total, [build.term(5_000)])) == 5_000 * 5_001 // 2
    with pytest.raises(NotEvaluable, match="does not end"):
        Evaluator(fuel=1_000).evaluate(build.terms.apply(total, [build.term(10_000_000)]), Environment())


def test_an_argument_that_the_body_does_not_use_may_be_stuck(build: Builder) -> None:
    n = build.bound("n")
    constant = Function("one", (n,), INT, body=build.term(1))
    assert value_of(build.terms.apply(constant, [build.terms.var(build.bound("free"))])) == 1


def test_deep_terms_need_no_stack(build: Builder) -> None:
    x = build.var("x")
    term = build.term(x)
    for _ in range(30_000):
        term = build.add(term, 1)
    assert value_of(term, {x: 5}) == 30_005
    shared = build.term(x)
    for _ in range(200):  # a tree of 2^200 nodes
        shared = build.add(shared, shared)
    assert value_of(shared, {x: 1}) == 2**200


# --- maps


def test_maps_over_finite_domains_are_compared_by_their_elements(build: Builder) -> None:
    type_ = MapType((BOOL,), INT)
    left, right = build.var("left", type_), build.var("right", type_)
    evaluator = Evaluator()
    canonical = evaluator.domains.canonical
    one = canonical(MapValue(3, {(True,): 5}), type_)
    same = canonical(MapValue(5, {(False,): 3}), type_)
    full = canonical(MapValue(99, {(False,): 3, (True,): 5}), type_)
    equality = build.terms.eq(build.term(left), build.term(right))
    for other, expected in ((same, True), (full, True), (canonical(MapValue(3, {}), type_), False)):
        assert evaluator.evaluate(equality, Environment({left: one, right: other})) is expected
    stored = build.terms.store(build.term(left), [build.term(False)], build.term(5))
    constant = build.terms.lambda_([build.bound("b", BOOL)], build.term(5))
    assert evaluator.evaluate(build.terms.eq(stored, constant), Environment({left: one})) is True


def test_lambdas(build: Builder) -> None:
    terms, i, x = build.terms, build.bound("i"), build.var("x")
    successor = terms.lambda_([i], build.add(i, x))
    assert value_of(terms.select(successor, [build.term(4)]), {x: 3}) == 7
    changed = terms.store(successor, [build.term(4)], build.term(0))
    assert value_of(build.add(terms.select(changed, [build.term(x)]), 0), {x: 4}) == 0
    assert value_of(terms.eq(successor, changed), {x: 3}) is False
    turned, twice = terms.lambda_([i], build.add(x, i)), terms.lambda_([i], build.add(build.add(i, x), x))
    assert value_of(terms.eq(successor, turned), {x: 3}) is True
    assert value_of(terms.eq(changed, terms.store(turned, [build.term(4)], build.term(0))), {x: 3}) is True
    with pytest.raises(NotEvaluable, match="lambda"):
        value_of(terms.eq(successor, twice), {x: 3})
    assert value_of(terms.lambda_([i], build.term(x)), {x: 3}) == MapValue(3, {})


def test_a_lambda_keeps_the_values_it_was_made_with(build: Builder) -> None:
    i, x, m = build.bound("i"), build.var("x"), build.var("m", INT_MAP)
    environment = Environment({x: 1})
    evaluator = Evaluator()
    environment.locals[m] = evaluator.evaluate(build.terms.lambda_([i], build.add(i, x)), environment)
    environment.locals[x] = 100
    assert evaluator.evaluate(build.terms.select(build.term(m), [build.term(1)]), environment) == 2


# --- quantifiers


def quantified(build: Builder, op: str, variables: list[Variable], body: Term) -> Term:
    return build.terms.quantifier(op, variables, body)


def test_ranges_are_found_and_enumerated(build: Builder) -> None:
    terms, m, n = build.terms, build.var("m", INT_MAP), build.var("n")
    i, j = build.bound("i"), build.bound("j")
    inside = terms.and_([build.le(0, i), build.le(i, j), build.lt(j, n)])
    ordered = build.le(terms.select(build.term(m), [build.term(i)]), terms.select(build.term(m), [build.term(j)]))
    sorted_ = quantified(build, "forall", [i, j], terms.implies(inside, ordered))
    increasing = MapValue(0, {(k,): k for k in range(50)})
    assert value_of(sorted_, {m: increasing, n: 50}) is True
    assert value_of(sorted_, {m: increasing, n: 52}) is False
    assert value_of(sorted_, {m: increasing, n: 0}) is True
    found = quantified(build, "exists", [i], terms.and_([build.lt(-3, i), build.lt(i, 3), build.eq(i, n)]))
    assert value_of(found, {n: -2}) is True
    assert value_of(found, {n: 3}) is False


def test_nested_ranges_depend_on_outer_variables(build: Builder) -> None:
    terms, i, j, n = build.terms, build.bound("i"), build.bound("j"), build.var("n")
    inner = quantified(
        build, "exists", [j], terms.and_([build.le(i, j), build.le(j, build.add(i, 1)), build.eq(j, 5)])
    )
    outer = quantified(build, "forall", [i], terms.implies(terms.and_([build.le(n, i), build.lt(i, 6)]), inner))
    assert value_of(outer, {n: 4}) is True
    assert value_of(outer, {n: 3}) is False


def test_an_unbounded_quantifier_is_decided_one_way_only(build: Builder) -> None:
    terms, i, m = build.terms, build.bound("i"), build.var("m", INT_MAP)
    element = terms.select(build.term(m), [build.term(i)])
    values: dict[Variable, Value] = {m: MapValue(0, {(123,): 7})}
    assert value_of(quantified(build, "forall", [i], build.eq(element, 0)), values) is False
    assert value_of(quantified(build, "exists", [i], build.eq(element, 7)), values) is True
    with pytest.raises(NotEvaluable, match="ranges over"):
        value_of(quantified(build, "forall", [i], build.le(0, element)), values)
    with pytest.raises(NotEvaluable, match="ranges over"):
        value_of(quantified(build, "exists", [i], build.eq(element, 8)), values)


def test_small_types_are_enumerated(build: Builder) -> None:
    terms = build.terms
    byte = build.bound("b", BvType(8))
    doubled = terms.bv("bvadd", [build.term(byte), build.term(byte)])
    even = terms.eq(terms.extract(doubled, 1, 0), terms.bitvector(0, 1))
    assert value_of(quantified(build, "forall", [byte], even)) is True
    named = NamedType("T")
    element = build.bound("t", named)
    constant = build.var("c", named, VariableKind.CONSTANT)
    every = quantified(build, "forall", [element], terms.eq(build.term(element), build.term(constant)))
    one, two = Element(named, 0), Element(named, 1)
    for universe, expected in (([one], True), ([one, two], False)):
        model = Interpretation({constant: one})
        assert Evaluator(model, Domains((), {named: universe})).evaluate(every, Environment()) is expected


# --- datatypes, reals


def test_datatypes(build: Builder) -> None:
    type_ = DataType("List")
    nil = Constructor("Nil", type_, ())
    cons = Constructor("Cons", type_, (("head", INT), ("tail", type_)))
    domains = Domains([Datatype(type_, (cons, nil))])
    x = build.var("x", type_)
    terms = build.terms
    evaluator = Evaluator(domains=domains)
    assert evaluator.evaluate(build.term(x), Environment()) == DataValue(nil, ())
    one = DataValue(cons, (1, DataValue(nil, ())))
    assert evaluator.evaluate(terms.field(cons, 0, build.term(x)), Environment({x: one})) == 1
    assert evaluator.evaluate(terms.is_(cons, build.term(x)), Environment({x: one})) is True
    long, other = DataValue(nil, ()), DataValue(nil, ())
    for _ in range(20_000):
        long, other = DataValue(cons, (0, long)), DataValue(cons, (0, other))
    y = build.var("y", type_)
    same = terms.eq(build.term(x), build.term(y))
    assert evaluator.evaluate(same, Environment({x: long, y: other})) is True


def test_reals() -> None:
    terms = Terms()
    x = Variable("x", REAL, VariableKind.LOCAL)
    power = terms.pow_(terms.var(x), terms.real(Fraction(-2)))
    assert value_of(power, {x: Fraction(2, 3)}) == Fraction(9, 4)
    with pytest.raises(NotEvaluable):
        value_of(terms.pow_(terms.var(x), terms.real(Fraction(1, 2))), {x: Fraction(2)})
    assert value_of(terms.to_int(terms.var(x)), {x: Fraction(-1, 2)}) == -1
