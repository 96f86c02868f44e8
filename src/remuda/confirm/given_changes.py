"""The values in a trace of numbers that functions without a body have changed.

Such a function changes whole arrays at once, so the trace has no input for each number; but it has the values that
the program reads later. The machine asks for a number when it reads it, by the position in the source and the offset
in the object. Which of the values on that line it gets is a guess; the execution shows whether the guess was right.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.syntax.types import FloatingType, IntegerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.machine.settings import Question
    from remuda.replay.steps import Step
    from remuda.terms.values import Value

ALIGNMENT: Final = (
    1 << 12
)  # of the addresses of objects, at least: the lowest bits of an address are those of its offset

_Place = tuple[int, str, int, int]  # thread, file, line, lowest bits of the address


@final
class TraceChanges:
    """The elements of maps that a trace reads, by place."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._values: dict[_Place, deque[Value]] = {}
        for step in steps:
            for each in step.reads:
                if len(each.path) == 1 and isinstance(each.path[0][0], int):
                    key = (step.thread, step.span.source.name, step.span.line, each.path[0][0] % ALIGNMENT)
                    self._values.setdefault(key, deque()).append(each.value)

    def next(self, question: Question) -> Value | None:
        """The next value that is read at the place of a question; None if the trace has none."""
        type_ = question.type
        if isinstance(type_, FloatingType):
            return self._take(question, 0)
        whole = self._take(question, 0)
        if not isinstance(type_, IntegerType) or not isinstance(whole, int):
            return None
        for at in range(1, type_.width // 8):  # if the memory consists of bytes there
            byte = self._take(question, at)
            if isinstance(byte, int):
                whole |= byte << 8 * at
        return whole

    def _take(self, question: Question, at: int) -> Value | None:
        span = question.span
        queue = self._values.get((question.thread, span.source.name, span.line, (question.offset + at) % ALIGNMENT))
        return queue.popleft() if queue else None
