"""The part of a call stack that decides how much of the bound a call uses, and which instances may be shared.

    main -> even -> odd -> even      even: 2, odd: 1
    main -> even -> log              nothing: log is not recursive

The cost of a call is the number of times that its callee is on the stack. Instances are only shared between stacks
with the same costs, so a call in a shared instance has the same cost on every path to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.analysis.callgraph import call_graph

if TYPE_CHECKING:
    from remuda.ir.program import Program


@final
@dataclass(frozen=True, slots=True)
class Stack:
    """The relevant part of the call stack of an instance; instances with different stacks are not shared.

    `counts` says how often each procedure of the innermost recursion is on the stack: control cannot return to a
    recursion that it has left, so outer recursions do not influence costs. `depth` is only kept if requested.
    """

    procedure: str  # the top of the stack
    counts: tuple[tuple[str, int], ...] = ()
    cost: int = 1  # how often the top procedure is on the stack
    depth: int = 1


@final
class Stacks:
    """Computes the stacks of callees from the stacks of callers."""

    def __init__(self, program: Program, *, keep_depth: bool) -> None:
        self._component = {
            name: number
            for number, component in enumerate(call_graph(program).recursive_components())
            for name in component
        }
        self._keep_depth = keep_depth

    def push(self, stack: Stack, callee: str) -> Stack:
        counts: dict[str, int] = {}
        recursion = self._component.get(callee)
        if recursion is not None:
            if recursion == self._component.get(stack.procedure):
                counts = dict(stack.counts) or {stack.procedure: 1}
            counts[callee] = counts.get(callee, 0) + 1
        depth = stack.depth + 1 if self._keep_depth else 1
        return Stack(callee, tuple(sorted(counts.items())), counts.get(callee, 1), depth)
