"""The globals that a statement reads and writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.ir.edit import targets_of, terms_of
from remuda.ir.program import Call
from remuda.terms.term import postorder, variables_of

if TYPE_CHECKING:
    from remuda.ir.program import Program, Statement
    from remuda.terms.symbols import Variable


@final
@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """The globals that a statement itself reads and writes, without the body of a callee."""

    reads: frozenset[Variable]
    writes: frozenset[Variable]

    def touches(self, variables: frozenset[Variable]) -> bool:
        return not variables.isdisjoint(self.reads) or not variables.isdisjoint(self.writes)


def read_at_start(program: Program) -> frozenset[Variable]:
    """The globals that a thread reads when it starts, for the `where` clauses of its own ones."""
    wheres = [program.wheres[each] for each in program.thread_locals if each in program.wheres]
    return frozenset(variables_of(wheres)).intersection(program.globals).difference(program.thread_locals)


def access_of(program: Program, statement: Statement) -> Access:
    """The accesses of a statement. A call of a procedure without a body includes those that the procedure
    declares."""
    reads = {term.payload for term in postorder(terms_of(statement)) if term.op == "var"}
    writes = set(targets_of(statement))
    if isinstance(statement, Call):
        callee = program.procedures[statement.procedure]
        if callee.blocks is None:
            writes.update(callee.modifies)
            conditions = [condition.term for condition in callee.ensures]
            reads.update(term.payload for term in postorder(conditions) if term.op == "var")
    everything = set(program.globals)
    return Access(frozenset(reads & everything), frozenset(writes & everything))
