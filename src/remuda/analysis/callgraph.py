"""The call graph, and orders of procedures.

main calls even; even calls odd; odd calls even
bottom up: (even, odd) then (main,)         recursive: even, odd
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.base.graph import components, reachable
from remuda.ir.program import Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from remuda.ir.program import Procedure, Program


@final
@dataclass(frozen=True, slots=True, eq=False)
class CallGraph:
    """The calls of a program, asynchronous ones too. All orders are those of the program text.

    `components` are the strongly connected components, callees first.
    """

    entries: tuple[str, ...]
    callees: Mapping[str, tuple[str, ...]]
    callers: Mapping[str, tuple[str, ...]]
    components: tuple[tuple[str, ...], ...]

    def reachable(self, roots: Iterable[str] | None = None) -> tuple[str, ...]:
        """The procedures that executions from the roots (by default: the entries) may call, roots included."""
        return tuple(reachable(self.entries if roots is None else roots, self.callees))

    def bottom_up(self) -> tuple[str, ...]:
        """All procedures; without recursion, every procedure comes after those it calls."""
        return tuple(name for component in self.components for name in component)

    def recursive_components(self) -> tuple[tuple[str, ...], ...]:
        return tuple(component for component in self.components if self._is_cycle(component))

    def recursive(self) -> frozenset[str]:
        """The procedures that may call themselves, directly or through others."""
        return frozenset(name for component in self.recursive_components() for name in component)

    def _is_cycle(self, component: tuple[str, ...]) -> bool:
        return len(component) > 1 or component[0] in self.callees[component[0]]


def calls_of(procedure: Procedure) -> Iterator[Call]:
    """The call statements of a procedure in order."""
    for block in procedure.blocks or ():
        for statement in block.statements:
            if isinstance(statement, Call):
                yield statement


def call_graph(program: Program) -> CallGraph:
    """The call graph of a program whose calls name procedures that exist."""
    callees = {
        name: tuple(dict.fromkeys(call.procedure for call in calls_of(procedure)))
        for name, procedure in program.procedures.items()
    }
    callers: dict[str, list[str]] = {name: [] for name in callees}
    for name, targets in callees.items():
        for target in targets:
            callers[target].append(name)
    return CallGraph(
        program.entries,
        callees,
        {name: tuple(found) for name, found in callers.items()},
        tuple(components(callees)),
    )


def called_once(program: Program) -> frozenset[str]:
    """The procedures that exactly one call in the program's text calls."""
    sites: dict[str, int] = {}
    for procedure in program.procedures.values():
        for call in calls_of(procedure):
            sites[call.procedure] = sites.get(call.procedure, 0) + 1
    return frozenset(name for name, count in sites.items() if count == 1)
