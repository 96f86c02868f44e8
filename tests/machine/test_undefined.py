"""The machine reports undefined behaviour: the cause, the object, the offset, and the place."""

from __future__ import annotations

from typing import Final

import pytest

from remuda.machine.outcomes import Cause, End
from remuda.machine.settings import Settings
from tests.machine.running import run

BEFORE: Final = """
void *malloc(__SIZE_TYPE__), *calloc(__SIZE_TYPE__, __SIZE_TYPE__), *realloc(void *, __SIZE_TYPE__);
void free(void *), *memcpy(void *, const void *, __SIZE_TYPE__), *alloca(__SIZE_TYPE__);
__SIZE_TYPE__ strlen(const char *);
long strtol(const char *, char **, int);
int a[4], zero; struct pair { char c; int n; struct pair *next; } g;
static int *dangling(void) { int x = 3; int *p = &x; return p; }
"""
UNDEFINED: Final = {
    "int *p = 0; return *p;": (Cause.POINTER, "an access through a null pointer"),
    "return a[zero + 4];": (Cause.BOUNDS, "an access to 4 bytes at offset 16 of a, which has 16 bytes"),
    "return *(&a[1] - 2);": (Cause.BOUNDS, "at offset -4 of a"),
    "return *dangling();": (Cause.POINTER, "an access to x, which no longer exists"),
    "int *p; { int y = 1; p = &y; } return *p;": (Cause.POINTER, "an access to y, which no longer exists"),
    "int *p = malloc(8); free(p); return *p;": (Cause.POINTER, "which was freed"),
    "int *p = malloc(8); free(p); free(p);": (Cause.POINTER, "which was freed before"),
    "free(a);": (Cause.POINTER, "free of a, which was not allocated"),
    "char *p = malloc(8); free(p + 1);": (Cause.POINTER, "offset 1 of the block of malloc"),
    "char *p = malloc(3); memcpy(p, a, 4);": (Cause.BOUNDS, "an access to 4 bytes at offset 0 of the block"),
    "char t[2] = {'a', 'b'}; return strlen(t);": (Cause.BOUNDS, "offset 2 of t"),
    '*(char *)"text" = 1;': (Cause.POINTER, 'a write to the literal "text"'),
    "return 1 / zero;": (Cause.DIVISION, "division by zero in 1 / zero"),
    "int least = -0x7fffffff - 1; return least / (zero - 1);": (Cause.OVERFLOW, "does not fit into int"),
    "int most = 0x7fffffff; most++;": (Cause.OVERFLOW, "2147483648 does not fit into int"),
    "return 1 << (zero + 32);": (Cause.SHIFT, "a shift by 32"),
    "double d = 1e30; return (int)d;": (Cause.CONVERSION, "the conversion of 1e+30 to int"),
    "int (*f)(void) = (int (*)(void))a; return f();": (Cause.POINTER, "a call of a, which is no function"),
    "int n = zero; int v[n]; return sizeof v;": (Cause.BOUNDS, "v has 0 elements"),
    "__builtin_unreachable();": (Cause.OTHER, "__builtin_unreachable is reached"),
    "memcpy((char *)a + 1, a, 4);": (Cause.OTHER, "parts that overlap"),
    'return strtol("1", 0, 37);': (Cause.OTHER, "strtol with the base 37"),
}
DEFINED: Final = {
    "struct pair *p = &g; p->next = p; return p->next->next->n;": 0,
    "long x = (long)&a[2]; *(int *)x = 7; return a[2];": 7,
    "int *p = &a[4]; return p[-1] + 5;": 5,
    "union { float f; unsigned u; } v; v.f = 1.0f; return v.u >> 24;": 0x3F,
    "int *p = malloc(4), **q = &p, *c; memcpy(&c, q, sizeof c); *c = 9; return *p;": 9,
    "int n = 3, v[n][2]; v[2][1] = 4; return sizeof v + v[2][1];": 28,
    "int s = 0; for (int i = 0; i < 5; i++) { if (i == 3) continue; s += i; } return s;": 7,
    "switch (zero + 2) { case 0: return 1; case 1 ... 3: return 2; default: return 3; }": 2,
    "int i = 0; again: if (i++ < 4) goto again; return i;": 5,
    "void *t[] = {&&one, &&two}; goto *t[zero + 1]; one: return 1; two: return 2;": 2,
    "return ({ int x = 4; x * 2; }) + (zero ?: 3);": 11,
    "struct { int f : 3; unsigned g : 5; } b = {3, 31}; b.f++; return b.f + b.g;": 27,
    "char *p = alloca(4); p[3] = 2; return p[3];": 2,
    "int *p = (int[]){1, 2, 3}; return p[1];": 2,
}


