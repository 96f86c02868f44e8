"""Prove assertions where they live: in the smallest loop or procedure that is enough, without the rest of the program.

Four ways, each tried in all fragments from inside out before the next:

    one iteration      loops inside stand for anything that they change
    induction          what held in the iterations before may be used, first without and then with what is known of loops
    unwinding          loops inside are looked into, as far as it takes

What is proved of a fragment in any state is proved of the program (docs/strategies.md). Proofs by induction are asked for once
more, of another solver.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.fragments import CallerTree, Fragment, caller_tree
from remuda.base.errors import Unsupported
from remuda.engines.fragment_proof import Effort, FragmentProof
from remuda.engines.inlining import Inlining
from remuda.engines.isolation import Schedule
from remuda.jobs.pool import Job, Pool
from remuda.session.background import tell_background
from remuda.session.mounts import Mount, mounts
from remuda.smt.create import create_solver
from remuda.transforms.error_bit import ErrorBitResult, InsertErrorBit
from remuda.transforms.extract_loops import ExtractLoops
from remuda.transforms.induct_loops import InductLoops
from remuda.transforms.isolate_loops import IsolateLoops
from remuda.vc.interface import Interface, interfaces

if TYPE_CHECKING:
    from remuda.ir.program import Check, Program
    from remuda.options import Options
    from remuda.results.report import Statistics

MOST_JOBS: Final = 4  # unless somebody asks for more
WORTH_FORKING: Final = 4  # fragments


@final
@dataclass(frozen=True, slots=True)
class Way:
    """How to look at fragments. `induction` is how many iterations before are assumed to succeed; None: loops stay loops."""

    induction: int | None
    iterations: int
    questions: int
    seconds: float  # for one fragment
    with_facts: bool = False

    @property
    def words(self) -> str:
        if not self.induction:
            return ""
        return ", by induction" if self.induction == 1 else f", by induction over {self.induction} iterations"


ONE_ITERATION: Final = Way(None, 0, 12, 2.0)
INDUCTIONS: Final = (Way(1, 0, 12, 2.0), Way(1, 0, 12, 2.0, with_facts=True), Way(3, 0, 12, 3.0, with_facts=True))
UNWINDING: Final = Way(None, 130, 40, 10.0)
EVERY_WAY: Final = (ONE_ITERATION, *INDUCTIONS, UNWINDING)


@final
@dataclass(frozen=True, slots=True)
class Proof:
    """The fragments that an assertion was proved in, and how."""

    fragments: tuple[Fragment, ...]
    way: Way
    is_whole: bool  # nothing is around them

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
@dataclass(slots=True, eq=False)
class _Code:
    """The program with a procedure for every fragment, ready to be asked about."""

    instrumented: ErrorBitResult
    faces: Mapping[str, Interface]
    heads: Mapping[str, str]  # by fragment
    herd: Sequence[Mount]


@final
class Isolation:
    """`program` has loops and assertions still, every loop is a natural one, and there are no threads. `facts` gives the
    same program with assumptions that are known to hold."""

    def __init__(
        self, program: Program, options: Options, statistics: Statistics, facts: Callable[[], Program] | None = None
    ) -> None:
        self._program = program
        self._options = options
        self._statistics = statistics
        self._facts = facts
        self._with_facts: Program | None = None
        self.tree: CallerTree = caller_tree(program)
        self.proofs: dict[Check, Proof] = {}
        self._jobs = options.jobs or min(MOST_JOBS, len(os.sched_getaffinity(0)))

    def prove(self, checks: Iterable[Check], ways: Sequence[Way], deadline: float) -> dict[Check, Proof]:
        """Those of the assertions that some fragment is enough for."""
        found: dict[Check, Proof] = {}
        for way in ways:
            left = [check for check in checks if check not in found]
            if left and time.monotonic() < deadline:
                found |= self._prove(left, way, deadline)
        return found

    def _prove(self, checks: Sequence[Check], way: Way, deadline: float) -> dict[Check, Proof]:
        schedule = Schedule(self.tree, checks)
        found: dict[Check, Proof] = {}
        if not schedule.undecided:
            return found
        code = self._code(way)
        proving = _Proving(code, self._options, self._statistics, way, deadline)

        def commit(name: str, asked: Sequence[Check], proved: Iterable[Check]) -> None:
            for check in schedule.commit(name, asked, proved):
                fragments = tuple(self.tree.fragments[each] for each in schedule.proofs(check))
                is_whole = any(self.tree.around(each.name) is None for each in fragments)
                found[check] = Proof(fragments, way, is_whole)

        if self._jobs > 1 and len(self.tree.fragments) >= WORTH_FORKING:
            self._in_parallel(schedule, proving, commit, deadline)
        else:
            while time.monotonic() < deadline and (chosen := schedule.next()) is not None:
                schedule.begin(*chosen)
                commit(*chosen, proving.proved(*chosen))
        return found

    def _in_parallel(
        self,
        schedule: Schedule,
        proving: _Proving,
        commit: Callable[[str, Sequence[Check], Iterable[Check]], None],
        deadline: float,
    ) -> None:
        """As many fragments at a time as there are jobs; what is not needed any more is cancelled."""
        running: dict[str, list[Check]] = {}

        with Pool[str, list[int]](self._jobs) as pool:

            def fill() -> None:
                while len(running) < self._jobs and time.monotonic() < deadline:
                    chosen = schedule.next() or schedule.next(ahead=True)
                    if chosen is None or chosen[0] in running:
                        return
                    schedule.begin(*chosen)
                    running[chosen[0]] = chosen[1]
                    pool.submit(Job(chosen[0], proving.numbers_of_proved, chosen))

            fill()
            while running:
                for name, outcome in pool.results():
                    asked = running.pop(name)
                    commit(name, asked, [asked[number] for number in outcome.result or ()])
                    for other, others in running.items():
                        if not schedule.is_needed(other, others):
                            pool.cancel(other)
                    fill()

    def unreachable(self, checks: Iterable[Check], deadline: float) -> list[Check]:
        """Those of the assertions that no execution gets to, as far as a short look from the entries tells."""
        left = list(checks)
        code = self._code(ONE_ITERATION)
        proving = _Proving(code, self._options, self._statistics, ONE_ITERATION, deadline)
        for entry in self._program.entries:
            below = set(code.instrumented.below(entry))
            asked = [check for check in left if check in below]
            proved = set(proving.asked_of(entry, asked, code.herd[0], reaching=True)) if asked else set()
            left = [check for check in left if check not in below or check in proved]
        return left

    def _code(self, way: Way) -> _Code:
        program = self._program
        if way.with_facts and self._facts is not None:
            program = self._with_facts = self._with_facts or self._facts()
        loops = [fragment.loop for fragment in self.tree.fragments.values() if fragment.loop is not None]
        isolated = IsolateLoops(loops, beside=way.induction is None).apply(program)  # copies of calls are small
        current = isolated.program
        if way.induction is not None:
            current = InductLoops(way.induction).apply(current).program
        instrumented = InsertErrorBit().apply(ExtractLoops().apply(current).program)
        faces = interfaces(instrumented.program, summaries=self._options.summaries)
        heads = {name: isolated.bodies.get(name, name) for name in self.tree.fragments}
        return _Code(instrumented, faces, heads, mounts(instrumented.program, self._options))


@final
@dataclass(slots=True, eq=False)
class _Proving:
    """Asks solvers about fragments."""

    code: _Code
    options: Options
    statistics: Statistics
    way: Way
    deadline: float
    _unsupported: list[Unsupported] = field(default_factory=list)

    def numbers_of_proved(self, _: object, name: str, checks: Sequence[Check]) -> list[int]:
        """What can be sent from process to process."""
        proved = set(self.proved(name, checks))
        return [number for number, check in enumerate(checks) if check in proved]

    def proved(self, name: str, checks: Sequence[Check]) -> list[Check]:
        """The assertions that cannot fail in a fragment."""
        head, herd = self.code.heads[name], self.code.herd
        try:
            proved = self.asked_of(head, checks, herd[0])
            if proved and self.way.induction:
                proved = self.asked_of(head, proved, _another(herd))
        except Unsupported:  # by a solver
            return []
        return proved

    def asked_of(self, head: str, checks: Sequence[Check], mount: Mount, *, reaching: bool = False) -> list[Check]:
        instrumented = self.code.instrumented
        below = set(instrumented.below(head))
        wanted = [check for check in checks if check in below]
        if not wanted:
            return []
        solver = create_solver(mount.solver, settings=mount.settings)
        tell_background(solver, instrumented.program)
        for definition in instrumented.definitions:
            solver.add(solver.translate(definition))
        inlining = Inlining(instrumented.program, self.code.faces, solver, self.statistics, joins=mount.joins)
        until = min(self.deadline, time.monotonic() + self.way.seconds)
        effort = Effort(self.options.bound, self.way.iterations, self.way.questions, until)
        return FragmentProof(inlining, instrumented, head, effort, reaching=reaching).proved(wanted)


def _another(herd: Sequence[Mount]) -> Mount:
    """A solver that did not find the proof, or the same one with other settings."""
    first = herd[0]
    return next((mount for mount in herd if mount.solver != first.solver), replace(herd[-1], joins="ite"))
