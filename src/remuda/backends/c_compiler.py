"""The C compiler of this machine: its path, the flags for a program, and its error messages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import ToolError

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.frontends.c.clang.parse import ParseOptions

COMPILERS: Final = ("cc", "gcc", "clang")
BUILD_SECONDS: Final = 120.0
TOLERANT: Final = (
    "-w",
    "-O0",
    # Old programs lack declarations and casts.
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-return-mismatch",
)
_UNDEFINED: Final = (
    re.compile(r"undefined reference to [`'\"]([\w.$]+)['\"]"),
    re.compile(r"undefined symbol: ([\w.$]+)"),
)


@final
@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a program cannot be built: some names have no definition, or the compiler reports another error."""

    missing: tuple[str, ...] = ()
    message: str = ""

    @property
    def headline(self) -> str:
        """The first error message, without its place, which is in a temporary file."""
        if self.missing:
            return f"{self.missing[0]} is not defined"
        lines = self.message.splitlines()
        complaints = [line.partition("error: ")[2] for line in lines if "error: " in line]
        return complaints[0] if complaints else lines[0] if lines else ""


def compiler(instead: str) -> str:
    """The path of the C compiler of this machine. Without one, the error message recommends `instead`."""
    for name in COMPILERS:
        found = shutil.which(name)
        if found is not None:
            return found
    raise ToolError(
        f"no C compiler is installed ({', '.join(COMPILERS)}), which runs the program: install gcc or clang; {instead}"
    )


def flags_of(sources: Sequence[Source], parsing: ParseOptions) -> list[str]:
    """The flags that the compiler and the front end share: include paths, macros, and the version of C."""
    folders = dict.fromkeys(str(Path(source.name).absolute().parent) for source in sources)
    return [
        f"-std={parsing.standard}",
        *(word for folder in folders for word in ("-iquote", folder)),
        *(f"-I{Path(each).absolute()}" for each in parsing.include_dirs),
        *(f"-D{define}" for define in parsing.defines),
        *(word for name in parsing.includes for word in ("-include", str(Path(name).absolute()))),
    ]


@final
class CCompiler:
    """Builds programs in a folder, until a deadline."""

    def __init__(self, folder: Path, deadline: float | None, instead: str) -> None:
        self._path = compiler(instead)
        self._folder = folder
        self._deadline = deadline

    def takes(self, *flags: str) -> bool:
        """Whether programs can be built with some flags, including headers and libraries."""
        file = self._folder / "nothing.c"
        file.write_text("#include <stdlib.h>\nint main(void) { return 0; }\n")
        return self.call(["-w", *flags, str(file), "-o", str(self._folder / "nothing")]) is None

    def call(self, words: Sequence[str]) -> Trouble | None:
        """Run the compiler. Returns the trouble if it fails."""
        seconds = BUILD_SECONDS
        if self._deadline is not None:
            seconds = min(seconds, max(0.01, self._deadline - time.monotonic()))
        try:
            done = subprocess.run(
                [self._path, *words],
                cwd=self._folder,
                env={**os.environ, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return Trouble(message="there was not enough time")
        except OSError as problem:
            raise ToolError(f"cannot run {self._path}: {problem.strerror or problem}") from None
        if not done.returncode:
            return None
        said = done.stderr.decode("utf-8", "replace").strip()
        missing = dict.fromkeys(name for pattern in _UNDEFINED for name in pattern.findall(said))
        return Trouble(tuple(missing), said or "the compiler failed")
