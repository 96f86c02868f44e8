"""Measures the sizes of inlined programs, as a tree and as a DAG with every merging strategy, without a solver.

    python -m benchmarks.compression TASKS/sdv/*.yml --out results

All calls up to the bound are inlined, as in Figs. 4 and 17 of the DAG-inlining paper (PLDI 2015). If a task's own
bound gives more instances than `--nodes`, or takes longer than `--timeout` for one DAG, the next smaller bound is
tried; the table has the bound that was used. The folder gets `compression.md`, `compression.csv`, and the plot of
tree against DAG sizes, as SVG and PNG.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Final

from remuda.base.errors import RemudaError
from remuda.bench.plots import plots_available, save
from remuda.bench.tables import markdown_table
from remuda.engines.bounded_calls import TooLarge
from remuda.export.compression import NODES, SHARING, Compression, Unfolder
from remuda.frontends.boogie.load import load
from remuda.options import DISJOINTS, Options
from remuda.prepare.read import read_source
from remuda.tasks import Task, load_task, task_options

Measured = dict[str, Compression]  # by task
BY_DEFAULT: Final = 120.0  # seconds for one DAG


def measure(task: Task, nodes: int, seconds: float, disjoint: str = "control") -> Compression | None:
    """The sizes at the greatest bound, up to the task's own, at which `optimal` and `first` finish."""
    program = load([read_source(str(path)) for path in task.inputs])
    options = task_options(task, Options(disjoint=disjoint))
    found = None
    for bound in range(options.bound, 0, -1):
        unfolder = Unfolder(program, replace(options, bound=bound), nodes, seconds)
        try:
            found = unfolder.compression(unfolder.entries[0])
        except TooLarge:
            continue
        if all(found.sizes[name].instances is not None for name in ("optimal", "first")):
            return found
    return found


# --- tables


def rows(measured: Measured) -> list[list[str]]:
    """One row per task, smallest trees first; the last row is the mean deviation from `optimal`, as in Fig. 17."""
    heading = ["task", "bound", "tree", "lower bound", *SHARING]
    ordered = sorted(measured.items(), key=lambda item: item[1].tree)
    table = [
        [name, str(found.bound), str(found.tree), str(found.at_least), *(_size(found, each) for each in SHARING)]
        for name, found in ordered
    ]
    deviations = [_deviation(measured.values(), name) for name in SHARING]
    return [heading, *table, ["mean deviation from `optimal`", "", "", "", *deviations]]


def _size(found: Compression, name: str) -> str:
    size = found.sizes[name]
    return "-" if size.instances is None else f"{size.instances:.0f}"


def _deviation(measured: Iterable[Compression], name: str) -> str:
    found = [above for compression in measured if (above := compression.above_optimal(name)) is not None]
    return f"{100 * mean(found):.1f} %" if found else "-"


def report(measured: Measured) -> str:
    complete = [found for found in measured.values() if found.sizes["optimal"].instances is not None]
    smallest = sum(found.sizes["optimal"].instances == found.at_least for found in complete)
    seconds = ", ".join(
        f"{name} {sum(found.sizes[name].seconds for found in measured.values()):.0f}" for name in SHARING
    )
    summary = (
        f"{len(measured)} tasks, {len(complete)} of them unfolded; `optimal` meets the lower bound, so that no DAG is "
        f"smaller, for {smallest}. Seconds in all: {seconds}. Sizes of the random strategies are averages.\n"
    )
    return "\n\n".join(("# Compression", markdown_table(rows(measured)).rstrip(), summary))


def write_csv(measured: Measured, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        sizes = [column for name in SHARING for column in (name, f"{name} seconds")]
        writer.writerow(["task", "entry", "bound", "tree", "lower bound", *sizes])
        for name, found in measured.items():
            cells: list[object] = [name, found.entry, found.bound, found.tree, found.at_least]
            for size in found.sizes.values():
                cells += ["" if size.instances is None else size.instances, round(size.seconds, 3)]
            writer.writerow(cells)


# --- plot


def draw(measured: Measured, folder: Path) -> None:
    """Tree sizes against DAG sizes on logarithmic axes, like Fig. 4."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    shown = [found for found in measured.values() if found.sizes["optimal"].instances is not None]
    for name, marker in zip(SHARING, "o+xv^", strict=True):
        points = [(found.tree, size) for found in shown if (size := found.sizes[name].instances) is not None]
        axes.scatter([x for x, _ in points], [y for _, y in points], marker=marker, s=24, alpha=0.7, label=name)
    ends = [min(found.at_least for found in shown), max(found.tree for found in shown)]
    axes.plot(ends, ends, color="gray", linewidth=0.8, label="no sharing")
    axes.set(xscale="log", yscale="log", xlabel="instances as a tree", ylabel="instances as a DAG")
    axes.legend(fontsize="small")
    save(figure, folder / "compression")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare tree and DAG sizes under every merging strategy.")
    parser.add_argument("tasks", nargs="+", type=Path, metavar="TASK")
    parser.add_argument("--nodes", type=int, default=NODES, metavar="N", help="most instances of a DAG")
    parser.add_argument("--timeout", type=float, default=BY_DEFAULT, metavar="SECONDS", help="for one DAG")
    parser.add_argument("--disjoint", choices=DISJOINTS, default="control", help="what keeps calls apart")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    given = parser.parse_args(argv)
    measured: Measured = {}
    try:
        for path in given.tasks:
            found = measure(load_task(path), given.nodes, given.timeout, given.disjoint)
            if found is None:
                sys.stderr.write(f"{path.stem}: too many call stacks\n")
                continue
            measured[path.stem] = found
            sizes = ", ".join(f"{name} {_size(found, name)}" for name in SHARING)
            sys.stderr.write(f"{path.stem}: bound {found.bound}, tree {found.tree}, {sizes}\n")
        given.out.mkdir(parents=True, exist_ok=True)
        text = report(measured)
        (given.out / "compression.md").write_text(text, encoding="utf-8")
        write_csv(measured, given.out / "compression.csv")
        if plots_available() and any(found.sizes["optimal"].instances is not None for found in measured.values()):
            draw(measured, given.out)
    except RemudaError as error:
        sys.stderr.write(f"compression: error: {error}\n")
        return 1
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
