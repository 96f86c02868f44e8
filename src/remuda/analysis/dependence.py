"""Whether an assertion may depend on what happens at some places of the source, in any execution.

    int x;                      nothing says which value x has
    if (x > 0) found = 1;       found depends on it; i does not
    i++;
    assert(i < 9);              does not depend on x
    assert(found < 2);          does

Values that are computed at the places are followed through assignments, calls and conditions, without regard to order. A
condition that depends on them decides what happens until its branches meet again. If that may end the execution, or may
go on forever, everything depends on them. So "no" is certain, and "yes" may be wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.modifies import modified_globals
from remuda.base.graph import components, reachable
from remuda.ir.edit import targets_of, terms_of
from remuda.ir.program import Assert, Assign, Assume, Call
from remuda.terms.term import variables_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from remuda.base.source import Span
    from remuda.ir.program import Procedure, Program, Statement
    from remuda.terms.symbols import Variable


def may_depend(program: Program, places: Sequence[Span]) -> bool:
    """Whether it may depend on what happens at the places if, and where, executions end."""
    return bool(places) and _Dependence(program, places).may_matter()


@final
class _Dependence:
    def __init__(self, program: Program, places: Sequence[Span]) -> None:
        self._program = program
        self._places = places
        self._bodies = {name: each for name, each in program.procedures.items() if each.blocks is not None}
        self._modified = modified_globals(program)
        self._branches = {name: Branches(each) for name, each in self._bodies.items()}
        self._ending = _may_end(program, self._branches)
        self._doubtful: set[Variable] = set()
        self._decided: dict[str, set[str]] = {}  # the blocks that doubtful conditions decide about, by procedure
        self._sources = {
            id(statement): None
            for statement in self._statements()
            if any(_overlap(statement.span, place) for place in places)
        }

    def may_matter(self) -> bool:
        if not all(any(_overlap(each.span, place) for each in self._statements()) for place in self._places):
            return True  # the translation does not say what happens there
        before = -1
        while before != (before := self._size()):
            for procedure in self._bodies.values():
                if not self._pass(procedure):
                    return True
        return False

    def _size(self) -> int:
        return len(self._doubtful) + sum(map(len, self._decided.values()))

    def _statements(self) -> Iterable[Statement]:
        return (each for body in self._bodies.values() for block in body.blocks or () for each in block.statements)

    def _pass(self, procedure: Procedure) -> bool:
        """Follow doubtful values through a procedure; False if an end of the execution depends on one."""
        decided, branches = self._decided.setdefault(procedure.name, set()), self._branches[procedure.name]
        for label, conditions in branches.conditions.items():
            if any(map(self._is_doubtful, conditions)):
                after = branches.until_they_meet(label)
                if after is None:
                    return False
                decided |= after
        return all(
            self._follow(statement, is_decided=block.label in decided)
            for block in procedure.blocks or ()
            for statement in block.statements
            if not branches.has_condition(statement)
        )

    def _is_doubtful(self, statement: Statement) -> bool:
        return id(statement) in self._sources or any(
            variable in self._doubtful for variable in variables_of(terms_of(statement))
        )

    def _follow(self, statement: Statement, *, is_decided: bool) -> bool:
        """What a statement does to doubtful values; False if it may end the execution because of one."""
        is_source = is_decided or id(statement) in self._sources
        match statement:
            case Assume() | Assert():
                return not is_decided and not self._is_doubtful(statement)
            case Assign(targets=targets, values=values):
                for target, value in zip(targets, values, strict=True):
                    if is_source or self._doubtful.intersection(variables_of([value])):
                        self._doubtful.add(target)
            case Call():
                return self._follow_call(statement, is_source=is_source, is_decided=is_decided)
            case _:
                if is_source:
                    self._doubtful.update(targets_of(statement))
        return True

    def _follow_call(self, call: Call, *, is_source: bool, is_decided: bool) -> bool:
        callee = self._program.procedures[call.procedure]
        if is_decided and call.procedure in self._ending:
            return False
        if is_source:
            self._doubtful.update(self._modified[call.procedure])
        for parameter, argument in zip(callee.inputs, call.arguments, strict=True):
            if is_source or self._doubtful.intersection(variables_of([argument])):
                self._doubtful.add(parameter)
        if callee.blocks is None and self._doubtful.intersection(callee.inputs):
            self._doubtful.update((*callee.outputs, *callee.modifies))
        for output, result in zip(callee.outputs, call.results, strict=True):
            if is_source or output in self._doubtful:
                self._doubtful.add(result)
        return True


def _overlap(one: Span, other: Span) -> bool:
    if one.source.name != other.source.name:
        return False
    return one.start < other.end and other.start < one.end


def _may_end(program: Program, branches: Mapping[str, Branches]) -> Collection[str]:
    """The procedures that may end an execution, or never return."""
    graph = call_graph(program)
    found = set(graph.recursive())
    for name in graph.bottom_up():
        if name in branches and (branches[name].has_cycle or branches[name].ends or found & set(graph.callees[name])):
            found.add(name)
    return found


@final
class Branches:
    """Where the control flow of a procedure branches: the conditions of each branch, which its successors begin with."""

    def __init__(self, procedure: Procedure) -> None:
        blocks = {block.label: block for block in procedure.blocks or ()}
        self._successors = {label: block.successors for label, block in blocks.items()}
        self._regions: dict[str, frozenset[str] | None] = {}
        self.conditions: dict[str, list[Statement]] = {}
        for label, block in blocks.items():
            if len(block.successors) > 1:
                first = [next(iter(blocks[each].statements), None) for each in block.successors]
                self.conditions[label] = [each for each in first if isinstance(each, Assume)]
        self._known = {id(each) for conditions in self.conditions.values() for each in conditions}
        self.has_cycle = self._is_cyclic(blocks, self._successors)
        self.ends = any(
            isinstance(each, Assume | Assert) and not self.has_condition(each)
            for block in blocks.values()
            for each in block.statements
        )

    def has_condition(self, statement: Statement) -> bool:
        return id(statement) in self._known

    def until_they_meet(self, branch: str) -> frozenset[str] | None:
        """The blocks between a branch and where all ways from there meet, or return; None if one may come back to the branch, or
        go round forever."""
        if branch not in self._regions:
            self._regions[branch] = self._between(branch)
        return self._regions[branch]

    def _between(self, branch: str) -> frozenset[str] | None:
        successors = self._successors
        after = reachable(successors[branch], successors)
        regions = []
        for meeting in after:
            without = {**successors, meeting: ()}
            region = [label for label in reachable(successors[branch], without) if label != meeting]
            if branch not in region and all(map(successors.get, region)) and not self._is_cyclic(region, without):
                regions.append(frozenset(region))
        if regions:
            return min(regions, key=len)
        return None if branch in after or self._is_cyclic(after, successors) else frozenset(after)

    @staticmethod
    def _is_cyclic(labels: Iterable[str], successors: Mapping[str, Sequence[str]]) -> bool:
        inside = dict.fromkeys(labels)
        own = {label: [each for each in successors[label] if each in inside] for label in inside}
        return any(len(each) > 1 or each[0] in own[each[0]] for each in components(own))
