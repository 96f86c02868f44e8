"""Asks Boogie about the procedure `fragment` of a Boogie text.

    ask_boogie(text, seconds=10).failing      -- the lines of the assertions in it that may fail; none: all hold

Boogie writes `FILE(LINE,COLUMN): Error CODE: ...` for each of them, and a summary line. Nothing is claimed unless the
summary counts exactly one procedure and no time-outs. (The /xml file is empty with the version that Debian ships, so
it is not used.)
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, final

from remuda.base.errors import ToolError

FINISHED: Final = re.compile(r"^Boogie program verifier finished with (\d+) verified, (\d+) errors?$", re.MULTILINE)
ERROR: Final = re.compile(r"\((\d+),\d+\): Error BP5001: ")
# Calls beyond the inlining depth fail, and Boogie reports every assertion that may fail.
FLAGS: Final = ("/nologo", "/inline:assert", "/errorLimit:1000", "/errorTrace:0")
FILE: Final = "fragment.bpl"


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """The lines of assertions that may fail. `message` is empty, or says why nothing is claimed."""

    failing: frozenset[int] = frozenset()
    message: str = ""


def boogie_program() -> str:
    """The path of Boogie."""
    found = shutil.which("boogie")
    if found is None:
        raise ToolError("Boogie is not installed: `make peers` (scripts/install-peers) installs it")
    return found


def ask_boogie(text: str, *, procedure: str, seconds: float) -> Answer:
    """Boogie's answer about one procedure, started in any state. Raises `ToolError` if Boogie is not installed."""
    program = boogie_program()
    with TemporaryDirectory(prefix="remuda-boogie-") as folder:
        (Path(folder) / FILE).write_text(text, encoding="utf-8")
        output = _run([program, *FLAGS, f"/proc:{procedure}", FILE], folder, max(0.1, seconds))
    return Answer(message=f"Boogie took more than {seconds:g} seconds") if output is None else read_answer(output)


def _run(command: list[str], folder: str, seconds: float) -> str | None:
    """The output of a command, or None if it does not end in time. The command and its solver are killed then."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def read_answer(output: str) -> Answer:
    finished = FINISHED.search(output)
    if finished is None:
        return Answer(message=f"Boogie did not finish: {output.strip().splitlines()[-1:] or 'no output'}")
    verified, errors = map(int, finished.groups())
    failing = frozenset(int(line) for line in ERROR.findall(output))
    if (verified, errors) == (1, 0) and not failing:
        return Answer()
    if verified == 0 and errors > 0 and failing:
        return Answer(failing)
    return Answer(message=f"Boogie says of {verified} procedures and {errors} errors")
