"""Builds the blocks of a procedure, statement by statement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.ir.program import Assert, Assign, Assume, Block, Havoc
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.ir.program import Attributes, Statement
    from remuda.terms.store import Terms
    from remuda.terms.term import Term
    from remuda.terms.types import Type

STATED: Final = "assert"  # the kind of assertions that the program states itself


@final
@dataclass(slots=True, eq=False)
class OpenBlock:
    """A block under construction."""

    label: str
    span: Span
    statements: list[Statement] = field(default_factory=list)
    successors: list[OpenBlock] = field(default_factory=list)
    changes: int = 0  # statements added that may change the value of a variable


@final
@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A place between statements."""

    block: OpenBlock
    index: int
    changes: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.block is other.block and self.index == other.index

    __hash__ = None  # type: ignore[assignment]


@final
class Blocks:
    """The blocks of one procedure. Statements go to the end of the current block.

    After a jump, the current block has no predecessor: its statements are dead, and `finish` drops them. It keeps
    only the program's own assertions, behind an assumption that never holds, so that the report lists them.
    """

    def __init__(self, terms: Terms, span: Span) -> None:
        self.terms = terms
        self.locals: list[Variable] = []
        self._names: dict[str, int] = {}
        self._asserted: list[tuple[OpenBlock, Assert]] = []
        self.first = self.new("entry", span)
        self.current = self.first

    # --- variables

    def local(self, name: str, type_: Type) -> Variable:
        variable = Variable(name, type_, VariableKind.LOCAL)
        self.locals.append(variable)
        return variable

    def temporary(self, type_: Type, hint: str = "value") -> Variable:
        """A variable that traces do not show."""
        return self.local(f"t${hint}", type_)

    # --- blocks

    def new(self, hint: str, span: Span) -> OpenBlock:
        number = self._names.get(hint, 0)
        self._names[hint] = number + 1
        return OpenBlock(f"{hint}.{number}" if number else hint, span)

    def enter(self, block: OpenBlock) -> None:
        """Continue in a block, without an edge from the current one."""
        self.current = block

    def jump(self, target: OpenBlock, span: Span) -> None:
        """End the current block by going to another one."""
        self.current.successors.append(target)
        self.current = self.new("dead", span)

    def go(self, target: OpenBlock, span: Span) -> None:
        """Jump to a block and continue there."""
        self.jump(target, span)
        self.enter(target)

    def branch(self, condition: Term, then: OpenBlock, otherwise: OpenBlock, span: Span) -> None:
        """Go to one block or the other. Each edge has a block of its own, which assumes the condition."""
        for target, taken in ((then, condition), (otherwise, self.terms.not_(condition))):
            if taken is self.terms.false:
                continue
            way = self.new("way", span)
            if taken is not self.terms.true:
                way.statements.append(Assume(taken, span))
            way.successors.append(target)
            self.current.successors.append(way)
        self.current = self.new("dead", span)

    # --- statements

    def add(self, statement: Statement) -> None:
        self.current.statements.append(statement)
        if isinstance(statement, Assert) and statement.check.kind == STATED:
            self._asserted.append((self.current, statement))
        if not isinstance(statement, Assert | Assume):
            self.current.changes += 1

    def assign(self, variable: Variable, value: Term, span: Span, attributes: Attributes = ()) -> None:
        self.add(Assign((variable,), (value,), span, attributes))

    def assume(self, condition: Term, span: Span) -> None:
        if condition is not self.terms.true:
            self.add(Assume(condition, span))

    def havoc(self, variable: Variable, span: Span, attributes: Attributes = ()) -> Term:
        """Give a variable any value."""
        self.add(Havoc((variable,), span, attributes))
        return self.terms.var(variable)

    def position(self) -> Position:
        return Position(self.current, len(self.current.statements), self.current.changes)

    def is_unchanged_since(self, position: Position) -> bool:
        """Whether variables have the values that they had there."""
        return position.block is self.current and position.changes == self.current.changes

    def save(self, value: Term, at: Position, span: Span) -> Term:
        """The value as it was at an earlier position, whatever has happened since."""
        variable = self.temporary(value.type)
        at.block.statements.insert(at.index, Assign((variable,), (value,), span))
        return self.terms.var(variable)

    @property
    def is_reached(self) -> bool:
        """Whether a path leads from the first block to the current one, without `assume false` on it."""
        seen: set[int] = set()
        work = [self.first]
        while work:
            block = work.pop()
            if id(block) in seen or any(
                isinstance(each, Assume) and each.condition is self.terms.false for each in block.statements
            ):
                continue
            if block is self.current:
                return True
            seen.add(id(block))
            work.extend(block.successors)
        return False

    # --- the end

    def finish(self) -> tuple[Block, ...]:
        """The reachable blocks. A block with one predecessor that has no other successor is merged into it."""
        order = self._keep_dead(self._reachable())
        predecessors: dict[int, int] = {}
        for block in order:
            for target in block.successors:
                predecessors[id(target)] = predecessors.get(id(target), 0) + 1
        merged: set[int] = set()
        made: list[Block] = []
        for block in order:
            if id(block) in merged:
                continue
            statements = list(block.statements)
            last = block
            while len(last.successors) == 1 and _can_merge(last.successors[0], predecessors, self.first):
                last = last.successors[0]
                merged.add(id(last))
                statements.extend(last.statements)
            successors = tuple(dict.fromkeys(target.label for target in last.successors))
            made.append(Block(block.label, tuple(statements), successors, block.span))
        return tuple(made)

    def _keep_dead(self, order: list[OpenBlock]) -> list[OpenBlock]:
        """The blocks, and one more with the assertions of dropped blocks."""
        reached = {id(block) for block in order}
        dead = [statement for block, statement in self._asserted if id(block) not in reached]
        if not dead:
            return order
        entry, unreached = self.new("start", self.first.span), self.new("unreached", dead[0].span)
        unreached.statements += [Assume(self.terms.false, dead[0].span), *dead]
        entry.successors += [self.first, unreached]
        self.first = entry
        return [entry, *order, unreached]

    def _reachable(self) -> list[OpenBlock]:
        """The reachable blocks in depth-first order, so that a block comes before those that only it leads to."""
        seen: dict[int, None] = {}
        order: list[OpenBlock] = []
        work = [self.first]
        while work:
            block = work.pop()
            if id(block) not in seen:
                seen[id(block)] = None
                order.append(block)
                work.extend(reversed(block.successors))
        return order


def _can_merge(block: OpenBlock, predecessors: dict[int, int], first: OpenBlock) -> bool:
    return predecessors[id(block)] == 1 and block is not first
