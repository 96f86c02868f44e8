"""Synthesizes assertions for C programs, which are built with the machine's compiler and run with many inputs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, final

from remuda.backends.recorded_runs import RecordedRuns
from remuda.base.errors import UsageError
from remuda.base.names import some_of
from remuda.frontends.c.synthesize.harness import STUB, can_start, harness, replaced, starter, starts_threads, stubs
from remuda.frontends.c.synthesize.program import read_program
from remuda.prepare.load import parse_options
from remuda.synthesis.recordings import Recordings, Samples

if TYPE_CHECKING:
    from remuda.base.predicates import Point
    from remuda.base.source import Source
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType
    from remuda.frontends.c.synthesize.program import SynthesisProgram
    from remuda.options import Options
    from remuda.synthesis.recordings import Chosen, OnStep

LINKS: Final = 4  # attempts to link, each of which may show missing definitions
MOST_TYPED: Final = 400  # the most numbers on standard input
MOST_ARGUMENTS: Final = 3
SEEDS: Final = 100_003  # --seed is multiplied by it, so that runs of different seeds differ
WRAP: Final = 1 << 64


@final
class CSynthesis:
    """The synthesis of assertions for one C file."""

    def __init__(self, source: Source, options: Options) -> None:
        self._source = source
        self._options = options
        self._program: SynthesisProgram = read_program(source, parse_options(options))

    @property
    def points(self) -> Sequence[Point]:
        return self._program.points

    def write(self, chosen: Chosen, *, independent: bool) -> tuple[str, Chosen]:
        return self._program.with_assertions(chosen, independent=independent)

    def record(self, runs: int, deadline: float | None, on_step: OnStep) -> Recordings:
        starts = self._starts()
        if starts_threads(self._program.unit):
            return Recordings(notes=("the program starts threads, and was not run",))
        if starts is None:
            return Recordings(notes=("there is no function to start in: the program was not run",))
        with TemporaryDirectory(prefix="remuda-runs-") as folder:
            recorder = RecordedRuns(Path(folder), self._source, parse_options(self._options), deadline)
            on_step("building the program")
            problem = self._build(recorder, starts)
            if problem:
                return Recordings(notes=(f"the program was not run, because it cannot be built: {problem}",))
            return self._run(recorder, runs, deadline, on_step)

    def _starts(self) -> list[ast.Function] | None:
        """The start functions if executions do not start in `main`; None if there are none."""
        functions = self._program.unit.functions
        named = self._options.entry
        for name in named:
            if name != "*" and (name not in functions or functions[name].body is None):
                known = [each.name for each in functions.values() if each.body is not None]
                some = some_of(known, "no function with a body")
                raise UsageError(f"there is no function {name} to start in; the program has {some}")
        if not named or named == ("main",):
            main = functions.get("main")
            if main is not None and main.body is not None:
                return []
        wanted = [functions[name] for name in named if name in functions] or list(functions.values())
        return [function for function in wanted if can_start(function)] or None

    def _build(self, recorder: RecordedRuns, starts: Sequence[ast.Function]) -> str:
        """Build the program. Returns the problem; empty if the program can run."""
        program = self._program
        renames = replaced(program.unit)
        text = program.recording()
        if starts:
            renames["main"] = "remuda_own_main"
            text += starter(starts)
        variables = {variable.name for variable in program.unit.variables}
        missing: dict[str, CType | None] = {}
        defined: list[str] = []
        recording = harness(program.points, program.constants.inputs())
        trouble = recorder.compile(text, renames)
        for _ in range(LINKS):
            if trouble is not None:
                break
            trouble = recorder.link(recording, stubs(missing.items()))
            if trouble is None:
                return ""
            unknown = [name for name in trouble.missing if name not in missing and name not in defined]
            if not unknown:
                break
            missing.update({name: self._result(name) for name in unknown if name not in variables})
            objects = [name for name in unknown if name in variables]
            defined += objects
            trouble = None
            if objects:
                text += "".join(f"\n__typeof__({name}) {name};" for name in objects)
                trouble = recorder.compile(f"{text}\n", renames)
        return "" if trouble is None else trouble.headline

    def _result(self, name: str) -> CType | None:
        function = self._program.unit.functions.get(name.removeprefix(STUB))
        return None if function is None else function.type.result

    def _run(self, recorder: RecordedRuns, runs: int, deadline: float | None, on_step: OnStep) -> Recordings:
        samples = Samples(self.points)
        points = {point.number: point for point in self.points}
        notes: tuple[str, ...] = ()
        done = 0
        for number in range(runs):
            if deadline is not None and time.monotonic() > deadline:
                notes = (f"there was time for {done} runs only",)
                break
            on_step(f"run {number + 1} of {runs}")
            seed = self._options.seed * SEEDS + number
            arguments, typed = self._given(Random(seed))
            for point, values in recorder.run(seed, arguments, typed):
                if point in points:
                    samples.add(point, _typed_values(points[point], values))
            done += 1
        return Recordings(samples.all(), done, notes)

    def _given(self, random: Random) -> tuple[list[str], str]:
        """Random arguments and a random standard input for a run."""
        numbers = [0, 1, 2, 3, *(each for each in self._program.constants.inputs() if abs(each) < 1 << 31)]
        main = self._program.unit.functions.get("main")
        takes_arguments = main is not None and bool(main.parameters)
        count = random.randrange(MOST_ARGUMENTS + 1) if takes_arguments else 0
        arguments = [str(random.choice(numbers)) for _ in range(count)]
        return arguments, "".join(f"{random.choice(numbers)}\n" for _ in range(MOST_TYPED))


def _typed_values(point: Point, values: Sequence[int]) -> tuple[int, ...]:
    """The recorded words as values of their types: values of unsigned types are never negative."""
    unsigned = (each.low == 0 and value < 0 for each, value in zip(point.variables, values, strict=False))
    return tuple(value + WRAP if wraps else value for value, wraps in zip(values, unsigned, strict=False))
