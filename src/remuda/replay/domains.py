"""The values of each type: their number, the values, a default value, and one form for equal maps.

A map over a finite domain has many representations: over bool, `{true: 5}` with default 3 is `{false: 3}`
with default 5. The canonical one has the value at the first index as its default, so that equal maps are
equal Python values.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final, final

from remuda.terms.types import (
    BoolType,
    BvType,
    DataType,
    FloatType,
    IntType,
    MapType,
    NamedType,
    RoundingType,
    Type,
)
from remuda.terms.values import DataValue, Element, FloatValue, MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from remuda.ir.program import Datatype
    from remuda.terms.symbols import Constructor

ROUNDING_MODES: Final = ("RNE", "RNA", "RTP", "RTN", "RTZ")
MEMBER_LIMIT: Final = 256
INDEX_LIMIT: Final = 4096

Index = tuple[Value, ...]


@final
class Domains:
    """The program's datatypes, and the elements of each uninterpreted type.

    An uninterpreted type may be any non-empty set, so the elements that an execution mentions may be taken
    for all there are. Types that `universe` does not list are taken as having unknown further elements.
    """

    def __init__(
        self, datatypes: Sequence[Datatype] = (), universe: Mapping[Type, Sequence[Element]] | None = None
    ) -> None:
        self._universe = dict(universe or {})
        self._constructors: dict[Type, tuple[Constructor, ...]] = {
            datatype.type: datatype.constructors for datatype in datatypes
        }
        self._data_defaults: dict[Type, DataValue] = {}
        self._indices: dict[tuple[Type, ...], tuple[Index, ...] | None] = {}
        self._plain: dict[Type, bool] = {}
        self._find_data_defaults()

    # --- how many, and which

    def size(self, type_: Type) -> int | None:
        """The number of values; None if it is infinite or unknown."""
        match type_:
            case BoolType():
                return 2
            case BvType(width):
                return int(1 << width)
            case RoundingType():
                return len(ROUNDING_MODES)
            case NamedType():
                return len(self._universe[type_]) if type_ in self._universe else None
            case DataType():
                constructors = self._constructors.get(type_, ())
                return len(constructors) if _is_enumeration(constructors) else None
            case _:
                return None

    def index_size(self, domain: tuple[Type, ...]) -> int | None:
        sizes = [self.size(type_) for type_ in domain]
        known = [size for size in sizes if size is not None]
        return prod(known) if len(known) == len(sizes) else None

    def members(self, type_: Type) -> tuple[Value, ...] | None:
        """All values, if they are few."""
        size = self.size(type_)
        if size is None or size > MEMBER_LIMIT:
            return None
        match type_:
            case BoolType():
                return (False, True)
            case BvType():
                return tuple(range(size))
            case RoundingType():
                return ROUNDING_MODES
            case NamedType():
                return tuple(self._universe[type_])
            case _:
                return tuple(DataValue(constructor, ()) for constructor in self._constructors[type_])

    def indices(self, domain: tuple[Type, ...]) -> tuple[Index, ...] | None:
        """All indices of a map, if they are few."""
        if domain not in self._indices:
            self._indices[domain] = self._list_indices(domain)
        return self._indices[domain]

    def _list_indices(self, domain: tuple[Type, ...]) -> tuple[Index, ...] | None:
        size = self.index_size(domain)
        if size is None or size > INDEX_LIMIT:
            return None
        lists = [self.members(type_) for type_ in domain]
        known = [members for members in lists if members is not None]
        return tuple(product(*known)) if len(known) == len(lists) else None

    def elements(self, type_: Type) -> tuple[Element, ...]:
        return tuple(self._universe.get(type_, ()))

    # --- the value that stands for any

    def default(self, type_: Type) -> Value:
        """A value of the type, always the same one."""
        maps: list[MapType] = []
        while isinstance(type_, MapType):
            maps.append(type_)
            type_ = type_.range
        value = self._scalar_default(type_)
        for _ in maps:
            value = MapValue(value, {})
        return value

    def _scalar_default(self, type_: Type) -> Value:
        match type_:
            case BoolType():
                return False
            case IntType() | BvType():
                return 0
            case FloatType(significand, exponent):
                return FloatValue(0, significand, exponent)
            case RoundingType():
                return ROUNDING_MODES[0]
            case NamedType():
                elements = self._universe.get(type_, ())
                return elements[0] if elements else Element(type_, 0)
            case DataType():
                return self._data_defaults[type_]
            case _:
                return Fraction(0)

    def _find_data_defaults(self) -> None:
        """Give each datatype its first constructor whose fields have defaults already, until all have one."""
        changed = True
        while changed:
            changed = False
            for type_, constructors in self._constructors.items():
                ready = next((each for each in constructors if self._is_ready(each)), None)
                if type_ not in self._data_defaults and ready is not None:
                    values = tuple(self.default(field_type) for _, field_type in ready.fields)
                    self._data_defaults[type_] = DataValue(ready, values)
                    changed = True

    def _is_ready(self, constructor: Constructor) -> bool:
        results = (_innermost_range(field_type) for _, field_type in constructor.fields)
        return all(not isinstance(type_, DataType) or type_ in self._data_defaults for type_ in results)

    # --- one form for equal maps

    def canonical(self, value: Value, type_: Type) -> Value:
        """The same value with every map over a finite domain in its one form."""
        if self._is_plain(type_):
            return value
        if isinstance(value, MapValue) and isinstance(type_, MapType):
            entries = {
                tuple(map(self.canonical, index, type_.domain)): self.canonical(element, type_.range)
                for index, element in value.entries.items()
            }
            return self._rebased(MapValue(self.canonical(value.default, type_.range), entries), type_.domain)
        if isinstance(value, DataValue):
            types = [field_type for _, field_type in value.constructor.fields]
            return DataValue(value.constructor, tuple(map(self.canonical, value.fields, types)))
        return value

    def store(self, map_: MapValue, indices: Index, value: Value, domain: tuple[Type, ...]) -> MapValue:
        """The map changed at one index, canonical if it was."""
        changed = map_.set(indices, value)
        every = self.indices(domain)
        return changed if every is None or indices != every[0] else self._rebased(changed, domain)

    def tabulated(self, domain: tuple[Type, ...], values: Iterable[Value]) -> MapValue:
        """The map with these values at the indices of a small finite domain, in order."""
        entries = dict(zip(self.indices(domain) or (), values, strict=True))
        return MapValue(next(iter(entries.values())), entries)

    def _rebased(self, map_: MapValue, domain: tuple[Type, ...]) -> MapValue:
        every = self.indices(domain)
        return map_ if every is None else self.tabulated(domain, [map_.get(index) for index in every])

    def _is_plain(self, type_: Type) -> bool:
        """Whether equal values of the type have one form anyway."""
        if type_ not in self._plain:
            self._plain[type_] = not any(
                isinstance(part, MapType) and self.indices(part.domain) is not None for part in self._parts(type_)
            )
        return self._plain[type_]

    def _parts(self, type_: Type) -> Iterable[Type]:
        """The type and the types of everything inside its values."""
        found: dict[Type, None] = {}
        work = [type_]
        while work:
            part = work.pop()
            if part in found:
                continue
            found[part] = None
            if isinstance(part, MapType):
                work.extend((*part.domain, part.range))
            for constructor in self._constructors.get(part, ()):
                work.extend(field_type for _, field_type in constructor.fields)
        return found


def _is_enumeration(constructors: Sequence[Constructor]) -> bool:
    return bool(constructors) and all(not constructor.fields for constructor in constructors)


def _innermost_range(type_: Type) -> Type:
    while isinstance(type_, MapType):
        type_ = type_.range
    return type_