@pytest.mark.parametrize("body", UNDEFINED)
def test_undefined_behaviour_is_known(body: str) -> None:
    outcome = run(f"{BEFORE}int main(void) {{ {body} return 0; }}")
    cause, text = UNDEFINED[body]
    assert (outcome.end, outcome.cause) == (End.UNDEFINED, cause), str(outcome)
    assert text in outcome.text
    assert outcome.span is not None


@pytest.mark.parametrize("body", DEFINED)
def test_defined_programs_reach_their_end(body: str) -> None:
    outcome = run(f"{BEFORE}int main(void) {{ {body} return 0; }}")
    assert (outcome.end, outcome.code) == (End.EXITED, DEFINED[body]), str(outcome)


def test_overflow_may_be_tolerated() -> None:
    settings = Settings(tolerated=frozenset({Cause.OVERFLOW}))
    outcome = run("int main(void) { int x = 0x7fffffff; x++; return x < 0; }", settings=settings)
    assert (outcome.end, outcome.code) == (End.EXITED, 1)
    assert "signed overflow" in str(outcome.opens[0])


def test_an_uninitialised_value_is_left_open() -> None:
    outcome = run("int main(void) { int x, y[2]; y[1] = 1; return x + y[0] + y[1]; }")
    assert (outcome.end, outcome.code) == (End.EXITED, 1)
    assert [each.text for each in outcome.opens] == [
        "x is read before it has a value",
        "offset 0 of y is read before it has a value",
    ]


def test_assertions_assumptions_and_labels() -> None:
    text = """
    int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int), __VERIFIER_assert(int);
    int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); __VERIFIER_assert(x != 7);
      if (x == 8) goto ERROR; return x; ERROR: return 0; }
    """
    settings = Settings(error_labels=frozenset({"ERROR"}))
    ends = [run(text, number, settings=settings).end for number in (3, 7, 8, 9)]
    assert ends == [End.ASSUMED, End.FAILED, End.FAILED, End.EXITED]


def test_deep_recursion_and_deep_expressions_need_no_stack_of_ours() -> None:
    deep = "static int f(int n) { return n ? 1 + f(n - 1) : 0; } int main(void) { return f(20000) == 20000; }"
    assert run(deep).code == 1
    wide = "int main(void) { int x = 1; return (" + "+".join(["x"] * 3000) + ") == 3000; }"
    assert run(wide).code == 1


def test_limits_are_reported() -> None:
    endless = run("int main(void) { for (;;) ; }", settings=Settings(most_steps=1000))
    assert (endless.end, endless.text) == (End.LIMIT, "more than 1000 steps")
    much = "void *malloc(__SIZE_TYPE__); int main(void) { for (;;) malloc(1 << 20); }"
    assert run(much, settings=Settings(most_memory=1 << 24)).end is End.LIMIT


def test_constructs_that_are_not_modelled_are_reported() -> None:
    outcome = run("long double sqrtl(long double); int main(void) { long double x = 1; return sqrtl(x) > 2; }")
    assert outcome.end is End.NOT_MODELLED
    assert "sqrtl" in outcome.text


def test_functions_of_the_compiler_that_the_machine_does_not_know_are_no_inputs() -> None:
    outcome = run("int main(void) { return __builtin_bitreverse8(1) != 128 || __builtin_parityll(3); }")
    assert (outcome.end, outcome.code) == (End.EXITED, 0)
    assert run("int main(void) { return __builtin_eh_return_data_regno(0); }").end is End.NOT_MODELLED


def test_functions_of_the_library_that_the_machine_does_not_know_are_no_inputs() -> None:
    program = "int known_elsewhere(int); int main(void) { return known_elsewhere(1); }"
    outcome = run(program, settings=Settings(library=frozenset({"known_elsewhere"})))
    assert (outcome.end, outcome.text) == (End.NOT_MODELLED, "known_elsewhere")
