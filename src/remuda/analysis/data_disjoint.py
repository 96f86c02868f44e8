"""Pairs of calls that no execution of a procedure makes both, because its assumptions would contradict each other.

    if (x == 0) { call p(); }   if (x != 0) { call q(); }            p and q: no, unless x changes in between

An execution counts if it enters the procedure, assumes only true conditions, and returns. Engines search for such
executions: if an assertion fails, the instrumented procedure returns, and so do all its callers.

Why it is sound. Facts are about values that do not change during an execution (`steady_assumptions`), so a fact that
is true once was and stays true. Take an execution that counts and passes block A and later block B. By induction along
its blocks it satisfies what is known at each one: at a block, the facts that its own assumptions state and those that
hold on every way from it to a return; on an edge, which literal a variable has that has other values on other edges;
where ways meet, what is known on all of them. Starting in A instead of at the entry, with what is known in A, the same
holds for the ways from A only, and among them is the execution's. What it satisfies does not contradict itself, so a
walk that starts in A and stops at contradictions reaches B.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from itertools import chain
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.disjoint import call_conflicts
from remuda.analysis.facts import Facts, Known
from remuda.analysis.modifies import GlobalsByProcedure, modified_globals
from remuda.analysis.steady import steady_assumptions
from remuda.ir.threads import starts_threads

if TYPE_CHECKING:
    from remuda.analysis.controlflow import ControlFlow
    from remuda.ir.program import Procedure, Program

CONTROL: Final = "control"
DATA: Final = "data"
NOTHING: Final = Known()


@final
class Disjointness:
    """The calls of a program's procedures that exclude each other: by control flow only, or also by assumptions."""

    def __init__(self, program: Program, mode: str = CONTROL) -> None:
        self._program = program
        self._by_data = mode == DATA and not starts_threads(program)  # other threads may change globals at any time

    @cached_property
    def _modified(self) -> GlobalsByProcedure:
        return modified_globals(self._program)

    def conflicts(self, procedure: Procedure, flow: ControlFlow, blocks: Sequence[str]) -> list[int]:
        """As `call_conflicts`, for the procedure whose flow it is."""
        found = call_conflicts(flow, blocks)
        if not self._by_data or not any(found):
            return found
        steady = steady_assumptions(self._program.terms, procedure, flow, self._modified)
        stated = chain.from_iterable((*steady.blocks.values(), *steady.edges.values()))
        facts = Facts(stated, frozenset(self._program.unique_constants))
        if not facts.any_excluded:
            return found
        own = {label: facts.known(assumed) for label, assumed in steady.blocks.items()}
        edges = {edge: facts.known(true) for edge, true in steady.edges.items()}
        return _Walk(flow, own, edges).conflicts(blocks)


@final
class _Walk:
    """The facts known in blocks of a flow without cycles. Blocks that no execution passes are left out."""

    def __init__(self, flow: ControlFlow, own: dict[str, Known], edges: dict[tuple[str, str], Known]) -> None:
        self._flow = flow
        self._edges = edges
        self._own = self._until_return(own)
        self._known = self._from(flow.entry, NOTHING)

    def _until_return(self, own: dict[str, Known]) -> dict[str, Known]:
        """For each block, the facts that are assumed in it or on every path from it to a return."""
        found: dict[str, Known] = {}
        for label in reversed(self._flow.order):
            targets = self._flow.successors[label]
            ways = self._ways(((label, target), found.get(target)) for target in targets)
            if ways or not targets:
                _add(found, label, own[label], ways)
        return found

    def _from(self, start: str, before: Known) -> dict[str, Known]:
        """For each block that an execution may pass after `start`, the facts known in it then."""
        flow, found = self._flow, dict[str, Known]()
        for label in flow.order[flow.position[start] :]:
            sources = flow.predecessors[label]
            ways = self._ways(((source, label), found.get(source)) for source in sources)
            if label == start:
                ways = [before]
            if ways and label in self._own:
                _add(found, label, self._own[label], ways)
        return found

    def _ways(self, ends: Iterable[tuple[tuple[str, str], Known | None]]) -> list[Known]:
        """The facts known along edges, from those at one end; without edges that cannot be taken."""
        ways = [known.with_(self._edges.get(edge, NOTHING)) for edge, known in ends if known is not None]
        return [way for way in ways if not way.contradictory]

    def conflicts(self, blocks: Sequence[str]) -> list[int]:
        """For each call, given by its block, the calls that an execution which makes it may make too."""
        calls_in: dict[str, int] = {}
        for call, label in enumerate(blocks):
            calls_in[label] = calls_in.get(label, 0) | 1 << call
        found = dict.fromkeys(calls_in, 0)
        for label, calls in calls_in.items():
            passed = self._from(label, self._known[label]) if label in self._known else {}
            for later in passed:
                found[label] |= calls_in.get(later, 0)
                if later in calls_in:
                    found[later] |= calls
        return [found[label] & ~(1 << call) for call, label in enumerate(blocks)]


def _add(found: dict[str, Known], label: str, own: Known, ways: Sequence[Known]) -> None:
    """Note the facts known in a block, its own and those common to all edges, unless they contradict each other."""
    known = own.with_(reduce(Known.or_, ways)) if ways else own
    if not known.contradictory:
        found[label] = known
