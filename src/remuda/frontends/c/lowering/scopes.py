"""Variables that want something done when their scope ends (`__attribute__((cleanup(f)))`): which of them a jump leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.walk import Node, children

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.expressions import Expressions
    from remuda.frontends.c.lowering.trampoline import Steps

Chain = tuple[ast.Variable, ...]  # the variables in whose scope a place is, the outermost first


@final
class Scopes:
    """The scopes of one function, as its statements are lowered."""

    def __init__(self, function: ast.Function, expressions: Expressions) -> None:
        self._expressions = expressions
        self._open: list[ast.Variable] = []
        self._labels = _chains(function)

    @property
    def depth(self) -> int:
        """How many variables are in scope here."""
        return len(self._open)

    def add(self, variable: ast.Variable) -> None:
        """The scope of a variable begins."""
        if variable.cleanup is not None:
            self._open.append(variable)

    def close(self, depth: int) -> Steps:
        """Execution comes to the end of all scopes that are deeper."""
        yield self.leave(depth)
        del self._open[depth:]

    def leave(self, depth: int) -> Steps:
        """A jump leaves all scopes that are deeper; what follows in the text is still in them."""
        for variable in reversed(self._open[depth:]):
            assert variable.cleanup is not None
            yield self._expressions.effect(variable.cleanup)

    def shared_with(self, label: str) -> int:
        """How many of the scopes that are open here the place of a label is in, too."""
        shared = 0
        for here, there in zip(self._open, self._labels.get(label, ()), strict=False):
            if here is not there:
                break
            shared += 1
        return shared


def _chains(function: ast.Function) -> dict[str, Chain]:
    """In the scope of which variables each label is."""
    if function.body is None or not any(_has_cleanup(node) for node in nodes_of(function)):
        return {}
    found: dict[str, Chain] = {}
    work: list[tuple[Node, Chain]] = [(function.body, ())]
    while work:
        node, chain = work.pop()
        if isinstance(node, ast.Label):
            found[node.name] = chain
        for child in children(node):
            work.append((child, chain))
            if isinstance(node, ast.Compound | ast.For):
                chain += _declared(child)
    return found


def _has_cleanup(node: Node) -> bool:
    return isinstance(node, ast.Declaration) and any(each.cleanup is not None for each in node.variables)


def _declared(node: Node) -> Chain:
    """What a statement of a block declares for the statements behind it."""
    while isinstance(node, ast.Label | ast.Case):
        node = node.body
    return (
        tuple(each for each in node.variables if each.cleanup is not None)
        if isinstance(node, ast.Declaration)
        else ()
    )
