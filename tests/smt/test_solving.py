"""Queries, templates, functions and names, on every solver."""

from __future__ import annotations

import gc
import re
import signal
import time
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from remuda.base.errors import InternalError, ToolError, Unsupported, UsageError
from remuda.base.reasons import TIMEOUT, Cause
from remuda.smt import z3_native
from remuda.smt.create import create_solver
from remuda.smt.names import UniqueNames
from remuda.smt.solver import Sat, Solver, Unknown, Unsat
from remuda.terms.symbols import Constructor, Function, Variable, VariableKind
from remuda.terms.types import BOOL, INT, REAL, BvType, DataType, MapType, NamedType
from tests.patience import PATIENCE
from tests.smt.samples import (
    BYTE,
    FLOAT,
    ONE_AS_FLOAT,
    WORD,
    Letters,
    each_solver,
    each_with_integers,
    function,
    variable,
)

if TYPE_CHECKING:
    from remuda.terms.term import Term
    from remuda.terms.types import Type

L = Letters()
T = L.terms


def bound(name: str, type_: Type = INT) -> Variable:
    return variable(name, type_, VariableKind.BOUND)


def add(solver: Solver, *formulas: Term) -> None:
    for formula in formulas:
        solver.add(solver.translate(formula))


# --- queries


@each_solver
def test_core_lists_the_needed_assumptions_in_order(name: str) -> None:
    solver = create_solver(name)
    switches = [T.var(variable(f"s{position}", BOOL)) for position in range(6)]
    for position, switch in enumerate(switches):
        add(solver, T.implies(switch, L.eq(L.a, L.bv(position % 3 if position in {1, 4} else 7))))
    add(solver, T.implies(switches[5], L.eq(L.b, L.bv(1))), T.implies(switches[0], L.eq(L.b, L.bv(2))))
    natives = [solver.translate(switch) for switch in (switches[5], switches[2], switches[0])]
    answer = solver.check(natives)
    assert isinstance(answer, Unsat)
    assert answer.core == (natives[0], natives[2])


@each_solver
def test_assumptions_may_be_negated_and_are_forgotten(name: str) -> None:
    solver = create_solver(name)
    add(solver, L.p)
    denied = solver.not_(solver.translate(L.p))
    assert solver.check([denied]) == Unsat((denied,))
    assert isinstance(solver.check([]), Sat)


@each_solver
def test_push_and_pop(name: str) -> None:
    solver = create_solver(name)
    add(solver, L.p)
    solver.push()
    add(solver, T.not_(L.p))
    assert isinstance(solver.check(), Unsat)
    solver.pop()
    assert isinstance(solver.check(), Sat)
    with pytest.raises(InternalError):
        solver.pop()


@each_solver
def test_formulas_over_natives(name: str) -> None:
    solver = create_solver(name)
    p, q = solver.translate(L.p), solver.translate(L.q)
    solver.add(solver.implies(solver.and_([p, q]), solver.not_(solver.or_([p, q]))))
    solver.add(solver.eq(p, q))
    assert isinstance(solver.check([p]), Unsat)
    assert isinstance(solver.check([solver.not_(p)]), Sat)
    assert isinstance(solver.check([solver.and_([]), solver.not_(solver.or_([]))]), Sat)
    assert solver.and_([p]) == p


def pigeons(count: int) -> list[Term]:
    """More pigeons than holes: hard for every solver that does not count."""
    sits = [[T.var(variable(f"p{i}.{j}", BOOL)) for j in range(count - 1)] for i in range(count)]
    clash = [T.not_(T.and_([one[j], other[j]])) for j in range(count - 1) for one, other in combinations(sits, 2)]
    return [T.or_(row) for row in sits] + clash


@each_solver
def test_timeout_returns_and_does_not_last(name: str) -> None:
    solver = create_solver(name)
    solver.push()
    add(solver, *pigeons(20))
    start = time.monotonic()
    answer = solver.check(seconds=0.5)
    assert answer == Unknown(TIMEOUT)
    assert time.monotonic() - start < PATIENCE / 2
    solver.pop()
    assert isinstance(solver.check(), Sat)


