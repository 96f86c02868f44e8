"""Finds expressions whose result depends on the order in which operands are evaluated, where C leaves that order
open.

    f() + g()          if f writes something that g reads or writes
    a[i] = i++         the place depends on what the value changes
    take(n++, n)       and so do arguments
    i = i++            which of the two changes comes last?

The lowering uses one order: from left to right, and the right side of an assignment first. The report lists this as
an assumption. The analysis may find too many expressions, because it does not distinguish the objects that pointers
lead to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.lowering.reachable import is_lasting, nodes_of
from remuda.frontends.c.lowering.volatile import object_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import PointerType
from remuda.frontends.c.syntax.walk import called_function, children, postorder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.memory.model import MemoryModel
    from remuda.frontends.c.syntax.walk import Node

Object = ast.Variable | None  # None: any object that a pointer leads to


@final
@dataclass(slots=True)
class _Effects:
    """What an expression reads and writes; `late` are writes that may happen after its value is computed."""

    reads: set[Object] = field(default_factory=set)
    writes: set[Object] = field(default_factory=set)
    late: set[Object] = field(default_factory=set)

    def add(self, other: _Effects, *, is_done: bool = False) -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        if not is_done:
            self.late |= other.late


NONE: Final = _Effects()


def open_order(functions: Sequence[ast.Function], memory: MemoryModel) -> Span | None:
    """The first expression whose result may depend on an order of evaluation that C leaves open."""
    search = _Search(functions, memory)
    for function in functions:
        *_, first = (None, *search.places(function))
        if first is not None:
            return first
    return None


@final
class _Search:
    def __init__(self, functions: Sequence[ast.Function], memory: MemoryModel) -> None:
        self._memory = memory
        self._calls: dict[ast.Function, _Effects] = {function: _Effects() for function in functions}
        self._summarise(functions)

    # --- functions

    def _summarise(self, functions: Sequence[ast.Function]) -> None:
        """The effects of calls of each function that callers can see."""
        callees: dict[ast.Function, list[ast.Call]] = {}
        for function in functions:
            effects = self._calls[function]
            callees[function] = []
            for node in nodes_of(function):
                if isinstance(node, ast.Call):
                    callees[function].append(node)
                own = self._own(node)
                effects.reads.update(filter(self._is_seen, own.reads))
                effects.writes.update(filter(self._is_seen, own.writes))
        changed = True
        while changed:
            changed = False
            for function, calls in callees.items():
                effects = self._calls[function]
                before = len(effects.reads) + len(effects.writes)
                for call in calls:
                    effects.add(self._called(call), is_done=True)
                changed = changed or len(effects.reads) + len(effects.writes) > before

    def _is_seen(self, accessed: Object) -> bool:
        """Whether an access is visible outside the function's own body."""
        return accessed is None or is_lasting(accessed) or self._memory.in_memory(accessed)

    def _called(self, call: ast.Call) -> _Effects:
        direct = called_function(call)
        targets = self._memory.targets(call) if direct is None else (direct,)
        found = _Effects()
        for target in targets:
            found.add(self._calls[target] if target in self._calls else _by_declaration(target), is_done=True)
        return found

    # --- expressions

    def places(self, function: ast.Function) -> Iterable[Span]:
        """The expressions of a function whose value or effect depends on the order; the last one first."""
        known: dict[int, _Effects] = {}
        for node in reversed(nodes_of(function)):
            if isinstance(node, ast.Declaration):
                lists = [variable.initializer for variable in node.variables]
                parts = [[part.value for part in each.parts] for each in lists if each is not None]
                if any(self._in_conflict([known.get(id(value), NONE) for value in values]) for values in parts):
                    yield node.span
            if not isinstance(node, ast.Expression):
                continue
            effects = known[id(node)] = self._effects(node, known)
            if effects.writes and self._depends(node, known):
                yield node.span

    def _effects(self, node: ast.Expression, known: dict[int, _Effects]) -> _Effects:
        if isinstance(node, ast.StatementExpression):
            inside = _Effects()
            for each in postorder(node.body):
                inside.add(self._own(each), is_done=True)
                if isinstance(each, ast.Call):
                    inside.add(self._called(each), is_done=True)
            return inside
        operands = [known[id(child)] for child in children(node) if id(child) in known]
        own = self._called(node) if isinstance(node, ast.Call) else self._own(node)
        if len(operands) == 1 and not own.reads and not own.writes:
            return operands[0]
        found = _Effects()
        is_sequenced = isinstance(node, ast.Logical | ast.Conditional | ast.Comma | ast.Call)
        for position, operand in enumerate(operands):
            found.add(operand, is_done=is_sequenced and (position == 0 or isinstance(node, ast.Call)))
        found.add(own)
        return found

    def _own(self, node: Node) -> _Effects:
        """The effects of a node itself, without its operands and without the body of a called function."""
        match node:
            case ast.Cast(kind=CastKind.LVALUE_TO_RVALUE, operand=operand):
                return _Effects(reads={object_of(operand)})
            case ast.Assign(target=target) | ast.CompoundAssign(target=target) | ast.Step(operand=target):
                written: set[Object] = {object_of(target)}
                return _Effects(set() if isinstance(node, ast.Assign) else set(written), written, set(written))
            case _:
                return NONE

    def _depends(self, node: ast.Expression, known: dict[int, _Effects]) -> bool:
        if isinstance(node, ast.Logical | ast.Conditional | ast.Comma | ast.StatementExpression):
            return False
        operands = [known[id(child)] for child in children(node) if id(child) in known]
        if self._in_conflict(operands):
            return True
        own = self._own(node)
        if isinstance(node, ast.CompoundAssign) and self._meet(operands[-1].writes, own.reads):
            return True
        return bool(own.writes) and any(self._meet(own.writes, operand.late) for operand in operands)

    def _in_conflict(self, operands: Sequence[_Effects]) -> bool:
        for position, left in enumerate(operands):
            for right in operands[position + 1 :]:
                if self._meet(left.writes, right.reads | right.writes) or self._meet(right.writes, left.reads):
                    return True
        return False

    def _meet(self, writes: set[Object], accesses: set[Object]) -> bool:
        """Whether two sets of objects may have one in common."""
        if writes & accesses:
            return True
        return (None in writes and self._any_in_memory(accesses)) or (
            None in accesses and self._any_in_memory(writes)
        )

    def _any_in_memory(self, objects: Iterable[Object]) -> bool:
        return any(each is not None and self._memory.in_memory(each) for each in objects)


def _by_declaration(function: ast.Function) -> _Effects:
    """The effects of a function without a body, according to the types of its parameters."""
    found = _Effects()
    pointers = [each for each in function.type.parameters if isinstance(each, PointerType)]
    if pointers:
        found.reads.add(None)
    if any(not each.to_const for each in pointers):
        found.writes.add(None)
    return found
