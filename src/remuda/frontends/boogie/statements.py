"""Parses the statements and bodies of Boogie, without Python recursion for nested blocks.

`_Block` is a block without its closing brace so far. Open blocks form a stack, and a closing brace turns the
innermost one into a statement of the block around it. After an error, parsing continues after the next `;` or the
next whole block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.boogie.ast import (
    Application,
    AssertStatement,
    AssignStatement,
    AtomicStatement,
    AttributeNode,
    Body,
    BreakStatement,
    CallStatement,
    CodeExpression,
    Expression,
    FieldAccess,
    ForkStatement,
    GotoStatement,
    HavocStatement,
    IfStatement,
    Invariant,
    JoinStatement,
    LabelStatement,
    Name,
    ParCallStatement,
    ReturnStatement,
    Select,
    StatementNode,
    VariableDeclaration,
    WhileStatement,
    WildcardExpression,
    YieldStatement,
)
from remuda.frontends.boogie.cursor import Cursor, SyntaxFailure
from remuda.frontends.boogie.tokens import END, IDENTIFIER

if TYPE_CHECKING:
    from remuda.frontends.boogie.expressions import ExpressionParser

# Keywords that start a declaration, and never occur in a body, so a body must end before them.
DECLARATION_STARTS: Final = frozenset(["type", "const", "function", "axiom", "procedure", "implementation"])
# The tokens that may follow a name at the start of a statement, if the name is no keyword.
_NAME_USES: Final = frozenset([":", ":=", ",", "[", "->"])


@final
@dataclass(slots=True)
class _Block:
    """An open block. `kind` is body, code, then, else, while or atomic. `is_chained` means that it belongs to the
    `else if` of the block below it on the stack."""

    kind: str
    start: int
    statements: list[StatementNode] = field(default_factory=list)
    condition: Expression | None = None
    attributes: list[AttributeNode] = field(default_factory=list)
    invariants: list[Invariant] = field(default_factory=list)
    then: list[StatementNode] = field(default_factory=list)
    is_chained: bool = False


@final
class StatementParser:
    def __init__(self, cursor: Cursor, expressions: ExpressionParser) -> None:
        self._cursor = cursor
        self._expressions = expressions
        self._blocks: list[_Block] = []
        expressions.code_expression = self._code_expression
        self._simple: dict[str, Callable[[], StatementNode]] = {
            "assert": self._assert,
            "assume": self._assert,
            "havoc": self._havoc,
            "call": self._call,
            "free": self._call,
            "goto": self._goto,
            "return": self._return,
            "break": self._break,
        }
        self._structured: dict[str, Callable[[], _Block]] = {"if": self._open_if, "while": self._open_while}
        self._words: dict[str, Callable[[], StatementNode]] = {
            "async": self._call,
            "par": self._parallel,
            "yield": self._yield,
            "fork": self._fork,
            "join": self._join,
        }

    # --- bodies

    def body(self) -> Body:
        """Parse `{ var x: int; ... }`."""
        start = self._cursor.starts[self._cursor.expect("{")]
        block = _Block("body", start)
        local_variables: list[VariableDeclaration] = []
        self._blocks = [block]
        while self._blocks:
            try:
                self._locals(local_variables)
                self._run(0)
            except SyntaxFailure as failure:
                self._cursor.report(failure)
                if not self._resume():
                    break
        self._blocks = []
        return Body(start, self._cursor.previous_end(), local_variables, block.statements)

    def _code_expression(self) -> CodeExpression:
        """Parse `|{ ... }|`; an error in it is an error of the statement around it."""
        start = self._cursor.starts[self._cursor.expect("|{")]
        block = _Block("code", start)
        local_variables: list[VariableDeclaration] = []
        below = len(self._blocks)
        self._blocks.append(block)
        try:
            self._locals(local_variables)
            self._run(below)
            if not block.statements or not isinstance(block.statements[-1], GotoStatement | ReturnStatement):
                self._cursor.position -= 1
                raise self._cursor.failure("'return' or 'goto'")
        finally:
            del self._blocks[below:]
        return CodeExpression(start, self._cursor.previous_end(), local_variables, block.statements)

    def _locals(self, found: list[VariableDeclaration]) -> None:
        cursor = self._cursor
        while cursor.take("var"):
            attributes = self._expressions.attributes()
            for variable in self._expressions.variables("local variables", allow_where=True):
                variable.attributes = [*attributes, *variable.attributes]
                found.append(variable)
            cursor.expect(";")

    def _run(self, below: int) -> None:
        """Parse statements until at most `below` blocks are open."""
        cursor = self._cursor
        kinds = cursor.kinds
        blocks = self._blocks
        while len(blocks) > below:
            kind = kinds[cursor.position]
            simple = self._simple.get(kind)
            if simple is not None:
                blocks[-1].statements.append(simple())
            elif kind == IDENTIFIER:
                self._named()
            elif kind in self._structured:
                self._open(self._structured[kind]())
            elif kind == ("}|" if blocks[-1].kind == "code" else "}"):
                cursor.position += 1
                self._close()
            else:
                raise cursor.failure("a statement or '}'")

    def _resume(self) -> bool:
        """Skip to the next token that may start a statement; False if the body ends before."""
        cursor = self._cursor
        depth = 0
        while (kind := cursor.kind) != END and kind not in DECLARATION_STARTS:
            if kind in ("{", "|{"):
                depth += 1
            elif kind in ("}", "}|"):
                if depth == 0:
                    return kind == "}"
                depth -= 1
            cursor.position += 1
            if depth == 0 and kind in (";", "}") and cursor.kind != "else":
                return True
        return False

    # --- blocks

    def _open(self, block: _Block) -> None:
        if self._blocks[-1].kind == "code":
            raise self._cursor.complaint("a code expression cannot have a block")
        self._cursor.expect("{")
        self._blocks.append(block)

    def _close(self) -> None:
        """Complete the innermost block, at its closing brace."""
        block = self._blocks.pop()
        if block.kind == "then":
            self._close_then(block)
        elif block.kind == "else":
            self._add_if(block, block.then, block.statements)
        elif block.kind == "while":
            end = self._cursor.previous_end()
            loop = WhileStatement(
                block.start, end, block.condition, block.invariants, block.statements, block.attributes
            )
            self._blocks[-1].statements.append(loop)
        elif block.kind == "atomic":
            atomic = AtomicStatement(block.start, self._cursor.previous_end(), block.statements)
            self._blocks[-1].statements.append(atomic)

    def _close_then(self, block: _Block) -> None:
        cursor = self._cursor
        if not cursor.take("else"):
            self._add_if(block, block.statements, None)
            return
        block.kind = "else"
        block.then = block.statements
        block.statements = []
        if cursor.kind == "if":
            following = self._open_if()
            following.is_chained = True
            cursor.expect("{")
            self._blocks += (block, following)
        else:
            cursor.expect("{")
            self._blocks.append(block)

    def _add_if(self, block: _Block, then: list[StatementNode], otherwise: list[StatementNode] | None) -> None:
        """Add a complete `if` to the block around it, and complete the `else if` to which it belongs."""
        end = self._cursor.previous_end()
        statement = IfStatement(block.start, end, block.condition, then, otherwise, block.attributes)
        while block.is_chained:
            block = self._blocks.pop()
            statement = IfStatement(block.start, end, block.condition, block.then, [statement], block.attributes)
        self._blocks[-1].statements.append(statement)

    def _open_if(self) -> _Block:
        block = _Block("then", self._cursor.starts[self._cursor.expect("if")])
        block.attributes = self._expressions.attributes()
        block.condition = self._guard()
        return block

    def _open_while(self) -> _Block:
        cursor = self._cursor
        block = _Block("while", cursor.starts[cursor.expect("while")])
        block.attributes = self._expressions.attributes()
        block.condition = self._guard()
        while cursor.kind in ("free", "invariant"):
            block.invariants.append(self._invariant())
        return block

    def _guard(self) -> Expression | None:
        cursor = self._cursor
        cursor.expect("(")
        condition = None if cursor.take("*") else self._expressions.expression()
        cursor.expect(")")
        return condition

    def _invariant(self) -> Invariant:
        cursor = self._cursor
        start = cursor.starts[cursor.position]
        is_free = cursor.take("free")
        cursor.expect("invariant")
        attributes = self._expressions.attributes()
        condition = self._expressions.expression()
        cursor.expect(";")
        return Invariant(start, cursor.previous_end(), condition, is_free, attributes)

    # --- statements that start with a name

    def _named(self) -> None:
        """Parse a label, an assignment, or a statement whose keyword may be a name elsewhere."""
        cursor = self._cursor
        position = cursor.position
        following = cursor.kinds[position + 1]
        name = cursor.texts[position]
        statements = self._blocks[-1].statements
        if following == ":":
            cursor.position = position + 2
            statements.append(LabelStatement(cursor.starts[position], cursor.ends[position], name))
        elif following not in _NAME_USES and name in self._words:
            statements.append(self._words[name]())
        elif name == "atomic" and following == "{":
            cursor.position = position + 1
            self._open(_Block("atomic", cursor.starts[position]))
        else:
            statements.append(self._assign())

    def _assign(self) -> AssignStatement:
        cursor = self._cursor
        targets = [self._target()]
        while cursor.take(","):
            targets.append(self._target())
        if cursor.kind != ":=":
            raise cursor.failure("':='" if len(targets) > 1 else "':=' or ':'")
        cursor.position += 1
        attributes = self._expressions.attributes()
        values = self._expressions.expressions()
        cursor.expect(";")
        return AssignStatement(targets[0].start, cursor.previous_end(), targets, values, attributes)

    def _target(self) -> Expression:
        """Parse the target of an assignment: `x`, `m[i][j]`, `d->f`, or `C(x, y)`."""
        cursor = self._cursor
        token = cursor.identifier()
        start = cursor.starts[token]
        if cursor.take("("):
            unpacked: list[Expression] = [*cursor.names()]
            cursor.expect(")")
            return Application(start, cursor.previous_end(), cursor.texts[token], unpacked)
        target: Expression = Name(start, cursor.ends[token], cursor.texts[token])
        while cursor.kind in ("[", "->"):
            if cursor.take("->"):
                accessed = cursor.identifier()
                target = FieldAccess(start, cursor.ends[accessed], target, cursor.texts[accessed])
            else:
                cursor.position += 1
                indices = [] if cursor.kind == "]" else self._expressions.expressions()
                cursor.expect("]")
                target = Select(start, cursor.previous_end(), target, indices)
        return target

    # --- statements that start with a keyword

    def _start(self) -> int:
        """Skip the keyword, and return the offset of the statement."""
        self._cursor.position += 1
        return self._cursor.starts[self._cursor.position - 1]

    def _finish(self) -> int:
        """Skip the semicolon, and return the end of the statement."""
        return self._cursor.ends[self._cursor.expect(";")]

    def _assert(self) -> AssertStatement:
        kind = self._cursor.kind
        start = self._start()
        attributes = self._expressions.attributes()
        condition = self._expressions.expression()
        return AssertStatement(start, self._finish(), kind, condition, attributes)

    def _havoc(self) -> HavocStatement:
        start = self._start()
        attributes = self._expressions.attributes()
        names = self._cursor.names()
        return HavocStatement(start, self._finish(), names, attributes)

    def _goto(self) -> GotoStatement:
        start = self._start()
        self._expressions.attributes()
        labels = self._cursor.names()
        return GotoStatement(start, self._finish(), labels)

    def _return(self) -> ReturnStatement:
        start = self._start()
        self._expressions.attributes()
        value = self._expressions.expression() if self._blocks[-1].kind == "code" else None
        return ReturnStatement(start, self._finish(), value)

    def _break(self) -> BreakStatement:
        start = self._start()
        label = None if self._cursor.kind == ";" else self._cursor.texts[self._cursor.identifier()]
        return BreakStatement(start, self._finish(), label)

    def _yield(self) -> YieldStatement:
        start = self._start()
        attributes = self._expressions.attributes()
        return YieldStatement(start, self._finish(), attributes)

    def _fork(self) -> ForkStatement:
        start = self._start()
        identifiers = self._expressions.expressions()
        procedure = self._cursor.texts[self._cursor.identifier()]
        arguments = self._arguments()
        return ForkStatement(start, self._finish(), identifiers, procedure, arguments)

    def _join(self) -> JoinStatement:
        cursor = self._cursor
        start = self._start()
        identifiers = self._expressions.expressions()
        results: list[Name] = []
        if cursor.is_word("assign"):
            cursor.position += 1
            results = cursor.names()
        return JoinStatement(start, self._finish(), identifiers, results)

    # --- calls

    def _call(self) -> StatementNode:
        """Parse `[async] [free] call ...`, or `call P() | Q()`."""
        cursor = self._cursor
        start = cursor.starts[cursor.position]
        is_async = cursor.is_word("async")
        if is_async:
            cursor.position += 1
        is_free = cursor.take("free")
        cursor.expect("call")
        call = self._one_call(start)
        call.is_async = is_async
        call.is_free = is_free
        if cursor.kind == "|":
            return self._more_calls(call)
        call.end = self._finish()
        return call

    def _parallel(self) -> ParCallStatement:
        """Parse `par P() | Q();`"""
        start = self._start()
        self._cursor.take("call")
        return self._more_calls(self._one_call(start))

    def _more_calls(self, first: CallStatement) -> ParCallStatement:
        """Parse the calls after the first, which are in parallel with it."""
        cursor = self._cursor
        calls = [first]
        while cursor.take("|"):
            calls.append(self._one_call(cursor.starts[cursor.position]))
        return ParCallStatement(first.start, self._finish(), calls, first.attributes)

    def _one_call(self, start: int) -> CallStatement:
        """Parse `{:a} x, y := P(a, *)`."""
        cursor = self._cursor
        attributes = self._expressions.attributes()
        is_forall = cursor.take("forall")
        results: list[Name | WildcardExpression] = []
        if not is_forall and cursor.kinds[cursor.position + 1] != "(":
            results = self._results()
        token = cursor.identifier()
        arguments = self._arguments()
        end = cursor.previous_end()
        return CallStatement(start, end, cursor.texts[token], arguments, results, attributes, is_forall=is_forall)

    def _results(self) -> list[Name | WildcardExpression]:
        found = [self._result()]
        while self._cursor.take(","):
            found.append(self._result())
        if self._cursor.kind != ":=":
            raise self._cursor.failure("':='" if len(found) > 1 else "'(' or ':='")
        self._cursor.position += 1
        return found

    def _result(self) -> Name | WildcardExpression:
        cursor = self._cursor
        if cursor.take("*"):
            return WildcardExpression(cursor.starts[cursor.position - 1], cursor.previous_end())
        token = cursor.identifier()
        return Name(cursor.starts[token], cursor.ends[token], cursor.texts[token])

    def _arguments(self) -> list[Expression]:
        cursor = self._cursor
        cursor.expect("(")
        if cursor.take(")"):
            return []
        arguments = [self._argument()]
        while cursor.take(","):
            arguments.append(self._argument())
        if cursor.kind != ")":
            raise cursor.failure("',' or ')'")
        cursor.position += 1
        return arguments

    def _argument(self) -> Expression:
        cursor = self._cursor
        if cursor.take("*"):
            return WildcardExpression(cursor.starts[cursor.position - 1], cursor.previous_end())
        return self._expressions.expression()
