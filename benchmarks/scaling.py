"""Measures how engines and other verifiers scale on the program families: one command, a table and a plot.

    python -m benchmarks.scaling --engine dag --engine static --peer cbmc --sizes 2-14,50,200 --timeout 60 --out results

Every size is run in a separate process under limits. A tool that fails at one size is not run at larger ones.
Verifiers of C get the same programs in C. The folder gets the programs, `results.jsonl` (whose runs are not
repeated), `scaling.md`, and one plot for each family and variant, as SVG and PNG.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from benchmarks.families import BOOGIE, FAMILIES, C, Language
from remuda.base.errors import RemudaError
from remuda.bench.peers import PEERS, Cbmc, find_peer
from remuda.bench.plots import FLOOR, plots_available, save
from remuda.bench.records import Record, Results
from remuda.bench.run import Bench, relevant_records, run_bench
from remuda.bench.tables import markdown_table
from remuda.bench.tools import RunLimits, Tool, parse_config
from remuda.tasks import Task, load_task

TASK_TEXT: Final = """\
format_version: '2.0'
input_files: '{file}'
properties:
  - property_file: unreach-call.prp
    expected_verdict: {verdict}
options:
  language: {language}
  entrypoint: main
  recursion_bound: {bound}
  error_spec: {error}
"""
WIDE: Final = 30  # the greatest size that a linear axis shows well
ERRORS: Final = {BOOGIE.suffix: "an assertion fails", C.suffix: "call __VERIFIER_assert(0)"}
LANGUAGE_NAMES: Final = {BOOGIE.suffix: "Boogie", C.suffix: "C"}


@final
@dataclass(frozen=True, slots=True)
class Series:
    """One family in one variant."""

    family: str
    buggy: bool

    @property
    def name(self) -> str:
        return f"{self.family}-buggy" if self.buggy else self.family

    def write_task(self, n: int, bound: int, folder: Path, language: Language = BOOGIE) -> Task:
        """Write one program with its task definition. Programs of different languages need folders of their own."""
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{self.name}-{n:03}"
        program = folder / f"{name}.{language.suffix}"
        program.write_text(FAMILIES[self.family](n, buggy=self.buggy, language=language), encoding="utf-8")
        text = TASK_TEXT.format(
            file=program.name,
            verdict="false" if self.buggy else "true",
            language=LANGUAGE_NAMES[language.suffix],
            bound=bound,
            error=ERRORS[language.suffix],
        )
        path = folder / f"{name}.yml"
        path.write_text(text, encoding="utf-8")
        return load_task(path)


@final
@dataclass(frozen=True, slots=True)
class Experiment:
    """The tools, the programs and the limits of a benchmark."""

    series: Sequence[Series]
    tools: Sequence[Tool]
    sizes: Sequence[int]
    bound: int
    limits: RunLimits
    folder: Path


def run(experiment: Experiment) -> Iterator[tuple[Series, int, Record]]:
    """Run size by size; a tool that does not solve a size is not run on larger ones."""
    results = Results(experiment.folder / "results.jsonl", fresh=False)
    for series in experiment.series:
        alive = list(experiment.tools)
        for n in experiment.sizes:
            records = [record for tool in alive for record in run_once(experiment, series, n, tool, results)]
            for record in records:
                yield series, n, record
            solved = {record.config for record in records if record.solved}
            alive = [tool for tool in alive if tool.name in solved]


def run_once(experiment: Experiment, series: Series, n: int, tool: Tool, results: Results) -> list[Record]:
    """Run one tool on one program, in the tool's language."""
    language = C if isinstance(tool, Cbmc) else BOOGIE
    folder = experiment.folder / f"programs-{language.suffix}"
    task = series.write_task(n, experiment.bound, folder, language)
    bench = Bench([task], [tool], experiment.limits, 1, experiment.folder)
    for _ in run_bench(bench, results):
        pass
    return relevant_records(bench, results)


Measured = dict[str, dict[int, Record]]  # by tool, then size


def scaling_table(measured: Measured, sizes: Sequence[int]) -> str:
    """The table of CPU seconds, and of procedure instances if a tool reports them; one row for each size."""
    heading = ["n", *(heading for name, records in measured.items() for heading in _headings(name, records))]
    rows = [
        [str(n), *(cell for records in measured.values() for cell in _cells(records, n))]
        for n in sizes
        if any(n in records for records in measured.values())
    ]
    return markdown_table([heading, *rows])


