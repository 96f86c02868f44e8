"""Tells a replayed execution in the terms of the language it was written in.

A front end marks what people should see: `{:shows "p->size", value, "u32"}` on an assignment, `{:input "read()", "i32", key}`
on a choice from outside. All else, such as the temporary variables and memory maps that it made, is left out.

input   nondet_int()              nondet_int() = -1
call    push(s, v)                s = &stack, v = -1
assign  s->data[s->size] = v      s->data[s->size] = -1
fail    assert(v >= 0)            v = -1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
MADE: Final = "$thread"  # part of the names of procedures around those that threads start in


def retell(replay: Replay, program: Program, presentation: Presentation) -> tuple[TraceStep, ...]:
    """The steps of the execution; its inputs come first, all together, and again where they are read."""
    story: list[TraceStep] = []
    last = len(replay.steps) - 1
    for position, step in enumerate(replay.steps):
        if replay.ok and position == last:
            story.append(_tell(step, "fail", _readings(step.reads, presentation)))
            continue
        told = _retell_step(step, program, presentation)
        if told is not None:
            story.append(told)
    return _with_inputs(story)


def execution_of(replay: Replay) -> Execution:
    return Execution(
        _inputs_of(replay), tuple(dict.fromkeys(step.procedure for step in replay.steps)), _unset(replay)
    )


def _inputs_of(replay: Replay) -> tuple[Input, ...]:
    """Everything that the execution got from outside, in the order in which it did. A choice that is no value of the
    source, such as the contents of a record without an initialiser, is an input that nothing supplies."""
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
    """The maps that an element is read of that nothing has set, as far as single elements are told apart."""
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


def _retell_step(step: Step, program: Program, presentation: Presentation) -> TraceStep | None:
    match step.kind:
        case "start":
            who = "execution" if step.thread == 1 else f"thread {step.thread}"
            text = f"{who} starts in {step.procedure.partition('$')[0]}"
            return TraceStep("start", 0, step.procedure, location_of(step.span), text, (), step.thread)
        case "assign":
            shown = _shown(step, presentation)
            return _tell(step, "assign", shown) if shown else None
        case "havoc":
            inputs = _inputs(step, presentation)
            return _tell(step, "havoc", inputs) if inputs else None
        case "assume":
            read = _readings(step.reads, presentation)
            return _tell(step, "branch" if step.branch else "assume", read) if read or step.branch else None
        case "call" | "leave" if _is_made(step):
            return None
        case "call":
            return _tell(step, "call", _arguments(step, program, presentation))
        case "leave":
            return _tell(step, "return", _readings(step.sets, presentation))
        case _:
            return None


def _is_made(step: Step) -> bool:
    """Whether a call is none of the source: one around the function that a thread starts in, or of a primitive."""
    if isinstance(step.statement, Call) and step.statement.procedure in PRIMITIVES:
        return True
    return MADE in step.procedure and step.thread > 1


def _shown(step: Step, presentation: Presentation) -> Values:
    if len(step.printed) != 3:
        return ()
    target, value, format_ = step.printed
    if value is None:
        return ((str(target), "not evaluable"),)
    assert not isinstance(value, str)
    return ((str(target), presentation.text(value, str(format_))),)


def _inputs(step: Step, presentation: Presentation) -> Values:
    found = attribute(step.statement.attributes, INPUT) if step.statement is not None else None
    if found is None or not step.sets:
        return ()
    source, format_, _ = found.arguments
    if not source:
        return ()  # not worth telling
    return ((str(source), presentation.text(step.sets[0].value, str(format_))),)


def _arguments(step: Step, program: Program, presentation: Presentation) -> Values:
    assert isinstance(step.statement, Call)
    callee = program.procedures[step.statement.procedure]
    pairs = []
    for parameter, value in zip(callee.inputs, step.arguments, strict=True):
        format_ = presentation.format_of(parameter)
        if format_ is not None:
            pairs.append((parameter.name, presentation.text(value, format_)))
    return tuple(pairs)


def _readings(readings: Iterable[Reading], presentation: Presentation) -> Values:
    """The variables of the source; elements of memory are shown where they are assigned."""
    pairs: dict[tuple[str, str], None] = {}
    for reading in readings:
        format_ = presentation.format_of(reading.variable)
        if format_ is not None and not reading.path:
            pairs[reading.variable.name, presentation.text(reading.value, format_)] = None
    return tuple(pairs)


def _tell(step: Step, kind: str, values: Values) -> TraceStep:
    span = step.statement.span if step.statement is not None else step.span
    text = statement_text(step.statement, span)
    if step.negated:
        text = f"!({text})"
    return TraceStep(kind, step.depth, step.procedure, location_of(span), text, values, step.thread)
