"""Traces of executions that are too long to be replayed: their beginning and their end, as the machine for C told them.

execution starts in main     nondet() = 1
...                          the first steps
... 4,812,033 steps ...      those that are left out
...                          the last steps
assert(i < 1000)             i = 1000
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.confirm.random_executions import SHOWN, written
from remuda.machine import story
from remuda.replay.narrate import location_of, statement_text
from remuda.results.report import GAP, TraceStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.confirm.random_executions import RandomExecution
    from remuda.ir.program import Check
    from remuda.machine.story import Event

AROUND: Final = -1  # the depth of what calls the entry


def long_trace(execution: RandomExecution, check: Check) -> tuple[TraceStep, ...]:
    """The steps of an execution that fails an assertion."""
    told_by = execution.story
    assert told_by is not None
    first, last, left_out = told_by.events, told_by.last_events(), told_by.left_out
    told = [step for event in first for step in _steps(event, execution)]
    if left_out:
        at = last[0] if last else first[-1]
        text = f"... {left_out:,} {'step' if left_out == 1 else 'steps'} ..."
        told.append(TraceStep(GAP, max(0, at.depth), at.function, location_of(at.span), text))
    told += [step for event in last for step in _steps(event, execution)]
    return (*told, _failure(check, last or first))


def _steps(event: Event, execution: RandomExecution) -> list[TraceStep]:
    """How a trace tells an event, if it does."""
    place, text = location_of(event.span), statement_text(None, event.span)
    if event.depth == AROUND and event.span.text == execution.entry:
        start = f"execution starts in {execution.entry}"
        return [TraceStep("start", 0, execution.entry, place, start, (*event.values, *_inputs(execution)))]
    match event.kind:
        case story.CALL:
            return [TraceStep("call", max(0, event.depth), event.function, place, text, event.values)]
        case story.ASSIGN if event.values:
            target = event.variable or event.place or text
            values = tuple([(f"{target}{part}", value) for part, value in event.values])
            return [TraceStep("assign", event.depth, event.function, place, text, values)]
        case story.TEST if event.is_branch:
            return [TraceStep("branch", event.depth, event.function, place, text, event.values)]
    return []


def _inputs(execution: RandomExecution) -> tuple[tuple[str, str], ...]:
    """The first inputs, by the names of what they come from."""
    return tuple(
        [
            (
                f"{question.name}()" if question.kind == "call" else question.name or question.kind,
                written(question, value),
            )
            for question, value in execution.inputs.told[:SHOWN]
        ]
    )


def _failure(check: Check, events: Sequence[Event]) -> TraceStep:
    last = events[-1]
    is_condition = last.kind == story.TEST and check.span.start <= last.span.start and last.span.end <= check.span.end
    values = last.values if is_condition and last.span.source.name == check.span.source.name else ()
    text = statement_text(None, check.span) or check.description
    return TraceStep("fail", max(0, last.depth), last.function, location_of(check.span), text, values)
