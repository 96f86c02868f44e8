"""Functions that only allocate: what they return is new, and they do not access its contents.

    void *get(size_t n) { void *p = malloc(n); if (!p) count++; return p; }

Each call of such a function counts as an allocation of its own, so that the objects of different callers are
distinct.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.library.names import aliases
from remuda.frontends.c.syntax import ast, walk
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import PointerType

if TYPE_CHECKING:
    from collections.abc import Iterator

# Functions of libraries that leave new memory as it is.
_NAMES: Final = "malloc valloc pvalloc kmalloc __kmalloc vmalloc xmalloc"
ALLOCATORS: Final = frozenset(alias for name in _NAMES.split() for alias in aliases(name))
_HARMLESS: Final = frozenset({"==", "!="})  # operators on a new pointer that do not access the memory

Parents = dict[walk.Node, walk.Node]


@final
class Allocators:
    """Decides which functions only allocate."""

    def __init__(self) -> None:
        self._known: dict[ast.Function, bool] = {}

    def is_one(self, function: ast.Function) -> bool:
        if function.body is None:
            return function.name in ALLOCATORS
        if function not in self._known:
            self._known[function] = False  # during its own analysis, in case it calls itself
            self._known[function] = isinstance(function.type.result, PointerType) and self._only_allocates(function)
        return self._known[function]

    def _only_allocates(self, function: ast.Function) -> bool:
        assert function.body is not None
        parents: Parents = {}
        nodes = [function.body]
        every: list[walk.Node] = []
        while nodes:
            node = nodes.pop()
            every.append(node)
            for child in walk.children(node):
                parents[child] = node
                nodes.append(child)  # type: ignore[arg-type]
        made = [node for node in every if isinstance(node, ast.Call) and self._allocates(node)]
        if not made:
            return False
        holders = self._holders(every, made)
        returned = [node.value for node in every if isinstance(node, ast.Return)]
        if not all(value is not None and self._is_new(value, holders) for value in returned):
            return False
        mentioned = [node for node in every if isinstance(node, ast.Name) and node.target in holders]
        return all(_is_harmless(node, parents, holders) for node in (*made, *mentioned))

    def _allocates(self, call: ast.Call) -> bool:
        callee = walk.called_function(call)
        return callee is not None and self.is_one(callee)

    def _holders(self, every: list[walk.Node], made: list[ast.Call]) -> set[ast.Variable]:
        """The local variables that new memory is assigned to."""
        given = list(_assignments(every))
        holders: set[ast.Variable] = set()
        is_changed = True
        while is_changed:
            is_changed = False
            for variable, value in given:
                plain = _plain(value)
                is_new = plain in made or (isinstance(plain, ast.Name) and plain.target in holders)
                if is_new and variable not in holders:
                    holders.add(variable)
                    is_changed = True
        return holders

    def _is_new(self, value: ast.Expression, holders: set[ast.Variable]) -> bool:
        """New memory, or a null pointer."""
        match _plain(value):
            case ast.IntegerLiteral(value=number):
                return number == 0
            case ast.Name(target=target):
                return target in holders
            case ast.Call() as call:
                return self._allocates(call)
            case _:
                return False


def _assignments(every: list[walk.Node]) -> Iterator[tuple[ast.Variable, ast.Expression]]:
    for node in every:
        if isinstance(node, ast.Assign) and isinstance(node.target, ast.Name):
            if isinstance(node.target.target, ast.Variable) and node.target.target.storage is ast.Storage.LOCAL:
                yield node.target.target, node.value
        elif isinstance(node, ast.Declaration):
            for variable in node.variables:
                if variable.storage is ast.Storage.LOCAL and variable.initializer is not None:
                    for part in variable.initializer.parts:
                        yield variable, part.value


def _plain(value: ast.Expression) -> ast.Expression:
    return walk.strip(
        value, CastKind.POINTER, CastKind.NOTHING, CastKind.LVALUE_TO_RVALUE, CastKind.INTEGER_TO_POINTER
    )


def _is_harmless(node: ast.Expression, parents: Parents, holders: set[ast.Variable]) -> bool:
    """Whether a new pointer is only returned, compared, or assigned to variables that hold new memory only."""
    child: walk.Node = node
    above = parents.get(child)
    while isinstance(above, ast.Cast) and above.kind in {
        CastKind.POINTER,
        CastKind.NOTHING,
        CastKind.LVALUE_TO_RVALUE,
    }:
        child, above = above, parents.get(above)
    match above:
        case ast.Assign(target=ast.Name(target=ast.Variable() as variable)):
            return variable in holders
        case ast.Binary(op=op):
            return op in _HARMLESS
        case ast.Unary(op=op):
            return op == "!"
        case ast.Conditional(condition=condition):
            return condition is child
        case ast.Cast(kind=kind):
            return kind is CastKind.TO_BOOL
        case ast.Declaration(variables=variables):
            return all(variable in holders for variable in variables if variable.initializer is not None)
        case ast.Return() | ast.Logical() | ast.If() | ast.While() | ast.DoWhile() | ast.ExpressionStatement():
            return True
        case _:
            return False
