"""Violations are confirmed by building and running the failing execution, and refuted if it does not fail."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from remuda.backends import sanitized_runs
from remuda.backends.c_compiler import COMPILERS
from remuda.backends.sanitizer_reports import STATED, complaints_in
from remuda.base.errors import ToolError, UsageError
from remuda.base.source import Source, Span
from remuda.cli.main import main
from remuda.confirm.compiled import Compiled
from remuda.confirm.confirmers import Attempt
from remuda.ir.program import Check, FailingProgram
from remuda.options import Options
from remuda.results.report import AssertionResult, Verdict
from remuda.session import verify_files
from tests.frontends.c.failing_programs import OPTIONS, PROGRAMS
from tests.golden_programs import C_PROGRAMS, expected_by_line, options_of, verdicts_by_line
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(
    all(shutil.which(name) is None for name in COMPILERS), reason="no C compiler is installed"
)

BOTH: Final = ("replayed", "compiled")
SAMPLE: Final = ("check_pointer", "data_arithmetic", "isolated_shadowing")
# Lines whose violation no run shows, by the reason.
OPEN_INPUTS: Final = {  # what no test can set: first contents of memory, volatile objects, standard input, other files
    "bitfields_unknown": {22, 24, 25},
    "data_bool": {30, 34},
    "data_initializers": {62},
    "data_long_double": {16},
    "data_own_value": {7},
    "declarations_symbols": {29, 35},
    "flat_pointers": {59},
    "functions_unknown": {24, 25, 28, 30},
    "functions_unknown_arrays": {16, 18, 20, 23, 26, 39},
    "functions_unknown_pointers": {24, 27, 29, 34, 38, 45, 48, 52, 54, 60, 66, 70},
    "functions_unknown_rows": {18, 21, 23, 25, 26, 29, 32, 35},
    "inputs_bytes": {31, 41},
    "isolated_volatile": {10},
    "library_environment": {10},
    "library_input": {14, 18, 34},
    "library_words": {11},
    "memory_padding_automatic": {16, 18},
    "memory_unions_initialised": {11, 16},
    "scopes_entered_again": {12, 25, 33},
    "volatile_inputs": {6},
    "volatile_kept_handlers": {13, 14},
}
CHOICES: Final = {"allocation_fails": {12}, "allocation_many": {10}}  # that glibc makes otherwise: malloc(0)
UNNOTICED: Final = {  # by the sanitizers of gcc
    "check_bounds": {44, 46},
    "check_bounds_sums": {13, 14, 16, 18},
    "check_conversion": {12, 20, 27, 31},
    "check_indices": {20, 21, 22, 23},
    "check_indices_narrow": {20, 21, 22, 23},
    "check_sizes_unknown": {8},
    "check_uninitialized": {14, 30, 39, 46},
    "check_uninitialized_itself": {12, 16, 20, 25},
}
NOT_BUILT: Final = {  # gcc does not know __builtin_bit_cast, functions on volatile objects cannot be defined
    "library_forget": {13, 16, 20, 25},
    "volatile_outside": {30, 31, 32, 33, 35, 38, 40, 56},
}
NOT_STARTED: Final = {"check_library_math": {9}}  # mathematical integers lead to more memory than a run may have
UNCONFIRMED: Final = OPEN_INPUTS | CHOICES | UNNOTICED | NOT_BUILT | NOT_STARTED
THREADS: Final = ("threads", "volatile_threads", "check_threads")  # a run cannot be told the schedule


def verified(folder: Path, text: str, options: Options) -> list[AssertionResult]:
    file = folder / "program.c"
    file.write_text(text)
    return verify_files([str(file)], replace(options, confirm=("compiled",), timeout=PATIENCE)).assertions


def violated(folder: Path, text: str, options: Options | None = None) -> list[AssertionResult]:
    results = verified(folder, text, options or Options())
    return [result for result in results if result.verdict is Verdict.VIOLATED]


def ways(result: AssertionResult) -> tuple[str, ...]:
    """How a violation was confirmed, other than by the machine for C, which has tests of its own."""
    return tuple(way for way in result.confirmed if way != "machine")


# --- golden programs


@pytest.mark.parametrize("program", [path for path in C_PROGRAMS if path.stem in SAMPLE], ids=lambda path: path.stem)
def test_a_sample_of_golden_programs(program: Path) -> None:
    check_golden(program)


@pytest.mark.slow
@pytest.mark.parametrize("program", C_PROGRAMS, ids=lambda path: path.stem)
def test_all_golden_programs(program: Path) -> None:
    check_golden(program)


def check_golden(program: Path) -> None:
    text = program.read_text()
    options = replace(options_of(text), confirm=("compiled",), timeout=PATIENCE)
    report = verify_files([str(program)], options)
    assert verdicts_by_line(report) == expected_by_line(text)
    found = [result for result in report.assertions if result.verdict is Verdict.VIOLATED]
    if program.stem.startswith(THREADS):
        assert all("threads take turns" in result.unconfirmed[-1] for result in found)
        return
    # Whether memory seems to be in use depends on what is left on the stack: leaks may be shown or not.
    not_shown = {result.location.line for result in found if ways(result) != BOTH and result.kind != "leak"}
    # Which inputs a trace has is up to the solver, so a violation on the list may be shown all the same.
    assert not_shown <= UNCONFIRMED.get(program.stem, set()), [result.unconfirmed for result in found]


# --- what is confirmed


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_kind_of_input(name: str, tmp_path: Path) -> None:
    (result,) = violated(tmp_path, PROGRAMS[name], OPTIONS.get(name, Options()))
    assert ways(result) == BOTH, result.unconfirmed


def test_a_value_that_nobody_uses(tmp_path: Path) -> None:
    """Compilers leave out a read that is a statement of its own."""
    text = "struct s { int c; } *p; int nondet(void); int main(void) { if (nondet()) p->c; return 0; }\n"
    (result,) = violated(tmp_path, text, Options(check=("pointer",)))
    assert ways(result) == BOTH, result.unconfirmed


def test_flags_reach_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "limit.h").write_text("#define LIMIT (START + 3)\n")
    (tmp_path / "near.h").write_text("extern int next(void); void __VERIFIER_assert(int);\n")
    (tmp_path / "first.h").write_text("#define HERE 1\n")
    text = (
        '#include "near.h"\n#include <limit.h>\n'
        "int main(void) { int x; x = next(); __VERIFIER_assert(!HERE || x != LIMIT || sizeof(long) != 4); }\n"
    )
    options = Options(
        arch="ilp32", define=("START=7",), include_dir=(str(tmp_path / "more"),), include=(str(tmp_path / "first.h"),)
    )
    (result,) = violated(tmp_path, text, options)
    if ways(result) != BOTH:
        assert result.unconfirmed == (
            "compiled: not run: the C compiler cannot build 32-bit programs (on Debian, gcc-multilib must be installed)",
        )


def test_several_files(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text('#include "x.h"\nint main(void) { check(next()); }\n')
    (tmp_path / "b.c").write_text('#include <assert.h>\n#include "x.h"\nvoid check(int x) {\n  assert(x != 11);\n}\n')
    (tmp_path / "x.h").write_text("int next(void);\nvoid check(int x);\n")
    options = Options(confirm=("compiled",), timeout=PATIENCE)
    report = verify_files([str(tmp_path / "a.c"), str(tmp_path / "b.c")], options)
    assert [ways(result) for result in report.assertions] == [BOTH]


@pytest.mark.parametrize("header", ["<assert.h>", '"own.h"'])
def test_runs_go_on_after_failures_if_executions_do(header: str, tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text(  # as preprocessed programs have it
        "extern void __assert_fail(const char *, const char *, unsigned, const char *)"
        " __attribute__((__nothrow__)) __attribute__((__noreturn__));\n"
        '#define assert(c) ((c) ? (void)0 : __assert_fail(#c, "x.c", 1, "f"))\n'
    )
    text = (
        f"#include {header}\nint next(void); void __VERIFIER_assert(int);\n"
        "int main(void) {\n  int x = next();\n  __VERIFIER_assert(x > 3);\n  assert(x > 4);\n  assert(x > 5);\n}\n"
    )
    results = violated(tmp_path, text, Options(on_failure="continue"))
    assert [(result.location.line, ways(result)) for result in results] == [(5, BOTH), (6, BOTH), (7, BOTH)]


def test_an_assertion_that_holds_is_not_shown_by_others_that_fail(tmp_path: Path) -> None:
    text = (
        "unsigned next(void); void __VERIFIER_assert(int);\nint main(void) {\n  unsigned x = next(), y = next();\n"
        "  __VERIFIER_assert(x == y);\n  __VERIFIER_assert((x ^ y ^ y) == x);\n}\n"
    )
    first, second = verified(tmp_path, text, Options(integers="math", on_failure="continue"))
    assert (first.verdict, ways(first)) == (Verdict.VIOLATED, BOTH)
    assert second.verdict is Verdict.UNKNOWN
    assert "does not fail like this" in second.reason


def test_what_the_model_gives_up_is_refuted(tmp_path: Path) -> None:
    """With mathematical integers, operators on bits may have any result; on the machine they do not."""
    text = (
        "unsigned next(void); void __VERIFIER_assert(int);\n"
        "int main(void) { unsigned x = next(), y = next(); __VERIFIER_assert((x ^ y ^ y) == x); }\n"
    )
    (result,) = verified(tmp_path, text, Options(integers="math"))
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason.endswith(
        "the compiled program does not fail like this: it ended with exit status 0, and no sanitizer complained"
    )
    assert result.confirmed == ()


# --- single runs

PROGRAM: Final = """\
#include <assert.h>
int main(void) {
  int x = 3, a[2] = {0};
  assert(x == 4);
  assert(x == 5);
  return a[x];
}
"""


def attempt(folder: Path, line: int, kind: str, text: str, case: FailingProgram | None = None) -> Attempt:
    """Try to confirm a failure of a program that is its own test case."""
    file = folder / "program.c"
    file.write_text(text)
    source = Source(str(file), text)
    start = source.line_starts()[line - 1]
    check = Check("x", kind, "", Span(source, start, start + len(source.line_text(line))))
    test_case = replace(case or FailingProgram(""), text=f'#include "{file}"\n')
    return Compiled([source], Options(), None).confirm(check, test_case)


def test_the_same_assertion_must_fail(tmp_path: Path) -> None:
    assert attempt(tmp_path, 4, "assert", PROGRAM) == Attempt()
    other = attempt(tmp_path, 5, "assert", PROGRAM)
    assert other.problem.endswith("an assertion failed (line 4)")


def test_the_same_kind_of_error_must_be_found(tmp_path: Path) -> None:
    text = PROGRAM.replace("assert(x", "(void)(x")
    assert attempt(tmp_path, 6, "bounds", text) == Attempt()
    assert "out of bounds" in attempt(tmp_path, 6, "div", text).problem
    assert "out of bounds" in attempt(tmp_path, 3, "bounds", text).problem
    assert (
        "exit status 0, and no sanitizer complained"
        in attempt(tmp_path, 1, "div", "int main(void) { return 0; }\n").problem
    )


def test_an_abort_is_no_failing_assertion(tmp_path: Path) -> None:
    assert attempt(tmp_path, 1, "assert", "int main(void) { __builtin_abort(); }\n").problem


def test_what_a_run_cannot_show(tmp_path: Path) -> None:
    fine = "int main(void) { return 0; }\n"
    assert (
        "threads take turns" in attempt(tmp_path, 1, "assert", fine, FailingProgram("", has_threads=True)).unconfirmed
    )
    assert (
        "cannot set getchar()" in attempt(tmp_path, 1, "assert", fine, FailingProgram("", ("getchar()",))).unconfirmed
    )
    assert attempt(tmp_path, 1, "uninitialized", fine).unconfirmed.startswith("not run: no sanitizer")
    assert attempt(tmp_path, 1, "reach-end", fine).unconfirmed.startswith("not run: ")
    assert "cannot be built" in attempt(tmp_path, 1, "assert", "int main(void) { return x; }\n").unconfirmed
    assert (
        "elsewhere is not defined"
        in attempt(tmp_path, 1, "assert", "extern int elsewhere; int main(void) { return elsewhere; }\n").unconfirmed
    )


def test_runs_are_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanitized_runs, "SECONDS", 1)
    assert "too long" in attempt(tmp_path, 1, "assert", "int main(void) { for (;;) ; }\n").unconfirmed


def test_runs_do_not_reach_outside(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("x")
    text = (
        "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
        f'int main(void) {{ remove("{precious}"); unlink("{precious}"); system("rm {precious}"); sleep(100);\n'
        f'  FILE *f = fopen("{precious}", "w"); if (f) fclose(f);\n  assert(f);\n}}\n'
    )
    case = FailingProgram("", undefined=("remove", "unlink", "system", "sleep", "fopen", "fclose"))
    assert attempt(tmp_path, 7, "assert", text, case) == Attempt()
    assert precious.read_text() == "x"


def test_there_must_be_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match="install gcc or clang"):
        violated(tmp_path, PROGRAM)


def test_only_c_programs_are_compiled(tmp_path: Path) -> None:
    file = tmp_path / "x.bpl"
    file.write_text("procedure main() { assert false; }")
    with pytest.raises(UsageError, match="--confirm is for C programs"):
        verify_files([str(file)], Options(confirm=("compiled",)))


def test_nothing_runs_unless_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "program.c"
    file.write_text(PROGRAM)
    monkeypatch.setenv("PATH", str(tmp_path))  # no compiler there
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "--quiet", "--json", "plain.json", "program.c"]) == 10
    plain = json.loads((tmp_path / "plain.json").read_text())["assertions"]
    assert [result["confirmed"] for result in plain] == [["replayed", "machine"], []]
    (tmp_path / "remuda.toml").write_text('confirm = ["compiled"]\n')
    assert main(["verify", "--quiet", "program.c"]) != 10


# --- what sanitizers say


def test_complaints_are_read() -> None:
    text = """\
