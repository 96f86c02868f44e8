"""What holds at every statement of a program, found by running over all procedures until nothing changes.

A problem says what holds at the start, after each statement, and where control comes two ways; `solve` does the rest. A
procedure has one fact for all its callers. Facts only ever lose, so that it comes to an end.
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
    """Facts, and what statements do to them. None instead of a fact: control does not get there. Facts that are given
    are not changed."""

    def at_start(self) -> Fact:
        """What holds where the program starts."""
        ...

    def either(self, one: Fact, other: Fact) -> Fact:
        """What holds if control comes by one of two ways."""
        ...

    def after(self, where: Where, statement: Statement, fact: Fact) -> Fact | None:
        """Of any statement but calls of procedures with bodies."""
        ...

    def into(self, call: Call, fact: Fact) -> Fact:
        """What holds where the body of a callee starts."""
        ...

    def out_of(self, where: Where, call: Call, fact: Fact, end: Fact | None) -> Fact | None:
        """What holds after a call with a body; `end` holds where the body ends, None: as far as is known, it does not.
        Calls that start threads go on at once, whatever `end` says."""
        ...

    def at_end(self, procedure: Procedure, fact: Fact) -> Fact:
        """What callers may know of what holds at the end of a body."""
        ...


def solve(program: Program, problem: Problem[Fact]) -> Solution[Fact]:
    return Solution(program, problem)


@final
@dataclass(frozen=True, slots=True)
class _AtCall(Generic[Fact]):
    """What held before a call, and what was known of the callee's end, when a block was walked last."""

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
        """What holds before every statement, and at the end; up to where control gets, which may be nowhere."""
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
        """What holds at the end of a block, None if control does not get there.

        A block is walked again for every callee of which more is known by then, but only from the first such call on:
        long blocks with many calls would else be walked that often as a whole.
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
        """Whether that is news."""
        if key not in known:
            known[key] = fact
            return True
        both = self._problem.either(known[key], fact)
        if both == known[key]:
            return False
        known[key] = both
        return True
