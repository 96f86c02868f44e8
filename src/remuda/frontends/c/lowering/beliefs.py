"""Terms that say whether a belief of the points-to analysis holds: an address lies where it is believed to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.memory.abstract_objects import WHOLE
from remuda.frontends.c.syntax.shapes import UNBOUNDED

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.context import ProgramContext
    from remuda.frontends.c.memory.beliefs import Beliefs, Window
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term

Find = Callable[[int, int], "Beliefs"]  # the beliefs about an access, by its distance from a place and its size

OUTSIDE: Final = "an index outside of its array, which leads to another part of the object"
BROKEN: Final = "a pointer that leaves the array, or the object, that it is believed to point into"


@final
@dataclass(frozen=True, slots=True)
class Doubt:
    """What the analysis believes about a place that a pointer leads to. `pointer` has the beliefs about the pointer
    itself, whose value is `address`. `find` is None in an array of known length, where only the pointer is
    checked."""

    address: Term
    pointer: Beliefs
    find: Find | None
    offset: int = 0
    is_wild: bool = False  # the pointer may come from an unknown integer

    def at(self, offset: int) -> Doubt:
        return replace(self, offset=self.offset + offset)

    @property
    def in_array(self) -> Doubt | None:
        """The same for an element of an array there."""
        return replace(self, find=None) if self.pointer else None


def holds(program: ProgramContext, address: Term, beliefs: Beliefs, size: Term | None = None, *, wild: bool) -> Term:
    """The condition that an access is where it is believed to be. For beliefs about one byte, `size` is the size of
    the range that is accessed. An address that may come from an unknown integer (`wild`) must be in one of the
    objects."""
    terms, storage = program.terms, program.storage
    starts = [_address(program, each.object_) for each in beliefs]
    named = {start: each.windows for start, each in zip(starts, beliefs, strict=True) if start is not None}
    is_unknown = any(each.is_unknown for each in beliefs)
    rest = [
        each.windows for start, each in zip(starts, beliefs, strict=True) if start is None and not each.is_unknown
    ]
    layout = storage.layout
    offset = layout.offset(address)
    condition = terms.and_([_in_windows(program, offset, windows, size) for windows in rest])
    if is_unknown and rest:  # an unknown object is none that the program has allocated
        condition = terms.or_((terms.not_(layout.is_allocated(address)), condition))
    elif wild and not is_unknown:
        others = program.dynamic.difference(each.object_ for each in beliefs if each.object_ is not None)
        is_told = bool(rest) and not any(program.memory.in_memory(each) for each in others)
        condition = terms.and_((condition, layout.is_dynamic(address))) if is_told else terms.false
    if not rest and len(named) == 1 and not wild and not is_unknown:
        start, windows = next(iter(named.items()))
        distance = program.arithmetic.binary("-", address, storage.literal(start), storage.size_type)
        return _in_windows(program, distance, windows, size)
    if not rest and (is_unknown or not wild):
        condition = terms.true
    for start, windows in named.items():
        is_here = terms.eq(layout.slot(address), layout.number(start >> layout.bits))
        condition = terms.ite(is_here, _in_windows(program, offset, windows, size), condition)
    return condition


def _address(program: ProgramContext, object_: ast.Variable | ast.StringLiteral | None) -> int | None:
    """The constant address of an object, if it has one."""
    if object_ is None or object_ in program.dynamic:
        return None
    return program.storage.object_address(object_)


def _in_windows(program: ProgramContext, offset: Term, windows: tuple[Window, ...], size: Term | None) -> Term:
    if not windows:
        return program.terms.true
    return program.terms.or_([_in_window(program, offset, window, size) for window in windows])


def _in_window(program: ProgramContext, offset: Term, window: Window, size: Term | None) -> Term:
    arithmetic, size_type, terms = program.arithmetic, program.storage.size_type, program.terms
    number = program.storage.layout.number
    parts: list[Term] = []

    def between(first: int, last: int) -> None:
        """`first <= offset <= last`; without the upper bound if `last` stands for infinity."""
        moved = _less(program, offset, first)
        if last < first:
            parts.append(terms.false)
        elif last - first < UNBOUNDED // 2:
            parts.append(arithmetic.compare("<=", moved, number(last - first), size_type))
        else:
            parts.append(arithmetic.compare("<=", number(max(first, 0)), offset, size_type))

    for fold in window.folds:
        if fold.length < WHOLE:
            between(fold.start, fold.end - 1)
        rest = arithmetic.binary("%", _less(program, offset, fold.start), number(fold.stride), size_type)
        offset = _less(program, rest, -fold.start)
    if window.last - window.first < WHOLE:
        between(window.first, window.last)
        if size is not None and window.last - window.first < UNBOUNDED // 2:
            room = _less(program, number(window.last + 1), 0)
            left = arithmetic.binary("-", room, offset, size_type)
            parts.append(arithmetic.compare("<=", size, left, size_type))
    return terms.and_(parts)


def _less(program: ProgramContext, term: Term, number: int) -> Term:
    """A term minus a number, which may be negative."""
    if number == 0:
        return term
    op, value = ("-", number) if number > 0 else ("+", -number)
    return program.arithmetic.binary(op, term, program.storage.layout.number(value), program.storage.size_type)
