"""Every operator has the same meaning in the solvers as in `terms/term.py`.

Each sample is valid: its negation must be unsatisfiable. `make` avoids the store's simplifications, so that the
solver does the computation.
"""

from __future__ import annotations

import re

import pytest

from remuda.base.errors import Unsupported
from remuda.smt.create import create_solver
from remuda.smt.solver import Unsat
from remuda.terms import term as term_module
from remuda.terms.symbols import Constructor, VariableKind
from remuda.terms.term import Binder, Term, postorder
from remuda.terms.types import BOOL, INT, REAL, BvType, DataType, FloatType, MapType
from tests.smt.samples import (
    FLOAT,
    NAN_AS_FLOAT,
    ONE_AS_FLOAT,
    TWO_AS_FLOAT,
    WITH_INTEGERS,
    Letters,
    each_solver,
    each_with_integers,
    function,
    is_valid,
    variable,
)

L = Letters()
T = L.terms
BV8 = BvType(8)
HALF_AS_DOUBLE = 0x3FE0000000000000


def bv(op: str, left: int, right: int, result: int) -> Term:
    return L.eq(L.op(op, BV8, L.bv(left), L.bv(right)), L.bv(result))


def arithmetic(op: str, left: int, right: int, result: int) -> Term:
    return L.eq(L.op(op, INT, L.integer(left), L.integer(right)), L.integer(result))


def floats(op: str, left: int, right: int, result: int) -> Term:
    return L.eq(L.op(op, FLOAT, L.rounding(), L.single(left), L.single(right)), L.single(result))


GRID = T.var(variable("grid", MapType((BV8, BOOL), BV8)))


ONE, TWO, NAN = L.single(ONE_AS_FLOAT), L.single(TWO_AS_FLOAT), L.single(NAN_AS_FLOAT)
IDENTITY = function("identity", [BV8], BV8)
IDENTITY.body = T.var(IDENTITY.parameters[0])
NULLARY = T.var(variable("cell", MapType((), BV8)))

