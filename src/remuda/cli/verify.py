"""`remuda verify`: gather the options, run, print the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from remuda.base.errors import UsageError
from remuda.cli.config import load_config
from remuda.cli.flags import build_options, given_options, takes_options
from remuda.cli.reporter import Reporter
from remuda.results.report import EXIT_CODES, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.options import Options
    from remuda.results.report import Report

INTERRUPTED: Final = 130
TASK_SUFFIXES: Final = (".yml", ".yaml")

EPILOG: Final = """\b
Exit codes:
  0 proved, 10 violated, 5 bounded or unknown,
  1 wrong usage, 2 error in the input, 6 internal error, 130 interrupted

\b
Examples:
  remuda verify queue.bpl
  remuda verify --bound 8 --bound-for main/loop_head.1=100 queue.bpl
  remuda verify --accept bounded --quiet prelude.bpl queue.bpl
  remuda verify --json report.json --stats task.yml
"""


@takes_options
@click.command(epilog=EPILOG, short_help="Check every assertion of a program.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option("--json", "json_path", metavar="FILE", help="Write the report as JSON; `-` is standard output.")
@click.option("--stats", is_flag=True, help="Print what the run cost.")
@click.option("-q", "--quiet", is_flag=True, help="Print the verdict line only.")
@click.option("-v", "--verbose", is_flag=True, help="Print whole counterexamples, and details of internal errors.")
@click.option(
    "--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True, help="Use colours."
)
@click.option("--accept", type=click.Choice(("bounded",)), help="Exit with 0 for this verdict too.")
@click.option("--config", metavar="FILE", help="Options to start from.  [default: ./remuda.toml if it exists]")
@click.pass_context
def verify(
    context: click.Context,
    files: tuple[str, ...],
    *,
    json_path: str | None,
    stats: bool,
    quiet: bool,
    verbose: bool,
    color: str,
    accept: str | None,
    config: str | None,
) -> int:
    """Check every assertion of a program.

    Several FILEs make up one program. A FILE that ends in .yml is a task definition, which names the program and
    its options.
    """
    reporter = context.find_object(Reporter) or Reporter()
    reporter.verbose = verbose
    if quiet and verbose:
        raise UsageError("--quiet and --verbose exclude each other")
    check_writable(json_path)
    paths, options = resolve(context, files, config)
    report = run(paths, options, reporter, show_progress=not quiet)
    if json_path != "-":
        print_text(report, reporter, color=reporter.wants_color(color), stats=stats, quiet=quiet, verbose=verbose)
    write_json(report, json_path, reporter)
    return exit_code(report, accept_bounded=accept == "bounded")


def resolve(context: click.Context, files: Sequence[str], config: str | None) -> tuple[list[str], Options]:
    """The files to read and the options to use: defaults, configuration, task, flags; the later win."""
    given = given_options(context)
    options = build_options(load_config(config), given)
    if not any(is_task(file) for file in files):
        return list(files), options
    if len(files) > 1:
        raise UsageError("a task definition names its own files: give it alone")

    from remuda.tasks import load_task, task_options

    task = load_task(Path(files[0]))
    return [str(path) for path in task.inputs], task_options(task, options, given)


def is_task(file: str) -> bool:
    return file.endswith(TASK_SUFFIXES)


def run(paths: list[str], options: Options, reporter: Reporter, *, show_progress: bool) -> Report:
    """Verify, with a progress line if somebody is watching."""
    from remuda.session import verify_files

    line = reporter.progress_line(wanted=show_progress)
    try:
        return verify_files(paths, options, progress=line)
    finally:
        if line is not None:
            line.clear()


def print_text(report: Report, reporter: Reporter, *, color: bool, stats: bool, quiet: bool, verbose: bool) -> None:
    from remuda.results.text import TextStyle, render

    reporter.output(render(report, TextStyle(color=color, statistics=stats, quiet=quiet, verbose=verbose)))


def check_writable(path: str | None) -> None:
    """Complain before a long run, not after it."""
    if path not in (None, "-") and not Path(path or "").absolute().parent.is_dir():
        raise UsageError(f"cannot write {path}: its folder does not exist")


def write_json(report: Report, path: str | None, reporter: Reporter) -> None:
    if path is None:
        return
    from remuda.results.json_report import to_text

    text = to_text(report)
    if path == "-":
        reporter.output(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def exit_code(report: Report, *, accept_bounded: bool) -> int:
    if report.incomplete == "interrupted":
        return INTERRUPTED
    if accept_bounded and report.verdict is Verdict.BOUNDED:
        return 0
    return EXIT_CODES[report.verdict]
