"""A solver's sorts for types. All solvers use the same kinds of sorts, but create them differently.

A map without indices (`[]T`) is its value: its sort is that of `T`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, final

from remuda.base.errors import InternalError, Unsupported
from remuda.terms.types import BvType, DataType, FloatType, MapType, NamedType, Type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Sort = Any  # a solver's own sort


class SortMaker(Protocol):
    """Creates the sorts of a solver."""

    def bitvector_sort(self, width: int) -> Sort: ...

    def float_sort(self, significand: int, exponent: int) -> Sort: ...

    def map_sort(self, domain: Sequence[Type], value: Type) -> Sort:
        """The sort of maps with one index or more."""
        ...

    def uninterpreted_sort(self, type_: NamedType) -> Sort: ...


@final
class Sorts:
    """The sorts made so far. `known` starts with those that have a fixed name in the solver, such as `Bool`; those of
    datatypes are added at their declaration. `lacking` has the kinds of types that the solver does not have, and the
    reason why they are refused."""

    __slots__ = ("_lacking", "_maker", "known")

    def __init__(
        self, maker: SortMaker, known: dict[Type, Sort], lacking: Mapping[type[Type], str] | None = None
    ) -> None:
        self._maker = maker
        self._lacking = lacking or {}
        self.known = known

    def sort(self, type_: Type) -> Sort:
        found = self.known.get(type_)
        if found is None:
            found = self._new(type_)
            self.known[type_] = found
        return found

    def _new(self, type_: Type) -> Sort:
        reason = self._lacking.get(type(type_))
        if reason is not None:
            raise Unsupported(None, f"the type {type_} ({reason})")
        match type_:
            case BvType(0):
                raise Unsupported(None, "the type bv0")
            case BvType(width):
                return self._maker.bitvector_sort(width)
            case FloatType(significand, exponent):
                return self._maker.float_sort(significand, exponent)
            case MapType((), value):
                return self.sort(value)
            case MapType(domain, value):
                return self._maker.map_sort(domain, value)
            case NamedType():
                return self._maker.uninterpreted_sort(type_)
            case DataType():
                raise InternalError(f"the datatype {type_} is not declared")
            case _:
                raise InternalError(f"no sort for the type {type_}")
