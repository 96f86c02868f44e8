"""The inputs of an execution on the machine for C, for an execution of the translated program."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from math import isfinite, isnan
from typing import TYPE_CHECKING, final

from remuda.confirm.given_bytes import is_bytes, parts
from remuda.confirm.machine_replays import keys_of, place_key
from remuda.frontends.c.reproduce import bytes_key
from remuda.ir.program import attribute
from remuda.machine.settings import BYTES
from remuda.replay.retell import INPUT
from remuda.terms.float_values import from_bits, infinity, nan, round_fraction
from remuda.terms.types import BOOL, BvType, FloatType, IntType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.ir.program import Havoc
    from remuda.machine.settings import Question
    from remuda.terms.types import Type
    from remuda.terms.values import Value


@final
class GivenInputs:
    """The inputs by name. Each may have several names (see `keys_of`), and is used once."""

    def __init__(self, told: Sequence[tuple[Question, int | float]]) -> None:
        self._values = [value for _, value in told]
        self._used: set[int] = set()
        self._queues: dict[str, deque[int]] = {}
        self._bytes: dict[str, list[int]] = {}  # of calls, by their names
        self._cells: dict[str, int] = {}  # the number of values that each cell has got
        for position, (question, value) in enumerate(told):
            if question.kind == BYTES:
                self._bytes.setdefault(bytes_key(question.name, question.span), []).append(int(value))
                continue
            for key in keys_of(question):
                self._queues.setdefault(key, deque()).append(position)

    def answer(self, havoc: Havoc) -> Value | None:
        marked = attribute(havoc.attributes, INPUT)
        if marked is None:
            return None
        if is_bytes(str(marked.arguments[2])):
            return self._cell(str(marked.arguments[2]), havoc.variables[0].type)
        queue = self._queues.get(str(marked.arguments[2]) or place_key(havoc.span), deque())
        while queue:
            position = queue.popleft()
            if position not in self._used:
                self._used.add(position)
                return _as_value(self._values[position], havoc.variables[0].type)
        return None

    def _cell(self, supply: str, type_: Type) -> Value | None:
        """A cell of what a call writes: each cell has a part of the bytes of each call in turn."""
        key, offset, width = parts(supply)
        calls, count = self._bytes.get(key, []), self._cells.get(supply, 0)
        self._cells[supply] = count + 1
        if count >= len(calls):
            return None
        bits = calls[count] >> 8 * offset & ((1 << width) - 1)
        return from_bits(bits, type_) if isinstance(type_, FloatType) else _as_value(bits, type_)


def _as_value(number: int | float, type_: Type) -> Value | None:
    """A number of the machine in the translated program."""
    if isinstance(type_, FloatType):
        if isnan(number):
            return nan(type_)
        if not isfinite(number):
            return infinity(type_, negative=number < 0)
        return round_fraction(Fraction(number), type_, "RNE", negative_zero=str(number).startswith("-"))
    if type_ == BOOL:
        return bool(number)
    if isinstance(type_, BvType):
        return int(number) % (1 << type_.width)
    return int(number) if isinstance(type_, IntType) else None
