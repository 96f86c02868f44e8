"""Writes of arbitrary values into arbitrary maps: which are left out, and that nothing else changes."""

from __future__ import annotations

import pytest

from remuda.frontends.boogie.load import load
from remuda.ir.program import Assign
from remuda.options import Options
from remuda.prepare.pipeline import base_program
from remuda.results.report import Verdict
from remuda.transforms.skip_arbitrary_writes import SkipArbitraryWrites
from tests.oracle import source
from tests.verify_text import verify

FILL = """
var m: [int]int;
var n: [int]int;

procedure {:entrypoint} main()
  modifies m, n;
{
  var v: int;
  var i: int;
  var x: int;
  BEFORE
  i := 0;
  while (i < 2) {
    havoc v;
    m[i] := v;
    i := i + 1;
  }
  AFTER
}

procedure touch() modifies m; { m[0] := 0; }
"""


def program(before: str = "", after: str = "") -> str:
    return FILL.replace("BEFORE", before).replace("AFTER", after)


def writes(text: str) -> int:
    """How many writes are left in the entry."""
    base = base_program(load([source(text)]), Options())
    skipped = SkipArbitraryWrites().apply(base).program
    blocks = skipped.procedures[skipped.entries[0]].blocks or ()
    return sum(
        isinstance(each, Assign) and each.targets[0].name in "mn" for block in blocks for each in block.statements
    )


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("", "", 0),
        ("", "x := m[0];", 0),
        ("havoc v; n[m[3]] := v; havoc v; m[0] := v;", "", 0),  # where a write goes makes no difference
        ("x := m[0];", "", 1),
        ("assume (forall k: int :: m[k] > 0);", "", 1),
        ("call touch();", "", 1),
        ("m[5] := 5;", "", 2),
        ("n := m;", "", 2),
        ("", "x := v;", 1),
        ("if (*) { x := m[1]; }", "", 1),
        ("while (*) { havoc v; n[x] := v; havoc x; }", "", 0),
        ("while (*) { havoc v; n[x] := v; havoc x; x := n[x]; }", "", 1),
    ],
)
def test_only_writes_into_untouched_maps_are_left_out(before: str, after: str, left: int) -> None:
    assert writes(program(before, after)) == left


def test_called_entries_are_left_alone() -> None:
    assert writes(program("if (*) { call main(); }")) == 1


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        ("assert m[0] != 1 || m[1] != 0;", Verdict.VIOLATED),
        ("assert m[0] == m[i - 2];", Verdict.PROVED),
        ("x := m[1]; havoc v; m[0] := v; assert m[1] == x;", Verdict.PROVED),
    ],
)
def test_verdicts(after: str, verdict: Verdict) -> None:
    report = verify(program("", after), Options(check_ir=True))
    assert [result.verdict for result in report.assertions] == [verdict]
