"""One verification in one process: prepares a program, runs strategies one after another, and makes the report."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, final

from remuda.base.clock import now, used
from remuda.base.errors import Unsupported
from remuda.base.reasons import TIMEOUT, Cause, Reason
from remuda.ir.edit import size
from remuda.portfolio.attempt import Attempt, Send
from remuda.portfolio.knowledge import is_decided
from remuda.portfolio.plan import HEAD_START, RANDOM, SLACK, SMALL
from remuda.prepare.load import language_of
from remuda.prepare.nothing_checked import why_nothing_checked
from remuda.prepare.pipeline import is_large_with_memory
from remuda.replay.narrate import location_of
from remuda.results.report import AssertionResult, Location, Report, Verdict
from remuda.results.unsupported import UNSUPPORTED, holds_always, may_be_reached, settle

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.ir.program import Program
    from remuda.machine.settings import Question
    from remuda.portfolio.job import Job


@final
class Verification:
    """`program` is as in `Attempt`. What a verification finds out is there between any two of its steps."""

    def __init__(
        self, sources: Sequence[Source], job: Job, send: Send, began: float, program: Program | None = None
    ) -> None:
        self.attempt = Attempt(sources, job, send, began, program)
        self._not_shown_elsewhere: frozenset[str] = frozenset()
        self._adopted: Report | None = None

    def run(self) -> Report:
        """Verify from start to end."""
        for _ in self.steps():
            pass
        return self.conclude(self.results)

    def steps(self) -> Iterator[None]:
        """Decide the assertions step by step: between two steps, the rest can go on in a copy of this process."""
        attempt = self.attempt
        try:
            if attempt.options.modular:
                from remuda.portfolio.strategies.modular import Modular

                yield from Modular().steps(attempt)
                self._note_nothing_checked()
                return
            attempt.prepare()
        except Unsupported as problem:
            self._unsupported(problem)
            return
        if not attempt.wanted():
            return
        if not attempt.job.races and self.may_do_without_memory and self._holds_without_memory():
            return
        from remuda.portfolio.stages import stages

        try:
            for stage in stages(attempt.job, attempt.options):
                yield from stage.steps(attempt)
        except Unsupported as problem:
            place = "" if problem.span is None else f" at {problem.span}"  # a solver does not know where
            checks = attempt.prepared.checks.values()
            why = Reason(f"{problem.construct}{place} is not supported", Cause.UNSUPPORTED)
            attempt.ledger.leave_open(checks, why)

    @property
    def needs_help(self) -> bool:
        """Whether other strategies should begin: the search takes long, or has come to its bound in a large program."""
        attempt = self.attempt
        if not attempt.is_prepared:
            return False
        is_due = used() >= attempt.search_began + HEAD_START - SLACK
        return is_due or (attempt.has_searched and size(attempt.prepared.base) > SMALL)

    @property
    def has_more_to_do(self) -> bool:
        """Whether something is left that other strategies may decide."""
        attempt = self.attempt
        if self._adopted is not None or not attempt.is_prepared or attempt.is_enough():
            return False
        return not all(map(is_decided, self._asked()))

    def _asked(self) -> list[AssertionResult]:
        return [self.attempt.ledger.result(check) for check in self.attempt.wanted()]

    # --- what is known

    @property
    def report(self) -> Report:
        return self._adopted or self.attempt.report

    @property
    def results(self) -> list[AssertionResult]:
        """What is known of each assertion, and of each construct without a meaning."""
        attempt = self.attempt
        if self._adopted is not None or not attempt.is_prepared:
            return self.report.assertions
        return [attempt.ledger.result(check) for check in attempt.prepared.checks.values()]

    @property
    def wanted(self) -> list[str]:
        """The identifiers of what is to be decided."""
        return [check.identifier for check in self.attempt.wanted()] if self.attempt.is_prepared else []

    @property
    def size(self) -> int:
        """Of the program that was verified, in statements and blocks."""
        return size(self.attempt.prepared.base) if self.attempt.is_prepared else 0

    @property
    def not_shown(self) -> frozenset[str]:
        """The assertions that an execution fails that does not do so on the machine for C."""
        if self._adopted is not None or not self.attempt.is_prepared:
            return self._not_shown_elsewhere
        return self._not_shown_elsewhere | {each.identifier for each in self.attempt.replays.not_shown}

    @not_shown.setter
    def not_shown(self, identifiers: frozenset[str]) -> None:
        self._not_shown_elsewhere = identifiers

    # --- without memory

    @property
    def may_do_without_memory(self) -> bool:
        """Whether a proof that forgets memory is worth a try: it spares the search the proof of all beliefs."""
        attempt, options = self.attempt, self.attempt.options
        is_plain = options.engine in {"auto", "stratified", "dag"} and options.abstract is None
        is_plain &= options.integers != "math" and options.memory_model == "regions"
        is_whole = attempt.job.assertions is None and not options.summaries_dir and options.houdini is None
        has_beliefs = bool(attempt.program.beliefs)
        return has_beliefs and is_plain and is_whole and is_large_with_memory(attempt.prepared)

    def _holds_without_memory(self) -> bool:
        from remuda.portfolio.strategies.without_memory import proved_without_memory

        attempt = self.attempt
        proved = proved_without_memory(attempt.sources, attempt.job.options, attempt.began)
        if proved is not None:
            self.adopt(proved)
        return proved is not None

    def adopt(self, report: Report) -> None:
        """Take over a report that says everything."""
        self._adopted = report
        self.attempt.send(report)

    # --- the report

    def conclude(self, results: Sequence[AssertionResult], stopped: Reason | None = None) -> Report:
        """The report, once nothing more can be found out. `stopped` is what ended the search before it decided everything."""
        report, attempt = self.report, self.attempt
        if self._adopted is not None:
            return report
        if attempt.is_prepared:
            stopped = TIMEOUT if attempt.is_late else stopped
            reasoned = results if stopped is None else self._as_stopped(results, stopped)
            report.assertions = self._challenged(self._settled(reasoned))
            if any(result.why.cause is Cause.TIME for result in report.assertions):
                report.stopped = TIMEOUT
            self._note_nothing_checked()
            report.statistics.seconds = time.monotonic() - attempt.began
        return report

    def _as_stopped(self, results: Sequence[AssertionResult], stopped: Reason) -> list[AssertionResult]:
        """With what has stopped the search as the reason, where nothing else is known."""
        wanted = set(self.wanted)
        return [
            replace(each, why=stopped) if each.why.cause is Cause.UNDECIDED and each.identifier in wanted else each
            for each in results
        ]

    def _settled(self, results: Sequence[AssertionResult]) -> list[AssertionResult]:
        """What may be claimed of all assertions, if executions reach constructs without a meaning."""
        names = {each.identifier for each in results if each.kind == UNSUPPORTED and may_be_reached(each)}
        prepared = self.attempt.prepared
        constructs = [check for check in prepared.checks.values() if check.identifier in names]
        if not constructs:
            return settle(results)
        from remuda.analysis.before import checks_before

        return settle(results, checks_before(prepared.base, constructs))

    def _challenged(self, results: list[AssertionResult]) -> list[AssertionResult]:
        """Run a C program on random inputs for a moment: nothing that is said to hold may fail there."""
        attempt = self.attempt
        presentation, options = attempt.prepared.base.presentation, attempt.options
        is_dropped = attempt.forgets_memory and not all(map(holds_always, results))
        if presentation is None or options.challenge == 0 or is_dropped or not attempt.wanted():
            return results
        from remuda.confirm.challenge import Challenge

        challenge = Challenge(presentation, options, attempt.report, self._shown_by)
        limit = None if options.timeout is None else attempt.began + options.timeout
        found = challenge.challenged(results, now() - attempt.began, limit)
        for old, new in zip(results, found, strict=True):
            if new is not old:
                attempt.send(new)
        return found

    def _shown_by(
        self, entry: str, told: Sequence[tuple[Question, int | float]], wanted: str
    ) -> AssertionResult | None:
        """The violation that an execution on given inputs ends in, wherever the bound is; that of the wanted assertion,
        if failures end nothing."""
        from remuda.portfolio.strategies.executions import violation_on

        violation = violation_on(self.attempt, entry, told, wanted)
        if violation is None:
            return None
        self.attempt.ledger.settle(violation, RANDOM)
        return self.attempt.ledger.result(violation.check)

    def _note_nothing_checked(self) -> None:
        attempt, report = self.attempt, self.report
        is_c = language_of(attempt.sources, attempt.options) == "c"
        program = replace(attempt.program, entries=report.entries)
        report.nothing_checked = why_nothing_checked(program, report.assertions, attempt.options, is_c=is_c)

    def _unsupported(self, problem: Unsupported) -> None:
        """Nothing can be claimed of a program with a construct that has no meaning here."""
        report = self.report
        location = location_of(problem.span) if problem.span is not None else Location(report.file, 1, 1)
        report.assertions = [
            AssertionResult(
                identifier=f"{report.file}:unsupported:1",
                kind="unsupported",
                description=problem.construct,
                location=location,
                verdict=Verdict.UNKNOWN,
                why=Reason(f"{problem.construct} is not supported", Cause.UNSUPPORTED),
            )
        ]
        report.statistics.seconds = time.monotonic() - self.attempt.began
