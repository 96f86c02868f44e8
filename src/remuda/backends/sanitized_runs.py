"""Builds a C program with the compiler's sanitizers, and runs it once.

    flags = sanitizing(folder, ...)      -- the compiler's flags, or why there are none
    runs = SanitizedRuns(folder, flags, deadline)
    runs.build(text, undefined)          -- the trouble, or None
    runs.run(leaks=False)                -- the end of the run, and the reports of the sanitizers

The run is a separate process group in a temporary folder, without input, with limits on time, memory and output.
After the run, all of its remaining processes are killed. Functions with effects outside the program are replaced by
ones that fail.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from remuda.backends.c_compiler import TOLERANT, CCompiler, Trouble
from remuda.backends.sanitizer_reports import complaints_in
from remuda.base.errors import ToolError
from remuda.frontends.c.synthesize.harness import MEMORY_MB, OUTPUT_MB, OUTSIDE, STUB

if TYPE_CHECKING:
    from remuda.backends.sanitizer_reports import Complaint

INSTEAD: Final = "without --confirm compiled, violations are replayed by Remuda alone"
SECONDS: Final = 10  # of processor time
RUN_SECONDS: Final = 20.0  # of real time
TRIES: Final = 3  # attempts to start: the addresses that a sanitizer needs may be in use by chance
SANITIZERS: Final = ("-g", "-fsanitize=address,undefined", "-fsanitize-recover=all", "-fno-omit-frame-pointer")
MORE_SANITIZERS: Final = (
    "-fsanitize=float-cast-overflow",
    "-fsanitize=bounds-strict",
)  # flags that some compilers lack
POINTERS: Final = frozenset({"popen", "fopen", "fopen64", "freopen", "opendir"})  # functions that return a pointer
NOT_STARTED: Final = (
    "Shadow memory range interleaves",
    "ERROR: AddressSanitizer failed to",
    "Sanitizer CHECK failed",
    "AddressSanitizer: CHECK failed",
    "LeakSanitizer has encountered a fatal error",
    "ReserveShadowMemoryRange failed",
)
LIMITS: Final = {
    "rss limit exhausted": f"it needs more than {MEMORY_MB} MB",
    "AddressSanitizer: stack-overflow": "the stack overflows",
    "AddressSanitizer: out of memory": f"it needs more than {MEMORY_MB} MB",
    "AddressSanitizer: allocation-size-too-big": "it allocates more than there is",
}
# No sanitizer can start under a worker's limit on address space.
START: Final = 'ulimit -S -v unlimited 2>/dev/null; ulimit -t {seconds}; ulimit -f {blocks}; ulimit -c 0; exec "$0"'
OPTIONS: Final = (
    "handle_abort=1",  # report a failing assertion with its call stack
    "halt_on_error=0",
    "detect_stack_use_after_return=1",
    "allocator_may_return_null=1",
    "symbolize=1",
    "color=never",
    f"hard_rss_limit_mb={MEMORY_MB}",
)


def sanitizing(folder: Path, *, is_32_bit: bool, deadline: float | None) -> tuple[str, ...] | str:
    """The flags with which this machine's compiler builds programs with its sanitizers, or the reason why it
    cannot."""
    compiler = CCompiler(folder, deadline, INSTEAD)
    flags = (*SANITIZERS, "-m32") if is_32_bit else SANITIZERS
    if compiler.takes(*flags, *MORE_SANITIZERS):
        return (*flags, *MORE_SANITIZERS)
    if not compiler.takes(*SANITIZERS):
        return "the C compiler cannot build with its sanitizers (on Debian, gcc and libasan must be installed)"
    if not compiler.takes(*flags):
        return "the C compiler cannot build 32-bit programs (on Debian, gcc-multilib must be installed)"
    return (*flags, *(flag for flag in MORE_SANITIZERS if compiler.takes(*flags, flag)))


@final
@dataclass(frozen=True, slots=True)
class SanitizedRun:
    """The result of a run. `limit` is the limit that it exceeded, if any; `started` says whether the sanitizers
    started."""

    status: int
    complaints: tuple[Complaint, ...]
    limit: str = ""
    started: bool = True

    @property
    def ending(self) -> str:
        if self.status >= 0:
            return f"it ended with exit status {self.status}"
        try:
            return f"it was ended by {signal.Signals(-self.status).name}"
        except ValueError:
            return f"it was ended by signal {-self.status}"


@final
class SanitizedRuns:
    """One program in a temporary folder, which the caller removes."""

    def __init__(self, folder: Path, flags: Sequence[str], deadline: float | None) -> None:
        self._compiler = CCompiler(folder, deadline, INSTEAD)
        self._folder = folder
        self._deadline = deadline
        self._program = folder / "program"
        self._flags = [*TOLERANT, *flags]
        self.stubbed: tuple[str, ...] = ()

    def build(self, text: str, undefined: Collection[str]) -> Trouble | None:
        """Build a program; `undefined` are the functions that the original program only declares. Those that neither
        the text nor the library defines get stubs: `stubbed` has their names."""
        file = self._folder / "program.c"
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        renames = [f"-D{name}={STUB}{name}" for name in undefined if name in OUTSIDE]
        words = [*self._flags, *renames, str(file), "-o", str(self._program), "-lm"]
        trouble = self._compiler.call(words)
        if trouble is None or not trouble.missing:
            return trouble
        if any(name not in undefined and not name.startswith(STUB) for name in trouble.missing):
            return trouble
        self.stubbed = tuple(name.removeprefix(STUB) for name in trouble.missing)
        more = self._folder / "stubs.c"
        more.write_text("".join(f"long {name}() {{ return {_failure(name)}; }}\n" for name in trouble.missing))
        return self._compiler.call([*words, "-fno-builtin", str(more)])

    def run(self, *, leaks: bool = False) -> SanitizedRun:
        run = self._run_once(leaks=leaks)
        for _ in range(TRIES - 1):
            if run.started:
                break
            run = self._run_once(leaks=leaks)
        return run

    def _run_once(self, *, leaks: bool) -> SanitizedRun:
        inside, said = self._folder / "run", self._folder / "said"
        inside.mkdir(exist_ok=True)
        left = RUN_SECONDS if self._deadline is None else min(RUN_SECONDS, self._deadline - time.monotonic())
        start = START.format(seconds=SECONDS, blocks=OUTPUT_MB * 2048)
        options = ":".join((*OPTIONS, f"detect_leaks={int(leaks)}"))
        is_over = False
        with said.open("wb") as errors:
            try:
                process = subprocess.Popen(
                    ["/bin/sh", "-c", start, str(self._program)],
                    cwd=inside,
                    env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "ASAN_OPTIONS": options},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    start_new_session=True,
                )
            except OSError as problem:
                raise ToolError(f"cannot run /bin/sh: {problem.strerror or problem}") from None
            try:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.01, left))
                    is_over = True
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                status = process.wait()
        output = said.read_bytes().decode("utf-8", "replace")
        if any(sign in output for sign in NOT_STARTED):
            return SanitizedRun(status, (), started=False)
        limit = "" if is_over and -status not in {signal.SIGXCPU, signal.SIGKILL} else "it takes too long"
        limit = "it writes too much" if -status == signal.SIGXFSZ else limit
        limit = next((text for sign, text in LIMITS.items() if sign in output), limit)
        return SanitizedRun(status, tuple(complaints_in(output)), limit)


def _failure(name: str) -> int:
    """The result of a stub: -1 or a null pointer, like a failing library function."""
    return -1 if name.startswith(STUB) and name.removeprefix(STUB) not in POINTERS else 0
