"""Decides whether a program only has bit-vectors, for which there are special solvers; and makes numbers for
transforms that do not add integers to such a program."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.used_terms import used_terms
from remuda.terms.store import contains_op
from remuda.terms.types import BOOL, INT, USUAL_FLOATS, BoolType, BvType, FloatType, MapType, RoundingType

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.terms.term import Term
    from remuda.terms.types import Type

LAMBDA: Final = frozenset({"lambda"})
QUANTIFIERS: Final = frozenset({"forall", "exists"})


@final
class SmallNumbers:
    """Numbers from 0 up to a largest one, for transforms: bit-vectors in a program of bit-vectors, else integers."""

    def __init__(self, program: Program, largest: int) -> None:
        self._terms = program.terms
        self.type: Type = BvType(max(1, largest.bit_length())) if is_bit_program(program) else INT

    def literal(self, value: int) -> Term:
        if isinstance(self.type, BvType):
            return self._terms.bitvector(value, self.type.width)
        return self._terms.integer(value)

    def successor(self, number: Term) -> Term:
        """The next number; any value after the largest one."""
        if isinstance(self.type, BvType):
            return self._terms.bv("bvadd", (number, self.literal(1)))
        return self._terms.arithmetic("add", number, self.literal(1))

    def less(self, left: Term, right: Term) -> Term:
        if isinstance(self.type, BvType):
            return self._terms.make("bvult", (left, right), None, BOOL)
        return self._terms.lt(left, right)


@lru_cache(maxsize=8)  # needed once for each search of a program
def is_bit_program(program: Program) -> bool:
    """Whether every term in use is made of bit-vectors, floats of the usual formats, Booleans and maps from and to such,
    nothing is bound but the indices of maps that are given by lambdas, and some are bit-vectors or floats."""
    types: set[Type] = {variable.type for variable in (*program.globals, *program.constants)}
    for procedure in program.procedures.values():
        types.update(each.type for each in (*procedure.inputs, *procedure.outputs, *procedure.locals))
    for term in used_terms(program):
        if term.op in QUANTIFIERS or (term.op == "lambda" and contains_op(term.args, LAMBDA)):
            return False
        types.add(term.type)
    if contains_op([function.body for function in program.functions if function.body is not None], LAMBDA):
        return False
    return all(_is_of_bits(type_) for type_ in types) and any(
        isinstance(type_, BvType | FloatType) for type_ in types
    )


def _is_of_bits(type_: Type) -> bool:
    if isinstance(type_, MapType):
        return bool(type_.domain) and all(_is_scalar(part) for part in (*type_.domain, type_.range))
    return _is_scalar(type_)


def _is_scalar(type_: Type) -> bool:
    if isinstance(type_, FloatType):
        return (type_.significand, type_.exponent) in USUAL_FLOATS
    return isinstance(type_, BoolType | BvType | RoundingType)
