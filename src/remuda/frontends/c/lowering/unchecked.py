"""Finds conversions that may lead to undefined behaviour which no check of `--check` finds.

*(float *)&n            an object is accessed by another type than its own (C11 6.5p7), or is not aligned (6.3.2.3p7)
*(int *)&constant = 1   an object that is const is written (6.7.3p6)

The model gives such programs the meaning that memory made of bytes has. The report lists this as an assumption if the
program has such conversions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import is_null
from remuda.frontends.c.library.table import LIBRARY
from remuda.frontends.c.lowering.operands import pointer_behind
from remuda.frontends.c.lowering.reachable import nodes_of, used_variables
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import CHAR, FunctionType, IntegerType, PointerType, VoidType
from remuda.frontends.c.syntax.walk import called_function, strip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remuda.frontends.c.syntax.types import CType, Machine

_CONVERSIONS: Final = frozenset({CastKind.POINTER, CastKind.NOTHING, CastKind.INTEGER_TO_POINTER})


def unchecked(functions: Sequence[ast.Function], machine: Machine) -> Iterator[str]:
    """The kinds (`trusted.UNCHECKED`) that the conversions of a program may lead to."""
    owners: list[ast.Function | ast.Variable] = [*functions, *used_variables(functions)]
    for owner in owners:
        for node in nodes_of(owner):
            if isinstance(node, ast.Cast) and isinstance(node.type, PointerType) and not is_null(node):
                source = _source(node, machine)
                if source is not None and source.to_const and not node.type.to_const:
                    yield "const"
                if _is_object(node.type.target) and not _fits(source, node):
                    yield "types"


def _source(node: ast.Cast, machine: Machine) -> PointerType | None:
    """The type of the pointer that is converted; None if a number is."""
    pointer: ast.Expression | None = node.operand
    if node.kind is CastKind.INTEGER_TO_POINTER:
        pointer = pointer_behind(node, machine.pointer_width)
    return pointer.type if pointer is not None and isinstance(pointer.type, PointerType) else None


def _fits(source: PointerType | None, node: ast.Cast) -> bool:
    """Whether a converted pointer points to an object of its new type."""
    if node.kind not in _CONVERSIONS:
        return True
    assert isinstance(node.type, PointerType)
    if source is not None and _plain(source.target) == _plain(node.type.target):
        return True
    is_bit_cast = not node.is_explicit and isinstance(node.operand, ast.AddressOf)  # of an object made for it
    return is_bit_cast or _is_new(node)


def _is_object(type_: CType) -> bool:
    """Whether a type may only access objects of that type; characters may access all objects."""
    is_character = isinstance(type_, IntegerType) and type_.width == CHAR.width
    return not is_character and not isinstance(type_, VoidType | FunctionType)


def _plain(type_: CType) -> CType:
    """A type without its sign, because the signed and the unsigned type may access the same objects."""
    return IntegerType(type_.width, signed=False) if isinstance(type_, IntegerType) else type_


def _is_new(node: ast.Cast) -> bool:
    """Whether a pointer is the result of an allocation, which is for objects of all types."""
    call = strip(node, CastKind.POINTER, CastKind.NOTHING)
    callee = called_function(call) if isinstance(call, ast.Call) else None
    return callee is not None and callee.body is None and callee.name in LIBRARY
