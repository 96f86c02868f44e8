"""Measures what lifting assertions costs and saves, and checks that lifted programs mean the same: three commands.

    python -m benchmarks.lifting family --out results
    python -m benchmarks.lifting growth TASKS/c/ntdrivers TASKS/c/ssh
    python -m benchmarks.lifting agree TASKS/boogie/ultimate TASKS/c/locks --bound 3 --timeout 20

`family` measures procedure instances and CPU seconds with and without `--lift` on Fig. 1 of the paper (FMCAD 2014),
as a table and a plot. `growth` measures the growth of programs, with one row for each folder. `agree` runs Boogie on
each program before and after lifting, as `remuda transform deep-assert` prints it, and exits with 1 if the numbers of
failing entries differ.

For `agree`, Boogie inlines all calls and unrolls all loops, up to a bound, whose meaning differs slightly before and
after: a lifted program has complete iterations, or recursive calls, up to the bound, and then the failing one; and
executions end at Boogie's last copy of a loop head. So the version with fewer failing entries is run again with a
greater bound.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, final

from benchmarks.agree_with_boogie import run_boogie
from benchmarks.scaling import Experiment, Measured, Series, run, sizes_from
from remuda.analysis.modifies import modified_globals
from remuda.base.errors import RemudaError
from remuda.bench.peers import DECLARED, FINISHED, IMPLEMENTED
from remuda.bench.plots import plots_available, save
from remuda.bench.run import find_tasks
from remuda.bench.tables import markdown_table
from remuda.bench.tools import RunLimits, parse_config
from remuda.export.transformed import deep_assert
from remuda.ir.printer import print_program
from remuda.ir.threads import starts_threads
from remuda.options import Options
from remuda.prepare.load import load
from remuda.prepare.pipeline import base_program
from remuda.prepare.read import read_source
from remuda.tasks import Task, task_options
from remuda.transforms.prune import PruneProcedures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from remuda.bench.records import Record
    from remuda.ir.program import Program

SUITES: Final = Path("../shared/benchmarks")
C_SUITES: Final = tuple(
    str(SUITES / "c" / name)
    for name in (
        "ntdrivers",
        "ntdrivers-simplified",
        "ssh",
        "ssh-simplified",
        "systemc",
        "product-lines",
        "locks",
        "recursive",
    )
)
BOOGIE_SUITES: Final = tuple(
    str(SUITES / "boogie" / name) for name in ("corral-fwdbck", "corral-regression", "ultimate", "boogie-test")
)


# --- family

CONFIGS: Final = (
    "stratified=--engine stratified",
    "stratified-lift=--engine stratified --lift",
    "dag=--engine dag",
    "dag-lift=--engine dag --lift",
)
VARIANTS: Final = (Series("fig1", buggy=False), Series("fig1", buggy=True))


def family(given: argparse.Namespace) -> int:
    """Run the family, write `lifting.md` and the plot."""
    experiment = Experiment(
        series=VARIANTS,
        tools=[parse_config(config) for config in CONFIGS],
        sizes=given.sizes,
        bound=given.bound,
        limits=RunLimits(given.timeout, given.memory),
        folder=given.out,
    )
    measured: dict[Series, Measured] = {}
    for series, n, record in run(experiment):
        measured.setdefault(series, {}).setdefault(record.config, {})[n] = record
        _progress(
            f"{series.name} n={n} [{record.config}] {record.verdict}: {record.cpu_seconds:.2f} s {record.reason}"
        )
    text = family_table(measured, experiment.sizes)
    (experiment.folder / "lifting.md").write_text(text, encoding="utf-8")
    if plots_available():
        draw_family(measured, experiment.folder)
    sys.stdout.write(text)
    return 0


def family_table(measured: Mapping[Series, Measured], sizes: Sequence[int]) -> str:
    """The table with entries such as `0.4, 6`: CPU seconds and procedure instances; one row for each size."""
    columns = [(series, name) for series, of_series in measured.items() for name in of_series]
    heading = ["n", *(f"{series.name} {name}" for series, name in columns)]
    rows = [[str(n), *(_family_cell(measured[series][name], n) for series, name in columns)] for n in sizes]
    return markdown_table([heading, *rows])


def _family_cell(records: Mapping[int, Record], n: int) -> str:
    record = records.get(n)
    return f"{record.cpu_seconds:.1f}, {record.instances}" if record is not None and record.solved else "-"


def draw_family(measured: Mapping[Series, Measured], folder: Path) -> None:
    """Draw procedure instances over size, on logarithmic axes; the two variants side by side."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    FigureCanvasAgg(figure)
    plots = figure.subplots(1, len(measured), sharey=True, squeeze=False)[0]
    for axes, (series, of_series) in zip(plots, measured.items(), strict=True):
        _draw_variant(axes, series, of_series)
    save(figure, folder / "lifting-fig1")


