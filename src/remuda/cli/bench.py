"""`remuda bench`: run configurations and peers on many tasks, judge the answers, write tables and plots."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

import click

from remuda.base.errors import FileError, UsageError
from remuda.bench.peers import PEERS, find_peer
from remuda.bench.records import Results
from remuda.bench.run import Bench, every_nth, find_tasks, relevant_records, run_bench
from remuda.bench.tables import markdown_report, summarize, summary_rows, text_report, text_table
from remuda.bench.tools import RunLimits, parse_config
from remuda.bench.virtual_best import DEFAULT, SINGLES, markdown, sentences
from remuda.cli.commands import SETTINGS
from remuda.cli.flags import seconds_flag
from remuda.cli.reporter import Reporter, is_terminal
from remuda.cli.verify import verify
from remuda.jobs.processes import processors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.progress import Progress, TaskID

    from remuda.bench.records import Record
    from remuda.bench.tools import Remuda, Tool

WRONG: Final = 10
INTERRUPTED: Final = 130

EPILOG: Final = """\b
Exit codes:
  0 no answer was wrong, 10 some answer contradicts its task,
  1 wrong usage, 2 a file cannot be read, 130 interrupted (run again to continue)

\b
Examples:
  remuda bench tasks/ --out results
  remuda bench 'tasks/*.yml' --config 'lazy=--engine stratified' --config 'eager=--engine static' --out results
  remuda bench tasks/ --peer boogie --timeout 300 --memory 8000 --jobs 2 --out results
  remuda bench tasks/ --every 5 --timeout 20 --virtual-best --out results
