"""Tries to prove what a search has found no violation of: in loops alone, with contracts, with Horn clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base.clock import now
from remuda.engines.solver_setup import solver_setups
from remuda.ir.edit import size
from remuda.isolation.isolate import GLANCE_WAYS, QUICK_WAYS, WAYS
from remuda.portfolio.budgets import ASKED_PROOFS, PROOFS, QUICK_ISOLATION
from remuda.portfolio.searches import not_asked
from remuda.portfolio.strategies import contracts
from remuda.portfolio.strategies.isolation import ISOLATION, prove_alone
from remuda.prepare.claims import is_final
from remuda.prepare.pipeline import for_proofs, with_tracked

if TYPE_CHECKING:
    from remuda.engines.outcome import Outcome
    from remuda.ir.program import Check
    from remuda.isolation.isolate import Way
    from remuda.portfolio.attempt import Attempt
    from remuda.prepare.pipeline import Prepared

CONTRACTS, HORN, SUMMARIES = "contracts", "horn", "summaries"  # names in reports
BOUND: Final = 2  # how deep to search with contracts
ISOLATION_SIZE: Final = 3000  # statements and blocks: to copy the loops of larger programs takes longer than that


@final
@dataclass(frozen=True, slots=True)
class Proofs:
    """Takes no longer than the search has taken, or a few seconds."""

    def steps(self, attempt: Attempt) -> Iterator[None]:
        prepared, options = attempt.prepared, attempt.options
        is_postponed = contracts.are_postponed(options, prepared)
        deadline = attempt.until(ASKED_PROOFS if is_postponed else PROOFS)
        self._isolate(attempt, deadline)
        ways = _ways(attempt, is_postponed=is_postponed)
        if ways and attempt.bounded():
            yield
            prepared = for_proofs(prepared, options) if attempt.recall is None else attempt.recall.for_proofs()
            known = attempt.with_summaries(prepared)
            if known is not prepared:
                _prove_with(attempt, known, attempt.bounded(), deadline, SUMMARIES)
        for is_horn, is_abstract in ways:
            yield
            moment = now()
            bounded = attempt.bounded()
            if not bounded or moment >= deadline:
                return
            program = _abstraction(attempt, prepared) if is_abstract else prepared
            if program is None:
                continue
            until = moment + (deadline - moment) / 2
            strengthened = contracts.with_inferred(attempt, program, until, bounded, is_horn=is_horn)
            if strengthened is not program:
                _prove_with(attempt, strengthened, bounded, deadline, HORN if is_horn else CONTRACTS)
                prepared = prepared if is_abstract else strengthened

    @staticmethod
    def _isolate(attempt: Attempt, deadline: float) -> None:
        """Loops and procedures alone: quick ways, unless isolation was asked for, which has tried these before the search."""
        options = attempt.options
        is_small = size(attempt.prepared.looping) <= ISOLATION_SIZE
        if options.isolate is None and options.houdini is not False and is_small:
            _isolate_bounded(attempt, GLANCE_WAYS, min(deadline, attempt.until(QUICK_ISOLATION)), jobs=1)
        elif options.isolate:
            slow = [way for way in WAYS[options.backend] if way not in QUICK_WAYS[options.backend]]
            _isolate_bounded(attempt, slow, deadline)


def _isolate_bounded(attempt: Attempt, ways: Sequence[Way], deadline: float, jobs: int | None = None) -> None:
    ledger = attempt.ledger

    def hear(outcome: Outcome) -> None:
        known = ledger.outcomes[outcome.check]
        ledger.replace(outcome.check, [outcome] * len(known), ISOLATION)

    prove_alone(attempt, attempt.prepared, attempt.bounded(), ways, deadline, hear, jobs)


def _ways(attempt: Attempt, *, is_postponed: bool) -> tuple[tuple[bool, bool], ...]:
    """Whether to solve Horn clauses, and whether those of an abstraction; none where it was done, or is not to be."""
    options = attempt.options
    if attempt.prepared.schedules is not None or options.houdini is False:
        return ()
    if options.engine == "horn":
        return ((True, True), (True, False)) if options.abstract else ()
    is_open = options.houdini is None or is_postponed
    return ((False, False), (True, True), (True, False)) if is_open else ()


def _abstraction(attempt: Attempt, prepared: Prepared) -> Prepared | None:
    """The program with those globals that a search has had to track, if one has done so from every entry."""
    entries = prepared.base.entries
    if not all(map(attempt.state.knows, entries)):
        return None
    tracked = [attempt.state.tracked(entry, prepared.searched.globals) for entry in entries]
    return with_tracked(prepared, frozenset().union(*tracked))


def _prove_with(
    attempt: Attempt, prepared: Prepared, bounded: Sequence[Check], deadline: float, strategy: str
) -> None:
    """Take the proofs of a search that inlines few calls."""
    faces, searches = attempt.faces(prepared), attempt.searches
    setup = solver_setups(prepared.instrumented.program, attempt.options)[0]
    heard: dict[Check, list[Outcome]] = {check: [] for check in bounded}
    for entry in prepared.base.entries:
        inlining = searches.inlining(entry, prepared, faces, setup)
        search = searches.search_in(
            inlining,
            entry,
            prepared,
            lambda outcome: heard[outcome.check].append(outcome),
            confirm=not_asked,
            bound=BOUND,
        )
        search.start(bounded)
        is_over = search.advance(deadline)
        attempt.report.statistics.tree_instances += inlining.tree_size
        if not is_over:
            return
    for check, outcomes in heard.items():
        if len(outcomes) == len(attempt.ledger.outcomes[check]) and all(map(is_final, outcomes)):
            attempt.ledger.replace(check, outcomes, strategy)
