"""Describes a replayed execution in terms of its source language.

A front end marks what traces show: `{:shows "p->size", value, "u32"}` on an assignment, `{:input "read()", "i32",
key}` on an input. Everything else, such as its temporary variables and memory maps, is left out.

input   nondet_int()              nondet_int() = -1
call    push(s, v)                s = &stack, v = -1
assign  s->data[s->size] = v      s->data[s->size] = -1
fail    assert(v >= 0)            v = -1

The values are those of the replay, unless there are `Sights`: the values of another interpreter at the same steps,
which has objects where the replay has addresses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, final

from remuda.ir.program import Call, Execution, Havoc, Input, attribute
from remuda.ir.threads import PRIMITIVES
from remuda.replay.narrate import location_of, statement_text
from remuda.results.report import TraceStep

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remuda.ir.program import Presentation, Program
    from remuda.replay.interpreter import Replay
    from remuda.replay.steps import Reading, Step
    from remuda.terms.symbols import Variable
    from remuda.terms.values import Value

Values = tuple[tuple[str, str], ...]
Path = tuple[tuple["Value", ...], ...]

INPUT: Final = "input"
SHOWS: Final = "shows"
POINTER: Final = "pointer"  # formats of values
RECORD: Final = "record"
UNDEFINED: Final = "undefined "  # the prefix of inputs that stand for results of undefined operations
PRIMARY: Final = re.compile(r"[\w.\[\]]+")  # what a member can follow without parentheses
MADE: Final = "$thread"  # part of the names of procedures around those that threads start in


@final
@dataclass(frozen=True, slots=True)
class Sight:
    """The values of a step by name, and the part of an object that it assigns. An assignment's value has no name, or
    the name of a part: `.next`."""

    values: Values
    place: str = ""


@final
@dataclass(slots=True)
class Sights:
    """The values at steps, by their positions, and the objects at addresses of the replay."""

    steps: dict[int, Sight] = field(default_factory=dict)
    addresses: dict[int, str] = field(default_factory=dict)


def retell(
    replay: Replay, program: Program, presentation: Presentation, sights: Sights | None = None
) -> tuple[TraceStep, ...]:
    """The steps of the execution; its inputs come first, all together, and again where they are read."""
    story: list[TraceStep] = []
    last = len(replay.steps) - 1
    teller = _Teller(program, presentation, sights)
    for position, step in enumerate(replay.steps):
        if replay.ok and position == last:
            story.append(teller.seen(_tell(step, "fail", teller.readings(step.reads)), position))
            continue
        told = teller.step(step, position)
        if told is not None:
            story.append(told)
    return _with_inputs(story)


def execution_of(replay: Replay) -> Execution:
    return Execution(
        _inputs_of(replay), tuple(dict.fromkeys(step.procedure for step in replay.steps)), _unset(replay)
    )


def _inputs_of(replay: Replay) -> tuple[Input, ...]:
    """All inputs of the execution, in their order. A choice that is no value of the source, such as the contents of a
    record without an initialiser, is an input without a key."""
    found = []
    for step in replay.steps:
        marked = attribute(step.statement.attributes, INPUT) if step.statement is not None else None
        if marked is not None and step.sets:
            source, _, supply = marked.arguments
            found.append(Input(str(source), str(supply), step.sets[0].value))
        elif isinstance(step.statement, Havoc) and marked is None:
            found.append(Input(f"what is left open at line {step.span.line}", "", 0))
    return tuple(found)


def _unset(replay: Replay) -> frozenset[str]:
    """The maps of which the execution reads an element that nothing has set, if single elements are distinguished."""
    found: set[str] = set()
    written: set[tuple[Variable, Path]] = set()
    for step in replay.steps:
        for reading in step.reads:
            if reading.path and (reading.variable, reading.path) not in written:
                found.add(reading.variable.name)
        written.update((reading.variable, reading.path) for reading in step.sets if reading.path)
    return frozenset(found)


def _with_inputs(story: list[TraceStep]) -> tuple[TraceStep, ...]:
    if not story or story[0].kind != "start":
        return tuple(story)
    first = story[0]
    inputs = tuple(pair for step in story if step.kind == "havoc" for pair in step.values)
    named = TraceStep(first.kind, first.depth, first.procedure, first.location, first.text, first.values + inputs)
    return (named, *story[1:])


def _is_made(step: Step) -> bool:
    """Whether a call is not in the source: it is around the function that a thread starts in, or of a primitive."""
    if isinstance(step.statement, Call) and step.statement.procedure in PRIMITIVES:
        return True
    return MADE in step.procedure and step.thread > 1


@final
class _Teller:
    """Describes single steps."""

    def __init__(self, program: Program, presentation: Presentation, sights: Sights | None) -> None:
        self._program = program
        self._presentation = presentation
        self._was_seen = sights is not None
        self._sights = sights or Sights()

    def step(self, step: Step, position: int) -> TraceStep | None:
        match step.kind:
            case "start":
                who = "execution" if step.thread == 1 else f"thread {step.thread}"
                text = f"{who} starts in {step.procedure.partition('$')[0]}"
                return TraceStep("start", 0, step.procedure, location_of(step.span), text, (), step.thread)
            case "assign":
                return self._assignment(step, position)
            case "havoc":
                inputs = self._inputs(step)
                return _tell(step, "havoc", inputs) if inputs else None
            case "assume":
                told = self.seen(
                    _tell(step, "branch" if step.branch else "assume", self.readings(step.reads)), position
                )
                return told if told.values or step.branch else None
            case "call" | "leave" if _is_made(step):
                return None
            case "call":
                return self.seen(_tell(step, "call", self._arguments(step)), position)
            case "leave":
                return _tell(step, "return", self.readings(step.sets))
            case _:
                return None

    def seen(self, step: TraceStep, position: int) -> TraceStep:
        """The step with the values of the other interpreter, and with parts of objects, which the replay does not
        have."""
        sight = self._sights.steps.get(position)
        if sight is None:
            return step
        known = dict(sight.values)
        names = {name for name, _ in step.values}
        values = [(name, known.get(name, value)) for name, value in step.values]
        if step.kind != "call":
            values += [(name, value) for name, value in sight.values if name not in names]
        return replace(step, values=tuple(values))

    def _assignment(self, step: Step, position: int) -> TraceStep | None:
        if len(step.printed) != 3:
            return None
        target, value, format_ = step.printed
        sight = self._sights.steps.get(position)
        if sight is not None:
            is_primary = format_ != RECORD or PRIMARY.fullmatch(str(target)) is not None
            whole = str(target) if is_primary else f"({target})"
            values = tuple([(f"{whole}{part}", text) for part, text in sight.values])
            place = sight.place if sight.place != target else ""
            return replace(_tell(step, "assign", values), place=place) if values else None
        if format_ == RECORD:
            return None
        if value is None:
            return _tell(step, "assign", ((str(target), "not evaluable"),))
        assert not isinstance(value, str)
        return _tell(step, "assign", ((str(target), self._text(value, str(format_))),))

    def _text(self, value: Value, format_: str) -> str:
        known = self._sights.addresses.get(value) if format_ == POINTER and isinstance(value, int) else None
        return self._presentation.text(value, format_) if known is None else known

    def _inputs(self, step: Step) -> Values:
        found = attribute(step.statement.attributes, INPUT) if step.statement is not None else None
        if found is None or not step.sets:
            return ()
        source, format_, _ = found.arguments
        if not source or (self._was_seen and str(source).startswith(UNDEFINED)):
            return ()  # irrelevant, or not what happened
        return ((str(source), self._text(step.sets[0].value, str(format_))),)

    def _arguments(self, step: Step) -> Values:
        assert isinstance(step.statement, Call)
        callee = self._program.procedures[step.statement.procedure]
        pairs = []
        for parameter, value in zip(callee.inputs, step.arguments, strict=True):
            format_ = self._presentation.format_of(parameter)
            if format_ is not None:
                pairs.append((parameter.name, self._text(value, format_)))
        return tuple(pairs)

    def readings(self, readings: Iterable[Reading]) -> Values:
        """The variables of the source; the replay shows elements of memory where they are assigned."""
        pairs: dict[tuple[str, str], None] = {}
        for reading in readings:
            format_ = self._presentation.format_of(reading.variable)
            if format_ is not None and not reading.path:
                pairs[reading.variable.name, self._text(reading.value, format_)] = None
        return tuple(pairs)


def _tell(step: Step, kind: str, values: Values) -> TraceStep:
    span = step.statement.span if step.statement is not None else step.span
    text = statement_text(step.statement, span)
    if step.negated:
        text = f"!({text})"
    return TraceStep(kind, step.depth, step.procedure, location_of(span), text, values, step.thread)
