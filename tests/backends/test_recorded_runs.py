"""C programs are built and run, and their recordings are read, however the runs end."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from remuda.analysis.likely_invariants import likely_invariants
from remuda.backends.c_compiler import COMPILERS
from remuda.backends.recorded_runs import RecordedRuns
from remuda.base.errors import ToolError
from remuda.base.predicates import Comparison, Moment
from remuda.frontends.c.clang.parse import ParseOptions
from remuda.options import Options
from remuda.prepare.read import read_source
from remuda.synthesis.c import CSynthesis

if TYPE_CHECKING:
    from remuda.synthesis.recordings import Recordings

needs_compiler = pytest.mark.skipif(
    all(shutil.which(name) is None for name in COMPILERS), reason="no C compiler is installed"
)


def record(folder: Path, text: str, runs: int = 8, options: Options | None = None) -> tuple[CSynthesis, Recordings]:
    file = folder / "test.c"
    file.write_text(text)
    program = CSynthesis(read_source(str(file)), options or Options())
    return program, program.record(runs, None, lambda _: None)


def values(program: CSynthesis, recordings: Recordings, moment: Moment, name: str) -> set[int]:
    """The values that a variable had at the points of a kind."""
    return {
        sample[[each.name for each in point.variables].index(name)]
        for point in program.points
        if point.moment is moment and name in [each.name for each in point.variables]
        for sample in recordings.samples.get(point.number, ())
    }


@needs_compiler
def test_inputs_vary_and_results_are_recorded(tmp_path: Path) -> None:
    program, recordings = record(
        tmp_path,
        "extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern char *name(void);\n"
        "int limit; int f(int a) { return a > 77 ? 1 : 0; }\n"
        "int main(void) { char *n = name(); if (n && __VERIFIER_nondet_bool()) limit = 3;\n"
        "  for (int i = 0; i < 20; i++) f(__VERIFIER_nondet_int()); return limit; }\n",
    )
    assert recordings.notes == ()
    assert recordings.runs == 8
    assert values(program, recordings, Moment.EXIT, "remuda_result") == {0, 1, 3}
    assert 78 in values(program, recordings, Moment.ENTRY, "a")
    assert values(program, recordings, Moment.LOOP, "i") == set(range(20))
    assert len(values(program, recordings, Moment.EXIT, "n")) > 1


@needs_compiler
def test_crashes_and_endless_loops_keep_what_was_recorded(tmp_path: Path) -> None:
    started = time.monotonic()
    program, recordings = record(
        tmp_path,
        "int g; void h(void) { g++; if (g == 9000) *(int *)0 = 1; }\n"
        "int main(void) { for (int i = 0; i < 5000; i++) g += i & 1; while (1) { h(); if (g < 0) ERROR: goto ERROR; } }\n",
        runs=2,
    )
    assert max(values(program, recordings, Moment.LOOP, "i")) == 4999
    assert max(values(program, recordings, Moment.EXIT, "g")) == 8999
    assert time.monotonic() - started < 10


@needs_compiler
def test_a_program_that_waits_is_ended(tmp_path: Path) -> None:
    program, recordings = record(
        tmp_path,
        "#define FOREVER for (;;) ;\nint f(int a) { FOREVER return a; }\nint main(void) { int x = 4; return f(x); }\n",
        runs=1,
    )
    assert values(program, recordings, Moment.ENTRY, "a") == {4}


@needs_compiler
def test_programs_do_not_reach_outside(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("x")
    _, recordings = record(
        tmp_path,
        "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
        f'int main(void) {{ remove("{precious}"); unlink("{precious}"); system("rm {precious}");\n'
        f'  FILE *f = fopen("{precious}", "w"); if (f) fclose(f); sleep(10); return 0; }}\n',
        runs=3,
    )
    assert precious.read_text() == "x"
    assert recordings.runs == 3


@needs_compiler
def test_unsigned_values_and_missing_variables(tmp_path: Path) -> None:
    program, recordings = record(
        tmp_path,
        "extern int elsewhere; unsigned long big; unsigned char byte;\n"
        "int main(void) { big = -1; byte = 255; elsewhere++; return elsewhere; }\n",
        runs=1,
    )
    assert values(program, recordings, Moment.EXIT, "big") == {(1 << 64) - 1}
    assert values(program, recordings, Moment.EXIT, "byte") == {255}
    assert values(program, recordings, Moment.EXIT, "elsewhere") == {1}


@needs_compiler
def test_runs_are_the_same_each_time(tmp_path: Path) -> None:
    text = (
        "#include <stdio.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\n"
        'int main(int argc, char **argv) { int x, y; scanf("%d", &x); int *p = malloc(4); long a = (long)p;\n'
        "  if (argc > 1) x += atoi(argv[1]); y = x + __VERIFIER_nondet_int(); return y; }\n"
    )
    first = record(tmp_path, text)[1].samples
    assert record(tmp_path, text)[1].samples == first
    assert record(tmp_path, text, options=Options(seed=2))[1].samples != first


@needs_compiler
def test_programs_without_main_start_anywhere(tmp_path: Path) -> None:
    text = "int f(int a) { return a; }\nint g(int *p) { return p ? 5 : 6; }\n"
    program, recordings = record(tmp_path, text, runs=12)
    assert values(program, recordings, Moment.EXIT, "remuda_result") >= {5, 6}
    program, recordings = record(tmp_path, text, runs=12, options=Options(entry=("f",)))
    assert values(program, recordings, Moment.ENTRY, "p") == set()


@needs_compiler
def test_programs_that_cannot_run_are_reported(tmp_path: Path) -> None:
    threads = "int pthread_create(); int main(void) { int x = 1; pthread_create(); return x; }\n"
    assert record(tmp_path, threads)[1].notes == ("the program starts threads, and was not run",)
    wrong = "struct s; extern struct s t; int main(void) { int x = 0; void *p = &t; return x; }\n"
    assert "cannot be built" in record(tmp_path, wrong)[1].notes[0]


def test_a_missing_compiler_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match=r"no C compiler is installed.*--no-dynamic"):
        RecordedRuns(tmp_path, read_source(__file__), ParseOptions())


@needs_compiler
def test_likely_invariants_of_a_maximum(tmp_path: Path) -> None:
    """The results of a function show in its likely invariants."""
    text = (
        "extern int __VERIFIER_nondet_int(void);\n"
        "int f(int a, int b) { int m = a; if (b > a) m = b; a = 0; return m; }\n"
        "int main(void) { int m = f(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); return m > 3; }\n"
    )
    program, recordings = record(tmp_path, text, runs=24)
    exits = [point for point in program.points if point.moment is Moment.EXIT and point.function == "f"]
    found = likely_invariants(exits[0], recordings.samples[exits[0].number])
    assert Comparison("remuda_result", ">=", "remuda_old_a") in found
    assert Comparison("remuda_result", ">=", "b") in found
    assert Comparison("a", "==", 0) in found
