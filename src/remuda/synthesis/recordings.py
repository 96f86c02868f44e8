"""What a language must provide for assertions to be synthesized: points, what executions show there, and a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, final

from remuda.base.predicates import Point, Predicate

if TYPE_CHECKING:
    from remuda.analysis.likely_invariants import Sample

OnStep = Callable[[str], None]  # hears what goes on
Chosen = Mapping[int, Sequence[Predicate]]  # by the number of a point
MOST_SAMPLES: Final = (
    600  # of one point that are looked at, besides those with a value less or greater than all others
)


@final
@dataclass(frozen=True, slots=True)
class Recordings:
    """What executions have shown: for each point, by number, the values of its variables. `notes` say what did not work."""

    samples: Mapping[int, Sequence[Sample]] = field(default_factory=dict)
    runs: int = 0
    notes: tuple[str, ...] = ()


@final
class Samples:
    """Collects samples; what has been seen at a point before is not kept again."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._points = {point.number: point for point in points}
        self._seen: dict[int, dict[Sample, None]] = {}
        self._ranges: dict[int, list[tuple[int, int]]] = {}

    def add(self, number: int, values: Sample) -> None:
        point = self._points.get(number)
        if point is None or len(values) != len(point.variables):
            return
        seen = self._seen.setdefault(number, {})
        ranges = self._ranges.setdefault(number, [(value, value) for value in values])
        is_extreme = any(not low <= value <= high for value, (low, high) in zip(values, ranges, strict=True))
        if is_extreme or len(seen) < MOST_SAMPLES:
            seen[values] = None
        if is_extreme:
            self._ranges[number] = [
                (min(low, value), max(high, value)) for value, (low, high) in zip(values, ranges, strict=True)
            ]

    def all(self) -> dict[int, list[Sample]]:
        return {number: list(samples) for number, samples in self._seen.items()}


class Synthesis(Protocol):
    """A program of one language."""

    @property
    def points(self) -> Sequence[Point]: ...

    def record(self, runs: int, deadline: float | None, on_step: OnStep) -> Recordings:
        """What executions show, of so many runs or as many as there is time for."""
        ...

    def write(self, chosen: Chosen, *, independent: bool) -> tuple[str, Chosen]:
        """The program with assertions, and which of them are in it. Independent ones hide nothing that comes later."""
        ...
