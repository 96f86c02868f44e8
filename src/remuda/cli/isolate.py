"""`remuda isolate`: prove assertions in loops and procedures alone, without a search of the program."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import click

from remuda.cli.commands import SETTINGS
from remuda.cli.flags import takes_options
from remuda.cli.inputs import resolve
from remuda.cli.show import files_argument, reporter_of
from remuda.cli.verify import check_writable, exit_code, print_text, run, write_json

EPILOG: Final = """\b
Exit codes:
  0 all proved, 5 some not, 1 wrong usage, 2 error in the input, 6 internal error, 130 interrupted

\b
Examples:
  remuda isolate queue.c
  remuda isolate --backend cbmc queue.c
  remuda isolate --jobs 8 --timeout 60 queue.bpl
"""


@takes_options
@click.command("isolate", context_settings=SETTINGS, epilog=EPILOG, short_help="Prove assertions in loops alone.")
@click.option("--json", "json_path", metavar="FILE", help="Write the report as JSON; `-` is standard output.")
@click.option("--stats", is_flag=True, help="Print what the run cost.")
@click.option(
    "--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True, help="Use colours."
)
@files_argument
@click.pass_context
def isolate(context: click.Context, files: tuple[str, ...], *, json_path: str | None, stats: bool, color: str) -> int:
    """Prove assertions in the smallest loop or procedure that is enough, in whatever state it starts.

    Every assertion is tried in its innermost loop, then in ever larger parts of the program. What no part is enough for
    stays unknown: `remuda verify --isolate` goes on with a search then.
    """
    reporter = reporter_of(context)
    check_writable(json_path)
    paths, options = resolve(context, files, config=None)
    report = run(paths, replace(options, engine="isolation", isolate=True), reporter, show_progress=True)
    if json_path != "-":
        print_text(report, reporter, color=reporter.wants_color(color), stats=stats, quiet=False, verbose=False)
    write_json(report, json_path, reporter)
    return exit_code(report, accept=())
