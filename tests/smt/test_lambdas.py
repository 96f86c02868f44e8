"""Maps given by lambdas. Bitwuzla has none, and gets lemmas about them at the indices that matter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remuda.base.errors import Unsupported
from remuda.smt.create import create_solver
from remuda.smt.solver import Sat, Unsat
from remuda.terms.symbols import Function, VariableKind
from remuda.terms.types import BOOL, BvType, MapType
from tests.patience import PATIENCE
from tests.smt.samples import BYTE, WORD, Letters, variable

if TYPE_CHECKING:
    from remuda.smt.solver import Solver
    from remuda.terms.term import Term

L = Letters()
T = L.terms
MEMORY = MapType((BYTE,), BYTE)
BOTH = pytest.mark.parametrize("name", ["z3", "bitwuzla"])

memory = variable("memory", MEMORY)
other = variable("other", MEMORY)


def add(solver: Solver, *formulas: Term) -> None:
    for formula in formulas:
        solver.add(solver.translate(formula))


def filled(map_: Term, start: Term, end: Term, value: Term) -> Term:
    """`map_`, but with `value` from `start` to before `end`."""
    at = variable("at", BYTE, VariableKind.BOUND)
    here = T.var(at)
    inside = T.and_([L.op("bvule", BOOL, start, here), L.op("bvult", BOOL, here, end)])
    return T.lambda_([at], T.ite(inside, value, T.select(map_, [here])))


@BOTH
def test_elements_of_a_lambda_are_read(name: str) -> None:
    solver = create_solver(name)
    after = filled(T.var(memory), L.bv(10), L.bv(20), L.a)
    result = variable("result", MEMORY)
    add(solver, L.eq(T.var(result), after), L.eq(T.select(T.var(memory), [L.bv(20)]), L.bv(3)))
    add(solver, T.or_([T.not_(L.eq(T.select(T.var(result), [L.bv(19)]), L.a))]))
    assert isinstance(solver.check(), Unsat)


@BOTH
def test_lambdas_stores_and_choices_mix(name: str) -> None:
    solver = create_solver(name)
    first = filled(T.var(memory), L.bv(0), L.bv(100), L.bv(7))
    second = T.store(T.ite(L.p, first, T.var(other)), [L.a], L.bv(9))
    third = filled(second, L.bv(50), L.bv(60), T.select(second, [L.a]))
    read = T.select(T.ite(L.q, third, T.var(memory)), [L.b])
    add(solver, L.p, L.q, L.op("bvult", BOOL, L.b, L.bv(100)))
    add(solver, T.not_(L.eq(read, L.bv(7))), T.not_(L.eq(L.a, L.b)))
    answer = solver.check()
    assert isinstance(answer, Sat)
    assert answer.model.value(solver.translate(read), BYTE) == 9
    add(solver, L.op("bvult", BOOL, L.b, L.bv(50)))
    assert isinstance(solver.check(), Unsat)


@BOTH
def test_every_instance_of_a_template_has_a_lambda_of_its_own(name: str) -> None:
    solver = create_solver(name)
    start, result = variable("start", BYTE), variable("result", MEMORY)
    formula = L.eq(T.var(result), filled(T.var(memory), T.var(start), L.bv(255), L.bv(1)))
    template = solver.template([start, result], [formula])
    results = [variable(f"result{number}", MEMORY) for number in range(2)]
    for number, each in enumerate(results):
        actuals = [solver.translate(term) for term in (L.bv(100 * number), T.var(each))]
        solver.add(solver.instantiate(template, actuals)[0])
    reads = [T.select(T.var(each), [L.bv(50)]) for each in results]
    add(solver, L.eq(T.select(T.var(memory), [L.bv(50)]), L.bv(5)))
    add(solver, T.or_([T.not_(L.eq(reads[0], L.bv(1))), T.not_(L.eq(reads[1], L.bv(5)))]))
    assert isinstance(solver.check(), Unsat)


@BOTH
def test_lemmas_come_back_after_a_pop(name: str) -> None:
    solver = create_solver(name)
    result = variable("result", MEMORY)
    add(solver, L.eq(T.var(result), filled(T.var(memory), L.bv(0), L.bv(9), L.bv(1))))
    wrong = T.not_(L.eq(T.select(T.var(result), [L.bv(4)]), L.bv(1)))
    for _ in range(2):
        solver.push()
        add(solver, wrong)
        assert isinstance(solver.check(), Unsat)
        solver.pop()
        assert not isinstance(solver.check(), Unsat)  # Z3 does not build models of lambdas


@BOTH
def test_compared_maps_may_differ_where_nothing_is_read(name: str) -> None:
    solver = create_solver(name)
    zeros = filled(T.var(memory), L.bv(0), L.bv(200), L.bv(0))
    add(solver, L.eq(T.store(zeros, [L.a], L.b), T.store(T.var(other), [L.bv(3)], L.bv(0))))
    add(solver, L.eq(T.select(T.var(other), [L.bv(4)]), L.bv(1)), L.op("bvult", BOOL, L.a, L.bv(200)))
    add(solver, T.not_(L.eq(L.a, L.bv(4))))
    assert isinstance(solver.check(), Unsat)


@BOTH
def test_several_indices(name: str) -> None:
    solver = create_solver(name)
    first, second = variable("i", BYTE, VariableKind.BOUND), variable("j", BOOL, VariableKind.BOUND)
    both = T.lambda_([first, second], T.ite(T.var(second), T.var(first), L.bv(0)))
    result = variable("result", MapType((BYTE, BOOL), BYTE))
    add(solver, L.eq(T.var(result), both))
    read = T.select(T.var(result), [L.a, L.p])
    add(solver, T.not_(L.eq(read, T.ite(L.p, L.a, L.bv(0)))))
    assert isinstance(solver.check(), Unsat)


def test_lemmas_come_to_an_end() -> None:
    """Each lemma reads the map at another index, and there are 2 to the power of 32 of them."""
    solver = create_solver("bitwuzla")
    wide = MapType((WORD,), BYTE)
    at, before, after = variable("at", WORD, VariableKind.BOUND), variable("before", wide), variable("after", wide)
    index = T.var(variable("x", WORD))
    moved = T.select(T.var(before), [L.op("bvsub", WORD, T.var(at), L.bv(1, 32))])
    shifted = T.lambda_([at], L.op("bvadd", BYTE, moved, L.bv(1)))
    add(solver, L.eq(T.var(after), T.ite(L.p, shifted, T.var(before))))
    add(solver, L.p, T.not_(L.eq(T.select(T.var(after), [index]), T.select(T.var(before), [index]))))
    assert not isinstance(solver.check(seconds=PATIENCE), Unsat)


def test_bitwuzla_refuses_lambdas_that_depend_on_what_is_bound_around_them() -> None:
    outer, inner = variable("i", BYTE, VariableKind.BOUND), variable("j", BYTE, VariableKind.BOUND)
    chosen_map = T.ite(L.p, T.lambda_([inner], T.var(outer)), T.var(memory))
    depending = T.select(chosen_map, [L.a])
    solver = create_solver("bitwuzla")
    with pytest.raises(Unsupported, match="lambda expression inside"):
        solver.translate(T.lambda_([outer], depending))
    with pytest.raises(Unsupported, match="lambda expression inside"):
        solver.translate(T.quantifier("forall", [outer], L.eq(depending, L.a)))


def test_bitwuzla_refuses_lambdas_in_functions() -> None:
    parameter, at = variable("p", BYTE, VariableKind.BOUND), variable("at", BYTE, VariableKind.BOUND)
    all_equal = Function("all_equal", (parameter,), MEMORY, T.lambda_([at], T.var(parameter)))
    solver = create_solver("bitwuzla")
    with pytest.raises(Unsupported, match="lambda expression inside a function"):
        solver.translate(T.apply(all_equal, [L.a]))


NIBBLE = BvType(4)
SMALL = MapType((NIBBLE,), NIBBLE)
numbers = [T.var(variable(f"n{position}", NIBBLE)) for position in range(3)]
result_map = variable("m", SMALL)
maps = [T.var(variable(f"m{position}", SMALL)) for position in range(2)]
indices = st.one_of(st.sampled_from(numbers), st.integers(0, 15).map(lambda value: T.bitvector(value, 4)))
conditions = st.builds(lambda left, right: L.op("bvule", BOOL, left, right), indices, indices)


def by_lambda(map_: Term, start: Term, value: Term, distance: Term) -> Term:
    """A map with `value` below `start`, and from `start` on `value` combined with the elements of another map."""
    at = variable("at", NIBBLE, VariableKind.BOUND)
    return T.lambda_([at], _element(map_, start, value, distance, T.var(at)))


def by_stores(map_: Term, start: Term, value: Term, distance: Term) -> Term:
    result = map_
    for number in range(16):
        at = T.bitvector(number, 4)
        result = T.store(result, [at], _element(map_, start, value, distance, at))
    return result


def _element(map_: Term, start: Term, value: Term, distance: Term, at: Term) -> Term:
    moved = T.select(map_, [L.op("bvadd", NIBBLE, at, distance)])
    return T.ite(L.op("bvule", BOOL, start, at), L.op("bvxor", NIBBLE, moved, value), value)


Make = Callable[[Callable[..., "Term"]], "Term"]  # a term, given how maps are filled


def stored(below: Make, index: Term, value: Term) -> Make:
    return lambda fill: T.store(below(fill), [index], value)


def chosen(condition: Term, left: Make, right: Make) -> Make:
    return lambda fill: T.ite(condition, left(fill), right(fill))


def refilled(below: Make, start: Term, value: Term, distance: Term) -> Make:
    return lambda fill: fill(below(fill), start, value, distance)


def constant(map_: Term) -> Make:
    return lambda _: map_


map_terms = st.recursive(
    st.sampled_from(maps).map(constant),
    lambda below: st.one_of(
        st.builds(stored, below, indices, indices),
        st.builds(chosen, conditions, below, below),
        st.builds(refilled, below, indices, indices, indices),
    ),
    max_leaves=5,
)


def equal_reads(left: Make, index: Term, right: Make, at: Term, *, is_equal: bool) -> Make:
    def make(fill: Callable[..., Term]) -> Term:
        equation = L.eq(T.select(left(fill), [index]), T.select(right(fill), [at]))
        return equation if is_equal else T.not_(equation)

    return make


def named(map_: Make) -> Make:
    return lambda fill: L.eq(T.var(result_map), map_(fill))


readable = st.one_of(map_terms, st.just(constant(T.var(result_map))))
reads = st.builds(equal_reads, readable, indices, readable, indices, is_equal=st.booleans())


@settings(max_examples=100, deadline=None)
@given(formulas=st.lists(reads, min_size=1, max_size=4), given_name=map_terms)
def test_a_lambda_is_as_good_as_all_its_elements(formulas: list[Make], given_name: Make) -> None:
    """Whatever is read from maps, one of which has a name. (Maps that are compared as a whole are another matter.)"""
    answers = []
    for fill in (by_lambda, by_stores):
        solver = create_solver("bitwuzla")
        add(solver, named(given_name)(fill), *[formula(fill) for formula in formulas])
        answers.append(type(solver.check(seconds=PATIENCE)))
    assert answers[0] is answers[1]
