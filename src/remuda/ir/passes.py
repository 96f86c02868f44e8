"""What every transform returns: the new program, how traces travel back, and what may still be claimed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.ir.trace import Trace


@final
@dataclass(frozen=True, slots=True)
class Trust:
    """What may be claimed after a step: `proofs` for every execution, `bugs` without a replay."""

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


def unchanged(trace: Trace) -> Trace:
    """The lift of a pass that only adds statements that no trace event belongs to."""
    return trace
