"""Proves assertions in the smallest loop or procedure that suffices, without the rest of the program.

There are several ways. Each is tried in all fragments, from inner to outer ones, before the next:

    one iteration      inner loops may give the variables that they change any values
    induction          the assertions of earlier iterations are assumed, first without and then with facts about loops
    unwinding          inner loops are unwound as often as necessary

A proof in a fragment for every start state is a proof for the program (docs/strategies.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, Protocol, final

from remuda.analysis.fragments import CallerTree, Fragment, caller_tree
from remuda.base import clock
from remuda.engines.isolation import Schedule
from remuda.jobs.pool import Job, Pool
from remuda.jobs.processes import processors

if TYPE_CHECKING:
    from remuda.ir.program import Check, Program

MOST_JOBS: Final = 4  # unless --jobs is given
WORTH_FORKING: Final = 4  # fragments
ROUNDS: Final = 15  # with many fragments, each process gets about this many jobs
AHEAD_SECONDS: Final = 1.0  # the time that an outer fragment waits for quick proofs in inner ones

_Task = tuple[str, list["Check"]]  # a fragment, and the assertions to prove in it


@final
@dataclass(frozen=True, slots=True)
class Way:
    """A way to prove assertions in fragments. `induction` is the number of earlier iterations that are assumed to
    succeed; None: no induction, and inner loops are unwound up to `iterations` times."""

    induction: int | None
    iterations: int
    seconds: float  # for each fragment
    with_facts: bool = False

    @property
    def words(self) -> str:
        if not self.induction:
            return ""
        return ", by induction" if self.induction == 1 else f", by induction over {self.induction} iterations"


ONE_ITERATION: Final = Way(None, 0, 2.0)
INDUCTIONS: Final = (Way(1, 0, 2.0), Way(1, 0, 2.0, with_facts=True), Way(3, 0, 3.0, with_facts=True))
UNWINDING: Final = Way(None, 130, 10.0)
EVERY_WAY: Final = (ONE_ITERATION, *INDUCTIONS, UNWINDING)
WAYS: Final = {
    "remuda": EVERY_WAY,
    "boogie": tuple(replace(way, seconds=20.0) for way in (Way(0, 0, 0), *INDUCTIONS)),
    "cbmc": (Way(None, 0, 20.0), Way(None, 12, 60.0), Way(None, 130, 60.0)),
}

# The ways to try before a search; unwinding is not among them, because the search finds violations sooner.
QUICK_WAYS: Final = {name: tuple(way for way in ways if way.iterations == 0) for name, ways in WAYS.items()}

GLANCE_WAYS: Final = (ONE_ITERATION, INDUCTIONS[0], UNWINDING)  # these succeed quickly or not at all


class Prover(Protocol):
    """Proves assertions in fragments in one way."""

    def proved(self, name: str, checks: Sequence[Check]) -> list[Check]:
        """The assertions that cannot fail in a fragment, for every state in which it starts."""
        ...


@final
@dataclass(frozen=True, slots=True)
class IsolatedProof:
    """The fragments in which an assertion was proved, and the way."""

    fragments: tuple[Fragment, ...]
    way: Way
    is_whole: bool  # some of them are entries, with no fragments around them

    def __str__(self) -> str:
        if self.is_whole:
            return f"in the whole program{self.way.words}" if self.way.words else ""
        places = ", ".join(_place(each) for each in self.fragments[:3])
        more = f" and {len(self.fragments) - 3} more" if len(self.fragments) > 3 else ""
        return f"in {places}{more}, without the rest of the program{self.way.words}"


def _place(fragment: Fragment) -> str:
    place = f"{PurePath(fragment.span.source.name).name}:{fragment.span.line}"
    return f"the loop at {place}" if fragment.loop is not None else f"{fragment.procedure} ({place})"


@final
class Isolation:
    """Proves assertions of a program in its fragments. `program` still has loops, all of them natural, and
    assertions, and no threads. `prover` makes a prover for one way and a deadline."""

    def __init__(
        self, program: Program, prover: Callable[[CallerTree, Way, float], Prover], jobs: int | None = None
    ) -> None:
        self.tree = caller_tree(program)
        self._prover = prover
        self._numbers = 0  # of jobs
        self._jobs = jobs or min(MOST_JOBS, processors())

    def prove(
        self,
        checks: Iterable[Check],
        ways: Sequence[Way],
        deadline: float,
        hear: Callable[[Check, IsolatedProof], None] = lambda *_: None,
    ) -> dict[Check, IsolatedProof]:
        """The proofs of assertions in fragments; `hear` is called with each at once."""
        wanted = list(checks)
        found: dict[Check, IsolatedProof] = {}
        for way in ways:
            left = [check for check in wanted if check not in found]
            if left and clock.now() < deadline:
                found |= self._prove(left, way, deadline, hear)
        return found

    def _prove(
        self, checks: Sequence[Check], way: Way, deadline: float, hear: Callable[[Check, IsolatedProof], None]
    ) -> dict[Check, IsolatedProof]:
        schedule = Schedule(self.tree, checks)
        found: dict[Check, IsolatedProof] = {}
        if not schedule.undecided:
            return found
        prover = self._prover(self.tree, way, deadline)

        def commit(name: str, asked: Sequence[Check], proved: Iterable[Check]) -> None:
            for check in schedule.commit(name, asked, proved):
                fragments = tuple(self.tree.fragments[each] for each in schedule.proofs(check))
                is_whole = any(self.tree.around(each.name) is None for each in fragments)
                found[check] = IsolatedProof(fragments, way, is_whole)
                hear(check, found[check])

        if self._jobs > 1 and len(self.tree.fragments) >= WORTH_FORKING:
            self._in_parallel(schedule, prover, commit, deadline)
        else:
            while clock.now() < deadline and (chosen := schedule.next()) is not None:
                schedule.begin(*chosen)
                commit(*chosen, prover.proved(*chosen))
        return found

    def _in_parallel(
        self,
        schedule: Schedule,
        prover: Prover,
        commit: Callable[[str, Sequence[Check], Iterable[Check]], None],
        deadline: float,
    ) -> None:
        """Process as many fragments at a time as there are jobs, and cancel jobs that are no longer needed."""
        running: dict[int, list[_Task]] = {}
        began = clock.now()  # when the last job began
        with Pool[int, list[list[int]]](self._jobs) as pool:

            def fill() -> None:
                nonlocal began
                while len(running) < self._jobs and clock.now() < deadline:
                    tasks = self._next(schedule)
                    if not tasks and running and clock.now() > began + AHEAD_SECONDS:
                        tasks = self._next(schedule, ahead=True)
                    if not tasks:
                        return
                    began = clock.now()
                    number = self._numbers = self._numbers + 1
                    running[number] = tasks
                    pool.submit(Job(number, _numbers_of_proved, (prover, tasks)))

            fill()
            for number, outcome in pool.results(idle=fill):
                tasks = running.pop(number)
                for (name, asked), found in zip(tasks, outcome.result or [[] for _ in tasks], strict=True):
                    commit(name, asked, [asked[index] for index in found])
                if not schedule.undecided:
                    return  # the pool ends running jobs
                for other, others in running.items():
                    if not any(schedule.is_needed(*task) for task in others):
                        pool.cancel(other)
                fill()

    def _next(self, schedule: Schedule, *, ahead: bool = False) -> list[_Task]:
        """The tasks of the next job: several if there are many fragments, because a process costs as much as a small
        fragment."""
        tasks: list[_Task] = []
        most = 1 if ahead else max(1, len(self.tree.fragments) // (self._jobs * ROUNDS))
        while len(tasks) < most and (chosen := schedule.next(ahead=ahead)) is not None:
            schedule.begin(*chosen)
            tasks.append(chosen)
        return tasks


def _numbers_of_proved(_: object, prover: Prover, tasks: Sequence[_Task]) -> list[list[int]]:
    """The proved assertions of each task, as numbers, which can be sent between processes."""
    found = []
    for name, checks in tasks:
        proved = set(prover.proved(name, checks))
        found.append([number for number, check in enumerate(checks) if check in proved])
    return found
