"""Turns the trace of a sequentialized program, which runs its threads one after another, into an interleaving.

    main: a | [round 1] b      thread 2: c | [round 1] d       the sequential trace: thread by thread, in pieces
    round 0: a c    round 1: b d                               the interleaving: round by round

The blocks that the sequential program visits mark where a thread starts, where it can be interrupted, in which round
it continues, where it stops for good and where it fails. The pieces between such places are sorted by round; within a
round they keep their order. The execution ends with the failing piece, so later pieces are dropped. Threads are
numbered in the order in which they start in the interleaving.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, final

from remuda.ir.trace import Choose, Enter, Event, Leave, Switch, Trace, Visit

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable
    from remuda.terms.values import Value


class Mark(Enum):
    """The meaning of a visit to a block that the sequentialization has added."""

    POINT = "point"  # the thread goes on, where it could be interrupted
    MOVE = "move"  # the thread goes on in another round
    STOP = "stop"  # the thread never goes on
    FAIL = "fail"  # the thread fails, and the execution ends
    LATER = "later"  # the thread to be started starts in another round than its creator's
    START = "start"  # a thread starts
    SKIP = "skip"  # a thread is started and never runs


@final
@dataclass(slots=True)
class Plan:
    """How the blocks and procedures of a sequential program correspond to those of the program with threads.

    `marks` are by procedure and label, with the position in the original block for POINT and STOP, and the round for
    MOVE and LATER. `labels` are the labels of blocks before the transform (None: a new block; not listed: the same
    label). `names` are the names of renamed procedures before it. Procedures in `around` are not part of any thread.
    """

    marks: dict[tuple[str, str], tuple[Mark, int]] = field(default_factory=dict)
    labels: dict[tuple[str, str], str | None] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    around: dict[str, None] = field(default_factory=dict)

    def lift(self, trace: Trace) -> Trace:
        """The interleaving, as a trace of the program before the transform."""
        sorting = _Sorting(self)
        for event in trace.events:
            sorting.take(event)
        return replace(trace, events=tuple(_told(sorting.pieces_in_order())))


@final
@dataclass(frozen=True, slots=True)
class _Started:
    """A placeholder among the events of a piece, where a thread is started."""

    thread: int


@final
@dataclass(slots=True, eq=False)
class _Piece:
    """The events of a thread between two interruptions, from one position in a block to another."""

    thread: int
    round: int
    begin: int | None  # None where the thread starts
    end: int = 0
    events: list[Event | _Started] = field(default_factory=list)
    fails: bool = False

    @property
    def is_nothing(self) -> bool:
        return not self.events and self.begin == self.end and not self.fails


@final
@dataclass(slots=True, eq=False)
class _Thread:
    """A thread while the sequential program runs it. `depth` is the height of its call stack; a `dead` one only
    unwinds it."""

    number: int
    round: int
    piece: _Piece
    depth: int = 0
    dead: bool = False
    own: Mapping[Variable, Value] | None = None  # the first values of its thread-local globals, until it enters


@final
class _Sorting:
    """Walks over a sequential trace, and cuts it into pieces."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._pieces: list[_Piece] = []
        self._procedures: list[str] = []
        self._threads: list[_Thread] = []  # the running one is last, and its creator comes before it
        self._count = 0
        self._later: int | None = None  # the round that the next thread starts in, if not its creator's

    def pieces_in_order(self) -> list[_Piece]:
        """The pieces in the order of the interleaving, up to the one that fails."""
        ordered = sorted(self._pieces, key=lambda piece: piece.round)
        last = next(index for index, piece in enumerate(ordered) if piece.fails)
        return [piece for piece in ordered[: last + 1] if not piece.is_nothing]

    def take(self, event: Event) -> None:
        match event:
            case Enter(procedure, values):
                self._enter(procedure, values)
            case Visit(label):
                self._visit(label)
            case Choose(values):
                self._choose(values)
            case Leave():
                self._leave()
            case Switch():
                msg = "a sequential program does not switch"
                raise AssertionError(msg)

    # --- events

    def _enter(self, procedure: str, values: Mapping[Variable, Value]) -> None:
        self._procedures.append(procedure)
        if procedure in self._plan.around:
            return
        if not self._threads:
            self._start(0)
        thread = self._threads[-1]
        thread.depth += 1
        if thread.own is not None:
            values = {**values, **thread.own}
            thread.own = None
        self._tell(Enter(self._plan.names.get(procedure, procedure), values))

    def _leave(self) -> None:
        if self._procedures.pop() in self._plan.around:
            return
        thread = self._threads[-1]
        self._tell(Leave())
        thread.depth -= 1
        if thread.depth == 0:
            self._threads.pop()

    def _choose(self, values: Mapping[Variable, Value]) -> None:
        if self._threads and self._threads[-1].depth == 0:
            self._threads[-1].own = values
        else:
            self._tell(Choose(values))

    def _visit(self, label: str) -> None:
        place = self._procedures[-1], label
        mark = self._plan.marks.get(place)
        if mark is not None:
            self._obey(*mark)
            return
        original = self._plan.labels.get(place, label)
        if original is not None and self._procedures[-1] not in self._plan.around:
            self._tell(Visit(original))

    def _obey(self, mark: Mark, number: int) -> None:
        match mark:
            case Mark.MOVE:
                self._threads[-1].round = number
            case Mark.LATER:
                self._later = number
            case Mark.POINT:
                self._cut(number)
            case Mark.STOP:
                self._threads[-1].piece.end = number
                self._threads[-1].dead = True
            case Mark.FAIL:
                self._threads[-1].piece.fails = True
                self._threads[-1].dead = True
            case Mark.START:
                self._begin_thread()
            case Mark.SKIP:
                self._announce()

    # --- pieces

    def _tell(self, event: Event | _Started) -> None:
        thread = self._threads[-1]
        if not thread.dead:
            thread.piece.events.append(event)

    def _cut(self, position: int) -> None:
        thread = self._threads[-1]
        if not thread.dead:
            thread.piece.end = position
            thread.piece = self._new_piece(thread.number, thread.round, position)

    def _begin_thread(self) -> None:
        round_ = self._threads[-1].round if self._later is None else self._later
        self._later = None
        self._announce()
        self._threads.append(_Thread(self._count, round_, self._new_piece(self._count, round_, None)))

    def _start(self, round_: int) -> None:
        self._count += 1
        self._threads.append(_Thread(self._count, round_, self._new_piece(self._count, round_, None)))

    def _announce(self) -> None:
        self._count += 1
        self._tell(_Started(self._count))

    def _new_piece(self, thread: int, round_: int, begin: int | None) -> _Piece:
        piece = _Piece(thread, round_, begin)
        self._pieces.append(piece)
        return piece


def _told(pieces: Sequence[_Piece]) -> Iterable[Event]:
    """The events of the pieces, with switches between them where the thread changes."""
    numbers = {pieces[0].thread: 1}
    before = pieces[0]
    for piece in pieces:
        if piece.thread != before.thread:
            yield Switch(numbers[piece.thread], before.end)
        for event in piece.events:
            if isinstance(event, _Started):
                numbers[event.thread] = len(numbers) + 1
            else:
                yield event
        before = piece