def _headings(name: str, records: dict[int, Record]) -> list[str]:
    return [f"{name}: CPU s", *([f"{name}: instances"] if _tells_instances(records) else [])]


def _tells_instances(records: dict[int, Record]) -> bool:
    return any(record.instances is not None for record in records.values())


def _cells(records: dict[int, Record], n: int) -> list[str]:
    seconds = instances = "-"
    record = records.get(n)
    if record is not None:
        seconds = f"{record.cpu_seconds:.2f}" if record.solved else f"{record.judgement} ({record.cpu_seconds:.2f})"
        instances = "-" if record.instances is None else str(record.instances)
    return [seconds, instances] if _tells_instances(records) else [seconds]


def draw(series: Series, measured: Measured, limit: float, folder: Path) -> None:
    """Draw CPU seconds over size, on logarithmic axes; with a linear axis for sizes that are close together."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    figure = Figure(figsize=(6, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for name, records in measured.items():
        sizes = [n for n, record in records.items() if record.solved]
        axes.plot(sizes, [max(FLOOR, records[n].cpu_seconds) for n in sizes], marker="o", label=name)
    axes.axhline(limit, color="gray", linestyle="--", linewidth=0.8)
    axes.set(title=series.name, xlabel="n", ylabel="CPU seconds (dashed: limit)", yscale="log")
    largest = max((n for records in measured.values() for n in records), default=0)
    if largest > WIDE:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(ScalarFormatter())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(fontsize="small")
    save(figure, folder / f"scaling-{series.name}")


def report(experiment: Experiment, measured: dict[Series, Measured]) -> str:
    """The tables of all series; plots are drawn too if matplotlib is installed."""
    parts = ["# Scaling"]
    for series, of_series in measured.items():
        parts += [f"## {series.name}", scaling_table(of_series, experiment.sizes)]
        if plots_available():
            draw(series, of_series, experiment.limits.seconds, experiment.folder)
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def sizes_from(text: str) -> list[int]:
    """The sizes in a text: `2-4,10` gives 2, 3, 4 and 10."""
    sizes: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        sizes.update(range(int(first), int(last or first) + 1))
    return sorted(sizes)


def experiment_from(argv: list[str] | None) -> Experiment:
    parser = argparse.ArgumentParser(description="Run the scaling families under several engines.")
    parser.add_argument("--engine", action="append", default=[], help="an engine of `remuda verify`")
    parser.add_argument("--config", action="append", default=[], help="[NAME=]FLAGS of `remuda verify`")
    parser.add_argument("--peer", action="append", default=[], choices=PEERS)
    parser.add_argument("--family", action="append", choices=FAMILIES, help="default: all")
    parser.add_argument("--variant", choices=("safe", "buggy", "both"), default="both")
    parser.add_argument("--sizes", type=sizes_from, default="1-10", help="for example 2-14,50,100,200")
    parser.add_argument("--bound", type=int, default=2, help="bound on loops and recursion")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS")
    parser.add_argument("--memory", type=int, default=4000, metavar="MB")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    given = parser.parse_args(argv)
    configs = [f"{engine}=--engine {engine}" for engine in given.engine] + given.config
    tools: list[Tool] = [parse_config(text) for text in configs or ([] if given.peer else ["default="])]
    variants = {"safe": (False,), "buggy": (True,), "both": (False, True)}[given.variant]
    return Experiment(
        series=[Series(family, buggy) for family in given.family or FAMILIES for buggy in variants],
        tools=[*tools, *map(find_peer, given.peer)],
        sizes=given.sizes,
        bound=given.bound,
        limits=RunLimits(given.timeout, given.memory),
        folder=given.out,
    )


def main(argv: list[str] | None = None) -> int:
    """Run the experiment, write the table and the plots."""
    measured: dict[Series, Measured] = {}
    try:
        experiment = experiment_from(argv)
        for series, n, record in run(experiment):
            measured.setdefault(series, {}).setdefault(record.config, {})[n] = record
            line = f"{series.name} n={n} [{record.config}] {record.verdict}: {record.judgement}"
            sys.stderr.write(f"{line}, {record.cpu_seconds:.2f} s {record.reason}\n")
        text = report(experiment, measured)
        (experiment.folder / "scaling.md").write_text(text, encoding="utf-8")
    except RemudaError as error:
        sys.stderr.write(f"scaling: error: {error}\n")
        return 1
    sys.stdout.write(text)
    wrong = any(
        record.judgement == "wrong"
        for of_series in measured.values()
        for records in of_series.values()
        for record in records.values()
    )
    return 10 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
