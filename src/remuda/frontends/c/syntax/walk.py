"""Walks over syntax trees without recursion, because real ones nest ten thousands deep.

Children come in the order of the source. A walk enters the initialisers of automatic variables and of compound
literals, and the statements of statement expressions; so one walk from the body of a function visits everything that
the function may execute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.shapes import count_scalars
from remuda.frontends.c.syntax.types import (
    ArrayType,
    CType,
    FloatingType,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    VariableArrayType,
    VoidType,
)

Node = ast.Expression | ast.Statement

FEW: Final = 64  # numbers of an object that are changed one by one, at most


def children(node: Node) -> tuple[Node, ...]:
    """The expressions and statements directly below a node."""
    return expression_children(node) if isinstance(node, ast.Expression) else statement_children(node)


def expression_children(expression: ast.Expression) -> tuple[Node, ...]:
    """The operands of an expression. (The body of a statement expression is a statement; all others are expressions.)"""
    match expression:
        case ast.Unary() | ast.Step() | ast.AddressOf() | ast.Dereference() | ast.Cast() | ast.VariadicArgument():
            return (expression.operand,)
        case ast.Binary() | ast.Logical() | ast.Comma():
            return (expression.left, expression.right)
        case ast.Assign() | ast.CompoundAssign():
            return (expression.target, expression.value)
        case ast.Member():
            return (expression.base,)
        case ast.Index():
            return (expression.base, expression.index)
        case ast.Call():
            return (expression.function, *expression.arguments)
        case ast.Conditional(condition=condition, then=then, otherwise=otherwise):
            return (condition, otherwise) if then is None else (condition, then, otherwise)
        case ast.CompoundLiteral():
            return variable_children(expression.variable)
        case ast.StatementExpression():
            return (expression.body,)
        case _:
            return ()


def statement_children(statement: ast.Statement) -> tuple[Node, ...]:
    """The expressions and statements of a statement; of a declaration, all that its variables are initialised with.

    (Static variables are initialised before the program starts, not where they are declared.)
    """
    match statement:
        case ast.Compound():
            return statement.statements
        case ast.ExpressionStatement():
            return (statement.expression,)
        case ast.Declaration():
            local = (variable for variable in statement.variables if variable.storage is ast.Storage.LOCAL)
            return tuple(child for variable in local for child in variable_children(variable))
        case ast.If(condition=condition, then=then, otherwise=otherwise):
            return (condition, then) if otherwise is None else (condition, then, otherwise)
        case ast.While():
            return (statement.condition, statement.body)
        case ast.DoWhile():
            return (statement.body, statement.condition)
        case ast.For(start=start, condition=condition, step=step, body=body):
            return tuple(child for child in (start, condition, step, body) if child is not None)
        case ast.Switch():
            return (statement.value, statement.body)
        case ast.Case() | ast.Label():
            return (statement.body,)
        case ast.ComputedGoto():
            return (statement.target,)
        case ast.Return():
            return () if statement.value is None else (statement.value,)
        case ast.Assembly():
            return statement.outputs
        case _:
            return ()


def variable_children(variable: ast.Variable) -> tuple[ast.Expression, ...]:
    """The expressions that initialise a variable, and that its scope ends with."""
    parts = () if variable.initializer is None else variable.initializer.parts
    last = () if variable.cleanup is None else (variable.cleanup,)
    return (*(part.value for part in parts), *last)


def reads_itself(variable: ast.Variable) -> bool:
    """Whether the initialiser of a variable reads the variable: `int x = x + 1;`."""
    for value in () if variable.initializer is None else [part.value for part in variable.initializer.parts]:
        for node in postorder(value, evaluated):
            if not isinstance(node, ast.Cast) or node.kind is not ast.CastKind.LVALUE_TO_RVALUE:
                continue
            object_: ast.Expression = node.operand
            while isinstance(object_, ast.Member | ast.Index | ast.Cast):
                if isinstance(object_, ast.Cast):
                    object_ = object_.operand
                elif isinstance(object_, ast.Member) and object_.is_arrow:
                    break
                else:
                    object_ = object_.base
            if isinstance(object_, ast.Name) and object_.target is variable:
                return True
    return False


def preorder(root: Node) -> Iterator[Node]:
    """Every node at or below `root`, parents before children."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(children(node)))


def postorder(root: Node, below: Callable[[Node], Sequence[Node]] = children) -> Iterator[Node]:
    """Every node at or below `root`, children before parents. `below` may leave children out."""
    pending: list[tuple[Node, bool]] = [(root, False)]
    while pending:
        node, is_expanded = pending.pop()
        if is_expanded:
            yield node
            continue
        pending.append((node, True))
        pending.extend((child, False) for child in reversed(below(node)))


