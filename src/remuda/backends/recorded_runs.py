"""Builds a C program that records values, and runs it repeatedly with different inputs.

    runs = RecordedRuns(folder, source, parsing)
    runs.compile(text, renames)               -- the trouble, or None
    runs.link(harness, stubs)                 -- what is missing, or None if the program can run
    runs.run(seed, arguments, typed)          -- the recordings: (point, values), in order

Every run is a separate process group in a temporary folder. The program limits its time, memory and output itself,
before its first statement. After the run, all of its remaining processes are killed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from remuda.backends.c_compiler import TOLERANT, CCompiler, flags_of
from remuda.frontends.c.synthesize.harness import SAMPLES_NAME, SEED_NAME, WORDS

if TYPE_CHECKING:
    from remuda.backends.c_compiler import Trouble
    from remuda.base.source import Source
    from remuda.frontends.c.clang.parse import ParseOptions

RUN_SECONDS: Final = 3.0  # of real time; the program also limits its processor time
FLAGS: Final = (*TOLERANT, "-fwrapv", "-fno-strict-aliasing")
OPTIONAL: Final = (  # flags that some compilers lack
    ("-ftrivial-auto-var-init=zero",),  # uninitialized variables have the same value in all runs
    ("-fno-pie", "-no-pie"),  # inline assembly may need fixed addresses
)
INSTEAD: Final = "--no-dynamic does without"

Recorded = tuple[int, tuple[int, ...]]  # the number of a point, and the values there


@final
class RecordedRuns:
    """One program in a temporary folder, which the caller removes."""

    def __init__(self, folder: Path, source: Source, parsing: ParseOptions, deadline: float | None = None) -> None:
        self._compiler = CCompiler(folder, deadline, INSTEAD)
        self._folder = folder
        self._runs = folder / "run"
        self._runs.mkdir()
        self._program = folder / "program"
        self._flags = [*FLAGS, *flags_of([source], parsing)]
        self._machine: tuple[str, ...] = ()
        if parsing.machine.pointer_width == 32 and self._compiler.takes("-m32"):
            self._machine = ("-m32",)
        for flags in OPTIONAL:
            if self._compiler.takes(*flags):
                self._machine = (*self._machine, *flags)

    def compile(self, text: str, renames: Mapping[str, str]) -> Trouble | None:
        """Compile the recording program to an object file, with some names replaced by others."""
        file = self._folder / "program.c"
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        rename = [f"-D{old}={new}" for old, new in renames.items()]
        return self._compiler.call(
            [*self._flags, *self._machine, *rename, "-c", str(file), "-o", str(self._object("program"))]
        )

    def link(self, harness: str, stubs: str) -> Trouble | None:
        """Link the object file to a program; `stubs` define functions without a definition."""
        for name, text in (("harness", harness), ("stubs", stubs)):
            file = self._folder / f"{name}.c"
            file.write_text(text, encoding="utf-8")
            extra = ["-fno-builtin"] if name == "stubs" else []
            trouble = self._compiler.call(
                ["-w", "-O1", *extra, *self._machine, "-c", str(file), "-o", str(self._object(name))]
            )
            if trouble is not None:
                return trouble
        objects = [str(self._object(name)) for name in ("program", "harness", "stubs")]
        return self._compiler.call([*self._machine, *objects, "-o", str(self._program), "-lm"])

    def _object(self, name: str) -> Path:
        return self._folder / f"{name}.o"

    def run(self, seed: int, arguments: Sequence[str], typed: str) -> list[Recorded]:
        """Run the program once; `typed` is its standard input. Returns the recordings until the program ended or was
        killed."""
        shutil.rmtree(self._runs, ignore_errors=True)
        self._runs.mkdir()
        samples = self._runs / SAMPLES_NAME
        with samples.open("wb") as file:
            file.truncate(WORDS * 8)
        given = self._folder / "input"
        given.write_text(typed, encoding="ascii")
        with given.open("rb") as standard_input:
            process = subprocess.Popen(
                [str(self._program), *arguments],
                cwd=self._runs,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", SEED_NAME: str(seed)},
                stdin=standard_input,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(RUN_SECONDS)
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return _read(samples)


def _read(samples: Path) -> list[Recorded]:
    """The recordings of a run. The file has the number of words, and then for each recording the point, the number of
    values, and the values. A program may have overwritten it, so reading ends at the first invalid word."""
    try:
        with samples.open("rb") as file:
            used = int.from_bytes(file.read(8), sys.byteorder, signed=True)
            words = array("q", file.read(8 * max(0, min(used, WORDS - 1))))
    except OSError:
        return []
    found: list[Recorded] = []
    at = 0
    while at + 1 < len(words):
        point, count = words[at], words[at + 1]
        if count < 0 or at + 2 + count > len(words):
            break
        found.append((point, tuple(words[at + 2 : at + 2 + count])))
        at += 2 + count
    return found