def test_incomplete_quantifiers_leave_a_candidate() -> None:
    solver = create_solver("z3")
    item, mapped = bound("i"), function("f", [INT], INT)
    applied = T.apply(mapped, [T.var(item)])
    add(solver, T.quantifier("forall", [item], T.lt(T.var(item), applied), [[applied]]), L.eq(L.x, L.integer(3)))
    answer = solver.check()
    assert isinstance(answer, Unknown)
    assert answer.why.cause is Cause.INCOMPLETE
    assert str(answer.why).startswith("incomplete (")
    assert answer.candidate is not None
    assert answer.candidate.value(solver.translate(L.x), INT) == 3


# --- quantifiers


@each_with_integers
def test_triggers_instantiate(name: str) -> None:
    solver = create_solver(name)
    one, other = bound("i"), bound("j")
    mapped = function("f", [INT], INT)
    images = [T.apply(mapped, [T.var(item)]) for item in (one, other)]
    injective = T.implies(L.eq(*images), L.eq(T.var(one), T.var(other)))
    add(solver, T.quantifier("forall", [one, other], injective, [images], weight=2))
    add(solver, L.eq(T.apply(mapped, [L.x]), T.apply(mapped, [L.y])), T.not_(L.eq(L.x, L.y)))
    assert isinstance(solver.check(), Unsat)


@each_with_integers
def test_bad_triggers_are_dropped_and_good_ones_kept(name: str) -> None:
    solver = create_solver(name)
    item, mapped = bound("i"), function("f", [INT], INT)
    applied = T.apply(mapped, [T.var(item)])
    bad: list[list[Term]] = [[T.var(item)], [T.not_(L.eq(applied, L.integer(0)))], [T.apply(mapped, [L.x])]]
    add(solver, T.quantifier("forall", [item], L.eq(applied, L.integer(0)), [*bad, [applied]]))
    add(solver, T.not_(L.eq(T.apply(mapped, [L.x]), L.integer(0))))
    assert isinstance(solver.check(), Unsat)


def complete_solver(name: str) -> Solver:
    """With what Z3 needs for quantifiers that no trigger helps with."""
    return create_solver(name, settings={"smt.mbqi": "true"} if name == "z3" else None)


@each_solver
def test_nested_quantifiers_over_variables_of_one_name(name: str) -> None:
    solver = complete_solver(name)
    outer, inner = bound("i", BYTE), bound("i", BYTE)
    exists = T.quantifier("exists", [inner], L.eq(T.var(inner), T.bv("bvadd", [T.var(outer), L.bv(1)])))
    add(solver, T.not_(T.quantifier("forall", [outer], exists)))
    assert isinstance(solver.check(seconds=PATIENCE), Unsat)


# --- functions


@each_solver
def test_defined_functions_are_expanded(name: str) -> None:
    solver = create_solver(name)
    double = function("double", [BYTE], BYTE)
    double.body = T.bv("bvmul", [L.bv(2), T.var(double.parameters[0])])
    quadruple = function("quadruple", [BYTE], BYTE)
    quadruple.body = T.apply(double, [T.apply(double, [T.var(quadruple.parameters[0])])])
    item = bound("i", BYTE)
    claim = L.eq(T.apply(quadruple, [T.var(item)]), T.bv("bvmul", [L.bv(4), T.var(item)]))
    add(solver, T.not_(T.quantifier("forall", [item], claim)))
    assert "double" not in solver.text()
    assert isinstance(solver.check(), Unsat)


@each_with_integers
def test_a_definition_with_a_quantifier_captures_nothing(name: str) -> None:
    solver = complete_solver(name)
    is_least, item = function("isLeast", [INT], BOOL), bound("i")
    is_least.body = T.quantifier("exists", [item], T.lt(T.var(item), T.var(is_least.parameters[0])))
    add(solver, T.not_(T.apply(is_least, [L.x])))
    assert isinstance(solver.check(seconds=PATIENCE), Unsat)


