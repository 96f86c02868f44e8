"""Fragments that are refused because a proof of them would not be sound."""

from __future__ import annotations

from typing import Final

import pytest

from tests.frontends.c.isolate.samples import TWO_SUM, fragment_of, isolate

REFUSED: Final = {  # bodies of a loop in `f(int n, int *p)`, with the reason why the fragment is refused
    "*p = 1;": "it writes through a pointer",
    "p[n] += 1;": "it writes through a pointer",
    "store(p);": "it writes through a pointer",
    "unknown(&n);": "unknown, which has no body, is given a pointer",
    "scanf(text, &n);": "scanf, which has no body, is given a pointer",
    "callback(n);": "it calls a function through a pointer",
    "n += changing;": "it uses a volatile object",
    "n += partly.free;": "parts of partly are constant",
    "n += (long)p;": "it computes with an address",
    "n += p < &n;": "it computes with addresses",
    "p = malloc(4);": "it calls malloc",
    "n += total + add();": "the order of evaluation matters",
    "n += add() + add();": "the order of evaluation matters",
    "struct { int x; } pair = {n}; n = pair.x + pair.x++;": "the order of evaluation matters",
    "n += colour;": "it uses an enumeration",
    "wide += 1;": "it uses a long double",
    "n += *p++;": "it reads through a pointer and changes something",
    "n += FIRST;": "a macro reads through a pointer",
    "n += flags.on;": "it uses a bit-field of type _Bool",
    "calls += n; f(n, p);": "calls is static, and its function is called again",
}
BEFORE: Final = """\
void unknown(int *); int scanf(const char *, ...); void *malloc(unsigned long);
extern char text[]; int (*callback)(int); volatile int changing; long double wide;
struct part { const int fixed; int free; } partly = {1, 2};
struct { _Bool on : 1; } flags;
enum colour { RED, GREEN } colour;
#define FIRST p[0]
int total; int add(void) { return ++total; }
void store(int *to) { *to = 1; }
"""


@pytest.mark.parametrize("inside", REFUSED)
def test_refused(inside: str) -> None:
    isolated = isolate(f"{BEFORE}void f(int n, int *p) {{ static int calls; while (n) {{ n--; {inside} }} }}\n")
    fragment = fragment_of(isolated, "f_loop1")
    assert fragment.refused.startswith(REFUSED[inside]), fragment.refused


@pytest.mark.parametrize("create", ["int pthread_create();", "int thrd_create();"])
def test_programs_with_threads_are_refused(create: str) -> None:
    name = create.split()[1].removesuffix("();")
    isolated = isolate(f"{create} void f(int n) {{ while (n) n--; }} int main() {{ {name}(); f(3); }}")
    assert {fragment.refused for fragment in isolated.fragments} == {f"the program calls {name}"}


def test_unsequenced_side_effects_are_refused() -> None:
    isolated = isolate("void f(int n) { while (n) { n = n++ + n; } }")
    assert isolated.fragments[0].refused == "the order of evaluation matters at line 1"


@pytest.mark.parametrize(
    "inside",
    [
        "store(&n);",  # through a pointer to something of the fragment's own
        "fill(array, 3);",
        "n += p[0] + p[1];",  # reads become any value
        "n = add();",
        "total += n;",
        "printf(text, n);",
        "local = array[1];",
    ],
)
def test_not_refused(inside: str) -> None:
    before = f"{BEFORE}int printf(const char *, ...); void fill(int *a, int n) {{ a[n] = 0; }}\n"
    text = f"{before}void f(int n, int *p) {{ int array[9], local; while (n) {{ n--; {inside} }} }}\n"
    assert fragment_of(isolate(text), "f_loop1").refused == ""


def test_reads_through_pointers_give_any_value() -> None:
    isolated = isolate("void f(int n, int *p) { while (n) { n -= p[n]; } }")
    text = isolated.fragment_text(isolated.fragments[0], cut_inner=False)
    assert "(*n) -= ({ __typeof__(p[(*n)]) remuda_any; remuda_any; });" in text


def test_the_harness_calls_the_fragment_with_anything() -> None:
    isolated = isolate("void f(int n) { int a[3]; while (n) { a[n] = 1; n--; } }")
    text = isolated.fragment_text(isolated.fragments[0], cut_inner=False)
    assert text.endswith("void f_loop1_harness(void)\n{\n  int n;\n  __typeof__(int[3]) a;\n  f_loop1(&n, &a);\n}\n")


def test_inner_loops_are_cut() -> None:
    isolated = isolate(TWO_SUM)
    text = isolated.fragment_text(fragment_of(isolated, "two_sum_loop1"), cut_inner=True)
    assert "if ( j < i) { { two_sum_loop2(j, i, array, sum); }  j++; __CPROVER_assume(0); } }" in text


def test_loops_whose_changes_are_not_evident_are_kept() -> None:
    isolated = isolate(f"{BEFORE}void f(int n) {{ while (n) {{ n--; while (n) {{ store(&n); }} }} }}")
    text = isolated.fragment_text(fragment_of(isolated, "f_loop1"), cut_inner=True)
    assert "while ((*n)) { f_loop2(n); }" in text


def test_only_assertions_inside_are_claimed() -> None:
    text = (
        "void __VERIFIER_assert(int);\nvoid g(int n) { __VERIFIER_assert(n); }\nvoid f(int n) {\n while (n) { g(n);\n"
    )
    isolated = isolate(f"{text} __VERIFIER_assert(n); n--; }}\n __VERIFIER_assert(n); }}\n")
    assert [span.line for span in isolated.assertions(fragment_of(isolated, "f_loop1"))] == [5]
