"""The protocol of confirmers: ways to confirm a violation besides replaying it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, final

if TYPE_CHECKING:
    from remuda.ir.program import Check, FailingProgram


@final
@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of an attempt to confirm a violation: `problem` says why it is refuted, `unconfirmed` why it is
    neither confirmed nor refuted. If both are empty, the violation is confirmed."""

    problem: str = ""
    unconfirmed: str = ""


class Confirmer(Protocol):
    """Shows that an execution fails, independently of Remuda's model of the program."""

    @property
    def name(self) -> str:
        """Its name in reports, and its choice of `--confirm`."""
        ...

    def confirm(self, check: Check, case: FailingProgram) -> Attempt: ...
