"""Synthesizes assertions for a program: those that its text suggests, and those that no execution contradicts.

    made = synthesize("queue.c", Options(), Wishes())
    made.text                   -- the same program, with assertions at entries, exits and loops

The assertions are candidates, which a verifier may prove or refute.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, TypeVar, final

from remuda.analysis.likely_invariants import Sample, likely_invariants
from remuda.analysis.suggested_assertions import suggested_assertions
from remuda.base.predicates import Moment, Predicate, holds
from remuda.prepare.load import language_of
from remuda.prepare.read import read_source
from remuda.synthesis.recordings import Recordings

if TYPE_CHECKING:
    from remuda.base.predicates import Point
    from remuda.options import Options
    from remuda.synthesis.recordings import Chosen, OnStep, Synthesis

MOST: Final = 1500
RUNS: Final = 24
T = TypeVar("T")


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """The wanted assertions; `most` is their greatest number. Failing `independent` assertions do not end
    executions."""

    static: bool = True
    dynamic: bool = True
    moments: frozenset[Moment] = frozenset(Moment)
    most: int = MOST
    runs: int = RUNS
    independent: bool = False


@final
@dataclass(frozen=True, slots=True)
class Synthesized:
    """A program with assertions, and the numbers of assertions by their origin."""

    text: str
    assertions: int
    points: int  # points with assertions
    functions: int
    static: int  # assertions that the text suggests; executions may suggest some of them too
    dynamic: int  # assertions that no execution contradicts
    contradicted: int  # suggestions that an execution contradicts
    left_out: int  # assertions beyond the limit
    runs: int
    notes: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class _Candidates:
    """The candidates at one point, the most interesting first."""

    point: Point
    predicates: tuple[Predicate, ...]
    static: frozenset[Predicate]
    dynamic: frozenset[Predicate]
    contradicted: int


def synthesize(path: str, options: Options, wishes: Wishes, on_step: OnStep = lambda _: None) -> Synthesized:
    """Synthesize assertions for a program of one file."""
    source = read_source(path)
    deadline = None if options.timeout is None else time.monotonic() + options.timeout
    on_step("reading the program")
    if language_of([source], options) == "c":
        from remuda.synthesis.c import CSynthesis

        return _synthesize(CSynthesis(source, options), wishes, deadline, on_step)
    from remuda.synthesis.boogie import BoogieSynthesis

    return _synthesize(BoogieSynthesis(source, options), wishes, deadline, on_step)


def _synthesize(program: Synthesis, wishes: Wishes, deadline: float | None, on_step: OnStep) -> Synthesized:
    recordings = program.record(wishes.runs, deadline, on_step) if wishes.dynamic else Recordings()
    on_step("choosing assertions")
    found = [
        _candidates(point, recordings.samples.get(point.number, ()), wishes)
        for point in program.points
        if point.moment in wishes.moments
    ]
    chosen = spread(found, wishes.most)
    on_step("writing the program")
    text, kept = program.write(chosen, independent=wishes.independent)
    by_number = {each.point.number: each for each in found}
    counts: Counter[str] = Counter()
    for number, predicates in kept.items():
        for predicate in predicates:
            counts["all"] += 1
            counts["static"] += predicate in by_number[number].static
            counts["dynamic"] += predicate in by_number[number].dynamic
    return Synthesized(
        text,
        counts["all"],
        len(kept),
        len({by_number[number].point.function for number in kept}),
        counts["static"],
        counts["dynamic"],
        sum(each.contradicted for each in found),
        sum(len(each.predicates) for each in found) - sum(map(len, chosen.values())),
        recordings.runs,
        recordings.notes,
    )


def _candidates(point: Point, samples: Sequence[Sample], wishes: Wishes) -> _Candidates:
    """The suggestions that no sample contradicts, and further predicates that no sample contradicts."""
    likely = likely_invariants(point, samples) if wishes.dynamic else []
    suggested = suggested_assertions(point) if wishes.static else []
    names = [variable.name for variable in point.variables]
    states = [dict(zip(names, sample, strict=True)) for sample in samples]
    possible = [each for each in suggested if all(holds(each, state) for state in states)]
    predicates = tuple(dict.fromkeys(alternate([likely, possible])))
    contradicted = len(suggested) - len(possible)
    return _Candidates(point, predicates, frozenset(possible), frozenset(likely), contradicted)


def spread(found: Sequence[_Candidates], most: int) -> Chosen:
    """At most this many predicates, taken from all functions in turn, and from all points of each."""
    functions: dict[str, list[_Candidates]] = {}
    for each in found:
        functions.setdefault(each.point.function, []).append(each)
    turns = alternate(
        alternate([[(each.point.number, predicate) for predicate in each.predicates] for each in points])
        for points in functions.values()
    )
    taken = {pair: None for pair, _ in zip(turns, range(most), strict=False)}
    chosen: Mapping[int, list[Predicate]] = {each.point.number: [] for each in found}
    for each in found:  # in the order in which they were found
        number = each.point.number
        chosen[number].extend(predicate for predicate in each.predicates if (number, predicate) in taken)
    return {number: predicates for number, predicates in chosen.items() if predicates}


def alternate(queues: Iterable[Iterable[T]]) -> Iterator[T]:
    """The items of queues: one of each queue in turn, until all are empty."""
    nothing = object()
    for turn in zip_longest(*queues, fillvalue=nothing):
        for each in turn:
            if each is not nothing:
                yield each  # type: ignore[misc]
