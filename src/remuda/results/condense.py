"""Shortens long counterexamples, so that they can be read quickly.

      42:3  call Initialize();      (120 steps inside)             a call that has returned is folded,
      43:3  call p := Allocate(4);  p = 17  (8 more calls of Allocate)
      44:3  call Prepare(p);        p = 17  (7 steps inside)       except for the steps that the failure depends on;
    * 12:5    lock := 1;            lock = 1
      52:3  call Dispatch(p);       p = 17                         the calls around the failure are shown in full
      61:5    assert lock == 0;     lock = 1  <- fails

This module computes nothing about the program: it only chooses which steps of a finished trace are shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from remuda.results.decisive import decisive_steps
from remuda.results.report import GAP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.results.report import TraceStep

SHORT: Final = 40  # traces up to this length are shown as they are
LIMIT: Final = 100  # the most lines that are still easy to read
PRINTING: Final = frozenset({"print", "record"})
ATTRIBUTE: Final = re.compile(r"""\{:(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}\s*""")
CALLEE: Final = re.compile(r"([\w.$#'`~^?@\\/]+)\s*\(")


@final
@dataclass(frozen=True, slots=True)
class Line:
    """A step that is shown, and the numbers of hidden steps after it: `inside` its call, `alike`, or just `skipped`.

    `level` is the number of finished calls around the step that are not decisive. A `cause` sets a value that the
    failure depends on; a `decisive` step is a cause, leads to one, or is one that the program prints.
    """

    step: TraceStep
    level: int = 0
    cause: bool = False
    decisive: bool = False
    inside: int = 0
    alike: int = 0
    skipped: int = 0

    @property
    def steps(self) -> int:
        """The number of steps that the line stands for."""
        return 1 + self.inside + self.alike + self.skipped


def condense(steps: Sequence[TraceStep], limit: int | None) -> list[Line]:
    """The lines to show: at most `limit`, all if it is None."""
    told = [step for step in steps if says_something(step)]
    if len(told) <= min(SHORT, limit or SHORT):
        return [Line(step) for step in told]
    lines = make_lines(told, limit or LIMIT)
    if limit is None:
        return lines
    lines = join_calls(drop_known_assumptions(lines))
    return lines if len(lines) <= limit else fold(lines, limit)


def says_something(step: TraceStep) -> bool:
    """Whether a step deserves a line: a return only does if it shows values."""
    return step.kind != "return" or bool(step.values)


def make_lines(steps: Sequence[TraceStep], limit: int) -> list[Line]:
    """A line for every step. Decisive steps get at most a third of the lines, and what the program prints a
    quarter."""
    found = decisive_steps(steps, limit // 3)
    one_thread = all(step.thread == steps[0].thread for step in steps)
    levels = levels_of(steps, found.causes[:1]) if one_thread else [0] * len(steps)  # each thread has its own depths
    printed = [position for position, step in enumerate(steps) if step.kind in PRINTING]
    shown = {*found.shown, *printed[-(limit // 4) :]} if limit >= 4 else found.shown
    return [
        Line(step, level, cause=position in found.causes, decisive=position in shown or step.kind == GAP)
        for position, (step, level) in enumerate(zip(steps, levels, strict=True))
    ]


def levels_of(steps: Sequence[TraceStep], centres: Sequence[int] = ()) -> list[int]:
    """For every step, the number of calls around it that are not on the stack of the last step, nor of a centre.

    Depths suffice to compute that: two steps are inside the same call if no step between them is as shallow as it.
    """
    floors = [0] * len(steps)
    for centre in (*centres, len(steps) - 1):
        for direction in (range(centre, -1, -1), range(centre, len(steps))):
            lowest = steps[centre].depth
            for position in direction:
                lowest = min(lowest, steps[position].depth)
                floors[position] = max(floors[position], lowest)
    return [step.depth - floor for step, floor in zip(steps, floors, strict=True)]


def drop_known_assumptions(lines: Sequence[Line]) -> list[Line]:
    """The lines without the assumptions whose values were all shown just before."""
    shown: dict[tuple[int, int, str], str] = {}
    kept: list[Line] = []
    for line in lines:
        step = line.step
        values = {(step.thread, step.depth, name): value for name, value in step.values}
        if step.kind == "assume" and all(shown.get(key) == value for key, value in values.items()):
            continue
        shown.update(values)
        kept.append(line)
    return kept


def join_calls(lines: Sequence[Line]) -> list[Line]:
    """The lines with one line for several calls of one procedure in a row, if no steps inside them are shown."""
    joined: list[Line] = []
    for line in lines:
        if joined and callee(line.step) and _is_alike(joined[-1], line):
            joined[-1] = replace(joined[-1], alike=joined[-1].alike + 1)
        else:
            joined.append(line)
    return joined


def _is_alike(first: Line, second: Line) -> bool:
    if first.decisive or second.decisive:
        return False
    return _place(first.step) == _place(second.step) and callee(first.step) == callee(second.step)


def _place(step: TraceStep) -> tuple[int, int, str]:
    return step.thread, step.depth, step.procedure


def callee(step: TraceStep) -> str:
    """The name of the called procedure, from the text of a step; empty for other steps."""
    if step.kind != "call":
        return ""
    found = CALLEE.search(ATTRIBUTE.sub("", step.text).rpartition(":=")[2])
    return found.group(1) if found else ""


def fold(lines: Sequence[Line], limit: int) -> list[Line]:
    """Leave out calls that have returned before the failure, the innermost first, until the rest fits.

    If that does not suffice, leave out the middle. Decisive steps stay.
    """
    allowed = max(line.level for line in lines)
    while allowed > 0 and sum(line.decisive or line.level <= allowed for line in lines) > limit:
        allowed -= 1
    kept = [position for position, line in enumerate(lines) if line.decisive or line.level <= allowed]
    kept_set = frozenset(elide(lines, kept, limit))
    folded: list[Line] = []
    for position, line in enumerate(lines):
        if position in kept_set or not folded:
            folded.append(line)
        elif line.step.depth > folded[-1].step.depth:
            folded[-1] = replace(folded[-1], inside=folded[-1].inside + line.steps)
        else:
            folded[-1] = replace(folded[-1], skipped=folded[-1].skipped + line.steps)
    return folded


def elide(lines: Sequence[Line], kept: list[int], limit: int) -> list[int]:
    """The positions to keep. If there are too many, ordinary lines after the first quarter of the limit are dropped,
    because the end matters most."""
    ordinary = [position for position in kept if not lines[position].decisive]
    first = limit // 4
    left_out = frozenset(ordinary[first : first + max(0, len(kept) - limit)])
    return [position for position in kept if position not in left_out]
