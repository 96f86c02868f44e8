"""Writes results to standard output, and all other messages to standard error."""

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
    """Write text in the terminal's encoding; characters that it lacks become escapes.

    A stream may be closed, also by its reader (`remuda ... | head`). This is no error, and does not change the exit
    code.
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
    """Drop the buffered output, because the interpreter would report an error about it at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


@final
class Reporter:
    """Writes to the terminal for commands. A command sets `verbose`, which is read if the command fails."""

    def __init__(self) -> None:
        self.verbose = False

    def output(self, text: str) -> None:
        write(sys.stdout, text)

    def error(self, text: str) -> None:
        with contextlib.suppress(UsageError):  # an error message could not be written either
            write(sys.stderr, text + "\n")

    def wants_color(self, choice: str) -> bool:
        """Whether to use colors: `always`, `never`, or `auto`: on a terminal, unless NO_COLOR is set."""
        if choice == "auto":
            return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")
        return choice == "always"

    def progress_line(self, *, wanted: bool) -> ProgressLine | None:
        """A line to show progress on, if standard error is a terminal."""
        return ProgressLine(sys.stderr) if wanted and is_terminal(sys.stderr) else None


@final
class ProgressLine:
    """A line that is rewritten during a run, and removed at its end."""

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
