"""Alternating inlining: right verdicts, and how little of a program it takes to find them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from remuda.options import Options
from remuda.results.report import Verdict
from remuda.session.api import verify_files
from tests.golden_programs import PROGRAMS, expected_by_line, options_of, verdicts_by_line
from tests.oracle import FEW, Oracle
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, random_program
from tests.verify_text import verify

ALTERNATING = Options(engine="alternating", check_ir=True)


@pytest.mark.parametrize("program", PROGRAMS[::3], ids=lambda path: path.stem)
def test_golden_programs(program: Path) -> None:
    check_golden(program)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_all_golden_programs(program: Path) -> None:
    check_golden(program)


def check_golden(program: Path) -> None:
    """The same verdicts, or more: what holds where the assertion is needs no bound above it."""
    text = program.read_text()
    options = replace(options_of(text), engine="alternating", check_ir=True, timeout=PATIENCE)
    found = verdicts_by_line(verify_files([str(program)], options))
    expected = expected_by_line(text)
    assert set(found) == set(expected)
    for line, verdicts in expected.items():
        for before, after in zip(verdicts, found[line], strict=True):
            better = {"bounded": {"proved"}, "unreachable": {"proved"}}.get(before, set())
            assert after == before or after in better, f"line {line}"


def check_random(random: Random, steps: int) -> None:
    text = random_program(random, sharing=random.random() < 0.5).text
    options = replace(ALTERNATING, bound=random.choice([1, 2, 2, 3]), timeout=PATIENCE)
    assert Oracle(text, options, DOMAIN, steps).complaints(verify(text, options)) == []


@pytest.mark.parametrize("seed", range(16))
def test_random_programs(seed: int) -> None:
    check_random(Random(seed), FEW)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1500))
def test_many_random_programs(seed: int) -> None:
    check_random(Random(seed), 10_000)


DEEP = """
var g: int;

procedure {:entrypoint} main() modifies g; { g := 0; call a(); }
procedure a() modifies g; { call b(); call b(); }
procedure b() modifies g; { call c(); call c(); }
procedure c() modifies g; { call d(); call d(); }
procedure d() modifies g; { g := g + 1; call e(g); g := g - 1; }
procedure e(n: int) { var x: int; x := n; ASSERTION }
"""


def test_assertions_that_hold_in_any_state_take_one_procedure() -> None:
    report = verify(DEEP.replace("ASSERTION", "assert x == n;"), ALTERNATING)
    assert [result.verdict for result in report.assertions] == [Verdict.PROVED]
    assert report.statistics.instances == 1


def test_a_caller_is_taken_in_where_the_assertion_depends_on_it() -> None:
    text = DEEP.replace("call e(g)", "assume g != 7; call e(g)").replace("ASSERTION", "assert x != 7;")
    report = verify(text, ALTERNATING)
    assert [result.verdict for result in report.assertions] == [Verdict.PROVED]
    assert report.statistics.instances == 3  # e; and d with e in it


def test_violations_start_in_the_entry() -> None:
    report = verify(DEEP.replace("ASSERTION", "assert x != 1;"), ALTERNATING)
    (result,) = report.assertions
    assert result.verdict is Verdict.VIOLATED
    assert result.trace is not None
    assert result.trace[0].procedure == "main"
    safe = verify(DEEP.replace("ASSERTION", "assert x != 2;"), ALTERNATING)
    assert [each.verdict for each in safe.assertions] == [Verdict.PROVED]


UNSUPPORTED = """
#include <stdarg.h>
extern int nondet(void);
int f(int k, ...) { va_list l; va_start(l, k); if (k > 3) { return va_arg(l, int); } return k; }
int main(void) { int x = nondet(); int g = f(x, 3); __CPROVER_assert(g == 2, "g"); return 0; }
"""


def test_unsupported_constructs_do_not_stop_the_search(tmp_path: Path) -> None:
    program = tmp_path / "varargs.c"
    program.write_text(UNSUPPORTED)
    report = verify_files([str(program)], replace(ALTERNATING, stop_at_first=True))
    assert report.verdict is Verdict.VIOLATED


EQUAL_LAMBDAS = """
procedure main() {
  var a: [bv32]bv8; var b: [bv32]bv8;
  a := (lambda i: bv32 :: 0bv8);
  b := (lambda i: bv32 :: 0bv8);
  assert a == b;
}
"""


def test_another_solver_may_decide_what_one_gives_up() -> None:
    """Bitwuzla gets lemmas about lambdas where they are read; here, none is read."""
    report = verify(EQUAL_LAMBDAS, Options())
    assert [result.verdict for result in report.assertions] == [Verdict.PROVED]
