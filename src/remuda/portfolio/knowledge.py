"""What is known of each assertion. All strategies report to here, and the best answer counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, final

from remuda.base.reasons import Cause, Reason
from remuda.portfolio.shared import NOTHING, FoundContracts, FoundTracked, Shared
from remuda.results.report import AssertionResult, Verdict
from remuda.results.unsupported import UNSUPPORTED, holds_always

if TYPE_CHECKING:
    from collections.abc import Iterable

DISAGREEMENT = "strategies disagree, which is a defect of Remuda"


def is_decided(result: AssertionResult) -> bool:
    """Whether nothing better can be said: an execution fails, or none does."""
    return result.verdict is Verdict.VIOLATED or holds_always(result)


def _strength(result: AssertionResult) -> tuple[int, int]:
    """How much a result says; a larger bound says more."""
    if is_decided(result):
        return 2, 0
    if result.verdict in {Verdict.BOUNDED, Verdict.UNREACHABLE}:
        return 1, result.bound or 0
    return 0, 0


@final
class Knowledge:
    """Results by identifier, and the strategy that each comes from."""

    def __init__(self, results: Iterable[AssertionResult], shared: Shared = NOTHING) -> None:
        self.results = {result.identifier: result for result in results}
        self.found_by: dict[str, str] = {}
        self.notes: list[str] = []
        self.shared = shared  # contracts and tracked globals

    def hear(self, strategy: str, result: AssertionResult) -> bool:
        """Take a result, if it says more than what is known; whether it does."""
        old = self.results.get(result.identifier)
        if old is None or old.why.cause is Cause.DISAGREEMENT:  # a check that only this strategy has; or a lost case
            return False
        if (
            is_decided(old)
            and is_decided(result)
            and (old.verdict is Verdict.VIOLATED) != (result.verdict is Verdict.VIOLATED)
        ):
            self._disagree(old, strategy, result)
            return True
        if _strength(result) <= _strength(old) and not self._is_first_word(old, result):
            return False
        self.results[result.identifier] = result
        self.found_by[result.identifier] = result.strategy or strategy
        return True

    def learn(self, found: FoundContracts | FoundTracked) -> None:
        """Take what a strategy has found out besides verdicts."""
        self.shared = self.shared.with_found(found)

    def _is_first_word(self, old: AssertionResult, new: AssertionResult) -> bool:
        """Whether a reason for `unknown` replaces none."""
        return (
            old.verdict is Verdict.UNKNOWN
            and new.verdict is Verdict.UNKNOWN
            and old.identifier not in self.found_by
            and new.why != old.why
        )

    def _disagree(self, old: AssertionResult, strategy: str, new: AssertionResult) -> None:
        before = self.found_by.get(old.identifier, "")
        text = f"{DISAGREEMENT}: {before}: {old.verdict.value}, {strategy}: {new.verdict.value}"
        why = Reason(text, Cause.DISAGREEMENT)
        self.notes.append(f"{old.location}: {why}; please report it")
        self.results[old.identifier] = replace(old, verdict=Verdict.UNKNOWN, why=why, bound=None, trace=None)
        self.found_by[old.identifier] = strategy

    def open(self, wanted: Iterable[str]) -> frozenset[str]:
        """The assertions among `wanted` that a strategy may still say more of. Those that strategies disagree on are not."""
        return frozenset(
            name
            for name in wanted
            if not is_decided(self.results[name]) and self.results[name].why.cause is not Cause.DISAGREEMENT
        )

    def found_violation(self) -> bool:
        return any(
            result.verdict is Verdict.VIOLATED and result.kind != UNSUPPORTED for result in self.results.values()
        )

    def has_violated_all(self, wanted: Iterable[str]) -> bool:
        """Whether every assertion is violated; then it does not matter which unsupported constructs are reached."""
        asked = [self.results[name] for name in wanted if self.results[name].kind != UNSUPPORTED]
        return bool(asked) and all(result.verdict is Verdict.VIOLATED for result in asked)
