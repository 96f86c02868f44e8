"""Conversions from one type to another, written in the source or implied by C."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.base.errors import InternalError, Unsupported
from remuda.frontends.c.lowering.operands import is_wide_field, pointer_behind
from remuda.frontends.c.lowering.places import RegisterPlace
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.accesses import Accesses
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.evaluator import Evaluator
    from remuda.frontends.c.lowering.lvalues import Lvalues
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.terms.term import Term

BETWEEN_POINTERS_AND_INTEGERS = frozenset({CastKind.POINTER_TO_INTEGER, CastKind.INTEGER_TO_POINTER})


@final
class Conversions:
    """Lowers the conversions of one function."""

    def __init__(self, context: FunctionContext, evaluator: Evaluator, lvalues: Lvalues, accesses: Accesses) -> None:
        self._context = context
        self._evaluator = evaluator
        self._lvalues = lvalues
        self._accesses = accesses
        self._arithmetic = context.program.arithmetic
        self._storage = context.program.storage
        self._checks = context.checks

    def cast(self, node: ast.Cast) -> Steps:
        match node.kind:
            case CastKind.LVALUE_TO_RVALUE:
                if isinstance(node.operand, ast.Member) and is_wide_field(node.operand.field):
                    self._context.program.trusted.wide_field(node.span)
                value = yield self._lvalues.read(node.operand)
                return value
            case CastKind.ARRAY_TO_POINTER:
                place = yield self._evaluator.place(node.operand)
                if isinstance(place, RegisterPlace):
                    raise Unsupported(node.span, f"the address of {node.span.text}, which is only a value,")
                self._checks.address(place)
                return place.address
            case CastKind.FUNCTION_TO_POINTER:
                address: Term = yield self._function_address(node.operand)
                return address
            case CastKind.TO_VOID:
                yield self._evaluator.effect(node.operand)
                return None
            case CastKind.TO_BOOL:
                condition: Term = yield self._evaluator.condition(node.operand)
                return self._arithmetic.from_bool(condition, node.type)
            case CastKind.NOTHING | CastKind.POINTER:
                kept = yield self._evaluator.value(node.operand)
                return kept
            case CastKind.INTEGER_TO_POINTER if (
                pointer := pointer_behind(node, self._storage.size_type.width)
            ) is not None:
                same: Term = yield self._evaluator.value(pointer)
                return same
            case CastKind.TO_UNION:
                self._context.unsupported("a cast to a union", node.span)
                return self._accesses.any_value(node.type, node.span)
            case _:
                operand: Term = yield self._evaluator.value(node.operand)
                return self._converted(operand, node)

    def _converted(self, operand: Term, node: ast.Cast) -> Term:
        self._checks.cast(operand, node)
        if node.kind in BETWEEN_POINTERS_AND_INTEGERS and not self._storage.is_no_object(operand):
            self._context.program.trusted.address(node.span)
        return self._arithmetic.convert(operand, node.operand.type, node.type)

    def _function_address(self, node: ast.Expression) -> Steps:
        if isinstance(node, ast.Name) and isinstance(node.target, ast.Function):
            return self._storage.function_value(node.target)
        if isinstance(node, ast.Dereference):
            address: Term = yield self._evaluator.value(node.operand)
            return address
        raise InternalError(f"{node.span.text} is no function")
