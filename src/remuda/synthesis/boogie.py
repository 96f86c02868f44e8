"""Synthesizes assertions for Boogie programs, from executions in the interpreter with random choices."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import InputError, Unsupported
from remuda.base.reasons import Cause
from remuda.base.source import Source
from remuda.frontends.boogie.load import load
from remuda.frontends.boogie.synthesize import BoogieText
from remuda.ir.program import Assert, Assume
from remuda.ir.threads import starts_threads
from remuda.jobs.worker import run_limited
from remuda.prepare.pipeline import base_program, chosen_entries
from remuda.replay.random_runs import RandomRuns
from remuda.synthesis.recordings import Recordings, Samples

if TYPE_CHECKING:
    from remuda.base.predicates import Point
    from remuda.base.source import Span
    from remuda.ir.program import Procedure, Program
    from remuda.options import Options
    from remuda.replay.scopes import Environment
    from remuda.synthesis.recordings import Chosen, OnStep

STEPS: Final = 4000  # the most steps of one run
SECONDS: Final = 20.0  # for all runs
MOST_ENTRIES: Final = 200  # the most entries that get one run each, if there are more entries than runs


@final
class BoogieSynthesis:
    """The synthesis of assertions for one Boogie file."""

    def __init__(self, source: Source, options: Options) -> None:
        self._source = source
        self._options = options
        load([source])  # raises the program's errors before anything is written
        self._text = BoogieText(source)

    @property
    def points(self) -> Sequence[Point]:
        return self._text.points

    def write(self, chosen: Chosen, *, independent: bool) -> tuple[str, Chosen]:
        functions = {point.number: point.function for point in self.points}
        while chosen:
            text = self._text.with_assertions(chosen, independent=independent)
            try:
                load([Source(self._source.name, text)])
            except (InputError, Unsupported) as error:
                wrong = self._text.procedures_at(span.line for span in _spans(error))
                chosen = {number: each for number, each in chosen.items() if wrong and functions[number] not in wrong}
            else:
                return text, chosen
        return self._source.text, {}

    def record(self, runs: int, deadline: float | None, on_step: OnStep) -> Recordings:
        text, points = self._text.recording()
        try:
            program = load([Source(self._source.name, text)])
        except (InputError, Unsupported) as error:
            what = error.construct if isinstance(error, Unsupported) else error.diagnostics[0].message
            return Recordings(notes=(f"the program was not run, because it cannot record: {what}",))
        if starts_threads(program):
            return Recordings(notes=("the program starts threads, and was not run",))
        without_points = {name: each for name, each in program.procedures.items() if name not in points}
        entries = chosen_entries(replace(program, procedures=without_points), self._options)
        program = replace(program, entries=entries)
        base = _without_failures(base_program(program, replace(self._options, entry=())))
        total = max(runs, min(len(base.entries), MOST_ENTRIES)) if base.entries else 0
        samples = Samples(self.points)
        done = 0

        def receive(message: object) -> None:
            nonlocal done
            assert isinstance(message, list)
            for number, values in message:
                samples.add(number, values)
            done += 1
            on_step(f"run {done} of {total}")

        seconds = SECONDS if deadline is None else min(SECONDS, max(0.1, deadline - time.monotonic()))
        outcome = run_limited(
            _interpret, (base, points, self._options.seed, total), seconds=seconds, on_message=receive
        )
        if outcome.ended_by(Cause.INTERRUPTED):
            raise KeyboardInterrupt
        notes = []
        if outcome.stopped is not None:
            notes.append(f"there were {done} runs only ({outcome.stopped})")
        elif outcome.result is False:
            notes.append("the axioms of the program cannot be interpreted: it was not run")
        return Recordings(samples.all(), done, tuple(notes))


def _interpret(
    send: Callable[[object], None], program: Program, points: Mapping[str, int], seed: int, total: int
) -> bool:
    """Run the program this many times, and send the recordings of each run. Whether it can be run at all."""
    recorded: list[tuple[int, tuple[int, ...]]] = []

    def watch(procedure: Procedure, environment: Environment, at_end: bool) -> None:  # noqa: FBT001
        if not at_end and procedure.name in points:
            values = [environment.locals[each] for each in procedure.inputs]
            recorded.append((points[procedure.name], tuple(int(each) for each in values if isinstance(each, int))))

    executions = RandomRuns(program, {}, Random(seed), watch, ())
    if not executions.is_possible:
        return False
    for number in range(total):
        executions.run(program.procedures[program.entries[number % len(program.entries)]], STEPS)
        send(recorded)
        recorded = []
    return True


def _spans(error: InputError | Unsupported) -> list[Span]:
    """The places in an error."""
    if isinstance(error, InputError):
        return [each.span for each in error.diagnostics]
    return [] if error.span is None else [error.span]


def _without_failures(program: Program) -> Program:
    """The program with assumptions in place of assertions, so that executions end at a failure."""
    procedures = {}
    for name, procedure in program.procedures.items():
        blocks = procedure.blocks
        if blocks is not None:
            blocks = tuple(
                replace(
                    block,
                    statements=tuple(
                        Assume(each.condition, each.span) if isinstance(each, Assert) else each
                        for each in block.statements
                    ),
                )
                for block in blocks
            )
        procedures[name] = replace(procedure, blocks=blocks)
    return replace(program, procedures=procedures)