def expressions(root: Node) -> Iterator[ast.Expression]:
    """Every expression at or below `root`, operands first."""
    for node in postorder(root):
        if isinstance(node, ast.Expression):
            yield node


def function_expressions(function: ast.Function) -> Iterator[ast.Expression]:
    """Every expression that a function may evaluate, operands first."""
    if function.body is not None:
        yield from expressions(function.body)


def declared_variables(root: Node) -> Iterator[ast.Variable]:
    """The variables declared at or below `root`, in the order they are written; unnamed objects of literals too."""
    for node in preorder(root):
        if isinstance(node, ast.Declaration):
            yield from node.variables
        elif isinstance(node, ast.CompoundLiteral):
            yield node.variable


def strip(expression: ast.Expression, *kinds: ast.CastKind) -> ast.Expression:
    """The expression inside all casts of these kinds."""
    while isinstance(expression, ast.Cast) and expression.kind in kinds:
        expression = expression.operand
    return expression


@final
@dataclass(frozen=True, slots=True)
class Written:
    """What a function without a body may change: the numbers in the object that a pointer points to or, for a row, in
    all elements of the array that the pointer points into. `pointer` is the argument before its conversions."""

    pointer: ast.Expression
    type: CType
    is_row: bool

    @property
    def array(self) -> ast.Expression | None:
        """The array that the pointer points into, if the expression names it: `a + i`, `&a[i]`."""
        at, is_found = self.pointer, False
        while not is_found:
            match at:
                case ast.AddressOf(operand=ast.Index(base=base)):
                    at = base
                case ast.Binary(left=left, right=right):
                    at = left if isinstance(left.type, PointerType) else right
                case _:
                    is_found = True
        array = array_of(at)
        is_sized = array is not None and isinstance(array.type, ArrayType) and bool(array.type.length)
        return array if is_sized and isinstance(self.type, IntegerType | FloatingType | RecordType) else None

    @property
    def is_few(self) -> bool:
        """Whether the numbers can be changed one by one."""
        return 0 < count_scalars(self.type) <= FEW


def written_argument(function: ast.Function, argument: ast.Expression, position: int) -> Written | None:
    """What a function without a body may change through an argument. It is nothing if the parameter points to
    something constant, if the argument is a literal or the address of something constant, and if the type of what the
    pointer points to is unknown."""
    if function.body is not None or not may_write(function, argument, position):
        return None
    pointer = strip(argument, ast.CastKind.POINTER, ast.CastKind.NOTHING)
    is_one = isinstance(pointer, ast.AddressOf) and _named_object(pointer) is not None
    if not isinstance(pointer.type, PointerType) or _part_with_numbers(pointer.type.target) is None:
        pointer = argument  # it may be the address of a pointer, which would change as a number
    if not isinstance(pointer.type, PointerType):
        return None
    part = _part_with_numbers(pointer.type.target)
    object_ = _named_object(pointer)
    if part is None or _is_constant(pointer, object_):
        return None
    return (
        Written(pointer, part, is_row=not is_one) if object_ is None else Written(pointer, object_.type, is_row=False)
    )


def may_write(function: ast.Function, argument: ast.Expression, position: int) -> bool:
    """Whether the declaration of a function lets it write through an argument. (Arguments for `...` are not written.)"""
    if not isinstance(argument.type, PointerType):
        return False
    parameters = function.type.parameters
    if position >= len(parameters):
        return not function.type.has_prototype
    declared = parameters[position]
    if not isinstance(declared, PointerType):
        return False
    return not declared.to_const and not isinstance(declared.target, FunctionType)


def is_opaque(argument: ast.Expression) -> bool:
    """Whether an argument is a pointer to something that the program gives no type: `void *`."""
    pointer = strip(argument, ast.CastKind.POINTER, ast.CastKind.NOTHING)
    types = [each.type.target for each in (argument, pointer) if isinstance(each.type, PointerType)]
    return bool(types) and all(
        isinstance(type_, VoidType) or (isinstance(type_, RecordType) and not type_.is_complete) for type_ in types
    )


def _part_with_numbers(type_: CType) -> CType | None:
    """The element type of an array, or the type itself, if it contains numbers."""
    while isinstance(type_, ArrayType | VariableArrayType):
        type_ = type_.element
    is_number = isinstance(type_, IntegerType | FloatingType)
    return type_ if is_number or (isinstance(type_, RecordType) and type_.is_complete) else None


