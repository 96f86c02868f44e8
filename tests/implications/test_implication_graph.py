"""The graph of implications of a whole program."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remuda.base.source import Source
from remuda.engines.implication import ComparisonLimits
from remuda.implications.comparison import implication_graph
from remuda.options import Options
from remuda.prepare.load import load
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from remuda.results.implications import ImplicationGraph

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "implications.c"


def graph_of(
    source: Source,
    options: Options | None = None,
    *,
    scope: str = "procedures",
    seconds: float = PATIENCE,
    equalities: bool = False,
    both_directions: bool = False,
) -> ImplicationGraph:
    program, options = load([source], options or Options())
    effort = ComparisonLimits(200, 10, time.monotonic() + seconds)
    return implication_graph(
        source.name,
        program,
        options,
        effort,
        scope=scope,
        equalities=equalities,
        both_directions=both_directions,
    )


def lines(graph: ImplicationGraph) -> list[tuple[int, int]]:
    """Implications as lines of the source."""
    return [(graph.nodes[one].location.line, graph.nodes[other].location.line) for one, other in graph.edges]


def test_the_papers_figure() -> None:
    source = Source("implications.c", EXAMPLE.read_text())
    options = Options(integers="math", bound=2)
    graph = graph_of(source, options, scope="program")
    assert [(node.procedure, node.location.line) for node in graph.nodes] == [
        ("f", 20),
        ("main", 30),
        ("main", 32),
        ("main", 38),
        ("main", 39),
        ("main", 40),
    ]
    assert graph.bound == 2
    assert set(lines(graph)) == {(30, 32), (39, 40)}
    assert {(20, 39), (20, 40)} <= set(lines(graph_of(source, options, scope="program", equalities=True)))
    assert (40, 39) in lines(graph_of(source, options, scope="program", both_directions=True))


def test_every_procedure_alone_is_about_every_execution() -> None:
    graph = graph_of(Source("implications.c", EXAMPLE.read_text()), Options(integers="math"))
    assert graph.bound is None
    assert set(lines(graph)) == {(30, 32), (39, 40)}
    assert graph.notes == ()
    assert graph.pairs >= 2
    assert graph.queries >= 2


def test_a_timeout_keeps_the_implications_so_far() -> None:
    source = Source("a.bpl", "procedure main(x: int) { assert x > 1; assert x > 0; }")
    graph = graph_of(source, seconds=-1)
    assert len(graph.nodes) == 2
    assert graph.edges == ()
    assert graph.notes == ("the time ran out before the end of the search: there may be more implications",)
    assert len(replace(graph_of(source), seconds=0).edges) == 1


def test_left_out_procedures_are_noted() -> None:
    boogie = """
    procedure {:entrypoint} main(x: int) { assert x > 1; assert x > 0; }
    procedure other(x: int) { assert x > 1; }
    """
    graph = graph_of(Source("a.bpl", boogie))
    assert len(graph.nodes) == 2
    assert graph.notes == ("assertions of procedures that no entry calls are left out: 1",)


def test_threads() -> None:
    boogie = """var g: int; procedure t() modifies g; { g := 1; }
    procedure {:entrypoint} main() modifies g; { async call t(); assert g == 0; assert g >= 0; }"""
    graph = graph_of(Source("a.bpl", boogie))
    assert len(graph.nodes) == 2
    assert graph.edges == ()
    assert graph.notes == ("assertions of programs with threads are not compared",)
