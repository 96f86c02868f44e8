"""Converts a trace of a program whose assertions are all in its entry to a trace of the original.

    main: jumps into P's copy, fails there               main calls P, and P fails
    main waits; T's creator notes "T fails"; main        the creator starts T, which fails
      jumps into T's copy, fails there

Jumps into copies become calls that do not return. With threads, the numbers of threads change: the entry's thread
becomes the one that fails, without its events while it waited.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, final

from remuda.ir.trace import Choose, Enter, Event, Leave, Switch, Trace, Visit

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable
    from remuda.terms.values import Value

Place = tuple[str, str]  # procedure and block label
Spot = tuple[str, str, int]  # and the index of a statement, or their number at the block's end

LIFTED: Final = 1  # the thread of the entry, in traces of the lifted program


@final
@dataclass(frozen=True, slots=True)
class Entered:
    """A jump into a copy: the procedure and the block where it begins, with or without values to choose."""

    procedure: str
    first: str
    is_arbitrary: bool


@final
@dataclass(slots=True, eq=False)
class LiftedTraces:
    """The origins of the blocks of the lifted program.

    `labels` are those of blocks before the transform (None: not there; not listed: the same), `entered` the jumps into
    copies, `variables` what copies are copies of. The rest is about threads: `spots` are where the statements of a
    block were, if not in a block of that name; blocks in `waits` start the entry as a thread of its own, those in
    `grabs` become the thread that fails once it is started, those in `keeps` begin by starting a thread, and those in
    `takes`, when they end, have noted that one is started that fails. `names` are those of procedures before the
    transform, where they have changed.
    """

    labels: dict[Place, str | None] = field(default_factory=dict)
    entered: dict[Place, Entered] = field(default_factory=dict)
    variables: dict[Variable, Variable] = field(default_factory=dict)
    spots: dict[Place, tuple[Spot, ...]] = field(default_factory=dict)
    waits: set[Place] = field(default_factory=set)
    grabs: dict[Place, Entered] = field(default_factory=dict)
    keeps: set[Place] = field(default_factory=set)
    takes: dict[Place, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    added: set[Variable] = field(default_factory=set)  # globals that were not there
    thread_locals: frozenset[Variable] = frozenset()

    def lift(self, trace: Trace) -> Trace:
        """The same execution, as a trace of the program before the transform."""
        return _Retelling(self, trace).told()


@final
@dataclass(slots=True)
class _Waiting:
    """An event that a thread is about to execute, with its position."""

    position: int
    procedure: str | None  # that is started and fails; None: a thread like any other


@final
class _Retelling:
    """Converts a trace of the lifted program, thread by thread."""

    def __init__(self, plan: LiftedTraces, trace: Trace) -> None:
        self._plan = plan
        self._trace = trace
        self._initial = {variable: value for variable, value in trace.initial.items() if variable not in plan.added}
        self._events: list[Event] = []
        self._running = LIFTED
        self._places: dict[int, list[Place]] = {LIFTED: []}  # by thread, its procedures, each where it is
        self._numbers = {LIFTED: 1}  # from threads of the lifted program to those before
        self._threads = 1  # of the lifted program, so far
        self._originals = 1  # of the program before, so far
        self._starting: dict[int, _Waiting] = {}
        self._taken: dict[str, int] = {}  # the thread that fails, by its procedure
        self._grabbed: int | None = None
        self._values: Mapping[Variable, Value] = {}  # what the procedure that is entered next starts with
        self._entering: Entered | None = None  # a copy that is jumped into, until the event is added
        self._told_first: str | None = None  # the block that was added with it
        self._told_thread = 1
        self._left_at = 0  # the position of the thread of the last event
        self._done: set[int] = set()  # events that were added early

    def told(self) -> Trace:
        for index, event in enumerate(self._trace.events):
            if index in self._done:
                continue
            match event:
                case Enter(procedure, values):
                    self._progress(None)
                    self._enter(procedure, values)
                case Visit(label):
                    self._progress(None)
                    self._visit(index, label)
                case Choose():
                    self._choose(event)
                case Switch(_, position):
                    self._progress(position)
                    self._switch(event)
                case Leave():
                    self._progress(None)
                    self._places[self._running].pop()
                    self._tell(event)
        return replace(self._trace, initial=self._initial, events=tuple(self._events))

    # --- events

    def _enter(self, procedure: str, values: Mapping[Variable, Value]) -> None:
        places = self._places.setdefault(self._running, [])
        original = self._plan.names.get(procedure, procedure)
        values = {variable: value for variable, value in values.items() if variable not in self._plan.variables}
        if not places and procedure in self._plan.names:  # what was the first thread is one that was started
            self._initial.update({each: value for each, value in values.items() if each in self._plan.thread_locals})
            values = {each: value for each, value in values.items() if each not in self._plan.thread_locals}
        places.append((procedure, ""))
        self._tell(Enter(original, values))

    def _visit(self, index: int, label: str) -> None:
        place = self._places[self._running][-1][0], label
        plan = self._plan
        if self._grabbed is not None and self._running == LIFTED and place not in plan.grabs:
            self._become()
        self._places[self._running][-1] = place
        if place in plan.waits:
            self._wait()
        elif place in plan.grabs:
            self._entering, self._values = plan.grabs[place], {}
        elif place in plan.entered:
            self._entering = plan.entered[place]
            self._values = self._chosen_after(index) if self._entering.is_arbitrary else {}
        elif place in plan.keeps:
            self._starting[self._running] = _Waiting(1, None)
        elif place in plan.takes:
            self._starting[self._running] = _Waiting(len(plan.spots[place]) - 1, plan.takes[place])
        original = plan.labels.get(place, label)
        if original is not None and self._told_first is not None and self._running == LIFTED:
            self._told_first = None
        elif original is not None:
            self._tell(Visit(original))

    def _choose(self, event: Choose) -> None:
        values = self._renamed(event.values)
        if self._is_grabbing():
            self._values = values
        else:
            self._progress(None)
            self._tell(replace(event, values=values))

    def _switch(self, event: Switch) -> None:
        if self._running in self._numbers:
            self._told_thread = self._numbers[self._running]
            self._left_at = self._position(event.position)
        self._running = event.thread
        self._arrive()

    # --- what threads are about to do

    def _progress(self, position: int | None) -> None:
        """Note that the running thread has come to a position in its block, or behind the block."""
        waiting = self._starting.get(self._running)
        if waiting is not None and (position is None or position >= waiting.position):
            del self._starting[self._running]
            self._start(waiting.procedure)
        if self._entering is None or self._running != LIFTED:
            return
        if self._is_grabbing():
            end = len(self._plan.spots[self._places[LIFTED][-1]]) - 1
            if self._grabbed is None and (position is None or position == end):
                self._grabbed = self._taken.get(self._entering.procedure)
        elif position != 0:
            self._tell_entering()

    def _is_grabbing(self) -> bool:
        return self._running == LIFTED and LIFTED not in self._numbers

    def _start(self, failing: str | None) -> None:
        self._originals += 1
        if failing is not None:
            self._taken[failing] = self._originals
        else:
            self._threads += 1
            self._numbers[self._threads] = self._originals

    def _wait(self) -> None:
        """The execution's first thread is the second one here; this one has yet to become one that was."""
        self._events.clear()
        for variable in self._plan.thread_locals:
            self._initial.pop(variable, None)
        self._threads = 2
        self._numbers = {2: 1}
        self._entering = None

    def _become(self) -> None:
        """Begin the failing thread."""
        assert self._grabbed is not None
        self._numbers[LIFTED] = self._grabbed
        self._grabbed = None
        self._arrive()
        self._tell_entering()

    # --- telling

    def _arrive(self) -> None:
        number = self._numbers.get(self._running)
        if number is not None and number != self._told_thread:
            self._events.append(Switch(number, self._left_at))
            self._told_thread = number

    def _tell(self, event: Event) -> None:
        if self._running in self._numbers:
            self._events.append(event)

    def _tell_entering(self) -> None:
        assert self._entering is not None
        self._tell(Enter(self._entering.procedure, self._values))
        self._tell(Visit(self._entering.first))
        self._told_first = self._entering.first
        self._entering = None

    def _position(self, position: int) -> int:
        """Where the running thread is, in the block that it was in before the transform."""
        places = self._places[self._running]
        spots = self._plan.spots.get(places[-1]) if places else None
        return position if spots is None else spots[position][2]

    def _chosen_after(self, index: int) -> Mapping[Variable, Value]:
        """What the entry's thread chooses next, which belongs to the beginning of the copy that it jumps into."""
        running = LIFTED
        for later in range(index + 1, len(self._trace.events)):
            event = self._trace.events[later]
            if isinstance(event, Switch):
                running = event.thread
            elif running == LIFTED:
                assert isinstance(event, Choose)
                self._done.add(later)
                return self._renamed(event.values)
        return {}

    def _renamed(self, values: Mapping[Variable, Value]) -> dict[Variable, Value]:
        return {self._plan.variables.get(variable, variable): value for variable, value in values.items()}
