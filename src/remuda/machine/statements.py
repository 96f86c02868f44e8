"""Translates statements to instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import VariableArrayType, VoidType, is_scalar
from remuda.frontends.c.syntax.walk import children, preorder, statement_children
from remuda.machine.code import SWITCH, Label, RegisterPlace, Scope
from remuda.machine.initializers import Initializers
from remuda.machine.outcomes import Cause, End, Stop, not_modelled, undefined

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.builder import Builder
    from remuda.machine.code import Registers
    from remuda.machine.expressions import Expressions
    from remuda.machine.memory import Pointer
    from remuda.machine.steps import Steps

STACK: Final = 1 << 23  # the most bytes of an array of computed length: the usual limit of systems


@final
class Statements:
    """The statements of one function."""

    def __init__(self, builder: Builder, expressions: Expressions, function: ast.Function | None) -> None:
        self._builder = builder
        self._execution = builder.execution
        self._expressions = expressions
        self._function = function
        self.initializers = Initializers(builder, expressions)
        self._breaks: list[Label] = []
        self._continues: list[Label] = []
        self._cases: list[dict[ast.Case, Label]] = []
        self._labels: dict[str, Label] = {}
        self._scopes: dict[ast.Statement, Scope] = {}
        self.literals_of_blocks: set[ast.Variable] = set()  # their lifetimes begin before they are evaluated
        builder.clean_up = self._clean_up
        self._methods: dict[type, Callable[[Any], Steps]] = {
            ast.Compound: self._compound,
            ast.ExpressionStatement: self._expression,
            ast.Declaration: self._declaration,
            ast.Empty: lambda _: None,
            ast.If: self._if,
            ast.While: self._while,
            ast.DoWhile: self._do_while,
            ast.For: self._for,
            ast.Switch: self._switch,
            ast.Case: self._case,
            ast.Label: self._label,
            ast.Goto: self._goto,
            ast.ComputedGoto: self._computed_goto,
            ast.Break: lambda _: self._builder.leave_for(self._breaks[-1]),
            ast.Continue: lambda _: self._builder.leave_for(self._continues[-1]),
            ast.Return: self._return,
            ast.Assembly: self._assembly,
            ast.UnsupportedStatement: self._unsupported,
        }

    def statement(self, node: ast.Statement) -> Steps:
        return self._methods[type(node)](node)

    def body(self, node: ast.Compound) -> Steps:
        """Translate the body of the function, after finding all its labels."""
        self._find_labels(node)
        yield self.statement(node)
        yield self._end_of_function(node.end)

    # --- scopes

    def _scope(self, node: ast.Statement) -> Scope:
        """The objects that live as long as a block: those declared directly in it, and its compound literals."""
        if node not in self._scopes:
            declared = node.statements if isinstance(node, ast.Compound) else (node.start,)  # type: ignore[attr-defined]
            variables = [
                variable
                for statement in map(_unlabelled, declared)
                if isinstance(statement, ast.Declaration)
                for variable in statement.variables
                if variable.storage is ast.Storage.LOCAL
            ]
            literals = _literals(node)
            self.literals_of_blocks.update(literals)
            in_memory = (*(each for each in variables if self._builder.is_in_memory(each)), *literals)
            self._scopes[node] = Scope(node, in_memory, tuple(each for each in variables if each not in in_memory))
        return self._scopes[node]

    def _find_labels(self, root: ast.Compound) -> None:
        """For every label, the blocks around it. (Those of statement expressions too.)"""
        work: list[tuple[ast.Statement | ast.Expression, tuple[Scope, ...]]] = [(root, ())]
        while work:
            node, scopes = work.pop()
            if isinstance(node, ast.Compound | ast.For):
                scopes = (*scopes, self._scope(node))
            elif isinstance(node, ast.Label):
                self._labels[node.name] = Label(scopes, node.span.start)
            below: Any = statement_children(node) if isinstance(node, ast.Statement) else ()
            for child in below:
                if isinstance(child, ast.Statement):
                    work.append((child, scopes))
                else:
                    work += [
                        (part.body, scopes) for part in preorder(child) if isinstance(part, ast.StatementExpression)
                    ]

    def _clean_up(self, variable: ast.Variable) -> None:
        assert variable.cleanup is not None
        self._expressions.full(variable.cleanup)

    def _compound(self, node: ast.Compound) -> Steps:
        outer = self._open(node)
        for statement in node.statements:
            yield self.statement(statement)
        self._close(node, outer)

    def _open(self, node: ast.Statement) -> tuple[Scope, ...]:
        outer = self._builder.scopes
        scope = self._scope(node)
        try:
            self._builder.begin(scope)
        except Stop as stop:
            self._builder.stop(stop)
        self._builder.scopes = (*outer, scope)
        return outer

    def _close(self, node: ast.Statement, outer: tuple[Scope, ...]) -> None:
        self._builder.end(self._scope(node))
        self._builder.scopes = outer

    def statement_expression(self, node: ast.StatementExpression) -> Steps:
        """Translate `({ ... })`. Its value is that of the last statement, if it has one."""
        builder = self._builder
        outer = self._open(node.body)
        *front, last = node.body.statements or (None,)
        for statement in front:
            if statement is not None:
                yield self.statement(statement)
        while isinstance(last, ast.Label):
            self._put(last)
            last = last.body
        value = None
        if isinstance(last, ast.ExpressionStatement):
            value = yield self._expressions.value(last.expression)
            if isinstance(value, int) and not isinstance(node.type, VoidType):
                kept = builder.register()
                builder.move(kept, value)
                value = kept
        elif last is not None:
            yield self.statement(last)
        self._close(node.body, outer)
        return value

    # --- simple ones

    def _expression(self, node: ast.ExpressionStatement) -> Steps:
        self._expressions.full(node.expression)

    def _declaration(self, node: ast.Declaration) -> Steps:
        for variable in node.variables:
            if variable.storage is ast.Storage.LOCAL:
                try:
                    self._declare(variable)
                except Stop as stop:
                    self._builder.stop(stop)
                if variable.cleanup is not None:
                    self._builder.declared(variable)

    def _declare(self, variable: ast.Variable) -> None:
        builder, execution = self._builder, self._execution
        if isinstance(variable.type, VariableArrayType):
            self._computed_array(variable, variable.type)
        place = builder.place(variable, variable.span)
        if variable.initializer is not None:
            if isinstance(place, RegisterPlace) and place.pending is not None:
                builder.move(place.slot, builder.nothing)
            self.initializers.initialize(variable)
        elif isinstance(place, RegisterPlace):
            slot, pending = place.slot, place.pending
            assert pending is not None

            def forget(r: Registers) -> None:
                r[slot] = None
                r[pending] = execution.offered("local", variable.name, variable.span, variable.type)

            builder.do(forget)
        elif is_scalar(variable.type):
            slot = place.slot

            def offer(r: Registers) -> None:
                r[slot].object.pending = execution.offered("local", variable.name, variable.span, variable.type)

            builder.do(offer)

    def _computed_array(self, variable: ast.Variable, type_: VariableArrayType) -> None:
        """A new array; its lengths were computed before."""
        builder, report, span = self._builder, self._execution.report, variable.span
        size = self._expressions.type_size(type_, span)
        lengths: list[int] = []
        row: CType = type_
        while isinstance(row, VariableArrayType):
            if row.length is not None:  # else a constant
                lengths.append(self._expressions.length(row, span))
            row = row.element
        most = 1 << (self._execution.target.pointer_width - 1)

        def check(r: Registers) -> None:
            for length in lengths:
                if not 0 < r[length] < most:
                    count = r[length] if r[length] < most else r[length] - 2 * most
                    report(Cause.BOUNDS, span, f"{variable.name} has {count} elements")
            if r[size] > STACK:
                raise Stop(End.LIMIT, span, f"{variable.name} has no room on the stack")

        builder.do(check)
        builder.new_object(variable, 0, size)

    # --- branches

    def _if(self, node: ast.If) -> Steps:
        builder = self._builder
        then, otherwise, end = Label(), Label(), Label()
        builder.branch(self._expressions.tested(node.condition), then, otherwise)
        builder.put(then)
        yield self.statement(node.then)
        if node.otherwise is None:
            builder.put(otherwise)
            return
        builder.jump(end)
        builder.put(otherwise)
        yield self.statement(node.otherwise)
        builder.put(end)

    def _while(self, node: ast.While) -> Steps:
        builder = self._builder
        head, body, after = self._here(), Label(), self._here()
        builder.put(head)
        builder.branch(self._expressions.tested(node.condition), body, after)
        builder.put(body)
        yield self._loop_body(node.body, after, head)
        builder.jump(head)
        builder.put(after)

    def _do_while(self, node: ast.DoWhile) -> Steps:
        builder = self._builder
        head, check, after = self._here(), self._here(), self._here()
        builder.put(head)
        yield self._loop_body(node.body, after, check)
        builder.put(check)
        builder.branch(self._expressions.tested(node.condition), head, after)
        builder.put(after)

    def _for(self, node: ast.For) -> Steps:
        builder = self._builder
        outer = self._open(node)
        if node.start is not None:
            yield self.statement(node.start)
        head, body, step, after = self._here(), Label(), self._here(), self._here()
        builder.put(head)
        if node.condition is not None:
            builder.branch(self._expressions.tested(node.condition), body, after)
        builder.put(body)
        yield self._loop_body(node.body, after, step)
        builder.put(step)
        if node.step is not None:
            self._expressions.full(node.step)
        builder.jump(head)
        builder.put(after)
        self._close(node, outer)

    def _here(self) -> Label:
        return Label(self._builder.scopes)

    def _loop_body(self, node: ast.Statement, after: Label, again: Label) -> Steps:
        self._breaks.append(after)
        self._continues.append(again)
        yield self.statement(node)
        self._breaks.pop()
        self._continues.pop()

    def _switch(self, node: ast.Switch) -> Steps:
        builder = self._builder
        value = self._expressions.tested(node.value)
        after = self._here()
        cases: dict[ast.Case, Label] = {}
        self._cases.append(cases)
        self._breaks.append(after)
        dispatch = Label()
        builder.jump(dispatch)
        yield self.statement(node.body)
        builder.jump(after)
        builder.put(dispatch)
        self._dispatch(value, cases, after)
        builder.put(after)
        self._cases.pop()
        self._breaks.pop()

    def _dispatch(self, value: int, cases: dict[ast.Case, Label], after: Label) -> None:
        """Jump to the case, by a table of values and a list of ranges."""
        builder = self._builder
        table: dict[int, Label] = {}
        ranges: list[tuple[int, int, Label]] = []
        ways = {case: Label() for case in cases}
        default = after
        for case, way in ways.items():
            if case.low is None:
                default = way
            elif case.high is None or case.high == case.low:
                table[case.low] = way
            else:
                ranges.append((case.low, case.high, way))

        def find(r: Registers) -> int:
            found = table.get(r[value])
            if found is None:
                found = next((way for low, high, way in ranges if low <= r[value] <= high), default)
            return found.at

        builder.add(find)
        for case, way in ways.items():
            builder.put(way)
            builder.leave_for(cases[case])

    def _case(self, node: ast.Case) -> Steps:
        label = self._here()
        self._cases[-1][node] = label
        self._builder.put(label)
        yield self.statement(node.body)

    # --- jumps

    def _label(self, node: ast.Label) -> Steps:
        self._put(node)
        yield self.statement(node.body)

    def _put(self, node: ast.Label) -> None:
        self._builder.put(self._labels[node.name])
        if node.name in self._execution.error_labels:
            self._builder.stop(Stop(End.FAILED, node.span, f"label {node.name} is reached"))

    def _goto(self, node: ast.Goto) -> Steps:
        self._builder.leave_for(self._labels[node.label])

    def _computed_goto(self, node: ast.ComputedGoto) -> Steps:
        builder, span = self._builder, node.span
        target = self._expressions.full(node.target)
        ways = {name: Label() for name in self._labels}

        def find(r: Registers) -> int:
            pointer: Pointer = r[target]
            name = pointer.object.name if pointer.object is not None and pointer.object.kind == "label" else ""
            if name not in ways:
                raise undefined(Cause.POINTER, span, "a jump to something that is no label of the function")
            return ways[name].at

        builder.add(find)
        for name, way in ways.items():
            builder.put(way)
            builder.leave_for(self._labels[name])

    def _return(self, node: ast.Return) -> Steps:
        value = None if node.value is None else self._expressions.full(node.value)
        assert self._function is not None
        result = self._function.type.result
        if node.value is not None and value is not None and is_scalar(result) and is_scalar(node.value.type):
            try:
                value = self._expressions.convert(value, node.value.type, result, node.span)
            except Stop as stop:
                self._builder.stop(stop)
        if any(variable.cleanup is not None for scope in self._builder.scopes for variable in scope.variables):
            for scope in reversed(self._builder.scopes):
                self._builder.end(scope)
        self._leave(value)

    def _leave(self, value: int | None) -> None:
        execution, code = self._execution, self._builder.code

        def leave(r: Registers) -> int:
            execution.leave(code, r, None if value is None else r[value])
            return SWITCH

        self._builder.add(leave)

    def _end_of_function(self, span: Span) -> Steps:
        """Return at the end of the body: `main` returns zero; the caller of another function must not use the
        result."""
        assert self._function is not None
        result = self._function.type.result
        if isinstance(result, VoidType) or self._function.name == "main":
            self._leave(self._builder.constant(0))
            return
        execution, name = self._execution, self._function.name
        value = self._builder.compute(lambda _: execution.no_result(name, span, result))
        self._leave(value)

    # --- the rest

    def _assembly(self, node: ast.Assembly) -> Steps:
        """Give the outputs of inline assembly any values."""
        execution = self._execution
        if node.text.strip():
            self._builder.do(lambda _: execution.leave_open(node.span, "inline assembly has an unknown effect"))
        for output in node.outputs:
            place = yield self._expressions.place(output)
            slot = self._anything(output.type, node.span)
            self._builder.write(place, slot, node.span)

    def _anything(self, type_: CType, span: Span) -> int:
        execution = self._execution
        return self._builder.compute(lambda _: execution.ask_value("assembly", "", span, type_))

    def _unsupported(self, node: ast.UnsupportedStatement) -> Steps:
        self._builder.stop(not_modelled(node.span, node.construct))


def _unlabelled(statement: ast.Statement | None) -> ast.Statement | None:
    while isinstance(statement, ast.Label | ast.Case):
        statement = statement.body
    return statement


def _literals(block: ast.Statement) -> list[ast.Variable]:
    """The objects of the compound literals directly in a block. The body of a loop is a block too, also without braces:
    such a literal is a new object each time."""
    found: list[ast.Variable] = []
    work: list[ast.Statement | ast.Expression] = [block]
    while work:
        node = work.pop()
        if isinstance(node, ast.CompoundLiteral) and node.variable.storage is ast.Storage.LOCAL:
            found.append(node.variable)
        if node is block or not isinstance(node, ast.Compound | ast.For):
            body = node.body if isinstance(node, ast.While | ast.DoWhile | ast.For) else None
            work += [child for child in children(node) if child is not body]
    return found
