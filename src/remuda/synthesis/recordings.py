"""The interface of a language for synthesizing assertions: points, recordings of executions, and the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, final

from remuda.base.predicates import Point, Predicate

if TYPE_CHECKING:
    from remuda.analysis.likely_invariants import Sample

OnStep = Callable[[str], None]  # called with a description of each step
Chosen = Mapping[int, Sequence[Predicate]]  # by the number of a point
MOST_SAMPLES: Final = 600  # the most samples of one point, except for those with a new least or greatest value


@final
@dataclass(frozen=True, slots=True)
class Recordings:
    """The recordings of executions: the values of variables, by the number of the point. `notes` describe
    problems."""

    samples: Mapping[int, Sequence[Sample]] = field(default_factory=dict)
    runs: int = 0
    notes: tuple[str, ...] = ()


@final
class Samples:
    """Collects samples, without those that a point already has."""

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
        """The recordings of this many runs, or of fewer if the deadline passes."""
        ...

    def write(self, chosen: Chosen, *, independent: bool) -> tuple[str, Chosen]:
        """The program with assertions, and the predicates that were written. A failing independent assertion does not
        end executions."""
        ...
