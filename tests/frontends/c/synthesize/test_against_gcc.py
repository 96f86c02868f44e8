"""Programs with synthesized assertions have the same results as without."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from remuda.analysis.suggested_assertions import suggested_assertions
from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions
from remuda.frontends.c.synthesize.program import read_program
from tests.frontends.c.gcc import FOR_VERIFIER, MACHINES, MACROS, compile_and_run
from tests.frontends.c.random_c_features import random_computation

if TYPE_CHECKING:
    from pathlib import Path

    from tests.frontends.c.random_c import Computation

pytestmark = pytest.mark.peer("gcc")

COUNT: Final = 40
INPUTS: Final = """
#undef INPUT
#define INPUT(type, name, number, one, other) type name = (type)(one)
"""
COUNTED: Final = "\nint asserted; void __CPROVER_assert(int condition, const char *what) { asserted += what != 0; }\n"


def whole(computations: list[Computation]) -> str:
    """A program that prints the results of the computations."""
    calls = "".join(f'  printf("%llu\\n", {each.name}());\n' for each in computations)
    texts = "".join(each.text for each in computations)
    head = f"int printf(const char *, ...);\n{FOR_VERIFIER}{MACROS}{INPUTS}"
    return f"{head}{texts}int main(void) {{\n{calls}  return 0;\n}}\n"


def test_random_programs_compute_the_same(tmp_path: Path) -> None:
    random = Random(7)
    computations = [random_computation(random, f"compute{number}") for number in range(COUNT)]
    text = whole(computations)
    program = read_program(Source("test.c", text), ParseOptions())
    chosen = {point.number: suggested_assertions(point)[:3] for point in program.points}
    written, kept = program.with_assertions(chosen)
    assert len(kept) > COUNT
    assert len(kept) > 0.9 * len(chosen)
    machine = MACHINES["lp64"]
    assert compile_and_run(written + COUNTED, tmp_path, machine) == compile_and_run(text, tmp_path, machine)
