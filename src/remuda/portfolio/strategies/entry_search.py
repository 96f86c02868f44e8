"""Searches from one entry that take turns: solvers, fewer schedules, fewer globals, with and without contracts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, final

from remuda.base.reasons import TIMEOUT
from remuda.engines.cegar import CegarSearch
from remuda.engines.outcome import Announce, Confirm, Confirmation, Outcome
from remuda.engines.solver_setup import solver_setups
from remuda.engines.turns import Make, Search, Turns
from remuda.portfolio.budgets import CONTRACTS
from remuda.portfolio.plan import HEAD_START
from remuda.portfolio.shared import FoundTracked
from remuda.portfolio.strategies import contracts
from remuda.prepare.pipeline import is_large_with_memory, with_schedules, with_tracked, without_lifting
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.contracts.inference import Aside
    from remuda.engines.inlining import Inlining
    from remuda.engines.refinement import Tracked
    from remuda.engines.solver_setup import SolverSetup
    from remuda.engines.stratified import StratifiedSearch
    from remuda.ir.program import Check
    from remuda.ir.trace import Trace
    from remuda.portfolio.attempt import Attempt
    from remuda.prepare.pipeline import Prepared
    from remuda.transforms.sequentialize import Schedules
    from remuda.vc.interface import Interface

SHORT_START: Final = 0.5  # seconds of the first turn, where threads make several searches begin at once


@final
class EntrySearch:
    """`announce` gets outcomes in place of the ledger, for a search that is part of another engine; `cannot_fail` are
    procedures that such an engine has seen to hold."""

    def __init__(
        self,
        attempt: Attempt,
        entry: str,
        prepared: Prepared,
        faces: Mapping[str, Interface],
        announce: Announce | None = None,
        cannot_fail: Sequence[str] = (),
    ) -> None:
        self._attempt = attempt
        self._entry = entry
        self._prepared = prepared
        self._faces = faces
        self._announce = announce
        self._cannot_fail = cannot_fail
        self._setups = self._chosen_setups()
        self._inlinings: list[Inlining] = []

    def _chosen_setups(self) -> list[SolverSetup]:
        setups = solver_setups(self._prepared.instrumented.program, self._attempt.options)
        choice = self._attempt.job.choice
        return setups if choice is None else setups[choice:][:1] or setups[:1]

    def steps(self, checks: list[Check]) -> Iterator[None]:
        attempt, options = self._attempt, self._attempt.options
        is_postponed = contracts.are_postponed(options, self._prepared)
        aside = contracts.infer_aside(attempt, self._prepared) if is_postponed else None
        makers = self._makers()
        if is_postponed:
            makers.append(self._maker_with_contracts(aside, checks))
        is_whole = self._announce is None
        hunters = self._hunters() if is_whole else []
        abstract = self._abstract_maker() if is_whole else None
        if abstract is not None and options.abstract:
            makers, hunters, abstract = [abstract], [], None  # alone, as it was asked for
        turns = Turns(
            makers,
            self._announce or attempt.ledger.announce,
            min(SHORT_START, options.alternate) if hunters else options.alternate,
            abstract,
            hunters=hunters,
            ask_all=len({setup.solver for setup in self._setups}) > 1,  # each may know what the others do not
            newest_first=is_postponed,
            pause=HEAD_START if attempt.job.races else None,
        )
        attempt.on_news(turns.forget)
        try:
            yield from turns.steps(checks)
        finally:
            if aside is not None:
                aside.close()
        if attempt.is_late:
            attempt.keep(turns)
        attempt.report.statistics.tree_instances += sum(inlining.tree_size for inlining in self._inlinings)

    # --- which searches

    def _makers(self) -> list[Make]:
        """One for each solver; before them, one of the program without its assertions lifted, if it is large."""
        makers = [self._maker(setup, self._prepared, self._faces) for setup in self._setups]
        plain = without_lifting(self._prepared, self._attempt.options)
        if plain is not None:
            if self._attempt.recall is not None:
                self._attempt.recall.made_unlifted(plain.instrumented)
            makers.insert(0, self._maker(self._setups[0], plain, self._attempt.faces(plain)))
        return makers

    def _maker(self, setup: SolverSetup, program: Prepared, faces: Mapping[str, Interface]) -> Make:
        searches, ledger = self._attempt.searches, self._attempt.ledger

        def make(hear: Announce) -> StratifiedSearch:
            searches.use(setup)
            inlining = searches.inlining(self._entry, program, faces, setup, self._cannot_fail)
            self._inlinings.append(inlining)
            note = ledger.searched if self._announce is None else lambda _bound, _checks: None
            return searches.search_in(inlining, self._entry, program, hear, searched=note)

        return make

    def _maker_with_contracts(self, aside: Aside | None, checks: Sequence[Check]) -> Make:
        """A search that has contracts, once they are found: in another process if there is one."""
        attempt, prepared = self._attempt, self._prepared

        def make(hear: Announce) -> Search:
            if aside is None:
                until = attempt.until(CONTRACTS)
                found = contracts.with_inferred(attempt, prepared, until, checks, is_horn=False)
            else:
                found = contracts.with_found(attempt, prepared, aside.found)
            return self._maker(self._setups[0], found, attempt.faces(found))(hear)

        return make

    def _hunters(self) -> list[Make]:
        """Searches for violations on fewer schedules, or in fewer iterations of loops that would be unrolled."""
        unroll, schedules = self._attempt.options.unroll, self._prepared.schedules
        found: list[Make] = []
        for fewer in schedules.fewer() if schedules is not None else ():
            is_first = not found
            found.append(self._hunter(fewer, self._setups[0], unroll=unroll and is_first))
            if unroll and not is_first and fewer.delays is None:
                found.append(self._hunter(fewer, self._setups[-1], unroll=True, only_few_delays=True))
        return found

    def _hunter(
        self, schedules: Schedules, setup: SolverSetup, *, unroll: bool, only_few_delays: bool = False
    ) -> Make:
        attempt = self._attempt
        fewer = TIMEOUT.before(str(self._prepared.schedules)).but(str(schedules))

        def make(hear: Announce) -> StratifiedSearch:
            options = replace(attempt.options, unroll=unroll)
            searched = replace(schedules, delays=schedules.rounds) if only_few_delays else schedules
            part = with_schedules(self._prepared, options, searched)
            attempt.searches.use(setup)
            inlining = attempt.searches.inlining(self._entry, part, attempt.faces(part), setup)
            self._inlinings.append(inlining)

            def tell(outcome: Outcome) -> None:
                if outcome.verdict is Verdict.VIOLATED or not only_few_delays:
                    hear(replace(outcome, schedules=fewer))

            return attempt.searches.search_in(inlining, self._entry, part, tell, eager=only_few_delays)

        return make

    def _abstract_maker(self) -> Callable[[Announce], CegarSearch] | None:
        """A search that tracks globals as needed, if that may be worth it."""
        attempt, prepared = self._attempt, self._prepared
        options = attempt.options
        if options.abstract is False or options.inline == "all" or options.engine == "static":
            return None
        if options.abstract is None and (attempt.job.races or not is_large_with_memory(prepared)):
            return None

        def make(hear: Announce) -> CegarSearch:
            part = prepared
            setup = solver_setups(prepared.instrumented.program, options)[0]

            def make_tracking(tracked: Tracked, confirm: Confirm) -> StratifiedSearch:
                nonlocal part
                part = with_tracked(prepared, tracked)
                if attempt.recall is not None:
                    attempt.recall.made_tracking(part.instrumented, tracked)
                attempt.searches.use(setup)
                inlining = attempt.searches.inlining(self._entry, part, attempt.faces(part), setup)
                self._inlinings.append(inlining)
                return attempt.searches.search_in(inlining, self._entry, part, hear, confirm=confirm)

            def judge(trace: Trace, tracked: Tracked) -> Confirmation | Tracked:
                verdict = attempt.searches.judge(prepared, part.instrumented.lift(trace), tracked)
                if not isinstance(verdict, Confirmation):
                    attempt.state.note(self._entry, verdict)
                    if attempt.has_others:
                        attempt.share(FoundTracked(self._entry, tuple(sorted(each.name for each in verdict))))
                return verdict

            known = attempt.state.tracked(self._entry, prepared.searched.globals)
            if attempt.recall is not None:
                known |= attempt.recall.tracked(self._entry)
            return CegarSearch(make_tracking, judge, known)

        return make
