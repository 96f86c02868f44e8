"""The pieces that lifting assertions cuts blocks into, and the thread that fails.

before:  async call T(e);  ...
after:   goto start, fails;   start: async call T(e);  goto on;
                              fails: assume failing == none;  failing, T$x := T, e;  goto on;   on: ...

At most one thread fails, and it runs in the entry: the call that starts it only notes that, with its arguments. Every
asynchronous call begins a block, so that traces have the order in which threads are started.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.bit_programs import SmallNumbers
from remuda.base.names import FreshNames
from remuda.ir.program import Assign, Assume, Block, Call
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span
    from remuda.ir.program import Program, Statement
    from remuda.terms.term import Term
    from remuda.transforms.lifted_traces import LiftedTraces, Place, Spot

NONE: Final = 0  # no thread that fails has been started
FIRST: Final = 1  # it is the execution's first thread


@final
class FailingThread:
    """The failing thread: a global for the procedure that it starts in, and globals for its arguments."""

    def __init__(self, program: Program, procedures: Sequence[str]) -> None:
        self._terms = program.terms
        self._codes = {name: code for code, name in enumerate(procedures, FIRST + 1)}
        self._numbers = SmallNumbers(program, FIRST + len(procedures))
        names = FreshNames(variable.name for variable in (*program.globals, *program.constants))
        self.flag = Variable(names.make("failing$thread"), self._numbers.type, VariableKind.GLOBAL)
        self.arguments = {
            name: tuple(
                Variable(names.make(f"failing${name}${each.name}"), each.type, VariableKind.GLOBAL)
                for each in program.procedures[name].inputs
            )
            for name in procedures
        }

    @property
    def globals(self) -> tuple[Variable, ...]:
        if not self._codes:
            return ()
        return (self.flag, *(variable for variables in self.arguments.values() for variable in variables))

    def fails(self, procedure: str) -> bool:
        return procedure in self._codes

    def is_code(self, code: int) -> Term:
        return self._terms.eq(self._terms.var(self.flag), self._numbers.literal(code))

    def is_started(self, procedure: str) -> Term:
        return self.is_code(self._codes[procedure])

    def take(self, call: Call) -> tuple[Statement, ...]:
        """Start the thread that fails by an asynchronous call."""
        code = self._numbers.literal(self._codes[call.procedure])
        targets = (self.flag, *self.arguments[call.procedure])
        return (
            Assume(self.is_code(NONE), call.span),
            Assign(targets, (code, *call.arguments), call.span),
        )


@final
class Blocks:
    """The blocks of one procedure of the new program, as they are written."""

    def __init__(
        self, procedure: str, labels: Iterable[str], traces: LiftedTraces, thread: FailingThread | None
    ) -> None:
        self.procedure = procedure
        self.thread = thread  # None in a program without threads
        self.written: dict[str, Block] = {}
        self.traces = traces
        self._fresh = FreshNames(labels)

    def new_label(self, wish: str) -> str:
        """A label for a block that was not there before."""
        label = self._fresh.make(wish)
        self.traces.labels[self.procedure, label] = None
        return label

    def add(self, block: Block, spots: Iterable[Spot]) -> None:
        self.written[block.label] = block
        if self.thread is not None:
            self.traces.spots[self.procedure, block.label] = tuple(spots)


@final
class Pieces:
    """One block, written statement by statement. `place` is where the statements were."""

    def __init__(self, blocks: Blocks, label: str, place: Place) -> None:
        self._blocks = blocks
        self._place = place
        self._base = label  # so that names of pieces do not grow
        self._label = label
        self._statements: list[Statement] = []
        self._spots: list[Spot] = []
        self.labels = [label]

    def add(self, statement: Statement, index: int) -> None:
        """Add a statement that was, or stands for, the one with this index."""
        self._statements.append(statement)
        self._spots.append((*self._place, index))

    def new_label(self, what: str) -> str:
        label = self._blocks.new_label(f"{self._base}${what}")
        self.labels.append(label)
        return label

    def close(self, successors: Sequence[str], span: Span, index: int) -> None:
        """End the piece before the statement with this index."""
        block = Block(self._label, tuple(self._statements), tuple(successors), span)
        self._blocks.add(block, (*self._spots, (*self._place, index)))

    def go_on(self, label: str) -> None:
        self._label, self._statements, self._spots = label, [], []

    def start_thread(self, call: Call, index: int) -> None:
        """An asynchronous call, or a note that it starts the failing thread."""
        thread, traces = self._blocks.thread, self._blocks.traces
        assert thread is not None
        start = self.new_label("start")
        traces.keeps.add((self._blocks.procedure, start))
        if not thread.fails(call.procedure):
            self.close((start,), call.span, index)
            self.go_on(start)
            self.add(call, index)
            return
        take, onward = self.new_label("fails"), self.new_label("on")
        self.close((start, take), call.span, index)
        self.go_on(start)
        self.add(call, index)
        self.close((onward,), call.span, index + 1)
        traces.takes[self._blocks.procedure, take] = call.procedure
        self.go_on(take)
        for statement in thread.take(call):
            self.add(statement, index)
        self.close((onward,), call.span, index + 1)
        self.go_on(onward)
