"""Natural loops, their nesting, and irreducible regions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.controlflow import control_flow
from remuda.analysis.loops import IrreducibleRegion, Loop, find_loops
from tests.ir.builders import procedure


def test_one_loop() -> None:
    found = find_loops(procedure("P", {"entry": ["head"], "head": ["body", "done"], "body": ["head"], "done": []}))
    loop = Loop("P", "head", ("head", "body"), ("body",), (("head", "done"),), None, 1)
    assert found.loops == (loop,)
    assert found.is_reducible
    assert loop.name == "P/head"
    assert found.innermost == {"head": loop, "body": loop}


def test_back_edges_to_one_header_make_one_loop() -> None:
    (loop,) = find_loops(procedure("P", {"h": ["a", "b", "out"], "a": ["h"], "b": ["h"], "out": []})).loops
    assert loop.blocks == ("h", "a", "b")
    assert loop.sources == ("a", "b")


def test_nested_loops() -> None:
    edges = {"e": ["o"], "o": ["i", "x"], "i": ["j", "l"], "j": ["i"], "l": ["o"], "x": []}
    found = find_loops(procedure("P", edges))
    assert [(loop.header, loop.parent, loop.depth) for loop in found.loops] == [("o", None, 1), ("i", "o", 2)]
    assert found.loops[0].blocks == ("o", "i", "j", "l")
    assert found.loops[1].exits == (("i", "l"),)
    assert found.innermost["j"].header == "i"
    assert found.innermost["l"].header == "o"


def test_self_loop_of_the_entry() -> None:
    (loop,) = find_loops(procedure("P", {"e": ["e"]})).loops
    assert (loop.blocks, loop.sources, loop.exits) == (("e",), ("e",), ())


def test_cycle_with_two_entries() -> None:
    found = find_loops(procedure("P", {"e": ["a", "b"], "a": ["b", "x"], "b": ["a"], "x": []}))
    assert found.loops == ()
    assert found.irreducible == (IrreducibleRegion("P", ("b", "a"), ("b", "a"), (("a", "b"),)),)
    assert not found.is_reducible


def test_natural_loop_on_a_block_of_an_irreducible_region() -> None:
    found = find_loops(procedure("P", {"e": ["a", "b"], "a": ["b", "c"], "c": ["a"], "b": ["a"]}))
    assert [loop.header for loop in found.loops] == ["a"]
    assert found.irreducible[0].blocks == ("b", "a", "c")
    assert found.irreducible[0].entries == ("b", "a")


GRAPHS = st.integers(1, 8).flatmap(
    lambda count: st.lists(st.lists(st.integers(0, count - 1), max_size=3), min_size=count, max_size=count)
)


@given(GRAPHS)
def test_cutting_back_edges_and_retreating_edges_leaves_no_cycle(graph: list[list[int]]) -> None:
    edges = {str(source): [str(target) for target in targets] for source, targets in enumerate(graph)}
    found = find_loops(procedure("P", edges))
    cut = {(source, loop.header) for loop in found.loops for source in loop.sources}
    cut |= {edge for region in found.irreducible for edge in region.retreating}
    acyclic = {
        source: [target for target in targets if (source, target) not in cut] for source, targets in edges.items()
    }
    assert control_flow(procedure("P", acyclic)).is_acyclic


@given(GRAPHS)
def test_regions_have_several_entries_and_loops_nest(graph: list[list[int]]) -> None:
    edges = {str(source): [str(target) for target in targets] for source, targets in enumerate(graph)}
    found = find_loops(procedure("P", edges))
    assert all(len(region.entries) > 1 for region in found.irreducible)
    headers = {loop.header: loop for loop in found.loops}
    for loop in found.loops:
        assert loop.blocks[0] == loop.header
        if loop.parent is not None:
            assert set(loop.blocks) < set(headers[loop.parent].blocks)
