"""A program's calls up to the bound, as a graph of stacks, without unfolding the program.

    main -> even -> odd -> even -> log      with bound 2 for the recursion

Instances with the same `Stack` have the same calls, with the same costs. So a graph with one node for each stack
represents the whole tree of instances. The size of the tree, and how often one execution can enter a procedure, are
sums and maxima over that graph. They are exact even for trees that do not fit into memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.callgraph import called_once
from remuda.analysis.controlflow import control_flow
from remuda.analysis.data_disjoint import CONTROL, Disjointness
from remuda.base import clock
from remuda.base.graph import reverse_postorder
from remuda.engines.stacks import Stack, Stacks
from remuda.ir.program import Call

if TYPE_CHECKING:
    from remuda.analysis.controlflow import ControlFlow
    from remuda.engines.bounds import Bounds
    from remuda.ir.program import Procedure, Program


@final
class TooLarge(Exception):
    """A computation exceeds its limits; the text says which."""


@final
@dataclass(frozen=True, slots=True)
class UnfoldingLimits:
    """The limits of an unfolding: a number of instances, and an end time of `clock.now`."""

    nodes: int | None = None
    deadline: float | None = None

    def check(self, nodes: int) -> None:
        if self.nodes is not None and nodes > self.nodes:
            raise TooLarge(f"more than {self.nodes} instances")
        if self.deadline is not None and clock.now() > self.deadline:
            raise TooLarge("out of time")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The calls of a procedure that can be inlined, numbered as its formula numbers them.

    `conflicts[i]` is the bit set of the calls that an execution which makes call i may make too. `points` are places
    in the body, each with its direct predecessors and the calls made there: the control flow without the blocks that
    make no calls.
    """

    callees: tuple[str, ...]
    conflicts: tuple[int, ...]
    points: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]

    def earlier(self, weights: Sequence[int]) -> tuple[list[int], int]:
        """The greatest sum of the weights of calls on a path to each call, and on a path through the whole body."""
        before = [0] * len(self.callees)
        sums: list[int] = []
        for points, calls in self.points:
            total = max((sums[point] for point in points), default=0)
            for call in calls:
                before[call] = total
                total += weights[call]
            sums.append(total)
        return before, max(sums, default=0)

    def most(self, weights: Sequence[int]) -> int:
        """The sum of the weights of calls that pairwise conflict.

        It is the greatest sum on a path through the body if all calls of a path conflict. If two of them do not, the
        lighter one is left out, and another path may be heavier.
        """
        kept = list(weights)
        while True:
            path = self._heaviest(kept)
            apart = next((pair for pair in combinations(path, 2) if not self.conflicts[pair[0]] >> pair[1] & 1), None)
            if apart is None:
                return sum(kept[call] for call in path)
            kept[min(apart, key=kept.__getitem__)] = 0

    def _heaviest(self, weights: Sequence[int]) -> list[int]:
        """The calls on a path with the greatest sum of weights, without calls of weight 0."""
        sums: list[int] = []
        for points, calls in self.points:
            sums.append(max((sums[point] for point in points), default=0) + sum(weights[call] for call in calls))
        found: list[int] = []
        places: Sequence[int] = range(len(self.points))
        while places:
            place = max(places, key=sums.__getitem__)
            places, calls = self.points[place]
            found += [call for call in calls if weights[call]]
        return found


def body_of(program: Program, procedure: Procedure, disjointness: Disjointness | None = None) -> Body:
    """The calls of one procedure; without `disjointness`, only control flow decides which of them conflict."""
    flow = control_flow(procedure)
    disjointness = disjointness or Disjointness(program)
    callees: list[str] = []
    calls_in: dict[str, list[int]] = {}
    statements = {block.label: block.statements for block in procedure.blocks or ()}
    for label in flow.order:
        for statement in statements[label]:
            if isinstance(statement, Call) and program.procedures[statement.procedure].blocks is not None:
                calls_in.setdefault(label, []).append(len(callees))
                callees.append(statement.procedure)
    blocks = [label for label, calls in calls_in.items() for _ in calls]
    conflicts = disjointness.conflicts(procedure, flow, blocks)
    return Body(tuple(callees), tuple(conflicts), tuple(_points(flow, calls_in)))


