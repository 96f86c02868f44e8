"""The order of checking assertions that imply each other, and those that need no check (section 4.1 of the DAI
paper).

    forward     the strongest first: if an assertion holds, those that it implies hold too
    backward    the weakest first: if an assertion fails, those that imply it fail too
    auto        as forward, and as backward once more assertions fail than hold

Assertions that are checked at the same time form a round of at most `at_a_time`. If executions end at their first
failure, an assertion that an earlier one implies can never fail: so it is not checked, and failures imply nothing
about other assertions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.ir.program import Check

HOLDING = frozenset({Verdict.PROVED, Verdict.BOUNDED, Verdict.UNREACHABLE})


@final
@dataclass(frozen=True, slots=True)
class Derived:
    """A verdict that follows from others. `bound` is its bound, if it has one."""

    check: Check
    verdict: Verdict
    because: tuple[Check, ...]
    bound: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Judged:
    verdict: Verdict
    bound: int | None = None


@final
class AssertionOrder:
    """The assertions with their implications. `causes[check]` are sets of assertions: `check` holds if all assertions
    of one set hold. With `stops`, they come before it, and executions end at their first failure."""

    def __init__(
        self,
        checks: Iterable[Check],
        causes: Mapping[Check, Sequence[tuple[Check, ...]]],
        strategy: str,
        *,
        stops: bool,
        at_a_time: int | None = None,
    ) -> None:
        self._at_a_time = at_a_time
        self._undecided = dict.fromkeys(checks)
        self._causes = {
            check: [cause for cause in sets if check not in cause] for check, sets in causes.items() if sets
        }
        self._strategy = strategy
        self._stops = stops
        self._judged: dict[Check, Judged] = {}
        self._has_begun = False
        self._weaker: dict[Check, dict[Check, None]] = {}  # the assertions that one assertion alone implies
        for check, sets in self._causes.items():
            for cause in sets:
                if len(cause) == 1:
                    self._weaker.setdefault(cause[0], {})[check] = None

    def derive(self) -> list[Derived]:
        """The verdicts that follow from the known ones; they count as known from here on."""
        found: list[Derived] = []
        while new := [each for check in self._undecided if (each := self._derived(check)) is not None]:
            for each in new:
                self.commit(each.check, each.verdict, each.bound)
            found += new
        return found

    def next_round(self) -> list[Check]:
        """The assertions to check next; empty if all verdicts are known."""
        if self._strategy == "auto" and self._at_a_time is None and self._has_begun and not self._goes_backward():
            return list(self._undecided)  # a search for each link of a chain costs more than it saves
        self._has_begun = True
        return self._ready()[: self._at_a_time]

    def _ready(self) -> list[Check]:
        if self._stops or not self._undecided:
            return list(self._undecided)
        if self._goes_backward():
            chosen = [
                check
                for check in self._undecided
                if not any(weaker in self._undecided for weaker in self._weaker.get(check, ()))
            ]
        else:
            chosen = [
                check
                for check in self._undecided
                if not any(other in self._undecided for cause in self._causes.get(check, ()) for other in cause)
            ]
        return chosen or list(self._undecided)  # the remaining ones imply each other

    def commit(self, check: Check, verdict: Verdict, bound: int | None = None) -> None:
        """Record a verdict."""
        self._judged[check] = Judged(verdict, bound)
        self._undecided.pop(check, None)

    def refuted_by(self, check: Check) -> list[Check]:
        """The assertions without a verdict that fail if this one does."""
        if self._stops:
            return []
        return [
            other for other in self._undecided if check in self._weaker.get(other, ()) and self._strategy != "forward"
        ]

    def _goes_backward(self) -> bool:
        if self._strategy != "auto":
            return self._strategy == "backward"
        failing = sum(judged.verdict is Verdict.VIOLATED for judged in self._judged.values())
        return 2 * failing > len(self._judged)

    def _derived(self, check: Check) -> Derived | None:
        if self._strategy == "backward":
            return None
        for cause in self._causes.get(check, ()):
            if self._stops:
                return Derived(check, Verdict.PROVED, cause)
            judged = [self._judged.get(other) for other in cause]
            known = [each for each in judged if each is not None and each.verdict in HOLDING]
            if len(known) == len(cause):
                bounds = [each.bound for each in known if each.bound is not None]
                verdict = Verdict.BOUNDED if bounds else Verdict.PROVED
                return Derived(check, verdict, cause, min(bounds, default=None))
        return None
