"""Measures four algorithms that find the globals on which a path depends: three commands.

    python -m benchmarks.refinement family --out results
    python -m benchmarks.refinement paths TASKS/c/ntdrivers TASKS/c/systemc --timeout 120 --out results
    python -m benchmarks.refinement shares TASKS/c/ntdrivers --timeout 120 --out results

`family` counts queries for a path on which three of many globals matter: a table and a plot. `paths` searches
programs with `--abstract`, refines every infeasible path with all four algorithms, and compares the seconds; it exits
with 1 if a result is not minimal. Paths for which the time was too short to decide that are left out. `shares` prints
the number of iterations of search and refinement for each program, and the distribution of the time (CORRAL, Fig. 6).
Each program has a separate process.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remuda.bench.plots import plots_available, save
from remuda.bench.run import find_tasks
from remuda.bench.tables import markdown_table
from remuda.engines.path_check import PathCheck
from remuda.options import REFINEMENTS, Options
from remuda.portfolio.run import run
from remuda.prepare.load import load
from remuda.prepare.pipeline import prepare
from remuda.prepare.read import read_source
from remuda.tasks import load_task, task_options

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.engines.refinement import Tracked

SUITES: Final = Path("../shared/benchmarks/c")
DEFAULT_SUITES: Final = tuple(
    str(SUITES / name) for name in ("ntdrivers", "ntdrivers-simplified", "systemc", "ldv-linux-3.4-simple")
)
SIZES: Final = (50, 100, 200, 400, 700, 1000)
MATTER: Final = 3

Row = dict[str, Any]  # a path, as JSON


# --- one program


def refine_all(sources: list[Source], options: Options) -> list[Row]:
    """Search a program by abstraction, and measure every algorithm on every infeasible path."""
    rows: list[Row] = []
    original = PathCheck.refine

    def refine(self: PathCheck, how: str, tracked: Tracked) -> Tracked:
        row: Row = {"minimal": True}
        found = {}
        for each in REFINEMENTS:
            began, asked = time.perf_counter(), self.queries
            found[each] = original(self, each, tracked)
            row[each] = {
                "seconds": time.perf_counter() - began,
                "queries": self.queries - asked,
                "added": len(found[each] - tracked),
            }
        for chosen in found.values():
            is_minimal = not any(self.is_correct(chosen - {one}) for one in chosen - tracked)
            row["minimal"] &= self.is_correct(chosen) and is_minimal
        if not self.undecided:
            rows.append(row)
        return found[how]

    PathCheck.refine = refine  # type: ignore[method-assign] # measured where it is used
    try:
        run(sources, options, send=lambda _: None)
    finally:
        PathCheck.refine = original  # type: ignore[method-assign]
    return rows


def one(given: argparse.Namespace) -> int:
    """The paths of one program, as JSON."""
    task = load_task(Path(given.task))
    options = task_options(task, Options(abstract=True, timeout=given.timeout))
    rows = refine_all([read_source(str(path)) for path in task.inputs], options)
    sys.stdout.write(json.dumps(rows))
    return 0


# --- many programs


def paths(given: argparse.Namespace) -> int:
    """Write all paths of all programs at once, and a table of their sums."""
    given.out.mkdir(parents=True, exist_ok=True)
    by_suite: dict[str, list[Row]] = {}
    with (given.out / "refinement.jsonl").open("w", encoding="utf-8") as log:
        for task in find_tasks(given.suites):
            suite = task.path.parent.name
            for row in _paths_of(task.path, given.timeout):
                by_suite.setdefault(suite, []).append(row)
                log.write(json.dumps({"task": task.name, "suite": suite, **row}) + "\n")
            _progress(f"{suite}/{task.name}: {len(by_suite.get(suite, ()))} paths in {suite}")
    text = path_table(by_suite)
    (given.out / "refinement.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    bad = [row for rows in by_suite.values() for row in rows if not row["minimal"]]
    if bad:
        sys.stdout.write(f"\n{len(bad)} sets are not minimal\n")
    return 1 if bad else 0


def _paths_of(task: Path, timeout: float) -> list[Row]:
    command = [sys.executable, "-m", "benchmarks.refinement", "one", str(task), "--timeout", str(timeout)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * timeout + 30, check=True)
    except subprocess.SubprocessError as problem:
        _progress(f"{task.name}: {type(problem).__name__}")
        return []
    rows: list[Row] = json.loads(done.stdout)
    return rows


def path_table(by_suite: Mapping[str, Sequence[Row]]) -> str:
    """The table with entries such as `12.3 (4,567)`: seconds and queries of all paths of a suite."""
    everything = [row for rows in by_suite.values() for row in rows]
    body = []
    for suite, rows in [*by_suite.items(), ("all", everything)]:
        added = sum(row["core"]["added"] for row in rows) / max(1, len(rows))
        cells = [
            f"{sum(row[each]['seconds'] for row in rows):.1f} ({sum(row[each]['queries'] for row in rows):,})"
            for each in REFINEMENTS
        ]
        body.append([suite, str(len(rows)), f"{added:.1f}", *cells])
    return markdown_table([["suite", "paths", "globals added", *REFINEMENTS], *body])


# --- distribution of the time


def shares(given: argparse.Namespace) -> int:
    """Write iterations, tracked globals, and the shares of search and refinement: `refinement-shares.md`."""
    given.out.mkdir(parents=True, exist_ok=True)
    body = []
    for task in find_tasks(given.suites):
        command = [
            sys.executable,
            "-m",
            "benchmarks.refinement",
            "share",
            str(task.path),
            f"--timeout={given.timeout}",
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=2 * given.timeout + 30, check=True)
        except subprocess.SubprocessError as problem:
            _progress(f"{task.name}: {type(problem).__name__}")
            continue
        body.append([task.name, *json.loads(done.stdout)])
        _progress(" | ".join(body[-1]))
    head = [
        "program",
        "verdict",
        "seconds",
        "iterations",
        "globals",
        "tracked",
        "instances",
        "search %",
        "refinement %",
    ]
    text = markdown_table([head, *body])
    (given.out / "refinement-shares.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return 0


def share(given: argparse.Namespace) -> int:
    """Print the row of one task, as JSON. The rest to 100 % is reading the program and making the formulas."""
    task = load_task(Path(given.task))
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state.json"
        wanted = Options(abstract=True, houdini=False, timeout=given.timeout, state=str(state))
        sources = [read_source(str(path)) for path in task.inputs]
        report = run(sources, task_options(task, wanted), send=lambda _: None)
        saved = json.loads(state.read_text(encoding="utf-8"))["tracked"] if state.exists() else {}
        program, options = load(sources, task_options(task, wanted))
        count = len(prepare(program, options).searched.globals)
    statistics = report.statistics
    search = statistics.seconds - statistics.refine_seconds - statistics.frontend_seconds
    verdict = report.verdict.value if not report.incomplete else f"{report.verdict.value} ({report.incomplete})"
    row = [
        verdict,
        f"{statistics.seconds:.1f}",
        str(statistics.refinements + 1),
        str(count),
        str(len({name for names in saved.values() for name in names})),
        f"{statistics.instances:,}",
        f"{100 * search / statistics.seconds:.0f}",
        f"{100 * statistics.refine_seconds / statistics.seconds:.0f}",
    ]
    sys.stdout.write(json.dumps(row))
    return 0


# --- the family


def family_program(count: int) -> str:
    """A program with a path that reads all globals, of which three matter."""
    names = [f"g{number}" for number in range(count)]
    used = [names[count * part // MATTER] for part in range(MATTER)]
    sets = " ".join(f"{name} := {number};" for number, name in enumerate(names))
    reads = " ".join(f"x := x + {name};" for name in names)
    total = sum(names.index(name) for name in used)
    return (
        f"var {', '.join(names)}: int;\n"
        f"procedure {{:entrypoint}} main() modifies {', '.join(names)};\n"
        f"{{ var x: int; x := 0; {sets} {reads} assume x > 0; assert {' + '.join(used)} == {total}; }}\n"
    )


def family(given: argparse.Namespace) -> int:
    """Write the queries over the number of globals: `refinement-family.md` and a plot."""
    from remuda.base.source import Source

    given.out.mkdir(parents=True, exist_ok=True)
    counted: dict[int, Row] = {}
    for count in given.sizes:
        rows = refine_all([Source("family.bpl", family_program(count))], Options(abstract=True))
        counted[count] = rows[0]
        questions = ", ".join(f"{each} {rows[0][each]['queries']}" for each in REFINEMENTS)
        _progress(f"{count} globals: {questions}")
    cells = [
        [str(count), *(f"{row[each]['queries']} ({row[each]['seconds']:.2f} s)" for each in REFINEMENTS)]
        for count, row in counted.items()
    ]
    text = markdown_table([["globals", *REFINEMENTS], *cells])
    (given.out / "refinement-family.md").write_text(text, encoding="utf-8")
    if plots_available():
        draw_family(counted, given.out)
    sys.stdout.write(text)
    return 0 if all(row["minimal"] for row in counted.values()) else 1


def draw_family(counted: Mapping[int, Row], folder: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import StrMethodFormatter

    figure = Figure(figsize=(6, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for each, marker in zip(REFINEMENTS, "osv^", strict=True):
        queries = [row[each]["queries"] for row in counted.values()]
        axes.plot(list(counted), queries, marker=marker, label=each)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(list(counted))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:.0f}"))
    axes.minorticks_off()
    axes.set_xlabel("globals, of which 3 matter")
    axes.set_ylabel("questions")
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
    save(figure, folder / "refinement-family")


def _progress(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("family", help="questions over the number of globals")
    command.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    command.add_argument("--out", type=Path, default=Path("results"))
    command.set_defaults(run=family)
    command = commands.add_parser("paths", help="every path of a search that cannot be run")
    command.add_argument("suites", nargs="*", default=list(DEFAULT_SUITES))
    command.add_argument("--timeout", type=float, default=120.0)
    command.add_argument("--out", type=Path, default=Path("results"))
    command.set_defaults(run=paths)
    command = commands.add_parser("shares", help="where the time of a search by abstraction goes")
    command.add_argument("suites", nargs="*", default=[str(SUITES / "ntdrivers")])
    command.add_argument("--timeout", type=float, default=120.0)
    command.add_argument("--out", type=Path, default=Path("results"))
    command.set_defaults(run=shares)
    command = commands.add_parser("share", help="the row of one task, as JSON (what `shares` runs)")
    command.add_argument("task")
    command.add_argument("--timeout", type=float, default=120.0)
    command.set_defaults(run=share)
    command = commands.add_parser("one", help="the paths of one task, as JSON (what `paths` runs)")
    command.add_argument("task")
    command.add_argument("--timeout", type=float, default=120.0)
    command.set_defaults(run=one)
    given = parser.parse_args()
    status: int = given.run(given)
    return status


if __name__ == "__main__":
    sys.exit(main())
