"""Whether an assertion may depend on a value that C leaves open."""

from __future__ import annotations

import re

import pytest

from remuda.analysis.dependence import may_depend
from remuda.base.source import Source, Span
from remuda.options import Options
from remuda.prepare.load import load

HEAD = "void __VERIFIER_assert(int); int nondet(void); int g;\n"
INDEPENDENT = {
    "it decides about another variable": "int main(void) { int OPEN, b = 0, i = 0; if (OPEN > 0) b = 1; i++; __VERIFIER_assert(i < 9); }",
    "it is passed on, and changes a global": (
        "void f(int y) { if (y) g = 1; } int main(void) { int OPEN, i = 0; f(OPEN); i++; __VERIFIER_assert(i < 9); }"
    ),
    "it is stored elsewhere": "int main(void) { int OPEN, a[9], i = 0; a[2] = OPEN; i++; __VERIFIER_assert(i < 9); }",
    "it decides in a loop, not about its end": (
        "int main(void) { int OPEN, i, j = 0; for (i = 0; i < 99; i++) if (OPEN == i) j = i; __VERIFIER_assert(i < 9); }"
    ),
    "it decides between calls": (
        "int f(int n) { return n + 1; }\n"
        "int main(void) { int OPEN, i = 0, j; j = OPEN ? f(1) : f(2); i++; __VERIFIER_assert(i < 9); return j; }"
    ),
}
DEPENDENT = {
    "it is asserted": "int main(void) { int OPEN; __VERIFIER_assert(OPEN < 9); }",
    "it decides about what is asserted": "int main(void) { int OPEN, b = 0; if (OPEN > 0) b = 1; __VERIFIER_assert(b < 1); }",
    "it decides whether the execution ends": (
        "int main(void) { int OPEN, i = 0; if (OPEN > 0) return 0; i++; __VERIFIER_assert(i < 1); }"
    ),
    "it decides whether another assertion is met": (
        "void f(int y) { if (y) __VERIFIER_assert(0); }\n"
        "int main(void) { int OPEN, i = 0; f(OPEN); i++; __VERIFIER_assert(i < 1); }"
    ),
    "it decides how long a loop goes on": (
        "int main(void) { int OPEN, i = 0; while (OPEN > 0) OPEN--; i++; __VERIFIER_assert(i < 1); }"
    ),
    "it decides whether something is called that may not return": (
        "void f(int n) { while (n) g = 1; }\n"
        "int main(void) { int OPEN, i = 0; if (OPEN) f(1); i++; __VERIFIER_assert(i < 1); }"
    ),
    "it comes through a global": (
        "void f(int y) { if (y) g = 1; } int main(void) { int OPEN; f(OPEN); __VERIFIER_assert(g < 1); }"
    ),
    "it comes through memory": "int main(void) { int OPEN, a[9]; a[2] = OPEN; __VERIFIER_assert(a[nondet()] < 9); }",
    "it comes from a call": (
        "int f(int y) { return y; } int main(void) { int OPEN, i = f(OPEN); i++; __VERIFIER_assert(i < 9); }"
    ),
    "it is where something is stored": (
        "int main(void) { int a[9], OPEN; for (int i = 0; i < 9; i++) a[i] = 0; a[OPEN & 7] = 1; __VERIFIER_assert(a[3] < 1); }"
    ),
}


def depends(text: str, name: str = r"\bOPEN\b") -> bool:
    source = Source("open.c", HEAD + text)
    program, _ = load([source], Options(), believes=True)
    return may_depend(program, [Span(source, each.start(), each.end()) for each in re.finditer(name, source.text)])


@pytest.mark.parametrize("text", INDEPENDENT.values(), ids=INDEPENDENT)
def test_assertions_that_do_not_depend(text: str) -> None:
    assert not depends(text)


@pytest.mark.parametrize("text", DEPENDENT.values(), ids=DEPENDENT)
def test_assertions_that_may_depend(text: str) -> None:
    assert depends(text)


def test_nothing_depends_on_no_place() -> None:
    assert not depends(DEPENDENT["it is asserted"], "ABSENT")


def test_of_a_place_that_is_not_translated_nothing_is_known() -> None:
    assert depends("int main(void) { int i = 0; __VERIFIER_assert(i < 9); } /* OPEN */")
