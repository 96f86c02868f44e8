"""The smallest DAG of instances that can be found for a whole program up to the bound, before a search.

The paper's OPT colors, for each procedure, the conflict graph of all instances of the unfolded tree. Here nothing is
unfolded. Stacks are visited callers first. When all instances above a stack are fixed, so are the calls that lead to
it, and two of them may share an instance unless one execution makes both:

    conflicts(c, i)  =  outside(c)  +  calls below those that conflict with i in c
    outside(n)       =  conflicts(c, i) of all calls that lead to n

A coloring of this graph gives the instances, one for each color, and all their calls a callee. Instances that are
merged have the same callees, which a coloring of each procedure for itself does not ensure.

No DAG has fewer instances than `most_entered` sums up to. Where the plan has as many, it is a smallest one.
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
    """Where all calls lead to. Nodes are numbered so that callers come before callees; 0 is the entry."""

    stacks: list[Stack] = field(default_factory=list)
    callees: list[dict[int, int]] = field(default_factory=list)
    callers: list[list[Site]] = field(default_factory=list)
    at_least: int = 0  # instances in every DAG

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
        """The nodes of the sites and all that leads to them, callers first."""
        found = dict.fromkeys(node for node, _ in sites)
        work = list(found)
        while work:
            for caller, _ in self.callers[work.pop()]:
                if caller not in found:
                    found[caller] = None
                    work.append(caller)
        return sorted(found)

    def dag(self, calls: BoundedCalls) -> CallDag[Stack]:
        """The same as a DAG."""
        dag: CallDag[Stack] = CallDag()
        for stack in self.stacks:
            dag.add(stack, calls.body(stack.procedure).conflicts)
        for number in reversed(range(self.size)):  # callees are complete before they are called
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
    """For each call that leads to a stack, which of its instances it shares."""
    if not calls.may_share(stack) or len(sites) == 1:
        return range(len(sites))
    graph = _Conflicts(calls, plan, sites)
    order = sorted(range(len(sites)), key=graph.earlier.__getitem__)
    return color(graph.rows, order, enough)


@final
class _Conflicts:
    """Which of the calls that lead to one stack an execution can both make.

    `rows[v]` are the calls that conflict with v, as a bit set; `earlier[v]` is how many an execution can make before v.
    """

    def __init__(self, calls: BoundedCalls, plan: Plan, sites: Sequence[Site]) -> None:
        self._calls = calls
        self._plan = plan
        self._vertex = {site: vertex for vertex, site in enumerate(sites)}
        self.rows = [0] * len(sites)
        self.earlier = [0] * len(sites)
        nodes = plan.above(sites)
        self._below: dict[int, int] = {}  # by node: the calls that are made in it or below
        self._most: dict[int, int] = {}  # by node: how many of them one execution can make
        self._through: dict[int, dict[int, int]] = {}  # by node, then call: the calls that are made there or below
        self._before: dict[int, list[int]] = {}  # by node, then call: how many an execution of the node made before
        for node in reversed(nodes):
            self._look_below(node)
        self._outside = dict.fromkeys(nodes, 0)  # by node: the calls that an execution makes besides entering it
        self._entered = dict.fromkeys(nodes, 0)  # by node: how many an execution can make before entering it
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

    Which node of the plan a node of the search stands for follows from any call that leads to it. Nodes that stand for
    the same one are the same: the plan is consistent, so that the one is always among those that a call may share.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._place: dict[int, int] = {}  # by number of the search's node

    def __call__(self, caller: Node[Any], call: int, compatible: Sequence[Node[Any]]) -> Node[Any] | None:
        wanted = self._plan.callees[self._find(caller)][call]
        return next((node for node in compatible if self._find(node) == wanted), None)

    def _find(self, node: Node[Any]) -> int:
        """The plan's node, found from the nearest caller whose place is known."""
        path: list[tuple[Node[Any], int]] = []  # nodes with the call of the one before that leads to them
        current = node
        while current.number not in self._place and current.callers:
            caller, call = current.callers[0]
            path.append((current, call))
            current = caller
        place = self._place.setdefault(current.number, 0)  # without callers: the entry
        for below, call in reversed(path):
            place = self._place[below.number] = self._plan.callees[place][call]
        return place
