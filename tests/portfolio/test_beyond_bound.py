"""A failure beyond the bound that the machine for C finds becomes a violation with a trace."""

from __future__ import annotations

from dataclasses import replace

import pytest

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import Report, Verdict

PROGRAMS = {
    "no inputs": "int main(void) { int n = 0; while (n < 30) n++; __VERIFIER_assert(n != 30); }",
    "an input": (
        "int nondet(void);\n"
        "int main(void) { int step = nondet(), n = 0; if (step != 1) return 0;\n"
        "  while (n < 30) n += step; __VERIFIER_assert(n != 30); }"
    ),
    "memory": (
        "int main(void) { int a[40], i; for (i = 0; i < 40; i++) a[i] = i;\n"
        "  for (i = 0; i < 40; i++) __VERIFIER_assert(a[i] != 25); }"
    ),
    "calls": (
        "int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }\n"
        "int main(void) { __VERIFIER_assert(depth(20) != 20); }"
    ),
}


def verify(text: str, check: tuple[str, ...] = (), seconds: float = 20.0, on_failure: str = "stop") -> Report:
    source = Source("beyond.c", f"void __VERIFIER_assert(int);\n{text}\n")
    options = Options(bound=4, unroll=False, isolate=False, houdini=False, challenge=seconds, check=check)
    return run([source], replace(options, on_failure=on_failure), send=lambda _: None)


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_a_failure_beyond_the_bound_is_told(text: str) -> None:
    (result,) = verify(text).assertions
    assert result.verdict is Verdict.VIOLATED
    assert result.confirmed == ("replayed", "machine")
    assert result.trace
    assert result.trace[-1].kind == "fail"


def test_failures_that_end_nothing_are_told_one_by_one() -> None:
    text = (
        "int main(void) { int n = 0; while (n < 30) n++;\n"
        "  __VERIFIER_assert(n != 30);\n  __VERIFIER_assert(n == 30);\n  __VERIFIER_assert(n < 30); }"
    )
    results = verify(text, seconds=2.0, on_failure="continue").assertions
    assert [each.verdict for each in results] == [Verdict.VIOLATED, Verdict.UNREACHABLE, Verdict.VIOLATED]
    assert all(each.confirmed == ("replayed", "machine") for each in (results[0], results[2]))


def test_what_does_not_fail_stays_bounded() -> None:
    text = "int main(void) { int n = 0; while (n < 30) n++; __VERIFIER_assert(n == 30); }"
    (result,) = verify(text).assertions
    assert (result.verdict, result.bound) == (Verdict.UNREACHABLE, 4)


def test_checks_do_not_stand_in_the_way() -> None:
    results = verify(PROGRAMS["memory"], ("bounds", "pointer")).assertions
    assert [each.verdict for each in results if each.kind == "assert"] == [Verdict.VIOLATED]


def test_a_failure_after_an_overflow_does_not_count() -> None:
    text = (
        "int nondet(void); int doubled(int n) { return n == 1 ? 1 : 2 * doubled(n - 1) + 1; }\n"
        "int main(void) { int n = nondet(); if (n < 1) return 0; __VERIFIER_assert(doubled(n) >= n); }"
    )
    (result,) = verify(text, seconds=1.0).assertions
    assert (result.verdict, result.bound) == (Verdict.BOUNDED, 4)


def test_searches_leave_time_for_an_execution() -> None:
    """Solvers take long for sums and quotients of floats, but there is only one execution."""
    text = (
        "int main(void) { double x = 0, y = 2; int n = 0; while (x < 1.0) { x += 0.1; n++; }\n"
        "  for (int i = 0; i < 5; i++) y = (y + 2 / y) / 2;\n"
        "  __VERIFIER_assert(n != 11 || y > 1.5); }"
    )
    source = Source("hard.c", f"void __VERIFIER_assert(int);\n{text}\n")
    (result,) = run([source], Options(timeout=6.0, bound=12), send=lambda _: None).assertions
    assert result.verdict is Verdict.VIOLATED


def test_an_execution_decides_what_no_search_has() -> None:
    """The products are too hard for solvers; the bound ends the search before them."""
    text = (
        "int nondet(void); int w[6][6];\n"
        "int main(void) { int n = nondet(); for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) w[i][j] = n + i * j % 5;\n"
        "  for (int k = 0; k < 6; k++) for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++)\n"
        "    if (w[i][k] * w[k][j] < w[i][j]) w[i][j] = w[i][k] * w[k][j] % 1000;\n"
        "  __VERIFIER_assert(w[2][3] * w[3][2] == 77); }"
    )
    (result,) = verify(text, seconds=120.0).assertions
    assert result.verdict is Verdict.VIOLATED
