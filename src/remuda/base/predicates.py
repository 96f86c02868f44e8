"""Predicates over variables at a point of a program, independent of the language.

    Comparison("x", "<=", "y")        x <= y
    Comparison("x", "==", "y", 2)     x == y + 2
    Comparison("x", ">=", 0)          x >= 0
    OneOf("x", (1, 2, 4))             x is 1, 2 or 4

Values are integers whatever their type: false is 0, true is 1, and an address is the number it is stored as.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, final


class Moment(Enum):
    """The position of a point in its function."""

    ENTRY = "entries"
    EXIT = "exits"
    LOOP = "loops"


class Kind(Enum):
    """The kinds of variables, which decide the predicates that may be formed with them."""

    NUMBER = "number"  # comparisons of all kinds
    BITS = "bits"  # equalities only
    BOOLEAN = "boolean"  # equalities only, with 0 and 1
    ADDRESS = "address"  # equalities only, and no constant but 0


@final
@dataclass(frozen=True, slots=True)
class Observed:
    """A variable that has a value at a point.

    Variables are only compared with others of the same `group`, which stands for a type. `constants` are the
    constants that the program compares the variable with or assigns to it, the most relevant first. `assigned` has
    all values that are ever assigned to it, if they are known. `is_old` marks the value at the procedure's entry.
    """

    name: str
    group: str
    kind: Kind = Kind.NUMBER
    low: int | None = None
    high: int | None = None
    constants: tuple[int, ...] = ()
    assigned: tuple[int, ...] | None = None
    is_old: bool = False

    def admits(self, value: int) -> bool:
        """Whether the type of the variable contains a value."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


@final
@dataclass(frozen=True, slots=True)
class Point:
    """A place where something may be asserted. Numbers are unique in a program."""

    number: int
    function: str
    moment: Moment
    line: int
    variables: tuple[Observed, ...]


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """`left op right + offset`. `right` is a variable or a number; an offset only ever comes with a variable."""

    left: str
    op: str
    right: str | int
    offset: int = 0


@final
@dataclass(frozen=True, slots=True)
class OneOf:
    name: str
    values: tuple[int, ...]


Predicate = Comparison | OneOf

COMPARED: Final[dict[str, Callable[[int, int], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
}


def holds(predicate: Predicate, values: Mapping[str, int]) -> bool:
    """Whether a predicate is true for these values of variables."""
    if isinstance(predicate, OneOf):
        return values[predicate.name] in predicate.values
    right = values[predicate.right] if isinstance(predicate.right, str) else predicate.right
    return COMPARED[predicate.op](values[predicate.left], right + predicate.offset)


def mentioned(predicate: Predicate) -> tuple[str, ...]:
    """The variables that occur in a predicate."""
    if isinstance(predicate, OneOf):
        return (predicate.name,)
    return (predicate.left, predicate.right) if isinstance(predicate.right, str) else (predicate.left,)
