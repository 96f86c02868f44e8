"""`remuda transform`: programs after one transform, for any verifier."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from remuda.base.errors import UsageError
from remuda.cli.flags import takes_options
from remuda.cli.inputs import resolve
from remuda.cli.show import files_argument, load, reporter_of

if TYPE_CHECKING:
    from remuda.export.transformed import Transformed

EPILOG: Final = """\b
Examples:
  remuda transform deep-assert queue.bpl -o lifted.bpl
  remuda transform deep-assert --stats driver.c -o driver.bpl
  remuda transform sequentialize --rounds 2 threads.bpl
  remuda transform isolate-loops queue.c -o isolated.c
"""

output_option = click.option(
    "-o", "--output", type=click.Path(dir_okay=False), metavar="OUT", help="Write the program here."
)
stats_option = click.option("--stats", is_flag=True, help="Say on standard error how the program grew.")


@click.group(epilog=EPILOG, short_help="Rewrite a program for any verifier.")
def transform() -> None:
    """Rewrite a program and print it, as Boogie text unless a command says otherwise, for any verifier.

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
    from remuda.export.transformed import deep_assert

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
    from remuda.export.transformed import sequentialize

    program, options = load(*resolve(context, files, config=None))
    return write(context, sequentialize(program, options), output, stats=stats)


@takes_options
@transform.command("isolate-loops")
@output_option
@stats_option
@files_argument
@click.pass_context
def transform_isolate_loops(
    context: click.Context, files: tuple[str, ...], *, output: str | None, stats: bool
) -> int:
    """Give the body of every local loop a procedure of its own.

    A C program stays C, with a function for each body, unless OUT ends in .bpl. Loops that are left at other places than
    their heads stay; standard error says which, and why.
    """
    from remuda.export.transformed import isolate_c_loops, isolate_loops
    from remuda.prepare.load import language_of
    from remuda.prepare.read import read_source

    paths, options = resolve(context, files, config=None)
    if language_of([read_source(path) for path in paths], options) == "c" and (
        output is None or not output.endswith(".bpl")
    ):
        if len(paths) != 1:
            raise UsageError("isolate-loops takes one C file; with -o OUT.bpl it takes several")
        isolated = isolate_c_loops(paths[0], options)
        for line in isolated.left_alone:
            reporter_of(context).error(line)
        return write(context, isolated.program, output, stats=stats)
    if output is not None and output.endswith(".c"):
        raise UsageError(f"cannot write {output}: a Boogie program does not become C")
    program, options = load(paths, options)
    return write(context, isolate_loops(program, options), output, stats=stats)


def write_text(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8", errors="surrogateescape")  # bytes that are no text stay
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror or problem}") from None


def write(context: click.Context, result: Transformed, output: str | None, *, stats: bool) -> int:
    reporter = reporter_of(context)
    if output is None:
        reporter.output(result.text)
    else:
        write_text(output, result.text)
    if stats:
        sizes = f"{result.before} {result.unit} before, {result.after} after"
        reporter.error(f"{sizes}: {result.growth:.2f} times as many")
    return 0
