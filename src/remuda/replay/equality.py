"""Equality of values, without recursion into nested data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.terms.types import MapType, Type
from remuda.terms.values import DataValue, MapValue, Value

if TYPE_CHECKING:
    from remuda.replay.domains import Domains


def equal(left: Value, right: Value, type_: Type, domains: Domains) -> bool | None:
    """Whether two canonical values are the same; None if two large maps cannot be compared."""
    work: list[tuple[Value, Value, Type]] = [(left, right, type_)]
    while work:
        first, second, type_ = work.pop()
        if first is second:
            continue
        if isinstance(first, DataValue) and isinstance(second, DataValue):
            if first.constructor is not second.constructor:
                return False
            types = [field_type for _, field_type in first.constructor.fields]
            work.extend(zip(first.fields, second.fields, types, strict=True))
        elif first != second:
            return None if _may_overlap(first, second, type_, domains) else False
    return True


def _may_overlap(first: Value, second: Value, type_: Type, domains: Domains) -> bool:
    """Whether two maps with different defaults may list enough indices that no default is ever used."""
    if not (isinstance(first, MapValue) and isinstance(second, MapValue) and isinstance(type_, MapType)):
        return False
    if domains.indices(type_.domain) is not None:
        return False  # in their one form, so different means different
    size = domains.index_size(type_.domain)
    return size is not None and len(first.entries) + len(second.entries) >= size
