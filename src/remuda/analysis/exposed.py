"""Finds a procedure's own variables that may be read before they are written, so that their first values matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.ir.edit import targets_of, terms_of
from remuda.terms.term import variables_of

if TYPE_CHECKING:
    from remuda.ir.program import Block, Procedure
    from remuda.terms.symbols import Variable


def read_first(procedure: Procedure) -> frozenset[Variable]:
    """The variables with a path on which they are read before they are written; results are read at every return."""
    blocks = {block.label: block for block in procedure.blocks or ()}
    sources: dict[str, list[str]] = {label: [] for label in blocks}
    for block in blocks.values():
        for target in block.successors:
            sources[target].append(block.label)
    at_end = {variable for condition in procedure.ensures for variable in variables_of([condition.term])}
    at_end.update(procedure.outputs)
    exposed: dict[str, set[Variable]] = {label: set() for label in blocks}
    work = dict.fromkeys(reversed(blocks))
    while work:
        label = next(iter(work))
        del work[label]
        found = _before(blocks[label], exposed, at_end)
        if found != exposed[label]:
            exposed[label] = found
            work.update(dict.fromkeys(sources[label]))
    first = next(iter(blocks), None)
    return frozenset(exposed[first]) if first is not None else frozenset()


def _before(block: Block, exposed: dict[str, set[Variable]], at_end: set[Variable]) -> set[Variable]:
    """The variables that are read first from the start of a block on."""
    found = set().union(*(exposed[target] for target in block.successors)) if block.successors else set(at_end)
    for statement in reversed(block.statements):
        found.difference_update(targets_of(statement))
        found.update(variables_of(terms_of(statement)))
    return found
