"""Runs other verifiers on the same tasks.

With stratified inlining, Boogie checks whether the end of the `{:entrypoint}` procedure is reachable. A task about
assertions is first rewritten into that form: an error bit is set where an assertion fails, and the end is reachable
only with the bit set. Boogie prints:

    (0,0): Error BP5001: This assertion might not hold.     the end is reachable
    ... finished with 1 verified, 0 errors                  the end is not reachable within the bound

It prints "Reached recursion bound" only in some of the runs that reach the bound, so "verified" always becomes
`bounded`.

CBMC unwinds loops and recursion, here with unwinding assertions; if only those fail, then the answer is `bounded`.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, final

from remuda.base.errors import UsageError
from remuda.bench.tools import Answer, Execution, Plan, RunLimits, Skipped, Tool, last_words
from remuda.options import Options
from remuda.tasks import Task, asks_for_end, task_options

# Without the last flag, Boogie's trace extraction fails on branches that join in an empty block.
BOOGIE_FLAGS: Final = ("/stratifiedInline:1", "/extractLoops", "/removeEmptyBlocks:0")
C_SUFFIXES: Final = (".c", ".i")
DECLARED: Final = re.compile(r"^procedure ((?:\{:[^}]*\} )+)([^\s(]+)\(", re.MULTILINE)
IMPLEMENTED: Final = re.compile(r"^implementation ([^\s(]+)\(", re.MULTILINE)
FINISHED: Final = re.compile(r"finished with (\d+) verified, (\d+) errors?(.*)")
END_REACHED: Final = re.compile(r"^\(0,0\): Error ", re.MULTILINE)
FAILED_PROPERTY: Final = re.compile(r"^\[([^\]]*)\] .*: FAILURE$", re.MULTILINE)
UNWINDING: Final = re.compile(r"(^|\.)(unwind|recursion)(\.|$)")
CUTS_SILENTLY: Final = "--no-unwinding-assertions"
DATA_MODELS: Final = {"ILP32": "--ILP32", "LP64": "--LP64"}
CALLS_VERIFIER_ASSERT: Final = "call __VERIFIER_assert(0)"
VERIFIER_FUNCTIONS: Final = """\
void __VERIFIER_assert(int condition) { __CPROVER_assert(condition, "assertion"); }
void __VERIFIER_assume(int condition) { __CPROVER_assume(condition); }
"""


@final
@dataclass(frozen=True, slots=True)
class Boogie:
    """Boogie 2.4 with stratified inlining."""

    program: str
    name: str = "boogie"

    def signature(self, limits: RunLimits) -> str:
        return f"boogie {' '.join(BOOGIE_FLAGS)} | {limits.seconds:g} s, {limits.memory_mb} MB"

    def plan(self, task: Task, limits: RunLimits, folder: Path) -> Plan | Skipped:
        if any(file.suffix != ".bpl" for file in task.inputs):
            return Skipped("not a Boogie program")
        if task.options.concurrency:
            return Skipped("Boogie has no threads")
        if task.options.stack_depth_bound is not None:
            return Skipped("Boogie has no limit on the depth of the stack")
        options = task_options(task, Options())
        flags = (self.program, *BOOGIE_FLAGS, f"/recursionBound:{options.bound}")
        if asks_for_end(task):
            return Plan((*flags, *map(str, task.inputs)), limits, options.bound)
        rewritten = folder / f"{task.path.parent.name}-{task.name}.bpl"

        def prepare() -> None:
            write_error_bit_form(task.inputs, options, rewritten)

        return Plan((*flags, str(rewritten)), limits, options.bound, prepare)

    def read(self, execution: Execution) -> Answer:
        finished = FINISHED.search(execution.output)
        if finished is None:
            return Answer(verdict="error", reason=_boogie_complaint(execution))
        errors, rest = int(finished[2]), finished[3]
        if errors and END_REACHED.search(execution.output):
            return Answer(verdict="violated")
        if errors:
            return Answer(verdict="unknown", reason="an assertion of the entry fails, which Boogie reports instead")
        if rest.strip(" ,."):
            return Answer(verdict="unknown", reason=rest.strip(" ,."))
        return (
            Answer(verdict="bounded") if int(finished[1]) else Answer(verdict="error", reason="nothing was checked")
        )


def _boogie_complaint(execution: Execution) -> str:
    """The error message about the program, or the exception that ended Boogie, without messages of its solver."""
    lines = (execution.output + execution.errors).splitlines()
    for mark in ("): error", "exception"):
        for line in lines:
            if mark in line.lower():
                return line.strip()[:300]
    return last_words(execution)


def write_error_bit_form(paths: Sequence[Path], options: Options, target: Path) -> None:
    """Write a Boogie program whose entry's end is reachable if and only if an assertion of the original can fail."""
    from remuda.session import error_bit_text

    text = error_bit_text([str(path) for path in paths], options)
    target.write_text(mark_entries(text), encoding="utf-8")


