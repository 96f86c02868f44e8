"""Memory as one array of bytes (`--memory-model flat`) gives the verdicts that are expected, and those of regions.

It is slow, so `unknown` is always accepted; a verdict that contradicts the expected one never is.
"""

from __future__ import annotations

import itertools
import secrets
from collections import Counter
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from remuda.base.errors import UsageError
from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions, parse
from remuda.frontends.c.memory.flat import BYTES, FlatMemory
from remuda.frontends.c.syntax import ast, walk
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.prepare.load import load
from remuda.session import verify_files
from tests.frontends.c.gcc import MACHINES, can_run, is_answered, run_gcc, verifier_program
from tests.frontends.c.random_c_features import random_computation
from tests.golden_programs import C_PROGRAMS, expected_by_line, options_of, verdicts_by_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from remuda.results.report import Report

FAST: Final = (
    *("bitfields", "check_pointer", "data_floats", "data_long_double", "data_values", "functions_converted"),
    *("functions_unknown", "library_memory", "library_strings", "memory_bytes", "memory_pointers", "memory_split"),
    *("threads_c11", "values_with_arrays"),
)
FLAT: Final = Options(memory_model="flat", bound=8, timeout=10, check_ir=True)
FEW: Final = 12
MANY: Final = 2_000
BATCH: Final = 50  # that gcc compiles at once


# --- programs with verdicts on their lines


def contradictions(report: Report, text: str) -> list[str]:
    """The lines without the expected verdicts. If `unknown` is expected, other verdicts are accepted."""
    found, complaints = verdicts_by_line(report), []
    for line, expected in expected_by_line(text).items():
        got, wanted = Counter(found.get(line, [])), Counter(expected)
        open_ = got["unknown"] + wanted["unknown"]
        is_complete = got.total() == wanted.total() or wanted["unknown"] == wanted.total()
        not_found = wanted["violated"] - got["violated"] - open_ - got["bounded"]  # up to a smaller bound, perhaps
        if not is_complete or got["violated"] - wanted["violated"] > wanted["unknown"] or not_found > 0:
            complaints.append(f"line {line}: {dict(got)} instead of {dict(wanted)}")
    return complaints


@pytest.mark.parametrize("program", [each for each in C_PROGRAMS if each.stem in FAST], ids=lambda path: path.stem)
def test_no_verdict_contradicts_the_one_on_its_line(program: Path) -> None:
    check_program(program, 20)


@pytest.mark.slow
@pytest.mark.parametrize("program", C_PROGRAMS, ids=lambda path: path.stem)
def test_no_verdict_contradicts_the_one_on_its_line_in_all_programs(program: Path) -> None:
    check_program(program, 60)


def check_program(program: Path, seconds: float) -> None:
    text = program.read_text()
    options = replace(options_of(text), memory_model="flat", check_ir=True, timeout=seconds)
    assert contradictions(verify_files([str(program)], options), text) == []


def test_contradictions_are_noticed() -> None:
    text = "void __VERIFIER_assert(int);\nint main(int n, char **v) {\n  __VERIFIER_assert(n > 5);\n}\n"
    report = run([Source("test.c", text)], FLAT, send=lambda _: None)
    line = "  __VERIFIER_assert(n > 5);\n"
    for verdict in ("violated", "unknown"):
        assert contradictions(report, text.replace(line, f"{line[:-1]}  //~ {verdict}\n")) == []
    for verdict in ("proved", "bounded", "violated violated"):
        assert len(contradictions(report, text.replace(line, f"{line[:-1]}  //~ {verdict}\n"))) == 1


# --- random programs


def compare(seeds: Iterator[int], count: int, folder: Path, arch: str) -> int:
    """Compare computations with gcc, in both memory models. Returns the number that the flat model gave up."""
    machine, unanswered = MACHINES[arch], 0
    while count > 0:
        batch = [random_computation(Random(seed), f"_{seed}") for seed in itertools.islice(seeds, min(count, BATCH))]
        count -= len(batch)
        for computation, values in zip(batch, run_gcc(batch, folder, machine), strict=True):
            if values is None:
                count += 1  # another one instead
                continue
            text = verifier_program(computation, values)
            is_answered(text, replace(FLAT, arch=arch, memory_model="regions"))
            unanswered += not is_answered(text, replace(FLAT, arch=arch))
    return unanswered


@pytest.mark.peer("gcc")
def test_computations_have_the_results_of_gcc(tmp_path: Path) -> None:
    assert compare(itertools.count(3_000_000), FEW, tmp_path, "lp64") <= FEW // 2


@pytest.mark.slow
@pytest.mark.peer("gcc")
@pytest.mark.parametrize("arch", MACHINES)
def test_many_computations(arch: str, tmp_path: Path) -> None:
    if not can_run(MACHINES[arch], tmp_path):
        pytest.skip(f"gcc makes no programs here for {arch}")
    seeds = itertools.count(secrets.randbelow(1 << 40))
    count = MANY if arch == "lp64" else MANY // 5
    assert compare(seeds, count, tmp_path, arch) <= count // 4


# --- syntax


def analysed(text: str) -> tuple[ast.Unit, FlatMemory]:
    unit = parse(Source("test.c", text), ParseOptions())
    functions = [function for function in unit.functions.values() if function.body is not None]
    return unit, FlatMemory(functions, unit.variables)


def test_only_what_has_its_address_taken_is_in_memory() -> None:
    unit, memory = analysed(
        """
        struct inner { int x; }; struct outer { struct inner in; long y; }; union number { int i; float f; };
        struct text { int n; char letters[4]; };
        int plain, taken, given, *global = &given;
        struct outer split, part, whole; union number number; struct text text; int array[2];
        int main(int parameter, char **arguments) {
            int *p = &taken, *q = &part.in.x, *r = &parameter; struct outer *s = &(whole);
            plain = 1; split.in.x = 2; number.i = 3; text.n = 4; array[0] = 5;
            return *p + *q + *r + s->in.x + *global;
        }
        """
    )
    variables = {variable.name: variable for variable in (*unit.variables, *unit.functions["main"].parameters)}
    in_memory = {name for name, variable in variables.items() if memory.in_memory(variable)}
    assert in_memory == {"taken", "given", "part", "whole", "number", "text", "array", "parameter"}
    assert memory.object_cell(variables["taken"], 0, variables["taken"].type) is BYTES


def test_calls_through_pointers_reach_what_has_its_address_taken() -> None:
    unit, memory = analysed(
        """
        int one(int x) { return x; }  int two(int x, int y) { return x + y; }  int three(int x) { return -x; }
        int any(int x, ...) { return x; }  int called(int x) { return x; }
        int (*table[])(int) = {one, &three};  void *other = two;  int (*last)(int, ...) = any;
        int main(void) { return table[called(0)](1) + last(2, 3); }
        """
    )
    calls = [each for each in walk.function_expressions(unit.functions["main"]) if isinstance(each, ast.Call)]
    targets = {call.span.text: [function.name for function in memory.targets(call)] for call in calls}
    assert targets == {
        "called(0)": ["called"],
        "table[called(0)](1)": ["one", "three", "any"],
        "last(2, 3)": ["two", "any"],
    }


def test_mathematical_integers_have_no_bytes() -> None:
    with pytest.raises(UsageError, match="--integers math"):
        load([Source("test.c", "int main(void) { return 0; }")], replace(FLAT, integers="math"))