@each_solver
def test_recursive_functions_unfold(name: str) -> None:
    solver = create_solver(name)
    solver.push()
    add(solver, T.not_(L.eq(T.apply(factorial(), [L.bv(3)]), L.bv(6))))
    assert isinstance(solver.check(seconds=PATIENCE), Unsat)


@each_solver
def test_definitions_of_recursive_functions_outlive_a_pop(name: str) -> None:
    solver = create_solver(name)
    function_ = factorial()
    solver.push()
    solver.translate(T.apply(function_, [L.a]))
    solver.check(seconds=1)
    solver.pop()
    add(solver, T.not_(L.eq(T.apply(function_, [L.bv(2)]), L.bv(2))))
    assert isinstance(solver.check(seconds=PATIENCE), Unsat)


def factorial() -> Function:
    made = function("factorial", [BYTE], BYTE)
    number = T.var(made.parameters[0])
    before = T.apply(made, [T.bv("bvsub", [number, L.bv(1)])])
    made.body = T.ite(L.eq(number, L.bv(0)), L.bv(1), T.bv("bvmul", [number, before]))
    return made


@each_with_integers
def test_mutually_recursive_functions(name: str) -> None:
    solver = create_solver(name)
    even, odd = function("even", [INT], BOOL), function("odd", [INT], BOOL)
    for this, other, at_zero in ((even, odd, T.true), (odd, even, T.false)):
        number = T.var(this.parameters[0])
        rest = T.apply(other, [T.arithmetic("sub", number, L.integer(1))])
        this.body = T.make("ite", (L.eq(number, L.integer(0)), at_zero, rest), None, BOOL)
    add(solver, T.apply(odd, [L.integer(4)]))
    assert isinstance(solver.check(seconds=PATIENCE), Unsat)


@each_solver
def test_builtin_functions(name: str) -> None:
    solver = create_solver(name)
    byte = BvType(8)
    for operator, value, expected in (("bvneg", 1, 0xFF), ("(_ rotate_left 1)", 0x81, 0x03)):
        builtin = Function(operator, (variable("p", byte),), byte, builtin=operator)
        add(solver, L.eq(T.apply(builtin, [L.bv(value)]), L.bv(expected)))
    assert isinstance(solver.check(), Sat)
    broken = Function("g", (variable("p", byte),), byte, builtin="noSuchOperator")
    with pytest.raises(Unsupported, match="noSuchOperator"):
        solver.translate(T.apply(broken, [L.a]))
    add(solver, L.p)
    assert isinstance(solver.check(), Sat)


# --- templates


@each_solver
def test_instances_equal_direct_translations(name: str) -> None:
    solver = create_solver(name)
    item, mapped = bound("i", BYTE), function("f", [BYTE], BYTE)
    quantified = T.quantifier("forall", [item], T.bv("bvule", [L.a, T.apply(mapped, [T.var(item)])]))
    shared = T.bv("bvadd", [L.a, L.b])
    terms = [shared, T.bv("bvult", [shared, L.bv(3)]), quantified, L.p, L.q]
    template = solver.template([L.a.payload, L.p.payload], terms)
    actuals = [solver.translate(L.bv(7)), solver.translate(T.not_(L.q))]
    found = solver.instantiate(template, actuals)
    wanted = T.substitute(terms, {L.a.payload: L.bv(7), L.p.payload: T.not_(L.q)})
    assert len(found) == len(wanted)
    differs = [solver.not_(solver.eq(one, solver.translate(other))) for one, other in zip(found, wanted, strict=True)]
    solver.add(solver.or_(differs))
    assert isinstance(solver.check(), Unsat)
    with pytest.raises(InternalError):
        solver.instantiate(template, [])


@each_solver
@pytest.mark.parametrize("count", [0, 1, 2])
def test_templates_of_few_terms_and_parameters(name: str, count: int) -> None:
    solver = create_solver(name)
    template = solver.template([], [L.a, L.p][:count])
    assert solver.instantiate(template, []) == [solver.translate(term) for term in (L.a, L.p)[:count]]