SAMPLES: dict[str, Term] = {
    "and": L.eq(L.op("and", BOOL, L.p, L.q, T.false), T.false),
    "or": L.eq(L.op("or", BOOL, L.p, L.q, T.true), T.true),
    "implies": L.op("implies", BOOL, L.op("and", BOOL, L.p, L.q), L.p),
    "not": L.op("or", BOOL, L.p, L.op("not", BOOL, L.p)),
    "ite": L.eq(L.op("ite", BV8, T.true, L.a, L.b), L.a),
    "distinct": L.op("distinct", BOOL, L.bv(1), L.bv(2), L.bv(3)),
    "apply": L.eq(T.apply(IDENTITY, [L.a]), L.a),
    "neg": L.eq(L.op("neg", INT, L.integer(3)), L.integer(-3)),
    "add": arithmetic("add", 2, 3, 5),
    "sub": arithmetic("sub", 2, 3, -1),
    "mul": arithmetic("mul", -2, 3, -6),
    "div": arithmetic("div", -7, 2, -4),
    "div by a negative": arithmetic("div", -7, -2, 4),
    "mod": arithmetic("mod", -7, 2, 1),
    "mod by a negative": arithmetic("mod", -7, -2, 1),
    "div by zero is a function": L.op(
        "implies",
        BOOL,
        L.eq(L.x, L.y),
        L.eq(L.op("div", INT, L.x, L.integer(0)), L.op("div", INT, L.y, L.integer(0))),
    ),
    "realdiv": L.eq(L.op("realdiv", REAL, L.real(1), L.real(4)), L.real(1, 4)),
    "pow": L.eq(L.op("pow", REAL, L.real(3), L.real(2)), L.real(9)),
    "lt": L.op("lt", BOOL, L.real(1, 3), L.real(1, 2)),
    "le": L.op("le", BOOL, L.integer(10**30), L.integer(10**30)),
    "to_real": L.eq(L.op("to_real", REAL, L.integer(3)), L.real(3)),
    "to_int": L.eq(L.op("to_int", INT, L.real(-7, 2)), L.integer(-4)),
    "concat": L.eq(L.op("concat", BvType(16), L.bv(0xAB), L.bv(0xCD)), L.bv(0xABCD, 16)),
    "extract": L.eq(L.op("extract", BvType(4), L.bv(0xAB), payload=(8, 4)), L.bv(0xA, 4)),
    "bvnot": L.eq(L.op("bvnot", BV8, L.bv(0x0F)), L.bv(0xF0)),
    "bvneg": L.eq(L.op("bvneg", BV8, L.bv(1)), L.bv(0xFF)),
    "bvadd": bv("bvadd", 0xFF, 2, 1),
    "bvsub": bv("bvsub", 1, 2, 0xFF),
    "bvmul": bv("bvmul", 0x80, 2, 0),
    "bvudiv": bv("bvudiv", 0xFE, 2, 0x7F),
    "bvudiv by zero": bv("bvudiv", 5, 0, 0xFF),
    "bvurem": bv("bvurem", 7, 4, 3),
    "bvsdiv": bv("bvsdiv", 0xF9, 2, 0xFD),
    "bvsrem": bv("bvsrem", 0xF9, 2, 0xFF),
    "bvsmod": bv("bvsmod", 0xF9, 2, 1),
    "bvand": bv("bvand", 0x3C, 0x0F, 0x0C),
    "bvor": bv("bvor", 0x3C, 0x0F, 0x3F),
    "bvxor": bv("bvxor", 0x3C, 0x0F, 0x33),
    "bvnand": bv("bvnand", 0x3C, 0x0F, 0xF3),
    "bvnor": bv("bvnor", 0x3C, 0x0F, 0xC0),
    "bvxnor": bv("bvxnor", 0x3C, 0x0F, 0xCC),
    "bvshl": bv("bvshl", 0x81, 1, 0x02),
    "bvlshr": bv("bvlshr", 0x81, 1, 0x40),
    "bvashr": bv("bvashr", 0x81, 1, 0xC0),
    "bvult": L.op("bvult", BOOL, L.bv(1), L.bv(0xFF)),
    "bvule": L.op("bvule", BOOL, L.bv(1), L.bv(1)),
    "bvslt": L.op("bvslt", BOOL, L.bv(0xFF), L.bv(1)),
    "bvsle": L.op("bvsle", BOOL, L.bv(0x80), L.bv(0x7F)),
    "zero_extend": L.eq(L.op("zero_extend", BvType(16), L.bv(0x80), payload=8), L.bv(0x80, 16)),
    "sign_extend": L.eq(L.op("sign_extend", BvType(16), L.bv(0x80), payload=8), L.bv(0xFF80, 16)),
    "rotate_left": L.eq(L.op("rotate_left", BV8, L.bv(0x81), payload=1), L.bv(0x03)),
    "rotate_right": L.eq(L.op("rotate_right", BV8, L.bv(0x81), payload=1), L.bv(0xC0)),
    "repeat": L.eq(L.op("repeat", BvType(16), L.bv(0xAB), payload=2), L.bv(0xABAB, 16)),
    "bv2nat": L.eq(L.op("bv2nat", INT, L.bv(0xFF)), L.integer(255)),
    "bv2int": L.eq(L.op("bv2int", INT, L.bv(0xFF)), L.integer(-1)),
    "int2bv": L.eq(L.op("int2bv", BV8, L.integer(-1), payload=8), L.bv(0xFF)),
    "select": L.eq(
        L.op("select", BV8, L.op("store", GRID.type, GRID, L.a, L.p, L.b), L.a, L.p),
        L.b,
    ),
    "store": L.eq(
        L.op("select", BV8, T.store(GRID, [L.bv(1), L.p], L.b), L.bv(2), L.p),
        L.op("select", BV8, GRID, L.bv(2), L.p),
    ),
    "select and store without an index": L.eq(T.select(T.make("store", (NULLARY, L.a), None, NULLARY.type), []), L.a),
    "forall": T.quantifier("forall", [L.a.payload], L.eq(L.op("bvsub", BV8, L.a, L.a), L.bv(0))),
    "exists": T.not_(T.quantifier("exists", [L.a.payload], L.op("bvult", BOOL, L.a, L.a))),
    "forall integers": T.quantifier("forall", [L.x.payload], L.eq(L.op("sub", INT, L.x, L.x), L.integer(0))),
    "fp_abs": L.eq(L.op("fp_abs", FLOAT, L.single(0xBF800000)), ONE),
    "fp_neg": L.eq(L.op("fp_neg", FLOAT, ONE), L.single(0xBF800000)),
    "fp_add": floats("fp_add", ONE_AS_FLOAT, ONE_AS_FLOAT, TWO_AS_FLOAT),
    "fp_sub": floats("fp_sub", TWO_AS_FLOAT, ONE_AS_FLOAT, ONE_AS_FLOAT),
    "fp_mul": floats("fp_mul", TWO_AS_FLOAT, ONE_AS_FLOAT, TWO_AS_FLOAT),
    "fp_div": floats("fp_div", TWO_AS_FLOAT, TWO_AS_FLOAT, ONE_AS_FLOAT),
    "fp_fma": L.eq(L.op("fp_fma", FLOAT, L.rounding(), ONE, ONE, ONE), TWO),
    "fp_sqrt": L.eq(L.op("fp_sqrt", FLOAT, L.rounding(), L.single(0x40800000)), TWO),
    "fp_rem": L.op("fp_isZero", BOOL, L.op("fp_rem", FLOAT, TWO, ONE)),
    "fp_roundToIntegral": L.eq(L.op("fp_roundToIntegral", FLOAT, L.rounding("RTZ"), L.single(0x3FC00000)), ONE),
    "fp_min": L.eq(L.op("fp_min", FLOAT, ONE, TWO), ONE),
    "fp_max": L.eq(L.op("fp_max", FLOAT, ONE, TWO), TWO),
    "fp_leq": L.op("fp_leq", BOOL, ONE, ONE),
    "fp_lt": L.op("fp_lt", BOOL, ONE, TWO),
    "fp_geq": L.op("fp_geq", BOOL, TWO, ONE),
    "fp_gt": L.op("fp_gt", BOOL, TWO, ONE),
    "fp_eq": L.op("fp_eq", BOOL, L.single(0), L.single(0x80000000)),
    "fp_eq is false on NaN": L.op("not", BOOL, L.op("fp_eq", BOOL, NAN, NAN)),
    "fp_isNormal": L.op("fp_isNormal", BOOL, ONE),
    "fp_isSubnormal": L.op("fp_isSubnormal", BOOL, L.single(1)),
    "fp_isZero": L.op("fp_isZero", BOOL, L.single(0x80000000)),
    "fp_isInfinite": L.op("fp_isInfinite", BOOL, L.single(0x7F800000)),
    "fp_isNaN": L.op("fp_isNaN", BOOL, NAN),
    "fp_isNegative": L.op("fp_isNegative", BOOL, L.single(0x80000000)),
    "fp_isPositive": L.op("fp_isPositive", BOOL, ONE),
    "fp_to_real": L.eq(L.op("fp_to_real", REAL, L.single(0x3FC00000)), L.real(3, 2)),
    "fp_to_ubv": L.eq(L.op("fp_to_ubv", BV8, L.rounding("RTP"), L.single(0x3FC00000), payload=8), L.bv(2)),
    "fp_to_sbv": L.eq(L.op("fp_to_sbv", BV8, L.rounding("RTN"), L.single(0xBFC00000), payload=8), L.bv(0xFE)),
    "to_fp_real": L.eq(L.op("to_fp_real", FLOAT, L.rounding(), L.real(3, 2), payload=FLOAT), L.single(0x3FC00000)),
    "to_fp_bits": L.eq(L.op("to_fp_bits", FLOAT, L.bv(ONE_AS_FLOAT, 32), payload=FLOAT), ONE),
    "to_fp_float": L.eq(
        L.op("to_fp_float", FLOAT, L.rounding("RNA"), T.float_(HALF_AS_DOUBLE, FloatType(53, 11)), payload=FLOAT),
        L.single(0x3F000000),
    ),
    "to_fp_sbv": L.eq(L.op("to_fp_sbv", FLOAT, L.rounding(), L.bv(0xFF), payload=FLOAT), L.single(0xBF800000)),
    "to_fp_ubv": L.eq(L.op("to_fp_ubv", FLOAT, L.rounding(), L.bv(1), payload=FLOAT), ONE),
}

