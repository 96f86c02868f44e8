"""The result of a transform: the new program, the function that lifts traces, and what may still be claimed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, final

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.ir.trace import Trace


@final
@dataclass(frozen=True, slots=True)
class Trust:
    """What may be claimed after a pass: `proofs` for every execution, and `bugs` without a replay."""

    proofs: bool = True
    bugs: bool = True

    def __and__(self, other: Trust) -> Trust:
        return Trust(self.proofs and other.proofs, self.bugs and other.bugs)


@final
@dataclass(frozen=True, slots=True)
class PassResult:
    """A transformed program. `lift` turns a trace of it into a trace of the program before the pass."""

    program: Program
    lift: Callable[[Trace], Trace]
    trust: Trust = Trust()


class Pass(Protocol):
    """A transform whose only input is the program."""

    name: ClassVar[str]

    def apply(self, program: Program) -> PassResult: ...


@final
@dataclass(frozen=True, slots=True)
class Claims:
    """What may be claimed after several passes: the fields name the passes that forbid proofs or bugs."""

    no_proofs: tuple[str, ...] = ()  # they may leave executions out
    no_bugs: tuple[str, ...] = ()  # they may add executions

    def after(self, name: str, trust: Trust) -> Claims:
        """What may be claimed after one more pass."""
        return Claims(
            self.no_proofs if trust.proofs else tuple(dict.fromkeys((*self.no_proofs, name))),
            self.no_bugs if trust.bugs else tuple(dict.fromkeys((*self.no_bugs, name))),
        )


EVERYTHING: Final = Claims()


@final
class Passes:
    """Applies passes one after another. It lifts traces through all of them, and says what may be claimed."""

    def __init__(self, claims: Claims = EVERYTHING, hook: Callable[[Program], None] | None = None) -> None:
        self.claims = claims
        self._hook = hook
        self._lifts: list[Callable[[Trace], Trace]] = []

    def apply(self, step: Pass, program: Program) -> Program:
        return self.take(step.name, step.apply(program))

    def take(self, name: str, result: PassResult) -> Program:
        """Record the result of a pass, and return its program."""
        if self._hook is not None:
            self._hook(result.program)
        self._lifts.append(result.lift)
        self.claims = self.claims.after(name, result.trust)
        return result.program

    def lift(self, trace: Trace) -> Trace:
        for lift in reversed(self._lifts):
            trace = lift(trace)
        return trace


def unchanged(trace: Trace) -> Trace:
    """The lift of a pass that only adds statements that no trace event belongs to."""
    return trace
