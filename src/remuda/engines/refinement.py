"""Selects the globals to track so that a spurious path is excluded (CORRAL, section 3.1).

    tracked = hierarchical(tracked, others, is_correct)

`is_correct(T)` asks whether the path cannot fail while T is tracked. It is monotone, and holds for the set of all
globals. Every refinement returns a minimal set: without any one of the globals that it adds, the path fails.
`engines.path_check` decides how to ask: with a new formula each time, or with one formula and assumptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable

Tracked = frozenset["Variable"]
IsCorrect = Callable[[Tracked], bool]


def storm(tracked: Tracked, others: Sequence[Variable], is_correct: IsCorrect) -> Tracked:
    """Leave out one global after the other, with one query for each."""
    found = tracked.union(others)
    for variable in others:
        without = found - {variable}
        if is_correct(without):
            found = without
    return found


def hierarchical(tracked: Tracked, others: Sequence[Variable], is_correct: IsCorrect) -> Tracked:
    """Algorithms 1 and 2: halve the undecided globals, and decide one half while the other one is tracked.

    It takes at most 2n - 1 queries for n globals, and about log n for each one that is added. `others` are the
    undecided globals, without those that need not be tracked.
    """
    if not others or is_correct(tracked):
        return tracked
    if len(others) == 1:
        return tracked.union(others)
    middle = len(others) // 2
    first, second = others[:middle], others[middle:]
    with_first = hierarchical(tracked.union(second), first, is_correct)
    needed = with_first.intersection(first)
    return hierarchical(tracked | needed, second, is_correct)


def within(core: Iterable[Variable], tracked: Tracked, is_correct: IsCorrect) -> Tracked:
    """Minimize a sufficient set, such as an unsatisfiable core, which is usually minimal already."""
    return storm(tracked, [variable for variable in core if variable not in tracked], is_correct)
