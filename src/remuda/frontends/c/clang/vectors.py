"""GNU's vectors, as records with an array in them: operators on vectors become operators on their elements.

typedef int v4 __attribute__((vector_size(16)));      struct v4 { int element[4]; };
a + b                                                 ({ v4 x = a, y = b; (v4){x.element[0] + y.element[0], ...}; })
v[i]                                                  v.element[i]

So only the parser knows vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.clang.conversions import convert, decay, is_lvalue, promoted
from remuda.frontends.c.clang.initializers import elaborate
from remuda.frontends.c.clang.literals import literal
from remuda.frontends.c.syntax.ast import (
    AddressOf,
    Assign,
    Binary,
    Cast,
    CastKind,
    Compound,
    CompoundLiteral,
    Conditional,
    Declaration,
    Dereference,
    Expression,
    ExpressionStatement,
    Index,
    Initializer,
    Member,
    Name,
    Part,
    StatementExpression,
    Storage,
    Unary,
    Variable,
)
from remuda.frontends.c.syntax.types import (
    INT,
    ArrayType,
    CType,
    Field,
    FloatingType,
    IntegerType,
    PointerType,
    RecordType,
    is_scalar,
    size_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import Machine

COMPARISONS: Final = frozenset({"==", "!=", "<", ">", "<=", ">="})
SHIFTS: Final = frozenset({"<<", ">>"})
ELEMENT: Final = "element"


def vector_fields(element: CType, count: int) -> tuple[Field, ...]:
    return (Field(ELEMENT, ArrayType(element, count), 0),)


def is_vector(type_: CType) -> bool:
    return isinstance(type_, RecordType) and type_.is_vector


def _array(type_: CType) -> tuple[Field, CType, int]:
    """The member of a vector with its elements, their type, and their number."""
    assert isinstance(type_, RecordType)
    (field,) = type_.fields
    assert isinstance(field.type, ArrayType)
    assert field.type.length is not None
    return field, field.type.element, field.type.length


def subscript(vector: Expression, index: Expression, span: Span) -> Expression:
    """`v[i]`: an element of an object, or a value."""
    if not is_lvalue(vector):
        return decay(subscript(_object(vector, span), index, span))
    field, element, _ = _array(vector.type)
    member = Member(field.type, span, vector, field, is_arrow=False, is_volatile=False)
    return Index(element, span, decay(member), index)


def binary(op: str, left: Expression, right: Expression, type_: CType, span: Span) -> Expression:
    """An operator on two vectors; a comparison gives -1 for true."""
    _, element, _ = _array(type_)

    def compute(operands: Sequence[Expression]) -> Expression:
        common = promoted(operands[0].type)
        one, other = convert(operands[0], common), convert(operands[1], promoted(operands[1].type))
        if op in COMPARISONS:
            return _truth(Binary(INT, span, op, one, other), element, span)
        return convert(Binary(common, span, op, one, other), element)

    return _elementwise(type_, span, (left, right), compute)


def unary(op: str, operand: Expression, type_: CType, span: Span) -> Expression:
    _, element, _ = _array(type_)

    def compute(operands: Sequence[Expression]) -> Expression:
        common = promoted(operands[0].type)
        if op == "!":
            zero = convert(literal(0, INT, span), common)
            return _truth(Binary(INT, span, "==", convert(operands[0], common), zero), element, span)
        return convert(Unary(common, span, op, convert(operands[0], common)), element)

    return _elementwise(type_, span, (operand,), compute)


def _truth(condition: Expression, element: CType, span: Span) -> Expression:
    yes, no = convert(literal(-1, INT, span), element), convert(literal(0, INT, span), element)
    return Conditional(element, span, condition, yes, no)


def compound_assignment(op: str, target: Expression, value: Expression, span: Span) -> Expression:
    """`v op= w`, with one evaluation of the place v."""
    type_ = target.type
    declaration, place = _kept(AddressOf(PointerType(type_), span, target), span)
    here = Dereference(type_, span, decay(place))
    if not is_vector(value.type):
        value = splat(value, type_, span)
    assigned = Assign(type_, span, here, binary(op, decay(here), value, type_, span))
    return _in_block(type_, span, (declaration,), assigned)


def splat(value: Expression, type_: CType, span: Span) -> Expression:
    """A vector with the same value in all elements."""
    _, element, _ = _array(type_)
    return _elementwise(type_, span, (convert(value, element),), lambda operands: operands[0])


def converted(value: Expression, type_: CType, span: Span) -> Expression:
    """`__builtin_convertvector`: each element is converted."""
    _, element, _ = _array(type_)
    return _elementwise(type_, span, (value,), lambda operands: convert(operands[0], element, is_explicit=True))


def cast(value: Expression, type_: CType, machine: Machine, span: Span) -> Expression | None:
    """A vector read as another type of the same size, and the reverse; None if there is no such conversion."""
    if value.type is type_:
        return value
    if size_of(value.type, machine) == size_of(type_, machine):
        object_ = _object(value, span)
        address = AddressOf(PointerType(value.type), span, object_)
        return decay(Dereference(type_, span, Cast(PointerType(type_), span, CastKind.POINTER, address)))
    return splat(value, type_, span) if is_vector(type_) and is_scalar(value.type) else None


def shuffled(left: Expression, right: Expression, places: Sequence[int], type_: CType, span: Span) -> Expression:
    """`__builtin_shufflevector(a, b, 0, 5, ...)`: elements of both; -1 is any of them."""
    _, _, count = _array(left.type)
    first, one = _kept(left, span)
    second, other = _kept(right, span)
    parts = [
        decay(subscript(one if place < count else other, literal(max(place, 0) % count, INT, span), span))
        for place in places
    ]
    return _in_block(type_, span, (first, second), _made(parts, type_, span))


def _elementwise(
    type_: CType, span: Span, operands: Sequence[Expression], compute: Callable[[Sequence[Expression]], Expression]
) -> Expression:
    """A vector whose elements are computed from those of the operands; a scalar is the same for all."""
    _, _, count = _array(type_)
    kept = [_kept(operand, span) for operand in operands]
    rows = [
        [
            decay(subscript(name, literal(index, INT, span), span) if is_vector(name.type) else name)
            for _, name in kept
        ]
        for index in range(count)
    ]
    made = _made([compute(row) for row in rows], type_, span)
    return _in_block(type_, span, [declaration for declaration, _ in kept], made)


def _kept(value: Expression, span: Span) -> tuple[Declaration, Expression]:
    """A new variable with a value: its declaration, and its name."""
    variable = Variable("", value.type, Storage.LOCAL, span)
    variable.initializer = elaborate(value.type, decay(value), span)
    return Declaration(span, (variable,)), Name(value.type, span, variable)


def _object(value: Expression, span: Span) -> Expression:
    variable = Variable("", value.type, Storage.LOCAL, span)
    variable.initializer = elaborate(value.type, decay(value), span)
    return CompoundLiteral(value.type, span, variable)


def _made(elements: Sequence[Expression], type_: CType, span: Span) -> Expression:
    field, _, _ = _array(type_)
    variable = Variable("", type_, Storage.LOCAL, span)
    parts = tuple(Part((field, index), value) for index, value in enumerate(elements))
    variable.initializer = Initializer(parts, zero_rest=False, span=span)
    return decay(CompoundLiteral(type_, span, variable))


def _in_block(type_: CType, span: Span, declarations: Sequence[Declaration], value: Expression) -> Expression:
    statements = (*declarations, ExpressionStatement(span, value))
    return StatementExpression(type_, span, Compound(span, statements, span))


def has_elements(type_: CType) -> bool:
    """Whether vectors of a type can be modelled: their elements are integers or floats."""
    return isinstance(type_, IntegerType | FloatingType)
