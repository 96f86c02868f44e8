"""Decides which local loops can be moved, and finds their parts in the text and the variables that they need.

A variable of the enclosing function becomes a parameter: by value if nothing in the body changes it, else by pointer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.isolate.tokens import Tokens, is_line_marker
from remuda.frontends.c.isolate.usage import Usage, has_side_effects, usage_of
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import ArrayType, CType, FunctionType, PointerType, VariableArrayType, is_scalar
from remuda.frontends.c.syntax.walk import declared_variables

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.frontends.c.isolate.loops import Loop
    from remuda.frontends.c.isolate.mentions import Declared, FunctionText, Mention, Place
    from remuda.frontends.c.isolate.tokens import Token

Range = tuple[int, int]

_KEYWORDS: Final = {ast.While: "while", ast.For: "for", ast.DoWhile: "do"}
_PLAIN: Final = re.compile(r"[\w *]+")
_UNNAMED: Final = re.compile(r"\((?:unnamed|anonymous)")
_WORD: Final = re.compile(r"\w+")
_DEFINES: Final = re.compile(r"#[ \t]*(?:define|undef|include)\b")
_OWN_NAME: Final = frozenset({"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"})


class StayError(Exception):
    """A loop cannot be moved; the message says why."""


@final
@dataclass(frozen=True, slots=True)
class Capture:
    """A variable of the enclosing function that the body of a loop uses."""

    name: str
    type: str  # as C writes it, of the variable
    by_pointer: bool
    variable: ast.Variable

    def parameter(self) -> str:
        return declaration(self.type, f"*{self.name}" if self.by_pointer else self.name)


def declaration(type_: str, declarator: str) -> str:
    """A declaration of a name; the text of a type may have parts before and after the name."""
    return f"{type_ if _PLAIN.fullmatch(type_) else f'__typeof__({type_})'} {declarator}"


@final
@dataclass(frozen=True, slots=True)
class LoopText:
    """The positions of the parts of a loop; `start` and `step` are those of a `for`."""

    whole: Range
    body: Range
    condition: Range | None
    start: Range | None = None
    step: Range | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A loop whose body becomes the function `name`."""

    loop: Loop
    name: str
    text: LoopText
    captures: tuple[Capture, ...]
    assumes: bool  # that the condition held

    def pointers(self) -> frozenset[ast.Variable]:
        return frozenset(capture.variable for capture in self.captures if capture.by_pointer)


@final
class FunctionMoves:
    """Decides which loops of one function can be moved."""

    def __init__(self, function: ast.Function, text: FunctionText, source: Source, tokens: Tokens) -> None:
        self._text = text
        self._source = source
        self._tokens = tokens
        self._usage: Final[Usage] = usage_of(nodes_of(function))
        self.variables: Final[dict[Place, ast.Variable]] = {}
        assert function.body is not None
        for variable in (*function.parameters, *declared_variables(function.body)):
            self.variables[variable.span.start, variable.name] = variable
        self._types: Final = {each.name for each in text.declared.values() if not each.is_variable}
        self._defines: Final = any(
            token.kind == "directive" and _DEFINES.match(token.text) for token in tokens.within(text.start, text.end)
        )

    def move(self, loop: Loop, name: str) -> Move:
        """The move of a loop. Raises `StayError` if it cannot be moved."""
        if loop.reasons:
            raise StayError(loop.reasons[0])
        if loop.node.span.source is not self._source:
            raise StayError("it is in an included file")
        if self._defines:
            raise StayError("the function has preprocessor directives")
        text = locate(loop.node, self._tokens)
        self._check_text(text)
        condition = loop.node.condition
        assumes = condition is not None and not isinstance(loop.node, ast.DoWhile) and not has_side_effects(condition)
        if assumes and text.condition is None:
            raise StayError("a macro writes its head")
        return Move(loop, name, text, self._captures(text, assumes=assumes), assumes)

    def _check_text(self, text: LoopText) -> None:
        for token in self._tokens.within(*text.whole):
            if token.kind == "directive" and not is_line_marker(token):
                raise StayError("it has preprocessor directives")
            if token.text in _OWN_NAME:
                raise StayError("it uses the name of its function")

    def _captures(self, text: LoopText, *, assumes: bool) -> tuple[Capture, ...]:
        start, end = text.body
        condition = text.condition if assumes and text.condition is not None else (0, 0)
        used: dict[Declared, list[Mention]] = {}
        for mention in self._text.mentions:
            if not (start <= mention.start < end or condition[0] <= mention.start < condition[1]):
                continue
            if not start <= mention.declared.start < end:
                used.setdefault(mention.declared, []).append(mention)
        return tuple(self._capture(declared, mentions, text) for declared, mentions in used.items())

    def _capture(self, declared: Declared, mentions: Sequence[Mention], text: LoopText) -> Capture:
        name = declared.name
        if not declared.is_variable:
            raise StayError(f"it uses {name}, which is declared in the function")
        variable = self.variables.get((declared.start, name))
        if variable is None:
            raise StayError(f"the declaration of {name} is not understood")
        if _has_computed_length(variable.type):
            raise StayError(f"the size of {name} is computed")
        if _UNNAMED.search(declared.type) or not self._types.isdisjoint(_WORD.findall(declared.type)):
            raise StayError(f"the type of {name} is declared in the function")
        by_pointer = self._needs_pointer(variable, text.body)
        if by_pointer and declared.is_register:
            raise StayError(f"{name} is a register variable that it changes")
        if by_pointer:
            for mention in mentions:
                token = self._tokens.at(mention.start)
                if token is None or token.text != name:
                    line = self._source.position(mention.start)[0]
                    raise StayError(f"a macro uses {name} at line {line}")
        return Capture(name, declared.type, by_pointer, variable)

    def _needs_pointer(self, variable: ast.Variable, body: Range) -> bool:
        """Whether a variable cannot be passed by value, because it may change while the body runs."""
        if not is_scalar(variable.type) or variable.is_volatile or variable.storage is ast.Storage.STATIC:
            return True
        if variable in self._usage.addressed:  # something outside may point to it, too
            return True
        return any(each is variable and body[0] <= place < body[1] for each, place in self._usage.writes)


