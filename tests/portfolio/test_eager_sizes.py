"""A search that inlines everything has as many instances as an unfolding without a solver."""

from __future__ import annotations

from typing import Final

import pytest

from benchmarks.families import dag_fig2, fmcad14_fig1
from remuda.base.source import Source
from remuda.export.compression import Unfolder
from remuda.frontends.boogie.load import load
from remuda.options import DISJOINTS, MERGES, Options
from remuda.portfolio.run import run

RECURSIVE: Final = """
procedure main(b: bool) { if (b) { call down(3); call leaf(); } else { call down(4); } call down(2); assert true; }
procedure down(n: int) {
  var i: int;
  i := 0;
  while (i < n) { i := i + 1; call leaf(); }
  if (n > 0) { call down(n - 1); } else { call leaf(); }
  if (i < 0) { call leaf(); } else { if (n < 0) { call down(1); } }
}
procedure leaf() { assert true; }
"""


@pytest.mark.parametrize("disjoint", DISJOINTS)
@pytest.mark.parametrize("merge", MERGES)
@pytest.mark.parametrize("text", [dag_fig2(5, buggy=False), fmcad14_fig1(3, buggy=True), RECURSIVE])
def test_sizes_agree(text: str, merge: str, disjoint: str) -> None:
    source = Source("program.bpl", text)
    options = Options(
        engine="dag", merge=merge, disjoint=disjoint, inline="all", bound=3, reachability=False, houdini=False
    )
    statistics = run([source], options, lambda _: None).statistics
    unfolder = Unfolder(load([source]), options)
    dag = unfolder.dag(unfolder.entries[0], merge, options.seed)
    assert (statistics.instances, statistics.tree_instances) == (len(dag.nodes), dag.tree_size())
