"""Converts statements and local declarations from clang's nodes, whose children are converted already, to ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.base.source import Span
from remuda.frontends.c.clang import kinds
from remuda.frontends.c.clang.attributes import read_marks
from remuda.frontends.c.clang.conversions import convert, decay
from remuda.frontends.c.clang.initializers import Listed, elaborate
from remuda.frontends.c.clang.lengths import initialize_lengths
from remuda.frontends.c.clang.literals import evaluate
from remuda.frontends.c.clang.printed import Shape, print_declaration, shapes
from remuda.frontends.c.syntax.ast import (
    AddressOf,
    Assembly,
    Break,
    Call,
    Case,
    Compound,
    ComputedGoto,
    Continue,
    Declaration,
    DoWhile,
    Empty,
    Expression,
    ExpressionStatement,
    For,
    Function,
    Goto,
    If,
    Label,
    Name,
    Return,
    Statement,
    Storage,
    Switch,
    UnsupportedStatement,
    Variable,
    While,
)
from remuda.frontends.c.syntax.types import PointerType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.frontends.c.clang.entities import Entities
    from remuda.frontends.c.clang.expressions import Expressions
    from remuda.frontends.c.clang.native import Cursor, Library
    from remuda.frontends.c.clang.places import Places
    from remuda.frontends.c.clang.tree import Node

UNSUPPORTED: Final = {
    kinds.MICROSOFT_ASSEMBLY: "Microsoft's inline assembly",
}


def statement_of(node: Node) -> Statement:
    """The statement that a node is; expressions become statements."""
    value = node.value
    if isinstance(value, Expression):
        return ExpressionStatement(value.span, value)
    assert isinstance(value, Statement)
    return value


def expression_of(node: Node) -> Expression:
    assert isinstance(node.value, Expression)
    return node.value


@final
class Statements:
    """Converts one node at a time, after `enter` has read the whole function."""

    def __init__(self, library: Library, places: Places, entities: Entities, expressions: Expressions) -> None:
        self._library = library
        self._places = places
        self._entities = entities
        self._expressions = expressions
        self._shapes: dict[Node, Shape] = {}
        self.table: Final[dict[int, Callable[[Node], Statement]]] = {
            kinds.COMPOUND: self._compound,
            kinds.LABEL: self._label,
            kinds.CASE: self._case,
            kinds.DEFAULT: lambda node: Case(self._span(node), None, None, statement_of(node.children[0])),
            kinds.IF: self._if,
            kinds.SWITCH: self._switch,
            kinds.WHILE: self._while,
            kinds.DO: self._do,
            kinds.FOR: self._for,
            kinds.GOTO: self._goto,
            kinds.COMPUTED_GOTO: lambda node: ComputedGoto(self._span(node), expression_of(node.children[0])),
            kinds.CONTINUE: lambda node: Continue(self._span(node)),
            kinds.BREAK: lambda node: Break(self._span(node)),
            kinds.RETURN: self._return,
            kinds.ASSEMBLY: self._assembly,
            kinds.EMPTY: lambda node: Empty(self._span(node)),
            kinds.DECLARATION_STATEMENT: self._declaration,
            kinds.UNEXPOSED_STATEMENT: self._unexposed,
        }

    def convert(self, node: Node) -> Statement:
        handler = self.table.get(node.kind)
        return self._unsupported(node) if handler is None else handler(node)

    def _span(self, node: Node) -> Span:
        return self._places.span(node)

    def _unsupported(self, node: Node) -> Statement:
        construct = UNSUPPORTED.get(node.kind, "a statement of an unknown kind")
        return UnsupportedStatement(self._span(node), construct)

    # --- what must be known before

    def enter(self, function: Cursor, nodes: Sequence[Node]) -> None:
        """Read a function: the names of its labels, and the properties that only its printout shows."""
        names = self._expressions.label_names
        names.clear()
        used: dict[str, int] = {}
        for node in nodes:
            if node.kind == kinds.LABEL:  # GNU's local labels may have equal names
                name = self._library.text(self._library.getCursorSpelling(node.cursor))
                used[name] = used.get(name, 0) + 1
                names[node.cursor.data1] = name if used[name] == 1 else f"{name}${used[name]}"
        self._shapes.clear()
        shaped = [node for node in nodes if node.kind in {kinds.FOR, kinds.ASSEMBLY}]
        if any(_is_ambiguous(node) for node in shaped):
            printed = shapes(print_declaration(self._library, function))
            if len(printed) == len(shaped):
                self._shapes.update(zip(shaped, printed, strict=True))

    # --- plain statements

    def _compound(self, node: Node) -> Statement:
        span = self._span(node)
        end = Span(span.source, max(span.start, span.end - 1), span.end)
        return Compound(span, tuple(statement_of(child) for child in node.children), end)

    def _if(self, node: Node) -> Statement:
        condition, then, *rest = node.children
        otherwise = statement_of(rest[0]) if rest else None
        return If(self._span(node), expression_of(condition), statement_of(then), otherwise)

    def _switch(self, node: Node) -> Statement:
        value, body = node.children
        return Switch(self._span(node), expression_of(value), statement_of(body))

    def _while(self, node: Node) -> Statement:
        condition, body = node.children
        return While(self._span(node), expression_of(condition), statement_of(body))

    def _do(self, node: Node) -> Statement:
        body, condition = node.children
        return DoWhile(self._span(node), statement_of(body), expression_of(condition))

    def _case(self, node: Node) -> Statement:
        *limits, body = node.children
        values = [evaluate(self._library, limit.cursor) for limit in limits]
        if not values or values[0] is None or values[-1] is None:
            return UnsupportedStatement(self._span(node), "a case that is not constant")
        return Case(self._span(node), values[0], values[-1], statement_of(body))

    def _label(self, node: Node) -> Statement:
        name = self._expressions.label_names[node.cursor.data1]
        return Label(self._span(node), name, statement_of(node.children[-1]))

    def _goto(self, node: Node) -> Statement:
        label = self._library.getCursorReferenced(node.children[0].cursor)
        return Goto(self._span(node), self._expressions.label_names[label.data1])

    def _return(self, node: Node) -> Statement:
        return Return(self._span(node), expression_of(node.children[0]) if node.children else None)

    def _unexposed(self, node: Node) -> Statement:
        """A statement with attributes, like `[[fallthrough]];`."""
        inner = [child for child in node.children if isinstance(child.value, Statement | Expression)]
        return statement_of(inner[0]) if len(inner) == 1 else self._unsupported(node)

    # --- properties from the printout

    def _for(self, node: Node) -> Statement:
        span = self._span(node)
        *heads, body = node.children
        there = (True, True, True) if len(heads) == 3 else (False, False, False)
        if _is_ambiguous(node):
            shape = self._shapes.get(node)
            if shape is None or shape.keyword != "for" or sum(shape.parts) != len(heads):
                return UnsupportedStatement(span, "a `for` whose parts clang does not show")
            there = shape.parts
        waiting = iter(heads)
        start, condition, step = (next(waiting) if is_there else None for is_there in there)
        return For(
            span,
            None if start is None else statement_of(start),
            None if condition is None else expression_of(condition),
            None if step is None else expression_of(step),
            statement_of(body),
        )

    def _assembly(self, node: Node) -> Statement:
        span = self._span(node)
        operands = [child.value for child in node.children if isinstance(child.value, Expression)]
        shape = self._shapes.get(node)
        if shape is None or shape.keyword != "asm" or shape.outputs > len(operands):
            return UnsupportedStatement(span, "inline assembly whose outputs clang does not show")
        if shape.jumps:
            return UnsupportedStatement(span, "inline assembly that may jump (`asm goto`)")
        return Assembly(span, span.text, tuple(operands[: shape.outputs]))

    # --- declarations

    def _declaration(self, node: Node) -> Statement:
        span = self._span(node)
        variables: list[Variable] = []
        for child in node.children:
            lengths = self.lengths(child) if child.kind in {kinds.VARIABLE, kinds.TYPEDEF} else None
            if isinstance(lengths, Declaration):
                variables += lengths.variables
            for value in (lengths, child.value):
                if isinstance(value, UnsupportedStatement):
                    return value
            if isinstance(child.value, Variable) and child.value.storage in {Storage.LOCAL, Storage.STATIC}:
                variables.append(child.value)
        return Declaration(span, tuple(variables)) if variables else Empty(span)

    def variable(self, node: Node) -> Variable | Statement:
        """A declared variable, with its initialiser."""
        variable = self._entities.variable(node.cursor)
        initial = self._library.Cursor_getVarDeclInitializer(node.cursor).data1
        if variable.storage is Storage.LOCAL and self._library.Cursor_hasAttrs(node.cursor):
            name = read_marks(self._library, [node.cursor]).cleanup
            if name is not None:
                function = self._entities.function_named(name)
                if function is None:
                    return UnsupportedStatement(variable.span, f"the attribute `cleanup({name})`")
                variable.cleanup = _cleanup(function, variable)
        for child in node.children:
            if initial and child.cursor.data1 == initial and isinstance(child.value, Expression | Listed):
                span = self._places.span(child)
                variable.initializer = elaborate(variable.type, child.value, span)
        if initial and variable.initializer is None:
            return UnsupportedStatement(variable.span, "an initial value of an unknown kind")
        return variable

    def lengths(self, node: Node) -> Statement | None:
        """The expressions that compute the lengths in the type of a declaration, those of outer arrays first."""
        if not node.lengths:
            return None
        initial = 0
        if node.kind == kinds.VARIABLE:
            initial = self._library.Cursor_getVarDeclInitializer(node.cursor).data1 or 0
        sizes = [
            child.value
            for child in node.children
            if isinstance(child.value, Expression) and not (initial and child.cursor.data1 == initial)
        ]
        if not initialize_lengths(node.lengths, sizes):
            return UnsupportedStatement(self._span(node), "a type whose size is computed elsewhere")
        return Declaration(self._span(node), tuple(reversed(node.lengths)))


def _cleanup(function: Function, variable: Variable) -> Call:
    """The call at the end of a variable's scope (`cleanup`)."""
    span = variable.span
    address: Expression = AddressOf(PointerType(variable.type), span, Name(variable.type, span, variable))
    if function.type.parameters:
        address = convert(address, function.type.parameters[0])
    called = decay(Name(function.type, span, function))
    return Call(function.type.result, span, called, (address,))


def _is_ambiguous(node: Node) -> bool:
    """Whether the children of a loop or an assembly statement are ambiguous."""
    return node.kind != kinds.FOR or len(node.children) in {2, 3}
