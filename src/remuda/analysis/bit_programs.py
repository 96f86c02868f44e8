"""Whether a program is one of bits only, which some solvers are made for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.terms.store import contains_op
from remuda.terms.types import BoolType, BvType, FloatType, MapType, RoundingType

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.terms.types import Type

LAMBDA: Final = frozenset({"lambda"})
QUANTIFIERS: Final = frozenset({"forall", "exists"})


def is_bit_program(program: Program) -> bool:
    """Whether every term is made of bit-vectors, floats, Booleans and maps from and to such, nothing is bound but the
    indices of maps that are given by lambdas, and some are bit-vectors.

    Every term that the program was built from counts, whether or not it is still in use.
    """
    types: set[Type] = set()
    for term in program.terms:
        if term.op in QUANTIFIERS or (term.op == "lambda" and contains_op(term.args, LAMBDA)):
            return False
        types.add(term.type)
    if contains_op([function.body for function in program.functions if function.body is not None], LAMBDA):
        return False
    return all(_is_of_bits(type_) for type_ in types) and any(isinstance(type_, BvType) for type_ in types)


def _is_of_bits(type_: Type) -> bool:
    if isinstance(type_, MapType):
        return bool(type_.domain) and all(_is_scalar(part) for part in (*type_.domain, type_.range))
    return _is_scalar(type_)


def _is_scalar(type_: Type) -> bool:
    return isinstance(type_, BoolType | BvType | FloatType | RoundingType)
