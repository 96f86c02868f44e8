"""CPU seconds from a program's text to its first formula, by stage.

    python -m benchmarks.first_formula TASK.yml...

The first formula is that of the entry procedure and of everything it calls directly, inside the solver.
"""

from __future__ import annotations

import gc
import itertools
import sys
import time
from pathlib import Path

from remuda.engines.inlining import Inlining
from remuda.frontends.boogie.load import load
from remuda.options import Options
from remuda.prepare.pipeline import prepare
from remuda.prepare.read import read_source
from remuda.results.report import Statistics
from remuda.smt.create import create_solver
from remuda.tasks import load_task, task_options
from remuda.vc.interface import interfaces


def stages(path: Path) -> tuple[int, list[tuple[str, float]]]:
    """The size of the program's text, and the costs of the stages."""
    task = load_task(path)
    options = task_options(task, Options())
    moments = [("start", time.process_time())]
    sources = [read_source(str(file)) for file in task.inputs]
    program = load(sources)
    moments.append(("front end", time.process_time()))
    prepared = prepare(program, options)
    moments.append(("transforms", time.process_time()))
    code = prepared.instrumented.program
    faces = interfaces(code, summaries=options.summaries)
    inlining = Inlining(code, faces, create_solver(options.solver), Statistics(), joins=options.joins)
    inlining.start(prepared.base.entries[0])
    for call in list(inlining.open_calls):
        inlining.inline(call)
    moments.append(("formula", time.process_time()))
    costs = [(name, after - before) for (_, before), (name, after) in itertools.pairwise(moments)]
    return sum(len(source.text) for source in sources), costs


def main(arguments: list[str]) -> int:
    gc.disable()  # as a worker process does
    for argument in arguments:
        size, costs = stages(Path(argument))
        parts = ", ".join(f"{name} {seconds:.2f}" for name, seconds in costs)
        total = sum(seconds for _, seconds in costs)
        sys.stdout.write(f"{Path(argument).stem}: {size / 1e6:.2f} MB, {total:.2f} s ({parts})\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