def _named_object(pointer: ast.Expression) -> ast.Expression | None:
    """The object that the form of a pointer shows: `&x`, `&x.f`, `&p->f`, or the name of an array of known length."""
    if isinstance(pointer, ast.Cast) and pointer.kind is ast.CastKind.ARRAY_TO_POINTER:
        array = pointer.operand
        is_sized = isinstance(array.type, ArrayType) and bool(array.type.length)
        return array if is_sized and not ends_record(array) else None
    if isinstance(pointer, ast.AddressOf):
        operand = strip(pointer.operand, ast.CastKind.NOTHING)
        is_sized = not isinstance(operand.type, VariableArrayType | ArrayType) or (
            isinstance(operand.type, ArrayType) and bool(operand.type.length) and not ends_record(operand)
        )
        return operand if isinstance(operand, ast.Name | ast.Member | ast.CompoundLiteral) and is_sized else None
    return None


def _is_constant(pointer: ast.Expression, object_: ast.Expression | None) -> bool:
    """Whether a pointer points to something that must not be written: a string literal, or a `const` object."""
    is_address = isinstance(pointer, ast.AddressOf) or (
        isinstance(pointer, ast.Cast) and pointer.kind is ast.CastKind.ARRAY_TO_POINTER
    )
    is_const = isinstance(pointer.type, PointerType) and pointer.type.to_const
    return (is_address and is_const) or isinstance(object_, ast.StringLiteral)


def evaluated(node: Node) -> Sequence[Node]:
    """The children of a node that are evaluated. The name of a called function is no pointer to it."""
    if isinstance(node, ast.Call) and called_function(node) is not None:
        return node.arguments
    return children(node)


def can_take(function: ast.Function, count: int) -> bool:
    """Whether a function can be called with this number of arguments."""
    type_ = function.type
    if not type_.has_prototype:
        return True
    return count == len(type_.parameters) or (type_.is_variadic and count > len(type_.parameters))


def called_function(call: ast.Call) -> ast.Function | None:
    """The function that a call names; None if the call is through a computed pointer."""
    return named_function(call.function)


def named_function(function: ast.Expression) -> ast.Function | None:
    """The function that a pointer to a function names; None if the pointer is computed."""
    name = _name_of(function)
    return name.target if name is not None and isinstance(name.target, ast.Function) else None


def callee(call: ast.Call) -> ast.Name | None:
    """The name of the called function in a call."""
    return _name_of(call.function)


def _name_of(function: ast.Expression) -> ast.Name | None:
    """The name of a function in an expression that is a pointer to it."""
    while True:
        match function:
            case ast.Name(target=ast.Function()):
                return function
            case ast.Cast(operand=operand):
                function = operand
            case ast.AddressOf(operand=operand) | ast.Dereference(operand=operand):
                function = operand
            case _:
                return None


def called_name(call: ast.Call) -> str:
    """The name of the function that a call names, if it does."""
    function = called_function(call)
    return "" if function is None else function.name


def ends_record(array: ast.Expression) -> bool:
    """Whether an array is the last member of what a pointer points to: programs may allocate more elements for it."""
    while isinstance(array, ast.Member):
        record = array.base.type.target if isinstance(array.base.type, PointerType) else array.base.type
        is_last = isinstance(record, RecordType) and (record.kind == "union" or array.field is record.fields[-1])
        if not is_last:
            return False
        if array.is_arrow:
            return True
        array = array.base
    return isinstance(array, ast.Index | ast.Dereference) and isinstance(array.type, RecordType)


def is_value(node: ast.Expression) -> bool:
    """Whether an expression is part of a value, as `f().a` is, and not of an object."""
    at = node
    while True:
        match at:
            case ast.Member(base=base, is_arrow=False) | ast.Cast(kind=ast.CastKind.NOTHING, operand=base):
                at = base
            case ast.Index(base=ast.Cast(kind=ast.CastKind.ARRAY_TO_POINTER, operand=base)):
                at = base
            case ast.Name() | ast.Dereference() | ast.Index() | ast.Member() | ast.StringLiteral():
                return False
            case _:
                return not isinstance(at, ast.CompoundLiteral)


def array_of(pointer: ast.Expression) -> ast.Expression | None:
    """The array whose first element a pointer points to, if its form shows that."""
    at = pointer
    while isinstance(at, ast.Cast) and at.kind is ast.CastKind.NOTHING:
        at = at.operand
    return at.operand if isinstance(at, ast.Cast) and at.kind is ast.CastKind.ARRAY_TO_POINTER else None


def factor(node: ast.Expression) -> int:
    """A number that divides a product. (If the product wraps around, the powers of two in the number still do.)"""
    product = 1
    work = [node]
    while work:
        match strip(work.pop(), ast.CastKind.NOTHING, ast.CastKind.INTEGRAL):
            case ast.IntegerLiteral(value=value):
                product *= abs(value)
            case ast.Binary(op="*", left=left, right=right):
                work += [left, right]
    return product
