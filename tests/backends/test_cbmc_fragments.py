"""The real CBMC on fragments: it proves true assertions, and never proves false ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from remuda.backends.cbmc import Answer, ask_cbmc, proved_assertions
from remuda.options import Options
from tests.frontends.c.isolate.samples import LISTING, TWO_SUM, fragment_of, isolate
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.isolate.program import Fragment, IsolatedProgram

pytestmark = pytest.mark.peer("cbmc")

BEFORE: Final = """\
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);
int input(void);
int total; const int limit = 7; int *global;
volatile int changing;
struct part { const int fixed; int free; } partly = {1, 2};
int add(void) { return ++total; }
int get(int *a, int i) { return *(a + i); }
int count(void) { static int calls; return calls++; }
int deep(int n) { return n <= 0 ? 0 : deep(n - 1) + 1; }
int first(int *to) { *to = 3; return *to; }
"""
HOLDING: Final = [  # bodies of a loop `while (n > 0)` in `f(int n, int *p, int *q)`, whose assertions hold
    "__VERIFIER_assert(n > 0);",
    "int x = n; n = input(); __VERIFIER_assert(x > 0);",
    "__VERIFIER_assert(limit == 7);",
    "array[1] = 5; __VERIFIER_assert(array[1] == 5);",
    "int x = first(&n); __VERIFIER_assert(x == n);",
    "int old = total; add(); __VERIFIER_assert(total == (int)(old + 1u));",
    "__VERIFIER_assert(deep(1) == 1);",
    "if (n > 5) __VERIFIER_assert(\n  n > 5 &&\n  n != 4); // all of it\n  n--;",
    "for (int i = 0; i < 3; i++) array[i] = 1; __VERIFIER_assert(array[2] == 1);",
]
FALSE: Final = [  # the same, but it does not hold, or cannot be known
    "__VERIFIER_assert(n > 1);",
    "__VERIFIER_assert(total == 0);",  # static objects were changed before
    "__VERIFIER_assert(count() == 0);",
    "__VERIFIER_assert(partly.free == 2);",
    "__VERIFIER_assert(p[0] == p[1]);",
    "__VERIFIER_assert(get(p, 0) == get(p, n));",
    "int old = *p; n--; __VERIFIER_assert(*p == old);",  # p may point to n
    "int old = *global; total++; __VERIFIER_assert(*global == old);",
    "int old = n; *p = 3; __VERIFIER_assert(n == old);",
    "int old = total; *global = old + 1; __VERIFIER_assert(total == old);",
    "__VERIFIER_assert(changing == changing);",
    "__VERIFIER_assert(total + add() == 2 * total);",
    "__VERIFIER_assert(deep(9) == 9);",  # too deep
    "int i = 0; while (i < n) { i++; if (i == 50) break; } __VERIFIER_assert(i != 50);",  # too long
    "int i = 0; while (i < n) i++; __VERIFIER_assert(i < 9);",
    "int i = 0; while (i < 100) { i++; array[i % 3] = i; } __VERIFIER_assert(array[0] == array[1]);",
    "__VERIFIER_assert(input() == input());",
    "__VERIFIER_assert(__VERIFIER_nondet_int() == 0);",
    "array[0] += 1; __VERIFIER_assert(array[0] == 1);",  # the second time it is more
    "__VERIFIER_assert(n > 0); __VERIFIER_assert(n > 1);",  # on one line
]


def program_with(inside: str) -> str:
    return (
        f"{BEFORE}void f(int n, int *p, int *q) {{ int array[3] = {{0}}; while (n > 0) {{\n {inside}\n n--; }} }}\n"
    )


def check(isolated: IsolatedProgram, fragment: Fragment, *, cut_inner: bool = False, unwind: int = 5) -> list[Span]:
    assertions = isolated.assertions(fragment)
    if fragment.refused or not assertions:
        return []
    text = isolated.fragment_text(fragment, cut_inner=cut_inner)
    answer = ask_cbmc(
        text, entry=fragment.harness, source=isolated.source, options=Options(), unwind=unwind, seconds=PATIENCE
    )
    assert not answer.message.startswith("CBMC failed"), answer.message
    return proved_assertions(assertions, answer)


def test_two_sum_is_proved_from_its_outer_loop() -> None:
    isolated = isolate(TWO_SUM)
    inner, outer = (fragment_of(isolated, f"two_sum_loop{number}") for number in (2, 1))
    assert check(isolated, inner) == []
    assert check(isolated, outer) == []  # 200 iterations
    assert [str(span) for span in check(isolated, outer, cut_inner=True)] == ["program.c:6:7"]


def test_the_listing_is_not_proved_from_its_loop() -> None:
    isolated = isolate(LISTING)
    assert check(isolated, fragment_of(isolated, "main_loop1")) == []


@pytest.mark.parametrize("cut_inner", [False, True])
@pytest.mark.parametrize("inside", HOLDING)
def test_assertions_that_hold_in_any_iteration_are_proved(inside: str, cut_inner: bool) -> None:
    isolated = isolate(program_with(inside))
    found = check(isolated, fragment_of(isolated, "f_loop1"), cut_inner=cut_inner)
    is_lost = cut_inner and "for (" in inside  # the effect of a cut loop is not known
    assert len(found) == (0 if is_lost else 1)


@pytest.mark.parametrize("cut_inner", [False, True])
@pytest.mark.parametrize("inside", FALSE)
def test_assertions_that_may_fail_are_not_proved(inside: str, cut_inner: bool) -> None:
    isolated = isolate(program_with(inside))
    for fragment in isolated.fragments:
        assert check(isolated, fragment, cut_inner=cut_inner) == []


def test_a_cut_loop_leaves_what_it_does_not_change() -> None:
    text = program_with("int x = 4, i = 0; while (i < 100) { i++; } __VERIFIER_assert(x == 4 && i >= 100);")
    isolated = isolate(text)
    assert len(check(isolated, fragment_of(isolated, "f_loop1"), cut_inner=True)) == 1


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("#include <assert.h>\nvoid f(int n) {\n while (n > 0) { assert(n > 0); n--;\n assert(n < 0); } }\n", [3]),
        ("void reach_error(void) { }\nvoid f(int n) {\n while (n > 0) { if (n == 0) reach_error(); n--; } }\n", [3]),
        ("void f(int n) {\n while (n > 0) { if (n > 3)\n __VERIFIER_error(); n--; } }\n", []),
        ("void f(int n) {\n while (n > 0) { if (n < 0) { ERROR: ; }\n if (n == 9) { FAILURE: ; } n--; } }\n", [2]),
        (
            'int __CPROVER_assert(int a, char *b) {}\nvoid f(int n) {\n while (n) { __CPROVER_assert(n, ""); n--; } }',
            [3],
        ),
        (
            (
                "int __VERIFIER_nondet_int(void) { return 1; }\nvoid __VERIFIER_assert(int);\nvoid f(int n) {\n"
                " while (n > 0) { n = __VERIFIER_nondet_int(); __VERIFIER_assert(n == 1); } }"
            ),
            [],
        ),
        ("void __VERIFIER_assert(int);\nvoid f(long n) {\n while (n) { __VERIFIER_assert(n); n--; } }", []),
    ],
)
def test_all_kinds_of_assertions(text: str, lines: list[int]) -> None:
    isolated = isolate(text, error_labels=("ERROR", "FAILURE"))
    fragment = fragment_of(isolated, "f_loop1")
    assert fragment.refused == ""
    assert [span.line for span in check(isolated, fragment)] == lines


def test_functions_are_fragments_too() -> None:
    isolated = isolate(
        "void __VERIFIER_assert(int);\nint f(int n) { int m = n; __VERIFIER_assert(m == n); return m; }\n"
    )
    assert len(check(isolated, fragment_of(isolated, "f"))) == 1


def test_the_machine_is_the_one_asked_for() -> None:
    text = "void __VERIFIER_assert(int);\nvoid f(void) { __VERIFIER_assert(sizeof(long) == 4); }\n"
    isolated = isolate(text)
    fragment = fragment_of(isolated, "f")
    answers: list[Answer] = [
        ask_cbmc(
            isolated.fragment_text(fragment, cut_inner=False),
            entry=fragment.harness,
            source=isolated.source,
            options=Options(arch=arch),
            unwind=1,
            seconds=PATIENCE,
        )
        for arch in ("lp64", "ilp32")
    ]
    assert [bool(answer.proved) for answer in answers] == [False, True]
