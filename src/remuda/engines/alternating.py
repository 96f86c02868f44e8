"""Alternating inlining: start at the procedure of the assertion, and add callers only if they matter.

    head := the procedure with the assertion
    search forward from the head, in any state:  cannot fail -> the assertion holds in all calls of the head
                                                 may fail    -> its callers become heads, and so on up to the entry

After FMCAD'14, Alg. 1 (ALT). A procedure that cannot fail in any state cannot fail if one of its callers is the head
either, so later searches do not inline it. Only a search from the entry finds violations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, final

from remuda.base import clock
from remuda.engines.outcome import Announce, Outcome
from remuda.results.report import Verdict
from remuda.results.unsupported import UNSUPPORTED

if TYPE_CHECKING:
    from remuda.engines.stratified import StratifiedSearch
    from remuda.ir.program import Check
    from remuda.transforms.error_bit import ErrorBitResult

SHARE: Final = 8  # a search from one head gets the remaining time divided by this
HEAD_SECONDS: Final = 30.0  # or this time if there is no limit

# Makes a search from a head, given the procedures that cannot fail.
MakeFrom = Callable[[str, Sequence[str], Announce], "StratifiedSearch"]
FromEntry = Callable[["Check", Sequence[str], Announce], None]


@final
class Alternating:
    """Decides assertions one after the other, for one entry."""

    def __init__(
        self,
        code: ErrorBitResult,
        entry: str,
        make: MakeFrom,
        from_entry: FromEntry,
        announce: Announce,
        deadline: float | None,
        *,
        stop_at_first: bool,
    ) -> None:
        self._entry = entry
        self._make = make
        self._from_entry = from_entry
        self._announce = announce
        self._deadline = deadline
        self._stop_at_first = stop_at_first
        self._is_over = False
        self._own_checks = code.own_checks
        self._callers: dict[str, list[str]] = {}
        for caller, callees in code.calls.items():
            for callee in callees:
                self._callers.setdefault(callee, []).append(caller)
        self._below = code.reached(entry)

    def run(self, checks: Iterable[Check]) -> None:
        for check in checks:
            if not self._is_over:
                self._decide(check)

    def _hear(self, outcome: Outcome) -> None:
        self._announce(outcome)
        found = outcome.verdict is Verdict.VIOLATED and outcome.check.kind != UNSUPPORTED
        self._is_over = self._is_over or (self._stop_at_first and found)

    def _decide(self, check: Check) -> None:
        """Search from the assertion's procedure, then from its callers while something may fail."""
        heads = [name for name, own in self._own_checks.items() if check in own and name in self._below]
        cannot_fail: list[str] = []
        waiting = [name for name in heads if name != self._entry]
        seen = set(waiting)
        is_open = self._entry in heads
        while waiting:
            head = waiting.pop(0)
            if self._is_safe(head, check, cannot_fail):
                cannot_fail.append(head)
                continue
            for caller in self._callers.get(head, ()):
                is_open = is_open or caller == self._entry
                if caller not in seen and caller in self._below and caller != self._entry:
                    seen.add(caller)
                    waiting.append(caller)
        if is_open:
            self._from_entry(check, cannot_fail, self._hear)
        else:
            self._hear(Outcome(check, Verdict.PROVED))

    def _is_safe(self, head: str, check: Check, cannot_fail: Sequence[str]) -> bool:
        """Whether the assertion cannot fail in or below the head, for every state in which the head starts."""
        found: list[Outcome] = []
        now = clock.now()
        seconds = HEAD_SECONDS if self._deadline is None else (self._deadline - now) / SHARE
        if seconds <= 0:
            return False
        search = self._make(head, cannot_fail, found.append)
        search.start([check])
        search.advance(now + seconds)
        return bool(found) and all(
            outcome.verdict in {Verdict.PROVED, Verdict.UNREACHABLE} and outcome.bound is None for outcome in found
        )
