"""Graphviz text and pictures."""

from __future__ import annotations

import pytest

from remuda.base.errors import ToolError
from remuda.results.graphs import call_graph_dot, render_svg

CALLS = {"main": ["even", "log"], "even": ["odd"], "odd": ["even"], "log": []}
DOT = """\
digraph calls {
  node [shape=box, fontname=monospace];
  "main" [style="filled"];
  "even";
  "odd";
  "log" [style="dashed"];
  subgraph cluster_0 { label="recursive"; style=rounded; "even"; "odd"; }
  "main" -> "even";
  "main" -> "log";
  "even" -> "odd";
  "odd" -> "even";
}
"""


def test_dot() -> None:
    assert call_graph_dot(CALLS, entries=["main"], bodiless=["log"], recursive=[("even", "odd")]) == DOT


def test_names_are_quoted() -> None:
    assert '"a\\"b" -> "a\\"b";' in call_graph_dot({'a"b': ['a"b']})


@pytest.mark.peer("dot")
def test_svg() -> None:
    assert "<svg" in render_svg(DOT)
    with pytest.raises(ToolError, match="syntax error"):
        render_svg("digraph {")


def test_without_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(ToolError, match="not installed"):
        render_svg(DOT)
