"""The types of Boogie: `int`, `Field int`, `<a>[Ref, Field a]a`, without Python recursion.

The stack holds the types that are still open: a parenthesis, the domain or the range of a map, or a name that
still takes arguments.
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
    """`<parameters>[domain]` and then the range, once `has_domain`."""

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
        """The type at the cursor; as much of it as there is, as in `C int bool`."""
        stack: list[_Open] = []
        while True:
            found = self._start(stack)
            while found is not None:
                if not stack:
                    return found
                found = self._close(stack, found)

    def parameters(self) -> list[str]:
        """`<a, b>`, or nothing."""
        cursor = self._cursor
        if not cursor.take("<"):
            return []
        names = [cursor.texts[token] for token in cursor.identifiers()]
        cursor.expect(">")
        return names

    def _start(self, stack: list[_Open]) -> TypeNode | None:
        """A type that is complete with its first token; or None, with what has been opened on the stack."""
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
        """Whether a type follows; not the `uses {` behind the type of a constant or function."""
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
        """Give a complete type to the innermost open one, which may complete that one."""
        cursor = self._cursor
        opened = stack[-1]
        if isinstance(opened, NameType):
            opened.arguments.append(found)
            opened.end = found.end
            # A map that is not in parentheses takes all that follows as its range.
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