# Tested by themselves: datatypes need a declaration, lambdas are not for every solver, `old` is for none.
ELSEWHERE = {"construct", "field", "is", "lambda", "old"}


def documented_operators() -> set[str]:
    """The operators of the table in the docstring of `terms/term.py`, but for the abbreviated `fp_*`."""
    table = (term_module.__doc__ or "").split("The operators:")[1]
    columns = [line[4:].split("  ")[0] for line in table.splitlines() if line.startswith("    ") and line[4] != " "]
    words = re.findall(r"\b[a-z_0-9]+\b", " ".join(columns))
    return {word for word in words if word not in {"payload", "as", "in"}} - {"fp_"}


def test_the_samples_cover_every_documented_operator() -> None:
    used = {term.op for term in postorder(SAMPLES.values())}
    assert documented_operators() - used - ELSEWHERE == set()
    assert len(documented_operators()) > 60


@each_solver
@pytest.mark.parametrize("sample", SAMPLES)
def test_sample_is_valid(name: str, sample: str) -> None:
    formula = SAMPLES[sample]
    if name in WITH_INTEGERS or not any(term.type in {INT, REAL} for term in postorder([formula])):
        assert is_valid(name, T, formula)
    else:
        with pytest.raises(Unsupported, match="use --solver z3"):
            is_valid(name, T, formula)


