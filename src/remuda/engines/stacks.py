"""The part of a call stack that decides what a call costs, and which instances may be shared.

    main -> even -> odd -> even      even: 2, odd: 1
    main -> even -> log              nothing: log is not recursive

Calls are charged to the bound by how often the callee is on the stack. Instances are shared only between stacks that
agree in this, so that a call of a shared instance costs the same whichever way it was reached.
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
    """What matters of the call stack below which an instance lives; instances with different ones are not shared.

    `counts` says how often each procedure of the innermost recursion is on it: once control has left a recursion
    it cannot come back, so that earlier ones have no part in what a call costs. `depth` is kept only if asked for.
    """

    procedure: str  # on top
    counts: tuple[tuple[str, int], ...] = ()
    cost: int = 1  # how often the top procedure is on the stack
    depth: int = 1


@final
class Stacks:
    """What a call does to the part of the stack that matters."""

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
