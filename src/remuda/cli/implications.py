"""`remuda implications`: finds implications between assertions."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, final

import click

from remuda.base.errors import UsageError
from remuda.base.reasons import Cause
from remuda.cli.commands import SETTINGS
from remuda.cli.flags import PROGRAM, ProgramCommand, seconds_flag, takes
from remuda.cli.inputs import resolve
from remuda.cli.limited import exit_code_of, why_stopped
from remuda.cli.show import SCOPES, draw, files_argument, load, reporter_of
from remuda.cli.transform import write_text
from remuda.cli.verify import check_writable
from remuda.jobs.within_limits import run_within_limits
from remuda.options import Topic
from remuda.results.progress import Progress

if TYPE_CHECKING:
    from remuda.base.reasons import Reason
    from remuda.cli.reporter import ProgressLine, Reporter
    from remuda.engines.implication import ComparisonLimits
    from remuda.options import Options
    from remuda.results.implications import ImplicationGraph

EPILOG: Final = """\b
Exit codes:
  0 done, or a timeout with a result, 5 a limit was reached without one, or memory ran out,
  1 wrong usage, 2 error in the input, 6 internal error, 130 interrupted

\b
Examples:
  remuda implications queue.c
  remuda implications --check all --html queue.html queue.c
  remuda implications --scope program --bound 3 --equalities queue.bpl
  remuda implications --svg queue.bpl > queue.svg
