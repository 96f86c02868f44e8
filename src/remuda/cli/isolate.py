"""`remuda isolate`: prove assertions in isolated loops and procedures, without a search of the program."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import click

from remuda.cli.commands import SETTINGS
from remuda.cli.flags import PROGRAM, ProgramCommand, takes
from remuda.cli.inputs import resolve
from remuda.cli.show import files_argument, reporter_of
from remuda.cli.verify import check_writable, exit_code, print_text, run, write_json
from remuda.options import Topic

EPILOG: Final = """\b
Exit codes:
  0 all proved, 5 some not proved, also because a limit was reached, 3 nothing checked,
  1 wrong usage, 2 error in the input, 6 internal error, 130 interrupted

\b
Examples:
  remuda isolate queue.c
  remuda isolate --backend cbmc queue.c
  remuda isolate --jobs 8 --timeout 60 queue.bpl
"""


@takes(
    *PROGRAM,
    Topic.LIMITS,
    Topic.DEBUGGING,
    also=(
        *("assertion", "reachability", "bound", "challenge", "candidates", "backend"),
        *("summaries", "seed", "solver", "joins"),
    ),
)
@click.command(
    "isolate",
    cls=ProgramCommand,
    context_settings=SETTINGS,
    epilog=EPILOG,
    short_help="Prove assertions in isolated loops and procedures.",
)
@click.option(
    "--json",
    "json_path",
    metavar="FILE",
    help="Write the report as JSON; `-` is standard output, in place of the text.",
)
@click.option("--stats", is_flag=True, help="Print statistics of the run.")
@click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="Print in colour; `auto` does so on terminals.",
)
@files_argument
@click.pass_context
def isolate(context: click.Context, files: tuple[str, ...], *, json_path: str | None, stats: bool, color: str) -> int:
    """Prove each assertion in the smallest loop or procedure that suffices, from any state.

    An assertion is tried in its innermost loop first, then in larger and larger parts of the program. An assertion that
    no part proves is unknown; `remuda verify --isolate` continues with a search.
    """
    reporter = reporter_of(context)
    check_writable(json_path)
    paths, options = resolve(context, files)
    report = run(paths, replace(options, engine="isolation", isolate=True), reporter, show_progress=True)
    if json_path != "-":
        print_text(report, reporter, color=reporter.wants_color(color), stats=stats, quiet=False, verbose=False)
    write_json(report, json_path, reporter)
    return exit_code(report, accept=())
