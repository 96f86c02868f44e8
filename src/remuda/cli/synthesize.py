"""`remuda synthesize`: writes candidate assertions into a program."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click

from remuda.base.errors import UsageError
from remuda.base.predicates import Moment
from remuda.cli.commands import SETTINGS
from remuda.cli.flags import ProgramCommand, takes
from remuda.cli.inputs import resolve
from remuda.cli.show import files_argument, reporter_of
from remuda.cli.transform import output_option, write_text
from remuda.options import Topic
from remuda.results.progress import Progress

if TYPE_CHECKING:
    from remuda.cli.reporter import Reporter
    from remuda.synthesis.synthesize import Synthesized

MOST: Final = 1500
RUNS: Final = 24
QUIET_SECONDS: Final = 1.0  # the time before progress is shown

EPILOG: Final = """\b
Examples:
  remuda synthesize queue.c -o candidates.c && remuda verify candidates.c
  remuda synthesize --independent queue.c -o candidates.c && remuda verify candidates.c
  remuda synthesize --no-dynamic --at entries,exits queue.c
  remuda synthesize --no-static --runs 100 --seed 7 queue.c -o likely.c
  remuda synthesize --most 200 task.yml -o candidates.c
"""


def _moments(_context: click.Context, _parameter: click.Parameter, text: str) -> frozenset[Moment]:
    known = {moment.value: moment for moment in Moment}
    names = [name.strip() for name in text.split(",") if name.strip()]
    wrong = [name for name in names if name not in known]
    if wrong or not names:
        raise click.BadParameter(f"{', '.join(map(repr, wrong)) or repr(text)}: choose from {', '.join(known)}.")
    return frozenset(known[name] for name in names)


@takes(Topic.INPUT, also=("entry", "timeout", "seed"), but=("compile_commands",))
@click.command(
    "synthesize",
    cls=ProgramCommand,
    context_settings=SETTINGS,
    epilog=EPILOG,
    short_help="Write candidate assertions into a program.",
)
@output_option
@click.option(
    "--static/--no-static",
    default=True,
    show_default=True,
    help="Assert what the constants and variables of the text suggest.",
)
@click.option(
    "--dynamic/--no-dynamic",
    default=True,
    show_default=True,
    help="Run the program, and assert what held whenever a point was reached.",
)
@click.option(
    "--at",
    "moments",
    default="entries,exits,loops",
    show_default=True,
    metavar="POINTS",
    callback=_moments,
    help="Places of assertions, separated by commas: entries and exits of functions, and the start of loop bodies.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=MOST,
    show_default=True,
    metavar="N",
    help="Limit on the number of assertions.",
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=RUNS,
    show_default=True,
    metavar="N",
    help="Number of runs of the program.",
)
@click.option(
    "--independent/--no-independent",
    default=False,
    show_default=True,
    help="Let executions skip each assertion, so that one that fails does not hide later ones.",
)
@files_argument
@click.pass_context
def synthesize(
    context: click.Context,
    files: tuple[str, ...],
    *,
    output: str | None,
    static: bool,
    dynamic: bool,
    moments: frozenset[Moment],
    most: int,
    runs: int,
    independent: bool,
) -> int:
    """Write candidate assertions into a program: intervals, orders and equalities of variables, and null pointers.

    A candidate may be false; `remuda verify` decides. Candidates of --static come from the text of the program. For
    --dynamic, a C program is built with the C compiler of this machine and run on inputs that --seed determines; a
    Boogie program is interpreted. Candidates that a run refutes are left out. Every line of the program keeps its
    number.
    """
    if not static and not dynamic:
        raise UsageError("--no-static and --no-dynamic together leave nothing to write; give one of them")
    paths, options = resolve(context, files)
    if options.compile_commands:
        raise UsageError(
            "synthesize takes one file, not a compilation database; give the file, and its compiler flags with -I, -D and --std"
        )
    if len(paths) != 1:
        raise UsageError(f"synthesize takes one file, not {len(paths)}; run it for each file")

    from remuda.synthesis.synthesize import Wishes
    from remuda.synthesis.synthesize import synthesize as make

    reporter = reporter_of(context)
    wishes = Wishes(static=static, dynamic=dynamic, moments=moments, most=most, runs=runs, independent=independent)
    show, clear = _progress(reporter)
    try:
        made = make(paths[0], options, wishes, show)
    finally:
        clear()
    if output is None:
        reporter.output(made.text)
    else:
        write_text(output, made.text)
    for line in summary(made):
        reporter.error(line)
    return 0


def _progress(reporter: Reporter) -> tuple[Callable[[str], None], Callable[[], None]]:
    """The functions that show progress, and that remove it."""
    line = reporter.progress_line(wanted=True)
    if line is None:
        return lambda _: None, lambda: None
    started = time.monotonic()

    def show(doing: str) -> None:
        seconds = time.monotonic() - started
        if seconds > QUIET_SECONDS:
            line(Progress(doing=doing, seconds=seconds))

    return show, line.clear


def summary(made: Synthesized) -> list[str]:
    """The numbers of assertions by their origin."""
    lines = [f"note: {note}" for note in made.notes]
    where = f"{made.assertions} assertions at {made.points} points of {made.functions} functions"
    origins = [f"{made.static} suggested by the text"] if made.static else []
    origins += [f"{made.dynamic} true in all of {made.runs} runs"] if made.runs else []
    lines.append(f"{where}: {', '.join(origins)}" if origins else where)
    if made.contradicted:
        lines.append(f"{made.contradicted} suggestions were contradicted by a run")
    if made.left_out:
        lines.append(f"{made.left_out} more were left out; raise --most to get them")
    return lines
