"""Values as people read them: `-3`, `true`, `5bv32`, `Cons(1, Nil())`, `{3: 7, else 0}`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from remuda.replay.closures import as_closure
from remuda.terms.float_values import float_text
from remuda.terms.types import BvType, MapType, Type
from remuda.terms.values import DataValue, FloatValue, MapValue, Value

if TYPE_CHECKING:
    from remuda.replay.steps import Reading

DEPTH_LIMIT: Final = 4
ENTRY_LIMIT: Final = 6


def value_text(value: Value, type_: Type, depth: int = 0) -> str:
    """The value, with nested data cut off where it would fill the page."""
    if as_closure(value) is not None:
        return "(lambda)"
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value}{type_}" if isinstance(type_, BvType) else str(value)
        case Fraction():
            return f"{value.numerator}.0" if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
        case FloatValue():
            return float_text(value)
        case DataValue():
            return _data_text(value, depth)
        case MapValue():
            return _map_text(value, type_, depth)
        case _:
            return str(value)


def place_text(reading: Reading) -> str:
    """`x`, `m[3]`, `m[3][4, 5]`."""
    type_: Type = reading.variable.type
    parts = [reading.variable.name]
    for index in reading.path:
        assert isinstance(type_, MapType)
        parts.append(f"[{', '.join(map(value_text, index, type_.domain))}]")
        type_ = type_.range
    return "".join(parts)


def reading_text(reading: Reading) -> tuple[str, str]:
    """The place and its value."""
    type_: Type = reading.variable.type
    for _ in reading.path:
        assert isinstance(type_, MapType)
        type_ = type_.range
    return place_text(reading), value_text(reading.value, type_)


def _data_text(value: DataValue, depth: int) -> str:
    if depth >= DEPTH_LIMIT:
        return "..."
    types = [field_type for _, field_type in value.constructor.fields]
    fields = [value_text(each, type_, depth + 1) for each, type_ in zip(value.fields, types, strict=True)]
    return f"{value.constructor.name}({', '.join(fields)})"


def _map_text(value: MapValue, type_: Type, depth: int) -> str:
    if depth >= DEPTH_LIMIT or not isinstance(type_, MapType):
        return "..."
    parts = [
        f"{', '.join(map(value_text, index, type_.domain))}: {value_text(element, type_.range, depth + 1)}"
        for index, element in list(value.entries.items())[:ENTRY_LIMIT]
    ]
    if len(value.entries) > ENTRY_LIMIT:
        parts.append("...")
    return f"{{{', '.join([*parts, f'else {value_text(value.default, type_.range, depth + 1)}'])}}}"