def _draw_variant(axes: Axes, series: Series, of_series: Measured) -> None:
    from matplotlib.ticker import StrMethodFormatter

    for name, records in of_series.items():
        points = [(n, record.instances) for n, record in records.items() if record.solved and record.instances]
        on_top = name.startswith("dag")  # identical lines must both be visible
        style, size = ("--", 3) if on_top else ("-", 7)
        axes.plot([n for n, _ in points], [count for _, count in points], style, marker="o", ms=size, label=name)
    axes.set(title=series.name, xlabel="n", ylabel="procedure instances", xscale="log", yscale="log")
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.legend(fontsize="small")


# --- growth


def growth(given: argparse.Namespace) -> int:
    """Lift every program, and compare sizes."""
    grown: dict[str, list[float]] = {}
    problems: list[str] = []
    for task in find_tasks(given.folders):
        suite = _suite(task)
        factors = grown.setdefault(suite, [])
        try:
            transformed = deep_assert(*load_program(task))
        except RemudaError as error:
            problems.append(f"{suite}/{task.name}: {_one_line(error)}")
            continue
        factors.append(transformed.growth)
        sizes = f"{transformed.before} to {transformed.after}"
        _progress(f"{suite}/{task.name}: {sizes}, {transformed.growth:.2f} times")
    sys.stdout.write(growth_table(grown))
    for problem in problems:
        sys.stdout.write(f"\nnot lifted: {problem}\n")
    return 0


def growth_table(grown: Mapping[str, Sequence[float]]) -> str:
    """The table of growth factors, in statements and blocks; one row for each suite."""
    rows = [["suite", "tasks", "smallest", "median", "largest"]]
    every = [factor for factors in grown.values() for factor in factors]
    for suite, factors in (*grown.items(), ("all", every)):
        middle = (min(factors), median(factors), max(factors)) if factors else ()
        rows.append([suite, str(len(factors)), *(f"{factor:.2f}" for factor in middle)])
    return markdown_table([row + ["-"] * (len(rows[0]) - len(row)) for row in rows])


# --- agree

FLAGS: Final = ("/nologo", "/noinfer", "/errorLimit:1", "/removeEmptyBlocks:0")  # as for stratified inlining
COMPLAINT: Final = re.compile(r"^.*(?:\): error|xception).*$", re.MULTILINE)
LABEL: Final = re.compile(r"^  \S+(?=:(?: |$))", re.MULTILINE)
GOTO: Final = re.compile(r"^    goto .*;$", re.MULTILINE)
OUTCOMES: Final = ("unchanged", "none fails", "some fail", "at a greater bound", "no answer", "DISAGREE")


@final
@dataclass(frozen=True, slots=True)
class Judged:
    """The comparison of the two versions of a program, with the numbers of failing entries, or why they are
    unknown."""

    outcome: str
    detail: str = ""


@final
@dataclass(frozen=True, slots=True)
class Version:
    """A program before or after lifting, as Boogie text."""

    name: str
    text: str
    entries: tuple[str, ...]

    def inlined(self, bound: int) -> str:
        return inline_all(self.text, self.entries, bound)


@final
@dataclass(frozen=True, slots=True)
class Referee:
    """Runs Boogie under limits, with a folder for programs."""

    bound: int
    seconds: float
    folder: Path

    def judge(self, original: Version, lifted: Version) -> Judged:
        if original.inlined(0) == lifted.inlined(0):
            return Judged("unchanged")
        before = self.failing(original, self.bound)
        after = before if isinstance(before, str) else self.failing(lifted, self.bound)
        if isinstance(before, str) or isinstance(after, str):
            return Judged("no answer", str(after))
        if before == after:
            return Judged("some fail" if after else "none fails")
        fewer = original if before < after else lifted
        further = self.failing(fewer, self.further)
        detail = f"original: {before}, lifted: {after}, {fewer.name} at bound {self.further}: {further}"
        if isinstance(further, str):
            return Judged("no answer", detail)
        return Judged("at a greater bound" if further >= max(before, after) else "DISAGREE", detail)

    @property
    def further(self) -> int:
        """A greater bound, which covers a chain of calls up to the bound followed by a call that is as deep again."""
        return 2 * self.bound + 2

    def failing(self, version: Version, bound: int) -> int | str:
        """The number of entries that fail, or the reason why there is no answer."""
        path = self.folder / f"{version.name}.bpl"
        path.write_text(version.inlined(bound), encoding="utf-8")
        execution = run_boogie(path, (*FLAGS, f"/loopUnroll:{bound}"), self.seconds)
        if execution is None:
            return f"{version.name}: timeout"
        finished = FINISHED.search(execution.output)
        if finished is None:
            complaint = COMPLAINT.search(execution.output + execution.errors)
            return f"{version.name}: {complaint[0].strip()[:120] if complaint else 'no message'}"
        if finished[3].strip(" ,."):
            return f"{version.name}: {finished[3].strip(' ,.')}"
        holding, failing = int(finished[1]), int(finished[2])
        return failing if holding or failing else f"{version.name}: nothing was checked"


