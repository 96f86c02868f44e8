"""Reading values out of models, shared by the solvers.

A solver splits one of its values into parts; the driver here reads the parts without recursion, since a list of a
hundred thousand elements is a datatype value of that depth.

    (store ((as const (Array Int Int)) 0) 7 1)  ->  parts 7, 1 and 0  ->  MapValue(0, {(7,): 1})
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.smt.solver import Native
from remuda.terms.types import FloatType, Type
from remuda.terms.values import DataValue, Element, FloatValue, FunctionTable, MapValue, Value

if TYPE_CHECKING:
    from remuda.terms.symbols import Constructor

Part = tuple[Native, Type]


@final
@dataclass(slots=True)
class Split:
    """The parts of a value, and how to put them together once they are read."""

    parts: Sequence[Part]
    combine: Callable[[list[Value]], Value]
    read: list[Value] = field(default_factory=list)


def leaf(value: Value) -> Split:
    return Split((), lambda _: value)


def read_value(native: Native, type_: Type, split: Callable[[Native, Type], Split]) -> Value:
    """The value that `split` describes, its parts read depth first."""
    frames = [split(native, type_)]
    while True:
        frame = frames[-1]
        if len(frame.read) < len(frame.parts):
            frames.append(split(*frame.parts[len(frame.read)]))
            continue
        value = frame.combine(frame.read)
        frames.pop()
        if not frames:
            return value
        frames[-1].read.append(value)


@final
class Elements:
    """The elements of uninterpreted types in one model, numbered in the order of their discovery."""

    __slots__ = ("_met", "_taken")

    def __init__(self) -> None:
        self._met: dict[Native, Element] = {}
        self._taken: dict[Type, int] = {}

    def element(self, native: Native, type_: Type) -> Element:
        element = self._met.get(native)
        if element is None:
            index = self._taken.get(type_, 0)
            self._taken[type_] = index + 1
            element = self._met[native] = Element(type_, index)
        return element


@final
@dataclass(frozen=True, slots=True)
class Cases:
    """A map or function by cases: the earlier entries win, then the default."""

    entries: Sequence[tuple[Sequence[Native], Native]]
    default: Native

    def parts(self, domain: Sequence[Type], result: Type) -> list[Part]:
        """The parts: the default first, then for each entry its indices and its value."""
        parts: list[Part] = [(self.default, result)]
        for indices, value in self.entries:
            parts += zip(indices, domain, strict=True)
            parts.append((value, result))
        return parts


@final
@dataclass(frozen=True, slots=True)
class Branch:
    """`if every position has its literal then .. else ..`, in the body of a function."""

    equations: Sequence[tuple[int, Native]]
    then: Native
    otherwise: Native


def decision_cases(body: Native, arity: int, branch: Callable[[Native], Branch | None]) -> Cases | None:
    """The cases of a function's body, a tree of branches; None if they are not finitely many points.

    before: ite(x == 3, 7, ite(x == 4, 8, 9))      after: x = 3 -> 7, x = 4 -> 8, else 9
    """
    leaves: list[tuple[dict[int, Native], Native]] = []
    stack: list[tuple[Native, dict[int, Native], tuple[tuple[int, Native], ...]]] = [(body, {}, ())]
    while stack:
        native, known, excluded = stack.pop()
        node = branch(native)
        if node is None:
            leaves.append((known, native))
            continue
        single = tuple(node.equations) if len(node.equations) == 1 else ()
        stack.append((node.otherwise, known, (*excluded, *single)))
        refined = _refine(known, node.equations)
        if refined is not None and not any(refined.get(position) == literal for position, literal in excluded):
            stack.append((node.then, refined, excluded))
    # The leaf without equations is reached last, after all branches: it is the default.
    default = leaves[-1][1]
    if any(len(point) < arity and leaf_ != default for point, leaf_ in leaves):
        return None
    entries = [([point[index] for index in range(arity)], leaf_) for point, leaf_ in leaves if len(point) == arity]
    return Cases(entries, default)


def _refine(known: dict[int, Native], equations: Sequence[tuple[int, Native]]) -> dict[int, Native] | None:
    """The point so far with these equations; None if they contradict it."""
    refined = dict(known)
    for position, literal in equations:
        if refined.setdefault(position, literal) != literal:
            return None
    return refined


def cell_split(inner: Split) -> Split:
    """The split of a map without indices, whose value is that of its only cell."""
    return Split(inner.parts, lambda read: MapValue(inner.combine(read), {}))


def map_split(cases: Cases, domain: Sequence[Type], result: Type) -> Split:
    arity = len(domain)
    return Split(cases.parts(domain, result), lambda read: MapValue(read[0], _entries(read, arity)))


def table_of(
    cases: Cases, domain: Sequence[Type], result: Type, split: Callable[[Native, Type], Split]
) -> FunctionTable:
    read = [read_value(native, type_, split) for native, type_ in cases.parts(domain, result)]
    return FunctionTable(_entries(read, len(domain)), read[0])


def data_split(constructor: Constructor, arguments: Sequence[Native]) -> Split:
    types = [type_ for _, type_ in constructor.fields]
    parts = list(zip(arguments, types, strict=True))
    return Split(parts, lambda read: DataValue(constructor, tuple(read)))


def nan_value(type_: FloatType) -> FloatValue:
    """The quiet NaN with a clear sign, which stands for them all."""
    bits = ((1 << (type_.exponent + 1)) - 1) << (type_.significand - 2)
    return FloatValue(bits, type_.significand, type_.exponent)


def _entries(read: list[Value], arity: int) -> dict[tuple[Value, ...], Value]:
    entries: dict[tuple[Value, ...], Value] = {}
    for start in range(1, len(read), arity + 1):
        entries.setdefault(tuple(read[start : start + arity]), read[start + arity])
    return entries
