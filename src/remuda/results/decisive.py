"""Finds the steps of a counterexample that decided that it fails.

A failure is often far from its cause: for example, a flag is set deep inside a call that has returned long before.

    call Dispatch(p);
      call CheckRule(p);
        branch on state == 2      decided that the flag is set; the step that set `state` is decisive too
        error := 1;               set a value that the failure used
    branch on error == 1          decided that the assertion is reached
    assert false;                 the failure

Starting at the failure, the values that it and the branches before it used are traced back to the steps that set
them; then the values that decided those steps, and so on. Only the texts and values of the steps are used: this
chooses what a reader sees first, and claims nothing about the program.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.results.report import GAP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remuda.results.report import TraceStep

SETTING: Final = frozenset({"assign", "havoc", "call", "return"})
DECIDING: Final = frozenset({"branch", "assume"})


@final
@dataclass(slots=True)
class Decisive:
    """Positions of steps: `causes` set a decisive value, `shown` has the calls and branches around them too.

    The first cause is the one nearest to the failure.
    """

    causes: list[int] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)


def decisive_steps(steps: Sequence[TraceStep], limit: int) -> Decisive:
    """The causes of the last step, the nearest first, as many as fit into `limit` steps."""
    return _Search(steps).run(limit)


@final
class _Search:
    def __init__(self, steps: Sequence[TraceStep]) -> None:
        self._steps = steps
        gaps = [position for position, step in enumerate(steps) if step.kind == GAP]
        self._begin = gaps[-1] + 1 if gaps else 0  # nobody knows what the steps that are left out change
        self._globals = {name for name, _ in steps[0].values} if steps and steps[0].kind == "start" else set()
        self._places = {step.place for step in steps if step.place}
        self._mentions: dict[str, list[tuple[int, str]]] = {}
        for position, step in enumerate(steps[self._begin :], self._begin):
            if step.kind in SETTING or step.kind == "start":
                for name, value in step.values:
                    self._mentions.setdefault(name, []).append((position, value))
                if step.place and len(step.values) == 1:
                    self._mentions.setdefault(step.place, []).append((position, step.values[0][1]))

    def run(self, limit: int) -> Decisive:
        found = Decisive()
        if not self._steps:
            return found
        waiting = deque([len(self._steps) - 1])
        while waiting:
            for reason, cause in self._causes(waiting.popleft()):
                if cause in found.causes:
                    continue
                around = {reason, cause, *self._calls_around(cause)}
                if len(found.shown | around) > limit:
                    return found
                found.causes.append(cause)
                found.shown |= around
                waiting.append(cause)
        return found

    def _causes(self, position: int) -> list[tuple[int, int]]:
        """The steps that decided that a step happens, each with the step that set its value: in the same procedure,
        or else in the caller, and so on."""
        step = self._steps[position]
        found = self._origins(position) if step.kind == "fail" else []
        at: int | None = position
        while not found and at is not None:
            found = [cause for guard in self._guards(at, self._steps[at].depth) for cause in self._origins(guard)]
            at = self._call_of(at)
        return found

    def _guards(self, end: int, depth: int) -> Iterator[int]:
        """The branches and assumptions of the activation at `depth` just before a step, the last first."""
        for position in self._backwards(end, depth):
            step = self._steps[position]
            if step.depth == depth and step.kind in DECIDING:
                yield position

    def _backwards(self, end: int, depth: int) -> Iterator[int]:
        """The steps of an activation and of all calls inside it, backwards from `end`."""
        for position in self._of_thread(end):
            if self._steps[position].depth < depth:
                return
            yield position

    def _of_thread(self, end: int) -> Iterator[int]:
        """The earlier steps of the same thread, the last first. Depths count the calls of one thread."""
        thread = self._steps[end].thread
        return (
            position for position in range(end - 1, self._begin - 1, -1) if self._steps[position].thread == thread
        )

    def _call_of(self, position: int) -> int | None:
        """The call of the activation that contains a step."""
        depth = self._steps[position].depth
        return next((before for before in self._of_thread(position) if self._steps[before].depth < depth), None)

    def _calls_around(self, position: int) -> Iterator[int]:
        at: int | None = position
        while at is not None:
            at = self._call_of(at)
            if at is not None:
                yield at

    def _origins(self, reader: int) -> list[tuple[int, int]]:
        """The steps that set the values that a step read, each with the step that read it."""
        found = self._origins_of_globals(reader)
        for name, _ in self._steps[reader].values:
            if not self._is_global(name):
                found += self._origins_of_local(name, reader)
        return found

    def _is_global(self, name: str) -> bool:
        """Whether a name seems to be global: the first step shows the globals, except maps, whose elements are shown
        later. Parts of objects count as global."""
        return name in self._globals or name in self._places or name.endswith("]")

    def _origins_of_globals(self, reader: int) -> list[tuple[int, int]]:
        values = [(name, value) for name, value in self._steps[reader].values if self._is_global(name)]
        origins = (self._set_by(name, value, reader) for name, value in values)
        return [(reader, origin) for origin in origins if origin is not None]

    def _set_by(self, name: str, value: str, reader: int) -> int | None:
        """The step where a global got its value; None if it is the first value."""
        origin = None
        for position, mentioned in reversed(self._mentions.get(name, [])):
            if position >= reader:
                continue
            if mentioned != value:
                break
            if self._steps[position].kind == "start":
                return None
            origin = position
        return origin

    def _origins_of_local(self, name: str, reader: int) -> list[tuple[int, int]]:
        """The causes of a local's value inside the call that returned it; none for other locals, whose assignments
        are shown nearby."""
        depth = self._steps[reader].depth
        for position in self._backwards(reader, depth):
            step = self._steps[position]
            if step.depth == depth and step.kind in SETTING and name in dict(step.values):
                inside = self._guards(position, depth + 1) if step.kind == "return" else ()
                return [origin for guard in inside for origin in self._origins_of_globals(guard)]
        return []
