"""`remuda transform`: programs after one transform, for any verifier."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from remuda.base.errors import FileError
from remuda.cli.flags import takes_options
from remuda.cli.inputs import resolve
from remuda.cli.show import files_argument, load, reporter_of

if TYPE_CHECKING:
    from remuda.session.transformed import Transformed

EPILOG: Final = """\b
Examples:
  remuda transform deep-assert queue.bpl -o lifted.bpl
  remuda transform deep-assert --stats driver.c -o driver.bpl
  remuda transform sequentialize --rounds 2 threads.bpl
"""

output_option = click.option(
    "-o", "--output", type=click.Path(dir_okay=False), metavar="OUT", help="Write the program here."
)
stats_option = click.option("--stats", is_flag=True, help="Say on standard error how the program grew.")


@click.group(epilog=EPILOG, short_help="Rewrite a program for any verifier.")
def transform() -> None:
    """Rewrite a program and print it as Boogie text, for any verifier.

    Several FILEs make up one program, in Boogie or C; a FILE that ends in .yml is a task definition, which names it.
    """


@takes_options
@transform.command("deep-assert")
@output_option
@stats_option
@files_argument
@click.pass_context
def transform_deep_assert(context: click.Context, files: tuple[str, ...], *, output: str | None, stats: bool) -> int:
    """Lift all assertions into the entry procedure, out of loops too."""
    from remuda.session.transformed import deep_assert

    program, options = load(*resolve(context, files, config=None))
    return write(context, deep_assert(program, options), output, stats=stats)


@takes_options
@transform.command("sequentialize")
@output_option
@stats_option
@files_argument
@click.pass_context
def transform_sequentialize(
    context: click.Context, files: tuple[str, ...], *, output: str | None, stats: bool
) -> int:
    """Make the schedules of --rounds rounds choices of a program without threads."""
    from remuda.session.transformed import sequentialize

    program, options = load(*resolve(context, files, config=None))
    return write(context, sequentialize(program, options), output, stats=stats)


def write_text(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise FileError(f"cannot write {path}: {problem.strerror or problem}") from None


def write(context: click.Context, result: Transformed, output: str | None, *, stats: bool) -> int:
    reporter = reporter_of(context)
    if output is None:
        reporter.output(result.text)
    else:
        write_text(output, result.text)
    if stats:
        sizes = f"{result.before} statements and blocks before, {result.after} after"
        reporter.error(f"{sizes}: {result.growth:.2f} times as many")
    return 0
