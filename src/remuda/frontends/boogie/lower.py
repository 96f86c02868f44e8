"""Lowers statements to basic blocks.

    while (c) invariant I; { S }        start:       goto loop_head.1;
    T                                   loop_head.1: assert I; goto loop_body.2, loop_exit.4;
                                        loop_body.2: assume c; S; goto loop_head.1;
                                        loop_exit.4: assume !c; goto loop_done.3;
                                        loop_done.3: T

`break` goes to `loop_done`. Blocks that control cannot reach are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from remuda.base.source import Source, Span
from remuda.frontends.boogie import ast
from remuda.frontends.boogie.assignments import lower_assignment
from remuda.frontends.boogie.blocks import BlockBuilder
from remuda.frontends.boogie.calls import lower_call
from remuda.ir.program import Assert, Assign, Assume, Attribute, Attributes, Havoc, Statement, Yield
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.boogie.checks import Checks
    from remuda.frontends.boogie.evaluate import Evaluator
    from remuda.frontends.boogie.scope import ProcedureSymbol
    from remuda.frontends.boogie.threads import Threads
    from remuda.terms.term import Term


@final
@dataclass(slots=True, eq=False)
class Frame:
    """The procedures and variables that the statements of a body may refer to."""

    procedure: str
    source: Source
    assignable: dict[str, Variable]  # the body's own variables, without inputs
    wheres: dict[Variable, Term]
    instance_of: Callable[[ProcedureSymbol, tuple[Type, ...]], str]
    threads: Threads | None = None  # None in a code expression
    assumption_variables: frozenset[Variable] = frozenset()  # `{:assumption}`: a havoc may only make them false
    is_code: bool = False  # whether it is a code expression, which only assigns its own variables
    fresh_locals: list[Variable] = field(default_factory=list)


@final
@dataclass(frozen=True, slots=True)
class Enclosure:
    """An `if` or `while` that `break` may leave."""

    labels: tuple[str, ...]
    is_loop: bool
    done: str
    atomic: ast.AtomicStatement | None  # the atomic block that contains it


Work = list[Any]  # statement nodes, and pairs of an action and its argument


@final
class BodyLowerer:
    """Lowers the statements of one body."""

    def __init__(self, evaluator: Evaluator, checks: Checks, frame: Frame, prefix: str = "") -> None:
        self.evaluator = evaluator
        self.terms = evaluator.terms
        self.checks = checks
        self.frame = frame
        self.source = frame.source
        self.prefix = prefix
        self.builder = BlockBuilder(frame.source, prefix, set())
        self.returned: dict[str, Term] = {}  # by block, in code expressions
        self.entry = ""
        self._enclosures: list[Enclosure] = []
        self._gotos: list[tuple[ast.Name, ast.AtomicStatement | None]] = []
        self._atomic: ast.AtomicStatement | None = None  # the outermost atomic block that contains the statement
        self._fresh = 0

    def lower(self, statements: Sequence[ast.StatementNode], prologue: Sequence[Statement], end: int) -> None:
        """Fill `builder.blocks`, starting at the block `entry`."""
        labels = self._collect_labels(statements)
        self.builder.user_labels = set(labels)
        first = statements[0] if statements else None
        if prologue or not isinstance(first, ast.LabelStatement):
            self.entry = self.builder.user("start") if "start" not in labels else self.builder.fresh("start")
            self.builder.open(self.entry, first.start if first is not None else end)
            self.builder.statements.extend(prologue)
        else:
            self.entry = self.builder.user(first.name)
        self._walk(statements)
        self.builder.close((), end)
        for target, atomic in self._gotos:
            if target.name not in labels:
                self.evaluator.fail(target, f"goto to unknown label: {target.name}")
            elif labels[target.name] is not atomic:
                self.evaluator.unsupported(target, "a goto into or out of an atomic block")

    def _collect_labels(self, statements: Sequence[ast.StatementNode]) -> dict[str, ast.AtomicStatement | None]:
        """The labels, each with the outermost atomic block that contains it."""
        labels: dict[str, ast.AtomicStatement | None] = {}
        stack: list[tuple[Sequence[ast.StatementNode], ast.AtomicStatement | None]] = [(statements, None)]
        while stack:
            nested, atomic = stack.pop()
            for statement in nested:
                kind = statement.__class__
                if kind is ast.LabelStatement:
                    assert isinstance(statement, ast.LabelStatement)
                    if statement.name in labels:
                        self.evaluator.fail(statement, f"more than one declaration of block name: {statement.name}")
                    labels[statement.name] = atomic
                elif kind in _NESTING:
                    inside = atomic or (statement if isinstance(statement, ast.AtomicStatement) else None)
                    stack.extend((inner, inside) for inner in _nested(statement))
        return labels

    def _walk(self, statements: Sequence[ast.StatementNode]) -> None:
        work: Work = list(reversed(statements))
        labels: list[str] = []  # of the next statement
        while work:
            item = work.pop()
            kind = item.__class__
            if kind is tuple:
                item[0](item[1])
                continue
            if kind is ast.LabelStatement:
                labels.append(item.name)
                self.builder.open(self.builder.user(item.name), item.start)
                continue
            if kind is ast.IfStatement:
                self._if(item, tuple(labels), work)
            elif kind is ast.WhileStatement:
                self._while(item, tuple(labels), work)
            elif kind is ast.AtomicStatement:
                self._atomic_block(item, work)
            else:
                _SIMPLE[kind](self, item)
            if labels:
                labels = []

    # --- helpers for this file and its neighbours

    def emit(self, statement: Statement) -> None:
        self.builder.statements.append(statement)

    def span(self, node: Any) -> Span:  # noqa: ANN401
        return Span(self.source, node.start, node.end)

    def attributes(self, nodes: Sequence[ast.AttributeNode]) -> Attributes:
        return lower_attributes(self.evaluator, nodes) if nodes else ()

    def fresh_local(self, stem: str, type_: Type) -> Variable:
        self._fresh += 1
        kind = VariableKind.BOUND if self.frame.is_code else VariableKind.LOCAL
        variable = Variable(f"{self.prefix}{stem}${self._fresh}", type_, kind)
        self.frame.fresh_locals.append(variable)
        return variable

    def target(self, node: ast.Name) -> Variable | None:
        """The variable that an assignment, a havoc or a call result names."""
        variable = self.frame.assignable.get(node.name)
        if variable is not None:
            return variable
        if node.name not in self.evaluator.names:
            term = self.evaluator.table.variables.get(node.name)
            if term is None:
                self.evaluator.name(node)  # reports the error
                return None
            if term.payload.kind is VariableKind.GLOBAL and not self.frame.is_code:
                found: Variable = term.payload
                return found
        if self.frame.is_code:
            self.evaluator.unsupported(node, "an assignment to an outer variable in a code expression")
        else:
            self.evaluator.fail(node, f"command assigns to an immutable variable: {node.name}")
        return None

    def assume_where(self, variable: Variable, span: Span) -> None:
        where = self.frame.wheres.get(variable)
        if where is not None:
            self.emit(Assume(where, span))

    # --- structured statements

    def _if(self, node: ast.IfStatement, labels: tuple[str, ...], work: Work) -> None:
        builder = self.builder
        condition = self._branch_condition(node.condition)
        attributes = self.attributes(node.attributes)
        then, otherwise, done = builder.fresh("then"), builder.fresh("else"), builder.fresh("join")
        builder.close((then, otherwise), node.end)
        self._enclosures.append(Enclosure(labels, is_loop=False, done=done, atomic=self._atomic))
        work.append((self._leave, (done, node.end, None)))
        work.extend(reversed(node.otherwise or ()))
        work.append((self._start_branch, (otherwise, done, node, self._negated(condition), attributes)))
        work.extend(reversed(node.then))
        self._open_branch(then, node, condition, attributes)

    def _branch_condition(self, node: ast.Expression | None) -> Term | None:
        return None if node is None else self.evaluator.condition(node)

    def _negated(self, condition: Term | None) -> Term | None:
        return None if condition is None else self.terms.not_(condition)

    def _open_branch(
        self,
        label: str,
        node: ast.IfStatement | ast.WhileStatement,
        condition: Term | None,
        attributes: Attributes = (),
    ) -> None:
        self.builder.open(label, node.start)
        if condition is not None:
            assert node.condition is not None
            self.emit(Assume(condition, self.span(node.condition), attributes))

    def _start_branch(self, given: tuple[str, str, ast.IfStatement, Term | None, Attributes]) -> None:
        label, done, node, condition, attributes = given
        self.builder.close((done,), node.end)
        self._open_branch(label, node, condition, attributes)

    def _leave(self, given: tuple[str, int, str | None]) -> None:
        """End an `if`, or a loop's body, which continues at `head`."""
        done, end, head = given
        self._enclosures.pop()
        if head is not None:
            self.builder.close((head,), end)
        self.builder.open(done, end)

    def _while(self, node: ast.WhileStatement, labels: tuple[str, ...], work: Work) -> None:
        builder = self.builder
        head = self._open_loop(labels, node.start)
        body, done = builder.fresh("loop_body"), builder.fresh("loop_done")
        for invariant in node.invariants:
            self._invariant(invariant)
        condition = self._branch_condition(node.condition)
        leave = done if condition is None else builder.fresh("loop_exit")
        builder.close((body, leave), node.start)
        if condition is not None:
            self._open_branch(leave, node, self._negated(condition))
            builder.close((done,), node.start)
        self._enclosures.append(Enclosure(labels, is_loop=True, done=done, atomic=self._atomic))
        work.append((self._leave, (done, node.end, head)))
        work.extend(reversed(node.body))
        self._open_branch(body, node, condition)

    def _open_loop(self, labels: tuple[str, ...], start: int) -> str:
        """Start the head block of a loop, under the loop's own label if it has one."""
        builder = self.builder
        if labels and builder.label == builder.user(labels[-1]):
            builder.label = None  # that block is still empty
            head = builder.user(labels[-1])
        else:
            head = builder.fresh("loop_head")
        builder.open(head, start)
        return head

    def _invariant(self, node: ast.Invariant) -> None:
        condition = self.evaluator.condition(node.condition, assumed=node.is_free)
        attributes = self.attributes(node.attributes)
        if condition is None:
            return
        span = self.span(node)
        if node.is_free:
            self.emit(Assume(condition, span, attributes))
            return
        check = self.checks.make(self.frame.procedure, "invariant", span, self.span(node.condition), node.attributes)
        self.emit(Assert(condition, check, span, attributes))

    # --- simple statements

    def _assert(self, node: ast.AssertStatement) -> None:
        assumed = node.kind == "assume"
        # An assumption in a code expression is a premise of that expression, and the expression may be assumed.
        condition = self.evaluator.condition(node.condition, assumed=assumed and not self.frame.is_code)
        attributes = self.attributes(node.attributes)
        if condition is None:
            return
        span = Span(self.source, node.start, node.end)
        if assumed:
            self.emit(Assume(condition, span, attributes))
            return
        check = self.checks.make(self.frame.procedure, "assert", span, self.span(node.condition), node.attributes)
        self.emit(Assert(condition, check, span, attributes))

    def _havoc(self, node: ast.HavocStatement) -> None:
        span = self.span(node)
        targets = [self.target(name) for name in node.names]
        variables = tuple(dict.fromkeys([variable for variable in targets if variable is not None]))
        kept = self._save_assumptions(variables, span)
        self.emit(Havoc(variables, span, self.attributes(node.attributes)))
        for variable, saved in kept.items():
            self.emit(Assume(self.terms.implies(self.terms.var(variable), self.terms.var(saved)), span))
        for variable in variables:
            self.assume_where(variable, span)

    def _save_assumptions(self, variables: Sequence[Variable], span: Span) -> dict[Variable, Variable]:
        """Copy the assumption variables before a havoc of them. Returns the copies."""
        kept = {
            variable: self.fresh_local(variable.name, variable.type)
            for variable in variables
            if variable in self.frame.assumption_variables
        }
        if kept:
            values = tuple(self.terms.var(variable) for variable in kept)
            self.emit(Assign(tuple(kept.values()), values, span))
        return kept

    def _assign(self, node: ast.AssignStatement) -> None:
        lower_assignment(self, node)

    def _call(self, node: ast.CallStatement) -> None:
        lower_call(self, node)

    def _par_call(self, node: ast.ParCallStatement) -> None:
        if len(node.calls) == 1:
            lower_call(self, node.calls[0])
        else:
            self.evaluator.unsupported(node, "a parallel call")

    def _break(self, node: ast.BreakStatement) -> None:
        for enclosure in reversed(self._enclosures):
            if node.label in enclosure.labels or (node.label is None and enclosure.is_loop):
                if enclosure.atomic is not self._atomic:
                    self._end_section(node.start)
                self.builder.close((enclosure.done,), node.end)
                return
        if node.label is None:
            self.evaluator.fail(node, "break statement is not inside a loop")
        else:
            self.evaluator.fail(node, f"break label {node.label} must designate an enclosing statement")

    def _goto(self, node: ast.GotoStatement) -> None:
        self._gotos.extend((label, self._atomic) for label in node.labels)
        self.builder.close([self.builder.user(label.name) for label in node.labels], node.end)

    def _return(self, node: ast.ReturnStatement) -> None:
        if node.value is None:
            if self.frame.is_code:
                self.evaluator.fail(node, "a code expression must return a value")
        elif not self.frame.is_code:
            self.evaluator.fail(node, "only code expressions return a value")
        else:
            value = self.evaluator.term(node.value, BOOL, "the value of a code expression")
            if value is not None and self.builder.label is not None:
                self.returned[self.builder.label] = value
        if self._atomic is not None:
            self._end_section(node.start)
        self.builder.close((), node.end)

    def _yield(self, node: ast.YieldStatement) -> None:
        self.emit(Yield(self.span(node), self.attributes(node.attributes)))

    # --- threads

    def note_call(self, procedure: str, span: Span) -> None:
        """Note a call of a procedure, which atomic sections depend on."""
        if self._atomic is not None and self.frame.threads is not None:
            self.frame.threads.note_call_inside(procedure, span)

    def _fork(self, node: ast.ForkStatement) -> None:
        if self.frame.threads is None:
            self.evaluator.unsupported(node, "fork in a code expression")
        else:
            self.frame.threads.fork(self, node)

    def _join(self, node: ast.JoinStatement) -> None:
        if self.frame.threads is None:
            self.evaluator.unsupported(node, "join in a code expression")
        else:
            self.frame.threads.join(self, node, is_inside=self._atomic is not None)

    def _atomic_block(self, node: ast.AtomicStatement, work: Work) -> None:
        """Lower an atomic block. A block inside another one has no effect."""
        threads = self.frame.threads
        if threads is None:
            self.evaluator.unsupported(node, "atomic in a code expression")
            return
        if self._atomic is None:
            self._atomic = node
            threads.begin(self, Span(self.source, node.start, node.start + len("atomic")))
            work.append((self._leave_section, node))
        work.extend(reversed(node.body))

    def _leave_section(self, node: ast.AtomicStatement) -> None:
        self._end_section(node.end - 1)
        self._atomic = None

    def _end_section(self, start: int) -> None:
        if self.frame.threads is not None:
            self.frame.threads.end(self, Span(self.source, start, start + 1))


