"""Where assertions go in C programs, and of what variables they may be."""

from __future__ import annotations

import textwrap
from typing import Final

import pytest

from remuda.base.predicates import Comparison, Moment, OneOf, Predicate, mentioned
from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions, parse
from remuda.frontends.c.synthesize.conditions import condition, number
from remuda.frontends.c.synthesize.constants import constants_of
from remuda.frontends.c.synthesize.program import CHOICE, CHOICE_PROTOTYPE, PROTOTYPE, SynthesisProgram, read_program


def read(text: str) -> SynthesisProgram:
    return read_program(Source("test.c", textwrap.dedent(text)), ParseOptions())


def marked(program: SynthesisProgram) -> str:
    """The text with `A(names)` for an assertion about the variables of each point."""
    chosen: dict[int, list[Predicate]] = {
        point.number: [Comparison(each.name, ">=", point.number) for each in point.variables]
        for point in program.points
    }
    text, kept = program.with_assertions(chosen)
    assert kept == chosen
    assert text.count("\n") == program.source.text.count("\n")
    for point in program.points:
        what = {Moment.ENTRY: "entry of", Moment.EXIT: "exit of", Moment.LOOP: "loop in"}[point.moment]
        calls = " ".join(
            f'__CPROVER_assert({each.name} >= {point.number}, "{what} {point.function}");' for each in point.variables
        )
        names = ",".join(each.name for each in point.variables)
        text = text.replace(calls, f"A({names});")
    return text.replace(f"{PROTOTYPE} ", "").replace("remuda_result", "R")


