"""What is known of every assertion: the outcomes of all entries, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, final

from remuda.base.reasons import CUT_SHORT, NOT_CHECKED, TIMEOUT, UNDECIDED, Reason
from remuda.engines.outcome import Outcome
from remuda.prepare.claims import as_trusted, is_final, severity, within_schedules, worst
from remuda.replay.narrate import location_of
from remuda.results.report import AssertionResult, Verdict
from remuda.results.unsupported import UNSUPPORTED

if TYPE_CHECKING:
    from remuda.ir.program import Check
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared

ERROR_KIND = "error"  # being there is the failure, so that it cannot be reached is all there is to say
LEAK = "leak"
STILL_IN_USE = Reason("memory that is not freed may be still in use, which is valid")


@final
class BrokenBelief(Exception):
    """An execution does what the front end believed that none does."""

    def __init__(self, check: Check) -> None:
        super().__init__(check.description)
        self.check = check


@final
class Ledger:
    """`below` are the assertions that each entry can get to, `early` what is decided of them, by entry, before the search. `outcomes` are what entries have said of an assertion, `waiting` how many have still to say something. What is in
    `settled` need not be bettered. `note` is told of outcomes, and `send` of
    results, as they come. `strategy` names what runs at the moment, and so what outcomes come from."""

    def __init__(
        self,
        options: Options,
        below: Mapping[str, Collection[Check]],
        prepared: Prepared,
        send: Callable[[object], None],
        beliefs: Collection[str] = (),
    ) -> None:
        self._beliefs = beliefs
        self._options = options
        self._prepared = prepared
        self._send = send
        self.below = below
        self.early: dict[tuple[str, Check], Outcome] = {}
        self.outcomes: dict[Check, list[Outcome]] = {}
        self.waiting: dict[Check, int] = {}
        self.settled: set[Check] = set()
        self._searched: dict[Check, int] = {}  # up to which bound, from the entry that is searched now
        self.note: Callable[[Outcome], None] = lambda _: None
        self.strategy = ""
        self._strategies: dict[Check, str] = {}  # what each assertion has its last outcome from

    def begin(self, wanted: Iterable[Check]) -> bool:
        """Get ready for outcomes of these assertions, and take those that are known early; whether something is left."""
        for check in wanted:
            self.outcomes[check] = []
            self.waiting[check] = sum(check in checks for checks in self.below.values())
        for outcome in self.early.values():
            self.announce(outcome)
        return any(self.waiting.values())

    def not_early(self, checks: Sequence[Check]) -> list[Check]:
        """The assertions of which something is still to be said."""
        if not self.early:
            return list(checks)

        def is_known(check: Check) -> bool:
            entries = [entry for entry, below in self.below.items() if check in below]
            return bool(entries) and all((entry, check) in self.early for entry in entries)

        return [check for check in checks if not is_known(check)]

    def violated(self, check: Check) -> bool:
        return any(outcome.verdict is Verdict.VIOLATED for outcome in self.outcomes[check])

    def found_violation(self) -> bool:
        return any(self.violated(check) for check in self.outcomes if check.kind != UNSUPPORTED)

    def has_violated_all(self) -> bool:
        """Whether every assertion is violated; then it does not matter which unsupported constructs are reached."""
        wanted = [check for check in self.outcomes if check.kind != UNSUPPORTED]
        return bool(wanted) and all(map(self.violated, wanted))

    def _missing(self, check: Check) -> list[Outcome]:
        """What stands for the entries that have not said anything, unless they need not."""
        if self.waiting[check] <= 0 or self.violated(check):
            return []
        if self.waiting[check] == 1 and check in self._searched:
            return [Outcome(check, Verdict.UNKNOWN, TIMEOUT, self._searched[check])]
        return [Outcome(check, Verdict.UNKNOWN, UNDECIDED)]

    def searched(self, bound: int, checks: Iterable[Check]) -> None:
        """No violation of these assertions was found up to a bound: that holds if the run ends now."""
        for check in checks:
            if self.waiting.get(check) == 1:  # else other entries are left to be searched
                self._searched[check] = bound
                self._strategies[check] = self.strategy
                self._send(self.result(check))

    def _as_far_as_searched(self, outcome: Outcome) -> Outcome:
        """What was searched when the time ran out holds; with bounds of several kinds it has no simple name."""
        if outcome.verdict is not Verdict.UNKNOWN or outcome.bound is None:
            return outcome
        is_plain = not self._options.bound_for and self._options.stack_depth is None
        if not is_plain or outcome.why.cause not in CUT_SHORT:
            why = outcome.why.but(f"no violation up to bound {outcome.bound}")
            return Outcome(outcome.check, Verdict.UNKNOWN, why)
        why = outcome.why.before(f"bound {self._options.bound}")
        return Outcome(outcome.check, Verdict.BOUNDED, why, outcome.bound)

    def result(self, check: Check) -> AssertionResult:
        """The verdict over all entries: the worst that any of them gives."""
        outcomes = self.outcomes.get(check)
        if outcomes is None:
            outcome = Outcome(check, Verdict.UNKNOWN, NOT_CHECKED)
        elif not outcomes and not self.waiting[check]:
            names = ", ".join(self._prepared.entries[:3])
            outcome = Outcome(check, Verdict.UNREACHABLE, Reason(f"no call path from {names} leads to it"))
        else:
            outcome = worst([self._as_far_as_searched(each) for each in (*outcomes, *self._missing(check))])
        if check.kind == ERROR_KIND and outcome.verdict is Verdict.UNREACHABLE:
            verdict = Verdict.PROVED if outcome.bound is None else Verdict.BOUNDED
            why = replace(outcome.why, text="")  # not to be reached is what is proved
            outcome = Outcome(check, verdict, why, outcome.bound)
        if check.kind == LEAK and outcome.verdict is Verdict.VIOLATED and self._options.property == "valid-memsafety":
            outcome = Outcome(check, Verdict.UNKNOWN, STILL_IN_USE)
        outcome = as_trusted(within_schedules(outcome, self._prepared.schedules), self._prepared)
        confirmation = outcome.confirmation
        return AssertionResult(
            identifier=check.identifier,
            kind=check.kind,
            description=check.description,
            location=location_of(check.span),
            verdict=outcome.verdict,
            why=outcome.why,
            bound=outcome.bound,
            trace=confirmation.steps if confirmation is not None else None,
            assumed=confirmation.assumed if confirmation is not None else (),
            confirmed=confirmation.confirmed if confirmation is not None else (),
            unconfirmed=confirmation.unconfirmed if confirmation is not None else (),
            reproduction=confirmation.reproduction if confirmation is not None else "",
            left_open=confirmation.left_open if confirmation is not None else (),
            strategy=self._strategies.get(check, ""),
        )

    def is_bounded(self, check: Check) -> bool:
        """Whether all that keeps an assertion from being proved is the bound."""
        outcomes = self.outcomes[check]
        return (
            self.waiting[check] == 0
            and check not in self.settled
            and all(is_final(each) or severity(each) in {2, 3} for each in outcomes)
            and not all(map(is_final, outcomes))
        )

    def leave_open(self, checks: Iterable[Check], why: Reason) -> None:
        """Every assertion that a search has not decided for good becomes unknown."""
        for check in checks:
            if self.waiting.get(check, 0) > 0:
                self.outcomes[check].append(Outcome(check, Verdict.UNKNOWN, why))

    def settle(self, outcome: Outcome, strategy: str = "") -> None:
        """Take an outcome for all entries."""
        self.waiting[outcome.check] = 0
        self.replace(outcome.check, [outcome], strategy)

    def replace(self, check: Check, outcomes: list[Outcome], strategy: str = "") -> None:
        """Take better outcomes of all entries."""
        self.outcomes[check] = outcomes
        self._strategies[check] = strategy or self.strategy
        self._send(self.result(check))

    def announce(self, outcome: Outcome) -> None:
        check = outcome.check
        if outcome.verdict is Verdict.VIOLATED and check.identifier in self._beliefs:
            raise BrokenBelief(check)
        self.outcomes[check].append(outcome)
        self._strategies[check] = self.strategy
        self.waiting[check] -= 1
        self.note(outcome)
        if self.waiting[check] == 0 or outcome.verdict is Verdict.VIOLATED:
            self._send(self.result(check))
