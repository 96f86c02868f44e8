"""Statements to blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.frontends.c.lowering.assertions import failed_assertion
from remuda.frontends.c.lowering.objects import Objects
from remuda.frontends.c.lowering.places import RecordValue
from remuda.frontends.c.lowering.saving import save_now
from remuda.frontends.c.lowering.scopes import Scopes, find_places
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import is_scalar
from remuda.ir.program import Assign, Assume

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.blocks import OpenBlock
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.expressions import Expressions
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.terms.term import Term


@final
@dataclass(slots=True, eq=False)
class Cases:
    """The cases of a switch that the lowering of its body has found."""

    values: list[tuple[int, int, OpenBlock]] = field(default_factory=list)
    default: OpenBlock | None = None


@final
class Statements:
    """Lowers the statements of one function."""

    def __init__(self, context: FunctionContext, expressions: Expressions) -> None:
        self.context = context
        self._program = context.program
        self._blocks = context.blocks
        self._expressions = expressions
        places = find_places(context.function)
        self.objects = Objects(context, expressions, places)
        self._scopes = Scopes(places, expressions, self.objects)
        self._breaks: list[tuple[OpenBlock, int]] = []  # each with the depth of its scope
        self._continues: list[tuple[OpenBlock, int]] = []
        self._switches: list[Cases] = []
        self._methods: dict[type[ast.Statement], Callable[..., Steps]] = {
            ast.Compound: self._compound,
            ast.ExpressionStatement: self._expression,
            ast.Declaration: self._declaration,
            ast.Empty: self._empty,
            ast.If: self._if,
            ast.While: self._while,
            ast.DoWhile: self._do_while,
            ast.For: self._for,
            ast.Switch: self._switch,
            ast.Case: self._case,
            ast.Label: self._label,
            ast.Goto: self._goto,
            ast.ComputedGoto: self._computed_goto,
            ast.Break: self._break,
            ast.Continue: self._continue,
            ast.Return: self._return,
            ast.Assembly: self._assembly,
            ast.UnsupportedStatement: self._unsupported,
        }

    def statement(self, node: ast.Statement) -> Steps:
        return self._methods[type(node)](node)

    def statement_expression(self, node: ast.StatementExpression) -> Steps:
        """Lower `({ ... })`. Its value is that of the last statement, if it has one."""
        self._scopes.open(node.body)
        value = yield self._value_of(node)
        if self._scopes.has_actions(self._scopes.depth - 1) and value is not None:
            value = save_now(self._blocks, value, node.span)
        yield self._scopes.close()
        return value

    def _value_of(self, node: ast.StatementExpression) -> Steps:
        *front, last = node.body.statements or (None,)
        for statement in front:
            if statement is not None:
                yield self.statement(statement)
        while isinstance(last, ast.Label):
            yield self._place_label(last)
            last = last.body
        if isinstance(last, ast.ExpressionStatement):
            value = yield self._expressions.value(last.expression)
            return value
        if last is not None:
            yield self.statement(last)
        return None

    def declare(self, variable: ast.Variable, span: Span) -> Steps:
        """Make an object of the innermost block."""
        yield self.objects.declare(variable, span)
        self._scopes.add(variable)

    # --- simple statements

    def _compound(self, node: ast.Compound) -> Steps:
        self._scopes.open(node)
        for statement in node.statements:
            yield self.statement(statement)
        yield self._scopes.close()

    def _expression(self, node: ast.ExpressionStatement) -> Steps:
        yield self._expressions.effect(node.expression)

    def _declaration(self, node: ast.Declaration) -> Steps:
        for variable in node.variables:
            if variable.storage is ast.Storage.LOCAL:
                yield self.declare(variable, variable.span)

    def _empty(self, _node: ast.Empty) -> Steps:
        return None

    def _return(self, node: ast.Return) -> Steps:
        if node.value is not None:
            value = yield self._expressions.value(node.value)
            outputs = self.context.outputs
            if outputs and value is not None:
                self._blocks.add(Assign(outputs, self._returned(value, node.value), node.span))
        elif self.context.outputs and self.context.function.name != "main":
            self.context.program.trusted.unchecked("result")
        yield self._scopes.finish()
        self._blocks.jump(self.context.exit, node.span)

    def _returned(self, value: Term | RecordValue, node: ast.Expression) -> tuple[Term, ...]:
        if isinstance(value, RecordValue):
            return value.scalars
        result = self.context.function.type.result
        assert is_scalar(result)
        return (self._program.arithmetic.convert(value, node.type, result),)

    def _assembly(self, node: ast.Assembly) -> Steps:
        """Give the outputs of inline assembly any values."""
        self._program.assume(f"inline assembly at {node.span} is assumed to write its outputs only, with any values")
        self._program.guess("inline assembly", node.span)
        for output in node.outputs:
            place = yield self._expressions.place(output)
            self._expressions.accesses.forget(place, node.span, "inline assembly")

    def _unsupported(self, node: ast.UnsupportedStatement) -> Steps:
        self.context.unsupported(node.construct, node.span)

    # --- branches

    def _if(self, node: ast.If) -> Steps:
        failure = _failure(node)
        if failure is not None:
            yield self._expressions.choices.assertion(node.condition, failure)
            return
        condition: Term = yield self._expressions.condition(node.condition)
        then, after = self._new("then", node.then.span), self._new("after", node.span)
        otherwise = after if node.otherwise is None else self._new("else", node.otherwise.span)
        self._blocks.branch(condition, then, otherwise, node.condition.span)
        self._blocks.enter(then)
        yield self.statement(node.then)
        self._blocks.jump(after, node.span)
        if node.otherwise is not None:
            self._blocks.enter(otherwise)
            yield self.statement(node.otherwise)
            self._blocks.jump(after, node.span)
        self._blocks.enter(after)

    def _switch(self, node: ast.Switch) -> Steps:
        value: Term = yield self._expressions.value(node.value)
        value = value if not value.args else self._blocks.save(value, self._blocks.position(), node.value.span)
        self._scopes.dispatch(node)
        start, after = self._blocks.current, self._new("after", node.span)
        cases = Cases()
        self._switches.append(cases)
        self._breaks.append((after, self._scopes.depth))
        self._blocks.enter(self._new("dead", node.body.span))
        yield self.statement(node.body)
        self._breaks.pop()
        self._switches.pop()
        self._blocks.jump(after, node.span)
        self._dispatch(start, value, node, cases, after)
        self._blocks.enter(after)

    def _dispatch(self, start: OpenBlock, value: Term, node: ast.Switch, cases: Cases, after: OpenBlock) -> None:
        """Add an edge from the switch to each case, under its condition."""
        terms, span = self._program.terms, node.value.span
        conditions: list[Term] = []
        for low, high, block in cases.values:
            condition = self._in_case(value, node.value, low, high)
            conditions.append(condition)
            self._way(start, condition, block, span)
        rest = terms.and_([terms.not_(condition) for condition in conditions])
        self._way(start, rest, cases.default or after, span)

    def _in_case(self, value: Term, node: ast.Expression, low: int, high: int) -> Term:
        arithmetic, type_ = self._program.arithmetic, node.type
        if low == high:
            return arithmetic.compare("==", value, arithmetic.literal(low, type_), type_)
        least, most = arithmetic.literal(low, type_), arithmetic.literal(high, type_)
        above = arithmetic.compare(">=", value, least, type_)
        return self._program.terms.and_((above, arithmetic.compare("<=", value, most, type_)))

    def _way(self, start: OpenBlock, condition: Term, target: OpenBlock, span: Span) -> None:
        if condition is self._program.terms.false:
            return
        way = self._new("case", span)
        if condition is not self._program.terms.true:
            way.statements.append(Assume(condition, span))
        way.successors.append(target)
        start.successors.append(way)

    def _case(self, node: ast.Case) -> Steps:
        block = self._new("case", node.span)
        cases = self._switches[-1]
        if node.low is None:
            cases.default = block
        else:
            cases.values.append((node.low, node.low if node.high is None else node.high, block))
        self._blocks.go(block, node.span)
        yield self.statement(node.body)

    # --- loops

    def _while(self, node: ast.While) -> Steps:
        head, body, after = self._loop(node, "while")
        self._blocks.go(head, node.span)
        condition: Term = yield self._expressions.condition(node.condition)
        self._blocks.branch(condition, body, after, node.condition.span)
        yield self._body(node.body, body, after, head)
        self._blocks.jump(head, node.span)
        self._blocks.enter(after)

    def _do_while(self, node: ast.DoWhile) -> Steps:
        body, check, after = self._loop(node, "do")
        self._blocks.go(body, node.span)
        yield self._body(node.body, body, after, check)
        self._blocks.go(check, node.condition.span)
        condition: Term = yield self._expressions.condition(node.condition)
        self._blocks.branch(condition, body, after, node.condition.span)
        self._blocks.enter(after)

    def _for(self, node: ast.For) -> Steps:
        self._scopes.open(node)
        if node.start is not None:
            yield self.statement(node.start)
        head, body, after = self._loop(node, "for")
        step = self._new("step", node.span if node.step is None else node.step.span)
        self._blocks.go(head, node.span)
        if node.condition is None:
            self._blocks.jump(body, node.span)
        else:
            condition: Term = yield self._expressions.condition(node.condition)
            self._blocks.branch(condition, body, after, node.condition.span)
        yield self._body(node.body, body, after, step)
        self._blocks.go(step, step.span)
        if node.step is not None:
            yield self._expressions.effect(node.step)
        self._blocks.jump(head, node.span)
        self._blocks.enter(after)
        yield self._scopes.close()

    def _loop(self, node: ast.Statement, name: str) -> tuple[OpenBlock, OpenBlock, OpenBlock]:
        return self._new(name, node.span), self._new("body", node.span), self._new("after", node.span)

    def _body(self, node: ast.Statement, body: OpenBlock, after: OpenBlock, again: OpenBlock) -> Steps:
        self._breaks.append((after, self._scopes.depth))
        self._continues.append((again, self._scopes.depth))
        self._blocks.enter(body)
        yield self.statement(node)
        self._breaks.pop()
        self._continues.pop()

    # --- jumps

    def _label(self, node: ast.Label) -> Steps:
        yield self._place_label(node)
        yield self.statement(node.body)

    def _place_label(self, node: ast.Label) -> Steps:
        self._blocks.go(self.context.label(node.name, node.span), node.span)
        if node.name in self._program.options.error_labels:
            terms = self._program.terms
            self.context.demand(terms.false, "error", node.span, f"label {node.name} is not reached")
            self._blocks.assume(terms.false, node.span)

    def _goto(self, node: ast.Goto) -> Steps:
        yield self._scopes.jump(node.label)
        self._blocks.jump(self.context.label(node.label, node.span), node.span)

    def _computed_goto(self, node: ast.ComputedGoto) -> Steps:
        """Jump to any label of the function whose address is taken."""
        if self._scopes.has_actions(0):
            self.context.unsupported(
                "a computed goto in the scope of a variable with the attribute `cleanup`", node.span
            )
        value: Term = yield self._expressions.value(node.target)
        value = self._blocks.save(value, self._blocks.position(), node.span)
        storage, compare = self._program.storage, self._program.arithmetic.compare
        self._scopes.jump_to_any(self.context.addressed_labels)
        start = self._blocks.current
        for name, number in self.context.addressed_labels.items():
            taken = compare("==", value, storage.literal(number), storage.size_type)
            self._way(start, taken, self.context.label(name, node.span), node.span)
        if not start.successors:
            self._blocks.assume(self._program.terms.false, node.span)
        self._blocks.enter(self._new("dead", node.span))

    def _break(self, node: ast.Break) -> Steps:
        yield self._jump(*self._breaks[-1], node.span)

    def _continue(self, node: ast.Continue) -> Steps:
        yield self._jump(*self._continues[-1], node.span)

    def _jump(self, target: OpenBlock, depth: int, span: Span) -> Steps:
        """Leave the scopes that are deeper than that of the target, and jump there."""
        yield self._scopes.leave(depth)
        self._blocks.jump(target, span)

    def _new(self, hint: str, span: Span) -> OpenBlock:
        return self._blocks.new(hint, span)


def _failure(node: ast.If) -> ast.Call | None:
    """The failing call of `if (condition) ; else __assert_fail(...);`, which is an assertion."""
    if isinstance(node.then, ast.Empty) and isinstance(node.otherwise, ast.ExpressionStatement):
        return failed_assertion(node.otherwise.expression)
    return None