def mark_entries(text: str) -> str:
    """Repeat `{:entrypoint}` of procedures at their implementations, where Boogie expects it.

    before:  procedure {:entrypoint} main();   implementation main() { ... }
    after:   procedure {:entrypoint} main();   implementation {:entrypoint} main() { ... }
    """
    names = {name for marks, name in DECLARED.findall(text) if "{:entrypoint}" in marks}

    def mark(found: re.Match[str]) -> str:
        return f"implementation {{:entrypoint}} {found[1]}(" if found[1] in names else found[0]

    return IMPLEMENTED.sub(mark, text)


@final
@dataclass(frozen=True, slots=True)
class Cbmc:
    """CBMC on C programs. `arguments` are flags of CBMC, which override those of the task."""

    program: str
    arguments: tuple[str, ...] = ()
    name: str = "cbmc"

    def signature(self, limits: RunLimits) -> str:
        return f"{' '.join(('cbmc', *self.arguments))} | {limits.seconds:g} s, {limits.memory_mb} MB"

    def plan(self, task: Task, limits: RunLimits, folder: Path) -> Plan | Skipped:
        if any(file.suffix not in C_SUFFIXES for file in task.inputs):
            return Skipped("not a C program")
        bound = self._bound() or task_options(task, Options()).bound
        model = DATA_MODELS.get(task.options.data_model or "ILP32")
        if model is None:
            return Skipped(f"data model {task.options.data_model}")
        question = self._question(task, folder)
        if isinstance(question, Skipped):
            return question
        flags = [self.program, model, *self.arguments]
        if self._bound() is None:
            flags += ["--unwind", str(bound)]
        if CUTS_SILENTLY not in self.arguments:
            flags.append("--unwinding-assertions")
        return Plan((*flags, *question, *map(str, task.inputs)), limits, bound)

    def _bound(self) -> int | None:
        """The number of unwindings, if a flag sets it."""
        for flag, value in pairwise(self.arguments):
            if flag == "--unwind" and value.isdecimal():
                return int(value)
        return None

    def _question(self, task: Task, folder: Path) -> tuple[str, ...] | Skipped:
        """The flags and files that describe the property to CBMC."""
        error = task.options.error_spec
        if error.startswith("label "):
            return ("--error-label", error.removeprefix("label ").strip())
        if error == CALLS_VERIFIER_ASSERT:
            functions = folder / "verifier-functions.c"
            functions.write_text(VERIFIER_FUNCTIONS, encoding="utf-8")
            return (str(functions),)
        return Skipped(f"CBMC cannot be asked for: {error or 'an error that the task does not state'}")

    def read(self, execution: Execution) -> Answer:
        if "VERIFICATION SUCCESSFUL" in execution.output:
            return Answer(verdict="bounded" if CUTS_SILENTLY in self.arguments else "proved")
        failed = FAILED_PROPERTY.findall(execution.output)
        if "VERIFICATION FAILED" not in execution.output or not failed:
            return Answer(verdict="error", reason=last_words(execution))
        if all(UNWINDING.search(name) for name in failed):
            return Answer(verdict="bounded")
        return Answer(verdict="violated")


PEERS: Final = ("boogie", "cbmc")


def find_peer(text: str) -> Tool:
    """The peer that a text names, if it is installed; its own flags may follow (for CBMC)."""
    name, *arguments = shlex.split(text) or [""]
    program = shutil.which(name)
    if name not in PEERS:
        raise UsageError(f"--peer {text}: known peers are {', '.join(PEERS)}")
    if program is None:
        raise UsageError(f"--peer {text}: there is no program `{name}` on the search path")
    if name == "cbmc":
        return Cbmc(program, tuple(arguments))
    if arguments:
        raise UsageError(f"--peer {text}: {name} takes no flags here")
    return Boogie(program)
