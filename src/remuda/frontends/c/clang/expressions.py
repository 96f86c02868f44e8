"""Converts expressions from clang's nodes, whose children are converted already, to ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.clang import kinds, vectors
from remuda.frontends.c.clang.builtins import Builtins
from remuda.frontends.c.clang.conversions import (
    adjusted,
    bits_of,
    decay,
    is_disputed,
    is_lvalue,
    kind_between,
    promoted,
)
from remuda.frontends.c.clang.entities import ERROR_NUMBER
from remuda.frontends.c.clang.initializers import Item, Listed, elaborate, range_is_sane
from remuda.frontends.c.clang.lengths import (
    after_lengths,
    initialize_lengths,
    offset_of,
    size_of_object,
    size_of_type_name,
    written_type,
)
from remuda.frontends.c.clang.literals import evaluate, floating_at, floating_text, integer_at, literal, string_units
from remuda.frontends.c.clang.places import IN_MACRO
from remuda.frontends.c.clang.vectors import is_vector
from remuda.frontends.c.syntax.ast import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    CastKind,
    Comma,
    Compound,
    CompoundAssign,
    CompoundLiteral,
    Conditional,
    Dereference,
    Expression,
    FloatLiteral,
    Function,
    Index,
    LabelAddress,
    Logical,
    Member,
    Name,
    StatementExpression,
    Step,
    Storage,
    StringLiteral,
    Unary,
    UnsupportedExpression,
    Variable,
)
from remuda.frontends.c.syntax.link import compatible
from remuda.frontends.c.syntax.types import (
    INT,
    ArrayType,
    CType,
    Field,
    FunctionType,
    PointerType,
    RecordType,
    UnsupportedType,
    VariableArrayType,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.base.source import Span
    from remuda.frontends.c.clang.entities import Entities
    from remuda.frontends.c.clang.native import Cursor, Library
    from remuda.frontends.c.clang.places import Places
    from remuda.frontends.c.clang.tree import Node
    from remuda.frontends.c.clang.types import Types
    from remuda.frontends.c.syntax.types import Machine

STEPPED: Final = "on a bit-field with ++ or -- behind it (gcc and clang disagree about its type)"
COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
SHIFTS: Final = frozenset({"<<", ">>"})
FOLDED_CALLS: Final = frozenset({"__builtin_constant_p", "__builtin_classify_type"})
KNOWN_SIZES: Final = frozenset({"__builtin_object_size", "__builtin_dynamic_object_size"})


def operands(node: Node) -> list[Expression]:
    """The children that are expressions, without types, attributes and references."""
    return [child.value for child in node.children if isinstance(child.value, Expression)]


@final
class Expressions:
    """Converts one node at a time; `in_function` decides the lifetime of compound literals."""

    def __init__(self, library: Library, types: Types, places: Places, entities: Entities, machine: Machine) -> None:
        self._library = library
        self._machine = machine
        self._types = types
        self._places = places
        self._entities = entities
        self._builtins = Builtins(library, places, entities)
        self.in_function = False
        self.label_names: dict[int | None, str] = {}
        self.table: Final[dict[int, Callable[[Node], Expression | Listed]]] = {
            kinds.UNEXPOSED_EXPRESSION: self._unexposed,
            kinds.NAME: self._name,
            kinds.MEMBER: self._member,
            kinds.CALL: self._call,
            kinds.INTEGER_LITERAL: self._integer,
            kinds.FLOATING_LITERAL: self._floating,
            kinds.STRING_LITERAL: self._string,
            kinds.CHARACTER_LITERAL: self._constant,
            kinds.PARENTHESES: self._inside,
            kinds.UNARY_OPERATOR: self._unary,
            kinds.SUBSCRIPT: self._subscript,
            kinds.BINARY_OPERATOR: self._binary,
            kinds.COMPOUND_ASSIGNMENT: self._compound_assignment,
            kinds.CONDITIONAL: self._conditional,
            kinds.CAST: self._cast,
            kinds.COMPOUND_LITERAL: self._compound_literal,
            kinds.INITIALIZER_LIST: self._list,
            kinds.LABEL_ADDRESS: self._label_address,
            kinds.STATEMENT_EXPRESSION: self._statement_expression,
            kinds.GENERIC_SELECTION: self._generic,
            kinds.SIZE: self._size,
        }

    def convert(self, node: Node) -> Expression | Listed:
        handler = self.table.get(node.kind)
        return self.unsupported(node, "an expression of an unknown kind") if handler is None else handler(node)

    def unsupported(self, node: Node, construct: str) -> Expression:
        return UnsupportedExpression(self._type(node), self._span(node), construct)

    def _type(self, node: Node) -> CType:
        """The type of a value. Libclang shows pointers that come from array parameters as arrays again."""
        return adjusted(self._types.of_cursor(node.cursor))

    def _span(self, node: Node) -> Span:
        return self._places.span(node)

    # --- names and literals

    def _name(self, node: Node) -> Expression:
        declaration = self._library.getCursorReferenced(node.cursor)
        span = self._span(node)
        if declaration.kind == kinds.ENUMERATOR:
            return literal(self._library.getEnumConstantDeclValue(declaration), self._type(node), span)
        if declaration.kind not in {kinds.VARIABLE, kinds.PARAMETER, kinds.FUNCTION}:
            return self.unsupported(node, "a name of an unknown kind")
        entity = self._entities.entity(declaration)
        if isinstance(entity, Variable):
            return self._object_name(declaration, entity, span)
        type_ = self._types.of_cursor(node.cursor)  # as declared here; the types of builtin functions are wrong
        return Name(type_ if isinstance(type_, FunctionType) else entity.type, span, entity)

    def _object_name(self, declaration: Cursor, variable: Variable, span: Span) -> Expression:
        """A variable; an alias of it may have another type."""
        name = Name(variable.type, span, variable)
        if self._entities.name(declaration) == variable.name:
            return name
        type_ = self._types.of_cursor(declaration)
        if compatible(type_, variable.type):
            return name
        address = AddressOf(PointerType(variable.type), span, name)
        return Dereference(type_, span, Cast(PointerType(type_), span, CastKind.POINTER, address))

    def _integer(self, node: Node) -> Expression:
        span = self._span(node)
        value = None if node.begin & IN_MACRO else integer_at(span.source.text, span.start)
        return self._constant(node) if value is None else literal(value, self._type(node), span)

    def _constant(self, node: Node) -> Expression:
        value = evaluate(self._library, node.cursor)
        if value is None:
            return self.unsupported(node, "a constant that is not known before the program runs")
        return literal(value, self._type(node), self._span(node))

    def _floating(self, node: Node) -> Expression:
        span = self._span(node)
        text = floating_text(self._places.first_token(node.cursor)) or floating_at(span.source.text, span.start)
        if text is None:
            return self.unsupported(node, "a floating literal of an unusual form")
        return FloatLiteral(self._type(node), self._span(node), text)

    def _string(self, node: Node) -> Expression:
        type_ = self._types.of_cursor(node.cursor)
        units = string_units(self._library.text(self._library.getCursorSpelling(node.cursor)), type_)
        assert isinstance(type_, ArrayType)
        return StringLiteral(ArrayType(type_.element, len(units)), self._span(node), units)

    def _label_address(self, node: Node) -> Expression:
        label = self._library.getCursorReferenced(node.children[0].cursor)
        return LabelAddress(self._type(node), self._span(node), self.label_names[label.data1])

    # --- lvalues

    def _member(self, node: Node) -> Expression:
        """Convert a member, and add the steps through anonymous records that clang leaves out."""
        field, record = self._types.field(self._library.getCursorReferenced(node.cursor))
        qualified = self._types.qualified_of_cursor(node.cursor)
        span = self._span(node)
        base = operands(node)[0]
        is_arrow = isinstance(base.type, PointerType)
        outer = base.type.target if isinstance(base.type, PointerType) else base.type
        for step in _way_to(outer, record):
            base = Member(step.type, span, base, step, is_arrow, qualified.is_volatile)
            is_arrow = False
        return Member(field.type, span, base, field, is_arrow, qualified.is_volatile)

    def _subscript(self, node: Node) -> Expression:
        first, second = operands(node)
        if is_vector(first.type):
            return vectors.subscript(first, second, self._span(node))
        if not isinstance(first.type, PointerType):
            first, second = second, first
        qualified = self._types.qualified_of_cursor(node.cursor)
        return Index(qualified.type, self._span(node), first, second, qualified.is_volatile)

    def _compound_literal(self, node: Node) -> Expression:
        qualified = self._types.qualified_of_cursor(node.cursor)
        span = self._span(node)
        listed = node.children[-1].value
        if not isinstance(listed, Listed):
            return self.unsupported(node, "a compound literal without a list")
        storage = Storage.LOCAL if self.in_function else Storage.STATIC
        variable = Variable("", qualified.type, storage, span, is_volatile=qualified.is_volatile)
        variable.initializer = elaborate(qualified.type, listed, listed.span)
        if storage is Storage.STATIC:
            self._entities.add_static(variable, node.cursor)
        return CompoundLiteral(qualified.type, span, variable)

    # --- operators

    def _inside(self, node: Node) -> Expression:
        inner = operands(node)
        return inner[-1] if inner else self.unsupported(node, "parentheses around something unknown")

    def _unary(self, node: Node) -> Expression:
        code = self._library.getCursorUnaryOperatorKind(node.cursor)
        operand = operands(node)[0]
        qualified = self._types.qualified_of_cursor(node.cursor)
        span = self._span(node)
        if code == kinds.EXTENSION:
            return operand
        if isinstance(qualified.type, UnsupportedType) or isinstance(operand.type, UnsupportedType):
            return self.unsupported(node, f"an operator on {operand.type}")
        if code in kinds.STEPS and is_vector(operand.type):
            return self.unsupported(node, f"{kinds.STEPS[code][0]} on {operand.type}")
        if code in kinds.STEPS:
            op, is_prefix = kinds.STEPS[code]
            return Step(qualified.type, span, op, operand, is_prefix)
        if code == kinds.ADDRESS_OF:
            return AddressOf(qualified.type, span, operand)
        if code == kinds.DEREFERENCE and isinstance(operand, AddressOf) and _is_error_number(operand.operand):
            return operand.operand
        if code == kinds.DEREFERENCE and isinstance(operand, Binary) and operand.op == "+":  # *(p + i) is p[i]
            pointer, index = operand.left, operand.right
            if not isinstance(pointer.type, PointerType):
                pointer, index = index, pointer
            return Index(qualified.type, span, pointer, index, qualified.is_volatile)
        if code == kinds.DEREFERENCE:
            return Dereference(qualified.type, span, operand, qualified.is_volatile)
        if code in kinds.UNARY_OPERATORS and is_vector(operand.type):
            return vectors.unary(kinds.UNARY_OPERATORS[code], operand, qualified.type, span)
        if code in kinds.UNARY_OPERATORS and kinds.UNARY_OPERATORS[code] != "!" and is_disputed(operand):
            return self.unsupported(node, f"{kinds.UNARY_OPERATORS[code]} {STEPPED}")
        if code in kinds.UNARY_OPERATORS:
            return Unary(qualified.type, span, kinds.UNARY_OPERATORS[code], operand)
        return self.unsupported(node, "an operator on complex numbers")

    def _binary(self, node: Node) -> Expression:
        left, right = operands(node)
        type_ = self._type(node)
        span = self._span(node)
        op = kinds.BINARY_OPERATORS.get(self._library.getCursorBinaryOperatorKind(node.cursor))
        match op:
            case ",":
                return Comma(type_, span, left, right)
            case "&&" | "||":
                return Logical(type_, span, op, left, right)
            case "=":
                return Assign(type_, span, left, right)
            case None:
                return self.unsupported(node, "an operator of an unknown kind")
        if any(isinstance(part, UnsupportedType) for part in (type_, left.type, right.type)):
            return self.unsupported(node, f"{op} on {left.type}")
        if is_vector(type_):
            return vectors.binary(op, left, right, type_, span)
        parts = (left,) if op in SHIFTS else (left, right)
        if is_disputed(*parts, is_comparison=op in COMPARISONS):
            return self.unsupported(node, f"{op} {STEPPED}")
        return Binary(type_, span, op, left, right)

    def _compound_assignment(self, node: Node) -> Expression:
        target, value = operands(node)
        op = kinds.BINARY_OPERATORS[self._library.getCursorBinaryOperatorKind(node.cursor)].removesuffix("=")
        type_ = self._type(node)
        if isinstance(type_, UnsupportedType) or isinstance(value.type, UnsupportedType):
            return self.unsupported(node, f"{op}= on {type_}")
        if is_vector(type_):
            return vectors.compound_assignment(op, target, value, self._span(node))
        if isinstance(type_, PointerType):
            computation: CType = type_
        elif op in SHIFTS:
            computation = promoted(type_, bits_of(target))
        else:
            computation = value.type  # clang converts the value to the common type
        return CompoundAssign(type_, self._span(node), op, target, value, computation)

    def _conditional(self, node: Node) -> Expression:
        condition, then, otherwise = operands(node)
        if is_vector(condition.type):
            return self.unsupported(node, "a choice by a vector")
        if is_disputed(then, otherwise):
            return self.unsupported(node, f"?: {STEPPED}")
        return Conditional(self._type(node), self._span(node), condition, then, otherwise)

    def _cast(self, node: Node) -> Expression:
        """An explicit cast. Its operand is the last expression, because the type may contain others (`typeof`)."""
        inner = operands(node)
        type_ = self._type(node)
        if not inner:
            return self.unsupported(node, "a cast of something unknown")
        kind = kind_between(inner[-1].type, type_)
        if kind is None:
            return self._vector_cast(node, decay(inner[-1]), type_)
        operand = inner[-1] if kind is CastKind.TO_VOID else decay(inner[-1])
        if not initialize_lengths(node.lengths, inner[:-1]):
            return self.unsupported(node, "a cast to a type whose size is computed elsewhere")
        return after_lengths(node.lengths, Cast(type_, self._span(node), kind, operand, is_explicit=True))

    def _call(self, node: Node) -> Expression:
        inner = operands(node)
        function, arguments = decay(inner[0]), inner[1:]
        name = _called_name(function)
        if name in FOLDED_CALLS:
            return literal(evaluate(self._library, node.cursor) or 0, self._type(node), self._span(node))
        if name in KNOWN_SIZES:
            size = evaluate(self._library, node.cursor)
            if size is not None:
                return literal(size, self._type(node), self._span(node))
        error_number = self._entities.error_number(self._span(node)) if name == ERROR_NUMBER else None
        if error_number is not None:
            return AddressOf(self._type(node), self._span(node), Name(INT, self._span(node), error_number))
        if not name.startswith("__builtin_va_"):  # these take the list itself, not its value
            arguments = [decay(argument) for argument in arguments]
        return Call(self._type(node), self._span(node), function, tuple(arguments))

    def bit_cast(self, node: Node) -> Expression:
        """`__builtin_bit_cast(T, x)`: the bytes of x read as a T. Libclang does not tell the type, only what names in
        it refer to; the rest comes from the text."""
        inner, span = operands(node), self._span(node)
        named = [child.cursor for child in node.children if child.kind == kinds.TYPE_REFERENCE]
        type_ = written_type(
            span.text.partition("(")[2].partition(",")[0],
            self._types.of_cursor(named[0]) if named else None,
            self._machine,
        )
        if type_ is None or not inner:
            return UnsupportedExpression(INT, span, "__builtin_bit_cast")
        source = decay(inner[-1])
        variable = Variable("", source.type, Storage.LOCAL, span)
        variable.initializer = elaborate(source.type, source, span)
        object_ = CompoundLiteral(source.type, span, variable)
        address = AddressOf(PointerType(source.type), span, object_)
        return decay(Dereference(type_, span, Cast(PointerType(type_), span, CastKind.POINTER, address)))

    def _statement_expression(self, node: Node) -> Expression:
        body = node.children[0].value
        assert isinstance(body, Compound)
        return StatementExpression(self._type(node), self._span(node), body)

    def _size(self, node: Node) -> Expression:
        value = evaluate(self._library, node.cursor)
        if value is not None:
            return literal(value, self._type(node), self._span(node))
        inner, type_, span, machine = operands(node), self._type(node), self._span(node), self._machine
        if inner and isinstance(inner[-1].type, VariableArrayType):
            size = size_of_object(inner[-1], type_, machine, span)
        else:
            named = [child.cursor for child in node.children if child.kind == kinds.TYPE_REFERENCE]
            size = size_of_type_name(inner, self._types.of_cursor(named[0]) if named else None, type_, machine, span)
        return self.unsupported(node, "sizeof a type whose size is computed") if size is None else size

    def _generic(self, node: Node) -> Expression:
        """`_Generic`: clang does not tell the selected branch, but the type of the expression is that of the
        branch."""
        value = evaluate(self._library, node.cursor)
        if value is not None:
            return literal(value, self._type(node), self._span(node))
        wanted = self._library.getCursorType(node.cursor).data0
        branches = [child for child in node.children[1:] if isinstance(child.value, Expression)]
        fitting = [child for child in branches if self._library.getCursorType(child.cursor).data0 == wanted]
        if len(fitting) == 1 and isinstance(fitting[0].value, Expression):
            return fitting[0].value
        return self.unsupported(node, "a generic selection with several branches of one type")

    # --- what clang does not name

    def _unexposed(self, node: Node) -> Expression:
        """A node of unknown kind: mostly an implicit cast, which has one child with the same span."""
        if len(node.children) == 1:
            inner = node.children[0].value
            if isinstance(inner, Expression) and self._same_place(node, node.children[0]):
                return self._implicit_cast(node, inner)
        if self._places.first_token(node.cursor) == "__builtin_offsetof" and operands(node):
            return self._offset(node)
        return self._builtins.convert(node, self._type(node), self._span(node))

    def _offset(self, node: Node) -> Expression:
        """`offsetof` of an element, perhaps with a computed index."""
        value = evaluate(self._library, node.cursor)
        type_, span = self._type(node), self._span(node)
        if value is not None:
            return literal(value, type_, span)
        steps: list[tuple[int, CType] | Expression] = []
        here: CType | None = None
        for child in node.children:
            if child.kind == kinds.MEMBER_REFERENCE:
                field, record = self._types.field(self._library.getCursorReferenced(child.cursor))
                way = [] if here is None else _way_to(here, record)
                steps += [(step.offset // 8, step.type) for step in (*way, field)]
                here = field.type
            elif isinstance(child.value, Expression):
                steps.append(child.value)
                here = here.element if isinstance(here, ArrayType) else here
            elif child.kind == kinds.TYPE_REFERENCE or child.kind in kinds.RECORDS:
                here = self._types.of_cursor(child.cursor)
        made = offset_of(steps, type_, self._machine, span)
        return self.unsupported(node, "offsetof with an index that is computed") if made is None else made

    def _same_place(self, node: Node, child: Node) -> bool:
        self._places.locate(node)
        self._places.locate(child)
        return node.begin == child.begin and node.end == child.end

    def _implicit_cast(self, node: Node, inner: Expression) -> Expression:
        type_ = self._types.of_cursor(node.cursor)
        span = inner.span
        if isinstance(inner.type, ArrayType | VariableArrayType):
            if isinstance(type_, PointerType):
                return Cast(type_, span, CastKind.ARRAY_TO_POINTER, inner)
            return inner  # `__func__` is a string
        if isinstance(inner.type, FunctionType) and isinstance(type_, PointerType):
            return Cast(type_, span, CastKind.FUNCTION_TO_POINTER, inner)
        if is_lvalue(inner):
            return Cast(inner.type, span, CastKind.LVALUE_TO_RVALUE, inner)
        type_ = adjusted(type_)
        kind = kind_between(inner.type, type_)
        if kind is None:
            return self._vector_cast(node, inner, type_)
        return Cast(type_, span, kind, inner)

    def _vector_cast(self, node: Node, value: Expression, type_: CType) -> Expression:
        """A conversion to or from a vector; others are unsupported."""
        if is_vector(value.type) or is_vector(type_):
            made = vectors.cast(value, type_, self._machine, self._span(node))
            if made is not None:
                return made
        return self.unsupported(node, f"the conversion from {value.type} to {type_}")

    # --- initialiser lists

    def _list(self, node: Node) -> Listed:
        items = tuple(self._item(child) for child in node.children if child.value is not None)
        return Listed(items, self._span(node))

    def _item(self, node: Node) -> Item:
        """Designated values are nodes of type void; their conversion is thrown away for that of their children."""
        value = node.value
        assert isinstance(value, Expression | Listed)
        is_designated = node.kind == kinds.UNEXPOSED_EXPRESSION and (
            self._library.getCursorType(node.cursor).kind == kinds.VOID_TYPE
        )
        if not is_designated:
            return Item((), value)
        value = node.children[-1].value
        assert isinstance(value, Expression | Listed)
        return self._designated(node, value)

    def _designated(self, node: Node, value: Expression | Listed) -> Item:
        designators: list[Field | tuple[int, int]] = []
        children = node.children[:-1]
        at = 0
        while at < len(children):
            child = children[at]
            at += 1
            if child.kind == kinds.MEMBER_REFERENCE:
                designators.append(self._types.field(self._library.getCursorReferenced(child.cursor))[0])
                continue
            low = high = evaluate(self._library, child.cursor)
            if at < len(children) and self._is_range(child, children[at]):
                high = evaluate(self._library, children[at].cursor)
                at += 1
            if low is None or high is None or not range_is_sane(low, high):
                return Item((), self.unsupported(node, "a designator that is not a small constant"))
            designators.append((low, high))
        return Item(tuple(designators), value)

    def _is_range(self, low: Node, high: Node) -> bool:
        """Whether two indices are a range `[low ... high]`, and not `[low][high]`."""
        if high.kind == kinds.MEMBER_REFERENCE:
            return False
        start, end = self._span(low), self._span(high)
        return start.source is end.source and "..." in start.source.text[start.end : end.start]


def _is_error_number(place: Expression) -> bool:
    return isinstance(place, Name) and isinstance(place.target, Variable) and place.target.name == "errno"


def _called_name(function: Expression) -> str:
    while isinstance(function, Cast):
        function = function.operand
    if isinstance(function, Name) and isinstance(function.target, Function):
        return function.target.name
    return ""


def _way_to(outer: CType, record: RecordType) -> list[Field]:
    """The path of anonymous members from a record to one inside it."""
    waiting: list[tuple[CType, list[Field]]] = [(outer, [])]
    while waiting:
        type_, way = waiting.pop()
        if type_ is record:
            return way
        if isinstance(type_, RecordType):
            anonymous = (field for field in type_.fields if not field.name and isinstance(field.type, RecordType))
            waiting.extend((field.type, [*way, field]) for field in anonymous)
    return []
