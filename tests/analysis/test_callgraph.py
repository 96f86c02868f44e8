"""Callers, callees, recursion and orders."""

from __future__ import annotations

from remuda.analysis.callgraph import call_graph
from remuda.base.graph import components
from tests.ir.builders import call, procedure, program, straight


def test_mutual_recursion() -> None:
    graph = call_graph(
        program(
            straight("main", call("even"), call("log"), call("even")),
            straight("even", call("odd")),
            straight("odd", call("even"), call("log")),
            procedure("log"),
            straight("lost", call("lost")),
            entries=("main",),
        )
    )
    assert graph.callees["main"] == ("even", "log")
    assert graph.callers["log"] == ("main", "odd")
    assert graph.components == (("log",), ("even", "odd"), ("main",), ("lost",))
    assert graph.recursive_components() == (("even", "odd"), ("lost",))
    assert graph.recursive() == {"even", "odd", "lost"}
    assert graph.reachable() == ("main", "even", "odd", "log")
    assert graph.reachable(["odd"]) == ("odd", "even", "log")
    assert graph.bottom_up() == ("log", "even", "odd", "main", "lost")


def test_components_of_a_long_cycle() -> None:
    count = 50_000
    (found,) = components({node: [(node + 1) % count] for node in range(count)})
    assert found == tuple(range(count))


def test_component_found_through_a_finished_branch() -> None:
    assert components({"a": ["b", "c"], "b": ["d"], "c": ["d", "a"], "d": []}) == [("d",), ("b",), ("a", "c")]
