"""Whole programs print the same on the machine as when gcc has compiled them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from remuda.machine.outcomes import End
from tests.frontends.c.gcc import MACHINES, compile_and_run
from tests.machine.running import execution

if TYPE_CHECKING:
    from pathlib import Path

ENDS = """
#include <stdio.h>
#include <stdlib.h>
static int order;
static void tell(const char *who, int digit) { order = order * 10 + digit; printf("%s %d\\n", who, order); }
__attribute__((destructor(200))) static void last(void) { tell("last", 1); }
__attribute__((destructor(300))) static void first(void) { tell("first", 2); }
__attribute__((constructor(300))) static void late(void) { tell("late", 3); }
__attribute__((constructor(200))) static void early(void) { tell("early", 4); }
static void one(void) { tell("one", 5); }
static void other(void) { tell("other", 6); }
static void deep(int n) { if (n) deep(n - 1); else exit(0); }
int main(void) { atexit(one); atexit(other); HOW; }
"""
CLEANUPS = """
#include <stdio.h>
static void clean(int *p) { printf("clean %d\\n", *p); *p = -1; }
#define CLEAN __attribute__((cleanup(clean)))
static int f(int k) {
  int a CLEAN = k;
  for (int i = 0; i < 3; i++) {
    int b CLEAN = 10 * k + i;
    if (i == k) break;
    if (k == 7) continue;
    if (k == 8) { int c CLEAN = 99; return a + b; }
    if (k == 9) return 9;
  }
  switch (k) { case 4: { int s CLEAN = 44; break; } default: ; }
  { int d CLEAN = 55, e CLEAN = 56; if (k == 10) goto again; int late CLEAN = 66; }
again:;
  int g CLEAN = 70 + k;
  if (k == 11 && a++ < 13) goto again;
  return a++;
}
int main(void) { for (int k = 0; k < 12; k++) printf("f %d\\n", f(k)); return 0; }
"""


@pytest.mark.parametrize(
    "text",
    [*(ENDS.replace("HOW", how) for how in ("return 0", "exit(0)", "deep(3)", "fflush(0), _Exit(0)")), CLEANUPS],
    ids=["return", "exit", "exit below", "exit at once", "cleanups"],
)
def test_programs(text: str, tmp_path: Path) -> None:
    running = execution(text)
    outcome = running.run()
    assert outcome.end is End.EXITED, str(outcome)
    printed = b"".join(running.output).decode()
    assert printed == compile_and_run(text, tmp_path, MACHINES["lp64"])


SCANS = r"""
#include <stdarg.h>
#include <stdio.h>
static int say(const char *form, ...) {
  va_list list, again; va_start(list, form); va_copy(again, list);
  char text[8]; int n = vsnprintf(text, sizeof text, form, list);
  printf("%d %s|", n, text); vprintf(form, again); va_end(list); va_end(again); return n;
}
int main(void) {
  int r, a = -1, b = -1, c = -1, n = -1; unsigned u = 0; long l = 0; double d = 0; float f = 0; char s[16] = "", t[16] = "", k = 0;
  r = sscanf("12 -34", "%d%d%d", &a, &b, &c); printf("%d %d %d\n", r, a, b);
  r = sscanf("", "%d", &a); printf("%d %d\n", r, a);
  r = sscanf("x", "%d", &a); printf("%d %d\n", r, a);
  r = sscanf("7,8", "%d,%d%n", &a, &b, &n); printf("%d %d %d\n", r, a, n);
  r = sscanf("0xff 010", "%x%li", &u, &l); printf("%d %u %ld\n", r, u, l);
  r = sscanf("  one two3", "%s %[a-z]%c", s, t, &k); printf("%d %s %s %c\n", r, s, t, k);
  r = sscanf("1.5e2 -.25", "%lf %f", &d, &f); printf("%d %.3f %.3f\n", r, d, f);
  r = sscanf("123456", "%3d%*1d%d", &a, &b); printf("%d %d %d\n", r, a, b);
  r = sscanf("50%", "%d%%", &a); printf("%d %d\n", r, a);
  r = sscanf("ab]cd", "%[^]]", s); printf("%d %s\n", r, s);
  say("%d and %s\n", 5, "more"); say("%c%5.1f\n", 'x', 2.25);
  return 0;
}
"""


def test_scanned_texts(tmp_path: Path) -> None:
    running = execution(SCANS)
    outcome = running.run()
    assert outcome.end is End.EXITED, str(outcome)
    assert b"".join(running.output).decode() == compile_and_run(SCANS, tmp_path, MACHINES["lp64"])


def _formats() -> str:
    """Every kind of number in every field."""
    lines = [
        f'printf("[%{flags}{width}{precision}{kind}]", {value});'
        for flags in ("", "-", "0", "+", " ", "#", "-0", "+0", "#0", "'")
        for width in ("", "7")
        for precision in ("", ".0", ".4", ".")
        for kind, value in (
            ("d", "42"),
            ("d", "-7"),
            ("d", "0"),
            ("u", "9u"),
            ("x", "255"),
            ("X", "0"),
            ("o", "8"),
            ("o", "0"),
        )
    ]
    others = [
        'printf("[%*d|%*d|%.*d|%.*d]", 5, 1, -5, 2, 3, 4, -3, 5);',
        'printf("[%.*s|%.*s|%-6s|%6.2s|%3c|%-3c]", -1, "abc", 2, "abc", "ab", "abc", 65, 66);',
        'printf("[%hhd %hd %ld %lld %zu %hhu]", 300, 70000, 1L << 40, -1LL, sizeof(long), 257);',
        'printf("[%f %.2f %8.3f %-8.1f| %e %g %g %+.0f %05f]", 1.5, 2.675, -3.14159, 2.25, 12345.678, 1e-5, 1e10, 2.5, 1 / z);',
    ]
    return "#include <stdio.h>\nint main(void) { double z = 0;\n" + "\n".join(lines + others) + "\nreturn 0; }\n"


FLOATS = """
#include <math.h>
#include <stdio.h>
#include <strings.h>
int main(void) {
  double all[] = {0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, -1e10, 4503599627370497.5, 1e-310};
  for (int i = 0; i < 9; i++) {
    double x = all[i];
    printf("%ld %lld %ld %lld ", lround(x), llround(x), lrint(x), llrint(x));
    printf("%ld %ld %d %d\\n", lroundf((float)x), lrintf((float)x), !!isnormal(x), fpclassify(x));
    printf("%g %g %g\\n", fdim(x, 1), ldexp(x, 3), scalbn(x, -2));
  }
  printf("%d\\n", strcasecmp("\\xc0", "\\xe0") != 0);
  return 0;
}
"""


@pytest.mark.parametrize("text", [_formats(), FLOATS], ids=["formats", "floats"])
def test_the_library(text: str, tmp_path: Path) -> None:
    running = execution(text)
    outcome = running.run()
    assert outcome.end is End.EXITED, str(outcome)
    assert b"".join(running.output).decode() == compile_and_run(text, tmp_path, MACHINES["lp64"])
