"""Verdicts and traces do not depend on what keeps calls apart; the number of instances does."""

from __future__ import annotations

from typing import Final

import pytest

from remuda.base.source import Source
from remuda.options import DISJOINTS, MERGES, Options
from remuda.portfolio.run import run
from remuda.results.report import Report, Verdict

CASES: Final = """
var total: int;

procedure {:entrypoint} main(kind: int) modifies total; {
  total := 0;
  if (kind == 0) { call add(1); }
  if (kind == 1) { call add(2); }
  if (kind > 1) { call add(3); }
  assert total <= LIMIT;
}
procedure add(amount: int) modifies total; { call really(amount); }
procedure really(amount: int) modifies total; { total := total + amount; }
"""
CHANGING: Final = """
var kind: int;
var total: int;

procedure {:entrypoint} main() modifies kind, total; {
  total := 0;
  if (kind == 0) { call add(1); }
  if (kind == 1) { call add(2); }
  assert total != 3;
}
procedure add(amount: int) modifies kind, total; { total := total + amount; kind := kind + 1; }
"""


def verify(text: str, disjoint: str, **options: str) -> Report:
    given = Options(engine="dag", disjoint=disjoint, reachability=False, **options)  # type: ignore[arg-type]
    return run([Source("program.bpl", text)], given, lambda _: None)


@pytest.mark.parametrize("inline", ["lazy", "all"])
@pytest.mark.parametrize(("limit", "verdict"), [(3, Verdict.PROVED), (2, Verdict.VIOLATED), (0, Verdict.VIOLATED)])
def test_fewer_instances_and_the_same_verdicts(limit: int, verdict: Verdict, inline: str) -> None:
    reports = {mode: verify(CASES.replace("LIMIT", str(limit)), mode, inline=inline) for mode in DISJOINTS}
    assert [report.assertions[0].verdict for report in reports.values()] == [verdict, verdict]
    instances = {mode: report.statistics.instances for mode, report in reports.items()}
    assert instances["data"] <= instances["control"]
    if verdict is Verdict.PROVED:
        assert instances == {"control": 7, "data": 3}


@pytest.mark.parametrize("merge", MERGES)
@pytest.mark.parametrize("disjoint", DISJOINTS)
def test_a_condition_that_a_call_changes(disjoint: str, merge: str) -> None:
    """Both calls are made, and one instance for both could not give both results."""
    report = verify(CHANGING, disjoint, merge=merge)
    assert report.assertions[0].verdict is Verdict.VIOLATED
    assert report.statistics.instances == 3