def _has_computed_length(type_: CType) -> bool:
    waiting = [type_]
    while waiting:
        match waiting.pop():
            case VariableArrayType():
                return True
            case PointerType(target=target):
                waiting.append(target)
            case ArrayType(element=element):
                waiting.append(element)
            case FunctionType(result=result, parameters=parameters):
                waiting += [result, *parameters]
    return False


# --- where the parts of a loop are


def locate(node: ast.While | ast.DoWhile | ast.For, tokens: Tokens) -> LoopText:
    keyword = tokens.at(node.span.start)
    if keyword is None or keyword.text != _KEYWORDS[type(node)]:
        raise StayError("a macro writes it")
    if isinstance(node, ast.DoWhile):
        body = _body(node, keyword.end, tokens)
        again = _expect(tokens.next(body[1]), "while")
        head = _brackets(tokens.next(again.end), tokens)
        end = _expect(tokens.next(head[1] + 1), ";").end
        return LoopText((keyword.start, end), body, head)
    head = _brackets(tokens.next(keyword.end), tokens)
    body = _body(node, head[1] + 1, tokens)
    whole = (keyword.start, body[1])
    if isinstance(node, ast.While):
        return LoopText(whole, body, head)
    parts = _split(head, tokens)
    if len(parts) != 3:
        raise StayError("a macro writes its head")
    start, condition, step = (part if tokens.within(*part) else None for part in parts)
    if (condition is None) != (node.condition is None):
        raise StayError("a macro writes its head")
    return LoopText(whole, body, condition, start, step)


def _expect(token: Token | None, text: str) -> Token:
    if token is None or token.text != text:
        raise StayError("a macro writes a part of it")
    return token


def _brackets(opening: Token | None, tokens: Tokens) -> Range:
    """What is between a bracket and the one that closes it."""
    opening = _expect(opening, "(")
    closing = _expect(tokens.closing(opening), ")")
    return opening.end, closing.start


def _split(head: Range, tokens: Tokens) -> list[Range]:
    """The parts of the head of a `for`."""
    parts: list[Range] = []
    start = at = head[0]
    while (token := tokens.next(at)) is not None and token.start < head[1]:
        closing = tokens.closing(token)
        at = token.end if closing is None else closing.end
        if token.text == ";":
            parts.append((start, token.start))
            start = token.end
    return [*parts, (start, head[1])]


def _body(node: ast.While | ast.DoWhile | ast.For, after: int, tokens: Tokens) -> Range:
    first = tokens.next(after)
    if first is None:
        raise StayError("a macro writes its body")
    if isinstance(node.body, ast.Compound) and first.text == "{":
        closing = _expect(tokens.closing(first), "}")
        if closing.end != node.body.span.end:
            raise StayError("a macro writes a part of it")
        return first.start, closing.end
    return first.start, _end(node.body, tokens)


def _end(statement: ast.Statement, tokens: Tokens) -> int:
    """Behind the last character of a statement that is not in braces; spans leave out the final semicolon."""
    last = statement
    while True:
        match last:
            case ast.If(then=then, otherwise=otherwise):
                last = then if otherwise is None else otherwise
            case ast.While(body=body) | ast.For(body=body) | ast.Label(body=body) | ast.Case(body=body):
                last = body
            case ast.Switch(body=body):
                last = body
            case _:
                break
    before = tokens.before(last.span.end)
    if isinstance(last, ast.Compound | ast.Declaration | ast.Empty):
        if before is None or before.text not in {"}", ";"} or before.end != last.span.end:
            raise StayError("a macro writes a part of it")
        return last.span.end
    token = tokens.next(last.span.end)
    while token is not None and token.text == ")":
        token = tokens.next(token.end)
    return _expect(token, ";").end
