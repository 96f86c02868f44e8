"""Typed trees of C as short text, for the parser's tests. Conversions are `(kind:type ...)`, and reads are `@x`."""

from __future__ import annotations

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import Field


def show(node: ast.Expression | ast.Statement | ast.Initializer | None) -> str:
    if isinstance(node, ast.Expression):
        return show_expression(node)
    if isinstance(node, ast.Statement):
        return show_statement(node)
    return "" if node is None else show_initializer(node)


def show_initializer(initializer: ast.Initializer) -> str:
    parts = ", ".join(f"{show_path(part)}{show_expression(part.value)}" for part in initializer.parts)
    return "{" + parts + (" ...0}" if initializer.zero_rest else "}")


def show_path(part: ast.Part) -> str:
    steps = [f".{step.name or '<anonymous>'}" if isinstance(step, Field) else f"[{step}]" for step in part.path]
    return f"{''.join(steps)}=" if steps else ""


def show_expression(node: ast.Expression) -> str:  # noqa: C901 (one case per class)
    match node:
        case ast.IntegerLiteral():
            return str(node.value)
        case ast.FloatLiteral():
            return node.text
        case ast.StringLiteral():
            return "".join(chr(unit % 256) for unit in node.units).__repr__()
        case ast.Name():
            return node.target.name
        case ast.Unary():
            return f"({node.op} {show(node.operand)})"
        case ast.Step():
            return f"({node.op}_ {show(node.operand)})" if node.is_prefix else f"(_{node.op} {show(node.operand)})"
        case ast.AddressOf():
            return f"(& {show(node.operand)})"
        case ast.Dereference():
            return f"(* {show(node.operand)})"
        case ast.Index():
            return f"{show(node.base)}[{show(node.index)}]"
        case ast.Member():
            return f"{show(node.base)}{'->' if node.is_arrow else '.'}{node.field.name or '<anonymous>'}"
        case ast.Binary() | ast.Logical():
            return f"({node.op} {show(node.left)} {show(node.right)})"
        case ast.Conditional():
            return f"(? {show(node.condition)} {show(node.then)} : {show(node.otherwise)})"
        case ast.Comma():
            return f"(, {show(node.left)} {show(node.right)})"
        case ast.Assign():
            return f"(= {show(node.target)} {show(node.value)})"
        case ast.CompoundAssign():
            return f"({node.op}= {show(node.target)} {show(node.value)} in {node.computation})"
        case ast.Cast(kind=CastKind.LVALUE_TO_RVALUE):
            return f"@{show(node.operand)}"
        case ast.Cast(kind=CastKind.ARRAY_TO_POINTER):
            return f"&{show(node.operand)}[0]"
        case ast.Cast(kind=CastKind.FUNCTION_TO_POINTER):
            return show(node.operand)
        case ast.Cast():
            return f"({node.kind.value}:{node.type}{'!' if node.is_explicit else ''} {show(node.operand)})"
        case ast.Call():
            return f"{show(node.function)}({', '.join(map(show, node.arguments))})"
        case ast.CompoundLiteral():
            return f"({node.type}){show(node.variable.initializer)}"
        case ast.StatementExpression():
            return f"({show(node.body)})"
        case ast.LabelAddress():
            return f"&&{node.label}"
        case ast.VariadicArgument():
            return f"va_arg({show(node.operand)}, {node.type})"
        case ast.UnsupportedExpression():
            return f"<{node.construct}>"
    raise AssertionError(node)


def show_statement(node: ast.Statement) -> str:  # noqa: C901 (one case per class)
    match node:
        case ast.Compound():
            return "{" + " ".join(map(show, node.statements)) + "}"
        case ast.ExpressionStatement():
            return f"{show(node.expression)};"
        case ast.Declaration():
            return " ".join(map(show_variable, node.variables))
        case ast.Empty():
            return ";"
        case ast.If():
            otherwise = "" if node.otherwise is None else f" else {show(node.otherwise)}"
            return f"if {show(node.condition)} {show(node.then)}{otherwise}"
        case ast.While():
            return f"while {show(node.condition)} {show(node.body)}"
        case ast.DoWhile():
            return f"do {show(node.body)} while {show(node.condition)};"
        case ast.For():
            return f"for [{show(node.start)}|{show(node.condition)}|{show(node.step)}] {show(node.body)}"
        case ast.Switch():
            return f"switch {show(node.value)} {show(node.body)}"
        case ast.Case(low=None):
            return f"default: {show(node.body)}"
        case ast.Case():
            values = f"{node.low}" if node.low == node.high else f"{node.low}...{node.high}"
            return f"case {values}: {show(node.body)}"
        case ast.Label():
            return f"{node.name}: {show(node.body)}"
        case ast.Goto():
            return f"goto {node.label};"
        case ast.ComputedGoto():
            return f"goto *{show(node.target)};"
        case ast.Break():
            return "break;"
        case ast.Continue():
            return "continue;"
        case ast.Return():
            return f"return {show(node.value)};".replace(" ;", ";")
        case ast.Assembly():
            return f"asm({', '.join(map(show, node.outputs))});"
        case ast.UnsupportedStatement():
            return f"<{node.construct}>;"
    raise AssertionError(node)


def show_variable(variable: ast.Variable) -> str:
    initial = "" if variable.initializer is None else f" = {show(variable.initializer)}"
    storage = "static " if variable.storage is ast.Storage.STATIC else ""
    last = "" if variable.cleanup is None else f" cleanup {show(variable.cleanup)}"
    return f"{storage}{variable.type} {variable.name or '<length>'}{initial}{last};"
