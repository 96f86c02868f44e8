"""Declarations and values as C writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.syntax.types import (
    ArrayType,
    FloatingType,
    FunctionType,
    IntegerType,
    PointerType,
    VoidType,
)
from remuda.terms.float_values import exact, is_infinite, is_nan, is_negative_bit
from remuda.terms.values import FloatValue, Value

if TYPE_CHECKING:
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType

ASSERTS: Final = ("assert", "__VERIFIER_assert", "__CPROVER_assert")
ASSUMES: Final = ("__VERIFIER_assume", "__CPROVER_assume")
CONDITIONS: Final = (*ASSERTS, *ASSUMES)  # these take a condition, whatever their declaration says
INT64_MIN: Final = -(1 << 63)
WORD: Final = (1 << 64) - 1


def signature(function: ast.Function, name: str = "") -> str:
    """A declaration with parameters called a0, a1, ..., under another name if one is given."""
    type_ = function.type
    parameters = [declared(parameter, f"a{position}") for position, parameter in enumerate(type_.parameters)]
    if not type_.has_prototype and not parameters and function.name in CONDITIONS:
        parameters = ["int a0"]
    if type_.is_variadic and parameters:
        parameters.append("...")
    inside = ", ".join(parameters) if parameters else "void" if type_.has_prototype else ""
    prefix = "static " if function.is_static else ""
    return prefix + declared(type_.result, f"{name or function.name}({inside})")


def declared(type_: CType, name: str) -> str:
    """`int *(*name)[3]`: a declaration of a name."""
    match type_:
        case PointerType(target=FunctionType() | ArrayType() as target):
            return declared(target, f"(*{name})")
        case PointerType(target=target):
            return declared(target, f"*{name}") if not type_.to_const else f"const {declared(target, f'*{name}')}"
        case ArrayType(element=element, length=length):
            return declared(element, f"{name}[{'' if length is None else length}]")
        case FunctionType(result=result, parameters=parameters):
            inside = ", ".join(declared(parameter, "") for parameter in parameters)
            return declared(result, f"{name}({inside or ('void' if type_.has_prototype else '')})")
        case _:
            return f"{type_} {name}".rstrip()


def is_plain(type_: CType) -> bool:
    """Whether a type can be written where no declaration of the program is known yet."""
    while isinstance(type_, PointerType | ArrayType):
        type_ = type_.target if isinstance(type_, PointerType) else type_.element
    if isinstance(type_, IntegerType):
        return not type_.name.startswith("enum")
    return isinstance(type_, FloatingType | VoidType)


def literal(value: Value, type_: CType) -> str:
    """A value as C writes it."""
    match type_:
        case _ if isinstance(value, FloatValue):
            return _float_literal(value)
        case PointerType():
            return f"(void *){value}" if isinstance(value, int) and value < 1 << 31 else f"(void *){value}ull"
        case _ if isinstance(value, int):
            number = _signed(int(value), type_) if isinstance(type_, IntegerType) else int(value)
            if number >= 1 << 64 or number < INT64_MIN:
                high, low = number >> 64 & WORD, number & WORD
                return f"(__int128)((unsigned __int128){high}ull << 64 | {low}ull)"
            if number == INT64_MIN:
                return f"(-{-number - 1}ll - 1)"
            return f"{number}" if abs(number) < 1 << 31 else f"{number}ll" if number < 1 << 63 else f"{number}ull"
        case _:
            return str(value)


def _signed(value: int, type_: IntegerType) -> int:
    wraps = type_.signed and not type_.is_bool and 0 <= value < 1 << type_.width and value >> (type_.width - 1)
    return value - (1 << type_.width) if wraps else value


def _float_literal(value: FloatValue) -> str:
    sign = "-" if is_negative_bit(value) else ""
    if is_nan(value):
        return '__builtin_nan("")'
    if is_infinite(value):
        return f"{sign}__builtin_inf()"
    number = abs(exact(value))
    shift = number.denominator.bit_length() - 1  # denominators are powers of two
    return f"{sign}0x{number.numerator:x}p-{shift}L"
