"""Computes a small DAG of instances for a whole program up to the bound, before a search.

The paper's OPT colors, for each procedure, the conflict graph of all instances of the unfolded tree. This algorithm
does not unfold the tree. It visits stacks, callers first. Once all instances above a stack are fixed, so are the
calls that lead to it, and two of them may share an instance unless one execution makes both:

    conflicts(c, i)  =  outside(c)  +  calls below those that conflict with i in c
    outside(n)       =  conflicts(c, i) of all calls that lead to n

A coloring of this graph gives one instance for each color, and a callee for each call. Merged instances have the same
callees, which a separate coloring of each procedure does not ensure.

No DAG has fewer instances than the sum of `most_entered`. If the plan has exactly that many, it is a smallest one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from remuda.engines.bounded_calls import NO_LIMITS, TooLarge, UnfoldingLimits, most_entered
from remuda.engines.call_dag import CallDag
from remuda.engines.coloring import color

if TYPE_CHECKING:
    from remuda.engines.bounded_calls import BoundedCalls
    from remuda.engines.call_dag import Node
    from remuda.engines.stacks import Stack

Site = tuple[int, int]  # a node and the index of a call in it


@final
@dataclass(slots=True, eq=False)
class Plan:
    """The callees of all calls. Nodes are numbered so that callers come before callees; 0 is the entry."""

    stacks: list[Stack] = field(default_factory=list)
    callees: list[dict[int, int]] = field(default_factory=list)
    callers: list[list[Site]] = field(default_factory=list)
    at_least: int = 0  # the number of instances that every DAG has at least

    @property
    def size(self) -> int:
        return len(self.stacks)

    def add(self, stack: Stack) -> int:
        self.stacks.append(stack)
        self.callees.append({})
        self.callers.append([])
        return len(self.stacks) - 1

    def connect(self, site: Site, callee: int) -> None:
        caller, call = site
        self.callees[caller][call] = callee
        self.callers[callee].append(site)

    def above(self, sites: Sequence[Site]) -> list[int]:
        """The nodes of the sites and all nodes that lead to them, callers first."""
        found = dict.fromkeys(node for node, _ in sites)
        work = list(found)
        while work:
            for caller, _ in self.callers[work.pop()]:
                if caller not in found:
                    found[caller] = None
                    work.append(caller)
        return sorted(found)

    def dag(self, calls: BoundedCalls) -> CallDag[Stack]:
        """The plan as a DAG."""
        dag: CallDag[Stack] = CallDag()
        for stack in self.stacks:
            dag.add(stack, calls.body(stack.procedure).conflicts)
        for number in reversed(range(self.size)):  # callees are complete before their callers
            for call, callee in self.callees[number].items():
                dag.connect(dag.nodes[number], call, dag.nodes[callee])
        return dag


def optimal_plan(calls: BoundedCalls, entry: str, limits: UnfoldingLimits = NO_LIMITS) -> Plan:
    """Fix the instances of all stacks, callers first."""
    stacks = calls.stacks(entry, limits)
    at_least = most_entered(calls, entry, limits)
    plan = Plan(at_least=sum(at_least.values()))
    if limits.nodes is not None and plan.at_least > limits.nodes:
        raise TooLarge(f"at least {plan.at_least} instances, which is more than {limits.nodes}")
    sites: dict[Stack, list[Site]] = {stack: [] for stack in stacks}

    def add(stack: Stack) -> int:
        node = plan.add(stack)
        limits.check(plan.size)
        for call, callee in enumerate(calls.callees(stack)):
            if callee is not None:
                sites[callee].append((node, call))
        return node

    for stack in stacks:
        if not sites[stack]:
            add(stack)  # the entry
            continue
        colors = _colors(calls, plan, stack, sites[stack], at_least[stack])
        nodes = [add(stack) for _ in range(max(colors) + 1)]
        for site, chosen in zip(sites[stack], colors, strict=True):
            plan.connect(site, nodes[chosen])
    return plan


def _colors(calls: BoundedCalls, plan: Plan, stack: Stack, sites: Sequence[Site], enough: int) -> Sequence[int]:
    """For each call that leads to a stack, the number of the instance that it shares."""
    if not calls.may_share(stack) or len(sites) == 1:
        return range(len(sites))
    graph = _Conflicts(calls, plan, sites)
    order = sorted(range(len(sites)), key=graph.earlier.__getitem__)
    return color(graph.rows, order, enough)


@final
class _Conflicts:
    """The conflicts between calls that lead to one stack: an execution can make both.

    `rows[v]` are the calls that conflict with v, as a bit set; `earlier[v]` is the number of calls that an execution
    can make before v.
    """

    def __init__(self, calls: BoundedCalls, plan: Plan, sites: Sequence[Site]) -> None:
        self._calls = calls
        self._plan = plan
        self._vertex = {site: vertex for vertex, site in enumerate(sites)}
        self.rows = [0] * len(sites)
        self.earlier = [0] * len(sites)
        nodes = plan.above(sites)
        self._below: dict[int, int] = {}  # by node: the calls that are made in it or below
        self._most: dict[int, int] = {}  # by node: the number of these that one execution can make
        self._through: dict[int, dict[int, int]] = {}  # by node, then call: the calls that are made there or below
        self._before: dict[int, list[int]] = {}  # by node, then call: the number of calls before it
        for node in reversed(nodes):
            self._look_below(node)
        self._outside = dict.fromkeys(nodes, 0)  # by node: other calls of executions that enter it
        self._entered = dict.fromkeys(nodes, 0)  # by node: the number of calls before entering it
        for node in nodes:
            self._look_around(node)

    def _look_below(self, node: int) -> None:
        plan, body = self._plan, self._calls.body(self._plan.stacks[node].procedure)
        through: dict[int, int] = {}
        weights = [0] * len(body.callees)
        union = 0
        for call in range(len(body.callees)):
            vertex = self._vertex.get((node, call))
            callee = plan.callees[node].get(call)
            if vertex is not None:
                through[call], weights[call] = 1 << vertex, 1
            elif callee in self._below:
                through[call], weights[call] = self._below[callee], self._most[callee]
            else:
                continue
            union |= through[call]
        self._through[node] = through
        self._below[node] = union
        self._before[node], self._most[node] = body.earlier(weights)

    def _look_around(self, node: int) -> None:
        conflicts = self._calls.body(self._plan.stacks[node].procedure).conflicts
        through = self._through[node]
        for call in through:
            found = self._outside[node]
            for other, bits in through.items():
                if conflicts[call] >> other & 1:
                    found |= bits
            earlier = self._entered[node] + self._before[node][call]
            vertex = self._vertex.get((node, call))
            if vertex is not None:
                self.rows[vertex], self.earlier[vertex] = found, earlier
            else:
                callee = self._plan.callees[node][call]
                self._outside[callee] |= found
                self._entered[callee] = max(self._entered[callee], earlier)


@final
class FollowPlan:
    """The merging strategy that keeps the DAG of a search inside a plan.

    Any call that leads to a node of the search determines the node of the plan that it stands for. Different nodes of
    the search stand for different nodes of the plan: the plan is consistent, so a call may always share the right
    node.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._place: dict[int, int] = {}  # by the number of the search's node

    def __call__(self, caller: Node[Any], call: int, compatible: Sequence[Node[Any]]) -> Node[Any] | None:
        wanted = self._plan.callees[self._find(caller)][call]
        return next((node for node in compatible if self._find(node) == wanted), None)

    def _find(self, node: Node[Any]) -> int:
        """The plan's node, found from the nearest caller with a known node."""
        path: list[tuple[Node[Any], int]] = []  # nodes, each with the call of the previous node that leads to it
        current = node
        while current.number not in self._place and current.callers:
            caller, call = current.callers[0]
            path.append((current, call))
            current = caller
        place = self._place.setdefault(current.number, 0)  # a node without callers is the entry
        for below, call in reversed(path):
            place = self._place[below.number] = self._plan.callees[place][call]
        return place
