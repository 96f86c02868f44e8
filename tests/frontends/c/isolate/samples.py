"""Small programs with loops, and how the tests isolate them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Final

from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions
from remuda.frontends.c.isolate.program import Fragment, IsolatedProgram, isolate_loops

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FLAGS: Final = ("-w", "-std=gnu11", "-fwrapv", "-fno-strict-aliasing")
LISTING: Final = """\
int main(void) {
  int n = 0, x = 1;
  while (n < 1000) {
    __CPROVER_assert(x == 1, "x");
    n += x;
  }
}
"""
TWO_SUM: Final = """\
int printf(const char *, ...);
#define SIZE 200
int two_sum(int *array, int sum) {
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < i; j++) {
      __CPROVER_assert(j < SIZE, "inside");
      if (array[j] + array[i] == sum) printf("found!");
    }
  }
  return 0;
}
"""
PRINTING: Final = {
    "while": 'int n = 0, x = 3; while (n < 10) { n += x; printf("%d ", n); } printf("%d", n);',
    "for": 'int s = 0; for (int i = 0; i < 5; i++) { if (i == 2) continue; s += i; printf("%d ", s); }',
    "for without parts": 'int i = 0; for (;i < 4;) i++; printf("%d", i);',
    "do": 'int i = 0; do { i++; if (i == 2) continue; printf("%d ", i); } while (i < 4);',
    "nested": "int t = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < i; j++) { int k = j; while (k-- > 0) t += i * k; }"
    ' printf("%d", t);',
    "array": 'int a[4] = {1, 2, 3, 4}; for (int i = 0; i < sizeof a / sizeof *a; i++) { a[i] *= 2; printf("%d ", a[i]); }',
    "matrix": "int m[2][3] = {{1}, {2}}; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) m[i][j] += i + j;"
    ' printf("%d %d", m[1][2], m[0][1]);',
    "struct": 'struct point p = {1, {2, 3}}; while (p.x < 5) { p.x++; p.y[1] += p.x; } printf("%d %d", p.x, p.y[1]);',
    "pointer": 'int a[3] = {1, 2, 3}, *p = a; while (p < a + 3) { *p += 1; p++; } printf("%d", a[2]);',
    "aliased": 'int x = 1, *p = &x, i = 0; while (i < 3) { *p += 1; printf("%d ", x); i++; }',
    "string": 'char text[] = "abc"; char *at = text; while (*at) { *at += 1; at++; } printf("%s", text);',
    "static": 'static int s = 1; for (int i = 0; i < 3; i++) { static int t; t += s; s += t; printf("%d ", s); }',
    "switch": 'for (int i = 0; i < 4; i++) { switch (i) { case 1: printf("one "); break; default: continue; } printf("x "); }',
    "shadowed": 'int x = 1; for (int i = 0; i < 2; i++) { x++; { int x = 5; x++; printf("%d ", x); } printf("%d ", x); }',
    "side effects": 'int i = 0; while (i++ < 3) { printf("%d ", i); }',
    "function pointer": 'int (*f)(int) = twice; int x = 1; while (x < 10) { x = f(x); f = once; } printf("%d", x);',
    "goto inside": 'int i = 0; while (i < 3) { i++; if (i == 2) goto next; printf("%d ", i); next: ; }',
    "recursion": 'printf("%d", tree(4));',
    "macro": 'int s = 0; for (int i = 0; i < 3; i++) { s += MAXIMUM(s, i); } printf("%d", s);',
}
BEFORE: Final = """\
#include <stdio.h>
#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))
struct point { int x; int y[2]; };
static int once(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
static int tree(int n) { int s = 1; for (int i = 1; i < n; i++) { s += tree(n - i); } return s; }
"""


def printing_program(name: str) -> str:
    return f"{BEFORE}int main(void) {{\n{PRINTING[name]}\nreturn 0;\n}}\n"


def isolate(text: str, name: str = "program.c", error_labels: Sequence[str] = ()) -> IsolatedProgram:
    return isolate_loops(Source(name, text), ParseOptions(), error_labels)


def fragment_of(isolated: IsolatedProgram, name: str) -> Fragment:
    return next(fragment for fragment in isolated.fragments if fragment.name == name)


def run(text: str, folder: Path) -> tuple[int, str]:
    """The exit code and the output of a program."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    subprocess.run(["gcc", *FLAGS, "-o", str(program), str(source)], check=True)
    done = subprocess.run([str(program)], check=False, capture_output=True, text=True, timeout=10)
    return done.returncode, done.stdout
