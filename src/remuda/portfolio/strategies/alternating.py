"""Searches from procedures with assertions upwards: `--engine alternating`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from remuda.engines.alternating import Alternating
from remuda.engines.solver_setup import solver_setups
from remuda.portfolio.searches import from_any_state
from remuda.portfolio.strategies.entry_search import EntrySearch

if TYPE_CHECKING:
    from remuda.engines.outcome import Announce, Outcome
    from remuda.engines.stratified import StratifiedSearch
    from remuda.ir.program import Check
    from remuda.portfolio.attempt import Attempt
    from remuda.prepare.pipeline import Prepared
    from remuda.vc.interface import Interface


def search_alternating(
    attempt: Attempt, entry: str, checks: list[Check], prepared: Prepared, faces: Mapping[str, Interface]
) -> None:
    """Decide the assertions below an entry."""
    setup = solver_setups(prepared.instrumented.program, attempt.options)[0]
    searches = attempt.searches

    def make(head: str, cannot_fail: Sequence[str], hear: Announce) -> StratifiedSearch:
        searches.use(setup)
        inlining = searches.inlining(head, prepared, faces, setup, cannot_fail)
        return searches.search_in(inlining, head, prepared, hear, confirm=from_any_state)

    def from_entry(check: Check, cannot_fail: Sequence[str], hear: Announce) -> None:
        def tell(outcome: Outcome) -> None:  # what is known of heads is no part of the program
            hear(replace(outcome, ground=None) if cannot_fail else outcome)

        for _ in EntrySearch(attempt, entry, prepared, faces, tell, cannot_fail).steps([check]):
            pass

    engine = Alternating(
        prepared.instrumented,
        entry,
        make,
        from_entry,
        attempt.ledger.announce,
        attempt.deadline,
        stop_at_first=attempt.options.stop_at_first,
    )
    engine.run(checks)
