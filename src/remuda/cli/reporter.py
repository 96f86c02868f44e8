"""Where the command line writes: results to standard output, everything else to standard error."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from typing import TYPE_CHECKING, Final, TextIO, final

from remuda.base.errors import UsageError

if TYPE_CHECKING:
    from remuda.results.progress import Progress

CLEAR_LINE: Final = "\r\x1b[K"


def write(stream: TextIO | None, text: str) -> None:
    """Write text whatever the terminal's encoding: what it lacks is shown as an escape.

    A stream may be closed, or closed by its reader (`remuda ... | head`): the exit code still says what there is.
    """
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        silence(stream)
    except OSError as error:
        silence(stream)
        raise UsageError(f"cannot write: {error.strerror}") from None


def silence(stream: TextIO) -> None:
    """Throw away what is left to write, else the interpreter complains about it when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


@final
class Reporter:
    """What a command may do to the terminal. `verbose` is set by the command, and read when one fails."""

    def __init__(self) -> None:
        self.verbose = False

    def output(self, text: str) -> None:
        write(sys.stdout, text)

    def error(self, text: str) -> None:
        with contextlib.suppress(UsageError):  # there is nowhere left to complain
            write(sys.stderr, text + "\n")

    def wants_color(self, choice: str) -> bool:
        """`always`, `never`, or `auto`: a terminal, unless NO_COLOR is set."""
        if choice == "auto":
            return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")
        return choice == "always"

    def progress_line(self, *, wanted: bool) -> ProgressLine | None:
        """A line to show progress on, if standard error is a terminal."""
        return ProgressLine(sys.stderr) if wanted and is_terminal(sys.stderr) else None


@final
class ProgressLine:
    """One line that is rewritten while a run goes on, and gone when it ends."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, progress: Progress) -> None:
        width = shutil.get_terminal_size().columns - 1
        write(self._stream, CLEAR_LINE + progress_text(progress)[:width])

    def clear(self) -> None:
        write(self._stream, CLEAR_LINE)


def progress_text(progress: Progress) -> str:
    if progress.strategies:
        running = ", ".join(progress.strategies)
        decided = f"{progress.decided} of {progress.assertions} assertions decided"
        return f"{running} | bound {progress.bound} | {decided} | {progress.seconds:.1f} s"
    if progress.doing:
        return f"{progress.doing} | {progress.seconds:.1f} s"
    return (
        f"bound {progress.bound} | {progress.instances} procedure instances | {progress.open_calls} open calls | "
        f"{progress.solver_calls} solver calls | {progress.seconds:.1f} s"
    )
