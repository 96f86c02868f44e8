"""Builds the control flow of a body: labels and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.base.source import Source, Span
from remuda.ir.program import Block, Statement

if TYPE_CHECKING:
    from collections.abc import Sequence


@final
class BlockBuilder:
    """Collects statements into blocks. After a jump, no block is open, and statements are dropped."""

    def __init__(self, source: Source, prefix: str, user_labels: set[str]) -> None:
        self.source = source
        self.prefix = prefix
        self.user_labels = user_labels
        self.blocks: dict[str, Block] = {}
        self.label: str | None = None
        self.statements: list[Statement] = []
        self._start = 0
        self._counter = 0

    def user(self, label: str) -> str:
        """The label of the block for a label in the source."""
        return self.prefix + label

    def fresh(self, stem: str) -> str:
        """A new label, such as `then.1`."""
        while True:
            self._counter += 1
            label = f"{stem}.{self._counter}"
            if label not in self.user_labels:
                return self.prefix + label

    def open(self, label: str, start: int) -> None:
        """Start a block; the open one falls through to it."""
        if self.label is not None:
            self.close((label,), start)
        self.label = label
        self.statements = []
        self._start = start

    def close(self, successors: Sequence[str], end: int) -> None:
        """Finish the open block, if there is one, with a jump (or, without successors, a return)."""
        if self.label is not None:
            span = Span(self.source, self._start, max(end, self._start))
            statements = tuple(self.statements)
            self.blocks[self.label] = Block(self.label, statements, tuple(dict.fromkeys(successors)), span)
        self.label = None
        self.statements = []


def reachable(blocks: dict[str, Block], entry: str) -> tuple[Block, ...]:
    """The blocks that control can reach, the entry first, then the others in their order."""
    seen = {entry}
    stack = [entry]
    while stack:
        for successor in blocks[stack.pop()].successors:
            if successor not in seen:
                seen.add(successor)
                stack.append(successor)
    rest = [block for label, block in blocks.items() if label in seen and label != entry]
    return (blocks[entry], *rest)