@each_solver
def test_instances_swap_parameters_at_once(name: str) -> None:
    solver = create_solver(name)
    template = solver.template([L.a.payload, L.b.payload], [T.bv("bvult", [L.a, L.b])])
    swapped = [solver.translate(L.b), solver.translate(L.a)]
    assert solver.instantiate(template, swapped) == [solver.translate(T.bv("bvult", [L.b, L.a]))]


@each_solver
def test_fresh_constants_are_independent(name: str) -> None:
    solver = create_solver(name)
    named = [T.var(variable("k!", BYTE)) for _ in range(5)]
    constants = [solver.fresh(BYTE) for _ in range(5)] + [solver.translate(term) for term in named]
    for position, constant in enumerate(constants):
        solver.add(solver.eq(constant, solver.translate(L.bv(position))))
    assert isinstance(solver.check(), Sat)


# --- names and errors


@each_solver
def test_symbols_of_one_name_stay_apart(name: str) -> None:
    solver = create_solver(name)
    named = [T.var(variable("x", BYTE)) for _ in range(3)] + [T.var(variable("x!1", BYTE))]
    function_ = function("x", [BYTE], BYTE)
    add(solver, T.distinct([*named, T.apply(function_, [L.bv(0)])]))
    add(solver, L.eq(T.var(variable("x", FLOAT)), L.single(ONE_AS_FLOAT)))
    assert isinstance(solver.check(), Sat)


def test_unique_names_never_meet() -> None:
    names = UniqueNames()
    given = [names.unique(wanted) for wanted in ["x", "x", "x!1", "x", "x$1", "x!1", "y"]]
    assert given[0] == "x"
    assert len(set(given)) == len(given)


@each_solver
def test_constructs_that_are_not_modelled_are_refused(name: str) -> None:
    solver = create_solver(name)
    with pytest.raises(InternalError, match="old"):
        solver.translate(T.old(L.a))
    with pytest.raises(Unsupported, match="bv0"):
        solver.translate(T.var(variable("empty", BvType(0))))
    with pytest.raises((ToolError, Unsupported)):
        solver.translate(T.make("bvadd", (L.a, L.bv(0, 9)), None, BvType(8)))


def test_cvc5_refuses_lambdas() -> None:
    solver = create_solver("cvc5")
    with pytest.raises(Unsupported, match="lambda"):
        solver.translate(T.lambda_([bound("i", BYTE)], L.a))


@pytest.mark.parametrize("name", ["cvc5", "bitwuzla"])
def test_an_old_model_is_not_read(name: str) -> None:
    solver = create_solver(name)
    answer = solver.check()
    assert isinstance(answer, Sat)
    add(solver, L.p)
    with pytest.raises(InternalError, match="moved on"):
        answer.model.is_true(solver.translate(L.p))


def test_bitwuzla_says_what_it_lacks() -> None:
    solver = create_solver("bitwuzla")
    list_type = DataType("List")
    nil = Constructor("Nil", list_type, ())
    solver.declare_datatypes([(list_type, [nil])])
    refused = {
        "no integers: use --solver z3": [L.x, L.integer(1), T.bv2nat(L.a), T.var(variable("m", MapType((), INT)))],
        "no reals": [L.r, L.real(1, 2), L.op("fp_to_real", REAL, L.f)],
        "no datatypes": [T.construct(nil, []), T.var(variable("list", list_type))],
        "no uninterpreted types": [T.var(variable("u", NamedType("U")))],
        "index sort": [T.var(variable("m", MapType((MapType((BYTE,), BYTE),), BYTE)))],
        "among several indices": [T.var(variable("m", MapType((BYTE, FLOAT), BYTE)))],
    }
    for reason, terms in refused.items():
        for term in terms:
            with pytest.raises(Unsupported, match=reason):
                solver.translate(term)
    with pytest.raises(Unsupported, match="no integers"):
        solver.fresh(INT)


def test_bitwuzla_can_be_interrupted() -> None:
    solver = create_solver("bitwuzla")
    add(solver, *pigeons(20))
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            solver.check(seconds=PATIENCE)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert solver.check(seconds=0.1) == Unknown(TIMEOUT)


