"""One process's attempt to verify a program: what its strategies share.

    attempt = Attempt(sources, Job(options), send, began)
    attempt.prepare()
    for stage in stages(job, options):
        yield from stage.steps(attempt)

The front end runs once, then the passes; from then on the ledger holds what is known of each assertion.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, final

from remuda.base.clock import now, used
from remuda.portfolio.job import Beliefs
from remuda.portfolio.ledger import Ledger
from remuda.prepare.assumptions import assumptions_of
from remuda.prepare.load import NO_MEMORY, load
from remuda.prepare.own_bounds import own_bounds
from remuda.prepare.pipeline import prepare
from remuda.results.progress import Progress
from remuda.results.report import Report, Statistics
from remuda.results.unsupported import UNSUPPORTED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remuda.base.source import Source
    from remuda.confirm.replays import Replays
    from remuda.ir.program import Check, Program
    from remuda.options import Options
    from remuda.portfolio.budgets import Budget
    from remuda.portfolio.job import Job
    from remuda.portfolio.race import Inbox
    from remuda.portfolio.searches import Searches
    from remuda.portfolio.shared import FoundContracts, FoundTracked
    from remuda.portfolio.strategies.earlier_runs import EarlierRuns
    from remuda.prepare.pipeline import Prepared
    from remuda.store.recall import Recall
    from remuda.store.tracked_state import TrackedState
    from remuda.vc.interface import Interface

Send = Callable[[object], None]

PROGRESS_SECONDS: Final = 0.1


@final
class Attempt:
    """`program` is what the front end made with the same options and beliefs, if it has run already. `send` gets the report's
    beginning, then results and progress as they come. Times are those of `base.clock`; `began` is when the whole run did."""

    def __init__(
        self, sources: Sequence[Source], job: Job, send: Send, began: float, program: Program | None = None
    ) -> None:
        self.sources = sources
        self.job = job
        self.options = job.options
        self.send = send
        self.began = began
        self.deadline = None if job.options.timeout is None else began + job.options.timeout
        self.report = Report(sources[0].name, bound=job.options.bound)
        self.earlier: EarlierRuns | None = None
        self.search_began = used()  # in processor time
        self.has_searched = False  # up to the bound, and not everything is decided
        self.ledger: Ledger  # from when the program is prepared
        self._program = program
        self._prepared: Prepared | None = None
        self._own_bounds: Mapping[str, int] = {}
        self._last_progress = began
        self._last_searches: list[object] = []
        self._inbox: Inbox | None = None
        self._listeners: list[Callable[[Sequence[Check]], None]] = []

    # --- the program

    def load(self) -> Program:
        """The program as the front end makes it."""
        if self._program is None:
            believes = self.job.beliefs is Beliefs.ARRAYS
            self._program, self.options = load(self.sources, self.options, believes=believes)
        return self._program

    @property
    def program(self) -> Program:
        """The program as the front end made it."""
        assert self._program is not None
        return self._program

    @property
    def is_prepared(self) -> bool:
        return self._prepared is not None

    @property
    def prepared(self) -> Prepared:
        """The program that searches start from."""
        assert self._prepared is not None
        return self._prepared

    @property
    def forgets_memory(self) -> bool:
        """Whether reads from memory give any value."""
        return self.options.memory_model == NO_MEMORY

    def prepare(self) -> None:
        """Load the program and run all passes before the search."""
        started = time.monotonic()
        program = self.load()
        options, report = self.options, self.report
        if options.state:
            _ = self.state  # a file that cannot be read is an error from the start
        bounds = own_bounds(program, options.bound_for)
        report.engine = _engine(options, program)
        report.statistics.frontend_seconds = time.monotonic() - started
        self._keep_time_back(program)
        prepared = prepare(program, options, forgets_memory=self.forgets_memory)
        report.statistics.growth = prepared.growth
        self._own_bounds = {new: bound for name, bound in bounds.items() for new in prepared.called(name)}
        report.entries = prepared.entries
        report.assumed = assumptions_of(replace(program, entries=prepared.entries))
        below = {entry: frozenset(prepared.instrumented.below(entry)) for entry in prepared.base.entries}
        beliefs = () if self.job.beliefs is Beliefs.UNSURE else program.beliefs
        self.ledger = Ledger(options, below, prepared, self._tell, beliefs)
        self.ledger.strategy = self.job.strategy or ("lifted" if options.lift else report.engine)
        report.assertions = [self.ledger.result(check) for check in prepared.checks.values()]
        self._prepared = prepared
        self.send(report)

    def _keep_time_back(self, program: Program) -> None:
        """Searches end a little before the time is up, if the program is challenged after them."""
        if program.presentation is not None and self.deadline is not None:
            from remuda.confirm.challenge import kept_back

            self.deadline -= kept_back(self.options)

    # --- what strategies work with

    @cached_property
    def replays(self) -> Replays:
        from remuda.confirm.replays import Replays

        return Replays(self.sources, self.options, self.report.statistics, self.deadline)

    @cached_property
    def searches(self) -> Searches:
        from remuda.portfolio.searches import Searches

        return Searches(
            self.options,
            self.report,
            self.replays,
            self._own_bounds,
            self.deadline,
            self._progress,
            self.is_enough,
            only_proofs=self.forgets_memory,
            effort=self.job.effort,
        )

    @cached_property
    def state(self) -> TrackedState:
        """The globals that searches have had to track."""
        from remuda.store.tracked_state import TrackedState

        state = TrackedState(self.options.state)
        for entry, names in self.job.shared.tracked.items():
            state.note_names(entry, names)
        return state

    @property
    def recall(self) -> Recall | None:
        """What earlier runs have left."""
        return None if self.earlier is None else self.earlier.recall

    def faces(self, prepared: Prepared) -> Mapping[str, Interface]:
        """What each procedure of an instrumented program reads and writes."""
        from remuda.vc.interface import interfaces

        return interfaces(prepared.instrumented.program, summaries=self.options.summaries)

    def with_summaries(self, prepared: Prepared) -> Prepared:
        """The same program, with what earlier runs know of its procedures."""
        return prepared if self.earlier is None else self.earlier.with_summaries(prepared)

    def wanted(self) -> list[Check]:
        """The assertions to decide, and the constructs without a meaning."""
        chosen = set(self.prepared.chosen(self.options.assertion))
        if self.job.assertions is not None:
            chosen = {check for check in chosen if check.identifier in self.job.assertions}
        return [check for check in self.prepared.checks.values() if check in chosen or check.kind == UNSUPPORTED]

    def bounded(self) -> list[Check]:
        """The assertions that only the bound keeps from being proved."""
        return [check for check in self.ledger.outcomes if self.ledger.is_bounded(check)]

    # --- time and messages

    @property
    def is_late(self) -> bool:
        return self.deadline is not None and now() >= self.deadline

    def until(self, budget: Budget) -> float:
        """When a budget is used up that is used from now on."""
        return budget.until(now(), self.began, self.deadline)

    def is_enough(self) -> bool:
        """Whether nothing that is still open matters for the report."""
        if self.options.stop_at_first and self.ledger.found_violation():
            return True
        return self.ledger.has_violated_all()

    def say(self, doing: str) -> None:
        """Show what goes on before or after searches."""
        self.send(Progress(seconds=time.monotonic() - self.began, doing=doing))

    def _progress(self, bound: int, open_calls: int) -> None:
        self._read_news()
        moment = time.monotonic()
        if moment - self._last_progress >= PROGRESS_SECONDS:
            self._last_progress = moment
            statistics = self.report.statistics
            self.send(Progress(bound, statistics.instances, open_calls, statistics.solver_calls, moment - self.began))

    def _tell(self, result: object) -> None:
        self.send(result)

    @property
    def has_others(self) -> bool:
        """Whether other jobs run, or may soon, that can use what this one finds out."""
        return self.job.races or self._inbox is not None

    def share(self, found: FoundContracts | FoundTracked) -> None:
        """Let other jobs know, or those that begin later."""
        if self._inbox is not None:
            self.send(found)
        self.job = replace(self.job, shared=self.job.shared.with_found(found))

    def on_news(self, listener: Callable[[Sequence[Check]], None]) -> None:
        """Tell a search, while it runs, of assertions that another process has decided."""
        self._listeners.append(listener)

    def _read_news(self) -> None:
        decided = [] if self._inbox is None else self._inbox.decided()
        checks = [self.prepared.checks[name] for name in decided if name in self.prepared.checks]
        for listener in self._listeners if checks else ():
            listener(checks)

    def begin_again(self, send: Send, inbox: Inbox) -> None:
        """Go on in another process, which counts its own costs, and has one processor."""
        self.send, self._inbox = send, inbox
        self.options = replace(self.options, jobs=1)
        for name, value in asdict(Statistics()).items():  # searches have this very object
            setattr(self.report.statistics, name, value)

    def keep(self, search: object) -> None:
        """Free a search only after the report: that takes long where solvers are large."""
        self._last_searches.append(search)


def _engine(options: Options, program: Program) -> str:
    """Sharing instances pays in large programs of integers, not in those of bits: docs/benchmarks.md."""
    if options.engine not in {"auto", "horn"}:
        return options.engine
    from remuda.analysis.bit_programs import is_bit_program

    return "stratified" if is_bit_program(program) else "dag"
