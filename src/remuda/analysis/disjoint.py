"""Finds the calls of a procedure that one execution of it can both make.

    if (*) { call p(); } else { call q(); }  call r();      p and q: no      p and r: yes

Two calls can both be made if there is a path between their blocks; a procedure without loops never comes back to a
block, so otherwise none makes both. Sets of blocks and of calls are bit sets, one pass over the blocks each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remuda.analysis.controlflow import ControlFlow


def call_conflicts(flow: ControlFlow, blocks: Sequence[str]) -> list[int]:
    """For each call, given by its block, the calls that an execution which makes it may make too, as a bit set.

    A call is not in its own set. `flow` must be acyclic.
    """
    calls_in: dict[str, int] = {}
    for call, label in enumerate(blocks):
        calls_in[label] = calls_in.get(label, 0) | 1 << call
    below: dict[str, int] = {}
    for label in reversed(flow.order):
        below[label] = calls_in.get(label, 0)
        for successor in flow.successors[label]:
            below[label] |= below[successor]
    above: dict[str, int] = {}
    for label in flow.order:
        above[label] = calls_in.get(label, 0)
        for predecessor in flow.predecessors[label]:
            above[label] |= above[predecessor]
    return [(below[label] | above[label]) & ~(1 << call) for call, label in enumerate(blocks)]
