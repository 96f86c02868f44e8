"""Builds a C program that records, and runs it again and again with different inputs.

    runs = RecordedRuns(folder, source, options)
    runs.compile(text, renames)               -- what is wrong, or nothing
    runs.link(harness, stubs)                 -- what is missing, or nothing if the program can run
    runs.run(seed, arguments, typed)          -- what was recorded: (point, values), in order

Every run is a process group of its own in a temporary folder, with limits on time, memory and output that the program
sets itself before its first statement; whatever is left of it afterwards is killed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import ToolError
from remuda.frontends.c.synthesize.harness import SAMPLES_NAME, SEED_NAME, WORDS

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.options import Options

COMPILERS: Final = ("cc", "gcc", "clang")
RUN_SECONDS: Final = 3.0  # by the clock; the program itself counts the time of the processor, and ends sooner
BUILD_SECONDS: Final = 120.0
FLAGS: Final = (
    "-w",
    "-O0",
    "-fwrapv",
    "-fno-strict-aliasing",
    # Old programs leave out declarations and casts.
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-return-mismatch",
)
OPTIONAL: Final = (  # not every compiler has these
    ("-ftrivial-auto-var-init=zero",),  # variables without a value are the same each time
    ("-fno-pie", "-no-pie"),  # inline assembly may need fixed addresses
)
_UNDEFINED: Final = (
    re.compile(r"undefined reference to [`'\"]([\w.$]+)['\"]"),
    re.compile(r"undefined symbol: ([\w.$]+)"),
)

Recorded = tuple[int, tuple[int, ...]]  # a point, and the values there


@final
@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a program cannot be built: nobody defines some names, or the compiler says something else."""

    missing: tuple[str, ...] = ()
    message: str = ""

    @property
    def headline(self) -> str:
        """The first complaint, without the place, which is one in a file that nobody sees."""
        lines = self.message.splitlines()
        complaints = [line.partition("error: ")[2] for line in lines if "error: " in line]
        return complaints[0] if complaints else lines[0] if lines else ""


def compiler() -> str:
    """Where the C compiler of this machine is."""
    for name in COMPILERS:
        found = shutil.which(name)
        if found is not None:
            return found
    raise ToolError(
        f"no C compiler is installed ({', '.join(COMPILERS)}), which runs the program; --no-dynamic does without"
    )


@final
class RecordedRuns:
    """One program in a temporary folder, which the caller removes."""

    def __init__(self, folder: Path, source: Source, options: Options, deadline: float | None = None) -> None:
        self._compiler = compiler()
        self._deadline = deadline
        self._folder = folder
        self._runs = folder / "run"
        self._runs.mkdir()
        self._program = folder / "program"
        here = Path(source.name).absolute().parent
        self._flags = [
            *FLAGS,
            f"-std={options.std}",
            *(f"-I{name}" for name in [str(here), *(str(Path(each).absolute()) for each in options.include_dir)]),
            *(f"-D{define}" for define in options.define),
            *(word for name in options.include for word in ("-include", str(Path(name).absolute()))),
        ]
        self._machine: tuple[str, ...] = ()
        if options.arch == "ilp32" and self._try("-m32"):
            self._machine = ("-m32",)
        for flags in OPTIONAL:
            if self._try(*flags):
                self._machine = (*self._machine, *flags)

    def _try(self, *flags: str) -> bool:
        """Whether programs can be built with some flags, headers and library included."""
        file = self._folder / "nothing.c"
        file.write_text("#include <stdlib.h>\nint main(void) { return 0; }\n")
        return self._call(["-w", *flags, str(file), "-o", str(self._folder / "nothing")]) == ""

    def compile(self, text: str, renames: Mapping[str, str]) -> Trouble | None:
        """Make an object of the program that records, with some names replaced by others."""
        file = self._folder / "program.c"
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        rename = [f"-D{old}={new}" for old, new in renames.items()]
        said = self._call(
            [*self._flags, *self._machine, *rename, "-c", str(file), "-o", str(self._object("program"))]
        )
        return Trouble(message=said) if said else None

    def link(self, harness: str, stubs: str) -> Trouble | None:
        """Make a program of the object; `stubs` define what else nobody does."""
        for name, text in (("harness", harness), ("stubs", stubs)):
            file = self._folder / f"{name}.c"
            file.write_text(text, encoding="utf-8")
            extra = ["-fno-builtin"] if name == "stubs" else []
            said = self._call(["-w", "-O1", *extra, *self._machine, "-c", str(file), "-o", str(self._object(name))])
            if said:
                return Trouble(message=said)
        objects = [str(self._object(name)) for name in ("program", "harness", "stubs")]
        said = self._call([*self._machine, *objects, "-o", str(self._program), "-lm"])
        missing = tuple(dict.fromkeys(name for pattern in _UNDEFINED for name in pattern.findall(said)))
        return Trouble(missing, said) if said else None

    def _object(self, name: str) -> Path:
        return self._folder / f"{name}.o"

    def _call(self, words: Sequence[str]) -> str:
        """Run the compiler; what it says if it fails."""
        seconds = BUILD_SECONDS
        if self._deadline is not None:
            seconds = min(seconds, max(0.01, self._deadline - time.monotonic()))
        try:
            done = subprocess.run(
                [self._compiler, *words],
                cwd=self._folder,
                env={**os.environ, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return "there was not enough time"
        except OSError as problem:
            raise ToolError(f"cannot run {self._compiler}: {problem.strerror or problem}") from None
        said = done.stderr.decode("utf-8", "replace").strip()
        return (said or "the compiler failed") if done.returncode else ""

    def run(self, seed: int, arguments: Sequence[str], typed: str) -> list[Recorded]:
        """Run the program once; `typed` is its standard input. What was recorded until it ended, or was ended."""
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
    """What a run has written: how many words there are, and then for each recording the point, how many values it has, and
    the values. A program may have written anything there: what makes no sense ends it."""
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
