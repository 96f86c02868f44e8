"""Checks that a program with moved loops is the same program: parses the text again, and compares the trees.

Rewriting text can go wrong where macros hide the program: a macro may make a string of a name, or a name may have
another meaning after a `#define`. Two functions are the same if their nodes are, one after the other, with the body
of each moved loop in the place of its call, `(*x)` as `x`, and `return` as the original `continue`.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from remuda.frontends.c.lowering.assertions import FAILURES
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.walk import Node, called_function, children

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from remuda.frontends.c.isolate.moves import Move

Word = tuple[object, ...]


def unfaithful_functions(old: ast.Unit, new: ast.Unit, moves: Mapping[str, Sequence[Move]]) -> list[str]:
    """The functions with moved loops that have changed."""
    found = []
    for name, moved in moves.items():
        before = _words(old, name, {move.loop.node.body: move for move in moved})
        after = _words(new, name, {move.name: move for move in moved})
        if not all(one == other for one, other in zip_longest(before, after)):
            found.append(name)
    return found


def _words(unit: ast.Unit, name: str, moves: Mapping[Node | str, Move]) -> Iterator[Word]:
    """The nodes of a function one by one. `moves` has the bodies of the loops, or the functions they have become."""
    body = unit.functions[name].body
    assert body is not None
    waiting: list[tuple[Node, Move | None]] = [(body, None)]
    while waiting:
        node, inside = waiting.pop()
        if node in moves:
            yield tuple(capture.name for capture in moves[node].captures)
        call = _only_call(node)
        function = None if call is None else called_function(call)
        if call is not None and function is not None and function.name in moves:
            yield tuple(map(_argument, call.arguments))
            assert function.body is not None
            node, inside = function.body.statements[0], moves[function.name]
        node = _captured(node, inside)
        if isinstance(node, ast.Return) and inside is not None:
            yield (ast.Continue,)
            continue
        yield _word(node)
        if not _is_failure(node):
            waiting.extend((child, inside) for child in reversed(children(node)))


def _only_call(node: Node) -> ast.Call | None:
    """The only statement of a block, if it is a call."""
    match node:
        case ast.Compound(statements=(ast.ExpressionStatement(expression=ast.Call() as call),)):
            return call
        case _:
            return None


def _argument(argument: ast.Expression) -> str:
    """The name of the variable that an argument reads, or points to."""
    while not isinstance(argument, ast.Name):
        below = children(argument)
        if len(below) != 1 or not isinstance(below[0], ast.Expression):
            return ""
        argument = below[0]
    return argument.target.name


def _captured(node: Node, inside: Move | None) -> Node:
    """The variable `x` for `(*x)`."""
    match node:
        case ast.Dereference(operand=ast.Cast(operand=ast.Name(target=ast.Variable() as target) as name)):
            if inside is not None and target.storage is ast.Storage.PARAMETER:
                if any(capture.by_pointer and capture.name == target.name for capture in inside.captures):
                    return ast.Name(node.type, name.span, target)
    return node


def _is_failure(node: Node) -> bool:
    """Whether a node is a call for a failed assertion. Its message is not compared, because it quotes the text."""
    function = called_function(node) if isinstance(node, ast.Call) else None
    return function is not None and function.name in FAILURES


def _word(node: Node) -> Word:
    """A node without its children, as values that can be compared."""
    word: list[object] = [type(node)]
    if isinstance(node, ast.Expression):
        word.append(str(node.type))
    match node:
        case ast.Name(target=target):
            is_global = isinstance(target, ast.Function) or target.storage in {ast.Storage.GLOBAL, ast.Storage.EXTERN}
            word += [target.name, is_global]
        case ast.Declaration(variables=variables):
            word += [(variable.name, str(variable.type)) for variable in variables]
        case ast.Member(field=field):
            word += [field.name, field.offset]
        case ast.StringLiteral(units=units):
            word.append(units)
        case ast.Goto(label=label) | ast.Label(name=label):
            word.append(label)
        case ast.Case(low=low, high=high):
            word += [low, high]
        case ast.IntegerLiteral(value=value):
            word.append(value)
        case ast.FloatLiteral(text=text):
            word.append(text)
        case ast.Cast(kind=kind):
            word.append(kind)
        case ast.Step(op=op, is_prefix=is_prefix):
            word += [op, is_prefix]
        case ast.Unary(op=op) | ast.Binary(op=op) | ast.Logical(op=op) | ast.CompoundAssign(op=op):
            word.append(op)
    return tuple(word)
