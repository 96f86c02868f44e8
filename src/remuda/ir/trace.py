"""Traces: one execution, given by the choices that determine it.

An execution is determined by the values of constants and uninterpreted functions (`Interpretation`), the
initial values of globals and of the entry's inputs, and then, in order: the values unassigned locals start
with, the block taken at each branch, and the values chosen by each `havoc` and each call of a procedure
without a body; for a program with threads, also when which thread runs. Nothing else is recorded: the interpreter
recomputes every other value, so a replay is an independent confirmation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from remuda.ir.program import Check
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.terms.values import Interpretation, Value


@final
@dataclass(frozen=True, slots=True)
class Enter:
    """A procedure with a body starts. `values` are the first values of locals and outputs, which are arbitrary.

    Where a thread starts, they are also those of its copies of the thread-local globals.
    """

    procedure: str
    values: Mapping[Variable, Value]


@final
@dataclass(frozen=True, slots=True)
class Visit:
    """Control reaches a block of the current procedure (the entry block too)."""

    label: str


@final
@dataclass(frozen=True, slots=True)
class Choose:
    """A havoc, or a call of a procedure without a body, gave these variables these values.

    A variable in `terms` got the value of that term at this moment instead.
    """

    values: Mapping[Variable, Value]
    terms: Mapping[Variable, Term] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True)
class Leave:
    """The current procedure returns."""


@final
@dataclass(frozen=True, slots=True)
class Switch:
    """Control passes to another thread, before the running one executes a statement of its block.

    Threads are numbered in the order in which they are started; the execution starts as thread 1. `position` is
    the index of that statement, the number of statements at the block's end, and 0 if the thread has ended. The
    events that follow belong to the other thread: it continues, or its procedure is entered.
    """

    thread: int
    position: int


Event = Enter | Visit | Choose | Leave | Switch


@final
@dataclass(frozen=True, slots=True)
class Trace:
    """The choices of one execution that ends by failing `check`.

    `initial` maps globals and the entry's inputs to their first values. A variable that is missing may have any
    value.
    """

    entry: str
    interpretation: Interpretation
    initial: Mapping[Variable, Value]
    events: Sequence[Event]
    check: Check


@final
@dataclass(frozen=True, slots=True)
class Origins:
    """The origins of the blocks and variables of a transformed program.

    `labels[procedure, label]` is the block's label before the transform, None for a new block; a pair that is not
    listed kept its label. Procedures in `folded` were part of their caller. `variables` maps copies to their
    originals. In programs with threads, no thread may be interrupted in a new block.
    """

    labels: Mapping[tuple[str, str], str | None]
    folded: frozenset[str] = frozenset()
    variables: Mapping[Variable, Variable] = field(default_factory=dict)

    def lift(self, trace: Trace) -> Trace:
        """The same execution, with the blocks and variables of the program before the transform."""
        events: list[Event] = []
        stack: list[str] = []
        stacks = {1: stack}  # by thread
        for event in trace.events:
            match event:
                case Enter(procedure, values):
                    stack.append(procedure)
                    if procedure not in self.folded:
                        events.append(Enter(procedure, self._rename(values)))
                case Visit(label):
                    original = self.labels.get((stack[-1], label), label)
                    if original is not None:
                        events.append(Visit(original))
                case Choose(values):
                    events.append(Choose(self._rename(values)))
                case Leave():
                    if stack.pop() not in self.folded:
                        events.append(event)
                case Switch(thread):
                    stack = stacks.setdefault(thread, [])
                    events.append(event)
        return replace(trace, events=tuple(events))

    def _rename(self, values: Mapping[Variable, Value]) -> Mapping[Variable, Value]:
        return {self.variables.get(variable, variable): value for variable, value in values.items()}
