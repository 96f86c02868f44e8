"""Ways to confirm a violation, besides replaying it: what each of them takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, final

if TYPE_CHECKING:
    from remuda.ir.program import Check, FailingProgram


@final
@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of trying to confirm a violation: `problem` says why it is none, `unconfirmed` why that cannot be told.
    If both are empty, the violation is confirmed."""

    problem: str = ""
    unconfirmed: str = ""


class Confirmer(Protocol):
    """Shows by itself, and not by what Remuda knows of the program, that an execution fails."""

    @property
    def name(self) -> str:
        """What reports call it, and the choice of `--confirm` that asks for it."""
        ...

    def confirm(self, check: Check, case: FailingProgram) -> Attempt: ...
