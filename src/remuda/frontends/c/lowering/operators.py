"""Operators on values: arithmetic, comparisons, and `!`."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.frontends.c.library.models import number_of
from remuda.frontends.c.lowering.operands import keeps_truth, pointer_in
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import INT, FloatingType, PointerType, VariableArrayType

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.addresses import Addresses
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.evaluator import Evaluator
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term

EQUALITIES = frozenset({"==", "!="})
COMPARISONS = EQUALITIES | {"<", ">", "<=", ">="}
DOUBLE_WIDTH = 64


@final
class Operators:
    """Lowers the operators of one function."""

    def __init__(self, context: FunctionContext, evaluator: Evaluator, addresses: Addresses) -> None:
        self._context = context
        self._evaluator = evaluator
        self._addresses = addresses
        program = context.program
        self._terms = program.terms
        self._arithmetic = program.arithmetic
        self._storage = program.storage
        self._memory = program.memory
        self._checks = context.checks

    # --- truth

    def negation(self, node: ast.Unary) -> Steps:
        operand: Term = yield self._evaluator.condition(node.operand)
        return self._terms.not_(operand)

    def nonzero(self, node: ast.Expression) -> Steps:
        inner = node
        while isinstance(inner, ast.Cast) and keeps_truth(inner):
            inner = inner.operand
        if inner is not node:
            condition: Term = yield self._evaluator.condition(inner)
            return condition
        value: Term = yield self._evaluator.value(node)
        return self._arithmetic.is_nonzero(value, node.type)

    def comparison(self, node: ast.Binary) -> Steps:
        left, right = yield self._evaluator.scalars((node.left, node.right))
        if isinstance(node.left.type, PointerType) and isinstance(node.right.type, PointerType):
            self._trust_comparison(node, left, right)
        return self._arithmetic.compare(node.op, left, right, node.left.type)

    def _trust_comparison(self, node: ast.Binary, left: Term, right: Term) -> None:
        """Note comparisons that C leaves open: of the order of two objects, of equal string literals, of a pointer
        that is made from an integer, and of the end of an object with the start of another. Only NULL differs from
        all objects."""
        if number_of(left) == 0 or number_of(right) == 0:
            return
        if self._storage.is_no_object(left) != self._storage.is_no_object(right):
            self._context.program.trusted.address(node.span)
        if node.op not in EQUALITIES and not self._memory.is_one_object(node.left, node.right):
            self._context.program.trusted.address(node.span)
        if self._memory.may_be_literals(node.left, node.right):
            self._context.program.trusted.literals(node.span)
        elif node.op in EQUALITIES and self._memory.may_be_neighbours(node.left, node.right):
            self._context.program.trusted.address(node.span)
        if number_of(left) is None and number_of(right) is None:  # a block is never at the address of a variable
            self._context.program.compared(node.span, self._memory.family(node.left), self._memory.family(node.right))

    # --- arithmetic

    def unary(self, node: ast.Unary) -> Steps:
        if node.op == "!":
            condition: Term = yield self.negation(node)
            return self._arithmetic.from_bool(condition, node.type)
        operand: Term = yield self._evaluator.value(node.operand)
        if node.op == "-":
            self._checks.overflow("-", operand, None, node.type, node.span)
        return self._arithmetic.unary(node.op, operand, node.type)

    def binary(self, node: ast.Binary) -> Steps:
        if node.op in COMPARISONS:
            condition: Term = yield self.comparison(node)
            return self._arithmetic.from_bool(condition, node.type)
        left, right = yield self._evaluator.scalars((node.left, node.right))
        return self.combine(node.op, left, node.left.type, right, node.right.type, node.type, node)

    def combine(
        self,
        op: str,
        left: Term,
        left_type: CType,
        right: Term,
        right_type: CType,
        type_: CType,
        node: ast.Expression,
    ) -> Term:
        """`left op right` of operands that are converted already; `node` is the whole expression."""
        arithmetic, span = self._arithmetic, node.span
        if isinstance(left_type, PointerType) and isinstance(right_type, PointerType):
            if isinstance(node, ast.Binary) and not self._memory.is_one_object(node.left, node.right):
                self._context.program.trusted.address(span)
            if not isinstance(left_type.target, VariableArrayType):
                return arithmetic.pointer_difference(left, right, self._addresses.scale(left_type, span), type_)
            size = arithmetic.convert(
                self._addresses.type_size(left_type.target, span), self._storage.size_type, type_
            )
            return arithmetic.binary("/", arithmetic.pointer_difference(left, right, 1, type_), size, type_)
        if isinstance(right_type, PointerType):
            left, left_type, right, right_type = right, right_type, left, left_type
        if isinstance(left_type, PointerType):
            moved, is_near = self._addresses.moved(pointer_in(node), left, right, right_type, backwards=op == "-")
            self._checks.moved(left, moved, is_near, node)
            return moved
        self._checks.operation(op, left, right, left_type, right_type, span)
        self.trust_precision(type_)
        return arithmetic.binary(op, left, right, type_, right_type)

    def trust_precision(self, type_: CType) -> None:
        """Assume that floats are not computed on the x87, as by compilers for 32 bits: it has excess precision
        (C11 5.2.4.2.2p9)."""
        if (
            isinstance(type_, FloatingType)
            and type_.width <= DOUBLE_WIDTH
            and self._storage.size_type.width == INT.width
        ):
            self._context.program.assume(
                "floats are computed in their own types, without the excess precision of the x87 (`-mfpmath=sse`)"
            )
