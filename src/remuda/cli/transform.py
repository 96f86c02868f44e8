"""`remuda transform`: prints a program after one transform, for any verifier."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from remuda.base.errors import UsageError
from remuda.cli.flags import PROGRAM, ProgramCommand, takes
from remuda.cli.inputs import resolve
from remuda.cli.show import files_argument, load, reporter_of
from remuda.options import Topic

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
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    metavar="OUT",
    help="Write the program to this file instead of standard output.",
)
stats_option = click.option(
    "--stats", is_flag=True, help="Print on standard error how much larger the program became."
)


@click.group(epilog=EPILOG, short_help="Transform a program for any verifier.")
def transform() -> None:
    """Transform a program and print it, for any verifier. The result is Boogie text, if the command does not say
    otherwise.

    Several FILEs make up one program, in Boogie or C; a FILE that ends in .yml is a task definition, which names it.
    """


transform.command_class = ProgramCommand


@takes(*PROGRAM, Topic.DEBUGGING, also=("scheduling",))
@transform.command("deep-assert", short_help="Move all assertions into the entry.")
@output_option
@stats_option
@files_argument
@click.pass_context
def transform_deep_assert(context: click.Context, files: tuple[str, ...], *, output: str | None, stats: bool) -> int:
    """Move all assertions into the entry procedure, and out of loops."""
    from remuda.export.transformed import deep_assert

    program, options = load(*resolve(context, files))
    return write(context, deep_assert(program, options), output, stats=stats)


@takes(*PROGRAM, Topic.THREADS, Topic.DEBUGGING)
@transform.command("sequentialize", short_help="Replace threads by choices.")
@output_option
@stats_option
@files_argument
@click.pass_context
def transform_sequentialize(
    context: click.Context, files: tuple[str, ...], *, output: str | None, stats: bool
) -> int:
    """Replace threads by nondeterministic choices that cover the schedules of --rounds, or of --delays."""
    from remuda.export.transformed import sequentialize

    program, options = load(*resolve(context, files))
    return write(context, sequentialize(program, options), output, stats=stats)


@takes(*PROGRAM, Topic.DEBUGGING)
@transform.command("isolate-loops", short_help="Move loops into procedures.")
@output_option
@stats_option
@files_argument
@click.pass_context
def transform_isolate_loops(
    context: click.Context, files: tuple[str, ...], *, output: str | None, stats: bool
) -> int:
    """Move the body of every local loop into a procedure of its own.

    A C program stays C, with a function for each body, unless OUT ends in .bpl. A loop with an exit other than its
    head stays as it is; standard error names these loops of a C program, and the reasons.
    """
    from remuda.export.transformed import isolate_c_loops, isolate_loops
    from remuda.prepare.load import language_of
    from remuda.prepare.read import read_source

    paths, options = resolve(context, files)
    if language_of([read_source(path) for path in paths], options) == "c" and (
        output is None or not output.endswith(".bpl")
    ):
        if len(paths) != 1:
            raise UsageError("isolate-loops writes C for one file only; give one C file, or -o OUT.bpl")
        isolated = isolate_c_loops(paths[0], options)
        for line in isolated.left_alone:
            reporter_of(context).error(line)
        return write(context, isolated.program, output, stats=stats)
    if output is not None and output.endswith(".c"):
        raise UsageError(
            f"cannot write {output}: isolate-loops writes Boogie programs as Boogie; choose a name that ends in .bpl"
        )
    program, options = load(paths, options)
    return write(context, isolate_loops(program, options), output, stats=stats)


def write_text(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8", errors="surrogateescape")  # keeps bytes that are no text
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
