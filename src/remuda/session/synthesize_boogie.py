"""Assertions for Boogie programs: executions are those of the interpreter, and chance decides in them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import InputError
from remuda.base.source import Source
from remuda.frontends.boogie.load import load
from remuda.frontends.boogie.synthesize import BoogieText
from remuda.ir.program import Assert, Assume
from remuda.ir.threads import starts_threads
from remuda.replay.random_runs import RandomRuns
from remuda.session.pipeline import base_program, chosen_entries
from remuda.session.recordings import Recordings, Samples

if TYPE_CHECKING:
    from remuda.base.predicates import Point
    from remuda.ir.program import Procedure, Program
    from remuda.options import Options
    from remuda.replay.scopes import Environment
    from remuda.session.recordings import Chosen, OnStep

STEPS: Final = 4000  # of one run
MOST_ENTRIES: Final = 200  # that have a run of their own if there are more than runs


@final
class BoogieSynthesis:
    """One Boogie file."""

    def __init__(self, source: Source, options: Options) -> None:
        self._source = source
        self._options = options
        load([source])  # complains about what is wrong with the program before anything is written
        self._text = BoogieText(source)

    @property
    def points(self) -> Sequence[Point]:
        return self._text.points

    def write(self, chosen: Chosen) -> tuple[str, Chosen]:
        functions = {point.number: point.function for point in self.points}
        while chosen:
            text = self._text.with_assertions(chosen)
            try:
                load([Source(self._source.name, text)])
            except InputError as error:
                wrong = self._text.procedures_at(each.span.line for each in error.diagnostics)
                chosen = {number: each for number, each in chosen.items() if wrong and functions[number] not in wrong}
            else:
                return text, chosen
        return self._source.text, {}

    def record(self, runs: int, deadline: float | None, on_step: OnStep) -> Recordings:
        text, points = self._text.recording()
        try:
            program = load([Source(self._source.name, text)])
        except InputError as error:
            return Recordings(notes=(f"the program was not run: {error.diagnostics[0].message}",))
        if starts_threads(program):
            return Recordings(notes=("the program starts threads, and was not run",))
        entries = [name for name in chosen_entries(program, self._options) if name not in points]
        base = _without_failures(
            base_program(replace(program, entries=tuple(entries)), replace(self._options, entry=()))
        )
        samples = Samples(self.points)

        def watch(procedure: Procedure, environment: Environment, at_end: bool) -> None:  # noqa: FBT001
            if not at_end and procedure.name in points:
                values = [environment.locals[each] for each in procedure.inputs]
                samples.add(points[procedure.name], tuple(int(each) for each in values if isinstance(each, int)))

        executions = RandomRuns(base, {}, Random(self._options.seed), watch, ())
        if not executions.is_possible:
            return Recordings(notes=("the axioms of the program cannot be interpreted: it was not run",))
        entries = list(base.entries)
        total = max(runs, min(len(entries), MOST_ENTRIES)) if entries else 0
        for number in range(total):
            if deadline is not None and time.monotonic() > deadline:
                return Recordings(samples.all(), number, (f"there was time for {number} runs only",))
            on_step(f"run {number + 1} of {total}")
            executions.run(base.procedures[entries[number % len(entries)]], STEPS)
        return Recordings(samples.all(), total)


def _without_failures(program: Program) -> Program:
    """Executions that would fail an assertion end there, as if it were an assumption."""
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