def test_z3_models_outlive_later_queries_and_the_solver() -> None:
    solver = create_solver("z3")
    add(solver, L.eq(L.x, L.integer(3)))
    native = solver.translate(L.x)
    answer = solver.check()
    assert isinstance(answer, Sat)
    add(solver, T.lt(L.y, L.x))
    solver.check()
    del solver
    gc.collect()
    assert answer.model.value(native, INT) == 3


@each_solver
def test_solvers_and_what_they_made_may_be_collected_in_any_order(name: str) -> None:
    for _ in range(10):
        solver = create_solver(name)
        template = solver.template([L.a.payload], [L.eq(T.bv("bvmul", [L.a, L.b]), L.bv(6))])
        solver.add(solver.instantiate(template, [solver.fresh(BYTE)])[0])
        answer = solver.check()
        assert isinstance(answer, Sat)
        cycle = [solver, template, answer, solver.translate(L.b)]
        cycle.append(cycle)
        del solver, template, answer, cycle
        gc.collect()


@each_solver
def test_settings(name: str) -> None:
    good = {"z3": {"smt.arith.solver": "2"}, "cvc5": {"seed": "3"}, "bitwuzla": {"rewrite-level": "1"}}[name]
    assert isinstance(create_solver(name, settings=good).check(), Sat)
    bad = {"z3": {"smt.no_such_thing": "2"}, "cvc5": {"no-such-thing": "3"}, "bitwuzla": {"no-such-thing": "3"}}[name]
    with pytest.raises(UsageError):
        create_solver(name, settings=bad)


def test_unknown_solver() -> None:
    with pytest.raises(UsageError, match="z3, cvc5, bitwuzla"):
        create_solver("z4")


def test_missing_z3_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    z3_native.load_library.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ToolError, match="pip install z3-solver"):
        create_solver("z3")


@each_solver
def test_text_is_smtlib(name: str) -> None:
    solver = create_solver(name)
    map_ = T.var(variable("m", MapType((BYTE,), BOOL)))
    add(solver, T.select(map_, [L.a]))
    text = solver.text()
    assert "(assert" in text
    assert re.search(r"declare-(fun m \(\)|const m) \(Array \(_ BitVec 8\) Bool\)", text)


# --- depth


@each_solver
def test_deep_terms(name: str) -> None:
    depth = 100_000
    solver = create_solver(name)
    first, last = T.var(variable("first", WORD)), T.var(variable("last", WORD))
    total = first
    for number in range(depth):
        total = T.bv("bvadd", [total, L.bv(number, 32)])
    add(solver, L.eq(total, last), L.eq(first, L.bv(0, 32)))
    answer = solver.check(seconds=PATIENCE)
    assert isinstance(answer, Sat)
    assert answer.model.value(solver.translate(last), WORD) == sum(range(depth)) % 2**32


@each_solver
def test_deep_templates(name: str) -> None:
    depth = 50_000
    solver = create_solver(name)
    chain = L.p
    for number in range(depth):
        chain = T.make("and", (chain, T.var(variable(f"c{number}", BOOL))), None, BOOL)
    template = solver.template([L.p.payload], [chain, L.q])
    solver.add(solver.instantiate(template, [solver.translate(T.false)])[0])
    assert isinstance(solver.check(seconds=PATIENCE), Unsat)


@pytest.mark.parametrize("op", ["implies", "and", "or", "ite"])
def test_deep_formulas_neither_end_the_process_nor_take_quadratic_time(op: str) -> None:
    solver = create_solver("z3")
    chain = L.p
    for number in range(60_000):
        condition = T.var(variable(f"c{number}", BOOL))
        args = (condition, chain, L.q) if op == "ite" else (condition, chain)
        chain = T.make(op, args, None, BOOL)
    start = time.process_time()
    add(solver, T.not_(chain))
    assert isinstance(solver.check(seconds=PATIENCE), Sat)
    assert time.process_time() - start < 30
