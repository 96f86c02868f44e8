"""`remuda verify`: collects the options, verifies the program, and prints the report."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from remuda.base.errors import UsageError
from remuda.base.reasons import Cause
from remuda.cli.commands import SETTINGS
from remuda.cli.flags import ProgramCommand, takes
from remuda.cli.inputs import resolve
from remuda.cli.reporter import Reporter
from remuda.options import Topic
from remuda.results.report import EXIT_CODES, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection

    from remuda.options import Options
    from remuda.results.report import Report

INTERRUPTED: Final = 130
ACCEPTABLE: Final = (Verdict.BOUNDED.value, Verdict.NOTHING_CHECKED.value)

EPILOG: Final = """\b
Exit codes:
  0 proved, 10 violated, 5 bounded or unknown, 3 nothing checked,
  1 wrong usage, 2 error in the input, 6 internal error, 130 interrupted

\b
Examples:
  remuda verify queue.bpl
  remuda verify --bound 8 --bound-for main/outer=100 queue.bpl
  remuda verify --accept bounded --quiet prelude.bpl queue.bpl
  remuda verify --json report.json --stats task.yml
"""


@takes(*Topic)
@click.command(
    cls=ProgramCommand, context_settings=SETTINGS, epilog=EPILOG, short_help="Check every assertion of a program."
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option(
    "--json",
    "json_path",
    metavar="FILE",
    help="Write the report as JSON; `-` is standard output, in place of the text.",
)
@click.option("--stats", is_flag=True, help="Print statistics of the run.")
@click.option("-q", "--quiet", is_flag=True, help="Print the verdict line only.")
@click.option("-v", "--verbose", is_flag=True, help="Print counterexamples in full, and details of internal errors.")
@click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="Print in colour; `auto` does so on terminals.",
)
@click.option("--accept", multiple=True, type=click.Choice(ACCEPTABLE), help="Exit with code 0 for this verdict too.")
@click.option(
    "--spec", metavar="FILE.prp", help="Check the property in this file, which is in the format of SV-COMP."
)
@click.option(
    "--svcomp", is_flag=True, help="Print the verdict in the format of SV-COMP, as an additional last line."
)
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
    accept: tuple[str, ...],
    spec: str | None,
    svcomp: bool,
) -> int:
    """Check every assertion of a program.

    Several FILEs make up one program. A FILE that ends in .yml is a task definition, which names the program and
    some options. A FILE that ends in .json is a compilation database, which stands for all C files that it compiles.
    """
    reporter = context.find_object(Reporter) or Reporter()
    reporter.verbose = verbose
    if quiet and verbose:
        raise UsageError("--quiet and --verbose exclude each other; give one of them")
    check_writable(json_path)
    paths, options = resolve(context, files, spec)
    report = run(paths, options, reporter, show_progress=not quiet)
    if json_path != "-":
        print_text(report, reporter, color=reporter.wants_color(color), stats=stats, quiet=quiet, verbose=verbose)
    write_json(report, json_path, reporter)
    if svcomp:
        print_verdict_string(report, reporter)
    if options.test_case:
        write_test_cases(report, Path(options.test_case))
    return exit_code(report, accept)


def run(paths: list[str], options: Options, reporter: Reporter, *, show_progress: bool) -> Report:
    """Verify, with a progress line if standard error is a terminal."""
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


def print_verdict_string(report: Report, reporter: Reporter) -> None:
    from remuda.results.verdict_strings import verdict_string

    reporter.output(f"VERDICT: {verdict_string(report)}\n")


def check_writable(path: str | None, flag: str = "--json") -> None:
    """Raise an error before a long run if a file cannot be written after it."""
    if path is None or path == "-":
        return
    if not path:
        raise UsageError(f"{flag} needs the name of a file, or `-` for standard output")
    if Path(path).is_dir():
        raise UsageError(f"cannot write {path}: it is a folder; name a file")
    if not Path(path).absolute().parent.is_dir():
        raise UsageError(f"cannot write {path}: its folder does not exist; create it first")


def write_json(report: Report, path: str | None, reporter: Reporter) -> None:
    if path is None:
        return
    from remuda.results.json_report import to_text

    text = to_text(report)
    if path == "-":
        reporter.output(text)
        return
    _write(Path(path), text)


def write_test_cases(report: Report, folder: Path) -> None:
    """Write a program for each violated assertion, named after it."""
    for result in report.assertions:
        if result.reproduction:
            name = re.sub(r"[^\w.]+", "-", result.identifier)
            _write(folder / f"{name}.c", result.reproduction)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def exit_code(report: Report, accept: Collection[str]) -> int:
    if report.stopped is not None and report.stopped.cause is Cause.INTERRUPTED:
        return INTERRUPTED
    if report.verdict.value in accept:
        return 0
    return EXIT_CODES[report.verdict]
