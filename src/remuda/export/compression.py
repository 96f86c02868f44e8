"""Measures how much sharing reduces a program's instances, for each merging strategy, without a solver.

    tree 39828, no DAG below 945;  optimal 945, first 975, ...

The program and its bounds are those of a search, so the sizes are those of a search that inlines everything
(`--inline all`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.engines.bounded_calls import BoundedCalls, TooLarge, UnfoldingLimits, most_entered, tree_size
from remuda.engines.bounds import bounds_of
from remuda.engines.merging import strategy
from remuda.engines.optimal import optimal_plan
from remuda.engines.unfold import unfold
from remuda.options import MERGES
from remuda.prepare.own_bounds import own_bounds
from remuda.prepare.pipeline import prepare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.engines.call_dag import CallDag
    from remuda.engines.stacks import Stack
    from remuda.ir.program import Program
    from remuda.options import Options

SHARING: Final = ("optimal", *(name for name in MERGES if name not in {"optimal", "none"}))
RANDOM_RUNS: Final = 5  # the number of runs whose average is shown
NODES: Final = 50_000  # bit sets of this many instances take some hundred megabytes
SECONDS: Final = 60.0


@final
@dataclass(frozen=True, slots=True)
class Size:
    """The number of instances with one strategy, or the reason why it is unknown."""

    instances: float | None
    seconds: float
    problem: str = ""


@final
@dataclass(frozen=True, slots=True)
class Compression:
    """The numbers of instances below one entry. No DAG has fewer than `at_least` instances."""

    entry: str
    bound: int
    tree: int
    at_least: int
    sizes: dict[str, Size]

    def above_optimal(self, name: str) -> float | None:
        """The fraction by which a strategy's DAG is larger than the optimal one."""
        size, best = self.sizes[name].instances, self.sizes["optimal"].instances
        return None if size is None or best is None else size / best - 1


@final
class Unfolder:
    """Unfolds a program within limits on instances, and on seconds for each DAG."""

    def __init__(self, program: Program, options: Options, nodes: int = NODES, seconds: float = SECONDS) -> None:
        prepared = prepare(program, options)
        code = prepared.instrumented.program
        self._options = options
        self._nodes = nodes
        self._seconds = seconds
        bounds = bounds_of(code, options, own_bounds(program, options.bound_for))
        self.calls = BoundedCalls(code, bounds, options.disjoint)
        self.entries = prepared.base.entries

    def dag(self, entry: str, merge: str, seed: int) -> CallDag[Stack]:
        """The DAG of one strategy; raises TooLarge."""
        limits = self._limits()
        if merge == "optimal":
            return optimal_plan(self.calls, entry, limits).dag(self.calls)
        return unfold(self.calls, entry, None if merge == "none" else strategy(merge, seed), limits)

    def compression(self, entry: str) -> Compression:
        """The results of all strategies; raises TooLarge if not even the stacks can be counted."""
        limits = self._limits()
        tree = tree_size(self.calls, entry, limits)
        at_least = sum(most_entered(self.calls, entry, limits).values())
        sizes = {name: self._size(entry, name, at_least) for name in SHARING}
        return Compression(entry, self._options.bound, tree, at_least, sizes)

    def compressions(self) -> Iterator[Compression]:
        for entry in self.entries:
            yield self.compression(entry)

    def _size(self, entry: str, merge: str, at_least: int) -> Size:
        if at_least > self._nodes:
            return Size(None, 0.0, f"more than {self._nodes} instances")
        runs = RANDOM_RUNS if merge.startswith("random") else 1
        began = time.perf_counter()
        try:
            total = sum(self._count(entry, merge, self._options.seed + run) for run in range(runs))
        except TooLarge as problem:
            return Size(None, time.perf_counter() - began, str(problem))
        return Size(total / runs, (time.perf_counter() - began) / runs)

    def _count(self, entry: str, merge: str, seed: int) -> int:
        if merge == "optimal":
            return optimal_plan(self.calls, entry, self._limits()).size
        return len(self.dag(entry, merge, seed).nodes)

    def _limits(self) -> UnfoldingLimits:
        return UnfoldingLimits(self._nodes, time.monotonic() + self._seconds)
