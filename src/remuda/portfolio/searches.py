"""One search of one program from one entry: the program in a solver, its bounds, and how instances are shared."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, final

from remuda.base import clock
from remuda.base.errors import Unsupported
from remuda.engines.bounded_calls import BoundedCalls, TooLarge, UnfoldingLimits
from remuda.engines.bounds import Bounds, bounds_of
from remuda.engines.inlining import Inlining
from remuda.engines.merging import Strategy, strategy
from remuda.engines.optimal import FollowPlan, optimal_plan
from remuda.engines.outcome import Announce, Confirm, Confirmation
from remuda.engines.path_check import PathCheck, Undecided
from remuda.engines.solver_setup import SolverSetup, solver_setups
from remuda.engines.stratified import StratifiedSearch
from remuda.options import FAILURES
from remuda.prepare.claims import as_trusted
from remuda.results.report import Statistics
from remuda.transforms.path_program import path_program
from remuda.vc.interface import Interface, interfaces

if TYPE_CHECKING:
    from remuda.confirm.replays import Replays
    from remuda.engines.refinement import Tracked
    from remuda.ir.program import Check, Program
    from remuda.ir.trace import Trace
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.results.report import Report

PLAN_SECONDS = 30.0  # for planning the instances of a whole program, and how many there may be
PLAN_NODES = 50_000
PATH_SECONDS = 10.0  # for one question about one path


@final
class Searches:
    """Makes searches. `own_bounds` are those of single procedures; `progress` is told a bound, and how many calls are
    open; `is_enough` tells whether the violations that were found are all that matters. With `only_proofs`, the first
    violation raises `NotProved`. `effort` is what the solver of a search may spend before its last bound."""

    def __init__(
        self,
        options: Options,
        report: Report,
        replays: Replays,
        own_bounds: Mapping[str, int],
        deadline: float | None,
        progress: Callable[[int, int], None],
        is_enough: Callable[[], bool],
        *,
        only_proofs: bool = False,
        effort: float | None = None,
    ) -> None:
        self._options = options
        self._report = report
        self._replays = replays
        self._own_bounds = own_bounds
        self._deadline = deadline
        self._progress = progress
        self._is_enough = is_enough
        self._only_proofs = only_proofs
        self._effort = effort

    def inlining(
        self,
        entry: str,
        prepared: Prepared,
        faces: Mapping[str, Interface],
        setup: SolverSetup,
        cannot_fail: Sequence[str] = (),
    ) -> Inlining:
        """The program in a new solver, with nothing of it inlined yet."""
        options, code = self._options, prepared.instrumented
        solver = setup.for_code(code)
        for name in cannot_fail:
            solver.add(solver.not_(solver.translate(code.program.terms.var(code.may_fail[name]))))
        return Inlining(
            code.program,
            faces,
            solver,
            self._report.statistics,
            joins=setup.joins,
            merge=self._merge(code.program, entry, self.bounds(prepared)),
            disjoint=options.disjoint,
            keep_depth=options.stack_depth is not None,
        )

    def use(self, setup: SolverSetup) -> None:
        """Tell the report which solvers run."""
        used = self._report.solver.split(", ") if self._report.solver else []
        self._report.solver = ", ".join(dict.fromkeys((*used, setup.solver)))

    def search_in(
        self,
        inlining: Inlining,
        entry: str,
        prepared: Prepared,
        announce: Announce,
        confirm: Confirm | None = None,
        *,
        eager: bool = False,
        bound: int | None = None,
        searched: Callable[[int, Iterable[Check]], None] = lambda _bound, _checks: None,
    ) -> StratifiedSearch:
        options = self._options
        bounds = self.bounds(prepared)
        return StratifiedSearch(
            inlining,
            prepared.instrumented,
            entry,
            bounds if bound is None else replace(bounds, limit=min(bound, bounds.limit), own={}),
            confirm=confirm or self._confirm(prepared),
            announce=lambda outcome: announce(as_trusted(outcome, prepared)),
            deadline=self._deadline,
            is_enough=self._is_enough,
            ask_reachability=options.reachability and options.property in FAILURES and not prepared.has_threads,
            eager=eager or options.engine == "static" or options.inline == "all",
            mode=_mode(options),
            progress=lambda bound: self._progress(bound, len(inlining.open_calls)),
            searched=searched,
            effort=self._effort,
        )

    def _confirm(self, prepared: Prepared) -> Confirm:
        return give_up if self._only_proofs else lambda trace: self._replays.confirm(prepared, trace)

    def bounds(self, prepared: Prepared) -> Bounds:
        options = self._options
        if prepared.has_threads and options.stack_depth is not None:
            around = 2 if options.lift else 1  # something is around the first thread, and that may be another one
            options = replace(options, stack_depth=options.stack_depth + around)
        return bounds_of(prepared.instrumented.program, options, self._own_bounds)

    def _merge(self, program: Program, entry: str, bounds: Bounds) -> Strategy | None:
        """Which instances are shared; None if none are."""
        options = self._options
        if self._report.engine != "dag" or options.merge == "none":
            return None
        return (
            self._optimal(program, entry, bounds)
            if options.merge == "optimal"
            else strategy(options.merge, options.seed)
        )

    def _optimal(self, program: Program, entry: str, bounds: Bounds) -> Strategy:
        """Plan all instances before the search; `first` where that is too much."""
        began = time.perf_counter()
        now = clock.now()
        seconds = PLAN_SECONDS if self._deadline is None else min(PLAN_SECONDS, (self._deadline - now) / 4)
        calls = BoundedCalls(program, bounds, self._options.disjoint)
        try:
            return FollowPlan(optimal_plan(calls, entry, UnfoldingLimits(PLAN_NODES, now + seconds)))
        except TooLarge as problem:
            self._report.notes.append(
                f"--merge optimal is too expensive from {entry} ({problem}); merged as with `first`"
            )
            return strategy("first", self._options.seed)
        finally:
            self._report.statistics.merge_seconds += time.perf_counter() - began

    def judge(self, prepared: Prepared, trace: Trace, tracked: Tracked) -> Confirmation | Tracked:
        """Whether the path of an abstract trace can be run; else what to track so that it is gone."""
        began = time.perf_counter()
        statistics = self._report.statistics
        left = PATH_SECONDS if self._deadline is None else min(PATH_SECONDS, self._deadline - clock.now())
        path = PathCheck(path_program(prepared.searched, trace), self._load_path, statistics, max(0.01, left))
        try:
            execution = path.execution()
            if execution is None:
                return path.refine(self._options.refine, tracked)
        except (Undecided, Unsupported) as problem:
            return Confirmation(f"whether a path can be run is not known: {problem}")
        finally:
            statistics.refinements += 1
            statistics.refine_seconds += time.perf_counter() - began
        return self._replays.replayed(prepared, prepared.lift_searched(execution))

    def _load_path(self, program: Program) -> Inlining:
        setup = solver_setups(program, self._options)[0]
        faces = interfaces(program, summaries="modset")
        return Inlining(program, faces, setup.for_program(program), Statistics(), joins=setup.joins)


def _mode(options: Options) -> str:
    """How calls to inline are found. A lifted entry has many ways to a failure past calls that need no looking into,
    which abstract paths lead through and refutations do not need."""
    return options.search if options.search != "auto" else "mixed" if options.lift else "over"


@final
class NotProved(Exception):
    """A search that only a complete proof is wanted of has found a violation."""


def give_up(_: Trace) -> Confirmation:
    """What to do with violations where one that need not be real ends everything."""
    raise NotProved


def from_any_state(_: Trace) -> Confirmation:
    """The way to look at violations that start in the middle of an execution."""
    return Confirmation("the execution may not get there")


def not_asked(_: Trace) -> Confirmation:
    """The way to look at violations where only proofs count."""
    return Confirmation("only proofs are looked for")
