"""C's conversions: the kinds of casts between types, and the casts that an assignment implies."""

from __future__ import annotations

from remuda.frontends.c.syntax.ast import (
    Cast,
    CastKind,
    CompoundLiteral,
    Dereference,
    Expression,
    Index,
    IntegerLiteral,
    Member,
    Name,
    Step,
    StringLiteral,
    UnsupportedExpression,
    Variable,
)
from remuda.frontends.c.syntax.types import (
    INT,
    UNSIGNED,
    ArrayType,
    CType,
    FloatingType,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    UnsupportedType,
    VariableArrayType,
    VoidType,
)


def is_lvalue(expression: Expression) -> bool:
    """Whether an expression stands for an object, not for a value."""
    while isinstance(expression, Member) and not expression.is_arrow:
        expression = expression.base
    if isinstance(expression, Name):
        return isinstance(expression.target, Variable)
    return isinstance(expression, Dereference | Index | Member | StringLiteral | CompoundLiteral)


def decay(expression: Expression) -> Expression:
    """The value of an expression: reads objects, and converts arrays and functions to pointers."""
    type_, span = expression.type, expression.span
    if isinstance(type_, ArrayType | VariableArrayType):
        return Cast(PointerType(type_.element), span, CastKind.ARRAY_TO_POINTER, expression)
    if isinstance(type_, FunctionType):
        return Cast(PointerType(type_), span, CastKind.FUNCTION_TO_POINTER, expression)
    if is_lvalue(expression) and not isinstance(type_, VoidType):
        return Cast(type_, span, CastKind.LVALUE_TO_RVALUE, expression)
    return expression


def adjusted(type_: CType) -> CType:
    """The type of a parameter that is declared with a type: arrays and functions become pointers."""
    if isinstance(type_, ArrayType | VariableArrayType):
        return PointerType(type_.element)
    return PointerType(type_) if isinstance(type_, FunctionType) else type_


def kind_between(source: CType, target: CType) -> CastKind | None:
    """The kind of cast between two types; None if no such conversion is modelled."""
    if isinstance(target, VoidType):
        return CastKind.TO_VOID
    if isinstance(source, UnsupportedType) or isinstance(target, UnsupportedType):
        return None
    match source, target:
        case ((IntegerType() | FloatingType() | PointerType()), IntegerType(is_bool=True)):
            return CastKind.NOTHING if source == target else CastKind.TO_BOOL
        case IntegerType(), IntegerType():
            return CastKind.NOTHING if source == target else CastKind.INTEGRAL
        case IntegerType(), FloatingType():
            return CastKind.INTEGER_TO_FLOATING
        case FloatingType(), IntegerType():
            return CastKind.FLOATING_TO_INTEGER
        case FloatingType(), FloatingType():
            return CastKind.NOTHING if source == target else CastKind.FLOATING
        case PointerType(), PointerType():
            return CastKind.NOTHING if source == target else CastKind.POINTER
        case IntegerType(), PointerType():
            return CastKind.INTEGER_TO_POINTER
        case PointerType(), IntegerType():
            return CastKind.POINTER_TO_INTEGER
        case RecordType(), RecordType() if source is target:
            return CastKind.NOTHING
        case _, RecordType(kind="union"):
            return CastKind.TO_UNION
        case VoidType(), _:
            return None
        case _:
            return CastKind.NOTHING if source == target else None


def convert(expression: Expression, target: CType, *, is_explicit: bool = False) -> Expression:
    """The value of an expression as a value of another type. Casts that do nothing are made only where the program
    has them."""
    expression = expression if isinstance(target, VoidType) else decay(expression)
    kind = kind_between(expression.type, target)
    if kind is None:
        construct = f"the conversion from {expression.type} to {target}"
        return UnsupportedExpression(target, expression.span, construct)
    if kind is CastKind.NOTHING and not is_explicit:
        return expression
    return Cast(target, expression.span, kind, expression, is_explicit)


def promoted(type_: CType, bits: int | None = None) -> CType:
    """The type after C's integer promotions; `bits` is the width of the bit-field that has the type."""
    if not isinstance(type_, IntegerType):
        return type_
    width = 1 if type_.is_bool else type_.width if bits is None else bits
    if width < INT.width or (width == INT.width and type_.signed and type_.width <= INT.width):
        return INT
    if width == INT.width and type_.width <= INT.width:
        return UNSIGNED
    return type_


def bits_of(lvalue: Expression) -> int | None:
    """The width of the bit-field that an lvalue stands for, if it is one."""
    return lvalue.field.bits if isinstance(lvalue, Member) else None


def is_disputed(*parts: Expression, is_comparison: bool = False) -> bool:
    """Whether compilers disagree about the common type of operands.

    For clang, the value of `s.f++` has the declared type of the bit-field; gcc promotes it to `int` like `s.f`, if
    that holds all values. It matters if a signed operand is then converted to the unsigned type, or if nothing else
    decides the type; comparisons with constants are the same for both."""
    if not any(_is_stepped_field(part) for part in parts):
        return False
    signed = [part for part in parts if _is_converted(part)]
    return len(parts) == 1 or any(not (is_comparison and _is_plain_constant(part)) for part in signed)


def _is_stepped_field(expression: Expression) -> bool:
    if not isinstance(expression, Step) or expression.is_prefix:
        return False
    return promoted(expression.type, bits_of(expression.operand)) != promoted(expression.type)


def _is_converted(expression: Expression) -> bool:
    """Whether an operand is converted from another type."""
    return isinstance(expression, Cast) and expression.kind is CastKind.INTEGRAL and not expression.is_explicit


def _is_plain_constant(expression: Expression) -> bool:
    """Whether an operand is a constant that is not negative."""
    inner = expression.operand if isinstance(expression, Cast) else expression
    return isinstance(inner, IntegerLiteral) and inner.value >= 0
