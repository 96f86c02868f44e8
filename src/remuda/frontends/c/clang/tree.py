"""Clang's tree of one declaration, collected without recursion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import InternalError
from remuda.frontends.c.clang import kinds
from remuda.frontends.c.clang.native import VISIT_CONTINUE, VISIT_RECURSE, VISITOR, Cursor, Library

if TYPE_CHECKING:
    from remuda.frontends.c.clang.initializers import Listed
    from remuda.frontends.c.syntax.ast import Expression, Statement, Variable

_CLOSED: Final = frozenset(  # what is inside these is no part of the program's behaviour
    {
        kinds.STRUCT_DECLARATION,
        kinds.UNION_DECLARATION,
        kinds.ENUM_DECLARATION,
        kinds.FUNCTION,
        kinds.STATIC_ASSERTION,
        kinds.TYPE_REFERENCE,
        kinds.NAME,
        *range(kinds.FIRST_ATTRIBUTE, kinds.LAST_ATTRIBUTE + 1),
    }
)


@final
class Node:
    """A cursor, its children, and the result of its conversion; `begin` and `end` are location codes, set on
    demand."""

    __slots__ = ("begin", "children", "cursor", "end", "kind", "lengths", "value")

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.kind = cursor.kind
        self.children: list[Node] = []
        self.begin = -1
        self.end = -1
        self.value: Expression | Statement | Variable | Listed | None = None
        self.lengths: list[Variable] = []  # of the arrays whose types are written here and whose lengths are computed


def gather(library: Library, root: Cursor) -> list[Node]:
    """The nodes below and including `root`, parents before children, children in order.

    Clang shows some expressions as the only child of themselves (constant expressions): these become one node.
    """
    top = Node(root)
    nodes = [top]
    path = [top]
    lost = False

    def visit(cursor: Cursor, parent: Cursor, _: object) -> int:
        nonlocal lost
        above, below = parent.data0, parent.data1
        last = path[-1]
        while last.cursor.data1 != below or last.cursor.data0 != above:
            if last is top:
                lost = lost or below != root.data1 or above != root.data0
                break
            path.pop()
            last = path[-1]
        if cursor.data1 == last.cursor.data1 and cursor.data0 == last.cursor.data0 and cursor.kind == last.kind:
            return VISIT_RECURSE
        node = Node(cursor)
        last.children.append(node)
        nodes.append(node)
        if node.kind in _CLOSED:
            return VISIT_CONTINUE
        path.append(node)
        return VISIT_RECURSE

    library.visitChildren(root, VISITOR(visit), None)
    if lost:
        raise InternalError("libclang visits a node before its parent")
    return nodes
