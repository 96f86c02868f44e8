"""Expressions that choose: `a && b`, `a || b`, `c ? a : b`, and the assertion that `assert` expands to."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.frontends.c.lowering.assertions import failed_assertion, message_of
from remuda.frontends.c.lowering.places import RecordValue, row_of
from remuda.frontends.c.lowering.saving import save_scalar
from remuda.frontends.c.syntax.types import VoidType, is_scalar
from remuda.ir.program import Assign

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.blocks import OpenBlock
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.evaluator import Evaluator
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term


@final
class Choices:
    """The choices of one function."""

    def __init__(self, context: FunctionContext, evaluator: Evaluator) -> None:
        self._context = context
        self._evaluator = evaluator
        self._blocks = context.blocks
        self._terms = context.program.terms
        self._arithmetic = context.program.arithmetic

    def logical(self, node: ast.Logical) -> Steps:
        condition: Term = yield self.logical_condition(node)
        return self._arithmetic.from_bool(condition, node.type)

    def logical_condition(self, node: ast.Logical) -> Steps:
        """Evaluate the right side in a block of its own. If it adds no statements, the block is dropped."""
        is_and = node.op == "&&"
        left: Term = yield self._evaluator.condition(node.left)
        start = self._blocks.current
        further = self._blocks.new("and" if is_and else "or", node.right.span)
        self._blocks.enter(further)
        right: Term = yield self._evaluator.condition(node.right)
        if self._is_untouched(further):
            self._blocks.enter(start)
            return self._terms.and_((left, right)) if is_and else self._terms.or_((left, right))
        result = self._blocks.temporary(right.type, "and" if is_and else "or")
        shortcut = self._blocks.new("short", node.span)
        self._fork(start, left, *((further, shortcut) if is_and else (shortcut, further)), node.left.span)
        self._join(((None, right), (shortcut, self._terms.boolean(not is_and))), (result,), node.span)
        return self._terms.var(result)

    def _is_untouched(self, block: OpenBlock) -> bool:
        return self._blocks.current is block and not block.statements

    def _fork(self, at: OpenBlock, condition: Term, then: OpenBlock, otherwise: OpenBlock, span: Span) -> None:
        """Branch at the end of an earlier block. The current block stays the same."""
        current = self._blocks.current
        self._blocks.enter(at)
        self._blocks.branch(condition, then, otherwise, span)
        self._blocks.enter(current)

    def _join(
        self,
        ends: Sequence[tuple[OpenBlock | None, Term | RecordValue | None]],
        results: Sequence[Variable],
        span: Span,
    ) -> None:
        """Assign the results at each end (None is the current block), and continue in a block that joins them."""
        join = self._blocks.new("join", span)
        for block, value in ends:
            if block is not None:
                self._blocks.enter(block)
            if value is not None and results:
                self._blocks.add(Assign(tuple(results), row_of(value), span))
            self._blocks.jump(join, span)
        self._blocks.enter(join)

    def conditional(self, node: ast.Conditional) -> Steps:
        failure = failed_assertion(node.otherwise)
        if failure is not None and isinstance(node.type, VoidType):
            yield self.assertion(node.condition, failure)
            return None
        if node.then is None:
            value: Term = yield self._evaluator.value(node.condition)
            condition = self._arithmetic.is_nonzero(value, node.condition.type)
            first: Term | RecordValue | None = value
            result = yield self._choose(node, condition, first)
        else:
            condition = yield self._evaluator.condition(node.condition)
            result = yield self._choose(node, condition, None)
        return result

    def assertion(self, condition: ast.Expression, failure: ast.Call) -> Steps:
        """Assert a condition, where the macro `assert` has expanded to it and to a call if it is false."""
        holds: Term = yield self._evaluator.condition(condition)
        self._context.demand(holds, "assert", failure.span, message_of(failure))

    def _choose(self, node: ast.Conditional, condition: Term, given: Term | RecordValue | None) -> Steps:
        start = self._blocks.current
        if condition.op == "bool":
            chosen = node.then if condition.payload else node.otherwise
            result = given if chosen is None else (yield self._evaluator.value(chosen))
            return result
        if given is not None:
            assert not isinstance(given, RecordValue)
            given = save_scalar(self._blocks, given, self._blocks.position(), node.span)
        then_block = self._blocks.new("then", node.span)
        self._blocks.enter(then_block)
        then = given if node.then is None else (yield self._evaluator.value(node.then))
        is_plain = self._is_untouched(then_block)
        then_end = self._blocks.current
        else_block = self._blocks.new("else", node.otherwise.span)
        self._blocks.enter(else_block)
        otherwise = yield self._evaluator.value(node.otherwise)
        is_plain = is_plain and self._is_untouched(else_block)
        if isinstance(node.type, VoidType):
            then = otherwise = None
        if is_plain:
            self._blocks.enter(start)
            return self._either(condition, then, otherwise)
        results = [] if then is None else [self._blocks.temporary(one.type, "choice") for one in row_of(then)]
        self._fork(start, condition, then_block, else_block, node.condition.span)
        self._join(((None, otherwise), (then_end, then)), results, node.span)
        terms = tuple([self._terms.var(variable) for variable in results])
        return None if not terms else terms[0] if is_scalar(node.type) else RecordValue(terms)

    def _either(
        self, condition: Term, then: Term | RecordValue | None, otherwise: Term | RecordValue | None
    ) -> Term | RecordValue | None:
        if then is None or otherwise is None:
            return None
        pairs = zip(row_of(then), row_of(otherwise), strict=True)
        scalars = tuple([self._terms.ite(condition, one, other) for one, other in pairs])
        return RecordValue(scalars) if isinstance(then, RecordValue) else scalars[0]
