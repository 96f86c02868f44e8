"""Synthesized assertions: they are valid, they are the same each time, and they do not change proofs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from remuda.base.predicates import Moment
from remuda.options import Options
from remuda.results.report import Verdict
from remuda.session.api import verify_files
from remuda.synthesis.synthesize import Synthesized, Wishes, alternate, synthesize

LOOP: Final = """\
extern int __VERIFIER_nondet_int(void);
static int total, state = 1;
static int *place;
static int clamp(int value, int low, int high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}
static void step(int amount) {
  if (state == 1) state = 2; else state = 1;
  while (amount > 0) { total++; amount--; }
  __CPROVER_assert(state == 1 || state == 2, "state");
}
int main(void) {
  int n = clamp(__VERIFIER_nondet_int(), 0, 3);
  for (int i = 0; i < 2; i++) step(n);
  __CPROVER_assert(n >= 0 && n <= 3, "n");
  __CPROVER_assert(total != 6, "total");
  place = &total;
  return 0;
}
"""
BRANCHES: Final = """\
extern unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int c) { if (!c) { ERROR: goto ERROR; } }
unsigned char shrink(unsigned x) { switch (x % 4) { case 0: return 0; case 3: return 9; default: break; } return x % 2; }
int main(int argc, char **argv) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned char b = shrink(a);
  __VERIFIER_assert(b <= 9);
  __VERIFIER_assert(b != 5);
  return b;
}
"""
BOOGIE: Final = """\
var g: int; var locked: bool;
procedure acquire() modifies locked; { assert (!locked); locked := true; }
procedure release() modifies locked; { assert (locked); locked := false; }
procedure {:entrypoint} main(n: int) modifies g, locked;
{
  var i: int;
  locked := false; i := 0; g := 0;
  while (i < 3) { call acquire(); g := g + 2; call release(); i := i + 1; }
  assert g == 6; assert n != 2;
}
"""
PROGRAMS: Final = {"loop.c": LOOP, "branches.c": BRANCHES, "locks.bpl": BOOGIE}


def made(folder: Path, name: str, wishes: Wishes | None = None, options: Options | None = None) -> Synthesized:
    file = folder / name
    file.write_text(PROGRAMS[name])
    return synthesize(str(file), options or Options(), wishes or Wishes())


def verdicts(file: Path) -> dict[tuple[int, str], Verdict]:
    report = verify_files([str(file)], Options(bound=5))
    return {(result.location.line, result.description): result.verdict for result in report.assertions}


def before_and_after(
    folder: Path, name: str, wishes: Wishes
) -> tuple[dict[tuple[int, str], Verdict], dict[tuple[int, str], Verdict]]:
    """The verdicts of a program's own assertions, and those that it has with others."""
    result = made(folder, name, wishes)
    assert result.assertions > 10
    output = folder / f"out_{name}"
    output.write_text(result.text)
    before, after = verdicts(folder / name), verdicts(output)
    assert len(after) > len(before)
    return before, after


@pytest.mark.parametrize(
    ("name", "kind"),
    [("loop.c", "dynamic"), ("branches.c", "static"), ("locks.bpl", "static"), ("locks.bpl", "dynamic")],
)
def test_independent_assertions_leave_verdicts_as_they_were(name: str, kind: str, tmp_path: Path) -> None:
    wishes = Wishes(static=kind == "static", dynamic=kind == "dynamic", most=16, independent=True)
    before, after = before_and_after(tmp_path, name, wishes)
    assert {key: after[key] is Verdict.VIOLATED for key in before} == {
        key: verdict is Verdict.VIOLATED for key, verdict in before.items()
    }


@pytest.mark.parametrize("name", ["branches.c", "locks.bpl"])
def test_synthesis_makes_no_other_assertion_fail(name: str, tmp_path: Path) -> None:
    before, after = before_and_after(tmp_path, name, Wishes(most=24))
    failing = [key for key, verdict in after.items() if verdict is Verdict.VIOLATED]
    assert failing
    assert all(before.get(key, Verdict.VIOLATED) is Verdict.VIOLATED for key in failing)


@pytest.mark.parametrize("name", ["loop.c", "locks.bpl"])
def test_the_same_program_gives_the_same_assertions(name: str, tmp_path: Path) -> None:
    assert made(tmp_path, name) == made(tmp_path, name)


@pytest.mark.parametrize("name", ["loop.c", "locks.bpl"])
def test_wishes_are_heard(name: str, tmp_path: Path) -> None:
    everything = made(tmp_path, name)
    few = made(tmp_path, name, Wishes(most=7))
    assert few.assertions == 7
    assert few.left_out == everything.assertions + everything.left_out - 7
    assert few.functions > 1
    static = made(tmp_path, name, Wishes(dynamic=False))
    assert (static.dynamic, static.runs, static.contradicted) == (0, 0, 0)
    assert static.assertions == static.static > 0
    dynamic = made(tmp_path, name, Wishes(static=False, runs=5))
    assert dynamic.static == 0
    assert dynamic.assertions == dynamic.dynamic > 0
    assert dynamic.runs == 5
    loops = made(tmp_path, name, Wishes(moments=frozenset({Moment.LOOP}), dynamic=False))
    assert loops.points == {"loop.c": 2, "locks.bpl": 1}[name]


def test_lines_stay_where_they_are(tmp_path: Path) -> None:
    for name, text in PROGRAMS.items():
        lines = made(tmp_path, name, Wishes(dynamic=False)).text.splitlines()
        assert len(lines) == len(text.splitlines())


def test_turns_are_fair() -> None:
    assert list(alternate(["abc", "", "x", "12"])) == ["a", "x", "1", "b", "2", "c"]