"""

SECONDS: Final = 60.0  # the default of --timeout here
QUIET_SECONDS: Final = 1.0  # the time before progress is shown
PROGRESS_SECONDS: Final = 0.2
GRACE_SECONDS: Final = 5.0  # extra time for the last query


@takes(*PROGRAM, Topic.DEBUGGING, also=("assertion", "bound", "timeout", "memory", "solver"))
@click.command(
    "implications",
    cls=ProgramCommand,
    context_settings=SETTINGS,
    epilog=EPILOG,
    short_help="Find implications between assertions.",
)
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="procedures",
    show_default=True,
    help="Compare assertions in the whole program from its entries up to --bound, or in every procedure separately.",
)
@click.option(
    "--distance",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    metavar="N",
    help="Limit on the number of instructions between two assertions.",
)
@click.option(
    "--equalities/--no-equalities",
    default=False,
    help="Use copies and constants that are assigned before the first of two assertions.",
)
@click.option(
    "--both-directions/--no-both-directions",
    default=False,
    help="Find also assertions that imply earlier ones.",
)
@click.option(
    "--query-seconds",
    type=seconds_flag,
    default="0.5",
    show_default=True,
    metavar="SECONDS",
    help="Time limit for one question. --timeout limits the whole run; its default is 60 seconds here.",
)
@click.option("--all-edges", is_flag=True, help="Print also implications that follow from others.")
@click.option("--dot", is_flag=True, help="Write a graph for Graphviz instead of text.")
@click.option("--svg", is_flag=True, help="Draw the graph as SVG, which needs Graphviz.")
@click.option("--html", "html_path", metavar="FILE", help="Write an interactive page; `-` is standard output.")
@click.option("--json", "json_path", metavar="FILE", help="Write the graph as JSON; `-` is standard output.")
@files_argument
@click.pass_context
def implications(
    context: click.Context,
    files: tuple[str, ...],
    *,
    scope: str,
    distance: int,
    equalities: bool,
    both_directions: bool,
    query_seconds: float,
    all_edges: bool,
    dot: bool,
    svg: bool,
    html_path: str | None,
    json_path: str | None,
) -> int:
    """Find which assertions of a program imply which others.

    If a stronger assertion holds, then the weaker ones that it implies hold too, wherever executions reach them.
    Every procedure is analysed separately, from any state, so implications hold for every execution. With --scope
    program, the analysis covers calls, and implications hold up to the bound.

    The output lists each assertion with those that it implies, without implications that follow from others.
    Strongest assertions are implied by no other, weakest ones imply no other, and equivalent ones imply each other.
    """
    began = time.monotonic()
    to_output = _check_forms(dot=dot, svg=svg, html_path=html_path, json_path=json_path)
    reporter = reporter_of(context)
    paths, options = resolve(context, files)
    from remuda.engines.implication import ComparisonLimits

    effort = ComparisonLimits(distance, query_seconds, began + (options.timeout or SECONDS), ends_at_interrupt=True)
    graph, stopped = _search(
        paths, options, effort, reporter, scope=scope, equalities=equalities, both_directions=both_directions
    )
    if graph is None:
        assert stopped is not None
        reporter.error(f"remuda: {why_stopped(stopped, options)} before there was a result")
        return exit_code_of(stopped, has_result=False)
    if dot or svg:
        from remuda.results.graphs import implication_dot

        draw(reporter, implication_dot(graph, all_edges=all_edges), svg=svg)
    elif not to_output:
        from remuda.results.implication_text import implications_text

        reporter.output(implications_text(graph, all_edges=all_edges))
    if json_path is not None:
        _write(reporter, json_path, json.dumps(graph.as_json(), indent=2) + "\n")
    if html_path is not None:
        from remuda.results.implication_page import implication_page

        _write(reporter, html_path, implication_page(graph, all_edges=all_edges))
    return exit_code_of(stopped, has_result=True)


def _check_forms(*, dot: bool, svg: bool, html_path: str | None, json_path: str | None) -> list[str]:
    """The flags whose output goes to standard output instead of the text; an error if there are several."""
    check_writable(json_path)
    check_writable(html_path, "--html")
    wanted = {"--dot": dot, "--svg": svg, "--html -": html_path == "-", "--json -": json_path == "-"}
    given = [name for name, is_given in wanted.items() if is_given]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given[:2])} exclude each other; give one of them")
    return given


def _search(
    paths: list[str],
    options: Options,
    effort: ComparisonLimits,
    reporter: Reporter,
    *,
    scope: str,
    equalities: bool,
    both_directions: bool,
) -> tuple[ImplicationGraph | None, Reason | None]:
    """The graph, if there is one, and why the search was ended before its time, if it was."""
    with _progress(reporter.progress_line(wanted=True)) as watch:
        outcome = run_within_limits(
            _work,
            (paths, options, effort, scope, equalities, both_directions),
            options,
            on_message=watch.show,
            grace=GRACE_SECONDS,
        )
    if outcome.result is None:
        return None, outcome.stopped
    graph, is_ended = outcome.result
    stopped = outcome.stopped
    if stopped is not None and (is_ended or stopped.cause is Cause.MEMORY):
        note = f"{why_stopped(stopped, options)} before the end of the search: there may be more implications"
        graph = replace(graph, notes=(*graph.notes, note))
    return graph, stopped


def _work(
    send: Callable[[object], None],
    paths: list[str],
    options: Options,
    effort: ComparisonLimits,
    scope: str,
    equalities: bool,  # noqa: FBT001
    both_directions: bool,  # noqa: FBT001
) -> tuple[ImplicationGraph, bool]:
    """The graph, and whether an interrupt ended the search."""
    from remuda.implications.comparison import implication_graph

    def show(number: int, count: int) -> None:
        send(f"comparing assertions: {number + 1} of {count} sequences")

    program, options = load(paths, options)
    send("unwinding")
    with _ending_at_interrupt(effort):
        graph = implication_graph(
            paths[0],
            program,
            options,
            effort,
            scope=scope,
            equalities=equalities,
            both_directions=both_directions,
            progress=show,
        )
    return graph, effort.is_ended


@contextmanager
def _ending_at_interrupt(effort: ComparisonLimits) -> Iterator[None]:
    """A context in which the first interrupt ends the search, which returns its results; the second one ends the
    worker."""
    before = signal.getsignal(signal.SIGINT)

    def end(*_: object) -> None:
        effort.end()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@final
class _Watch:
    """The current work of the worker, for the progress line."""

    def __init__(self) -> None:
        self.doing = "reading the program"

    def show(self, doing: object) -> None:
        self.doing = str(doing)


@contextmanager
def _progress(line: ProgressLine | None) -> Iterator[_Watch]:
    """Show the work of the worker if it takes long. This needs a thread, because one sequence may take all the
    time."""
    watch = _Watch()
    if line is None:
        yield watch
        return
    began = time.monotonic()
    over = threading.Event()

    def show() -> None:
        seconds = QUIET_SECONDS
        while not over.wait(seconds):
            line(Progress(doing=watch.doing, seconds=time.monotonic() - began))
            seconds = PROGRESS_SECONDS

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()
        line.clear()


def _write(reporter: Reporter, path: str, text: str) -> None:
    if path == "-":
        reporter.output(text)
    else:
        write_text(path, text)
