"""Moved loops: their text, its meaning, and the loops that stay."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from tests.frontends.c.gcc import MACROS
from tests.frontends.c.isolate.samples import LISTING, PRINTING, isolate, printing_program, run
from tests.frontends.c.random_c_features import random_computation

if TYPE_CHECKING:
    from pathlib import Path

STAYING: Final = {  # a function, and why its loop stays
    "int f(int n) { while (n) {\n n--; if (n == 3) break; } return n; }": "a break leaves it at line 2",
    "int f(int n) { while (n) {\n n--; if (n == 3) return 1; } return n; }": "a return leaves it at line 2",
    "int f(int n) { while (n) { n--; if (n == 3)\n goto out; } out: return n; }": "a goto leaves it at line 2",
    "int f(int n) { if (n) goto in; while (n) { in: n--; } return n; }": "a goto at line 1 enters it",
    "int f(int n) { switch (n) { case 0: while (n < 3) { case 1: n++; } } return n; }": "a case of a switch around it",
    "int f(int n) { int a[n]; while (n) { a[0]++; n--; } return n; }": "the size of a is computed",
    "int f(int n) { struct s { int x; } v = {0}; while (n) { v.x++; n--; } return n; }": "the type of v is declared",
    "int f(int n) { struct { int x; } v = {0}; while (n) { v.x++; n--; } return n; }": "the type of v is declared",
    "int f(int n) { enum { A = 1 }; while (n) { n -= A; } return n; }": "it uses A, which is declared in the function",
    "int f(int n) { register int x = 0; while (n) { x++; n--; } return x; }": "x is a register variable",
    "#define DOWN n--\nint f(int n) { while (n) { DOWN; } return n; }": "a macro uses n at line 2",
    "#define FOREVER while (1)\nint f(int n) { FOREVER { n++; } }": "a macro writes it",
    "#define TWICE(s) s s\nint f(int n) { TWICE(while (n) { n--; }) return n; }": "a macro repeats it",
    "int f(int n) { while (n) { n -= ({ if (n == 1) continue; 1; }); } return n; }": "a statement expression is left",
    "int f(int n) { while (({ n--; n; })) { n--; } return n; }": "there is a statement expression in its head",
    "int f(int n) { void *p = &&in; goto *p; in: while (n) { n--; } return n; }": "the function jumps to computed labels",
    'int f(int n) { while (n) { n--; __asm__("nop"); } return n; }': "it contains inline assembly",
    "int setjmp(int *); int b[9]; int f(int n) { setjmp(b); while (n) { n--; } return n; }": "the function calls setjmp",
    "int f(int n) { while (n) { n--; __builtin_alloca(3); } return n; }": "it calls __builtin_alloca",
    "int f(int n) { while (n) {\n#ifdef X\n n++;\n#endif\n n--; } return n; }": "it has preprocessor directives",
    "int f(int n) {\n#define DOWN 1\n while (n) { n -= DOWN; } return n; }": "the function has preprocessor directives",
    "int g(const char *); int f(int n) { while (n) { n--; g(__func__); } return n; }": "it uses the name of its function",
    "int p(const char *, int);\n#define SHOW(v) p(#v, v)\nint f(int n) { while (n) { SHOW(n); n--; } return n; }": (
        "macros change its text"
    ),
}


def test_the_listing_of_the_paper() -> None:
    isolated = isolate(LISTING)
    assert isolated.text.replace('"program.c"', "FILE") == (
        "#ifdef __CPROVER__\n"
        "#define __CPROVER_assert(c, ...) ({ int remuda___CPROVER_assert = !!((c));"
        ' __CPROVER_assert(remuda___CPROVER_assert, "claim"); __CPROVER_assume(remuda___CPROVER_assert); })\n'
        "#endif\n"
        "#line 1 FILE\n"
        "\n"
        "static void main_loop1(int *n, int x)\n"
        "{\n"
        "#ifdef __CPROVER__\n"
        "#line 3 FILE\n"
        "__CPROVER_assume((*n) < 1000);\n"
        "#endif\n"
        "#line 3 FILE\n"
        "{\n"
        '    __CPROVER_assert(x == 1, "x");\n'
        "    (*n) += x;\n"
        "  }\n"
        "}\n"
        "#line 1 FILE\n"
        "int main(void) {\n"
        "  int n = 0, x = 1;\n"
        "  while (n < 1000) { main_loop1(&n, x); }\n"
        "\n\n\n"
        "}\n"
        "\n"
    )
    (fragment, _) = isolated.fragments
    assert (fragment.name, str(fragment.span), fragment.function) == ("main_loop1", "program.c:3:3", "main")
    assert [(each.name, each.type, each.by_pointer) for each in fragment.captures] == [
        ("n", "int", True),
        ("x", "int", False),
    ]
    assert not isolated.left_alone


def test_pointers_are_passed_on_to_inner_loops() -> None:
    isolated = isolate("void f(int n) { int s = 0; while (n) { for (int i = 0; i < n; i++) { s += i; } n--; } }")
    inner, outer, _ = isolated.fragments
    assert (inner.name, inner.parent, inner.depth) == ("f_loop2", "f_loop1", 1)
    assert (outer.name, outer.parent, outer.depth) == ("f_loop1", None, 0)
    assert "for (int i = 0; i < (*n); i++) { f_loop2(i, (*n), s); }" in isolated.text


def test_names_are_fresh() -> None:
    assert isolate("int f_loop1; void f(int n) { while (n) n--; }").fragments[0].name == "f_loop1_"


def test_a_condition_with_side_effects_is_not_assumed() -> None:
    assert "assume" not in isolate("void f(int n) { while (n--) { } }").text
    assert "assume" not in isolate("void f(int n) { do { n--; } while (n); }").text


def test_a_variable_that_something_points_to_is_not_copied() -> None:
    isolated = isolate("int f(int n) { int x = 1, *p = &x; while (n) { *p = 2; n -= x; } return x; }")
    assert {each.name for each in isolated.fragments[0].captures if each.by_pointer} == {"n", "x"}


def test_loops_made_of_gotos_stay() -> None:
    isolated = isolate("void f(int n) {\n again: n--;\n if (n) goto again; }")
    assert [(str(span), reason) for span, reason in isolated.left_alone] == [("program.c:3:9", "it is made of gotos")]


@pytest.mark.parametrize("text", STAYING, ids=[reason.replace(" ", "_") for reason in STAYING.values()])
def test_loops_that_stay(text: str) -> None:
    isolated = isolate(text)
    reasons = [reason for _, reason in isolated.left_alone]
    assert any(reason.startswith(STAYING[text]) for reason in reasons), reasons
    assert not [fragment for fragment in isolated.fragments if fragment.move is not None]


@pytest.mark.parametrize("name", PRINTING)
def test_the_program_prints_the_same(name: str, tmp_path: Path) -> None:
    text = printing_program(name)
    isolated = isolate(text)
    assert any(fragment.move is not None for fragment in isolated.fragments)
    assert not isolated.left_alone
    assert run(isolated.text, tmp_path) == run(text, tmp_path)


@pytest.mark.parametrize("name", PRINTING)
def test_moving_twice_is_moving_more(name: str, tmp_path: Path) -> None:
    """The text is a program like any other."""
    text = printing_program(name)
    assert run(isolate(isolate(text).text).text, tmp_path) == run(text, tmp_path)


def test_random_programs_have_the_same_results(tmp_path: Path) -> None:
    computations = [random_computation(Random(seed), f"_{seed}") for seed in range(12)]
    head = (
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nstatic unsigned inputs;\n"
        "#define INPUT(type, name, number, one, other) type name = inputs >> number & 1 ? (type)(other) : (type)(one)\n"
    )
    calls = "".join(
        f'  for (inputs = 0; inputs < {1 << each.inputs}u; inputs++) printf("%llu ", {each.name}());\n'
        for each in computations
    )
    texts = "".join(each.text for each in computations)
    text = f"{head}{MACROS}{texts}int main(void) {{\n{calls}  return 0;\n}}\n"
    isolated = isolate(text)
    assert sum(fragment.move is not None for fragment in isolated.fragments) > 10
    assert run(isolated.text, tmp_path) == run(text, tmp_path)


def test_definitions_of_intrinsics_are_for_compilers_only(tmp_path: Path) -> None:
    text = "int __CPROVER_assert(int a, char *b) {}\nint main() { int n = 3; while (n > 0) { n--; } return n; }\n"
    isolated = isolate(text)
    assert "#ifndef __CPROVER__\n#line 1" in isolated.text
    assert run(isolated.text, tmp_path) == (0, "")


def test_line_markers_are_dropped() -> None:
    text = '# 7 "other.c"\nvoid f(int n) {\n# 9 "other.c"\nwhile (n) n--; }\n'
    isolated = isolate(text)
    assert "other.c" not in isolated.text
    assert str(isolated.fragments[0].span) == "program.c:4:1"
