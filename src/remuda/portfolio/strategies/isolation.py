"""Proves assertions in the smallest loop or procedure that is enough, without the rest of the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from remuda.base.reasons import Reason
from remuda.isolation.fragments import prove_in_fragments
from remuda.isolation.isolate import QUICK_WAYS, WAYS
from remuda.portfolio.budgets import ISOLATION as BUDGET
from remuda.results.unsupported import UNSUPPORTED

if TYPE_CHECKING:
    from remuda.engines.outcome import Announce, Outcome
    from remuda.ir.program import Check
    from remuda.isolation.isolate import Way
    from remuda.portfolio.attempt import Attempt
    from remuda.prepare.pipeline import Prepared

ISOLATION: Final = "isolation"  # its name in reports
NOT_ENOUGH: Final = Reason("no loop or procedure alone is enough to prove it, as far as was tried")
NOT_WITH_THREADS: Final = Reason("loops of a program with threads cannot be isolated")


@final
@dataclass(frozen=True, slots=True)
class Isolation:
    """Before a search, only the quick ways are tried; with `is_alone`, all of them, and no search follows."""

    is_alone: bool

    def steps(self, attempt: Attempt) -> Iterator[None]:
        ledger, options = attempt.ledger, attempt.options
        ways = (WAYS if self.is_alone else QUICK_WAYS)[options.backend]

        def hear(outcome: Outcome) -> None:
            ledger.settle(outcome, ISOLATION)
            for entry, checks in ledger.below.items():
                if outcome.check in checks:
                    ledger.early[entry, outcome.check] = outcome

        left = ledger.not_early(attempt.wanted())
        prove_alone(attempt, attempt.prepared, left, ways, attempt.until(BUDGET), hear)
        if self.is_alone and ledger.begin(attempt.wanted()) and not attempt.is_enough():
            why = NOT_WITH_THREADS if attempt.prepared.has_threads else NOT_ENOUGH
            ledger.leave_open(attempt.prepared.checks.values(), why)
        yield from ()


def prove_alone(
    attempt: Attempt,
    prepared: Prepared,
    checks: Sequence[Check],
    ways: Sequence[Way],
    deadline: float,
    hear: Announce,
    jobs: int | None = None,
) -> None:
    """Ask about loops and procedures alone; `hear` gets the proofs. `jobs` limits the processes, as the options do."""
    wanted = [check for check in checks if check.kind != UNSUPPORTED]
    if wanted and not prepared.has_threads:  # others may change what a loop relies on
        attempt.say("proving loops and procedures alone")
        statistics = attempt.report.statistics
        options = replace(attempt.options, jobs=jobs or attempt.options.jobs)
        prove_in_fragments(prepared, options, statistics, attempt.sources, wanted, ways, deadline, hear)
