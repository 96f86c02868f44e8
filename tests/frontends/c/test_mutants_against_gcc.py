"""Golden C programs with one token changed: the failing assertions are those of gcc, or of CBMC.

A constant, an index or an operator becomes another one, so that assertions which held may fail, and others hold.
Programs without inputs are run: every assertion prints whether it holds. Programs with inputs are given to CBMC.
"""

from __future__ import annotations

import itertools
import re
import secrets
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import pytest

from remuda.base.source import Source
from remuda.portfolio.run import run
from tests.frontends.c.pointer_truth import ENVIRONMENT, VOTES
from tests.golden_programs import C_PROGRAMS, options_of
from tests.patience import PATIENCE
from tests.peers.cbmc import OTHERWISE, ask_cbmc, our_failures

pytestmark = pytest.mark.peer("gcc")

FEW: Final = 24
MANY: Final = 500
SECONDS: Final = 10.0
OUTSIDE: Final = re.compile(r"nondet|assume|extern|volatile|pthread|thrd_|\bscanf|fopen|getchar|argv")
TOKEN: Final = re.compile(r"(?<![\w.\"'\\])\d+(?![\w.\"'])|(?<=\s)(?:\+|-|\*|<|<=|>|>=|==|!=|&|\||\^|<<|>>)(?=\s)")
OTHERS: Final = {
    **dict.fromkeys(("+", "-", "*"), ("+", "-", "*")),
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), ("<", "<=", ">", ">=", "==", "!=")),
    **dict.fromkeys(("&", "|", "^"), ("&", "|", "^")),
    **dict.fromkeys(("<<", ">>"), ("<<", ">>")),
}
# Reports each line's assertions instead of stopping at them.
FOR_GCC: Final = """\
#define _GNU_SOURCE
#include <stdio.h>
#define __VERIFIER_assert(...) ((void)printf("%d=%d ", __LINE__, !!(__VA_ARGS__)))
#line 1
"""
DECLARED: Final = re.compile(
    r"^(#include <assert\.h>|(extern )?void __VERIFIER_assert\(int[ a-z]*\);)$", re.MULTILINE
)
UNINITIALISED: Final = ((), ("-ftrivial-auto-var-init=pattern",))  # reads of what has no value differ


def same_assertions(text: str) -> str:
    """CBMC goes on where `assert` fails, but not where `__VERIFIER_assert` does: so the latter everywhere."""
    declared = text.replace("#include <assert.h>", "void __VERIFIER_assert(int condition);")
    return re.sub(r"(?<!\w)assert\(", "__VERIFIER_assert(", declared)


def mutant(text: str, random: Random) -> str:
    """The program with one token changed; comments and lines of the preprocessor stay."""
    places = [
        (number, found)
        for number, line in enumerate(text.splitlines())
        if not line.lstrip().startswith(("#", "//"))
        for found in TOKEN.finditer(line.split("//")[0])
    ]
    number, found = random.choice(places)
    old = found[0]
    if old in OTHERS:
        new = random.choice([each for each in OTHERS[old] if each != old])
    else:
        new = str(random.choice([each for each in (int(old) + 1, max(int(old) - 1, 0), 0, 1, 2) if each != int(old)]))
    lines = text.splitlines()
    lines[number] = lines[number][: found.start()] + new + lines[number][found.end() :]
    return "\n".join([*lines, ""])


def ask_gcc(text: str, folder: Path) -> dict[int, bool] | None:
    """For every line with a reached assertion, whether it fails; None if gcc gives no usable result."""
    source, program = folder / "mutant.c", folder / "mutant"
    source.write_text(FOR_GCC + DECLARED.sub("", text))
    printed = []
    for flags, more in zip(VOTES, UNINITIALISED, strict=True):
        command = [
            "gcc",
            "-w",
            "-std=gnu11",
            "-fno-strict-aliasing",
            *flags,
            *more,
            "-o",
            str(program),
            str(source),
            "-lm",
        ]
        if subprocess.run(command, check=False, capture_output=True).returncode != 0:
            return None
        try:
            done = subprocess.run(
                [str(program)],
                check=False,
                capture_output=True,
                timeout=SECONDS,
                env=ENVIRONMENT,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return None
        if done.returncode < 0 or done.stderr:
            return None
        printed.append(done.stdout)
    if printed[0] != printed[1]:
        return None
    found: dict[int, bool] = {}
    for line, holds in re.findall(rb"(\d+)=([01]) ", printed[0]):
        found[int(line)] = found.get(int(line), False) or holds == b"0"
    return found


def compare(path: Path, seed: int, folder: Path) -> int:
    """How many lines of a mutant were compared."""
    text = mutant(same_assertions(path.read_text()), Random(seed))
    options = replace(options_of(text), timeout=PATIENCE, check_ir=True)
    if OUTSIDE.search(text) is None:
        truth = ask_gcc(text, folder)
        options = replace(options, on_failure="continue")
    else:
        changed = folder / path.name
        changed.write_text(text)
        answer = ask_cbmc(changed, options, folder)
        truth = None if isinstance(answer, str) else answer
    if truth is None:
        return 0
    report = run([Source(path.name, text)], options, send=lambda _: None)
    # An execution may fail where C leaves something open that gcc decides otherwise.
    open_ = {each.location.line for each in report.assertions if each.left_open}
    compared = {
        line: fails
        for line, fails in our_failures(report).items()
        if line in truth and (truth[line] or line not in open_)
    }
    assert compared == {line: truth[line] for line in compared}, f"{path.name}, seed {seed}:\n{text}"
    return len(compared)


def compare_all(programs: list[Path], seeds: Iterator[int], count: int, folder: Path) -> int:
    random = Random(next(seeds))
    return sum(compare(random.choice(programs), seed, folder) for seed in itertools.islice(seeds, count))


# In `data_own_value` a variable without a value is read, and gcc may take it for any.
CLOSED: Final = [
    path
    for path in C_PROGRAMS
    if OUTSIDE.search(path.read_text()) is None
    and not path.stem.startswith("check_")
    and path.stem != "data_own_value"
]
OPEN: Final = [
    path
    for path in C_PROGRAMS
    if path not in CLOSED
    and not path.stem.startswith(("check_", "threads", "volatile"))
    and path.stem not in OTHERWISE
]


def test_a_mutant_differs_in_one_token() -> None:
    text = "int a[3]; // 7\n#define N 4\nint main(void) { return a[2] + 1; }\n"
    found = {mutant(text, Random(seed)) for seed in range(200)}
    assert text not in found
    assert "int a[3]; // 7\n#define N 4\nint main(void) { return a[2] - 1; }\n" in found
    assert all("// 7\n#define N 4" in each for each in found)


def test_mutants_fail_where_gcc_says(tmp_path: Path) -> None:
    assert compare_all(CLOSED, itertools.count(7), FEW, tmp_path) >= FEW


@pytest.mark.peer("cbmc")
def test_mutants_fail_where_cbmc_says(tmp_path: Path) -> None:
    assert compare_all(OPEN, itertools.count(11), FEW // 4, tmp_path) >= 1


@pytest.mark.slow
@pytest.mark.peer("cbmc")
@pytest.mark.parametrize("programs", [CLOSED, OPEN], ids=["closed", "open"])
def test_many_mutants(programs: list[Path], tmp_path: Path) -> None:
    compare_all(programs, itertools.count(secrets.randbelow(1 << 40)), MANY, tmp_path)
