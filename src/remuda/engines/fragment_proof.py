"""Proves assertions of one procedure for every state in which it starts, or shows that it cannot reach them.

    all calls open: they may change variables to any value
        unsatisfiable: proved
        satisfiable:   inline the calls on the path, and ask again; without calls, the assertion may fail here

Loops are procedures here. An open one stands for any number of iterations; inlining it adds one iteration, then two,
then four. The results are proofs only: a failing path may start in a state that the program never reaches.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base import clock
from remuda.engines.failing_paths import failing_checks, reached_checks
from remuda.smt.solver import Sat, Unsat

if TYPE_CHECKING:
    from remuda.engines.inlining import Inlining, Instance, OpenCall
    from remuda.ir.program import Check
    from remuda.smt.solver import Model
    from remuda.transforms.error_bit import ErrorBitResult

MOST_AT_ONCE: Final = 32  # iterations that are inlined between two queries


@final
@dataclass(frozen=True, slots=True)
class FragmentLimits:
    """The limits of a proof: how often a procedure and a loop may be on the stack, the number of queries, and the
    deadline."""

    calls: int
    iterations: int
    questions: int
    deadline: float

    @property
    def seconds(self) -> float:
        return self.deadline - clock.now()


@final
class FragmentProof:
    """A proof attempt for one procedure, the head, in its own solver. With `reaching`, assertions fail as soon as
    they are reached."""

    def __init__(
        self, inlining: Inlining, code: ErrorBitResult, head: str, effort: FragmentLimits, *, reaching: bool = False
    ):
        self._inlining = inlining
        self._solver = inlining.solver
        self._code = code
        self._head = head
        self._effort = effort
        self._reaching = reaching
        self._suspects: dict[Check, None] = {}
        self._batch = 1

    def proved(self, checks: Iterable[Check]) -> list[Check]:
        """The assertions that cannot fail, of these assertions in or below the head."""
        self._suspects = dict.fromkeys(checks)
        solver, terms = self._solver, self._code.program.terms
        for check in self._code.targets:
            if check not in self._suspects:
                self._switch_off(check)
        entry = self._inlining.start(self._head)
        vc = entry.compiled.vc
        failed = vc.finals[vc.interface.outputs.index(self._code.failed[self._head])]
        solver.add(self._inlining.native(entry, failed))
        reach = solver.translate(terms.var(self._code.reach))
        solver.add(reach if self._reaching else solver.not_(reach))
        for _ in range(self._effort.questions):
            if not self._suspects or self._effort.seconds <= 0:
                break
            began = time.perf_counter()
            answer = solver.check((), self._effort.seconds)
            self._inlining.statistics.solver_calls += 1
            self._inlining.statistics.solver_seconds += time.perf_counter() - began
            if isinstance(answer, Unsat):
                return list(self._suspects)
            model = answer.model if isinstance(answer, Sat) else answer.candidate
            if model is None or not self._learn(entry, model):
                break
        return []

    def _learn(self, entry: Instance, model: Model) -> bool:
        """Inline the calls of a failing path, or drop the assertion that it fails. Whether one of both was
        possible."""
        path = [call for call in self._inlining.open_calls_on_path(entry, model) if self._may_open(call)]
        if path:
            self._open(path)
            return True
        seen = reached_checks if self._reaching else failing_checks
        failing = [check for check in seen(self._inlining, self._code, entry, model) if check in self._suspects]
        for check in failing:
            del self._suspects[check]
            self._switch_off(check)
        return bool(failing)

    def _open(self, calls: list[OpenCall]) -> None:
        """Inline calls; of loops, more iterations each time."""
        for call in calls:
            at = call
            for _ in range(self._batch):
                if at not in self._inlining.open_calls or not self._may_open(at):
                    break
                instance = self._inlining.inline(at)
                again = [
                    each for each in instance.calls if each.callee == at.callee and each in self._inlining.open_calls
                ]
                if not self._is_loop(at) or len(again) != 1:
                    break
                at = again[0]
        if any(self._is_loop(call) for call in calls):
            self._batch = min(2 * self._batch, MOST_AT_ONCE)

    def _is_loop(self, call: OpenCall) -> bool:
        return self._inlining.program.procedures[call.callee].loop_of is not None

    def _may_open(self, call: OpenCall) -> bool:
        return call.stack.cost <= (self._effort.iterations if self._is_loop(call) else self._effort.calls)

    def _switch_off(self, check: Check) -> None:
        target = self._code.program.terms.var(self._code.targets[check])
        self._solver.add(self._solver.not_(self._solver.translate(target)))
