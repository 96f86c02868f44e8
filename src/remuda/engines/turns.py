"""Runs searches that take turns.

Solver settings that find a violation in seconds on one program take an hour on another, and the better settings are
not known beforehand. So a search that has not ended after a while is joined by another one with other settings. From
then on they take turns, each turn as long as all earlier turns of the same search. This costs at most a small factor
over the better one of them.

    first   ##########          ##########                    ####################
    second            ##########          ####################                    ####...

If one search decides an assertion, the others drop it. An assertion is given up when all searches have given it up.

Two kinds of searches begin before the others, with weaker results. An abstract search may find a verdict up to a
bound, which other searches may prove. A partial search only covers a part of the executions, if there are too many:
its violations count, but its other verdicts hold for that part only.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, final

from remuda.base import clock
from remuda.base.errors import Unsupported
from remuda.base.reasons import Cause
from remuda.engines.outcome import Announce, Outcome
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.ir.program import Check


class Search(Protocol):
    """Something that decides assertions and can be interrupted."""

    def start(self, checks: Iterable[Check]) -> None: ...
    def advance(self, until: float | None = None) -> bool: ...
    def forget(self, check: Check) -> None: ...
    @property
    def stopped_at_first(self) -> bool: ...


Make = Callable[[Announce], Search]

SLACK: Final = 0.1  # seconds by which a turn may be too short


@final
class Turns:
    """Runs the search that the first of `makers` makes, and after `head_start` seconds the others too."""

    def __init__(
        self,
        makers: Sequence[Make],
        announce: Announce,
        head_start: float,
        abstract: Make | None = None,
        *,
        hunters: Sequence[Make] = (),
        ask_all: bool = False,
        newest_first: bool = False,
        pause: float | None = None,
    ) -> None:
        """Prepare the searches. With `ask_all`, the next search begins too if the first one gives up before its time
        is over. With `newest_first`, the newest search has the first turn of each round. `hunters` are the partial
        searches. `steps` pauses once after `pause` seconds of processor time, within the first turn."""
        self._makers = makers
        self._hunters = hunters  # in the order of their parts, smaller ones first
        self._abstract = abstract
        self._abstract_search: Search | None = None
        self._ask_all = ask_all
        self._newest_first = newest_first
        self._announce = announce
        self._turn = head_start
        self._pause = pause
        self._undecided: dict[Check, Outcome | None] = {}  # with the outcome of a search that gave up, if any
        self._bounded: dict[Check, Outcome] = {}  # weak outcomes of the first searches
        self._best_hunter: dict[Check, int] = {}
        self._running: list[Search] = []
        self._beyond: Unsupported | None = None  # a construct that a solver does not support

    def run(self, checks: Iterable[Check]) -> None:
        """Decide the assertions among `checks` that the entry can reach; each is announced once."""
        for _ in self.steps(checks):
            pass

    def steps(self, checks: Iterable[Check]) -> Iterator[None]:
        """Decide the assertions step by step: between two steps, the rest can wait, or continue in a forked
        process."""
        self._undecided = dict.fromkeys(checks)
        if self._abstract is not None:
            yield from self._begin(self._abstract, self._hear_abstract)
            self._abstract_search = next(iter(self._running), None)
        for rank, hunter in enumerate(self._hunters):
            if self._undecided:
                yield from self._begin(hunter, partial(self._hear_hunter, rank))
        for maker in self._makers if self._undecided else ():
            is_done = yield from self._begin(maker)
            if is_done and not (self._ask_all and any(self._undecided.values())):
                break
        while self._running and self._undecided and not self._have_all_given_up():
            for search in self._running[::-1] if self._newest_first else tuple(self._running):
                if self._undecided:
                    yield from self._take_turn(search)
            self._turn *= 2
        if self._beyond is not None and not any(self._undecided.values()) and self._undecided:
            raise self._beyond
        for check, outcome in self._undecided.items():
            # Whoever gave up for another reason than time has seen something that a bound would hide.
            is_late = outcome is None or outcome.why.cause is Cause.TIME
            last = self._bounded.get(check, outcome) if is_late else outcome
            if last is not None:
                self._announce(last)

    def forget(self, checks: Iterable[Check]) -> None:
        """Drop assertions that are decided elsewhere, without announcing them."""
        for check in checks:
            if check in self._undecided:
                del self._undecided[check]
                for search in self._running:
                    search.forget(check)

    def _have_all_given_up(self) -> bool:
        """Whether all searches except the abstract one have ended, with an outcome for each assertion."""
        return all(self._undecided.values()) and self._running == [self._abstract_search]

    def _begin(self, maker: Make, hear: Announce | None = None) -> Generator[None, None, bool]:
        """Start a search, and give it its first turn. Whether no further search is needed."""
        try:
            search = maker(hear or self._hear)
            search.start(self._undecided)
        except Unsupported as problem:  # another solver may support it
            self._beyond = problem
            return False
        self._running.append(search)
        return (yield from self._take_turn(search))

    def _take_turn(self, search: Search) -> Generator[None, None, bool]:
        """Give a search a turn. Whether the search has ended regularly."""
        is_alone = len(self._makers) == 1 and self._abstract is None and not self._hunters
        until = None if is_alone else clock.now() + self._turn
        try:
            is_done = False
            if self._pause is not None:
                end, self._pause = clock.used() + self._pause, None
                while not is_done and (left := end - clock.used()) > SLACK and not self._is_over(until):
                    moment = clock.now() + left
                    is_done = search.advance(moment if until is None else min(until, moment))
                if not is_done:
                    yield
            is_done = is_done or search.advance(until)
        except Unsupported as problem:
            self._running.remove(search)
            self._beyond = problem
            return False
        if is_done:
            self._running.remove(search)
            if search.stopped_at_first:
                self._undecided.clear()  # the other assertions are no longer needed
        return is_done

    @staticmethod
    def _is_over(until: float | None) -> bool:
        return until is not None and clock.now() >= until - SLACK

    def _hear(self, outcome: Outcome) -> None:
        if outcome.verdict is Verdict.UNKNOWN:
            before = self._undecided[outcome.check]
            if before is None or (before.bound or 0) < (outcome.bound or 0):
                self._undecided[outcome.check] = outcome
            return
        self._decide(outcome)

    def _hear_abstract(self, outcome: Outcome) -> None:
        """Take an outcome of the abstract search; a verdict up to a bound only counts if no other search has a better
        one."""
        is_final = outcome.verdict in {Verdict.PROVED, Verdict.VIOLATED}
        if is_final or (outcome.verdict is Verdict.UNREACHABLE and outcome.bound is None):
            self._decide(outcome)
        elif outcome.verdict in {Verdict.BOUNDED, Verdict.UNREACHABLE}:
            self._bounded[outcome.check] = outcome

    def _hear_hunter(self, rank: int, outcome: Outcome) -> None:
        """Take an outcome of a partial search: a violation counts at once, another verdict only if no search decides
        the assertion."""
        if outcome.verdict is Verdict.VIOLATED:
            self._decide(outcome)
        elif outcome.verdict is not Verdict.UNKNOWN and rank >= self._best_hunter.get(outcome.check, 0):
            self._best_hunter[outcome.check] = rank
            self._bounded[outcome.check] = outcome

    def _decide(self, outcome: Outcome) -> None:
        del self._undecided[outcome.check]
        self._announce(outcome)
        for search in self._running:
            search.forget(outcome.check)