def _points(
    flow: ControlFlow, calls_in: Mapping[str, Sequence[int]]
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The points of a body: blocks with calls, and blocks where paths from several of them join."""
    points: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    last: dict[str, int | None] = {}  # the last point before the end of each block
    for label in flow.order:
        sources = dict.fromkeys(last[predecessor] for predecessor in flow.predecessors[label])
        before = tuple(point for point in sources if point is not None)
        if label not in calls_in and len(before) <= 1:
            last[label] = before[0] if before else None
        else:
            last[label] = len(points)
            points.append((before, tuple(calls_in.get(label, ()))))
    return points


@final
class BoundedCalls:
    """The calls that the instances of a program make, up to a bound. `disjoint` decides which calls conflict."""

    def __init__(self, program: Program, bounds: Bounds, disjoint: str = CONTROL) -> None:
        self._program = program
        self._disjointness = Disjointness(program, disjoint)
        self._bounds = bounds
        self._stacks = Stacks(program, keep_depth=bounds.stack_depth is not None)
        self._unshared = called_once(program)
        self._bodies: dict[str, Body] = {}
        self._callees: dict[Stack, tuple[Stack | None, ...]] = {}

    def body(self, procedure: str) -> Body:
        found = self._bodies.get(procedure)
        if found is None:
            found = body_of(self._program, self._program.procedures[procedure], self._disjointness)
            self._bodies[procedure] = found
        return found

    def callees(self, stack: Stack) -> tuple[Stack | None, ...]:
        """The stacks of the calls of an instance; None for a call that the bound forbids."""
        found = self._callees.get(stack)
        if found is None:
            pushed = [self._stacks.push(stack, callee) for callee in self.body(stack.procedure).callees]
            found = tuple(None if self._bounds.excludes(each, self._bounds.last) else each for each in pushed)
            self._callees[stack] = found
        return found

    def may_share(self, stack: Stack) -> bool:
        """Whether a search tries to share instances with this stack; see `called_once`."""
        return stack.procedure not in self._unshared

    def stacks(self, entry: str, limits: UnfoldingLimits) -> dict[Stack, tuple[Stack, ...]]:
        """All stacks, callers before callees, each with those that it calls, once for each call."""
        found: dict[Stack, tuple[Stack, ...]] = {}
        work = [Stack(entry)]
        while work:
            stack = work.pop()
            if stack not in found:
                limits.check(len(found))
                found[stack] = tuple(callee for callee in self.callees(stack) if callee is not None)
                work.extend(found[stack])
        order = reverse_postorder(Stack(entry), {stack: tuple(dict.fromkeys(found[stack])) for stack in found})
        return {stack: found[stack] for stack in order}


NO_LIMITS: Final = UnfoldingLimits()


def tree_size(calls: BoundedCalls, entry: str, limits: UnfoldingLimits = NO_LIMITS) -> int:
    """The number of instances if none is shared."""
    stacks = calls.stacks(entry, limits)
    size: dict[Stack, int] = {}
    for stack in reversed(stacks):
        size[stack] = 1 + sum(size[callee] for callee in stacks[stack])
    return size[Stack(entry)]


def most_entered(calls: BoundedCalls, entry: str, limits: UnfoldingLimits = NO_LIMITS) -> dict[Stack, int]:
    """For each stack, the number of its instances that one execution can enter, by the known conflicts.

    No two of them can be shared, so the sum is a lower bound for every way of sharing.
    """
    stacks = calls.stacks(entry, limits)
    callers: dict[Stack, dict[Stack, None]] = {stack: {} for stack in stacks}
    for stack, callees in stacks.items():
        for callee in callees:
            callers[callee][stack] = None
    position = {stack: index for index, stack in enumerate(stacks)}
    return {stack: _most_entered(calls, stack, callers, position, limits) for stack in stacks}


def _most_entered(
    calls: BoundedCalls,
    stack: Stack,
    callers: Mapping[Stack, Mapping[Stack, None]],
    position: Mapping[Stack, int],
    limits: UnfoldingLimits,
) -> int:
    """The greatest number of conflicting calls in the bodies that lead to a stack, callees first."""
    limits.check(0)
    above = {stack: None}
    work = [stack]
    while work:
        for caller in callers[work.pop()]:
            if caller not in above:
                above[caller] = None
                work.append(caller)
    most = {stack: 1}
    order = sorted(above, key=position.__getitem__, reverse=True)
    for current in order[1:]:
        weights = [0 if callee is None else most.get(callee, 0) for callee in calls.callees(current)]
        most[current] = calls.body(current.procedure).most(weights)
    return most[order[-1]]