def inline_all(text: str, entries: Sequence[str], bound: int) -> str:
    """The program with `{:inline}` up to a depth on every procedure except the entries, in place of its own
    attributes.

    before:  procedure {:inline 1} P();   implementation P() { start: goto end; ... }
    after:   procedure P();               implementation {:inline 3} P() { start_: goto end_; ... }

    Boogie names the code after a call in block `b` `b$1`, and jumps to a block of the program with that name, if any.
    """

    def mark(found: re.Match[str]) -> str:
        name = found[1]
        is_entry = name.partition("<")[0] in entries
        return found[0] if is_entry else f"implementation {{:inline {bound}}} {name}("

    def rename(found: re.Match[str]) -> str:
        return found[0].replace(",", "_,").replace(";", "_;")

    text = IMPLEMENTED.sub(mark, DECLARED.sub(r"procedure \2(", text))
    return GOTO.sub(rename, LABEL.sub(r"\g<0>_", text))


def agree(given: argparse.Namespace) -> int:
    """Run Boogie on every program before and after lifting."""
    if shutil.which("boogie") is None:
        raise RemudaError("there is no program `boogie` on the search path")
    totals: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        referee = Referee(given.bound, given.timeout, Path(folder))
        for task in find_tasks(given.folders):
            judged = judge_task(task, referee)
            totals.setdefault(_suite(task), Counter())[judged.outcome] += 1
            _progress(f"{judged.outcome:18}  {_suite(task)}/{task.name}  {judged.detail}")
            if judged.outcome == "DISAGREE":
                sys.stdout.write(f"DISAGREE: {task.path}: {judged.detail}\n\n")
    rows = [["suite", "tasks", *OUTCOMES]]
    for suite, counts in (*totals.items(), ("all", sum(totals.values(), Counter[str]()))):
        rows.append([suite, str(counts.total()), *(str(counts[outcome]) for outcome in OUTCOMES)])
    sys.stdout.write(markdown_table(rows))
    return 1 if any(counts["DISAGREE"] for counts in totals.values()) else 0


def judge_task(task: Task, referee: Referee) -> Judged:
    try:
        program, options = load_program(task)
        base = PruneProcedures().apply(base_program(program, replace(options, lift=True))).program
        if starts_threads(base):
            return Judged("no answer", "threads")
        original = Version("original", print_program(base, modified_globals(base)), base.entries)
        lifted = Version("lifted", deep_assert(program, options).text, base.entries)
    except RemudaError as error:
        return Judged("no answer", _one_line(error))
    return referee.judge(original, lifted)


# --- the command


def load_program(task: Task) -> tuple[Program, Options]:
    """The program of a task, with the task's options."""
    return load([read_source(str(path)) for path in task.inputs], task_options(task, Options()))


def _suite(task: Task) -> str:
    return task.path.absolute().parent.name


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:160]


def _progress(line: str) -> None:
    sys.stderr.write(f"{line.rstrip()}\n")
    sys.stderr.flush()


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure and check the lifting of assertions.")
    commands = parser.add_subparsers(required=True)

    of_family = commands.add_parser("family", help="instances and time on Fig. 1 of the paper")
    of_family.add_argument("--sizes", type=sizes_from, default="1-3,5,8,10,20,50,100,200", help="for example 2-14,50")
    of_family.add_argument("--bound", type=int, default=2, help="bound on loops and recursion")
    of_family.add_argument("--timeout", type=float, default=20.0, metavar="SECONDS")
    of_family.add_argument("--memory", type=int, default=4000, metavar="MB")
    of_family.add_argument("--out", type=Path, required=True, metavar="DIR")
    of_family.set_defaults(run=family)

    of_growth = commands.add_parser("growth", help="sizes before and after, by folder")
    of_growth.add_argument("folders", nargs="*", default=C_SUITES, help="folders of tasks, or task definitions")
    of_growth.set_defaults(run=growth)

    of_agree = commands.add_parser("agree", help="Boogie's verdicts before and after")
    of_agree.add_argument("folders", nargs="*", default=(*BOOGIE_SUITES, *C_SUITES), help="as for `growth`")
    of_agree.add_argument("--bound", type=int, default=3, help="how deep to inline, and how often to unroll")
    of_agree.add_argument("--timeout", type=float, default=20.0, metavar="SECONDS", help="for one run of Boogie")
    of_agree.set_defaults(run=agree)

    given = parser.parse_args(argv)
    try:
        code: int = given.run(given)
    except RemudaError as error:
        sys.stderr.write(f"lifting: error: {error}\n")
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
