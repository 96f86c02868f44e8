"""A violation must not depend on a value that a model of the library makes up; one that does not depend on it counts."""

from __future__ import annotations

import pytest

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import AssertionResult, Verdict

HEADERS = """#include <assert.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int nondet(void);
"""

DEPENDS = {
    "the assertion reads it": "int main(void) { assert(alarm(42) <= 42); }",
    "a branch reads it": "int main(void) { int x = nondet(); if (alarm(3) > 3) assert(x == 0); }",
    "through a variable": "int main(void) { unsigned left = alarm(3); left = left * 2; assert(left <= 6); }",
    "through memory": "int a[4]; int main(void) { int i = nondet() & 3; a[i] = alarm(3); assert(a[i] <= 3); }",
    "through a copy of memory": (
        "#include <string.h>\nint a[4], b[4];\n"
        "int main(void) { a[2] = alarm(3); memcpy(b, a, sizeof a); assert(b[2] <= 3); }"
    ),
    "through an argument and a result": (
        "unsigned twice(unsigned n) { return n + n; } int main(void) { assert(twice(alarm(1)) <= 2); }"
    ),
    "as an index": "int a[4] = {1, 1, 2, 1}; int main(void) { assert(a[alarm(3) & 3] == 1); }",
    "a pointer from the library": "#include <string.h>\nint main(void) { assert(strerror(3) != 0); }",
    "a function that only a header declares": "int main(void) { time_t now = 0; assert(ctime(&now) != 0); }",
}
INDEPENDENT = {
    "nobody reads it": "int main(void) { int x = nondet(); alarm(3); assert(x != 7); }",
    "it is overwritten": "int main(void) { unsigned s = alarm(3); s = 8; assert(s <= 3); }",
    "another element": "int a[4]; int main(void) { a[1] = alarm(3); assert(a[2] == 1); }",
    "another activation": (
        "int twice(int n) { return n + n; } int main(void) { int x = twice(alarm(1)); assert(twice(nondet()) != 8); }"
    ),
    "the system decides": '#include <stdio.h>\nint main(void) { assert(fopen("a", "r") != 0); }',
    "the environment decides": 'int main(void) { assert(getenv("HOME") != 0); }',
    "a function of the program's own": "int own(int); int main(void) { assert(own(3) <= 3); }",
    "a number that main is given": (
        "#include <stdio.h>\n"
        'int main(int argc, char **argv) { int n = 0; if (argc > 1) sscanf(argv[1], "%d", &n); assert(n < 4000); }'
    ),
    "the machine computes it": 'int main(void) { assert(atoi("12") == 13); }',
}


def result_of(text: str) -> AssertionResult:
    report = run([Source("guesses.c", HEADERS + text)], Options(timeout=60), send=lambda _: None)
    return next(result for result in report.assertions if result.kind == "assert")


@pytest.mark.parametrize("text", DEPENDS.values(), ids=DEPENDS)
def test_a_failure_that_depends_on_a_guess_is_unknown(text: str) -> None:
    result = result_of(text)
    assert result.verdict is Verdict.UNKNOWN
    assert "which Remuda does not compute" in result.reason


def test_the_size_of_what_the_library_points_to_is_a_guess() -> None:
    text = 'int main(void) { char *home = getenv("HOME"); return home && home[0]; }'
    report = run([Source("guesses.c", HEADERS + text)], Options(timeout=60, check=("pointer",)), send=lambda _: None)
    assert [result.verdict for result in report.assertions] == [Verdict.UNKNOWN]


@pytest.mark.parametrize("text", INDEPENDENT.values(), ids=INDEPENDENT)
def test_a_failure_beside_a_guess_is_a_violation(text: str) -> None:
    assert result_of(text).verdict is Verdict.VIOLATED


UNDEFINED = {
    "inline assembly": '__asm__("" : "=r"(x)); assert(x == 1);',
}
DEFINED = {
    "a division": "if (y > 0) assert(x / y != 7);",
    "an argument": "if (y > 0) assert(same(x / y) != 7);",
    "nobody reads it": "x / y; assert(x != 3);",
}
# The machine does not know functions on long double.
OUT_OF_REACH = """long double floorl(long double); static int same(int n) { return n; }
int main(void) { long double third = 1.0L; third = floorl(third); int x = nondet(), y = nondet(); BODY }"""


@pytest.mark.parametrize("body", UNDEFINED.values(), ids=UNDEFINED)
def test_a_failure_that_depends_on_an_undefined_value_is_unknown(body: str) -> None:
    assert result_of(OUT_OF_REACH.replace("BODY", body)).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("body", DEFINED.values(), ids=DEFINED)
def test_an_operation_that_has_a_value_costs_no_violation(body: str) -> None:
    assert result_of(OUT_OF_REACH.replace("BODY", body)).verdict is Verdict.VIOLATED
