"""Assignments: `a = b`, `a += b`, `a++`, each with the value of the expression or for its effect only.

The right side comes first, then the place that is assigned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.frontends.c.lowering.operands import promoted
from remuda.frontends.c.lowering.places import Place, RecordValue
from remuda.frontends.c.lowering.saving import save, save_now, save_scalar
from remuda.frontends.c.syntax.types import INT, PointerType

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.lowering.accesses import Accesses
    from remuda.frontends.c.lowering.addresses import Addresses
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.evaluator import Evaluator
    from remuda.frontends.c.lowering.operators import Operators
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term


@final
class Assignments:
    """Lowers the assignments of one function."""

    def __init__(
        self,
        context: FunctionContext,
        evaluator: Evaluator,
        addresses: Addresses,
        accesses: Accesses,
        operators: Operators,
    ) -> None:
        self._evaluator = evaluator
        self._addresses = addresses
        self._accesses = accesses
        self._operators = operators
        self._blocks = context.blocks
        self._arithmetic = context.program.arithmetic
        self._checks = context.checks

    # --- a = b

    def assign(self, node: ast.Assign) -> Steps:
        place, value = yield self._assigned(node)
        kept = save_now(self._blocks, value, node.span)
        self._accesses.write(place, kept, node.span, node.target.span.text)
        return self._stored(place, kept, node.span)

    def assign_only(self, node: ast.Assign) -> Steps:
        place, value = yield self._assigned(node)
        self._accesses.write(place, value, node.span, node.target.span.text)

    def _assigned(self, node: ast.Assign) -> Steps:
        """The place that is assigned, and its new value."""
        value = yield self._evaluator.value(node.value)
        position = self._blocks.position()
        place: Place = yield self._evaluator.place(node.target)
        if not self._blocks.is_unchanged_since(position):
            value = save(self._blocks, value, position, node.span)
        if not isinstance(value, RecordValue):
            self._checks.bit_field(value, node.target.type, place.bits, node.span)
        return place, value

    # --- a += b

    def compound_assign(self, node: ast.CompoundAssign) -> Steps:
        place, value = yield self._compound(node)
        kept = save_now(self._blocks, value, node.span)
        self._accesses.write(place, kept, node.span, node.target.span.text)
        return self._stored(place, kept, node.span)

    def compound_assign_only(self, node: ast.CompoundAssign) -> Steps:
        place, value = yield self._compound(node)
        self._accesses.write(place, value, node.span, node.target.span.text)

    def _compound(self, node: ast.CompoundAssign) -> Steps:
        """The place that is assigned, and its new value."""
        right: Term = yield self._evaluator.value(node.value)
        position = self._blocks.position()
        place: Place = yield self._evaluator.place(node.target)
        if not self._blocks.is_unchanged_since(position):
            right = save_scalar(self._blocks, right, position, node.span)
        target, arithmetic = node.target.type, self._arithmetic
        old = self._accesses.read(place, node.span)
        assert not isinstance(old, RecordValue)
        left = arithmetic.convert(old, target, node.computation)
        combined = self._operators.combine(
            node.op, left, node.computation, right, node.value.type, node.computation, node
        )
        self._checks.conversion(combined, node.computation, target, node.span)
        value = arithmetic.convert(combined, node.computation, target)
        self._checks.bit_field(value, target, place.bits, node.span)
        return place, value

    # --- a++, ++a

    def step(self, node: ast.Step) -> Steps:
        place: Place = yield self._evaluator.place(node.operand)
        old = self._accesses.read(place, node.span)
        assert not isinstance(old, RecordValue)
        if not node.is_prefix:
            old = save_scalar(self._blocks, old, self._blocks.position(), node.span)
        new = save_now(self._blocks, self._stepped(node, old), node.span)
        self._accesses.write(place, new, node.span, node.operand.span.text)
        if not node.is_prefix:
            return old
        return self._stored(place, new, node.span)

    def step_only(self, node: ast.Step) -> Steps:
        place: Place = yield self._evaluator.place(node.operand)
        old = self._accesses.read(place, node.span)
        assert not isinstance(old, RecordValue)
        self._accesses.write(place, self._stepped(node, old), node.span, node.operand.span.text)

    def _stepped(self, node: ast.Step, old: Term) -> Term:
        """The new value of what `++` or `--` steps."""
        type_, arithmetic, op = node.operand.type, self._arithmetic, node.op[0]
        if isinstance(type_, PointerType):
            one = arithmetic.literal(1 if op == "+" else -1, INT)
            moved, is_near = self._addresses.moved(node.operand, old, one, INT)
            self._checks.moved(old, moved, is_near, node)
            return moved
        wide = promoted(type_)
        one = arithmetic.convert(arithmetic.literal(1, INT), INT, wide)
        left = arithmetic.convert(old, type_, wide)
        self._checks.overflow(op, left, one, wide, node.span)
        self._operators.trust_precision(wide)
        result = arithmetic.binary(op, left, one, wide)
        self._checks.conversion(result, wide, type_, node.span)
        return arithmetic.convert(result, wide, type_)

    # --- the value

    def _stored(self, place: Place, value: Term | RecordValue, span: Span) -> Term | RecordValue:
        """The value of an assignment. A bit-field may keep a part only of what it is assigned."""
        return self._accesses.read(place, span) if place.bits is not None and not place.is_volatile else value
