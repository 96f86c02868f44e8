"""Replays executions that a search has found on the original program: only then they count."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, final

from remuda.engines.outcome import Confirmation
from remuda.results.unsupported import UNSUPPORTED
from remuda.transforms.judge_alone import cut_traces

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.confirm.confirmers import Confirmer
    from remuda.confirm.machine_replays import MachineReplays
    from remuda.ir.program import Check, Presentation, Program
    from remuda.ir.trace import Trace
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.replay.interpreter import Replay
    from remuda.results.report import Statistics, TraceStep

REPLAYED: Final = "replayed"


@final
class Replays:
    """The replays of a program. `failing` are executions that fail an assertion, if executions continue after
    failures. `not_shown` are assertions that an execution fails, but not on the machine for C."""

    def __init__(
        self, sources: Sequence[Source], options: Options, statistics: Statistics, deadline: float | None = None
    ) -> None:
        self._sources = sources
        self._options = options
        self._statistics = statistics
        self._confirmers = _confirmers(sources, options, deadline)
        self._machine: MachineReplays | None = None
        self._told: dict[TraceStep, TraceStep] = {}
        self.failing: dict[Check, Trace] = {}
        self.not_shown: dict[Check, None] = {}

    def confirm(self, prepared: Prepared, trace: Trace) -> Confirmation:
        lifted = prepared.lift(trace)
        confirmation = self.replayed(prepared, lifted)
        if not confirmation.problem and self._options.on_failure == "continue":
            self.failing[lifted.check] = lifted
        return confirmation

    def replayed(self, prepared: Prepared, lifted: Trace) -> Confirmation:
        """Replay a trace of the base program. The result says whether the execution fails, and has its steps."""
        from remuda.replay.interpreter import replay
        from remuda.replay.narrate import narrate

        began = time.perf_counter()
        result = replay(prepared.base, lifted)
        self._statistics.replay_seconds += time.perf_counter() - began
        if not result.ok:
            return Confirmation(result.why)
        assumed = tuple(f"{description} ({span})" for description, span in result.unevaluated)
        presentation = prepared.base.presentation
        if presentation is None:
            steps = self._shared(narrate(result, prepared.base, lifted.interpretation.constants))
            return Confirmation("", steps, assumed, (REPLAYED,))
        told = self._on_machine(result, prepared.base, assumed, presentation)
        if told.problem:
            return told
        if not self._options.test_case and not self._confirmers:
            return told
        return self._reproduced(lifted.check, result, told, presentation)

    def _on_machine(
        self, result: Replay, program: Program, assumed: tuple[str, ...], presentation: Presentation
    ) -> Confirmation:
        """Run the execution once more on the machine for C, which shares only the parser with the front end. If the
        failure only occurs with values that models have guessed, it must not depend on them."""
        from remuda.confirm.machine_replays import MACHINE, MachineReplays
        from remuda.confirm.machine_stories import sights_of
        from remuda.replay.dependence import guess_behind
        from remuda.replay.retell import retell

        if result.check.kind == UNSUPPORTED:
            return Confirmation("", self._shared(retell(result, program, presentation)), assumed, (REPLAYED,))
        if self._machine is None:
            self._machine = MachineReplays(presentation, self._options)
        began = time.perf_counter()
        seen = self._machine.replay(result, result.check, program.thread_locals)
        self._statistics.replay_seconds += time.perf_counter() - began
        if seen.problem or seen.unconfirmed or seen.guesses:
            guess = guess_behind(result, program, presentation.guesses(result.check.kind))
            if guess:
                return Confirmation(f"it depends on {guess}, which Remuda does not compute", is_not_shown=True)
        if seen.problem:
            self.not_shown[result.check] = None
            return Confirmation(seen.problem, is_not_shown=True)
        sights = sights_of(result, seen.events, program, presentation) if seen.events else None
        steps = self._shared(retell(result, program, presentation, sights))
        told = Confirmation("", steps, assumed, (REPLAYED,))
        if seen.unconfirmed:
            return replace(told, unconfirmed=(f"{MACHINE}: {seen.unconfirmed}",), left_open=seen.left_open)
        return replace(told, confirmed=(*told.confirmed, MACHINE), left_open=seen.left_open)

    def _reproduced(
        self, check: Check, result: Replay, told: Confirmation, presentation: Presentation
    ) -> Confirmation:
        """The same, as a program of its own, with the results of the other confirmers."""
        from remuda.replay.retell import execution_of

        case = presentation.reproduce(check, execution_of(result), self._sources)
        confirmed, unconfirmed = [*told.confirmed], [*told.unconfirmed]
        for confirmer in self._confirmers if check.kind != UNSUPPORTED else ():
            attempt = confirmer.confirm(check, case)
            if attempt.problem:
                return Confirmation(attempt.problem)
            if attempt.unconfirmed:
                unconfirmed.append(f"{confirmer.name}: {attempt.unconfirmed}")
            else:
                confirmed.append(confirmer.name)
        reproduction = case.text if self._options.test_case else ""
        return replace(told, confirmed=tuple(confirmed), unconfirmed=tuple(unconfirmed), reproduction=reproduction)

    def _shared(self, steps: Iterable[TraceStep]) -> tuple[TraceStep, ...]:
        """Share equal steps: long counterexamples have most of their steps in common."""
        return tuple([self._told.setdefault(step, step) for step in steps])

    def fails_on_the_way(self, prepared: Prepared, trace: Trace, check: Check) -> Confirmation | None:
        """The replay of an execution up to the point where it fails another assertion."""
        for cut in cut_traces(prepared.base, trace, check):
            confirmation = self.replayed(prepared, cut)
            if not confirmation.problem:
                return confirmation
        return None


def _confirmers(sources: Sequence[Source], options: Options, deadline: float | None) -> list[Confirmer]:
    """The confirmers that `--confirm` selects."""
    found: list[Confirmer] = []
    if "compiled" in options.confirm:
        from remuda.confirm.compiled import Compiled

        found.append(Compiled(sources, options, deadline))
    return found
