"""Proofs that hold whatever is in memory: they need nothing that the points-to analysis believes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.portfolio.strategies.without_memory import proved_without_memory
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.results.report import Report

HEAD = "int nd(void); void __VERIFIER_assert(int); void *malloc(unsigned long);\n"


def proof(text: str, **options: str) -> Report | None:
    return proved_without_memory([Source("program.c", HEAD + text)], Options(**options), time.monotonic())  # type: ignore[arg-type]


def test_pointers_that_leave_their_array_do_not_matter() -> None:
    report = proof("""
    struct { int a[2]; int b; } s;
    int main(void) {
      int i = nd(), locked = 0;
      int *p = s.a;
      p[i] = 1;
      locked = 1;
      if (s.b) s.a[0] = 2;
      __VERIFIER_assert(locked);
    }""")
    assert report is not None
    assert [each.verdict for each in report.assertions] == [Verdict.PROVED]
    assert report.statistics.challenges > 0, "a proof is challenged, however it was made"


def test_what_rests_on_memory_is_left_to_others() -> None:
    text = "int a[2]; int main(void) { int i = nd() & 1; a[i] = 1; __VERIFIER_assert(a[i] == 1); }"
    assert proof(text) is None


def test_a_call_through_a_pointer_reaches_every_function() -> None:
    """The pointer is written past the end of an array in front of it, where no analysis of `s.f` has to look."""
    text = """
    int passed = 1;
    void good(void) {}
    void bad(void) { passed = 0; }
    struct { void (*before[1])(void); void (*f)(void); } s = {{good}, good};
    int main(void) {
      void (**p)(void) = s.before;
      p[1] = bad;
      s.f();
      __VERIFIER_assert(passed);
    }"""
    assert proof(text) is None
    (result,) = run([Source("program.c", HEAD + text)], Options(), send=lambda _: None).assertions
    assert result.verdict is Verdict.VIOLATED


def test_addresses_of_new_objects_may_be_equal_but_are_not_null() -> None:
    assert proof("int main(void) { char *p = malloc(4); __VERIFIER_assert(!p || p != 0); }") is not None
    assert proof("int main(void) { int x, y, *p = &x, *q = &y; int **r = &p; __VERIFIER_assert(*r != q); }") is None


def test_there_is_room_for_any_number_of_objects() -> None:
    """A 32-bit address has room for 2,047 blocks, so that every other model claims nothing of longer executions."""
    text = """
    int main(void) {
      int locked = 0;
      while (nd()) { int *p = malloc(nd()); if (p) *p = 1; }
      __VERIFIER_assert(!locked);
    }"""
    report = proof(text, arch="ilp32")
    assert report is not None
    assert [each.verdict for each in report.assertions] == [Verdict.PROVED]
