"""Long counterexamples, made short enough to read at a glance.

    42:3  call Initialize();                          an inner call that has returned is folded
                                  (120 steps inside)
    43:3  call p := Allocate(4);  p = 17
                                  (8 more calls like this)
    52:3  call Dispatch(p);       p = 17              the calls that the failure is inside of are told in full
    61:5    assert lock == 0;     lock = 1  <- fails

Nothing here computes anything about the program: it chooses which steps of a finished trace are shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.results.report import TraceStep

SHORT: Final = 40  # traces up to this length are shown as they are
ATTRIBUTE: Final = re.compile(r"""\{:(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}\s*""")
CALLEE: Final = re.compile(r"([\w.$#'`~^?@\\/]+)\s*\(")


@final
@dataclass(frozen=True, slots=True)
class Line:
    """A step that is shown, and how many that follow it are not: `inside` it, `alike`, or just `skipped`."""

    step: TraceStep
    inside: int = 0
    alike: int = 0
    skipped: int = 0

    @property
    def steps(self) -> int:
        """How many steps the line stands for."""
        return 1 + self.inside + self.alike + self.skipped


def condense(steps: Sequence[TraceStep], limit: int | None) -> list[Line]:
    """The lines to show: at most `limit`, all if it is None."""
    told = [step for step in steps if says_something(step)]
    if limit is None or len(told) <= min(SHORT, limit):
        return [Line(step) for step in told]
    lines = join_calls([Line(step) for step in drop_known_assumptions(told)])
    if len(lines) > limit:
        lines = fold_calls(lines, limit)
    return elide(lines, limit)


def says_something(step: TraceStep) -> bool:
    """Returns are worth a line only for what they bring back."""
    return step.kind != "return" or bool(step.values)


def drop_known_assumptions(steps: Sequence[TraceStep]) -> list[TraceStep]:
    """Without the assumptions that show no value that the reader has not just seen."""
    shown: dict[tuple[int, str], str] = {}
    kept: list[TraceStep] = []
    for step in steps:
        values = {(step.depth, name): value for name, value in step.values}
        if step.kind == "assume" and all(shown.get(key) == value for key, value in values.items()):
            continue
        shown.update(values)
        kept.append(step)
    return kept


def join_calls(lines: Sequence[Line]) -> list[Line]:
    """One line for a row of calls of one procedure, if nothing is told about what happens inside them."""
    joined: list[Line] = []
    for line in lines:
        if joined and callee(line.step) and _is_alike(joined[-1].step, line.step):
            joined[-1] = replace(joined[-1], alike=joined[-1].alike + 1)
        else:
            joined.append(line)
    return joined


def _is_alike(first: TraceStep, second: TraceStep) -> bool:
    same_place = (first.depth, first.procedure) == (second.depth, second.procedure)
    return same_place and callee(first) == callee(second)


def callee(step: TraceStep) -> str:
    """Who is called, as far as the text says; empty for other steps."""
    if step.kind != "call":
        return ""
    found = CALLEE.search(ATTRIBUTE.sub("", step.text).rpartition(":=")[2])
    return found.group(1) if found else ""


def fold_calls(lines: Sequence[Line], limit: int) -> list[Line]:
    """Fold calls that have returned before the failure, the innermost first, until the rest fits."""
    levels = levels_of([line.step for line in lines])
    allowed = max(levels)
    while allowed > 0 and sum(level <= allowed for level in levels) > limit:
        allowed -= 1
    folded: list[Line] = []
    for line, level in zip(lines, levels, strict=True):
        if level <= allowed:
            folded.append(line)
        else:
            folded[-1] = replace(folded[-1], inside=folded[-1].inside + line.steps)
    return folded


def levels_of(steps: Sequence[TraceStep]) -> list[int]:
    """For every step, how many calls it is inside of that have returned before the last step.

    A call is on the last step's stack if nothing after it is as shallow as it is; depths tell all.
    """
    lowest = steps[-1].depth
    shallowest_from: list[int] = []
    for step in reversed(steps):
        lowest = min(lowest, step.depth)
        shallowest_from.append(lowest)
    shallowest_from.reverse()
    return [step.depth - floor for step, floor in zip(steps, shallowest_from, strict=True)]


def elide(lines: list[Line], limit: int) -> list[Line]:
    """The first quarter and the last three, if there are too many: how it ends is what matters most."""
    if len(lines) <= limit:
        return lines
    first = max(1, limit // 4)
    middle = lines[first : len(lines) - (limit - first)]
    turn = replace(lines[first - 1], skipped=sum(line.steps for line in middle))
    return [*lines[: first - 1], turn, *lines[first + len(middle) :]]