"""


@click.command(context_settings=SETTINGS, epilog=EPILOG, short_help="Run many tasks and compare configurations.")
@click.argument("tasks", nargs=-1, required=True, metavar="TASKS...")
@click.option(
    "--config",
    "configs",
    multiple=True,
    metavar="[NAME=]FLAGS",
    help="Run this configuration: flags of `remuda verify`. May be given several times.  [default: no flags]",
)
@click.option(
    "--peer",
    "peers",
    multiple=True,
    metavar="NAME [FLAGS]",
    help=f"Run this verifier too ({', '.join(PEERS)}); cbmc takes its own flags.",
)
@click.option(
    "--timeout",
    type=seconds_flag,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Wall-clock limit of each run.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    default=4000,
    show_default=True,
    metavar="MB",
    help="Memory limit of each run.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of runs at the same time. They share the processors: with fewer runs, each uses more of them.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    required=True,
    metavar="DIR",
    help="Write the results into this folder.",
)
@click.option("--resume/--fresh", default=True, help="Keep the runs in DIR, or start again.  [default: resume]")
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="K",
    help="Run every K-th task of each folder, from the first one on.",
)
@click.option(
    "--virtual-best",
    is_flag=True,
    help="Run every single strategy and solver too, and write DIR/virtual-best.md: the best one for each task, and how the"
    " default compares with it.",
)
@click.option("--plots/--no-plots", default=True, help="Draw scatter and cactus plots.  [default: plots]")
@click.option("-v", "--verbose", is_flag=True, help="Print a line for every run.")
@click.pass_context
def bench(
    context: click.Context,
    tasks: tuple[str, ...],
    *,
    configs: tuple[str, ...],
    peers: tuple[str, ...],
    timeout: float,
    memory: int,
    jobs: int,
    out: str,
    resume: bool,
    every: int,
    virtual_best: bool,
    plots: bool,
    verbose: bool,
) -> int:
    """Run many tasks and compare configurations.

    TASKS are task definitions (.yml), folders that contain some, or patterns. Every task runs with every
    configuration, each in a process of its own, and its answer is compared with the expected verdict. Each run
    appends a line to DIR/results.jsonl. At the end, `bench` writes DIR/table.md, table.txt, summary.json, and plots
    as SVG and PNG.
    """
    reporter = context.find_object(Reporter) or Reporter()
    reporter.verbose = verbose
    folder = Path(out)
    if virtual_best:
        configs = (f"{DEFAULT}=", *SINGLES, *configs)
    plan = Bench(
        every_nth(find_tasks(tasks), every),
        make_tools(configs, peers),
        RunLimits(timeout, memory, max(1, processors() // jobs)),
        jobs,
        folder,
    )
    results = Results(folder / "results.jsonl", fresh=not resume)
    interrupted = run_all(plan, results, reporter)
    records = relevant_records(plan, results)
    write_tables(records, folder, reporter)
    if virtual_best and records:
        write_text(folder / "virtual-best.md", markdown(records))
        reporter.output("".join(f"{each}\n" for each in sentences(records)))
    if plots and records:
        write_plots(records, timeout, folder, reporter)
    if interrupted:
        reporter.error("remuda: interrupted; run the same command again to continue")
        return INTERRUPTED
    return WRONG if summarize(records)["wrong"] else 0


def make_tools(configs: Sequence[str], peers: Sequence[str]) -> list[Tool]:
    """The tools to run. Results contain their names, so these must differ."""
    tools: list[Tool] = [make_configuration(text) for text in configs or ("default=",)]
    tools += [find_peer(name) for name in dict.fromkeys(peers)]
    names = [tool.name for tool in tools]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(
                f"two configurations are named `{name}`: give them different names with --config NAME=FLAGS"
            )
    return tools


def make_configuration(text: str) -> Remuda:
    """A configuration of Remuda. Its flags are checked here, before any run."""
    configuration = parse_config(text)
    try:
        verify.make_context("verify", [*configuration.arguments, "task.yml"])
    except click.UsageError as error:
        raise UsageError(f"--config {text!r}: {error.format_message()}") from None
    except click.exceptions.Exit:
        raise UsageError(f"--config {text!r}: these flags print a text and verify nothing; leave them out") from None
    return configuration


def run_all(plan: Bench, results: Results, reporter: Reporter) -> bool:
    """Run the pairs that have no record yet. Returns whether the user interrupted it."""
    watcher = Watcher(reporter)
    try:
        with closing(run_bench(plan, results, watcher.start)) as records:
            for record in records:
                watcher.show(record)
    except KeyboardInterrupt:
        return True
    finally:
        watcher.close()
    return False


@final
class Watcher:
    """Shows a progress bar on a terminal, or a line for every run if requested."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._bar: Progress | None = None
        self._line: TaskID | None = None

    def start(self, total: int) -> None:
        if not is_terminal(sys.stderr) or total == 0:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        # There must be no refreshing thread, because workers are forked from this process.
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
        )
        self._line = self._bar.add_task("", total=total)
        self._bar.start()
        self._bar.refresh()

    def show(self, record: Record) -> None:
        text = run_text(record)
        if self._bar is not None and self._line is not None:
            self._bar.update(self._line, advance=1, description=f"{record.judgement}: {Path(record.task).stem}"[:32])
            self._bar.refresh()
            if self._reporter.verbose:
                self._bar.console.print(text, markup=False, highlight=False)
        elif self._reporter.verbose:
            self._reporter.error(text)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def run_text(record: Record) -> str:
    reason = f" ({record.reason})" if record.reason else ""
    task = f"{record.suite}/{Path(record.task).stem}"
    answer = f"{record.verdict}{reason}: {record.judgement}"
    return f"{task} [{record.config}] {answer}, {record.cpu_seconds:.2f} s, {record.memory_mb:.0f} MB"


def write_tables(records: Sequence[Record], folder: Path, reporter: Reporter) -> None:
    if not records:
        return
    summary = summarize(records)
    texts = {
        "table.md": markdown_report(records),
        "table.txt": text_report(records),
        "summary.json": json.dumps(summary, indent=2, ensure_ascii=False) + "\n",
    }
    for name, text in texts.items():
        write_text(folder / name, text)
    reporter.output(text_table(summary_rows(records)))
    for wrong in summary["wrong"]:
        reporter.output(f"WRONG: {wrong['task']} [{wrong['config']}]: {wrong['verdict']}, ")
        reporter.output(f"expected {wrong['expected']}\n")


def write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error


def write_plots(records: Sequence[Record], seconds: float, folder: Path, reporter: Reporter) -> None:
    from remuda.bench.plots import draw_plots, plots_available

    if plots_available():
        draw_plots(records, seconds, folder)
    else:
        reporter.error("remuda: no plots: matplotlib is not installed (pip install 'remuda[plots]')")
