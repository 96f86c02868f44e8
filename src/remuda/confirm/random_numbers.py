"""Random numbers that are likely to matter to a C program: small ones, limits of types, and those in the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import FloatingType, IntegerType
from remuda.frontends.c.syntax.walk import preorder
from remuda.machine.arithmetic import limits

if TYPE_CHECKING:
    from random import Random

    from remuda.frontends.c.syntax.types import CType

MOST_NODES: Final = 20_000  # of the program that constants are taken from
LIKELY: Final = 0.75
SMALL: Final = (0, 1, -1, 2, 3, 7, 10, 100)


@final
class RandomNumbers:
    """Numbers of any arithmetic type."""

    def __init__(self, random: Random, constants: list[int]) -> None:
        self._random = random
        self._constants = constants

    def is_likely(self) -> bool:
        """Mostly true."""
        return self._random.random() < LIKELY

    def of_type(self, type_: CType) -> int | float:
        random = self._random
        if isinstance(type_, FloatingType):
            return random.choice((0.0, 1.0, -1.0, 0.5, 1e10, -0.0, random.uniform(-100, 100)))
        assert isinstance(type_, IntegerType)
        low, high = limits(type_)
        way = random.random()
        if way < 0.4:
            return random.choice(SMALL)
        if way < 0.7 and self._constants:
            return random.choice(self._constants) + random.randint(-1, 1)
        if way < 0.8:
            return (1 << random.randrange(type_.width)) + random.randint(-1, 1)
        if way < 0.9:
            return random.choice((low, low + 1, high - 1, high))
        return random.randint(low, high)

    def of_bytes(self, type_: CType, fixed: int | None) -> int:
        """Bytes as one number: numbers of some width side by side, all of them `fixed` if there is such a number."""
        assert isinstance(type_, IntegerType)
        width = 32 if fixed is not None else self._random.choice((8, 16, 32, 64))
        part, made = IntegerType(width, signed=False), 0
        for at in range(0, type_.width, width):
            number = int(self.of_type(part)) if fixed is None else fixed
            made |= (number & ((1 << width) - 1)) << at
        return made & ((1 << type_.width) - 1)


def constants_of(unit: ast.Unit) -> list[int]:
    """The numbers in a program."""
    found: dict[int, None] = {}
    nodes = 0
    for function in unit.functions.values():
        for node in preorder(function.body) if function.body is not None else ():
            nodes += 1
            if isinstance(node, ast.IntegerLiteral):
                found[node.value] = None
        if nodes > MOST_NODES:
            break
    return list(found)
