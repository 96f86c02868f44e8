"""Improves the values that an incomplete solver only guesses.

With quantifiers, the model of an unfinished query is right about the indices that the formula mentions: the entries
of its maps. The default value of all other indices is arbitrary, and often violates an assumption about all of them,
such as `forall x :: m[x] >= 0`, which every entry satisfies. The most frequent value of the entries is a better
default. The replay decides whether it is good enough. If no default is, the rest of every map can be left open:
quantified conditions then count as not evaluable, and are listed with the verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from remuda.ir.trace import Choose, Enter, Event, Trace
from remuda.terms.values import MapValue, Value

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable


def with_plain_defaults(trace: Trace) -> Trace:
    """The trace with every chosen map's default replaced by its most frequent entry, or by zero."""
    return _rewrite_maps(trace, _plain)


def with_open_rests(trace: Trace) -> Trace:
    """The trace with every chosen map known only at its entries."""
    return _rewrite_maps(trace, lambda value: MapValue(value.default, value.entries, is_complete=False))


def _rewrite_maps(trace: Trace, rewrite: Callable[[MapValue], MapValue]) -> Trace:
    def values_of(values: Mapping[Variable, Value]) -> dict[Variable, Value]:
        return {
            variable: rewrite(value) if isinstance(value, MapValue) else value for variable, value in values.items()
        }

    def event_of(event: Event) -> Event:
        return replace(event, values=values_of(event.values)) if isinstance(event, Enter | Choose) else event

    events = tuple(event_of(event) for event in trace.events)
    return replace(trace, initial=values_of(trace.initial), events=events)


def _plain(value: MapValue) -> MapValue:
    counts = Counter(value.entries.values())
    if counts:
        return MapValue(counts.most_common(1)[0][0], value.entries)
    if isinstance(value.default, bool | int | Fraction):
        return MapValue(type(value.default)(0), {})
    return value
