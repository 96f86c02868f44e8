"""Which globals to track so that a path that fails nowhere but in the abstraction is gone (CORRAL, section 3.1).

    tracked = hierarchical(tracked, others, is_correct)

`is_correct(T)` asks whether the path cannot fail while T is tracked; it holds for all globals together, and the more are
tracked the more it holds. Every refinement returns a minimal set: without any one of the globals that it adds, the path
fails. How the question is put, to a new formula each time or to one formula with constants, is the business of
`engines.path_check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable

Tracked = frozenset["Variable"]
IsCorrect = Callable[[Tracked], bool]


def storm(tracked: Tracked, others: Sequence[Variable], is_correct: IsCorrect) -> Tracked:
    """Leave out one global after the other: a question for each."""
    found = tracked.union(others)
    for variable in others:
        without = found - {variable}
        if is_correct(without):
            found = without
    return found


def hierarchical(tracked: Tracked, others: Sequence[Variable], is_correct: IsCorrect) -> Tracked:
    """Algorithms 1 and 2: halve what is undecided, and decide one half with the other one tracked.

    At most 2n - 1 questions for n globals, and about log n for each that is added. `others` are the undecided ones;
    those that need not be tracked are no longer there.
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
    """Minimize a set that suffices, such as the core of a refutation: mostly it is minimal already."""
    return storm(tracked, [variable for variable in core if variable not in tracked], is_correct)
