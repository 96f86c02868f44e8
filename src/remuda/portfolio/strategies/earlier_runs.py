"""Takes over what earlier runs have left in `--summaries-dir` before a search, and adds to it after the search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from remuda.base.clock import now
from remuda.base.errors import Unsupported
from remuda.engines.needed_calls import with_needed_calls
from remuda.engines.outcome import Confirmation, Ground, Outcome
from remuda.engines.solver_setup import solver_setups
from remuda.portfolio.budgets import EARLIER_PROOF, SMALLER_PROOFS, SUMMARIES
from remuda.portfolio.searches import not_asked
from remuda.prepare.claims import is_final, worst
from remuda.results.report import Report, Statistics, Verdict
from remuda.store.recall import Hint, Recall
from remuda.store.summary_store import SummaryStore
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from remuda.confirm.replays import Replays
    from remuda.engines.inlining import Inlining
    from remuda.ir.program import Check
    from remuda.ir.trace import Trace
    from remuda.options import Options
    from remuda.portfolio.attempt import Attempt
    from remuda.portfolio.budgets import Budget
    from remuda.portfolio.ledger import Ledger
    from remuda.portfolio.searches import Searches
    from remuda.prepare.pipeline import Prepared


@final
@dataclass(frozen=True, slots=True)
class TakeOver:
    """If assertions can be told from each other by their names."""

    def steps(self, attempt: Attempt) -> Iterator[None]:
        prepared = attempt.prepared
        names = {check.identifier for check in prepared.instrumented.targets}
        if len(names) == len(prepared.instrumented.targets) and not prepared.has_threads:
            attempt.earlier = EarlierRuns(
                prepared,
                attempt.options,
                attempt.report,
                attempt.ledger,
                attempt.replays,
                attempt.searches,
                attempt.began,
                attempt.deadline,
            )
            attempt.earlier.remember(attempt.wanted())
        yield from ()


@final
@dataclass(frozen=True, slots=True)
class Keep:
    """For later runs."""

    def steps(self, attempt: Attempt) -> Iterator[None]:
        if attempt.earlier is not None:
            attempt.earlier.keep()
        yield from ()


@final
class EarlierRuns:
    """The folder, as one run uses it. `began` is when that run did."""

    def __init__(
        self,
        prepared: Prepared,
        options: Options,
        report: Report,
        ledger: Ledger,
        replays: Replays,
        searches: Searches,
        began: float,
        deadline: float | None,
    ) -> None:
        self._prepared = prepared
        self._options = options
        self._report = report
        self._ledger = ledger
        self._replays = replays
        self._searches = searches
        self._began = began
        self._deadline = deadline
        self.store = SummaryStore(options.summaries_dir, report.notes.append)
        self.recall = Recall(self.store, prepared, options, deadline)

    def remember(self, wanted: Sequence[Check]) -> None:
        """Take over what earlier runs found out, where it still holds or is easily seen to."""
        ledger, prepared, statistics = self._ledger, self._prepared, self._report.statistics
        ledger.note = self.recall.note
        for entry, below in ledger.below.items():
            known = self.recall.proofs(entry, [check for check in wanted if check in below])
            statistics.verdicts_reused += len(known)
            ledger.early.update({(entry, outcome.check): outcome for outcome in known})
            hints = self.recall.hints(entry)
            forgotten = tuple(dict.fromkeys(check for hint in hints for check in hint.checks))
            known_better = self.with_summaries(prepared) if forgotten else prepared
            if known_better is not prepared:
                self._reprove(entry, Hint(known_better, (), forgotten, 0.0))
            for hint in hints:
                self._reprove(entry, hint)
            left = [check for check in wanted if check in below and (entry, check) not in ledger.early]
            for place in self.recall.places(entry, left):
                self._look_again(entry, place)
        missing = ledger.not_early(wanted)
        for outcome in self.recall.bounded(missing, self._searches.bounds(self._prepared)):
            statistics.verdicts_reused += 1
            ledger.settled.add(outcome.check)
            for entry, below in ledger.below.items():
                if outcome.check in below:
                    ledger.early.setdefault((entry, outcome.check), outcome)

    def with_summaries(self, prepared: Prepared) -> Prepared:
        """The same program, with what earlier runs know of its procedures."""
        return self.recall.with_summaries(prepared, self._report.statistics)

    def _reprove(self, entry: str, hint: Hint) -> None:
        """Ask whether an earlier proof goes through once more, in the time that it took to find."""
        deadline = self._until(replace(EARLIER_PROOF, least=max(EARLIER_PROOF.least, hint.seconds)))
        checks = [check for check in hint.checks if (entry, check) not in self._ledger.early]
        if not checks:
            return
        faces = interfaces(hint.program.instrumented.program, summaries=self._options.summaries)
        setup = solver_setups(hint.program.instrumented.program, self._options)[0]

        def hear(outcome: Outcome) -> None:
            if self.recall.is_as_good(entry, outcome):
                self._report.statistics.verdicts_rechecked += 1
                self._ledger.early[entry, outcome.check] = outcome

        self._searches.use(setup)
        inlining = self._searches.inlining(entry, hint.program, faces, setup)
        search = self._searches.search_in(inlining, entry, hint.program, hear, confirm=not_asked)
        with suppress(Unsupported):  # by this solver; the search has others
            search.start_at_end(checks, hint.shape)
            search.advance(deadline)
        self._report.statistics.tree_instances += inlining.tree_size

    def _look_again(self, entry: str, place: Hint) -> None:
        """Look for violations where an earlier run has found them."""
        deadline = self._until(replace(EARLIER_PROOF, least=max(EARLIER_PROOF.least, place.seconds)))
        program, prepared = place.program, self._prepared
        faces = interfaces(program.instrumented.program, summaries=self._options.summaries)
        setup = solver_setups(program.instrumented.program, self._options)[0]

        def confirm(trace: Trace) -> Confirmation:
            if place.tracked is None:
                return self._replays.confirm(program, trace)
            verdict = self._searches.judge(prepared, program.instrumented.lift(trace), place.tracked)
            return verdict if isinstance(verdict, Confirmation) else Confirmation("more globals have to be tracked")

        def hear(outcome: Outcome) -> None:
            if outcome.verdict is Verdict.VIOLATED:
                self._ledger.early[entry, outcome.check] = outcome

        self._searches.use(setup)
        inlining = self._searches.inlining(entry, program, faces, setup)
        search = self._searches.search_in(inlining, entry, program, hear, confirm=confirm)
        with suppress(Unsupported):  # by this solver; the search has others
            search.look_again(place.checks, place.shape, deadline)
        self._report.statistics.tree_instances += inlining.tree_size

    def _with_needed_calls(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """The same outcomes, where proofs rest on what they need only, as far as there is time to find out."""
        until = self._until(SMALLER_PROOFS)
        known = set(map(id, self._ledger.early.values()))
        together: dict[int, tuple[Ground, list[Check]]] = {}
        for outcome in outcomes:
            if outcome.ground is not None and is_final(outcome) and id(outcome) not in known:
                together.setdefault(id(outcome.ground), (outcome.ground, []))[1].append(outcome.check)
        smaller: dict[int, Ground] = {}
        for key, (ground, checks) in together.items():
            left = until - now()
            if left > 0 and len(ground.shape) > 1 and self.recall.knows(ground.code):
                with suppress(Unsupported):
                    smaller[key] = with_needed_calls(ground, checks, lambda of=ground: self._load_again(of), left)  # type: ignore[misc]
        return [
            replace(outcome, ground=smaller[id(outcome.ground)]) if id(outcome.ground) in smaller else outcome
            for outcome in outcomes
        ]

    def _load_again(self, ground: Ground) -> Inlining:
        """The program of a proof in a new solver; instances are shared as they were."""
        program = replace(self._prepared, instrumented=ground.code)
        faces = interfaces(ground.code.program, summaries=self._options.summaries)
        inlining = self._searches.inlining(
            ground.entry, program, faces, solver_setups(ground.code.program, self._options)[0]
        )
        inlining.statistics = Statistics()  # no part of the search
        return inlining

    def _until(self, budget: Budget) -> float:
        return budget.until(now(), self._began, self._deadline)

    def keep(self) -> None:
        """Store what this run has found out."""
        outcomes = self._with_needed_calls([outcome for found in self._ledger.outcomes.values() for outcome in found])
        self.recall.keep(outcomes)
        if self._deadline is None or now() < self._deadline:  # else more might have been proved
            bounded = [
                worst(self._ledger.outcomes[check])
                for check in self._ledger.outcomes
                if self._ledger.is_bounded(check)
            ]
            self.recall.keep_bounded(bounded, self._searches.bounds(self._prepared))
        left = self._until(SUMMARIES) - now()
        if left > 0:
            known = {
                (outcome.check, outcome.verdict) for outcome in self._ledger.early.values()
            }  # these have their summaries
            new = [outcome for outcome in outcomes if (outcome.check, outcome.verdict) not in known]
            self._report.statistics.summaries_found = self.recall.keep_summaries(new, left)
        self.recall.close()
