"""Parses the expressions of Boogie, by operator precedence, with an explicit stack.

    a + b * c == d && e     is parsed as     ((a + (b * c)) == d) && e

The parser alternates between two positions. If it expects an operand, it pushes a prefix operator or an opening token
onto the stack. If it expects an operator, an infix operator first completes the operators that bind tighter; any
other token completes the innermost open construct (a call, an index, a quantifier ...), whose closer in `_closers`
decides what may follow. The depth of the input causes no recursion, except that triggers, attributes and code
expressions inside an expression are parsed by a nested call, up to a fixed depth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar, final

from remuda.frontends.boogie.ast import (
    Application,
    AttributeNode,
    Binary,
    Chain,
    CodeExpression,
    Coercion,
    Conditional,
    Expression,
    Extract,
    FieldAccess,
    FieldUpdate,
    Let,
    Literal,
    Name,
    Old,
    Quantified,
    Select,
    Unary,
    Update,
    VariableDeclaration,
    WildcardExpression,
)
from remuda.frontends.boogie.literals import LITERAL_KINDS, integer, literal
from remuda.frontends.boogie.tokens import IDENTIFIER, INTEGER, STRING

if TYPE_CHECKING:
    from remuda.frontends.boogie.cursor import Cursor
    from remuda.frontends.boogie.type_syntax import TypeParser

_OPEN: Final = 0  # the level of constructs that wait for a closing token
_EQUIVALENCE: Final = 1
_IMPLICATION: Final = 2
_LOGICAL: Final = 3
_RELATION: Final = 4
_CONCATENATION: Final = 5
_SUM: Final = 6
_PRODUCT: Final = 7
_POWER: Final = 8
_TEST: Final = 9
_PREFIX: Final = 10

_LEVELS: Final = {
    "<==>": _EQUIVALENCE,
    **dict.fromkeys(("==>", "<=="), _IMPLICATION),
    **dict.fromkeys(("&&", "||"), _LOGICAL),
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "<:"), _RELATION),
    "++": _CONCATENATION,
    **dict.fromkeys(("+", "-"), _SUM),
    **dict.fromkeys(("*", "/", "div", "mod"), _PRODUCT),
    "**": _POWER,
}
_FLAT: Final = frozenset(["&&", "||", "+", "*", "++"])  # operators that form a Chain when they are repeated
_LEFT_LEVELS: Final = frozenset([_EQUIVALENCE, _CONCATENATION, _SUM, _PRODUCT])
_RIGHT: Final = frozenset(["==>", "**"])
_POSTFIX: Final = frozenset(["[", ":", "->"])
_BINDERS: Final = frozenset(["forall", "exists", "lambda", "var"])
_DEEPEST: Final = 50

_Result = TypeVar("_Result")

# A pending operator or open construct: its level, its kind, its first token, and its operands so far.
_Pending = tuple[int, str, int, list[Expression]]
_Closer = Callable[[_Pending, Expression, list[_Pending]], Expression | None]


@final
class ExpressionParser:
    def __init__(self, cursor: Cursor, types: TypeParser) -> None:
        self._cursor = cursor
        self._types = types
        self._depth = 0
        self.code_expression: Callable[[], CodeExpression]  # set by the parser of statements
        self._closers: dict[str, _Closer] = {
            "(": self._close_parenthesis,
            "call": self._close_call,
            "convert": self._close_conversion,
            "old": self._close_old,
            "[": self._close_index,
            "[:=": self._close_update,
            "->": self._close_field_update,
            "if": self._close_condition,
            "then": self._close_then,
            "else": self._close_else,
            "quantifier": self._close_quantifier,
            "let values": self._close_let_value,
            "let body": self._close_let_body,
        }

    # --- the machine

    def expression(self) -> Expression:
        """Parse the longest expression at the cursor."""
        cursor = self._cursor
        kinds, texts, starts, ends = cursor.kinds, cursor.texts, cursor.starts, cursor.ends
        position = cursor.position
        stack: list[_Pending] = []
        value: Expression | None
        while True:
            # The parser expects an operand. Frequent ones are parsed here, the others in `_operand`.
            kind = kinds[position]
            if kind == IDENTIFIER:
                if kinds[position + 1] == "(" and kinds[position + 2] != ")":
                    stack.append((_OPEN, "call", position, []))
                    position += 2
                    continue
                if kinds[position + 1] == "(":
                    value = Application(starts[position], ends[position + 2], texts[position], [])
                    position += 3
                else:
                    value = Name(starts[position], ends[position], texts[position])
                    position += 1
            elif kind == INTEGER:
                value = Literal(starts[position], ends[position], "int", integer(texts[position]))
                position += 1
            elif kind == "(" and kinds[position + 1] not in _BINDERS:
                stack.append((_OPEN, "(", position, []))
                position += 1
                continue
            else:
                cursor.position = position
                value = self._operand(kind, stack)
                position = cursor.position
            # The parser expects an operator, or the end of the innermost open construct.
            while value is not None:
                kind = kinds[position]
                level = _LEVELS.get(kind)
                if level is not None:
                    self._push_infix(level, kind, position, value, stack)
                    position += 1
                    break
                cursor.position = position
                if kind in _POSTFIX:
                    value = self._postfix(kind, value, stack)
                elif kind == IDENTIFIER and texts[position] == "is":
                    value = self._test(value, stack)
                else:
                    while stack and stack[-1][0]:
                        value = self._combine(stack.pop(), value)
                    if not stack:
                        return value
                    pending = stack.pop()
                    value = self._closers[pending[1]](pending, value, stack)
                position = cursor.position

    def _push_infix(self, level: int, kind: str, position: int, value: Expression, stack: list[_Pending]) -> None:
        """Push an infix operator, whose left operand is completed with all operators that bind tighter."""
        while stack and stack[-1][0] > level:
            value = self._combine(stack.pop(), value)
        if stack and stack[-1][0] == level:
            other = stack[-1][1]
            if kind == other and kind in _FLAT:
                stack[-1][3].append(value)
                return
            if level in _LEFT_LEVELS or (kind == "<==" and other == "<=="):
                value = self._combine(stack.pop(), value)
            elif kind != other or kind not in _RIGHT:
                self._cursor.position = position
                raise self._cursor.complaint(f"'{other}' and '{kind}' together need parentheses")
        stack.append((level, kind, position, [value]))

    def _combine(self, pending: _Pending, value: Expression) -> Expression:
        """Complete an operator with its last operand."""
        level, operator, token, operands = pending
        if level == _PREFIX:
            return Unary(self._cursor.starts[token], value.end, operator, value)
        first = operands[0]
        if len(operands) == 1:
            return Binary(first.start, value.end, operator, first, value)
        operands.append(value)
        return Chain(first.start, value.end, operator, operands)

    def _operand(self, kind: str, stack: list[_Pending]) -> Expression | None:
        """Parse a literal or code expression; or push an opening construct, and return None."""
        cursor = self._cursor
        if kind in LITERAL_KINDS:
            return literal(cursor)
        position = cursor.position
        if kind in ("!", "-"):
            stack.append((_PREFIX, kind, position, []))
        elif kind == "(":
            self._open_binder(stack)
            return None
        elif kind == "if":
            stack.append((_OPEN, "if", position, []))
        elif kind in ("old", "int", "real") and cursor.kinds[position + 1] == "(":
            stack.append((_OPEN, "old" if kind == "old" else "convert", position, []))
            cursor.position += 1
        elif kind == "|{":
            return self._nested(self.code_expression)
        else:
            raise cursor.failure_or_struct("an expression")
        cursor.position += 1
        return None

    def _nested(self, parse: Callable[[], _Result]) -> _Result:
        """Run a parser that may parse expressions again, up to a fixed depth."""
        if self._depth >= _DEEPEST:
            raise self._cursor.complaint("code expressions, triggers and attributes are nested too deeply")
        self._depth += 1
        try:
            return parse()
        finally:
            self._depth -= 1

    # --- after an operand

    def _postfix(self, kind: str, value: Expression, stack: list[_Pending]) -> Expression | None:
        cursor = self._cursor
        position = cursor.position
        following = cursor.kinds[position + 1]
        cursor.position = position + 1
        if kind == ":":
            return self._bounds(value, stack) if following == INTEGER else self._coercion(value)
        if kind == "->":
            return self._field(value, stack)
        if following == "]":
            cursor.position = position + 2
            return Select(value.start, cursor.ends[position + 1], value, [])
        if following == ":=":
            cursor.position = position + 2
        stack.append((_OPEN, "[:=" if following == ":=" else "[", position, [value]))
        return None

    def _coercion(self, value: Expression) -> Expression:
        target = self._types.type()
        if self._cursor.kind in ("[", "->"):
            raise self._cursor.complaint("a coercion needs parentheses before this")
        return Coercion(value.start, target.end, value, target)

    def _bounds(self, high: Expression, stack: list[_Pending]) -> Expression:
        """Parse `high:low`, which must be the whole index of `x[high:low]`."""
        cursor = self._cursor
        is_index = bool(stack) and stack[-1][1] == "[" and len(stack[-1][3]) == 1
        if not (is_index and isinstance(high, Literal) and isinstance(high.value, int) and high.kind == "int"):
            raise cursor.failure("a type")
        low = integer(cursor.texts[cursor.position])
        cursor.position += 1
        cursor.expect("]")
        operand = stack.pop()[3][0]
        return Extract(operand.start, cursor.previous_end(), operand, high.value, low)

    def _field(self, value: Expression, stack: list[_Pending]) -> Expression | None:
        cursor = self._cursor
        if cursor.take("("):
            field = cursor.identifier()
            cursor.expect(":=")
            stack.append((_OPEN, "->", field, [value]))
            return None
        field = cursor.identifier()
        return FieldAccess(value.start, cursor.ends[field], value, cursor.texts[field])

    def _test(self, value: Expression, stack: list[_Pending]) -> Expression:
        """Parse `value is Constructor`."""
        cursor = self._cursor
        while stack and stack[-1][0] > _TEST:
            value = self._combine(stack.pop(), value)
        cursor.position += 1
        token = cursor.identifier()
        if cursor.kind in _POSTFIX or cursor.is_word("is"):
            raise cursor.complaint("a test needs parentheses before this")
        constructor = Name(cursor.starts[token], cursor.ends[token], cursor.texts[token])
        return Binary(value.start, constructor.end, "is", value, constructor)

    # --- closers: complete an open construct, or open its next part and return None

    def _go_on(self, kind: str, pending: _Pending, operands: list[Expression], stack: list[_Pending]) -> None:
        """Continue a construct with its next part."""
        stack.append((_OPEN, kind, pending[2], operands))

    def _close_parenthesis(self, pending: _Pending, value: Expression, _stack: list[_Pending]) -> Expression:
        self._cursor.expect(")")
        value.start, value.end = self._cursor.starts[pending[2]], self._cursor.previous_end()
        return value

    def _close_call(self, pending: _Pending, value: Expression, stack: list[_Pending]) -> Expression | None:
        cursor = self._cursor
        token, arguments = pending[2], pending[3]
        arguments.append(value)
        kind = cursor.kinds[cursor.position]
        if kind == ",":
            cursor.position += 1
            stack.append(pending)
            return None
        if kind != ")":
            raise cursor.failure("',' or ')'")
        cursor.position += 1
        return Application(cursor.starts[token], cursor.previous_end(), cursor.texts[token], arguments)

    def _close_conversion(self, pending: _Pending, value: Expression, _stack: list[_Pending]) -> Expression:
        cursor = self._cursor
        cursor.expect(")")
        return Application(cursor.starts[pending[2]], cursor.previous_end(), cursor.texts[pending[2]], [value])

    def _close_old(self, pending: _Pending, value: Expression, _stack: list[_Pending]) -> Expression:
        self._cursor.expect(")")
        return Old(self._cursor.starts[pending[2]], self._cursor.previous_end(), value)

    def _close_index(self, pending: _Pending, value: Expression, stack: list[_Pending]) -> Expression | None:
        cursor = self._cursor
        operands = pending[3]
        operands.append(value)
        kind = cursor.kinds[cursor.position]
        if kind not in (",", ":=", "]"):
            raise cursor.failure("',', ':=' or ']'")
        cursor.position += 1
        if kind == "]":
            return Select(operands[0].start, cursor.previous_end(), operands[0], operands[1:])
        self._go_on("[" if kind == "," else "[:=", pending, operands, stack)
        return None

    def _close_update(self, pending: _Pending, value: Expression, _stack: list[_Pending]) -> Expression:
        operands = pending[3]
        self._cursor.expect("]")
        return Update(operands[0].start, self._cursor.previous_end(), operands[0], operands[1:], value)

    def _close_field_update(self, pending: _Pending, value: Expression, _stack: list[_Pending]) -> Expression:
        cursor = self._cursor
        operand = pending[3][0]
        cursor.expect(")")
        return FieldUpdate(operand.start, cursor.previous_end(), operand, cursor.texts[pending[2]], value)

    def _close_condition(self, pending: _Pending, value: Expression, stack: list[_Pending]) -> None:
        self._cursor.expect("then")
        self._go_on("then", pending, [value], stack)

    def _close_then(self, pending: _Pending, value: Expression, stack: list[_Pending]) -> None:
        self._cursor.expect("else")
        self._go_on("else", pending, [*pending[3], value], stack)

    def _close_else(self, pending: _Pending, value: Expression, _stack: list[_Pending]) -> Expression:
        condition, then = pending[3]
        return Conditional(self._cursor.starts[pending[2]], value.end, condition, then, value)

    def _close_quantifier(self, pending: _Pending, value: Expression, _stack: list[_Pending]) -> Expression:
        quantified = pending[3][0]
        assert isinstance(quantified, Quantified)
        self._cursor.expect(")")
        quantified.end, quantified.body = self._cursor.previous_end(), value
        return quantified

    def _close_let_value(self, pending: _Pending, value: Expression, stack: list[_Pending]) -> None:
        let = pending[3][0]
        assert isinstance(let, Let)
        let.values.append(value)
        if self._cursor.take(","):
            stack.append(pending)
            return
        self._cursor.expect(";")
        let.attributes = self._nested(self.attributes)
        self._go_on("let body", pending, [let], stack)

    def _close_let_body(self, pending: _Pending, value: Expression, _stack: list[_Pending]) -> Expression:
        let = pending[3][0]
        assert isinstance(let, Let)
        self._cursor.expect(")")
        let.end, let.body = self._cursor.previous_end(), value
        return let

    # --- binders

    def _open_binder(self, stack: list[_Pending]) -> None:
        """Parse `(forall`, `(exists`, `(lambda` or `(var`, up to the body (or the values of the let)."""
        cursor = self._cursor
        token = cursor.position
        cursor.position += 2
        start, end = cursor.starts[token], cursor.ends[token]
        body = WildcardExpression(start, end)  # a placeholder until the body is parsed
        kind = cursor.kinds[token + 1]
        if kind == "var":
            variables = self._nested(self._let_variables)
            stack.append((_OPEN, "let values", token, [Let(start, end, variables, [], [], body)]))
            return
        parameters = self._types.parameters()
        bound: list[VariableDeclaration] = []
        if not parameters or cursor.kind != "::":
            bound = self._nested(self._bound_variables)
        cursor.expect("::")
        attributes, triggers = self._nested(self._attributes_and_triggers)
        if kind == "lambda" and triggers:
            raise cursor.complaint("a lambda cannot have triggers")
        quantified = Quantified(start, end, kind, parameters, bound, attributes, triggers, body)
        stack.append((_OPEN, "quantifier", token, [quantified]))

    def _let_variables(self) -> list[VariableDeclaration]:
        cursor = self._cursor
        variables = []
        while True:
            attributes = self.attributes()
            token = cursor.identifier()
            start, end, name = cursor.starts[token], cursor.ends[token], cursor.texts[token]
            variables.append(VariableDeclaration(start, end, name, None, None, attributes))
            if not cursor.take(","):
                cursor.expect(":=")
                return variables

    def _bound_variables(self) -> list[VariableDeclaration]:
        return self.variables("bound variables", allow_where=False)

    def variables(self, owner: str, *, allow_where: bool) -> list[VariableDeclaration]:
        """Parse `{:a} x, y: T where e, z: U`."""
        found: list[VariableDeclaration] = []
        self._variable_group(found, owner, allow_where=allow_where)
        while self._cursor.take(","):
            self._variable_group(found, owner, allow_where=allow_where)
        return found

    def _variable_group(self, found: list[VariableDeclaration], owner: str, *, allow_where: bool) -> None:
        cursor = self._cursor
        attributes = self.attributes() if cursor.kind == "{" else []
        tokens = cursor.identifiers()
        cursor.expect(":")
        kind = self._types.type()
        where = None
        if cursor.kind == "where":
            if not allow_where:
                raise cursor.complaint(f"'where' is not allowed on {owner}")
            cursor.position += 1
            where = self.expression()
        for token in tokens:
            start, end, name = cursor.starts[token], cursor.ends[token], cursor.texts[token]
            found.append(VariableDeclaration(start, end, name, kind, where, attributes))

    # --- attributes and triggers

    def attributes(self) -> list[AttributeNode]:
        """Parse `{:a 1} {:b "x", y}`, or nothing."""
        cursor = self._cursor
        kinds = cursor.kinds
        found = []
        while kinds[cursor.position] == "{" and kinds[cursor.position + 1] == ":":
            found.append(self._attribute())
        return found

    def _attribute(self) -> AttributeNode:
        cursor = self._cursor
        start = cursor.starts[cursor.position]
        cursor.position += 2
        name = cursor.texts[cursor.identifier()]
        arguments = []
        if cursor.kind != "}":
            arguments.append(self._attribute_argument())
            while cursor.take(","):
                arguments.append(self._attribute_argument())
            if cursor.kind != "}":
                raise cursor.failure("',' or '}'")
        cursor.position += 1
        return AttributeNode(start, cursor.previous_end(), name, arguments)

    def _attribute_argument(self) -> Expression:
        cursor = self._cursor
        if cursor.kinds[cursor.position] == STRING:
            return literal(cursor)
        return self.expression()

    def _attributes_and_triggers(self) -> tuple[list[AttributeNode], list[list[Expression]]]:
        """Parse the attributes and triggers of a quantifier; `nopats` are dropped, because they only guide a
        prover."""
        cursor = self._cursor
        attributes = []
        triggers = []
        while cursor.kind == "{":
            if cursor.kinds[cursor.position + 1] == ":":
                attribute = self._attribute()
                if attribute.name != "nopats":
                    attributes.append(attribute)
            else:
                cursor.position += 1
                triggers.append(self.expressions())
                cursor.expect("}")
        return attributes, triggers

    def expressions(self) -> list[Expression]:
        """Parse `a, b, c`."""
        found = [self.expression()]
        while self._cursor.take(","):
            found.append(self.expression())
        return found
