"""Initialisers: finds the value for each part of the object.

Clang shows lists as they are written. By C's rules, values fill the parts in order, a designator jumps to a part,
braces may be left out around inner aggregates, and a string fills an array of characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from remuda.frontends.c.clang.conversions import convert
from remuda.frontends.c.syntax.ast import (
    CompoundLiteral,
    Expression,
    Initializer,
    Part,
    StringLiteral,
    UnsupportedExpression,
)
from remuda.frontends.c.syntax.types import ArrayType, CType, Field, IntegerType, RecordType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.base.source import Span

Step: TypeAlias = Field | int
Path: TypeAlias = tuple[Step, ...]
MAXIMAL_RANGE = 100_000  # elements that one range may fill


@final
@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """`{...}` as written."""

    items: tuple[Item, ...]
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A value, and the designators before it; a range `[low ... high]` is a designator with two numbers."""

    designators: tuple[Field | tuple[int, int], ...]
    value: Expression | Listed


def elaborate(type_: CType, value: Expression | Listed, span: Span) -> Initializer:
    """The initialiser of an object of a type."""
    if isinstance(value, Listed):
        return Initializer(tuple(_Elaboration(type_, value).parts), zero_rest=True, span=span)
    parts = tuple(_whole((), type_, value)) if _fits_whole(type_, value) else (_misfit((), type_, value),)
    return Initializer(parts, zero_rest=isinstance(type_, ArrayType), span=span)


def _is_aggregate(type_: CType) -> bool:
    return isinstance(type_, ArrayType | RecordType)


def _fits_whole(type_: CType, value: Expression) -> bool:
    """Whether a value initialises a whole object of a type (and not its first part)."""
    match type_:
        case ArrayType(IntegerType() as element, _) if isinstance(value, StringLiteral):
            string = value.type
            return (
                isinstance(string, ArrayType)
                and isinstance(string.element, IntegerType)
                and (string.element.width == element.width)
            )
        case ArrayType():
            return isinstance(value, CompoundLiteral) and isinstance(value.type, ArrayType)
        case RecordType():
            return value.type is type_
        case _:
            return True


def _whole(path: Path, type_: CType, value: Expression) -> Iterator[Part]:
    if isinstance(type_, ArrayType) and isinstance(value, StringLiteral):
        units = value.units if type_.length is None else value.units[: type_.length]
        yield Part(path, StringLiteral(ArrayType(type_.element, len(units)), value.span, units))
    elif isinstance(type_, ArrayType) and isinstance(value, CompoundLiteral):
        initializer = value.variable.initializer
        assert initializer is not None
        yield from (Part((*path, *part.path), part.value) for part in initializer.parts)
    else:
        yield Part(path, convert(value, type_))


def _misfit(path: Path, type_: CType, value: Expression) -> Part:
    return Part(path, UnsupportedExpression(type_, value.span, f"an initialiser of type {value.type} for {type_}"))


@final
class _Level:
    """A place in an aggregate that is being filled: the next member to get a value."""

    __slots__ = ("members", "next", "path", "type")

    def __init__(self, type_: ArrayType | RecordType, path: Path) -> None:
        self.type = type_
        self.path = path
        self.next = 0
        self.members = type_.fields if isinstance(type_, RecordType) else ()

    def is_full(self) -> bool:
        if isinstance(self.type, ArrayType):
            return self.type.length is not None and self.next >= self.type.length
        return self.next >= len(self.members)

    def current(self) -> tuple[Path, CType]:
        if isinstance(self.type, ArrayType):
            return (*self.path, self.next), self.type.element
        field = self.members[self.next]
        return (*self.path, field), field.type

    def go_to(self, designator: Field | int) -> None:
        self.next = designator if isinstance(designator, int) else self.members.index(designator)

    def advance(self) -> None:
        """Go on to the next member; a union is full after one."""
        is_union = isinstance(self.type, RecordType) and self.type.kind == "union"
        self.next = len(self.members) if is_union else self.next + 1


@final
class _Frame:
    """A list in braces, and the position of the next item."""

    __slots__ = ("at", "items", "levels")

    def __init__(self, type_: CType, path: Path, listed: Listed) -> None:
        self.items = listed.items
        self.at = 0
        assert isinstance(type_, ArrayType | RecordType)
        self.levels = [_Level(type_, path)]


@final
class _Elaboration:
    """Reads nested lists, with an explicit stack."""

    def __init__(self, type_: CType, listed: Listed) -> None:
        self.parts: list[Part] = []
        self._begun: set[Path] = set()  # the objects that some part of has a value, if designators need it
        self._seen = 0  # the number of parts in `_begun`
        self._frames: list[_Frame] = []
        self._open((), type_, listed)
        while self._frames:
            frame = self._frames[-1]
            if frame.at == len(frame.items):
                self._frames.pop()
            else:
                frame.at += 1
                self._item(frame, frame.items[frame.at - 1])

    def _open(self, path: Path, type_: CType, listed: Listed) -> None:
        """Begin to read a list for a part of the object."""
        while len(listed.items) == 1 and not listed.items[0].designators:
            value = listed.items[0].value
            if isinstance(value, Expression):
                if _fits_whole(type_, value):
                    self.parts.extend(_whole(path, type_, value))
                    return
                break
            if _is_aggregate(type_):
                break
            listed = value  # `{{1}}` for a scalar
        if _is_aggregate(type_):
            self._frames.append(_Frame(type_, path, listed))
        elif listed.items and isinstance(first := listed.items[0].value, Expression):
            self.parts.append(Part(path, convert(first, type_)))

    def _item(self, frame: _Frame, item: Item) -> None:
        if not item.designators:
            self._place(frame, item.value)
            return
        for designators in _each(item.designators):
            del frame.levels[1:]
            frame.levels[0].go_to(designators[0])
            for designator in designators[1:]:
                path, type_ = frame.levels[-1].current()
                assert isinstance(type_, ArrayType | RecordType)
                frame.levels.append(_Level(type_, path))
                frame.levels[-1].go_to(designator)
            self._forget(frame.levels[-1].current()[0])
            self._place(frame, item.value)

    def _forget(self, path: Path) -> None:
        """Drop the values of an object that a designator initialises again."""
        count = len(path)
        for part in self.parts[self._seen :]:
            self._begun.update(part.path[:length] for length in range(1, len(part.path) + 1))
        if path in self._begun:
            self.parts = [part for part in self.parts if part.path[:count] != path]
        self._seen = len(self.parts)

    def _place(self, frame: _Frame, value: Expression | Listed) -> None:
        """Give a value to the next part that can take it. Surplus values are dropped."""
        levels = frame.levels
        while True:
            level = levels[-1]
            if level.is_full():
                if len(levels) == 1:
                    return
                levels.pop()
                levels[-1].advance()
                continue
            path, type_ = level.current()
            if isinstance(value, Listed):
                level.advance()
                self._open(path, type_, value)
                return
            if _fits_whole(type_, value):
                self.parts.extend(_whole(path, type_, value))
                level.advance()
                return
            assert isinstance(type_, ArrayType | RecordType)
            levels.append(_Level(type_, path))


def _each(designators: tuple[Field | tuple[int, int], ...]) -> Iterator[Path]:
    """The places that designators with ranges mean, in order."""
    paths: list[Path] = [()]
    for designator in designators:
        if isinstance(designator, Field):
            paths = [(*path, designator) for path in paths]
        else:
            low, high = designator
            paths = [(*path, index) for path in paths for index in range(low, high + 1)]
    return iter(paths)


def range_is_sane(low: int, high: int) -> bool:
    return 0 <= low <= high and high - low < MAXIMAL_RANGE
