"""Symbols and small terms that the solver tests share."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from remuda.smt.create import SOLVER_NAMES, create_solver
from remuda.smt.solver import Sat, Unsat
from remuda.terms.store import Terms
from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.types import BOOL, INT, REAL, ROUNDING, BvType, FloatType, Type
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.smt.solver import Model, Solver
    from remuda.terms.term import Term

WITH_INTEGERS = ("z3", "cvc5")  # and reals, datatypes and uninterpreted types

each_solver = pytest.mark.parametrize("name", SOLVER_NAMES)
each_with_integers = pytest.mark.parametrize("name", WITH_INTEGERS)

BYTE = BvType(8)
WORD = BvType(32)
FLOAT = FloatType(24, 8)
ONE_AS_FLOAT = 0x3F800000
TWO_AS_FLOAT = 0x40000000
NAN_AS_FLOAT = 0x7FC00000


def variable(name: str, type_: Type, kind: VariableKind = VariableKind.GLOBAL) -> Variable:
    return Variable(name, type_, kind)


def function(name: str, domain: Sequence[Type], result: Type) -> Function:
    parameters = [variable(f"p{position}", type_, VariableKind.BOUND) for position, type_ in enumerate(domain)]
    return Function(name, tuple(parameters), result)


def is_valid(name: str, terms: Terms, formula: Term) -> bool:
    solver = create_solver(name)
    solver.add(solver.translate(terms.not_(formula)))
    return isinstance(solver.check(seconds=PATIENCE), Unsat)


def model_of(solver: Solver, *formulas: Term) -> Model:
    for formula in formulas:
        solver.add(solver.translate(formula))
    answer = solver.check(seconds=PATIENCE)
    assert isinstance(answer, Sat)
    return answer.model


class Letters:
    """Variables and literals under short names, so that a test reads like a formula."""

    def __init__(self) -> None:
        self.terms = terms = Terms()
        self.x, self.y = (terms.var(variable(name, INT)) for name in "xy")
        self.r, self.s = (terms.var(variable(name, REAL)) for name in "rs")
        self.p, self.q = (terms.var(variable(name, BOOL)) for name in "pq")
        self.a, self.b = (terms.var(variable(name, BYTE)) for name in "ab")
        self.f, self.g = (terms.var(variable(name, FLOAT)) for name in "fg")

    def integer(self, value: int) -> Term:
        return self.terms.integer(value)

    def real(self, numerator: int, denominator: int = 1) -> Term:
        return self.terms.real(Fraction(numerator, denominator))

    def bv(self, value: int, width: int = 8) -> Term:
        return self.terms.bitvector(value, width)

    def single(self, bits: int) -> Term:
        return self.terms.float_(bits, FLOAT)

    def rounding(self, mode: str = "RNE") -> Term:
        return self.terms.make("rounding", (), mode, ROUNDING)

    def op(self, op: str, type_: Type, *args: Term, payload: object = None) -> Term:
        return self.terms.make(op, args, payload, type_)

    def eq(self, left: Term, right: Term) -> Term:
        return self.terms.make("eq", (left, right), None, BOOL)