GOLDEN: Final = {
    "returns in nested statements": (
        "int f(int a) { if (a > 1) return a + 1; else if (a) return 3; for (;;) return 2; }",
        (
            "int f(int a) { A(a); if (a > 1) { int R = (a + 1); A(R,a); return R; } else if (a) "
            "{ int R = (3); A(R,a); return R; } for (;;) { A(a); { int R = (2); A(R,a); return R; } } }"
        ),
    ),
    "bodies of one statement": (
        "void f(int a) { while (a) a--; do a++; while (a < 3); for (int i = 0; i < 3; i++) if (a) a = i; else ; }",
        (
            "void f(int a) { __typeof__(a) remuda_old_a = a; A(a); while (a) { A(a); a--; } do { A(a); a++; } while (a < 3); "
            "for (int i = 0; i < 3; i++) { A(a,i); if (a) a = i; else ; } A(a,remuda_old_a); }"
        ),
    ),
    "an empty body": ("void f(int a) { while (a > 0); }", "void f(int a) { A(a); while (a > 0){ A(a); ; } A(a); }"),
    "inner names hide outer ones": (
        "int x; void f(int y) { { char x = 1; while (x < 5) x++; { int y; while (x) x = 0; } } x = y; }",
        (
            "int x; void f(int y) { A(x,y); { char x = 1; while (x < 5) { A(x,y); x++; } "
            "{ int y; while (x) { A(x); x = 0; } } } x = y; A(x,y); }"
        ),
    ),
    "types and enumerators hide variables, too": (
        "int x, y; void f(void) { x = y; { typedef int x; enum { y } e; while (1) { e = y; } } }",
        "int x, y; void f(void) { A(x,y); x = y; { typedef int x; enum { y } e; while (1) { e = y; } } }",
    ),
    "switch": (
        "int f(int a) { int r; switch (a) { case 1: r = 1; break; case 2: return 4; default: r = 2; } return r; }",
        (
            "int f(int a) { A(a); int r; switch (a) { case 1: r = 1; break; case 2: { int R = (4); A(R,a); return R; } "
            "default: r = 2; } { int R = (r); A(R,a); return R; } }"
        ),
    ),
    "variables without a value": (
        "int f(int a) { int x, y; if (a) x = 1; y = 2; while (a--) { y = x; } return y; }",
        (
            "int f(int a) { __typeof__(a) remuda_old_a = a; A(a); int x, y; if (a) x = 1; y = 2; while (a--) { A(y,a); y = x; } "
            "{ int R = (y); A(R,y,a,remuda_old_a); return R; } }"
        ),
    ),
    "gotos": (
        "int f(int a) { int x; if (a) goto out; x = 1; while (x < a) x++; out: return a; }",
        (
            "int f(int a) { A(a); int x; if (a) goto out; x = 1; while (x < a) { A(a,x); x++; } "
            "out: { int R = (a); A(R,a); return R; } }"
        ),
    ),
    "void functions": (
        "int g; void f(int a) { if (a) return; g = a; }",
        "int g; void f(int a) { A(a,g); if (a) { A(a,g); return; } g = a; A(a,g); }",
    ),
    "results with commas and pointers": (
        "struct s { int i; }; struct s *f(struct s *p) { return 0, p; }",
        "struct s { int i; }; struct s *f(struct s *p) { A(p); { struct s * R = (0, p); A(R,p); return R; } }",
    ),
    "results that are no numbers": (
        "double g(void); double f(int a) { if (a) return 1.5; return g(); }",
        "double g(void); double f(int a) { A(a); if (a) { A(a); return 1.5; } return g(); }",
    ),
    "an end that nothing reaches": (
        "int g; void f(void) { g = 1; for (;;) { g = 2; } }",
        "int g; void f(void) { A(g); g = 1; for (;;) { A(g); g = 2; } }",
    ),
    "what may change by itself": (
        "volatile int v; void f(void) { v = 1; }",
        "volatile int v; void f(void) { v = 1; }",
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_assertions_stand_where_they_should(name: str) -> None:
    before, after = GOLDEN[name]
    assert marked(read(before)) == after


def test_macros_are_left_alone() -> None:
    program = read(
        """\
        #define OUT return 7
        #define EACH(i, n) for (i = 0; i < n; i++)
        #define counter total
        int total;
        int f(int a) {
          int i, counter = 2;
          EACH(i, a) total += i;
          if (a) OUT;
          return a; // the end
        }
        """
    )
    assert [(point.moment, point.line) for point in program.points] == [(Moment.ENTRY, 5), (Moment.EXIT, 9)]
    assert [each.name for each in program.points[0].variables] == ["a"]
    assert "// the end" in marked(program)


def test_what_does_not_survive_is_left_out() -> None:
    program = read(
        """\
        #define __CPROVER_assert(condition, text)
        int f(int a) { return a; }
        """
    )
    text, kept = program.with_assertions({1: [Comparison("a", ">=", 0)]})
    assert kept == {}
    assert text == program.source.text


def test_a_declaration_is_added_only_where_there_is_none() -> None:
    asserted: dict[int, list[Predicate]] = {1: [Comparison("a", ">=", 0)]}
    text, _ = read("int before;\n/* x */ const int *f(int a) { return 0; }\n").with_assertions(asserted)
    assert text.splitlines()[1].startswith(f"/* x */ {PROTOTYPE} const int *f(int a) {{ __CPROVER_assert(")
    text, _ = read("int __CPROVER_assert(int a, char *b) {}\nint f(int a) { return 0; }\n").with_assertions(asserted)
    assert "extern" not in text


def test_independent_assertions_may_be_passed_by() -> None:
    text, _ = read("int f(int a) { return 0; }").with_assertions({1: [Comparison("a", ">=", 0)]}, independent=True)
    assert text.startswith(
        f"{PROTOTYPE} {CHOICE_PROTOTYPE} int f(int a) {{ if ({CHOICE}()) __CPROVER_assert(a >= 0, "
    )


def test_conditions_do_not_overflow() -> None:
    assert condition(Comparison("x", "==", "y", -3)) == "(long long)x == (long long)y - 3"
    assert condition(OneOf("x", (1, -2))) == "x == 1 || x == -2"
    assert number(-(1 << 63)) == "(-9223372036854775807ll - 1)"
    assert number((1 << 64) - 1) == "18446744073709551615ull"
    program = read("long f(long a, long b) { return a + b; }")
    _, kept = program.with_assertions({1: [Comparison("a", "==", "b", 1), Comparison("a", "<=", "b")]})
    assert kept == {1: [Comparison("a", "<=", "b")]}


def test_constants_of_variables() -> None:
    unit = parse(
        Source(
            "test.c",
            "int s, t; static int g(int k) { return k < 9 ? k : -1; }\n"
            "int f(int a) { s = -4; if (a == 3 || 5 < a) s = 2; t = a; switch (a) { case 8: g(1); } return 0; }\n",
        ),
        ParseOptions(),
    )
    constants = constants_of(unit)
    state, total = unit.variables
    assert constants.of(state) == (-4, 2)
    assert constants.all_of(state) == (-4, 0, 2)
    assert constants.all_of(total) is None
    assert constants.of(unit.functions["f"].parameters[0]) == (3, 5, 8)
    assert constants.all_of(unit.functions["g"].parameters[0]) == (1,)
    assert constants.all_of(unit.functions["f"]) == (0,)


def test_first_values_of_parameters_are_kept_if_they_are_used() -> None:
    program = read("int f(int a, int b) { a += b; return a; }")
    exits = [point for point in program.points if point.moment is Moment.EXIT]
    old = [each.name for each in exits[0].variables if each.is_old]
    assert old == ["remuda_old_a"]
    same = Comparison("remuda_result", ">=", "remuda_old_a")
    assert mentioned(same) == ("remuda_result", "remuda_old_a")
    text, _ = program.with_assertions({exits[0].number: [same]})
    assert "{ __typeof__(a) remuda_old_a = a; a += b;" in text


def test_recordings_stop_jumps_that_go_round_for_ever() -> None:
    text = read(
        "int main(void) { ERROR: goto ERROR; }\nint __VERIFIER_nondet_int(void) { int x; return x; }"
    ).recording()
    assert "ERROR: { remuda_record(0, 0); goto ERROR; }" in text
    assert "int __VERIFIER_nondet_int(void); int remuda_own___VERIFIER_nondet_int(void) {" in text
