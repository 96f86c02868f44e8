"""The results of pointer programs with gcc, and the programs with assertions for a verifier.

The program prints the value of every check in every execution, built twice: without optimization but with sanitizers,
and optimized. Programs that a sanitizer stops, or for which the two differ, are not used.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from tests.frontends.c.gcc import MACHINES

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from tests.frontends.c.random_pointers import PointerProgram

SECONDS: Final = 120.0
FLAGS: Final = (
    "-w",
    "-std=gnu11",
    "-fno-strict-aliasing",
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
)
VOTES: Final = (
    ("-O0", "-fsanitize=address,undefined", "-fsanitize=bounds-strict", "-fno-sanitize-recover=all"),
    ("-O1",),
)
ENVIRONMENT: Final = {"ASAN_OPTIONS": "detect_leaks=0", "PATH": os.environ.get("PATH", "")}
FOR_GCC: Final = """\
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
static int input;
#define INPUT input
#define UNKNOWN(pointer) (pointer)
#define CHECK(number, value) printf("%d=%lld ", number, (long long)(value))
static void run(void (*program)(void), int inputs) {
  for (input = 0; input < inputs; input++) {
    int status;
    fflush(stdout);
    if (fork() == 0) {
      program();
      exit(0);
    }
    wait(&status);
    printf(status == 0 ? "\\n" : "undefined\\n");
  }
}
"""
FOR_VERIFIER: Final = """\
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assert(int);
#define UNKNOWN(pointer) __VERIFIER_nondet_pointer()
"""
CHECK: Final = re.compile(r"^(?P<indent>\s*)CHECK\((?P<number>\d+), (?P<value>.*)\);$")


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """An assertion of the verifier's program, and whether it holds."""

    line: int
    holds: bool


def run_gcc(programs: Sequence[PointerProgram], folder: Path, arch: str) -> list[list[dict[int, int]] | None]:
    """The values of each program's checks, for each input; None if gcc gives no usable result."""
    text = FOR_GCC + "".join(_definitions(program, index) for index, program in enumerate(programs))
    calls = "".join(f"  run(program_{index}, {program.worlds});\n" for index, program in enumerate(programs))
    source, binary = folder / "programs.c", folder / "programs"
    source.write_text(f"{text}int main(void) {{\n{calls}  return 0;\n}}\n")
    votes = []
    for flags in VOTES:
        command = ["gcc", *FLAGS, *flags, *MACHINES[arch].flags, "-o", str(binary), str(source)]
        subprocess.run(command, check=True, capture_output=True, text=True)
        found = subprocess.run(
            [str(binary)], check=True, capture_output=True, text=True, timeout=SECONDS, env=ENVIRONMENT
        )
        votes.append(found.stdout.splitlines())
    answers: list[list[dict[int, int]] | None] = []
    lines = iter(zip(*votes, strict=True))
    for program in programs:
        worlds = [next(lines) for _ in range(program.worlds)]
        sure = all(one == other and "undefined" not in one for one, other in worlds)
        answers.append([_values(one) for one, _ in worlds] if sure else None)
    return answers


def _definitions(program: PointerProgram, index: int) -> str:
    head = [*program.types, *program.globals, *program.functions, f"static void program_{index}(void) {{"]
    return "\n".join([*head, *program.lines, "}\n"]).replace("@", f"_{index}")


def _values(line: str) -> dict[int, int]:
    pairs = (word.split("=") for word in line.split())
    return {int(number): int(value) for number, value in pairs}


def verifier_program(
    program: PointerProgram, answers: Sequence[dict[int, int]], random: Random
) -> tuple[str, list[Claim]]:
    """The program with an assertion for each check: the values that gcc printed, or, for some, another one."""
    head = [*FOR_VERIFIER.splitlines(), *program.types, *program.globals, *program.functions, "int main(void) {"]
    claims, lines = [], "\n".join(head).splitlines()
    for line in program.lines:
        match = CHECK.match(line)
        if match is None:
            lines.append(line.replace("INPUT", f"__VERIFIER_nondet_int() & {program.worlds - 1}"))
            continue
        values = [answer[int(match["number"])] for answer in answers]
        holds = random.random() < 0.6
        if not holds:
            wrong = random.randrange(len(values))
            others = {value for answer in answers for value in answer.values()} - {values[wrong]}
            values[wrong] = random.choice([values[wrong] + 1, values[wrong] ^ 1, *sorted(others)])
        value = f"({match['value']})" if re.search(r"[=<] ", match["value"]) else match["value"]
        if min(values) < 0 or max(values) >= 2**31:  # or else conversions might make different values the same
            value = f"(long long)({match['value']})"
        condition = f"{value} == {_expected(values)}"
        lines.append(f"{match['indent']}__VERIFIER_assert({condition});")
        claims.append(Claim(len(lines), holds))
    return "\n".join([*lines, "  return 0;", "}", ""]).replace("@", ""), claims


def _expected(values: Sequence[int]) -> str:
    """A value for each input."""
    text = _literal(values[-1])
    for world in range(len(values) - 2, -1, -1):
        if len(set(values[world:])) > 1:
            text = f"(n == {world} ? {_literal(values[world])} : {text})"
    return text


def _literal(value: int) -> str:
    if value == -(2**63):
        return "(-0x7fffffffffffffffll - 1)"
    return f"{value}ll" if abs(value) >= 2**31 else str(value)


def with_expectations(text: str, claims: Sequence[Claim], verdicts: tuple[str, str] = ("holds", "fails")) -> str:
    lines = text.splitlines()
    for claim in claims:
        lines[claim.line - 1] += f"  //~ {verdicts[0] if claim.holds else verdicts[1]}"
    return "\n".join([*lines, ""])
