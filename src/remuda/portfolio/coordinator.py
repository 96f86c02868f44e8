"""The default: one search, and when that takes long, other strategies beside it, in other processes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, final

from remuda.base import clock
from remuda.base.reasons import CUT_SHORT, NO_REASON, TIMEOUT, Cause, Reason
from remuda.jobs.processes import processors
from remuda.portfolio.attempt import PROGRESS_SECONDS
from remuda.portfolio.budgets import PATIENCE
from remuda.portfolio.facts import facts_of
from remuda.portfolio.knowledge import Knowledge, is_decided
from remuda.portfolio.ledger import BrokenBelief
from remuda.portfolio.plan import DEEPER, FIRST, Runner, auto
from remuda.portfolio.race import Race
from remuda.portfolio.shared import FoundContracts, FoundTracked
from remuda.portfolio.verification import Verification
from remuda.prepare.load import NO_MEMORY
from remuda.results.progress import Progress
from remuda.results.report import AssertionResult, Report, Statistics, StrategyCost, Verdict
from remuda.results.unsupported import holds_always

if TYPE_CHECKING:
    from remuda.ir.program import Check
    from remuda.jobs.worker import Send, WorkerOutcome
    from remuda.portfolio.job import Job
    from remuda.portfolio.race import Inbox

GRACE: Final = 0.3  # seconds for processes to say what they know when the time is up


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """What a process says last. `broken` is the belief that it has seen an execution break."""

    report: Report
    not_shown: frozenset[str] = frozenset()
    broken: Check | None = None
    is_whole: bool = False  # the report says everything


@final
class Coordinator:
    """Runs the first verification on in a process of its own, and other strategies beside it. `steps` are what is left of
    the first verification's steps; None: nothing is."""

    def __init__(self, first: Verification, steps: Iterator[None] | None) -> None:
        attempt = first.attempt
        options = attempt.options  # of the loaded program, whose entries may have names of their own
        self._first = first
        self._steps = steps
        self._sources = attempt.sources
        self._options = options
        self._send = attempt.send
        self._began = attempt.began
        self._wanted = first.wanted
        self._knowledge = Knowledge(first.results, attempt.job.shared)
        slots = options.jobs or processors()
        memory = None if options.memory is None else options.memory // slots
        self._race = Race(slots, self._hear, memory)
        self._whole: Report | None = None
        self._stopped: Reason | None = None  # what ended the first search
        self._bound = 0  # the largest that is searched
        self._last_progress = attempt.began
        self._deadline = attempt.deadline  # by the wall clock
        self._ends: float | None = None  # by the clock of the race
        self._before = clock.now() - attempt.began  # seconds before the race
        self._race_began = self._race.now()
        self._asked: dict[str, frozenset[str]] = {}  # what each strategy was asked to decide
        self._last: dict[str, Progress] = {}  # what each has said of its costs

    def run(self) -> Report:
        first = self._first.attempt
        program = replace(first.program, entries=first.report.entries)
        runners = auto(
            facts_of(program),
            self._options,
            may_forget_memory=self._first.may_do_without_memory,
            has_searched=first.has_searched,
        )
        if self._steps is None:
            self._be_patient()
        else:
            self._race.add(FIRST, self._finish_first, lambda: (self._steps,), stays=True)
        for runner in runners:
            if not runner.is_last or first.has_searched:
                self._add(runner)
        last = [] if first.has_searched else [runner for runner in runners if runner.is_last]
        try:
            while self._race.is_running and not (self._race.is_between_turns and self._is_over()):
                for strategy, outcome in self._race.step():
                    self._end(strategy, outcome)
                    if strategy == FIRST:
                        for runner in last:
                            self._add(runner)
                        self._be_patient()
                if self._deadline is not None and time.monotonic() >= self._deadline + GRACE:
                    self._stopped = TIMEOUT
                    break
                self._end_idle()
                self._show_progress()
        finally:
            self._note_ended(self._race.close())
        clock.spend(self._race.now() - self._race_began)  # what all processes did is part of this run's work
        if self._whole is not None:
            self._first.adopt(self._whole)
            return self._whole
        self._first.report.notes += self._knowledge.notes
        results = [self._knowledge.results[each.identifier] for each in self._first.results]
        return self._first.conclude(results, self._stopped)

    def _show_progress(self) -> None:
        now = time.monotonic()
        if now - self._last_progress < PROGRESS_SECONDS:
            return
        self._last_progress = now
        statistics, count = self._first.report.statistics, len(self._wanted)
        self._send(
            Progress(
                self._bound,
                statistics.instances,
                0,
                statistics.solver_calls,
                now - self._began,
                strategies=tuple(self._race.running),
                decided=count - len(self._knowledge.open(self._wanted)),
                assertions=count,
            )
        )

    def _be_patient(self) -> None:
        """The first search has ended; what is left has a while."""
        now = self._race.now()
        self._ends = PATIENCE.until(now, self._race_began - self._before, None)

    def _is_over(self) -> bool:
        """Whether to end all strategies: nothing is left to be found out, or enough time was spent on it."""
        return self._is_enough() or (self._ends is not None and self._race.now() >= self._ends)

    def _end_idle(self) -> None:
        """End strategies whose assertions are all decided."""
        if self._race.is_between_turns:
            idle = {name for name, asked in self._asked.items() if asked and not self._knowledge.open(asked)}
            for name in idle:
                del self._asked[name]
            self._note_ended(self._race.end(idle))

    def _note_ended(self, ended: Sequence[tuple[str, WorkerOutcome[Any]]]) -> None:
        """What strategies have cost that are ended early."""
        statistics = self._first.report.statistics
        for strategy, outcome in ended:
            self._first.report.strategies.append(StrategyCost(strategy, outcome.cpu_seconds))
            last = self._last.get(strategy, Progress())
            statistics.instances += last.instances
            statistics.solver_calls += last.solver_calls

    def _add(self, runner: Runner) -> None:
        def arguments() -> tuple[Job]:
            job = runner.job(self._options, self._knowledge.open(self._wanted), self._knowledge.shared)
            self._asked[runner.strategy] = job.assertions or frozenset()
            return (job,)

        self._race.add(runner.strategy, self._perform, arguments)

    # --- in other processes

    def _finish_first(self, send: Send, inbox: Inbox, steps: Iterator[None]) -> Finding:
        """Go on with the first search."""
        return _decided(self._first, steps, send, inbox)

    def _perform(self, send: Send, inbox: Inbox, job: Job) -> Finding:
        if job.options.memory_model == NO_MEMORY:
            from remuda.portfolio.strategies.without_memory import proved_without_memory

            report = proved_without_memory(self._sources, self._first.attempt.job.options, self._began)
            return Finding(report or self._first.report, is_whole=report is not None)
        job = replace(job, beliefs=self._first.attempt.job.beliefs)
        run = Verification(self._sources, job, send, self._began, self._first.attempt.program)
        found = _decided(run, run.steps(), send, inbox)
        if job.options.modular:
            if not all(map(holds_always, found.report.assertions)):  # one rests on the others
                return Finding(replace(found.report, assumed=[]))
            for name in job.assertions or ():
                known = self._knowledge.results[name]
                send(replace(known, verdict=Verdict.PROVED, why=NO_REASON, bound=None, strategy=job.strategy))
        return found

    # --- in this one

    def _hear(self, strategy: str, message: object) -> None:
        match message:
            case AssertionResult():
                if strategy == DEEPER and message.bound is not None:
                    message = _rounded(message, self._knowledge.results[message.identifier])
                if self._knowledge.hear(strategy, message):
                    known = self._knowledge.results[message.identifier]
                    self._send(known)
                    if is_decided(known):
                        self._race.note_decided([known.identifier])
            case FoundContracts() | FoundTracked():
                self._knowledge.learn(message)
            case Progress():
                self._bound = max(self._bound, message.bound)
                if message.instances or message.solver_calls:
                    self._last[strategy] = message

    def _end(self, strategy: str, outcome: WorkerOutcome[Any]) -> None:
        self._asked.pop(strategy, None)
        if outcome.error is not None and strategy == FIRST:
            raise outcome.error
        if outcome.ended_by(Cause.CRASHED):
            self._first.report.notes.append(f"the strategy {strategy!r} ended with an error: {outcome.stopped}")
        if strategy == FIRST and outcome.ended_by(Cause.MEMORY):
            self._stopped = outcome.stopped
        self._first.report.strategies.append(StrategyCost(strategy, outcome.cpu_seconds))
        found = outcome.result
        if not isinstance(found, Finding):
            return
        if found.broken is not None:
            raise BrokenBelief(found.broken)
        if found.is_whole:
            if not self._knowledge.found_violation():  # else the two disagree
                self._whole = found.report
            for result in found.report.assertions:
                self._hear(strategy, result)
            return
        for result in found.report.assertions if strategy == FIRST else ():
            self._hear(strategy, result)
        known = self._first.report.assumed
        known += [each for each in found.report.assumed if each not in known]
        self._first.not_shown |= found.not_shown
        _add_up(self._first.report.statistics, found.report.statistics)
        self._first.report.invariants += found.report.invariants
        self._first.report.solver = ", ".join(
            dict.fromkeys(
                name for text in (self._first.report.solver, found.report.solver) for name in text.split(", ") if name
            )
        )

    def _is_enough(self) -> bool:
        if self._whole is not None or not self._knowledge.open(self._wanted):
            return True
        if self._options.stop_at_first and self._knowledge.found_violation():
            return True
        return self._knowledge.has_violated_all(self._wanted)


def _decided(run: Verification, steps: Iterator[None], send: Send, inbox: Inbox) -> Finding:
    """Decide what is left to decide."""
    run.attempt.begin_again(send, inbox)
    try:
        for _ in steps:
            pass
    except BrokenBelief as problem:
        return Finding(run.report, broken=problem.check)
    run.report.assertions = run.results
    return Finding(run.report, run.not_shown)


def _rounded(result: AssertionResult, known: AssertionResult) -> AssertionResult:
    """A bound beyond the one that was asked for is claimed as a power of two: it depends less on chance then. That the search
    ended before its last bound is no reason; what the first bound has cut is."""
    assert result.bound is not None
    bound = 1 << (result.bound.bit_length() - 1)
    return replace(result, why=known.why if result.why.cause in CUT_SHORT else result.why, bound=bound)


def _add_up(total: Statistics, more: Statistics) -> None:
    for each in fields(Statistics):
        one, other = getattr(total, each.name), getattr(more, each.name)
        if isinstance(one, int | float) and isinstance(other, int | float):
            setattr(total, each.name, one + other)
