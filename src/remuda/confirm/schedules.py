"""Schedules for the threads of a C program on the machine: those of a trace, and random ones.

A trace and the machine share the positions in the source. Accesses to shared objects have a position in both, and a
thread passes these positions in the same order. So the trace determines where threads are interrupted: after the
position that was passed last, and before the next one. The number of steps at a position may differ (a function of
the library is one step on the machine), so steps are only counted if a thread is interrupted within a position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.ir.program import Call, attribute
from remuda.ir.threads import ATOMIC_BEGIN, ATOMIC_END, STEP
from remuda.machine.outcomes import End, Stop
from remuda.terms.symbols import VariableKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from random import Random

    from remuda.base.source import Span
    from remuda.machine.outcomes import ExecutionOutcome
    from remuda.machine.threads import Threads
    from remuda.replay.steps import Step
    from remuda.terms.symbols import Variable

Place = tuple[str, int, int]  # a file, and characters of it
SHOWN: Final = 20  # switches in a reason


@final
@dataclass(frozen=True, slots=True)
class Visit:
    """A step of a thread at a place: it is the `position`-th step of the `run`-th time that the thread comes there."""

    place: Place
    run: int
    position: int


@final
@dataclass(frozen=True, slots=True)
class Segment:
    """What a thread does without being interrupted: `last` is its last step until the end of the segment, and
    `following` its next one in a later segment, if there are any."""

    thread: int
    last: Visit | None
    following: Visit | None


@final
@dataclass(slots=True)
class Walk:
    """The places that a thread has passed: how often it came to each, and the number of its steps at the current
    one."""

    place: Place | None = None
    runs: dict[Place, int] = field(default_factory=dict)
    position: int = 0

    def step(self, place: Place) -> None:
        if place != self.place:
            self.runs[place] = self.runs.get(place, 0) + 1
            self.place, self.position = place, 0
        self.position += 1

    def visit(self) -> Visit | None:
        return None if self.place is None else Visit(self.place, self.runs[self.place], self.position)


def place_of(span: Span) -> Place:
    return span.source.name, span.start, span.end


@final
class TraceSchedule:
    """The schedule of a trace. `deviation` is where an execution has first left it, although it continued."""

    def __init__(self, steps: Sequence[Step], own: Collection[Variable]) -> None:
        self._segments = _segments(steps, own)
        self._known = {(number, place) for number, place in _shared_steps(steps, own) if place is not None}
        self.begin()

    def begin(self) -> None:
        self._at = 0
        self._walks: dict[int, Walk] = {}
        self.deviation = ""

    def passed(self, thread: int, span: Span) -> None:
        place = place_of(span)
        if (thread, place) in self._known:
            self._walk(thread).step(place)

    def next(self, threads: Threads, span: Span, *, enters: bool) -> int:
        own = threads.current.number
        if self._at + 1 < len(self._segments) and self._is_over(own, place_of(span), enters=enters):
            following = self._segments[self._at].following
            is_known = (own, place_of(span)) in self._known
            if following is not None and is_known and following.place != place_of(span):
                self.deviation = self.deviation or f"thread {own} comes to {span}"
            self._at += 1
        return self._segments[self._at].thread

    def after(self, threads: Threads) -> int:
        thread = threads.current
        if thread.is_ready:
            return thread.number
        segment, span = self._segments[self._at], None
        state = "has ended" if thread.has_ended else "waits"
        if self._at + 1 == len(self._segments):
            if not thread.has_ended or self.deviation:
                self.deviation = self.deviation or f"thread {thread.number} {state} at the end"
            raise Stop(End.EXITED, span, f"thread {thread.number} {state}, where the trace is over")
        if segment.following is not None or not self._has_reached(thread.number, segment.last):
            place = segment.last.place if segment.last is not None else None
            where = f" before {place[0]}:{place[1]}" if place is not None else ""
            raise Stop(
                End.NOT_MODELLED, span, f"the schedule could not be followed: thread {thread.number} {state}{where}"
            )
        self._at += 1
        return self._segments[self._at].thread

    def obstacle(self, outcome: ExecutionOutcome) -> str:
        """The reason why an execution that ended in this way is not that of the trace, if there is one."""
        if self.deviation or outcome.end is not End.EXITED or self._at + 1 == len(self._segments):
            return self.deviation
        return f"{outcome}, before thread {self._segments[self._at + 1].thread} is to go on"

    def _walk(self, thread: int) -> Walk:
        return self._walks.setdefault(thread, Walk())

    def _has_reached(self, thread: int, visit: Visit | None) -> bool:
        return visit is None or self._walk(thread).runs.get(visit.place, 0) >= visit.run

    def _is_over(self, thread: int, place: Place, *, enters: bool) -> bool:
        """Whether the segment is over when the thread is about to do something at a place."""
        segment, walk = self._segments[self._at], self._walk(thread)
        last, following = segment.last, segment.following
        is_known = (thread, place) in self._known
        if last is None:
            return following is None or is_known or enters
        runs = walk.runs.get(last.place, 0)
        if runs < last.run:  # the machine may not know the last place; then the following one must do
            return (
                following is not None
                and place == following.place != walk.place
                and walk.runs.get(place, 0) == following.run - 1
                and following.position == 1
            )
        if runs > last.run or walk.place != last.place:
            return True
        if following is not None and following.place == last.place and following.run == last.run:
            return walk.position >= last.position
        if following is None or enters:
            return walk.position >= last.position or place != last.place
        return is_known and place != last.place


def _shared_steps(steps: Iterable[Step], own: Collection[Variable]) -> Iterable[tuple[int, Place | None]]:
    """The threads and places of steps that other threads may see; an atomic section is one step. None stands for
    other steps."""
    ignored = set(own)
    inside: dict[int, bool] = {}  # for threads in an atomic section: whether its step is listed
    for step in steps:
        statement = step.statement
        if isinstance(statement, Call) and statement.procedure in {ATOMIC_BEGIN, ATOMIC_END} and step.kind == "call":
            mark = attribute(statement.attributes, STEP)
            if mark is not None and not mark.arguments and statement.procedure == ATOMIC_BEGIN:
                inside[step.thread] = False
            elif step.thread in inside:
                del inside[step.thread]
        is_action = statement is not None and step.kind != "assert"  # a check is part of what comes after it
        is_shared = is_action and any(
            reading.variable.kind is VariableKind.GLOBAL and reading.variable not in ignored
            for reading in (*step.reads, *step.sets)
        )
        if not is_shared or inside.get(step.thread):
            yield step.thread, None
            continue
        if step.thread in inside:
            inside[step.thread] = True
        assert statement is not None
        yield step.thread, place_of(statement.span)


def _segments(steps: Sequence[Step], own: Collection[Variable]) -> list[Segment]:
    walks: dict[int, Walk] = {}
    ends: list[tuple[int, Visit | None]] = []  # of segments: the thread, and its last step so far
    visits: dict[int, list[Visit]] = {}
    counts: list[int] = []  # for each segment, the number of visits of its thread so far
    for thread, place in _shared_steps(steps, own):
        walk = walks.setdefault(thread, Walk())
        if place is not None:
            walk.step(place)
            visit = walk.visit()
            assert visit is not None
            visits.setdefault(thread, []).append(visit)
        if ends and ends[-1][0] == thread:
            ends.pop()
            counts.pop()
        ends.append((thread, walk.visit()))
        counts.append(len(visits.get(thread, [])))
    segments = []
    for (thread, last), count in zip(ends, counts, strict=True):
        after = visits.get(thread, [])[count:]
        segments.append(Segment(thread, last, after[0] if after else None))
    return segments


@final
class RandomSchedule:
    """Switches at random, more often in some executions than in others. `told` are the switches so far."""

    def __init__(self, random: Random, chance: float) -> None:
        self._random = random
        self._chance = chance
        self.told: list[str] = []

    def begin(self) -> None:
        self.told.clear()

    def next(self, threads: Threads, span: Span, *, enters: bool) -> int:  # noqa: ARG002 - the same everywhere
        own = threads.current.number
        if len(threads.all) == 1 or self._random.random() >= self._chance:
            return own
        return self._chosen(threads, own, str(span))

    def passed(self, thread: int, span: Span) -> None:
        pass

    def after(self, threads: Threads) -> int:
        return self._chosen(threads, threads.current.number, "its wait or end")

    def _chosen(self, threads: Threads, own: int, where: str) -> int:
        chosen = self._random.choice(threads.ready())
        if chosen != own and len(self.told) < SHOWN + 1:
            self.told.append(f"{chosen} after thread {own} came to {where}")
        return chosen

    def __str__(self) -> str:
        return ", ".join(self.told[:SHOWN]) + (", ..." if len(self.told) > SHOWN else "")
