"""Everything that verdicts take on trust is listed, in few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from remuda.options import Options
from remuda.results.report import Verdict
from remuda.session import verify, verify_files

if TYPE_CHECKING:
    from pathlib import Path

    from remuda.results.report import Report

HEAD = "#include <assert.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\nint nd(void);\n"
FUNCTIONS = """static int log_;
static int append(int digit) { return log_ = log_ * 10 + digit; }
static int double_it(int *number) { return *number *= 2; }
"""
ORDER = (
    "operands are evaluated from left to right, the right side of an assignment first, where C leaves the order open"
)
UNDEFINED = "no undefined behaviour: "
PRECISION = "floats are computed in their own types, without the excess precision of the x87"
UNCHECKED = "no undefined behaviour that there is no check for: "


def verify_c(folder: Path, text: str, options: Options | None = None) -> Report:
    file = folder / "program.c"
    file.write_text(HEAD + text)
    return verify_files([str(file)], options or Options())


def assumed(report: Report) -> list[str]:
    return [assumption.text.partition(" (")[0] for assumption in report.assumed]


ADDRESSES = (
    "addresses of objects: their order, alignment, gaps and numbers are what the model chose, and none is used again"
)


ENOUGH = "there is always enough memory: allocation succeeds"
TRUTH = "what is read as _Bool is 0 or 1, also where it is written as something else; any other byte counts as 1"
UNCOVERED = (
    "writes to a member of a struct or union leave all other bytes as they are: padding, and what larger members of the"
    " union have there"
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            'printf("%d", 1); puts("x"); assert(1);',
            ["printf, puts: assumed to return any value and to change nothing that the program sees"],
            id="output",
        ),
        pytest.param(
            "assert(getchar() < 256);", ["getchar: assumed to return any value that C allows"], id="constrained"
        ),
        pytest.param(
            "unsigned long long t = __builtin_ia32_rdtsc(); __builtin_ia32_pause(); assert(t + 1 > 0 || t + 1 == 0);",
            ["__builtin_ia32_rdtsc: assumed to return any value that C allows"],
            id="builtin",
        ),
        pytest.param(
            "void *r = __builtin_return_address(0), *f = __builtin_frame_address(0); assert(r == r && f == f);",
            [
                (
                    "__builtin_return_address, __builtin_frame_address: assumed to return any value, but no pointer to an"
                    " object of the program"
                )
            ],
            id="builtin-pointers",
        ),
        pytest.param(
            "assert(time(0) != 0 || 1); assert(drand48() < 1);",
            ["time, drand48: assumed to return any value that C allows"],
            id="time",
        ),
        pytest.param(
            "char a[4]; struct timespec t; assert(!fgets(a, 4, 0) || fread(a, 1, 4, 0) < 5); clock_gettime(0, &t);",
            [
                "fgets, fread, clock_gettime: assumed to read any data, and to return any value that goes with them",
            ],
            id="read",
        ),
        pytest.param(
            'char a[16]; int n = nd(); sprintf(a, "%d", n); assert(a[15] == 0 || 1);',
            [
                "nd: no body, so assumed to return any value, to change nothing and to call no function of the program",
                "sprintf: assumed to write any characters, as many as the format says",
            ],
            id="sprintf",
        ),
        pytest.param(
            "nd(); assert(1);",
            ["nd: no body, so assumed to return any value, to change nothing and to call no function of the program"],
            id="no-body",
        ),
        pytest.param(
            "free(malloc(4)); assert(1);",
            [ENOUGH],
            id="allocation",
        ),
        pytest.param(
            "char a, b; assert((uintptr_t)&a < (uintptr_t)&b);",
            [ADDRESSES],
            id="address",
        ),
        pytest.param(
            "char a, b; assert(&a < &b);",
            [ADDRESSES],
            id="order",
        ),
        pytest.param("int a; assert((int *)(uintptr_t)&a == &a);", [], id="straight-back"),
        pytest.param(
            "int *p = malloc(64), *q = realloc(p, 8); assert(p != q);", [ENOUGH, ADDRESSES], id="reallocated"
        ),
        pytest.param("int *p = malloc(4); free(p); assert(p != malloc(4));", [ENOUGH, ADDRESSES], id="used-again"),
        pytest.param(
            "int *p = malloc(4), *q = p; free(p); __sync_bool_compare_and_swap(&q, p, malloc(4)); assert(q != p);",
            [ENOUGH, ADDRESSES],
            id="swapped",
        ),
        pytest.param(
            "int x, *p = malloc(4); assert(p != &x); if (p != NULL) free(p); p = &x; assert(p == &x);",
            [ENOUGH],
            id="freed-and-named",
        ),
        pytest.param("int *p = malloc(4), *q = malloc(4); assert(p != q);", [ENOUGH], id="never-freed"),
        pytest.param("int a, b, *p = &a, *q = &b; assert(memcmp(&p, &q, sizeof p) < 0);", [ADDRESSES], id="memcmp"),
        pytest.param(
            "int a, *p = &a; uintptr_t u; memcpy(&u, &p, sizeof p); assert(u % 16 == 0);", [ADDRESSES], id="memcpy"
        ),
        pytest.param(
            "int a; union { int *p; uintptr_t u; } u; u.p = &a; assert(u.u % 16 == 0);", [ADDRESSES], id="union"
        ),
        pytest.param("int a = 1; union { int *p; uintptr_t u; } u; u.p = &a; assert(*u.p);", [], id="half-a-union"),
        pytest.param("int a, *p = &a; assert(((unsigned char *)&p)[0] % 16 == 0);", [ADDRESSES], id="byte"),
        pytest.param(
            "int a, *p = &a; assert(*(uintptr_t *)&p % 16 == 0);", [ADDRESSES], id="behind-a-converted-pointer"
        ),
        pytest.param(
            "int a, *p = &a; assert(__builtin_bit_cast(uintptr_t, p) % 4 == 0);", [ADDRESSES], id="bit-cast"
        ),
        pytest.param(
            "int a, *p = &a; assert(__atomic_load_n((uintptr_t *)&p, 0) % 4 == 0);", [ADDRESSES], id="atomic-load"
        ),
        pytest.param(
            "struct { int *p; char c[4]; int n; } s = {0}, t; s.n = 1; memcpy(&t, &s, sizeof s); assert(t.n > t.c[0]);",
            [],
            id="copied-record",
        ),
        pytest.param("char a; assert(&a != (char *)0x100);", [ADDRESSES], id="number"),
        pytest.param("char a; assert(&a != 0);", [], id="null"),
        pytest.param("int a[2], b[2], *end = a + 2; assert(end != b);", [ADDRESSES], id="neighbours"),
        pytest.param("int a, b; assert(&a + 1 != &b);", [ADDRESSES], id="behind-a-variable"),
        pytest.param("int a[2], b[2], c; assert(a != b && b != &c);", [], id="different-objects"),
        pytest.param("int a[2], b[2], *p = a; while (p != a + 2) p++; assert(p != 0);", [], id="loop-to-the-end"),
        pytest.param("int a, b; assert(&a - &b != 0);", [ADDRESSES], id="distance"),
        pytest.param("int a[4]; assert(&a[1] < a + 4 && a + 4 - a == 4);", [], id="one-object"),
        pytest.param("struct s { int a; int b; }; assert((size_t)&((struct s *)0)->b == 4);", [], id="offset"),
        pytest.param(
            'const char *p = "x", *q = "x"; assert(p != q);',
            ["every string literal is a separate object, even if texts are equal"],
            id="literals",
        ),
        pytest.param(
            "struct { unsigned long long a : 33; } s = {0}; assert(s.a + 1);",
            [
                "bit-fields that are wider than int have the type they are declared with, as in clang; gcc computes with as many bits as they have"
            ],
            id="wide-bit-field",
        ),
        pytest.param("struct { unsigned long long a : 32; } s = {0}; assert(s.a + 1);", [], id="bit-field"),
        pytest.param("union { char c; int i; } u; u.i = -1; u.c = 0; assert(u.i);", [UNCOVERED], id="part-of-union"),
        pytest.param("union { char c[4]; int i; } u; u.i = -1; u.c[0] = 0; assert(u.i);", [], id="bytes-of-union"),
        pytest.param(
            "struct { char c; int i; } s = {0}; s.i = 1; assert(((char *)&s)[2]);", [UNCOVERED], id="padding"
        ),
        pytest.param("struct { char c; int i; } s = {0}; s.i = 1; assert(*(char *)&s + s.i);", [], id="no-padding"),
        pytest.param(
            "union { unsigned char c; _Bool b; } u; u.c = 2; assert(u.b == 1);", [TRUTH], id="bool-in-union"
        ),
        pytest.param(
            "struct { _Bool a; } f; memset(&f, 4, sizeof f); assert(f.a == 1);", [TRUTH], id="bool-of-bytes"
        ),
        pytest.param("char raw = 3; _Bool b; memcpy(&b, &raw, 1); assert(b == 1);", [TRUTH], id="bool-copied"),
        pytest.param("struct { _Bool a; } f; memset(&f, 0, sizeof f); assert(!f.a);", [], id="bool-zero"),
        pytest.param("_Bool b = 4, *p = &b; *p ^= 1; assert(!b);", [], id="bool-in-memory"),
        pytest.param("int i = 0, a[2]; a[i] = i++; assert(i);", [ORDER], id="place-and-value"),
        pytest.param("int i = 0; i = i++; assert(i);", [ORDER], id="two-changes"),
        pytest.param("int i = 0; i += (i = 2) + i; assert(i);", [ORDER], id="read-and-change"),
        pytest.param("assert(append(1) - append(2));", [ORDER], id="calls"),
        pytest.param("int a[] = {append(1), append(2)}; assert(a[0]);", [ORDER], id="initialisers"),
        pytest.param("int x = 1; assert(double_it(&x) + x);", [ORDER], id="through-a-pointer"),
        pytest.param("int i = 0; i = i + 1, i++; assert(i++ && i++ ? i : i++);", [], id="sequenced"),
        pytest.param("int x[2] = {0}, i = 0, *p = x; x[i++] = *p++ + append(7); assert(x[0]);", [], id="unrelated"),
    ],
)
def test_c(tmp_path: Path, body: str, expected: list[str]) -> None:
    listed = assumed(verify_c(tmp_path, f"{FUNCTIONS}int main(void) {{ {body} return 0; }}"))
    left_out = (UNDEFINED, UNCHECKED)
    assert [text for text in listed if not text.startswith(left_out) and "unsequenced" not in text] == expected


def test_arguments_of_main(tmp_path: Path) -> None:
    report = verify_c(tmp_path, "int main(int argc, char **argv) { assert(argc > 0); return 0; }")
    assert assumed(report) == ["the arguments of main: argc is from 0 to 1000"]


POINTERS = "int main(void) { int x = nd(), *p = &x; assert(*p + 1 != x); return 0; }"
ACCESSES = "accesses stay within their objects; pointers that are followed are valid"
WRAPS = "signed arithmetic that overflows wraps around"


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        ((), f"{UNDEFINED}{ACCESSES}; {WRAPS}; check it with `--check ub`"),
        (("overflow",), f"{UNDEFINED}{ACCESSES}; check it with `--check ub`"),
        (("memory",), f"{UNDEFINED}{WRAPS}; check it with `--check ub`"),
        (("ub",), ""),
    ],
)
def test_undefined_behaviour_that_is_not_checked(tmp_path: Path, checks: tuple[str, ...], expected: str) -> None:
    listed = assumed(verify_c(tmp_path, POINTERS, Options(check=checks)))
    assert [text for text in listed if text.startswith(UNDEFINED)] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int a = 1; assert(*(float *)&a < 1);", "objects are accessed by their own types and alignments"),
        (
            "char a[8]; void *p = a + 1; *(int *)p = 1; assert(a[1]);",
            "objects are accessed by their own types and alignments",
        ),
        ("const int a = 1; *(int *)&a = 2; assert(a);", "objects that are const are not written"),
        ("assert(some(1));", "functions return a value where one is used"),
        ("char a[8] = {1}; memcpy(a, a + 4, 4); assert(!a[0]);", "memcpy copies between parts that do not overlap"),
        (
            "int *p = malloc(4); *(unsigned *)p = 1; assert(*(char *)p); memmove(p, p, 4); free(p); assert(all(1));",
            "",
        ),
    ],
)
def test_undefined_behaviour_without_a_check(tmp_path: Path, body: str, expected: str) -> None:
    functions = (
        "static int some(int x) { if (x) return 1; }\n"
        "static int all(int x) { for (;;) { if (x) return 1; else abort(); } }\n"
    )
    report = verify_c(tmp_path, f"{functions}int main(void) {{ {body} return 0; }}", Options(check=("ub",)))
    listed = [text for text in assumed(report) if text.startswith(UNCHECKED)]
    assert listed == ([UNCHECKED + expected] if expected else [])


@pytest.mark.parametrize(
    ("arch", "body", "expected"),
    [
        ("ilp32", "double x = nd(); assert(x + 1 > x - 1);", [PRECISION]),
        ("ilp32", "double x = nd(); assert(x > 1 || x < 2);", []),
        ("lp64", "double x = nd(); assert(x + 1 > x - 1);", []),
    ],
)
def test_precision(tmp_path: Path, arch: str, body: str, expected: list[str]) -> None:
    report = verify_c(tmp_path, f"int main(void) {{ {body} return 0; }}", Options(arch=arch))
    assert [text for text in assumed(report) if text.startswith("floats are")] == expected


@pytest.mark.parametrize(
    ("body", "verdict", "belief"),
    [
        ("int s = nd(); if (s >= 32) assert((1 << s) == 0);", Verdict.UNREACHABLE, "shifts have arguments for which"),
        ("int s = nd(); assert(1 / s <= 1);", Verdict.PROVED, "divisions have arguments for which"),
        ("int s = nd(); assert(s / -1 + s == 0);", Verdict.PROVED, "divisions have arguments for which"),
    ],
)
def test_executions_without_undefined_operations_are_judged(
    tmp_path: Path, body: str, verdict: Verdict, belief: str
) -> None:
    report = verify_c(tmp_path, f"int main(void) {{ {body} return 0; }}")
    (result,) = report.assertions
    assert result.verdict is verdict
    assert any(text.startswith(UNDEFINED) and belief in text for text in assumed(report))
    assert verify_c(tmp_path, f"int main(void) {{ {body} return 0; }}", Options(check=("ub",))).verdict is (
        Verdict.VIOLATED
    )


@pytest.mark.parametrize(
    "body",
    [
        "unsigned s = nd(); assert((1u << (s & 31)) != 0);",
        "unsigned s = nd(); assert((1u << s % 32) != 0);",
        "int s = nd(); assert(s % 7 < 7);",
        "int s = nd(), t = nd(); if (s > 0) assert(t / s <= t || t < 0);",
        "int s = nd(); assert(s == 0 || 1 / s <= 1);",
    ],
)
def test_operations_that_are_never_undefined_cost_no_verdict(tmp_path: Path, body: str) -> None:
    report = verify_c(tmp_path, f"int main(void) {{ {body} return 0; }}")
    assert [(result.kind, result.verdict) for result in report.assertions] == [("assert", Verdict.PROVED)]


def test_a_violation_before_an_undefined_operation_is_one(tmp_path: Path) -> None:
    report = verify_c(tmp_path, "int main(void) { int s = nd(); assert(s != 3); assert(1 / s <= 1); return 0; }")
    verdicts = {result.description: result.verdict for result in report.assertions}
    assert verdicts["s != 3"] is Verdict.VIOLATED
    assert verdicts["1 / s <= 1"] is Verdict.PROVED


def test_boogie() -> None:
    report = verify(
        "var g: int where g > 0;\naxiom (forall x: int :: x == x);\n"
        "procedure main() { var i: int; assume g < 5; assume {:partition} g != 3; if (g > 1) { i := 1; } i := 0;\n"
        "  while (i < 10) free invariant i < 100; { i := i + 1; }\n  assume i != 77; assert i < 101; }\n"
        "procedure unused() { assume false; }"
    )
    assert [assumption.text for assumption in report.assumed] == [
        "axiom at program.bpl:2:1: axiom (forall x: int :: x == x);",
        "3 assume statements, the first at program.bpl:3:32",
        "1 free invariant, the first at program.bpl:4:18",
        "the where clauses of g",
    ]
