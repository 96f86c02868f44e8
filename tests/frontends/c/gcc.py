"""C computations as one program: for gcc, which computes their results, and for a verifier, which must agree.

For gcc, the program prints a line for each computation: its result for each choice of its inputs, or `undefined` if
the sanitizer stops it. Every execution is a separate process, which starts with fresh static variables. The verifier
must prove that the result is one of those numbers, and must refute that it is not one of them.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base.source import Source
from remuda.portfolio.run import run
from remuda.results.report import Verdict
from remuda.results.unsupported import UNSUPPORTED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from remuda.options import Options
    from tests.frontends.c.random_c import Computation


@final
@dataclass(frozen=True, slots=True)
class Machine:
    """What gcc makes programs for."""

    flags: tuple[str, ...]


MACHINES: Final = {
    "lp64": Machine(("-m64",)),
    "ilp32": Machine(("-m32", "-msse2", "-mfpmath=sse")),  # otherwise floats would be wider than their types
}
MACROS: Final = """\
#define MIX(v) (h = (h << 7 | h >> 57) ^ (unsigned long long)(v))
static int whole(double x) { return x > -30000.0 && x < 30000.0 ? (int)x : 3; }
#define WHOLE(x) whole(x)
"""
FOR_GCC: Final = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
static unsigned inputs;
#define INPUT(type, name, number, one, other) type name = inputs >> number & 1 ? (type)(other) : (type)(one)
"""
FOR_VERIFIER: Final = """\
unsigned long long __VERIFIER_nondet_ulonglong(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void *malloc(__SIZE_TYPE__), *calloc(__SIZE_TYPE__, __SIZE_TYPE__), free(void *);
void *memcpy(void *, const void *, __SIZE_TYPE__), *memset(void *, int, __SIZE_TYPE__);
#define INPUT(type, name, number, one, other) \\
  type name = (type)__VERIFIER_nondet_ulonglong(); __VERIFIER_assume(name == (type)(one) || name == (type)(other))
"""
MAIN: Final = """\
static void tell(unsigned long long (*compute)(void), unsigned count) {
  for (inputs = 0; inputs < 1u << count; inputs++) {
    int status;
    fflush(stdout);
    if (fork() == 0) {
      printf("%llu ", compute());
      exit(0);
    }
    wait(&status);
    if (status != 0) printf("undefined ");
  }
  printf("\\n");
}
int main(void) {
"""
SECONDS: Final = 10.0  # that a program may run
FLAGS: Final = (
    "-w",
    "-std=gnu11",
    "-fno-strict-aliasing",
    "-fsanitize=undefined,float-cast-overflow",
    "-fsanitize-undefined-trap-on-error",
)


def compile_and_run(text: str, folder: Path, machine: Machine) -> str:
    """The output of a program."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    subprocess.run(["gcc", *FLAGS, *machine.flags, "-o", str(program), str(source), "-lm"], check=True)
    return subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=SECONDS).stdout


def can_run(machine: Machine, folder: Path) -> bool:
    """Whether gcc can make programs for a machine, and this one can run them."""
    source, program = folder / "nothing.c", folder / "nothing"
    source.write_text("#include <stdio.h>\nint main(void) { return 0; }\n")
    made = subprocess.run(
        ["gcc", *machine.flags, "-o", str(program), str(source)], check=False, capture_output=True, text=True
    )
    return made.returncode == 0 and subprocess.run([str(program)], check=False).returncode == 0


def run_gcc(computations: Sequence[Computation], folder: Path, machine: Machine) -> list[list[int] | None]:
    """All possible results of each computation; None if it may have undefined behaviour."""
    calls = "".join(f"  tell({each.name}, {each.inputs});\n" for each in computations)
    text = FOR_GCC + MACROS + "".join(each.text for each in computations) + MAIN + calls + "  return 0;\n}\n"
    lines = compile_and_run(text, folder, machine).splitlines()
    return [None if "undefined" in line else sorted({int(word) for word in line.split()}) for line in lines]


def verifier_program(computation: Computation, values: Sequence[int]) -> str:
    """A computation and two claims: that its result is one of the values, and that it is not one of them."""
    possible = " || ".join(f"got == {value}ull" for value in values)
    lines = [
        "int main(void) {",
        f"  unsigned long long got = {computation.name}();",
        f"  __VERIFIER_assert({possible});",
        f"  __VERIFIER_assert(got != {values[len(values) // 2]}ull);",
        "  return 0;",
        "}",
    ]
    return FOR_VERIFIER + MACROS + computation.text + "\n".join(lines) + "\n"


PROVED: Final = frozenset({Verdict.PROVED, Verdict.BOUNDED})


def is_answered(text: str, options: Options) -> bool:
    """Whether the verifier reports the second one of two claims as violated, and only that one.

    Otherwise the time may have run out, no execution may reach the claims within the bound, or a construct may not be
    supported.
    """
    report = run([Source("computation.c", text)], options, send=lambda _: None)
    if [result.kind for result in report.assertions] == ["unsupported"]:
        return False
    same, other = [result for result in report.assertions if result.kind != UNSUPPORTED]
    message = f"{same.verdict}, {other.verdict}:\n{text}"
    assert same.verdict is not Verdict.VIOLATED, message
    if other.verdict is Verdict.UNKNOWN or other.bound is not None:
        return False
    assert other.verdict is Verdict.VIOLATED, message
    assert other.trace is not None
    assert same.verdict in {*PROVED, Verdict.UNKNOWN}, message
    return same.verdict is not Verdict.UNKNOWN
