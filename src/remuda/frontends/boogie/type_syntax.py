"""Parses the types of Boogie: `int`, `Field int`, `<a>[Ref, Field a]a`, without Python recursion.

The stack has the open types: a parenthesis, the domain or the range of a map, or a name that may have more arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.frontends.boogie.ast import MapTypeNode, NameType, TypeNode
from remuda.frontends.boogie.tokens import IDENTIFIER

if TYPE_CHECKING:
    from remuda.frontends.boogie.cursor import Cursor

_BASIC: Final = frozenset(["int", "bool", "real"])
_STARTS: Final = frozenset([IDENTIFIER, "int", "bool", "real", "(", "[", "<"])


@final
class _Parenthesis:
    """`(` type `)`."""

    __slots__ = ("start",)

    def __init__(self, start: int) -> None:
        self.start = start


@final
class _Map:
    """An open map type: `<parameters>[domain]`, followed by the range if `has_domain`."""

    __slots__ = ("domain", "has_domain", "parameters", "start")

    def __init__(self, start: int, parameters: list[str]) -> None:
        self.start = start
        self.parameters = parameters
        self.domain: list[TypeNode] = []
        self.has_domain = False


_Open = _Parenthesis | _Map | NameType


@final
class TypeParser:
    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor

    def type(self) -> TypeNode:
        """Parse the longest type at the cursor, such as `C int bool`."""
        stack: list[_Open] = []
        while True:
            found = self._start(stack)
            while found is not None:
                if not stack:
                    return found
                found = self._close(stack, found)

    def parameters(self) -> list[str]:
        """Parse `<a, b>`, or nothing."""
        cursor = self._cursor
        if not cursor.take("<"):
            return []
        names = [cursor.texts[token] for token in cursor.identifiers()]
        cursor.expect(">")
        return names

    def _start(self, stack: list[_Open]) -> TypeNode | None:
        """Parse a type that is complete after its first token; or push an open type, and return None."""
        cursor = self._cursor
        position = cursor.position
        kind = cursor.kinds[position]
        start = cursor.starts[position]
        if kind == IDENTIFIER or kind in _BASIC:
            cursor.position = position + 1
            named = NameType(start, cursor.ends[position], cursor.texts[position])
            is_argument = bool(stack) and isinstance(stack[-1], NameType)
            if kind != IDENTIFIER or is_argument or not self._has_argument():
                return named
            stack.append(named)
        elif kind == "(":
            cursor.position = position + 1
            stack.append(_Parenthesis(start))
        elif kind in ("[", "<"):
            self._start_map(stack, start)
        else:
            raise cursor.failure_or_struct("a type")
        return None

    def _has_argument(self) -> bool:
        """Whether a type follows, which is not the `uses {` after the type of a constant or function."""
        cursor = self._cursor
        position = cursor.position
        kind = cursor.kinds[position]
        return kind in _STARTS and not (cursor.kinds[position + 1] == "{" and cursor.texts[position] == "uses")

    def _start_map(self, stack: list[_Open], start: int) -> None:
        opened = _Map(start, self.parameters())
        self._cursor.expect("[")
        opened.has_domain = self._cursor.take("]")
        stack.append(opened)

    def _close(self, stack: list[_Open], found: TypeNode) -> TypeNode | None:
        """Add a complete type to the innermost open one, which may complete that one."""
        cursor = self._cursor
        opened = stack[-1]
        if isinstance(opened, NameType):
            opened.arguments.append(found)
            opened.end = found.end
            # The range of a map without parentheses is the whole type that follows.
            is_last = isinstance(found, MapTypeNode) and cursor.source.text[found.start] != "("
            if not is_last and self._has_argument():
                return None
            stack.pop()
            return opened
        if isinstance(opened, _Parenthesis):
            cursor.expect(")")
            stack.pop()
            found.start, found.end = opened.start, cursor.previous_end()
            return found
        return self._close_map(stack, opened, found)

    def _close_map(self, stack: list[_Open], opened: _Map, found: TypeNode) -> TypeNode | None:
        if opened.has_domain:
            stack.pop()
            return MapTypeNode(opened.start, found.end, opened.parameters, opened.domain, found)
        opened.domain.append(found)
        if not self._cursor.take(","):
            self._cursor.expect("]")
            opened.has_domain = True
        return None
