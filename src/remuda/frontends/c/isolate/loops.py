"""The loops of a function, and which of them are local: entered and left only at their condition.

The body of a local loop can be a function of its own, called once for each iteration. A loop cannot be moved if
something leaves or enters its body in another way, or has another meaning in another function.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.walk import Node, called_function, children, preorder

if TYPE_CHECKING:
    from remuda.base.source import Span

JUMPS: Final = frozenset(
    {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "getcontext", "vfork", "__builtin_longjmp"}
)
FRAMES: Final = frozenset(  # what they do depends on the function that calls them
    {
        "alloca",
        "__builtin_alloca",
        "__builtin_alloca_with_align",
        "__builtin_return_address",
        "__builtin_frame_address",
        "__builtin_va_start",
        "va_start",
    }
)
LoopNode = ast.While | ast.DoWhile | ast.For


@final
@dataclass(slots=True, eq=False)
class Loop:
    """A loop, the loop around it, and the reasons why it cannot be moved (none if it is local)."""

    node: LoopNode
    function: ast.Function
    parent: Loop | None
    number: int  # in the function, from 1
    reasons: list[str] = field(default_factory=list)
    continues: list[ast.Continue] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """The number of loops around it."""
        depth, at = 0, self.parent
        while at is not None:
            depth, at = depth + 1, at.parent
        return depth

    def around(self) -> list[Loop]:
        """The loop and those around it, from the inside out."""
        found: list[Loop] = []
        at: Loop | None = self
        while at is not None:
            found.append(at)
            at = at.parent
        return found


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """The position of a statement: in the body of a loop, in a switch, in a statement expression."""

    loop: Loop | None = None  # the innermost whose body this is in
    breaks: Loop | None = None  # the loop that a `break` leaves; None in a switch
    switch: tuple[Loop | None] | None = None  # the loop that the innermost switch is in
    in_expression: bool = False


@final
class _Finder:
    def __init__(self, function: ast.Function) -> None:
        self.function = function
        self.loops: list[Loop] = []
        self.gotos: list[tuple[ast.Goto, Loop | None]] = []
        self.labels: dict[str, tuple[ast.Label, Loop | None]] = {}
        self.everywhere: list[str] = []  # reasons that hold for all loops of the function

    def find(self) -> None:
        assert self.function.body is not None
        waiting: list[tuple[Node, _Scope]] = [(self.function.body, _Scope())]
        while waiting:
            node, scope = waiting.pop()
            waiting.extend(reversed(self._visit(node, scope)))
        for goto, loop in self.gotos:
            self._jump(goto, loop, self.labels[goto.label][1] if goto.label in self.labels else None)
        for each in self.loops:
            each.reasons.extend(self.everywhere)

    def backward_gotos(self) -> list[Span]:
        """The backward jumps, which make loops without loop statements."""
        found = []
        for goto, _ in self.gotos:
            label = self.labels.get(goto.label)
            if label is not None and label[0].span.start < goto.span.start:
                found.append(goto.span)
        return found

    def _jump(self, goto: ast.Goto, source: Loop | None, target: Loop | None) -> None:
        left = [] if source is None else source.around()
        entered = [] if target is None else target.around()
        for loop in left:
            if loop not in entered:
                loop.reasons.append(f"a goto leaves it at line {goto.span.line}")
        for loop in entered:
            if loop not in left:
                loop.reasons.append(f"a goto at line {goto.span.line} enters it")

    def _visit(self, node: Node, scope: _Scope) -> list[tuple[Node, _Scope]]:
        """Visit one node. The result is its children with their scopes."""
        match node:
            case ast.While() | ast.DoWhile() | ast.For():
                return self._loop(node, scope)
            case ast.Switch():
                inside = _Scope(scope.loop, None, (scope.loop,), scope.in_expression)
                return [(node.value, scope), (node.body, inside)]
            case ast.StatementExpression():
                return [(node.body, _Scope(scope.loop, scope.breaks, scope.switch, in_expression=True))]
            case ast.Break() | ast.Continue() | ast.Return() | ast.Case() | ast.Goto():
                self._control(node, scope)
            case ast.Label():
                self.labels[node.name] = (node, scope.loop)
            case ast.ComputedGoto() | ast.LabelAddress():
                self.everywhere.append(f"the function jumps to computed labels (line {node.span.line})")
            case ast.Assembly():
                self._keep(scope.loop, f"it contains inline assembly at line {node.span.line}")
            case ast.UnsupportedStatement() | ast.UnsupportedExpression():
                self._keep(scope.loop, f"it contains {node.construct} at line {node.span.line}")
            case ast.VariadicArgument():
                self._keep(scope.loop, f"it reads variable arguments at line {node.span.line}")
            case ast.Call():
                self._call(node, scope)
        return [(child, scope) for child in children(node)]

    def _loop(self, node: LoopNode, scope: _Scope) -> list[tuple[Node, _Scope]]:
        loop = Loop(node, self.function, scope.loop, len(self.loops) + 1)
        self.loops.append(loop)
        head: list[Node] = [child for child in children(node) if child is not node.body]
        if any(isinstance(each, ast.StatementExpression) for part in head for each in preorder(part)):
            loop.reasons.append("there is a statement expression in its head")
        inside = _Scope(loop, loop, scope.switch)
        return [*((part, scope) for part in head), (node.body, inside)]

    def _control(self, node: ast.Statement, scope: _Scope) -> None:
        line = node.span.line
        if scope.in_expression:
            self._keep(scope.loop, f"a statement expression is left by a jump at line {line}")
        match node:
            case ast.Break() if scope.breaks is not None:
                scope.breaks.reasons.append(f"a break leaves it at line {line}")
            case ast.Continue() if scope.loop is not None:
                scope.loop.continues.append(node)
            case ast.Return():
                self._keep(scope.loop, f"a return leaves it at line {line}")
            case ast.Case() if scope.loop is not None and scope.switch is not None:
                outer = [] if scope.switch[0] is None else scope.switch[0].around()
                for loop in scope.loop.around():
                    if loop not in outer:
                        loop.reasons.append(f"a case of a switch around it is inside at line {line}")
            case ast.Goto():
                self.gotos.append((node, scope.loop))

    def _call(self, node: ast.Call, scope: _Scope) -> None:
        function = called_function(node)
        if function is not None and function.name in JUMPS:
            self.everywhere.append(f"the function calls {function.name} at line {node.span.line}")
        elif function is not None and function.name in FRAMES:
            self._keep(scope.loop, f"it calls {function.name} at line {node.span.line}")

    def _keep(self, innermost: Loop | None, reason: str) -> None:
        """Add a reason why the loops around a node cannot be moved."""
        for loop in [] if innermost is None else innermost.around():
            loop.reasons.append(reason)


def find_loops(function: ast.Function) -> tuple[list[Loop], list[Span]]:
    """The loops of a function in the order of the source, and the backward jumps."""
    finder = _Finder(function)
    finder.find()
    return finder.loops, finder.backward_gotos()
