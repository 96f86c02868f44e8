"""Inputs that the machine for C has tried, for an execution of the translated program."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from math import isfinite, isnan
from typing import TYPE_CHECKING, final

from remuda.ir.program import attribute
from remuda.replay.retell import INPUT
from remuda.session.machine_replays import keys_of, place_key
from remuda.terms.float_values import infinity, nan, round_fraction
from remuda.terms.types import BOOL, BvType, FloatType, IntType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.ir.program import Havoc
    from remuda.machine.settings import Question
    from remuda.terms.types import Type
    from remuda.terms.values import Value


@final
class GivenInputs:
    """Each input may be known under several names (see `keys_of`), and is used once."""

    def __init__(self, told: Sequence[tuple[Question, int | float]]) -> None:
        self._values = [value for _, value in told]
        self._used: set[int] = set()
        self._queues: dict[str, deque[int]] = {}
        for position, (question, _) in enumerate(told):
            for key in keys_of(question):
                self._queues.setdefault(key, deque()).append(position)

    def answer(self, havoc: Havoc) -> Value | None:
        marked = attribute(havoc.attributes, INPUT)
        if marked is None:
            return None
        queue = self._queues.get(str(marked.arguments[2]) or place_key(havoc.span), deque())
        while queue:
            position = queue.popleft()
            if position not in self._used:
                self._used.add(position)
                return _as_value(self._values[position], havoc.variables[0].type)
        return None


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
