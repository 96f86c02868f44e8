"""The scopes of a function: what a jump leaves, and what it enters.

When execution leaves a block, the functions that `__attribute__((cleanup(f)))` names are called, and the objects of the
block end. When it enters a block again, the variables of the block have any value until their declarations are executed.
That matters where a jump leads into the block, or past a declaration in it.

{ int i = 42; goto out; in: assert(i == 42); }   ...   out: goto in;      // fails: this is another `i`
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import VariableArrayType
from remuda.frontends.c.syntax.walk import Node, children

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remuda.frontends.c.lowering.expressions import Expressions
    from remuda.frontends.c.lowering.objects import Objects
    from remuda.frontends.c.lowering.trampoline import Steps

Chain = tuple[ast.Variable, ...]  # the variables in whose scope a place is, the outermost first


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where a label or a case is: the blocks around it, and the variables whose scopes it is in."""

    blocks: tuple[Node, ...] = ()
    variables: Chain = ()


@final
@dataclass(slots=True, eq=False)
class _Places:
    """Where labels and cases are; the block that each variable is declared in; and the variables of each block whose
    declarations jumps may pass."""

    labels: dict[str, _Place] = field(default_factory=dict)
    cases: dict[ast.Switch, list[_Place]] = field(default_factory=dict)
    blocks: dict[ast.Variable, Node] = field(default_factory=dict)
    passed: dict[Node, dict[ast.Variable, None]] = field(default_factory=dict)

    def add(self, place: _Place) -> _Place:
        for variable in place.variables:
            self.passed.setdefault(self.blocks[variable], {})[variable] = None
        return place


@final
class Scopes:
    """The scopes that are open, as the statements of one function are lowered."""

    def __init__(self, function: ast.Function, expressions: Expressions, objects: Objects) -> None:
        self._expressions = expressions
        self._objects = objects
        self._open: list[ast.Variable] = []
        self._blocks: list[Node] = []
        self._starts: list[int] = []  # how many variables were in scope where each block begins
        self._places = _places(function)

    @property
    def depth(self) -> int:
        """How many blocks are around this place."""
        return len(self._blocks)

    def open(self, block: Node) -> None:
        """Execution comes to the start of a block."""
        if self._blocks:
            self._objects.enter(self._places.passed.get(block, ()))
        self._blocks.append(block)
        self._starts.append(len(self._open))

    def add(self, variable: ast.Variable) -> None:
        """The scope of a variable begins."""
        self._open.append(variable)

    def close(self) -> Steps:
        """Execution comes to the end of the innermost block."""
        yield self.leave(self.depth - 1)
        self._blocks.pop()
        del self._open[self._starts.pop() :]

    def leave(self, depth: int) -> Steps:
        """A jump leaves all blocks that are deeper; what follows in the text is still in them."""
        start = self._starts[depth] if depth < self.depth else len(self._open)
        yield self._leave(start, start)

    def finish(self) -> Steps:
        """Execution returns from the function, at whose end all of its objects end."""
        yield self._leave(0, len(self._open))

    def _leave(self, first: int, first_left: int) -> Steps:
        """Leave the scopes of variables from one on, and their blocks from one on."""
        for position in reversed(range(first, len(self._open))):
            variable = self._open[position]
            if variable.cleanup is not None:
                yield self._expressions.effect(variable.cleanup)
            if position >= first_left or isinstance(variable.type, VariableArrayType):
                self._objects.leave(variable)

    def has_actions(self, depth: int) -> bool:
        """Whether leaving all blocks that are deeper calls functions."""
        start = self._starts[depth] if depth < self.depth else len(self._open)
        return any(variable.cleanup is not None for variable in self._open[start:])

    # --- jumps

    def jump(self, label: str) -> Steps:
        """A jump to a label leaves some blocks, and may enter others, or pass declarations."""
        place = self._places.labels.get(label, _Place())
        shared = _common(self._blocks, place.blocks)
        first_left = self._starts[shared] if shared < self.depth else len(self._open)
        yield self._leave(_common(self._open, place.variables), first_left)
        self._enter((place,))

    def jump_to_any(self, labels: Iterable[str]) -> None:
        """A jump may lead to several labels."""
        self._enter([self._places.labels.get(label, _Place()) for label in labels])

    def dispatch(self, node: ast.Switch) -> None:
        """A switch jumps to one of its cases."""
        self._enter(self._places.cases.get(node, ()))

    def _enter(self, places: Iterable[_Place]) -> None:
        entered: dict[ast.Variable, None] = {}
        for place in places:
            blocks = set(place.blocks[_common(self._blocks, place.blocks) :])
            entered.update(dict.fromkeys(each for each in place.variables if self._places.blocks[each] in blocks))
        self._objects.enter(entered)


def _common(left: Sequence[object], right: Sequence[object]) -> int:
    """How many of the first elements are the same."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one is not other:
            break
        count += 1
    return count


def _places(function: ast.Function) -> _Places:
    """Where the labels and cases of a function are."""
    found = _Places()
    if function.body is None or not any(isinstance(node, ast.Label | ast.Case) for node in nodes_of(function)):
        return found
    work: list[tuple[Node, _Place, ast.Switch | None]] = [(function.body, _Place(), None)]
    while work:
        node, place, switch = work.pop()
        if isinstance(node, ast.Label):
            found.labels[node.name] = found.add(place)
        elif isinstance(node, ast.Case) and switch is not None:
            found.cases.setdefault(switch, []).append(found.add(place))
        elif isinstance(node, ast.Switch):
            switch = node
        is_block = isinstance(node, ast.Compound | ast.For)
        if is_block:
            place = _Place((*place.blocks, node), place.variables)
        for child in children(node):
            work.append((child, place, switch))
            if is_block:
                declared = _declared(child)
                found.blocks.update(dict.fromkeys(declared, node))
                place = _Place(place.blocks, place.variables + declared)
    return found


def _declared(node: Node) -> Chain:
    """What a statement of a block declares for the statements behind it."""
    while isinstance(node, ast.Label | ast.Case):
        node = node.body
    if not isinstance(node, ast.Declaration):
        return ()
    return tuple(each for each in node.variables if each.storage is ast.Storage.LOCAL)


def inner_variables(function: ast.Function) -> frozenset[ast.Variable]:
    """The automatic objects of blocks inside a function's body: they may end before the function does."""
    found: set[ast.Variable] = set()
    work: list[tuple[Node, int]] = [] if function.body is None else [(function.body, 0)]
    while work:
        node, depth = work.pop()
        depth += isinstance(node, ast.Compound | ast.For)
        if depth > 1 and isinstance(node, ast.Declaration):
            found.update(each for each in node.variables if each.storage is ast.Storage.LOCAL)
        elif depth > 1 and isinstance(node, ast.CompoundLiteral):
            found.add(node.variable)
        work.extend((child, depth) for child in children(node))
    return frozenset(found)
