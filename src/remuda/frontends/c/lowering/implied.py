"""Removes generated checks that earlier statements imply: on every path to the check, the same condition was asserted
or assumed, and nothing that it depends on has changed since.

    assert p != 0;                        assert p != 0;
    x := memory[p];                       x := memory[p];
    assert p != 0;             becomes
    y := memory[p + 4];                   y := memory[p + 4];
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.ir.program import Assert, Assign, Assume, Block, Call, Havoc
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from remuda.ir.program import Statement
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term


def without_implied(
    blocks: Sequence[Block], kinds: Collection[str], flags: Collection[Variable], *, stops: bool
) -> tuple[Block, ...]:
    """The blocks of a procedure without the checks of these kinds that are implied: by checks of these kinds, by
    assumptions, and, if executions stop at a failure, by other assertions. A flag is a Boolean variable that only
    assertions read; it is removed if no assertion is left."""
    analysis = _Analysis(blocks, kinds, stops=stops)
    kept = [_replaced(block, analysis.kept(block)) for block in blocks]
    asserted = {
        statement.condition.payload
        for block in kept
        for statement in block.statements
        if isinstance(statement, Assert) and statement.condition.op == "var"
    }
    unused = {flag for flag in flags if flag not in asserted}
    if not unused:
        return tuple(kept)
    return tuple(
        _replaced(block, [each for each in block.statements if not _only_sets(each, unused)]) for block in kept
    )


def _replaced(block: Block, statements: Sequence[Statement]) -> Block:
    return Block(block.label, tuple(statements), block.successors, block.span)


def _only_sets(statement: Statement, variables: set[Variable]) -> bool:
    return isinstance(statement, Assign) and all(target in variables for target in statement.targets)


def _conjuncts(condition: Term) -> tuple[Term, ...]:
    return condition.args if condition.op == "and" else (condition,)


@final
class _Analysis:
    """The conditions that hold at the start of each block, as bit sets."""

    def __init__(self, blocks: Sequence[Block], kinds: Collection[str], *, stops: bool) -> None:
        self._kinds = kinds
        self._stops = stops
        self._bits: dict[Term, int] = {}
        for block in blocks:
            for statement in block.statements:
                if isinstance(statement, Assert) and statement.check.kind in kinds:
                    for part in _conjuncts(statement.condition):
                        self._bits.setdefault(part, 1 << len(self._bits))
        self._all = (1 << len(self._bits)) - 1
        self._readers: dict[Variable, int] = {}
        self._global_readers = 0
        self._flags = {part.payload: bit for part, bit in self._bits.items() if part.op == "var"}
        for part, bit in self._bits.items():
            for variable in [term.payload for term in postorder((part,)) if term.op == "var"]:
                self._readers[variable] = self._readers.get(variable, 0) | bit
                if variable.kind is VariableKind.GLOBAL:
                    self._global_readers |= bit
        self._known = self._solve(blocks)

    def _solve(self, blocks: Sequence[Block]) -> dict[str, int]:
        """The greatest solution: all conditions at all blocks but the first, then fewer until nothing changes."""
        by_label = {block.label: block for block in blocks}
        known = dict.fromkeys(by_label, self._all)
        known[blocks[0].label] = 0
        work = [block.label for block in reversed(blocks)]
        pending = set(work)
        while work:
            label = work.pop()
            pending.discard(label)
            held = known[label]
            for statement in by_label[label].statements:
                held = self._after(statement, held)
            for successor in by_label[label].successors:
                narrowed = known[successor] & held
                if narrowed != known[successor]:
                    known[successor] = narrowed
                    if successor not in pending:
                        pending.add(successor)
                        work.append(successor)
        return known

    def _after(self, statement: Statement, held: int) -> int:
        match statement:
            case Assert(check=check) if not self._stops and check.kind not in self._kinds:
                return held
            case Assert(condition=condition) | Assume(condition=condition):
                for part in _conjuncts(condition):
                    held |= self._bits.get(part, 0)
            case Assign(targets=targets, values=values):
                held = self._without(held, targets)
                for target, value in zip(targets, values, strict=True):
                    if value.op == "bool" and value.payload:
                        held |= self._flags.get(target, 0)
            case Havoc(variables=variables):
                held = self._without(held, variables)
            case Call(results=results):
                held = self._without(held & ~self._global_readers, results)
            case _:
                held = 0
        return held

    def _without(self, held: int, changed: Sequence[Variable]) -> int:
        for variable in changed:
            held &= ~self._readers.get(variable, 0)
        return held

    def kept(self, block: Block) -> list[Statement]:
        held = self._known[block.label]
        kept: list[Statement] = []
        for statement in block.statements:
            if not self._is_implied(statement, held):
                kept.append(statement)
            held = self._after(statement, held)
        return kept

    def _is_implied(self, statement: Statement, held: int) -> bool:
        if not isinstance(statement, Assert) or statement.check.kind not in self._kinds:
            return False
        return all(self._bits[part] & held for part in _conjuncts(statement.condition))
