"""`remuda implications`: which assertions imply which others."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, final

import click

from remuda.base.errors import UsageError
from remuda.cli.commands import SETTINGS
from remuda.cli.flags import seconds_flag, takes_options
from remuda.cli.inputs import resolve
from remuda.cli.show import SCOPES, draw, files_argument, load, reporter_of
from remuda.cli.transform import write_text
from remuda.cli.verify import INTERRUPTED, check_writable
from remuda.results.progress import Progress

if TYPE_CHECKING:
    from remuda.cli.reporter import ProgressLine, Reporter
    from remuda.engines.implication import Effort
    from remuda.options import Options
    from remuda.results.implications import ImplicationGraph

EPILOG: Final = """\b
Exit codes:
  0 done, also if time was up, 1 wrong usage, 2 error in the input, 6 internal error, 130 interrupted

\b
Examples:
  remuda implications queue.c
  remuda implications --check all --html queue.html queue.c
  remuda implications --scope program --bound 3 --equalities queue.bpl
  remuda implications --svg queue.bpl > queue.svg
"""

SECONDS: Final = 60.0  # for everything, unless --timeout says otherwise
QUIET_SECONDS: Final = 1.0  # before progress is shown
PROGRESS_SECONDS: Final = 0.2


@takes_options
@click.command(
    "implications", context_settings=SETTINGS, epilog=EPILOG, short_help="Find which assertions imply which others."
)
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="procedures",
    show_default=True,
    help="Look at the whole program from its entries up to the bound, or at every procedure alone.",
)
@click.option(
    "--distance",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    metavar="N",
    help="Most instructions between two assertions.",
)
@click.option(
    "--equalities/--no-equalities",
    default=False,
    help="Copies and constants that were assigned before the first of two assertions count, too.",
)
@click.option(
    "--both-directions/--no-both-directions",
    default=False,
    help="Look also for assertions that imply earlier ones.",
)
@click.option(
    "--query-seconds",
    type=seconds_flag,
    default="0.5",
    show_default=True,
    metavar="SECONDS",
    help="Longest time for one question; --timeout, or a minute, is for everything.",
)
@click.option("--all-edges", is_flag=True, help="Show also implications that follow from others.")
@click.option("--dot", is_flag=True, help="Write a graph for Graphviz instead.")
@click.option("--svg", is_flag=True, help="Write a picture instead (needs Graphviz).")
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

    If a stronger assertion holds, so do the weaker ones that it implies, wherever executions come to them. Every procedure
    is looked at alone, in whatever state it starts, so that implications hold for every execution; with --scope program
    calls are looked into, and they hold up to the bound.

    \b
    Printed is every assertion with what it implies, without what follows from other lines. Strongest
    assertions are implied by no other, weakest imply no other; equivalent ones imply each other.
    """
    began = time.monotonic()
    to_output = _check_forms(dot=dot, svg=svg, html_path=html_path, json_path=json_path)
    reporter = reporter_of(context)
    paths, options = resolve(context, files, config=None)
    from remuda.engines.implication import Effort

    effort = Effort(distance, query_seconds, began + (options.timeout or SECONDS), ends_at_interrupt=True)
    graph, is_interrupted = _search(
        paths, options, effort, reporter, scope=scope, equalities=equalities, both_directions=both_directions
    )
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
    return INTERRUPTED if is_interrupted else 0


def _check_forms(*, dot: bool, svg: bool, html_path: str | None, json_path: str | None) -> list[str]:
    """What goes to standard output in place of the text: one thing at most."""
    check_writable(json_path)
    check_writable(html_path, "--html")
    wanted = {"--dot": dot, "--svg": svg, "--html -": html_path == "-", "--json -": json_path == "-"}
    given = [name for name, is_given in wanted.items() if is_given]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given[:2])} exclude each other")
    return given


def _search(
    paths: list[str],
    options: Options,
    effort: Effort,
    reporter: Reporter,
    *,
    scope: str,
    equalities: bool,
    both_directions: bool,
) -> tuple[ImplicationGraph, bool]:
    """The graph, and whether somebody did not want to wait for all of it."""
    from remuda.implications.comparison import implication_graph

    with _progress(reporter.progress_line(wanted=True)) as watch:
        program, options = load(paths, options)
        watch.doing = "unwinding"
        with _ending_at_interrupt(effort):
            graph = implication_graph(
                paths[0],
                program,
                options,
                effort,
                scope=scope,
                equalities=equalities,
                both_directions=both_directions,
                progress=watch.show,
            )
    return graph, effort.is_ended


@contextmanager
def _ending_at_interrupt(effort: Effort) -> Iterator[None]:
    """The first interrupt ends the search, which tells what it found; the second one ends everything."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [signal.getsignal(number) for number in numbers]

    def end(*_: object) -> None:
        effort.end()
        restore()

    def restore() -> None:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)

    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        restore()


@final
class _Watch:
    """What goes on, for who looks at the terminal."""

    def __init__(self) -> None:
        self.doing = "reading the program"

    def show(self, number: int, count: int) -> None:
        self.doing = f"comparing assertions: {number + 1} of {count} sequences"


@contextmanager
def _progress(line: ProgressLine | None) -> Iterator[_Watch]:
    """Show what goes on, as soon as it takes long. One sequence may take all the time, hence a thread."""
    watch = _Watch()
    if line is None:
        yield watch
        return
    began = time.monotonic()
    over = threading.Event()

    def tell() -> None:
        seconds = QUIET_SECONDS
        while not over.wait(seconds):
            line(Progress(doing=watch.doing, seconds=time.monotonic() - began))
            seconds = PROGRESS_SECONDS

    thread = threading.Thread(target=tell, daemon=True)
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