@each_with_integers
@pytest.mark.parametrize("op", ["div", "mod"])
def test_division_by_zero_may_have_any_value(name: str, op: str) -> None:
    assert not is_valid(name, T, L.eq(L.op(op, INT, L.x, L.integer(0)), L.integer(0)))


def test_lambda_is_a_map() -> None:
    bound = variable("i", INT, VariableKind.BOUND)
    successor = T.lambda_([bound], T.arithmetic("add", T.var(bound), L.integer(1)))
    assert is_valid("z3", T, L.eq(T.select(successor, [L.x]), L.op("add", INT, L.x, L.integer(1))))


def test_lambda_over_nothing_is_its_body() -> None:
    lambda_ = T.make("lambda", (L.x,), Binder(()), MapType((), INT))
    assert is_valid("z3", T, L.eq(T.select(lambda_, []), L.x))


LIST = DataType("List")
NIL = Constructor("Nil", LIST, ())
CONS = Constructor("Cons", LIST, (("head", INT), ("tail", LIST), ("others", MapType((INT,), LIST))))


@each_with_integers
def test_datatypes(name: str) -> None:
    solver = create_solver(name)
    solver.declare_datatypes([(LIST, [NIL, CONS])])
    others = T.var(variable("others", MapType((INT,), LIST)))
    made = T.construct(CONS, [L.x, T.construct(NIL, []), others])
    unknown = T.var(variable("list", LIST))
    wrong = T.or_(
        [
            T.not_(L.eq(T.make("field", (made,), (CONS, 0), INT), L.x)),
            T.make("is", (made,), NIL, BOOL),
            T.not_(T.or_([T.is_(NIL, unknown), T.is_(CONS, unknown)])),
            L.eq(unknown, T.construct(CONS, [L.x, unknown, others])),
        ]
    )
    solver.add(solver.translate(wrong))
    assert isinstance(solver.check(), Unsat)


@each_with_integers
def test_constructors_with_fields_of_one_name(name: str) -> None:
    pair = DataType("Pair")
    left, right = (Constructor(side, pair, (("value", INT),)) for side in ("Left", "Right"))
    solver = create_solver(name)
    solver.declare_datatypes([(pair, [left, right])])
    value = T.construct(right, [L.x])
    solver.add(solver.translate(T.not_(L.eq(T.make("field", (value,), (right, 0), INT), L.x))))
    assert isinstance(solver.check(), Unsat)
