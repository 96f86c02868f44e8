"""Random C computations have the results of gcc: these can be proved, and no others.

Each computation is verified alone, with inputs that may have two values. The verifier must prove that the result is
one of gcc's numbers. It must report a violation of the claim that the result is not one of them, with a trace that
the interpreter has executed; so interpreter and verifier both agree with the compiler. The fast run takes the same
computations every time; `make slow` takes new ones, and many more.
"""

from __future__ import annotations

import itertools
import secrets
import subprocess
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from remuda.options import Options
from tests.frontends.c import csmith
from tests.frontends.c.csmith import csmith_program
from tests.frontends.c.gcc import MACHINES, can_run, compile_and_run, is_answered, run_gcc, verifier_program
from tests.frontends.c.random_c import Computation
from tests.frontends.c.random_c_features import random_computation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.peer("gcc")

FEW: Final = 120
MANY: Final = 5_000
BATCH: Final = 80  # that gcc compiles at once
ENOUGH: Final = Options(bound=8, timeout=10, check_ir=True)
CSMITH_OPTIONS: Final = Options(bound=6, timeout=10, check_ir=True)


def compare(seeds: Iterator[int], count: int, folder: Path, arch: str) -> int:
    """Compare this many computations. Returns the number that the verifier gave up."""
    machine, unanswered = MACHINES[arch], 0
    while count > 0:
        batch = [random_computation(Random(seed), f"_{seed}") for seed in itertools.islice(seeds, min(count, BATCH))]
        count -= len(batch)
        for computation, values in zip(batch, run_gcc(batch, folder, machine), strict=True):
            if values is None:
                count += 1  # another one instead
                continue
            unanswered += not is_answered(verifier_program(computation, values), replace(ENOUGH, arch=arch))
    return unanswered


# --- the set-up itself


def test_gcc_detects_undefined_computations(tmp_path: Path) -> None:
    texts = {
        "sum": "int x = 0x7fffffff; return x + h;",
        "overflow": "int x = 0x7fffffff; return ++x;",
        "division": "int x = 0; return 3 / x;",
        "minimum": "int x = -0x7fffffff - 1, y = -1; return x / y;",
        "shift": "int x = 40; return 1 << x;",
        "outside": "int x[2] = {1, 2}, y = 2; return x[y];",
        "null": "int *x = 0; return *x;",
        "conversion": "double x = 1e30; return (int)x;",
    }
    computations = [
        Computation(name, f"unsigned long long {name}(void) {{ unsigned long long h = 0; {body} }}\n", 0)
        for name, body in texts.items()
    ]
    assert run_gcc(computations, tmp_path, MACHINES["lp64"]) == [[0x7FFFFFFF], *[None] * 7]


def test_the_same_seed_gives_the_same_computation() -> None:
    assert random_computation(Random(3), "_3") == random_computation(Random(3), "_3")


# --- random computations


@pytest.mark.parametrize("part", range(4))
def test_computations_have_the_results_of_gcc(part: int, tmp_path: Path) -> None:
    seeds = itertools.count(part * 1_000_000)
    assert compare(seeds, FEW // 4, tmp_path, "lp64") <= FEW // 8


def test_computations_on_the_smaller_machine(tmp_path: Path) -> None:
    if not can_run(MACHINES["ilp32"], tmp_path):
        pytest.skip("gcc makes no programs here for machines with 32 bits")
    assert compare(itertools.count(9_000_000), FEW // 8, tmp_path, "ilp32") <= FEW // 16


@pytest.mark.slow
@pytest.mark.parametrize("arch", MACHINES)
def test_many_computations(arch: str, tmp_path: Path) -> None:
    if not can_run(MACHINES[arch], tmp_path):
        pytest.skip(f"gcc makes no programs here for {arch}")
    seeds = itertools.count(secrets.randbelow(1 << 40))
    unanswered = compare(seeds, MANY if arch == "lp64" else MANY // 5, tmp_path, arch)
    assert unanswered <= MANY // 20


# --- Csmith


def compare_csmith(seeds: Iterator[int], count: int, folder: Path) -> int:
    """Compare this many programs. Returns the number that the verifier gave up, for time or unsupported
    constructs."""
    unanswered = 0
    for seed in itertools.islice(seeds, count):
        program = csmith_program(seed, folder)
        try:
            printed = compile_and_run(csmith.FOR_GCC + program, folder, MACHINES["lp64"])
        except subprocess.TimeoutExpired:  # Csmith's programs need not end
            continue
        unanswered += not is_answered(csmith.for_verifier(int(printed)) + program, CSMITH_OPTIONS)
    return unanswered


@pytest.mark.peer("csmith")
def test_programs_of_csmith(tmp_path: Path) -> None:
    assert compare_csmith(itertools.count(1), 5, tmp_path) <= 3


@pytest.mark.slow
@pytest.mark.peer("csmith")
def test_many_programs_of_csmith(tmp_path: Path) -> None:
    assert compare_csmith(itertools.count(secrets.randbelow(1 << 30)), 300, tmp_path) <= 200
