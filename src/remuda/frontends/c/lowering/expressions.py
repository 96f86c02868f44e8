"""Expressions to terms, with the statements that their side effects take.

Order of evaluation is fixed: operands and arguments from left to right; in an assignment the right side first, then the
place that is assigned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, final

from remuda.frontends.c.lowering.accesses import Accesses
from remuda.frontends.c.lowering.addresses import Addresses
from remuda.frontends.c.lowering.assignments import Assignments
from remuda.frontends.c.lowering.choices import Choices
from remuda.frontends.c.lowering.conversions import Conversions
from remuda.frontends.c.lowering.lvalues import Lvalues
from remuda.frontends.c.lowering.operators import COMPARISONS, Operators
from remuda.frontends.c.lowering.saving import save
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import FloatingType, VoidType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.blocks import Position
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.places import RecordValue
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.terms.term import Term


class Calls(Protocol):
    """Lowers calls."""

    def call(self, node: ast.Call) -> Steps: ...


class Bodies(Protocol):
    """Lowers statements inside expressions."""

    def statement_expression(self, node: ast.StatementExpression) -> Steps: ...

    def declare(self, variable: ast.Variable, span: Span) -> Steps: ...


@final
class Expressions:
    """Lowers the expressions of one function; an `Evaluator` to its parts."""

    calls: Calls
    bodies: Bodies

    def __init__(self, context: FunctionContext) -> None:
        self._context = context
        self._blocks = context.blocks
        self._arithmetic = context.program.arithmetic
        self._storage = context.program.storage
        self.accesses = Accesses(context)
        self.addresses = Addresses(context)
        self.operators = Operators(context, self, self.addresses)
        self.choices = Choices(context, self)
        self._lvalues = Lvalues(context, self, self.addresses, self.accesses)
        conversions = Conversions(context, self, self._lvalues, self.accesses)
        self._assignments = Assignments(context, self, self.addresses, self.accesses, self.operators)
        self._values: dict[type[ast.Expression], Callable[..., Steps]] = {
            ast.IntegerLiteral: self._integer,
            ast.FloatLiteral: self._float,
            ast.Unary: self.operators.unary,
            ast.Step: self._assignments.step,
            ast.AddressOf: self._lvalues.address,
            ast.Binary: self.operators.binary,
            ast.Logical: self.choices.logical,
            ast.Conditional: self.choices.conditional,
            ast.Comma: self._comma,
            ast.Assign: self._assignments.assign,
            ast.CompoundAssign: self._assignments.compound_assign,
            ast.Cast: conversions.cast,
            ast.Call: self._call,
            ast.StatementExpression: self._statements,
            ast.VariadicArgument: self._variadic,
            ast.LabelAddress: self._label_address,
            ast.UnsupportedExpression: self._unsupported,
        }

    # --- entry points

    def value(self, node: ast.Expression) -> Steps:
        """The value of an expression: a Term, a RecordValue, or None if it has none."""
        method = self._values.get(type(node))
        if method is not None:
            return method(node)
        return self._lvalues.read(node)

    def condition(self, node: ast.Expression) -> Steps:
        """Whether a scalar is not zero, as a Boolean term."""
        if isinstance(node, ast.Logical):
            return self.choices.logical_condition(node)
        if isinstance(node, ast.Unary) and node.op == "!":
            return self.operators.negation(node)
        if isinstance(node, ast.Binary) and node.op in COMPARISONS:
            return self.operators.comparison(node)
        return self.operators.nonzero(node)

    def place(self, node: ast.Expression) -> Steps:
        """Where an lvalue is."""
        return self._lvalues.place(node)

    def effect(self, node: ast.Expression) -> Steps:
        """Evaluate an expression for its side effects only."""
        match node:
            case ast.Assign():
                return self._assignments.assign_only(node)
            case ast.CompoundAssign():
                return self._assignments.compound_assign_only(node)
            case ast.Step():
                return self._assignments.step_only(node)
            case ast.Comma():
                return self._comma_effect(node)
            case ast.Cast(kind=CastKind.TO_VOID):
                return self.effect(node.operand)
            case _:
                return self.value(node)

    def scalars(self, nodes: Sequence[ast.Expression]) -> Steps:
        """The values of several expressions, evaluated from left to right."""
        values: list[Term | RecordValue] = []
        positions: list[Position] = []
        for node in nodes:
            values.append((yield self.value(node)))
            positions.append(self._blocks.position())
        stale = [not self._blocks.is_unchanged_since(position) for position in positions]
        for index in reversed(range(len(values))):  # a saved value moves the positions behind it
            if stale[index]:
                values[index] = save(self._blocks, values[index], positions[index], nodes[index].span)
        return values

    def declare(self, variable: ast.Variable, span: Span) -> Steps:
        """Make an object of the innermost block."""
        return self.bodies.declare(variable, span)

    # --- literals

    def _integer(self, node: ast.IntegerLiteral) -> Steps:
        return self._arithmetic.literal(node.value, node.type)

    def _float(self, node: ast.FloatLiteral) -> Steps:
        assert isinstance(node.type, FloatingType)
        return self._arithmetic.float_literal(node.text, node.type)

    def _label_address(self, node: ast.LabelAddress) -> Steps:
        return self._storage.literal(self._context.label_number(node.label))

    # --- sequences

    def _comma(self, node: ast.Comma) -> Steps:
        yield self.effect(node.left)
        value = yield self.value(node.right)
        return value

    def _comma_effect(self, node: ast.Comma) -> Steps:
        yield self.effect(node.left)
        yield self.effect(node.right)

    # --- calls and statements

    def _call(self, node: ast.Call) -> Steps:
        return self.calls.call(node)

    def _statements(self, node: ast.StatementExpression) -> Steps:
        return self.bodies.statement_expression(node)

    # --- what is not modelled

    def _variadic(self, node: ast.VariadicArgument) -> Steps:
        self._context.unsupported("va_arg", node.span)
        return self.accesses.any_value(node.type, node.span)

    def _unsupported(self, node: ast.UnsupportedExpression) -> Steps:
        self._context.unsupported(node.construct, node.span)
        return None if isinstance(node.type, VoidType) else self.accesses.any_value(node.type, node.span)
