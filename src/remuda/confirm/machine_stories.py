"""Joins the steps of a replayed trace with the events of the machine for C on the same execution.

Both run the same execution, and their steps have positions in the source. The n-th step of the replay at a position
is the n-th event of the machine there, if both have the same number of them, with the same values. Otherwise, they
are not joined, and the trace shows the values of the replay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from remuda.ir.program import Call
from remuda.machine.story import ASSIGN, CALL, TEST
from remuda.replay.retell import POINTER, RECORD, Sight, Sights

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remuda.base.source import Span
    from remuda.ir.program import Presentation, Program
    from remuda.machine.story import Event
    from remuda.replay.interpreter import Replay
    from remuda.replay.steps import Step
    from remuda.terms.symbols import Variable
    from remuda.terms.values import Value

Key = tuple[str, str, int, int]

PRINTED: Final = 3  # the attributes of an assignment: its target, value and format
BLOCK: Final = re.compile(r"#\d+")
ROOT: Final = re.compile(r"^(?:\(char \*\))?&?([^.\[ ]*).*$", re.DOTALL)  # of the name of a part of an object
CONDITIONS: Final = frozenset({"assume", "assert"})


def sights_of(replay: Replay, events: Sequence[Event], program: Program, presentation: Presentation) -> Sights:
    """The values of the machine at the steps of a replay."""
    steps, last = replay.steps, len(replay.steps) - 1
    keys = [_key_of(step) for step in steps[:last]]
    by_key: dict[Key, list[Event]] = {}
    for event in events:
        by_key.setdefault(_key(event.kind, event.span), []).append(event)
    at_key: dict[Key, list[int]] = {}
    for position, key in enumerate(keys):
        if key is not None:
            at_key.setdefault(key, []).append(position)
    sights = Sights()
    for key, positions in at_key.items():
        found = by_key.get(key, [])
        pairs = list(zip(positions, found, strict=False))
        if len(found) == len(positions) and all(
            _agrees(steps[position], event, program, presentation) for position, event in pairs
        ):
            sights.steps.update((position, Sight(event.values, event.place)) for position, event in pairs)
    _note_failure(sights, steps, events, program, presentation)
    _learn_addresses(sights, steps, program, presentation)
    return sights


def _key(kind: str, span: Span) -> Key:
    return kind, span.source.name, span.start, span.end


def _is_within(inner: Span, outer: Span) -> bool:
    return inner.source.name == outer.source.name and outer.start <= inner.start and inner.end <= outer.end


def _key_of(step: Step) -> Key | None:
    """The kind and position of the machine's event for a step."""
    if step.statement is None:
        return None
    match step.kind:
        case "assign" if step.printed:
            return _key(ASSIGN, step.statement.span)
        case "call":
            return _key(CALL, step.statement.span)
        case "assume":
            return _key(TEST, step.statement.span)
        case _:
            return None


def _agrees(step: Step, event: Event, program: Program, presentation: Presentation) -> bool:
    """Whether the numbers of a step and an event are equal. Addresses differ between the interpreters."""
    told = dict(event.values)
    if len(step.printed) == PRINTED:
        _, value, format_ = step.printed
        is_number = format_ not in {POINTER, RECORD} and value is not None and not isinstance(value, str)
        return not is_number or told.get("") == presentation.text(value, str(format_))  # type: ignore[arg-type]
    return all(
        format_ == POINTER or told.get(name, text) == text
        for name, text, _, format_ in _variables(step, program, presentation)
    )


def _variables(step: Step, program: Program, presentation: Presentation) -> Iterator[tuple[str, str, object, str]]:
    """The parameters of a call, or what a condition reads: names, texts, values, and formats."""
    pairs: list[tuple[Variable, Value]] = []
    if step.kind == "call" and isinstance(step.statement, Call):
        pairs = list(zip(program.procedures[step.statement.procedure].inputs, step.arguments, strict=True))
    elif step.kind in CONDITIONS:
        pairs = [(reading.variable, reading.value) for reading in step.reads if not reading.path]
    for variable, value in pairs:
        format_ = presentation.format_of(variable)
        if format_ is not None:
            yield variable.name, presentation.text(value, format_), value, format_


def _note_failure(
    sights: Sights, steps: Sequence[Step], events: Sequence[Event], program: Program, presentation: Presentation
) -> None:
    """Find the event of the failing assertion: it is the last condition, or contains it, because `assert` is a
    macro."""
    last, step = len(steps) - 1, steps[-1]
    for event in reversed(events):
        if event.kind != TEST or step.statement is None or not _is_within(event.span, step.statement.span):
            return
        if event.values:
            if _agrees(step, event, program, presentation):
                sights.steps[last] = Sight(event.values)
            return


def _learn_addresses(sights: Sights, steps: Sequence[Step], program: Program, presentation: Presentation) -> None:
    """Find the machine's pointers for addresses of the replay."""
    doubtful: set[int] = set()

    def learn(address: object, text: str) -> None:
        if not isinstance(address, int) or not address:
            return
        known = sights.addresses.setdefault(address, text)
        if _root(known) != _root(text):
            doubtful.add(address)

    for position, sight in sights.steps.items():
        step = steps[position]
        if len(step.printed) == PRINTED and step.printed[2] == POINTER and len(sight.values) == 1:
            learn(step.printed[1], sight.values[0][1])
        told = dict(sight.values)
        for name, _, value, format_ in _variables(step, program, presentation):
            if format_ == POINTER and name in told:
                learn(value, told[name])
    for address in doubtful:
        del sights.addresses[address]


def _root(text: str) -> str:
    """The object of a pointer. A block keeps its number when its type becomes known."""
    number = BLOCK.search(text)
    return number.group() if number is not None else ROOT.sub(r"\1", text)
