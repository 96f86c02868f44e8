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
    if (k == 9) goto out;
  }
  switch (k) { case 4: { int s CLEAN = 44; break; } default: ; }
  { int d CLEAN = 55, e CLEAN = 56; if (k == 10) goto out; int late CLEAN = 66; }
out:
  return a++;
}
int main(void) { for (int k = 0; k < 11; k++) printf("f %d\\n", f(k)); return 0; }
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
