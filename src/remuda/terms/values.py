"""The values of terms, and the interpretation of symbols by a model.

bool -> bool        int -> int          real -> Fraction       bvN -> int (unsigned)
float -> FloatValue rounding -> str     map -> MapValue        datatype -> DataValue
uninterpreted type -> Element
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from remuda.terms.symbols import Constructor, Function, Variable
    from remuda.terms.types import Type


@final
@dataclass(frozen=True, slots=True)
class Element:
    """An element of an uninterpreted type. Two elements of one type are the same if their indices are."""

    type: Type
    index: int

    def __str__(self) -> str:
        return f"{self.type}#{self.index}"


@final
@dataclass(frozen=True, slots=True)
class FloatValue:
    """An IEEE float by its bits; every NaN has the same bits."""

    bits: int
    significand: int
    exponent: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class DataValue:
    """A constructor and its field values."""

    constructor: Constructor
    fields: tuple[Value, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataValue) and self.constructor is other.constructor and self.fields == other.fields

    def __hash__(self) -> int:
        return hash((self.constructor.name, self.fields))


@final
class MapValue:
    """A total map: finitely many entries, and a default for all other indices.

    Entries equal to the default are never kept, so two maps over an infinite domain are equal exactly if their
    entries and defaults are. Treated as immutable. The default of a map that is not complete is a solver's guess.
    """

    __slots__ = ("default", "entries", "is_complete")

    def __init__(self, default: Value, entries: dict[tuple[Value, ...], Value], *, is_complete: bool = True) -> None:
        self.default = default
        self.is_complete = is_complete
        self.entries = {index: value for index, value in entries.items() if value != default}

    def get(self, indices: tuple[Value, ...]) -> Value:
        return self.entries.get(indices, self.default)

    def set(self, indices: tuple[Value, ...], value: Value) -> MapValue:
        changed = MapValue(self.default, {}, is_complete=self.is_complete)
        entries = dict(self.entries)
        if value == self.default and self.is_complete:
            entries.pop(indices, None)
        else:
            entries[indices] = value
        changed.entries = entries
        return changed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MapValue) and self.default == other.default and self.entries == other.entries

    def __hash__(self) -> int:
        return hash((self.default, frozenset(self.entries.items())))


Value = bool | int | Fraction | str | FloatValue | Element | DataValue | MapValue


@final
@dataclass(slots=True)
class FunctionTable:
    """The interpretation of an uninterpreted function: finitely many entries, and a value for all other arguments.

    An incomplete solver only guesses that value; then `is_complete` is false.
    """

    entries: dict[tuple[Value, ...], Value]
    default: Value
    is_complete: bool = True

    def get(self, arguments: tuple[Value, ...]) -> Value:
        return self.entries.get(arguments, self.default)


@final
@dataclass(slots=True)
class Interpretation:
    """The values in a model of the symbols that no execution assigns: constants and uninterpreted functions.

    A symbol that is not listed may take any value.
    """

    constants: dict[Variable, Value] = field(default_factory=dict)
    functions: dict[Function, FunctionTable] = field(default_factory=dict)
    # Values of `x div 0`, `x mod 0`, `x / 0.0`: total in logic, chosen by the model.
    division_by_zero: dict[str, FunctionTable] = field(default_factory=dict)
