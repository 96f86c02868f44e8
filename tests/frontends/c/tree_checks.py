"""Rules that every typed tree of a C program keeps; the tests of the parser run it over programs."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from remuda.frontends.c.clang.conversions import is_lvalue, kind_between
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.link import compatible
from remuda.frontends.c.syntax.types import (
    INT,
    ArrayType,
    CType,
    Field,
    FloatingType,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    UnsupportedType,
    VariableArrayType,
    is_scalar,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

Tree = ast.Expression | ast.Statement | ast.Initializer | ast.Part | ast.Variable
SHIFTS = {"<<", ">>"}
COMPARISONS = {"<", ">", "<=", ">=", "==", "!="}


def nodes_of(unit: ast.Unit) -> Iterator[Tree]:
    """Every node of a unit, once."""
    waiting: list[object] = [function.body for function in unit.functions.values()]
    waiting += unit.variables
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, Tree) and id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting.extend(getattr(node, field.name) for field in fields(node) if field.name != "type")


def complaints(unit: ast.Unit) -> Iterator[str]:
    for node in nodes_of(unit):
        if isinstance(node, ast.Part):
            continue  # checked from the variable
        span = node.span
        if not 0 <= span.start <= span.end <= len(span.source.text):
            yield f"{span.source.name}: the span {span.start}-{span.end} is outside the text"
        for message in _complaints_of(node):
            yield f"{span}: {type(node).__name__}: {message}"
    for function in unit.functions.values():
        yield from _returns(function)


def _returns(function: ast.Function) -> Iterator[str]:
    if function.body is None:
        return
    waiting: list[object] = [function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, ast.Return) and node.value is not None:
            if _differ(node.value.type, function.type.result) and isinstance(function.type.result, IntegerType):
                yield f"{node.span}: returns {node.value.type} instead of {function.type.result}"
        elif isinstance(node, ast.Statement):
            waiting.extend(getattr(node, field.name) for field in fields(node))


def _differ(left: CType, right: CType) -> bool:
    if isinstance(left, UnsupportedType) or isinstance(right, UnsupportedType):
        return False
    return left != right


def _values(*expressions: ast.Expression | None) -> Iterator[str]:
    for expression in expressions:
        if expression is None or isinstance(expression, ast.UnsupportedExpression):
            continue
        if is_lvalue(expression) or isinstance(expression.type, ArrayType | VariableArrayType | FunctionType):
            yield f"{type(expression).__name__} of type {expression.type} at {expression.span} is no value"


def _complaints_of(node: Tree) -> Iterator[str]:  # noqa: C901 (one case per class)
    match node:
        case ast.IntegerLiteral(type=IntegerType() as type_):
            low = -(1 << (type_.width - 1)) if type_.signed else 0
            if not low <= node.value < low + (1 << type_.width):
                yield f"{node.value} is not in {type_}"
        case ast.IntegerLiteral():
            yield f"an integer of type {node.type}"
        case ast.StringLiteral(type=ArrayType(_, length)) if length != len(node.units):
            yield "the length of the string is wrong"
        case ast.Name():
            if isinstance(node.target, ast.Variable) and not compatible(node.type, node.target.type):
                yield f"{node.type} is not {node.target.type}"
        case ast.Unary() | ast.Dereference() | ast.VariadicArgument() | ast.ComputedGoto():
            if not isinstance(node, ast.VariadicArgument | ast.ComputedGoto):
                yield from _values(node.operand)
        case ast.Step() | ast.AddressOf():
            if not is_lvalue(node.operand) and not isinstance(node.operand.type, FunctionType):
                yield "not of an lvalue"
        case ast.Index():
            yield from _values(node.base, node.index)
            if not isinstance(node.base.type, PointerType) or node.base.type.target != node.type:
                yield f"{node.base.type} has no elements of type {node.type}"
        case ast.Member():
            yield from _member(node)
        case ast.Binary():
            yield from _values(node.left, node.right)
            yield from _binary(node)
        case ast.Logical():
            yield from _values(node.left, node.right)
        case ast.Conditional():
            yield from _values(node.condition, node.then, node.otherwise)
            for branch in (node.then or node.condition, node.otherwise):
                if _differ(branch.type, node.type):
                    yield f"a branch is {branch.type}, the whole {node.type}"
        case ast.Assign():
            yield from _values(node.value)
            if not is_lvalue(node.target) or _differ(node.target.type, node.value.type):
                yield f"{node.value.type} to {node.target.type}"
        case ast.CompoundAssign():
            yield from _values(node.value)
            if isinstance(node.type, PointerType):
                if not isinstance(node.value.type, IntegerType):
                    yield "the index is no integer"
            elif node.op not in SHIFTS and node.value.type != node.computation:
                yield f"computed in {node.computation} with {node.value.type}"
        case ast.Cast():
            yield from _cast(node)
        case ast.Call():
            yield from _call(node)
        case ast.Variable(initializer=ast.Initializer(parts=parts)):
            for part in parts:
                yield from _part(node.type, part)
        case ast.Variable(type=VariableArrayType(length=None)):
            yield "has no length"
        case ast.If() | ast.While() | ast.DoWhile():
            yield from _values(node.condition)
        case ast.For():
            yield from _values(node.condition)
        case ast.Switch():
            yield from _values(node.value)
        case _:
            pass


def _binary(node: ast.Binary) -> Iterator[str]:
    left, right = node.left.type, node.right.type
    if isinstance(left, PointerType) or isinstance(right, PointerType):
        if node.op in COMPARISONS and node.type == INT:
            if isinstance(left, PointerType) and isinstance(right, PointerType):
                return
        elif node.op in {"+", "-"} and (isinstance(left, IntegerType) or isinstance(right, IntegerType)):
            if isinstance(node.type, PointerType):
                return
        elif node.op == "-" and isinstance(node.type, IntegerType):
            return
        yield f"{left} {node.op} {right}"
    elif node.op in SHIFTS:
        if not isinstance(left, IntegerType) or left.width < 32 or not isinstance(right, IntegerType):
            yield f"{left} {node.op} {right}"
        if left != node.type:
            yield f"{left} {node.op} gives {node.type}"
    elif left != right or not isinstance(left, IntegerType | FloatingType):
        yield f"{left} {node.op} {right}"
    elif node.type != (INT if node.op in COMPARISONS else left):
        yield f"{left} {node.op} gives {node.type}"


def _member(node: ast.Member) -> Iterator[str]:
    record = node.base.type
    if node.is_arrow:
        yield from _values(node.base)
        record = record.target if isinstance(record, PointerType) else record
    if not isinstance(record, RecordType) or node.field not in record.fields:
        yield f"{record} has no such field {node.field.name}"
    if node.type != node.field.type:
        yield f"{node.field.name} has type {node.field.type}, not {node.type}"


def _cast(node: ast.Cast) -> Iterator[str]:
    source, target = node.operand.type, node.type
    match node.kind:
        case CastKind.LVALUE_TO_RVALUE:
            if not is_lvalue(node.operand) or source != target or isinstance(source, ArrayType):
                yield f"reads {source} as {target}"
        case CastKind.ARRAY_TO_POINTER:
            if not isinstance(source, ArrayType | VariableArrayType) or target != PointerType(source.element):
                yield f"{source} decays to {target}"
        case CastKind.FUNCTION_TO_POINTER:
            if not isinstance(source, FunctionType) or not isinstance(target, PointerType):
                yield f"{source} decays to {target}"
        case CastKind.TO_VOID:
            pass
        case _:
            yield from _values(node.operand)
            if kind_between(source, target) is not node.kind:
                yield f"{source} to {target} is not {node.kind}"


def _call(node: ast.Call) -> Iterator[str]:
    pointer = node.function.type
    if not isinstance(pointer, PointerType) or not isinstance(pointer.target, FunctionType):
        yield f"calls a {pointer}"
        return
    type_ = pointer.target
    if _differ(type_.result, node.type):
        yield f"gives {node.type}, but the function {type_.result}"
    if any(isinstance(parameter, UnsupportedType) for parameter in type_.parameters):
        return
    callee = node.function.operand if isinstance(node.function, ast.Cast) else node.function
    if not (isinstance(callee, ast.Name) and callee.target.name.startswith("__builtin_va_")):
        yield from _values(*node.arguments)
    if not type_.has_prototype:
        return
    if len(node.arguments) < len(type_.parameters):
        yield "too few arguments"
    for parameter, argument in zip(type_.parameters, node.arguments, strict=False):
        if _differ(parameter, argument.type):
            yield f"{argument.type} for a {parameter}"


def _part(type_: CType, part: ast.Part) -> Iterator[str]:
    for step in part.path:
        if isinstance(step, Field) and isinstance(type_, RecordType) and step in type_.fields:
            type_ = step.type
        elif isinstance(step, int) and isinstance(type_, ArrayType):
            if type_.length is not None and not 0 <= step < type_.length:
                yield f"index {step} of {type_}"
            type_ = type_.element
        else:
            yield f"no part {step} of {type_}"
            return
    if isinstance(part.value, ast.StringLiteral):
        if not isinstance(type_, ArrayType):
            yield f"a string for {type_}"
        return
    yield from _values(part.value)
    if isinstance(type_, UnsupportedType):
        return
    if _differ(part.value.type, type_) or not (is_scalar(type_) or isinstance(type_, RecordType)):
        yield f"{part.value.type} for {type_}"
