"""The uses of variables in expressions: which are written, whose address is taken, and what has side effects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.frontends.c.lowering.intrinsics import INTRINSICS, nondeterministic
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.walk import Node, called_function, preorder

if TYPE_CHECKING:
    from collections.abc import Iterable


@final
@dataclass(frozen=True, slots=True)
class Usage:
    """The writes to variables, with their places; and the variables that something may point to."""

    writes: list[tuple[ast.Variable, int]] = field(default_factory=list)
    addressed: set[ast.Variable] = field(default_factory=set)


def usage_of(nodes: Iterable[Node]) -> Usage:
    usage = Usage()
    for node in nodes:
        for target in written(node):
            variable = root_variable(target)
            if variable is not None:
                usage.writes.append((variable, node.span.start))
        if isinstance(node, ast.AddressOf):
            variable = root_variable(node.operand)
            if variable is not None:
                usage.addressed.add(variable)
    return usage


def written(node: Node) -> tuple[ast.Expression, ...]:
    """The lvalues that a node writes itself."""
    match node:
        case ast.Assign(target=target) | ast.CompoundAssign(target=target):
            return (target,)
        case ast.Step(operand=operand) | ast.VariadicArgument(operand=operand):
            return (operand,)
        case ast.Assembly(outputs=outputs):
            return outputs
        case _:
            return ()


def root_variable(lvalue: ast.Expression) -> ast.Variable | None:
    """The variable that an lvalue is a part of; None if a pointer leads to it."""
    root = root_of(lvalue)
    match root:
        case ast.Name(target=ast.Variable() as variable) | ast.CompoundLiteral(variable=variable):
            return variable
        case _:
            return None


def root_of(lvalue: ast.Expression) -> ast.Expression:
    """What an lvalue is a part of: a name, or the dereference of a pointer."""
    while True:
        match lvalue:
            case ast.Member(base=base, is_arrow=False):
                lvalue = base
            case ast.Index(base=ast.Cast(kind=ast.CastKind.ARRAY_TO_POINTER, operand=operand)):
                lvalue = operand
            case ast.Cast(kind=ast.CastKind.NOTHING, operand=operand):
                lvalue = operand
            case _:
                return lvalue


def has_side_effects(expression: ast.Expression) -> bool:
    """Whether evaluating an expression twice may differ from evaluating it once. (Inputs that verifiers know do not
    count: each is any value.)"""
    for node in preorder(expression):
        match node:
            case (
                ast.Assign() | ast.CompoundAssign() | ast.Step() | ast.StatementExpression() | ast.VariadicArgument()
            ):
                return True
            case ast.Call():
                function = called_function(node)
                if function is None or not is_input(function.name):
                    return True
            case ast.UnsupportedExpression() | ast.LabelAddress():
                return True
            case _ if is_volatile(node):
                return True
    return False


def is_volatile(node: Node) -> bool:
    """Whether a node is an object that may change by itself."""
    match node:
        case ast.Name(target=ast.Variable() as variable):
            return variable.is_volatile
        case ast.Dereference() | ast.Index() | ast.Member():
            return node.is_volatile
        case _:
            return False


def is_input(name: str) -> bool:
    """Whether a function returns any value, whatever body it has."""
    return nondeterministic(name) is not None


def is_intrinsic(name: str) -> bool:
    """Whether the body that a program gives a function does not matter."""
    return name in INTRINSICS or is_input(name)
