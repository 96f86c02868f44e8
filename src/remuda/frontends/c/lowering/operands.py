"""What the syntax tells about operands: which one is the pointer, how wide they are, what a conversion keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.base.errors import InternalError
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import INT, IntegerType, PointerType
from remuda.frontends.c.syntax.walk import array_of

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.types import CType, Field


def pointer_to(lvalue: ast.Expression) -> ast.Expression | None:
    """The pointer that leads to the object that an lvalue is part of; None for an object with a name."""
    at = lvalue
    while True:
        match at:
            case ast.Member(is_arrow=False):
                at = at.base
            case ast.Member(base=base) | ast.Index(base=base) | ast.Dereference(operand=base):
                array = array_of(base)
                if array is None:
                    return base
                at = array
            case _:
                return None


def pointer_in(node: ast.Expression) -> ast.Expression:
    """The pointer among the operands of an addition."""
    match node:
        case ast.Binary(left=left, right=right):
            return left if isinstance(left.type, PointerType) else right
        case ast.CompoundAssign(target=target):
            return target
        case _:
            raise InternalError(f"{node.span}: nothing is added here")


def is_wide_field(field: Field) -> bool:
    """Whether a bit-field has more bits than an int, and fewer than its type."""
    return (
        field.bits is not None and isinstance(field.type, IntegerType) and INT.width < field.bits < field.type.width
    )


def pointer_behind(node: ast.Cast, width: int) -> ast.Expression | None:
    """`p` in `(int *)(uintptr_t)p`, if the integer is wide enough for an address."""
    at = node.operand
    while isinstance(at, ast.Cast) and at.kind is CastKind.NOTHING:
        at = at.operand
    if not isinstance(at, ast.Cast) or at.kind is not CastKind.POINTER_TO_INTEGER:
        return None
    is_wide = isinstance(at.type, IntegerType) and at.type.width >= width
    return at.operand if is_wide else None


def promoted(type_: CType) -> CType:
    """The type that an integer is promoted to before an operation."""
    return INT if isinstance(type_, IntegerType) and (type_.width < INT.width or type_.is_bool) else type_


def keeps_truth(node: ast.Cast) -> bool:
    """Whether a conversion is zero exactly if its operand is."""
    if node.kind is CastKind.TO_BOOL:
        return True
    source, target = node.operand.type, node.type
    return (
        node.kind is CastKind.INTEGRAL
        and isinstance(source, IntegerType)
        and isinstance(target, IntegerType)
        and target.width >= source.width
    )
