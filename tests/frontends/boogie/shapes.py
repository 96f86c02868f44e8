"""Syntax trees as short texts, so that tests can state their expectations in one line.

Every node is `(class field=value ...)` without its span; operators are infix, names stand for themselves, lists
are in brackets, and absent values (None, False, most empty lists) are left out.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from remuda.frontends.boogie.ast import Binary, Chain, Literal, Name, NameType, Unary, WildcardExpression

_ENDINGS = ("Statement", "Declaration", "Expression", "Node")
_SPAN = ("start", "end")
_EMPTY_IS_NOT_ABSENT = ("otherwise", "parents")


def shape(node: object) -> str:
    match node:
        case Name(name=name) | NameType(name=name, arguments=[]):
            return name
        case Literal(kind=kind, value=value):
            return f"{value}" if kind in {"int", "bool"} else f"{kind}:{value}"
        case Unary(operator=operator, operand=operand):
            return f"({operator} {shape(operand)})"
        case Binary(operator=operator, left=left, right=right):
            return f"({shape(left)} {operator} {shape(right)})"
        case Chain(operator=operator, operands=operands):
            return "(" + f" {operator} ".join(map(shape, operands)) + ")"
        case WildcardExpression():
            return "*"
        case list() | tuple():
            return "[" + " ".join(map(shape, node)) + "]"
        case _ if is_dataclass(node):
            return _record(node)
        case _:
            return str(node)


def _record(node: object) -> str:
    assert is_dataclass(node)
    name = type(node).__name__
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    parts = [name.lower()]
    for member in fields(node):
        value = getattr(node, member.name)
        if member.name in _SPAN or value is None or value is False or value == "":
            continue
        if value == [] and member.name not in _EMPTY_IS_NOT_ABSENT:
            continue
        parts.append(member.name if value is True else f"{member.name}={shape(value)}")
    return "(" + " ".join(parts) + ")"
