"""The outer loop of CORRAL, Fig. 1: search with few globals tracked, and track more where that is why a path fails.

    tracked := {}
    repeat: search the program without what the other globals hold
            no path fails:               nor does any of the program
            a path fails, and really:    a violation
            a path fails only so:        track a minimal set of globals more that rules it out

The calls that one search has inlined are inlined in the next one before it asks anything, and it begins with the bound
that the last one had come to: with more tracked, there is nothing below it that was not there before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, final

from remuda.engines.outcome import Confirmation

if TYPE_CHECKING:
    from remuda.engines.outcome import Confirm
    from remuda.engines.refinement import Tracked
    from remuda.engines.stratified import StratifiedSearch
    from remuda.ir.program import Check
    from remuda.ir.trace import Trace

MakeTracking = Callable[["Tracked", "Confirm"], "StratifiedSearch"]  # a search with these globals tracked
Judge = Callable[["Trace", "Tracked"], "Confirmation | Tracked"]  # is it real, or what else must be tracked?

NO_PROGRESS = "tracking more globals does not rule out a path that cannot be run"


class _Spurious(Exception):
    """A path that fails only because of what is not tracked."""

    def __init__(self, tracked: Tracked) -> None:
        super().__init__()
        self.tracked = tracked


@final
class CegarSearch:
    """A search that decides by searching abstractions. Takes turns as a `StratifiedSearch` does."""

    def __init__(self, make: MakeTracking, judge: Judge, tracked: Tracked) -> None:
        self._make = make
        self._judge = judge
        self.tracked = tracked
        self.iterations = 1
        self._search = make(tracked, self._confirm)

    def start(self, checks: Iterable[Check]) -> None:
        self._search.start(checks)

    def advance(self, until: float | None = None) -> bool:
        while True:
            try:
                return self._search.advance(until)
            except _Spurious as spurious:
                before, self.tracked = self._search, spurious.tracked
                self.iterations += 1
                self._search = self._make(self.tracked, self._confirm)
                self._search.start_after(before)

    def forget(self, check: Check) -> None:
        self._search.forget(check)

    @property
    def stopped_at_first(self) -> bool:
        return self._search.stopped_at_first

    def _confirm(self, trace: Trace) -> Confirmation:
        verdict = self._judge(trace, self.tracked)
        if isinstance(verdict, Confirmation):
            return verdict
        if verdict <= self.tracked:
            return Confirmation(NO_PROGRESS)
        raise _Spurious(verdict)
