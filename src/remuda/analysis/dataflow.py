"""Dataflow analysis: computes a fact for every statement of a program, until nothing changes.

A problem gives the fact at the start, the effect of each statement, and the join of two facts; `solve` does the rest.
A procedure has one fact for all its callers. Facts only become weaker, so the analysis terminates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, final

from remuda.ir.program import Call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.ir.program import Block, Procedure, Program, Statement

Place = tuple[str, str]  # procedure and block label
Where = tuple[Place, int]  # and number of the statement
Fact = TypeVar("Fact")
Key = TypeVar("Key", bound="str | Place")


class Problem(Protocol[Fact]):
    """Facts, and the effects of statements on them. None in place of a fact: control does not get there. The methods
    do not change the facts that they get."""

    def at_start(self) -> Fact:
        """The fact where the program starts."""
        ...

    def either(self, one: Fact, other: Fact) -> Fact:
        """The join of the facts on two paths."""
        ...

    def after(self, where: Where, statement: Statement, fact: Fact) -> Fact | None:
        """The fact after a statement, other than a call of a procedure with a body."""
        ...

    def into(self, call: Call, fact: Fact) -> Fact:
        """The fact where the body of a callee starts."""
        ...

    def out_of(self, where: Where, call: Call, fact: Fact, end: Fact | None) -> Fact | None:
        """The fact after a call with a body. `end` is the fact at the end of the body; None: as far as is known, it
        does not end. Calls that start threads continue at once, whatever `end` is."""
        ...

    def at_end(self, procedure: Procedure, fact: Fact) -> Fact:
        """The part of the fact at the end of a body that callers may use."""
        ...


def solve(program: Program, problem: Problem[Fact]) -> Solution[Fact]:
    return Solution(program, problem)


@final
@dataclass(frozen=True, slots=True)
class _AtCall(Generic[Fact]):
    """The facts before a call, and at the callee's end, when the block was last analysed."""

    index: int
    before: Fact
    callee: str
    end: Fact | None


@final
class Solution(Generic[Fact]):
    """The facts of a program."""

    def __init__(self, program: Program, problem: Problem[Fact]) -> None:
        self._program = program
        self._problem = problem
        self._entry: dict[str, Fact] = {name: problem.at_start() for name in program.entries}
        self._exit: dict[str, Fact] = {}
        self._callers: dict[str, dict[str, None]] = {}
        self._starts: dict[Place, Fact] = {}
        self._walked: dict[Place, tuple[Fact, list[_AtCall[Fact]]]] = {}
        self._work = dict.fromkeys(program.entries)
        while self._work:
            name = next(iter(self._work))
            del self._work[name]
            self._run(program.procedures[name])

    def along(self, name: str, block: Block) -> tuple[Fact, ...]:
        """The facts before every statement of a block and at its end, as far as control gets."""
        place = name, block.label
        return tuple(self._along(place, block)) if place in self._starts else ()

    def _along(self, place: Place, block: Block) -> Iterator[Fact]:
        fact = self._starts[place]
        yield fact
        for index, statement in enumerate(block.statements):
            after = self._after((place, index), statement, fact)
            if after is None:
                return
            fact = after
            yield fact

    def _at_end(self, place: Place, block: Block) -> Fact | None:
        """The fact at the end of a block, None if control does not get there.

        A block is analysed again for every callee whose fact has changed, but only from the first such call on:
        otherwise, long blocks with many calls would be analysed as a whole too often.
        """
        start = self._starts[place]
        walked_from, calls = self._walked.get(place, (start, []))
        if walked_from is not start:
            calls = []
        same = [call.end is self._exit.get(call.callee) for call in calls]
        first = same.index(False) if False in same else len(calls)
        if calls and first == len(calls):
            first -= 1  # where control did not get further, or nothing is new
        index, fact = (calls[first].index, calls[first].before) if calls else (0, start)
        calls = calls[:first]
        self._walked[place] = (start, calls)
        for at in range(index, len(block.statements)):
            statement = block.statements[at]
            if isinstance(statement, Call):
                calls.append(_AtCall(at, fact, statement.procedure, self._exit.get(statement.procedure)))
            after = self._after((place, at), statement, fact)
            if after is None:
                return None
            fact = after
        return fact

    def _after(self, where: Where, statement: Statement, fact: Fact) -> Fact | None:
        if not isinstance(statement, Call) or self._program.procedures[statement.procedure].blocks is None:
            return self._problem.after(where, statement, fact)
        callee = statement.procedure
        caller = where[0][0]
        self._callers.setdefault(callee, {})[caller] = None
        if self._join(self._entry, callee, self._problem.into(statement, fact)):
            self._work[callee] = None
        return self._problem.out_of(where, statement, fact, self._exit.get(callee))

    def _run(self, procedure: Procedure) -> None:
        blocks = {(procedure.name, block.label): block for block in procedure.blocks or ()}
        if not blocks:
            return
        self._join(self._starts, next(iter(blocks)), self._entry[procedure.name])
        work = dict.fromkeys(place for place in blocks if place in self._starts)
        while work:
            place = next(iter(work))
            del work[place]
            block = blocks[place]
            fact = self._at_end(place, block)
            if fact is None:
                continue
            for label in block.successors:
                if self._join(self._starts, (procedure.name, label), fact):
                    work[procedure.name, label] = None
            if not block.successors:
                end = self._problem.at_end(procedure, fact)
                if self._join(self._exit, procedure.name, end):
                    self._work.update(self._callers.get(procedure.name, {}))

    def _join(self, known: dict[Key, Fact], key: Key, fact: Fact) -> bool:
        """Join a fact to the one of a block. The result says whether it has changed."""
        if key not in known:
            known[key] = fact
            return True
        both = self._problem.either(known[key], fact)
        if both == known[key]:
            return False
        known[key] = both
        return True
