"""The definitions that a solver still needs, as levels are pushed and popped.

Translation makes axioms for recursive functions at any time, but a `pop` removes those that were asserted since its
`push`, while the terms that need them stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.base.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.smt.solver import Native


@final
class Levels:
    """The levels of one solver. `axioms` is the translation's list, which grows."""

    __slots__ = ("_asserted", "_axioms", "_before")

    def __init__(self, axioms: Sequence[Native]) -> None:
        self._axioms = axioms
        self._asserted = 0
        self._before: list[int] = []  # how many axioms were asserted when each level began

    def push(self) -> None:
        self._before.append(self._asserted)

    def pop(self) -> None:
        if not self._before:
            message = "pop without push"
            raise InternalError(message)
        self._asserted = self._before.pop()

    def missing_axioms(self) -> Sequence[Native]:
        """The axioms to assert now; they count as asserted from here on."""
        missing = self._axioms[self._asserted :]
        self._asserted = len(self._axioms)
        return missing
