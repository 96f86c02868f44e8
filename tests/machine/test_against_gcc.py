"""Random C programs have the same results on the machine and with gcc.

The sanitizer of gcc misses some overflows of constants, and of products that are converted to a smaller type; there
the machine must have gcc's result once it tolerates overflow. If gcc stops, the machine must stop too.
"""

from __future__ import annotations

import itertools
import secrets
import subprocess
from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from remuda.frontends.c.syntax.types import MACHINES as TARGETS
from remuda.machine.outcomes import Cause, End
from remuda.machine.settings import Settings
from tests.frontends.c import csmith
from tests.frontends.c.csmith import csmith_program
from tests.frontends.c.gcc import MACHINES, can_run, compile_and_run
from tests.frontends.c.random_c_features import random_computation
from tests.machine.running import UNDEFINED, execution, on_machine, with_gcc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.peer("gcc")

BATCH: Final = 80
WRAPPING: Final = frozenset({Cause.OVERFLOW})


def compare(seeds: Iterator[int], count: int, folder: Path, arch: str) -> None:
    done = missed = 0
    while done < count:
        batch = [random_computation(Random(seed), f"_{seed}") for seed in itertools.islice(seeds, BATCH)]
        batch = batch[: count - done]
        done += len(batch)
        for computation, words in zip(batch, with_gcc(batch, folder, MACHINES[arch]), strict=True):
            strict = on_machine(computation, TARGETS[arch])
            if strict == words:
                continue
            missed += 1
            wrapping = on_machine(computation, TARGETS[arch], WRAPPING)
            for got, wrapped, wanted in zip(strict, wrapping, words, strict=True):
                agree = got == wanted or (got == UNDEFINED and wrapped == wanted != UNDEFINED)
                assert agree, (
                    f"gcc: {words}, the machine: {strict}, and with wrapping: {wrapping}\n{computation.text}"
                )
    assert missed <= 3 + count // 20


def test_computations(tmp_path: Path) -> None:
    compare(itertools.count(1), 40, tmp_path, "lp64")


def test_computations_on_the_smaller_machine(tmp_path: Path) -> None:
    if not can_run(MACHINES["ilp32"], tmp_path):
        pytest.skip("gcc makes no programs here for machines with 32 bits")
    compare(itertools.count(5060), 10, tmp_path, "ilp32")


@pytest.mark.slow
@pytest.mark.parametrize("arch", MACHINES)
def test_many_computations(arch: str, tmp_path: Path) -> None:
    if not can_run(MACHINES[arch], tmp_path):
        pytest.skip(f"gcc makes no programs here for {arch}")
    compare(itertools.count(secrets.randbelow(1 << 40)), 5000 if arch == "lp64" else 1000, tmp_path, arch)


def compare_csmith(seeds: Iterator[int], count: int, folder: Path) -> None:
    settings = Settings(volatile_is_input=False, most_steps=4_000_000)
    for seed in itertools.islice(seeds, count):
        program = csmith.FOR_GCC + csmith_program(seed, folder)
        try:
            wanted = compile_and_run(program, folder, MACHINES["lp64"]).strip()
        except subprocess.TimeoutExpired:  # Csmith's programs need not end
            continue
        running = execution(program, settings=settings)
        outcome = running.run()
        if outcome.end is not End.LIMIT:
            assert (outcome.end, b"".join(running.output).decode().strip()) == (End.EXITED, wanted), (
                f"{seed}: {outcome}"
            )


@pytest.mark.peer("csmith")
def test_programs_of_csmith(tmp_path: Path) -> None:
    compare_csmith(itertools.count(3), 3, tmp_path)


@pytest.mark.slow
@pytest.mark.peer("csmith")
def test_many_programs_of_csmith(tmp_path: Path) -> None:
    compare_csmith(itertools.count(secrets.randbelow(1 << 30)), 300, tmp_path)
