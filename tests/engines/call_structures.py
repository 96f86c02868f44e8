"""Random programs that consist of calls and branches, and what can be said of them by brute force.

The tree of instances is written out in full, and with it the flow graph of the whole program: one copy of each body
for each instance. Everything else is a search in that graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, final

import networkx as nx
from hypothesis import strategies as st

from remuda.base.source import synthetic_span
from remuda.engines.bounded_calls import BoundedCalls
from remuda.engines.bounds import Bounds
from remuda.engines.stacks import Stack
from remuda.ir.program import Block, Call, Procedure, Program
from remuda.terms.store import Terms

if TYPE_CHECKING:
    from remuda.engines.call_dag import CallDag, Node

SPAN = synthetic_span("calls.bpl")
ENTRY = "p0"

Path = tuple[int, ...]  # an instance of the tree: the calls that lead to it
Flow = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]  # by label: callees and successors

# The examples of the paper.
LEAF: Flow = {"start": ((), ())}
BRANCHES: Flow = {
    "start": ((), ("then", "else")),
    "then": (("bar",), ()),
    "else": (("baz",), ()),
}
FIG_1: dict[str, Flow] = {
    "p0": BRANCHES,
    "bar": {"start": (("foo",), ())},
    "baz": {"start": (("foo",), ())},
    "foo": LEAF,
}
# Fig. 5: A conflicts with C and D, and B with D.
FIG_5: Flow = {
    "start": ((), ("A", "B")),
    "A": (("foo",), ("C", "D")),
    "B": (("foo",), ("D",)),
    "C": (("foo",), ()),
    "D": (("foo",), ()),
}
FIG_6: Flow = {"start": ((), ("L1", "L2")), "L1": (("foo",), ("end",)), "L2": (("foo",), ("end",)), "end": ((), ())}
LARGEST_TREE = 60


def procedure(name: str, flow: Flow) -> Procedure:
    blocks = tuple(
        Block(label, tuple(Call(callee, (), (), SPAN) for callee in callees), successors, SPAN)
        for label, (callees, successors) in flow.items()
    )
    return Procedure(name, (), (), SPAN, blocks=blocks)


def program(procedures: dict[str, Flow], entry: str = ENTRY) -> Program:
    return Program(Terms(), {name: procedure(name, flow) for name, flow in procedures.items()}, entries=(entry,))


def bounded(code: Program, bound: int = 1) -> BoundedCalls:
    return BoundedCalls(code, Bounds(bound))


@st.composite
def flows(draw: st.DrawFn, callees: list[str]) -> Flow:
    """A body without loops. The first block leads to everything that nothing else leads to."""
    size = draw(st.integers(1, 5))
    labels = [f"b{index}" for index in range(size)]
    edges: dict[int, list[int]] = {index: [] for index in range(size)}
    for target in range(1, size):
        for source in draw(st.sets(st.integers(0, target - 1), min_size=1, max_size=2)):
            edges[source].append(target)
    made = [tuple(draw(st.lists(st.sampled_from(callees), max_size=2))) if callees else () for _ in range(size)]
    return {labels[index]: (made[index], tuple(labels[target] for target in edges[index])) for index in range(size)}


@st.composite
def programs(draw: st.DrawFn, *, recursive: bool = False) -> Program:
    """Procedures that call later ones, and if asked for themselves and earlier ones."""
    names = [f"p{index}" for index in range(draw(st.integers(1, 5)))]
    return program(
        {name: draw(flows(names if recursive else names[index + 1 :])) for index, name in enumerate(names)}
    )


@final
class BruteForce:
    """The tree of instances and its flow graph."""

    def __init__(self, code: Program, calls: BoundedCalls, entry: str = ENTRY) -> None:
        self._code = code
        self._calls = calls
        self.stacks: dict[Path, Stack] = {}
        self.graph = nx.DiGraph()
        work: list[tuple[Path, Stack]] = [((), Stack(entry))]
        while work:
            path, stack = work.pop()
            self.stacks[path] = stack
            callees = calls.callees(stack)
            self._copy_body(path, stack.procedure, callees)
            work += [((*path, call), callee) for call, callee in enumerate(callees) if callee is not None]

    def _copy_body(self, path: Path, name: str, callees: tuple[Stack | None, ...]) -> None:
        """Points of an instance: before each statement of a block, and its end."""
        body = self._code.procedures[name]
        blocks = {block.label: block for block in body.blocks or ()}
        first = next(iter(blocks))
        self.graph.add_edge((path, "enter"), (path, first, 0))
        call = 0
        for label in self._reached(blocks, first):
            block = blocks[label]
            for index in range(len(block.statements)):
                here, after = (path, label, index), (path, label, index + 1)
                if callees[call] is None:
                    self.graph.add_edge(here, after)
                else:
                    inner = (*path, call)
                    self.graph.add_edge(here, (inner, "enter"))
                    self.graph.add_edge((inner, "leave"), after)
                call += 1
            end = (path, label, len(block.statements))
            for successor in block.successors:
                self.graph.add_edge(end, (path, successor, 0))
            if not block.successors:
                self.graph.add_edge(end, (path, "leave"))
        assert call == len(callees)

    def _reached(self, blocks: dict[str, Block], first: str) -> list[str]:
        """Blocks in the order in which calls are numbered, which is that of formulas."""
        from remuda.analysis.controlflow import control_flow_of_blocks

        assert next(iter(blocks)) == first
        return list(control_flow_of_blocks(list(blocks.values())).order)

    def disjoint(self, left: Path, right: Path) -> bool:
        """No execution enters both: neither can be reached from the other."""
        return not nx.has_path(self.graph, (left, "enter"), (right, "enter")) and not nx.has_path(
            self.graph, (right, "enter"), (left, "enter")
        )

    def most_entered(self, stack: Stack) -> int:
        """How many instances with a stack one path through the whole program enters."""
        most: dict[object, int] = {}
        for point in nx.topological_sort(self.graph):
            before = max((most[earlier] for earlier in self.graph.predecessors(point)), default=0)
            entered = point[1] == "enter" and self.stacks[point[0]] == stack
            most[point] = before + int(entered)
        return max(most.values())

    def node_at(self, dag: CallDag[Stack], path: Path) -> Node[Stack]:
        node = dag.nodes[0]
        for call in path:
            node = node.callees[call]
        return node

    def shared(self, dag: CallDag[Stack]) -> Iterator[tuple[Path, Path]]:
        """Every two instances of the tree that are one node of the DAG."""
        by_node: dict[int, list[Path]] = {}
        for path in self.stacks:
            by_node.setdefault(self.node_at(dag, path).number, []).append(path)
        for paths in by_node.values():
            yield from combinations(paths, 2)

    def check(self, dag: CallDag[Stack]) -> None:
        """The DAG represents exactly the tree, and is consistent by the paper's Definition 2."""
        reached: dict[int, int] = {}
        for path, stack in self.stacks.items():
            node = self.node_at(dag, path)
            assert node.key == stack
            assert sorted(node.callees) == [
                call for call, callee in enumerate(self._calls.callees(stack)) if callee is not None
            ]
            reached[node.number] = reached.get(node.number, 0) + 1
        assert dag.contexts() == [reached[node.number] for node in dag.nodes]
        assert dag.tree_size() == len(self.stacks)
        for left, right in self.shared(dag):
            assert self.disjoint(left, right)


def naive_below(node: Node[Stack]) -> set[int]:
    found: set[int] = set()
    work = [node]
    while work:
        current = work.pop()
        found.add(current.number)
        work += current.callees.values()
    return found


def bits(members: int) -> set[int]:
    return {number for number in range(members.bit_length()) if members >> number & 1}
