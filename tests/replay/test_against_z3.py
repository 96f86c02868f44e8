"""The evaluator agrees with Z3 on random terms; a wrong evaluator would confirm wrong counterexamples."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
import z3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remuda.replay.domains import ROUNDING_MODES
from remuda.replay.evaluate import Evaluator, NotEvaluable
from remuda.replay.scopes import Environment
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL, INT, ROUNDING, BvType, FloatType
from remuda.terms.values import FloatValue, Value
from tests.replay.z3_terms import BV, BV_BINARY, TERMS, VARIABLES, literal, terms, translate, values

if TYPE_CHECKING:
    from remuda.terms.term import Term

EXAMPLES = settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def z3_agrees(expression: Any, expected: Any) -> bool:  # noqa: ANN401
    solver = z3.Solver()
    solver.add(expression != expected)
    return bool(solver.check() == z3.unsat)


def evaluated(term: Term, given_values: dict[Variable, Value]) -> Value:
    evaluator = Evaluator()
    canonical = evaluator.domains.canonical
    local = {variable: canonical(value, variable.type) for variable, value in given_values.items()}
    return evaluator.evaluate(term, Environment(local))


@EXAMPLES
@given(st.one_of(terms(BOOL), terms(INT), terms(BV)), values())
def test_random_terms(term: Term, given_values: dict[Variable, Value]) -> None:
    value = evaluated(term, given_values)
    assert z3_agrees(translate(term, given_values), literal(value, term.type))


@pytest.mark.parametrize("op", BV_BINARY)
def test_bitvector_operators_on_all_values_of_three_bits(op: str) -> None:
    left, right = (Variable(name, BvType(3), VariableKind.LOCAL) for name in ("left", "right"))
    term = TERMS.bv(op, [TERMS.var(left), TERMS.var(right)])
    for first in range(8):
        for second in range(8):
            chosen: dict[Variable, Value] = {left: first, right: second}
            expression = z3.simplify(translate(term, chosen))
            assert expression.as_long() == evaluated(term, chosen), (op, first, second)


@pytest.mark.parametrize("make", [TERMS.lt, TERMS.le, TERMS.eq, TERMS.div, TERMS.mod], ids=lambda make: make.__name__)
def test_integer_operators_on_small_values(make: Callable[[Term, Term], Term]) -> None:
    left, right = VARIABLES[INT]
    term = make(TERMS.var(left), TERMS.var(right))
    for first in range(-4, 5):
        for second in (-3, -2, -1, 1, 2, 3):
            chosen: dict[Variable, Value] = {left: first, right: second}
            assert str(z3.simplify(translate(term, chosen))) == str(evaluated(term, chosen)), (first, second)


# --- floats


SMALL = FloatType(4, 3)
OTHER = FloatType(3, 4)
SORTS = {SMALL: z3.FPSort(3, 4), OTHER: z3.FPSort(4, 3)}
MODES = dict(zip(ROUNDING_MODES, (z3.RNE(), z3.RNA(), z3.RTP(), z3.RTN(), z3.RTZ()), strict=True))
FLOAT_BITS = st.integers(0, 127)


def z3_float(bits: int) -> Any:  # noqa: ANN401
    return z3.fpBVToFP(z3.BitVecVal(bits, 7), SORTS[SMALL])


def float_term(bits: int) -> Term:
    return TERMS.float_(bits, SMALL)


def rounding_term(mode: str) -> Term:
    return TERMS.make("rounding", (), mode, ROUNDING)


def assert_same_float(value: Value, expression: Any, type_: FloatType) -> None:  # noqa: ANN401
    assert isinstance(value, FloatValue)
    ours = z3.fpBVToFP(z3.BitVecVal(value.bits, 7), SORTS[type_])
    assert z3.is_true(z3.simplify(ours == expression)), (value, z3.simplify(expression))


ROUNDED = {
    "fp_add": (2, z3.fpAdd),
    "fp_sub": (2, z3.fpSub),
    "fp_mul": (2, z3.fpMul),
    "fp_div": (2, z3.fpDiv),
    "fp_fma": (3, z3.fpFMA),
    "fp_sqrt": (1, z3.fpSqrt),
    "fp_roundToIntegral": (1, z3.fpRoundToIntegral),
}


@pytest.mark.parametrize("op", sorted(ROUNDED))
@settings(EXAMPLES, max_examples=150)
@given(mode=st.sampled_from(ROUNDING_MODES), operands=st.tuples(FLOAT_BITS, FLOAT_BITS, FLOAT_BITS))
def test_rounded_operations(op: str, mode: str, operands: tuple[int, ...]) -> None:
    count, operation = ROUNDED[op]
    used = operands[:count]
    term = TERMS.make(op, (rounding_term(mode), *map(float_term, used)), None, SMALL)
    assert_same_float(evaluated(term, {}), operation(MODES[mode], *map(z3_float, used)), SMALL)


EXACT = {"fp_abs": (1, z3.fpAbs), "fp_neg": (1, z3.fpNeg), "fp_rem": (2, z3.fpRem)}


@pytest.mark.parametrize("op", sorted(EXACT))
@settings(EXAMPLES, max_examples=100)
@given(operands=st.tuples(FLOAT_BITS, FLOAT_BITS))
def test_exact_operations(op: str, operands: tuple[int, ...]) -> None:
    count, operation = EXACT[op]
    used = operands[:count]
    term = TERMS.make(op, tuple(map(float_term, used)), None, SMALL)
    assert_same_float(evaluated(term, {}), operation(*map(z3_float, used)), SMALL)


PREDICATES = {
    "fp_lt": (2, z3.fpLT),
    "fp_leq": (2, z3.fpLEQ),
    "fp_gt": (2, z3.fpGT),
    "fp_geq": (2, z3.fpGEQ),
    "fp_eq": (2, z3.fpEQ),
    "fp_isNaN": (1, z3.fpIsNaN),
    "fp_isInfinite": (1, z3.fpIsInf),
    "fp_isZero": (1, z3.fpIsZero),
    "fp_isNormal": (1, z3.fpIsNormal),
    "fp_isSubnormal": (1, z3.fpIsSubnormal),
    "fp_isNegative": (1, z3.fpIsNegative),
    "fp_isPositive": (1, z3.fpIsPositive),
}


@pytest.mark.parametrize("op", sorted(PREDICATES))
@settings(EXAMPLES, max_examples=60)
@given(operands=st.tuples(FLOAT_BITS, FLOAT_BITS))
def test_predicates(op: str, operands: tuple[int, ...]) -> None:
    count, operation = PREDICATES[op]
    used = operands[:count]
    term = TERMS.make(op, tuple(map(float_term, used)), None, BOOL)
    assert evaluated(term, {}) is z3.is_true(z3.simplify(operation(*map(z3_float, used))))


@settings(EXAMPLES, max_examples=100)
@given(mode=st.sampled_from(ROUNDING_MODES), bits=FLOAT_BITS)
def test_conversions(mode: str, bits: int) -> None:
    rounding = rounding_term(mode)
    narrowed = TERMS.make("to_fp_float", (rounding, float_term(bits)), OTHER, OTHER)
    assert_same_float(evaluated(narrowed, {}), z3.fpFPToFP(MODES[mode], z3_float(bits), SORTS[OTHER]), OTHER)
    vector = z3.BitVecVal(bits, 7)
    operand = TERMS.bitvector(bits, 7)
    for op, conversion in (("to_fp_sbv", z3.fpSignedToFP), ("to_fp_ubv", z3.fpUnsignedToFP)):
        term = TERMS.make(op, (rounding, operand), SMALL, SMALL)
        assert_same_float(evaluated(term, {}), conversion(MODES[mode], vector, SORTS[SMALL]), SMALL)
    for op, back in (("fp_to_sbv", z3.fpToSBV), ("fp_to_ubv", z3.fpToUBV)):
        term = TERMS.make(op, (rounding, float_term(bits)), 4, BvType(4))
        try:
            value = evaluated(term, {})
        except NotEvaluable:
            continue  # out of range: SMT-LIB leaves it open
        assert z3.simplify(back(MODES[mode], z3_float(bits), z3.BitVecSort(4))).as_long() == value
