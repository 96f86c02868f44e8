"""The entry point: arguments in, exit code out.

    0 proved   10 violated   5 bounded or unknown   1 usage   2 input   6 internal or tool failure   130 interrupted

Only this module turns errors into messages on standard error.
"""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, Final, Never

from remuda import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.cli.reporter import Reporter

USAGE: Final = 1
INPUT: Final = 2
INCONCLUSIVE: Final = 5
INTERNAL: Final = 6
INTERRUPTED: Final = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments in (["--version"], ["-V"]):  # answered before slow imports
        sys.stdout.write(f"remuda {__version__}\n")
        return 0

    try:
        signal.signal(signal.SIGTERM, _interrupt)  # so that a run reports its results, and ends its workers
        from remuda.cli.reporter import Reporter

        return run(arguments, Reporter())
    except KeyboardInterrupt:  # during imports, or while the last message is written
        sys.stderr.write("\nremuda: interrupted\n")
        return INTERRUPTED


def _interrupt(*_: object) -> Never:
    raise KeyboardInterrupt


def run(arguments: list[str], reporter: Reporter) -> int:
    """Run a command of the group, and turn its exceptions into a message and an exit code."""
    import click

    from remuda.base.errors import FileError, InputError, ToolError, Unsupported, UsageError
    from remuda.cli.commands import cli

    try:
        code = cli.main(arguments, prog_name="remuda", standalone_mode=False, obj=reporter)
    except click.ClickException as error:
        error.show(sys.stderr)
        return USAGE
    except UsageError as error:
        reporter.error(f"remuda: error: {error}")
        return USAGE
    except InputError as error:
        reporter.error(f"{error}\n{count_errors(len(error.diagnostics))}")
        return INPUT
    except FileError as error:
        reporter.error(f"remuda: error: {error}")
        return INPUT
    except Unsupported as error:
        reporter.error(f"{error}\nverdict: unknown")
        return INCONCLUSIVE
    except ToolError as error:
        reporter.error(f"remuda: a tool failed: {error if reporter.verbose else first_line(error)}")
        return INTERNAL
    except click.Abort:
        reporter.error("remuda: interrupted")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the outer edge: a defect of ours becomes a message, not a traceback
        return report_defect(error, reporter)
    return code if isinstance(code, int) else 0


def count_errors(count: int) -> str:
    return "1 error" if count == 1 else f"{count} errors"


def first_line(error: Exception) -> str:
    """The first line of a message; others may be the traceback of a worker process."""
    return str(error).partition("\n")[0]


def report_defect(error: Exception, reporter: Reporter) -> int:
    """Report a defect of Remuda itself; --verbose adds the traceback."""
    from remuda.base.errors import InternalError

    if reporter.verbose:
        import traceback

        reporter.error("".join(traceback.format_exception(error)).rstrip())
    kind = "" if isinstance(error, InternalError) else f"{type(error).__name__}: "
    reporter.error(f"remuda: internal error: {kind}{first_line(error)}")
    again = "" if reporter.verbose else " Run again with --verbose for details, and"
    reporter.error(f"This is a defect of Remuda {__version__}, not of your program.{again or ' Please'} report it.")
    return INTERNAL


if __name__ == "__main__":
    sys.exit(main())
