"""The steps of a replay, statement by statement, with the values that were read and set.

A step has the elements of maps that it touched, and whole maps only if a statement `shows` them, so that a long
replay over a large heap stays small.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.replay.closures import as_closure
from remuda.replay.scopes import Stuck
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.values import MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remuda.base.source import Span
    from remuda.ir.program import Statement
    from remuda.terms.term import Term


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """A variable, or the element of a map variable at `path` (one index tuple per nested map), and its value."""

    variable: Variable
    path: tuple[tuple[Value, ...], ...]
    value: Value


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened.

    `kind`: start, enter, leave, or that of the statement: assign, havoc, assume, assert, call (of a procedure
    without a body, too), yield. `arguments` are the values of a call's arguments, `printed` those of the
    statement's `{:print}` terms. `branch` marks the assumption that a multi-way jump went through,
    `negated` that it is the `else` of the condition at its place in the source. `thread` is the number of the
    thread, which is 1 for the one that the execution starts as.
    """

    kind: str
    depth: int
    procedure: str
    span: Span
    statement: Statement | None = None
    reads: tuple[Reading, ...] = ()
    sets: tuple[Reading, ...] = ()
    arguments: tuple[Value, ...] = ()
    printed: tuple[str | Value | None, ...] = ()
    branch: bool = False
    negated: bool = False
    thread: int = 1


def is_scalar(value: object) -> bool:
    return not isinstance(value, MapValue) and as_closure(value) is None


def readings(memo: Mapping[Term, Value | Stuck]) -> tuple[Reading, ...]:
    """The scalars that an evaluation read: variables, and elements of map variables."""
    found: list[Reading] = []
    for term, value in memo.items():
        if isinstance(value, Stuck) or not is_scalar(value):
            continue
        place = place_of(term, memo)
        if place is not None:
            found.append(Reading(place[0], place[1], value))
    return tuple(found)


def place_of(term: Term, memo: Mapping[Term, Value | Stuck]) -> tuple[Variable, tuple[tuple[Value, ...], ...]] | None:
    """The variable and path that a `var` or a `select` from one denotes."""
    path: list[tuple[Value, ...]] = []
    while term.op == "select":
        index = _index(term.args[1:], memo)
        if index is None:
            return None
        path.append(index)
        term = term.args[0]
    if term.op != "var" or term.payload.kind in {VariableKind.BOUND, VariableKind.CONSTANT}:
        return None
    return term.payload, tuple(reversed(path))


def _index(indices: Iterable[Term], memo: Mapping[Term, Value | Stuck]) -> tuple[Value, ...] | None:
    values: list[Value] = []
    for index in indices:
        value = memo.get(index)
        if value is None or isinstance(value, Stuck):
            return None
        values.append(value)
    return tuple(values)


def changes(target: Variable, term: Term, value: Value, memo: Mapping[Term, Value | Stuck]) -> list[Reading]:
    """What an assignment of the term's value set: the scalar, or the elements that `m := m[i := v]` stores."""
    if is_scalar(value):
        return [Reading(target, (), value)]
    found: list[Reading] = []
    work: list[tuple[Term, tuple[tuple[Value, ...], ...]]] = [(term, ())]
    while work:
        store, path = work.pop()
        if store.op != "store":
            continue
        index, element = _index(store.args[1:-1], memo), memo.get(store.args[-1])
        if index is None or element is None or isinstance(element, Stuck):
            continue
        if is_scalar(element):
            found.append(Reading(target, (*path, index), element))
        work.append((store.args[0], path))
        work.append((store.args[-1], (*path, index)))
    return found
