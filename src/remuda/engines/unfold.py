"""Unfolds a program completely up to the bound, without a solver, to measure the DAG of its instances.

Calls are opened breadth first, as in a search that inlines all calls before its first query, so the sizes are those
of its formulas.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from remuda.engines.bounded_calls import NO_LIMITS, UnfoldingLimits
from remuda.engines.call_dag import CallDag, conflicting
from remuda.engines.stacks import Stack

if TYPE_CHECKING:
    from remuda.engines.bounded_calls import BoundedCalls
    from remuda.engines.call_dag import Node
    from remuda.engines.merging import Strategy


def unfold(
    calls: BoundedCalls, entry: str, merge: Strategy | None, limits: UnfoldingLimits = NO_LIMITS
) -> CallDag[Stack]:
    """The instances below an entry; `merge` selects the instance that a call shares; without it, none is shared."""
    dag: CallDag[Stack] = CallDag()
    root = dag.add(Stack(entry), calls.body(entry).conflicts)
    work = deque([root])
    while work:
        limits.check(len(dag.nodes))
        work += _open_calls(calls, dag, work.popleft(), merge)
    return dag


def _open_calls(
    calls: BoundedCalls, dag: CallDag[Stack], node: Node[Stack], merge: Strategy | None
) -> list[Node[Stack]]:
    """Connect all calls of a node. Returns the new nodes.

    The nodes that its callers exclude are the same for all of its calls: nodes added below a node are not outside it.
    """
    added: list[Node[Stack]] = []
    callees = calls.callees(node.key)
    if not any(callees):
        return added
    outside = dag.outside(node) if merge is not None else 0
    for call, stack in enumerate(callees):
        if stack is None:
            continue
        callee = None
        if merge is not None and calls.may_share(stack):
            compatible = dag.apart(stack, outside | conflicting(node, call))
            callee = merge(node, call, compatible) if compatible else None
        if callee is None:
            callee = dag.add(stack, calls.body(stack.procedure).conflicts)
            added.append(callee)
        dag.attach(node, call, callee)
    dag.spread(node)
    return added