/tmp/t.c:12:24: runtime error: division by zero
==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x55 bp 0x7f sp 0x7f
READ of size 4 at 0x602000000010 thread T0
    #0 0x55 in __interceptor_memcpy ../asan.cpp:1
    #1 0x55 in main /tmp/t.c:17

0x602000000010 is located 0 bytes inside of 4-byte region
freed by thread T0 here:
    #0 0x7f in main /tmp/t.c:16
==1==ERROR: AddressSanitizer: ABRT on unknown address 0x000000002edf (pc 0x7f T0)
    #0 0x7f in __GI_abort stdlib/abort.c:79
    #1 0x7f in __assert_fail assert/assert.c:103
    #2 0x56 in check /tmp/t.c:3
    #3 0x56 in main /tmp/t.c:19
"""
    division, freed, failed = complaints_in(text)
    assert [each.headline for each in (division, freed, failed)] == [
        "division by zero",
        "heap-use-after-free",
        "ABRT",
    ]
    assert division.is_about("div")
    assert not division.is_about("overflow")
    assert freed.is_about("pointer")
    assert not freed.is_about(STATED)
    assert failed.is_about(STATED)
    places = [each.place({"/tmp/t.c"}) for each in (division, freed, failed)]
    assert [place.line for place in places if place is not None] == [12, 17, 3]
    outer = failed.place({"/tmp/t.c"}, {"check"})
    assert outer is not None
    assert outer.line == 19


def test_reports_of_assertions_that_do_not_end_a_run_are_read() -> None:
    text = """\
violated: x > 0
    #0 0x55 in __sanitizer_print_stack_trace ../asan_stack.cpp:87
    #1 0x55 in remuda_violated /tmp/x/program.c:20
    #2 0x56 in main /tmp/t.c:7

violated: a text that the program itself writes
/tmp/t.c:12:24: runtime error: division by zero
"""
    failed, division = complaints_in(text)
    assert failed.is_about(STATED)
    place = failed.place({"/tmp/t.c"})
    assert place is not None
    assert place.line == 7
    assert division.is_about("div")
