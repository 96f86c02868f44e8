"""Searches for violations of all assertions, from every entry, in an order that follows from what implies what."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base.clock import now, used
from remuda.base.errors import Unsupported
from remuda.base.reasons import Reason
from remuda.engines.assertion_order import AssertionOrder
from remuda.engines.fragment_proof import FragmentLimits, FragmentProof
from remuda.engines.outcome import Outcome
from remuda.engines.solver_setup import solver_setups
from remuda.engines.stratified import NOT_REACHED
from remuda.implications.order import group_size, in_words, is_worth_comparing, order_of
from remuda.portfolio.budgets import FIRST_PASS, REACHABILITY
from remuda.portfolio.budgets import IMPLICATIONS as IMPLIED
from remuda.portfolio.strategies.alternating import search_alternating
from remuda.portfolio.strategies.contracts import with_asked_contracts
from remuda.portfolio.strategies.entry_search import EntrySearch
from remuda.prepare.claims import is_final
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.engines.assertion_order import Derived
    from remuda.ir.program import Check
    from remuda.portfolio.attempt import Attempt
    from remuda.prepare.pipeline import Prepared
    from remuda.vc.interface import Interface

FIRST_PASS_BOUND: Final = 2
IMPLICATIONS: Final = "implications"  # its name in reports


@final
@dataclass(frozen=True, slots=True)
class Search:
    """Up to the bound. Assertions that follow from others are searched for only if those do not hold."""

    def steps(self, attempt: Attempt) -> Iterator[None]:
        attempt.search_began = used()
        has_open = attempt.ledger.begin(attempt.wanted())
        if attempt.ledger.early and (not has_open or attempt.is_enough()):
            return
        yield from _Rounds(attempt).steps()
        attempt.has_searched = bool(attempt.bounded())
        yield


@final
class _Rounds:
    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._ledger = attempt.ledger
        self._statistics = attempt.report.statistics

    def steps(self) -> Iterator[None]:
        attempt, ledger, prepared = self._attempt, self._ledger, self._attempt.prepared
        order = self._order([check for check in attempt.wanted() if ledger.waiting[check]])
        derived = self._take_derived(order)
        if any(ledger.waiting.values()):
            prepared = with_asked_contracts(attempt, attempt.with_summaries(prepared))
        while (chosen := order.next_round()) and not attempt.is_enough():
            if self._statistics.checked:
                gc.collect()  # searches refer to themselves, and have solvers, whose memory Python does not see
            self._statistics.checked += len(chosen)
            yield from self._search_for(chosen, prepared)
            for check in chosen:
                result = ledger.result(check)
                order.commit(check, result.verdict, result.bound)
            self._take_refuted(order, prepared, chosen)
            derived += self._take_derived(order)
        self._note_unreachable(prepared, derived)

    def _search_for(self, wanted: Sequence[Check], prepared: Prepared) -> Iterator[None]:
        """Search for violations of some assertions, from every entry."""
        attempt, ledger = self._attempt, self._ledger
        faces = attempt.faces(prepared)
        if len(prepared.base.entries) > 1 and attempt.options.engine != "alternating":
            self._pass_quickly(wanted, prepared, faces)
        for entry in prepared.base.entries:
            if attempt.is_enough():
                break
            reached = [
                check for check in wanted if check in ledger.below[entry] and (entry, check) not in ledger.early
            ]
            checks = [check for check in reached if not ledger.violated(check)]
            for check in reached:
                if ledger.violated(check):
                    ledger.waiting[check] -= 1
            if checks and attempt.options.engine == "alternating":
                search_alternating(attempt, entry, checks, prepared, faces)
            elif checks:
                yield from EntrySearch(attempt, entry, prepared, faces).steps(checks)
                yield

    def _pass_quickly(self, wanted: Sequence[Check], prepared: Prepared, faces: Mapping[str, Interface]) -> None:
        """Search from every entry up to a small bound, before any one of them may use up the time. Only what is final
        counts: the bound of an assertion is that of all entries."""
        attempt, ledger, searches = self._attempt, self._ledger, self._attempt.searches
        entries = prepared.base.entries
        share = (attempt.until(FIRST_PASS) - now()) / len(entries)
        setup = solver_setups(prepared.instrumented.program, attempt.options)[0]
        for entry in entries:
            left = [check for check in wanted if check in ledger.below[entry] and not ledger.violated(check)]
            checks = [check for check in left if (entry, check) not in ledger.early]
            if not checks or attempt.is_enough():
                continue

            def hear(outcome: Outcome, entry: str = entry) -> None:
                if outcome.verdict is Verdict.VIOLATED or is_final(outcome):
                    ledger.early[entry, outcome.check] = outcome
                    ledger.announce(outcome)

            searches.use(setup)
            inlining = searches.inlining(entry, prepared, faces, setup)
            search = searches.search_in(inlining, entry, prepared, hear, bound=FIRST_PASS_BOUND)
            with suppress(Unsupported):  # by this solver
                search.start(checks)
                search.advance(now() + share)
            self._statistics.tree_instances += inlining.tree_size

    # --- what follows from other assertions

    def _order(self, checks: Sequence[Check]) -> AssertionOrder:
        """In which order to look for violations; all at once, if nothing is known of what implies what."""
        attempt = self._attempt
        options = attempt.options
        if attempt.prepared.has_threads or not is_worth_comparing(options, checks):
            return AssertionOrder(checks, {}, "off", stops=True, at_a_time=group_size(options, len(checks)))
        attempt.say("comparing assertions")
        store = None if attempt.earlier is None else attempt.earlier.store
        return order_of(
            attempt.program,
            attempt.prepared,
            options,
            checks,
            self._statistics,
            attempt.until(IMPLIED),
            self._believe,
            store,
        )

    def _take_derived(self, order: AssertionOrder) -> list[Check]:
        """Believe what follows; the assertions that do."""
        found = order.derive()
        for each in found:
            self._statistics.implied += 1
            self._believe(each)
        return [each.check for each in found]

    def _believe(self, derived: Derived) -> None:
        outcome = Outcome(derived.check, derived.verdict, Reason(in_words(derived)), derived.bound)
        self._ledger.settle(outcome, IMPLICATIONS)

    def _take_refuted(self, order: AssertionOrder, prepared: Prepared, chosen: Sequence[Check]) -> None:
        """Run executions that failed again, up to assertions that must fail on them, too."""
        replays = self._attempt.replays
        for check in chosen:
            trace = replays.failing.get(check)
            for other in order.refuted_by(check) if trace is not None else ():
                assert trace is not None
                confirmation = replays.fails_on_the_way(prepared, trace, other)
                if confirmation is not None:
                    order.commit(other, Verdict.VIOLATED)
                    self._statistics.implied += 1
                    self._ledger.settle(Outcome(other, Verdict.VIOLATED, confirmation=confirmation), IMPLICATIONS)

    def _note_unreachable(self, prepared: Prepared, checks: Sequence[Check]) -> None:
        """Say which of the assertions that hold, and were not searched for, nothing reaches, if that is quickly seen."""
        attempt = self._attempt
        if not checks or not attempt.options.reachability:
            return
        until = attempt.until(REACHABILITY)
        code, faces = prepared.instrumented, attempt.faces(prepared)
        setup = solver_setups(code.program, attempt.options)[0]
        left = list(checks)
        try:
            for entry in prepared.base.entries:
                below = set(code.below(entry))
                asked = [check for check in left if check in below]
                effort = FragmentLimits(attempt.options.bound, 0, len(asked) + 1, until)
                inlining = attempt.searches.inlining(entry, prepared, faces, setup)
                found = FragmentProof(inlining, code, entry, effort, reaching=True).proved(asked) if asked else []
                self._statistics.tree_instances += inlining.tree_size
                left = [check for check in left if check not in below or check in set(found)]
        except Unsupported:  # by the solver
            return
        for check in left:
            if not any(outcome.bound for outcome in self._ledger.outcomes[check]):
                self._ledger.replace(check, [Outcome(check, Verdict.UNREACHABLE, NOT_REACHED)], IMPLICATIONS)
