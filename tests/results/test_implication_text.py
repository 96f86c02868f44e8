"""Implications as text, and for Graphviz."""

from __future__ import annotations

from remuda.results.graphs import implication_dot
from remuda.results.implication_text import implications_text
from remuda.results.implications import ImplicationGraph, Node
from remuda.results.report import Location

TEXTS = ("x > 2", "2 < x", "x > 1", 'x > 0 || *s == "\\n"', "y")


def graph(bound: int | None = None) -> ImplicationGraph:
    nodes = [Node(f"a.c:f:assert:{at}", "f", text, Location("a.c", at, 1)) for at, text in enumerate(TEXTS, 1)]
    edges = ((0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3), (2, 3))
    return ImplicationGraph(
        "a.c", tuple(nodes), edges, bound=bound, pairs=9, queries=1, seconds=0.25, notes=("g was not examined",)
    )


def test_text() -> None:
    assert implications_text(graph()) == (
        "a.c:1:1: x > 2 (strongest, equivalent)\n"
        "    equivalent to a.c:2:1: 2 < x\n"
        "    implies a.c:3:1: x > 1\n"
        "a.c:2:1: 2 < x (strongest, equivalent)\n"
        "    equivalent to a.c:1:1: x > 2\n"
        "a.c:3:1: x > 1\n"
        '    implies a.c:4:1: x > 0 || *s == "\\n"\n'
        'a.c:4:1: x > 0 || *s == "\\n" (weakest)\n'
        "a.c:5:1: y\n"
        "note: g was not examined\n"
        "5 assertions, 7 implications, 9 dependent pairs, 1 question, 0.2 s\n"
    )


def test_all_edges_as_text() -> None:
    text = implications_text(graph(bound=3), all_edges=True)
    assert text.count("    implies ") == 7
    assert "    equivalent to" not in text
    assert "7 implications up to bound 3," in text


def test_dot() -> None:
    assert implication_dot(graph()) == (
        "digraph implications {\n"
        "  node [shape=box, fontname=monospace];\n"
        '  label="assertions without any implication: 1";\n'
        '  n0 [label="a.c:1:1: x > 2\\la.c:2:1: 2 < x\\l", style=filled, fillcolor=palegreen];\n'
        '  n2 [label="a.c:3:1: x > 1\\l"];\n'
        '  n3 [label="a.c:4:1: x > 0 || *s == \\"\\\\n\\"\\l", style=filled, fillcolor=moccasin];\n'
        "  n0 -> n2;\n"
        "  n2 -> n3;\n"
        "}\n"
    )
    assert "  n0 -> n3;\n" in implication_dot(graph(), all_edges=True)
