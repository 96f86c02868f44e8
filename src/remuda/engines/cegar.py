"""The outer loop of CORRAL, Fig. 1: search with few tracked globals, and track more after a spurious counterexample.

    tracked := {}
    repeat: search the program, in which reads of all other globals give any value
            no path fails:               the assertions hold
            a path fails:                check it in the whole program
            ... and it is real:          a violation
            ... and it is spurious:      track a minimal set of further globals that excludes it

Each search begins with the inlined calls and the bound of the previous one: tracking more globals adds no paths, so
there is nothing new to find below that bound.
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

MakeTracking = Callable[["Tracked", "Confirm"], "StratifiedSearch"]  # makes a search with these globals tracked
Judge = Callable[["Trace", "Tracked"], "Confirmation | Tracked"]  # confirms a trace, or returns the globals to track

NO_PROGRESS = "tracking more globals does not rule out a path that cannot be run"


class _Spurious(Exception):
    """A path that fails only in the abstraction."""

    def __init__(self, tracked: Tracked) -> None:
        super().__init__()
        self.tracked = tracked


@final
class CegarSearch:
    """A search over abstractions of a program. It takes turns as a `StratifiedSearch` does."""

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