def lower_attributes(evaluator: Evaluator, nodes: Sequence[ast.AttributeNode]) -> Attributes:
    """The attributes of a node: strings stay strings, expressions become terms."""
    made = []
    for node in nodes:
        arguments: list[Term | str] = []
        for argument in node.arguments:
            if isinstance(argument, ast.Literal) and argument.kind == "string":
                arguments.append(str(argument.value))
            else:
                term = evaluator.term(argument, None, "an attribute")
                if term is not None:
                    arguments.append(term)
        made.append(Attribute(node.name, tuple(arguments)))
    return tuple(made)


def _nested(statement: ast.StatementNode) -> list[list[ast.StatementNode]]:
    if isinstance(statement, ast.IfStatement):
        return [statement.then, statement.otherwise or []]
    if isinstance(statement, (ast.WhileStatement, ast.AtomicStatement)):
        return [statement.body]
    return []


_NESTING = frozenset({ast.IfStatement, ast.WhileStatement, ast.AtomicStatement})
_SIMPLE: dict[type, Callable[[BodyLowerer, Any], None]] = {
    ast.AssertStatement: BodyLowerer._assert,
    ast.HavocStatement: BodyLowerer._havoc,
    ast.AssignStatement: BodyLowerer._assign,
    ast.CallStatement: BodyLowerer._call,
    ast.ParCallStatement: BodyLowerer._par_call,
    ast.BreakStatement: BodyLowerer._break,
    ast.GotoStatement: BodyLowerer._goto,
    ast.ReturnStatement: BodyLowerer._return,
    ast.YieldStatement: BodyLowerer._yield,
    ast.ForkStatement: BodyLowerer._fork,
    ast.JoinStatement: BodyLowerer._join,
}
