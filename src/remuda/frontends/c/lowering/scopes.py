"""The scopes of a function, and which of them a jump leaves and enters.

When execution leaves a block, the functions that `__attribute__((cleanup(f)))` names are called, and the objects of the
block end. When it enters a block again, the variables of the block have any value until their declarations are executed.
That matters where a jump leads into the block, or past a declaration in it. A jump back that does not leave the block
leads to the same objects again, also if their declarations are executed a second time.

{ int i = 42; goto out; in: assert(i == 42); }   ...   out: goto in;      // fails: this is another `i`
{ again:; int i; if (p) assert(p == &i); p = &i; goto again; }            // holds: this is the same `i`
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
class Places:
    """The positions of labels and cases; the block of each variable; and `passed`, the variables of each block whose
    declarations jumps may skip.

    `early` adds the variables and compound literals of all blocks with labels: their lifetimes begin with the block,
    not with the declaration. `repeated` are variables whose declarations may be executed several times.
    """

    labels: dict[str, _Place] = field(default_factory=dict)
    cases: dict[ast.Switch, list[_Place]] = field(default_factory=dict)
    blocks: dict[ast.Variable, Node] = field(default_factory=dict)
    passed: dict[Node, dict[ast.Variable, None]] = field(default_factory=dict)
    early: dict[Node, dict[ast.Variable, None]] = field(default_factory=dict)
    repeated: set[ast.Variable] = field(default_factory=set)

    def add(self, place: _Place) -> _Place:
        for variable in place.variables:
            self.passed.setdefault(self.blocks[variable], {})[variable] = None
        return place

    def is_early(self, variable: ast.Variable) -> bool:
        return variable in self.blocks and variable in self.early.get(self.blocks[variable], {})

    def find_early(self) -> None:
        """Compute `early` and `repeated`, once all labels are found."""
        self.early = {block: dict(variables) for block, variables in self.passed.items()}
        members: dict[Node, list[ast.Variable]] = {}
        for variable, block in self.blocks.items():
            members.setdefault(block, []).append(variable)
        for place in self.labels.values():
            for block in place.blocks:
                self.early.setdefault(block, {}).update(dict.fromkeys(members.get(block, ())))
                self.repeated.update(set(members.get(block, ())).difference(place.variables))


@final
class Scopes:
    """The scopes that are open, as the statements of one function are lowered."""

    def __init__(self, places: Places, expressions: Expressions, objects: Objects) -> None:
        self._expressions = expressions
        self._objects = objects
        self._open: list[ast.Variable] = []
        self._blocks: list[Node] = []
        self._starts: list[int] = []  # the number of variables in scope at the start of each block
        self._places = places

    @property
    def depth(self) -> int:
        """The number of open blocks."""
        return len(self._blocks)

    def open(self, block: Node) -> None:
        """Open a block at its start."""
        self._objects.come_early(self._places.early.get(block, ()))
        if self._blocks:
            self._objects.enter(self._places.passed.get(block, ()))
        self._blocks.append(block)
        self._starts.append(len(self._open))

    def add(self, variable: ast.Variable) -> None:
        """Begin the scope of a variable."""
        self._open.append(variable)

    def close(self) -> Steps:
        """Close the innermost block at its end."""
        yield self.leave(self.depth - 1)
        self._blocks.pop()
        del self._open[self._starts.pop() :]

    def leave(self, depth: int) -> Steps:
        """Leave all deeper blocks by a jump. They stay open for the statements that follow in the text."""
        start = self._starts[depth] if depth < self.depth else len(self._open)
        yield self._leave(self._open[:start], start)

    def finish(self) -> Steps:
        """Leave all blocks by a return; the objects end with the function."""
        yield self._leave((), len(self._open))

    def _leave(self, stay: Sequence[ast.Variable], first_left: int) -> Steps:
        """Leave the scopes of all variables that do not `stay`, and the blocks of those from `first_left` on."""
        inside = frozenset(stay)
        for position in reversed(range(len(self._open))):
            variable = self._open[position]
            if variable.cleanup is not None and variable not in inside:
                yield self._expressions.effect(variable.cleanup)
            is_gone = isinstance(variable.type, VariableArrayType) and variable not in inside
            if position >= first_left or is_gone:
                self._objects.leave(variable)

    def has_actions(self, depth: int) -> bool:
        """Whether leaving all deeper blocks calls functions (`cleanup`)."""
        start = self._starts[depth] if depth < self.depth else len(self._open)
        return any(variable.cleanup is not None for variable in self._open[start:])

    # --- jumps

    def jump(self, label: str) -> Steps:
        """Jump to a label: leave some blocks, enter others, and skip declarations."""
        place = self._places.labels.get(label, _Place())
        shared = _common(self._blocks, place.blocks)
        first_left = self._starts[shared] if shared < self.depth else len(self._open)
        yield self._leave(place.variables, first_left)
        self._enter((place,))

    def jump_to_any(self, labels: Iterable[str]) -> None:
        """Jump to any of several labels."""
        self._enter([self._places.labels.get(label, _Place()) for label in labels])

    def dispatch(self, node: ast.Switch) -> None:
        """Jump from a switch to any of its cases."""
        self._enter(self._places.cases.get(node, ()))

    def _enter(self, places: Iterable[_Place]) -> None:
        entered: dict[ast.Variable, None] = {}
        early: dict[ast.Variable, None] = {}
        for place in places:
            blocks = dict.fromkeys(place.blocks[_common(self._blocks, place.blocks) :])
            entered.update(dict.fromkeys(each for each in place.variables if self._places.blocks[each] in blocks))
            for block in blocks:
                early.update(self._places.early.get(block, {}))
        self._objects.come_early(early)
        self._objects.enter(entered)


def _common(left: Sequence[object], right: Sequence[object]) -> int:
    """The length of the longest common prefix."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one is not other:
            break
        count += 1
    return count


def find_places(function: ast.Function) -> Places:
    """Find the labels and cases of a function."""
    found = Places()
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
        elif isinstance(node, ast.CompoundLiteral) and place.blocks:
            found.blocks[node.variable] = place.blocks[-1]
        is_block = isinstance(node, ast.Compound | ast.For)
        if is_block:
            place = _Place((*place.blocks, node), place.variables)
        for child in children(node):
            is_repeated = isinstance(node, ast.While | ast.DoWhile | ast.For) and child is node.body
            inside = _Place((*place.blocks, child), place.variables) if is_repeated else place
            work.append((child, inside if not isinstance(child, ast.Compound) else place, switch))
            if is_block:
                declared = _declared(child)
                found.blocks.update(dict.fromkeys(declared, node))
                place = _Place(place.blocks, place.variables + declared)
    found.find_early()
    return found


def _declared(node: Node) -> Chain:
    """The variables that a statement declares for the rest of its block."""
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
