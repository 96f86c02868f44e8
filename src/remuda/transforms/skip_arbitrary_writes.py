"""Remove writes of arbitrary values into maps that are arbitrary anyway.

before:  procedure main() { i := 0;  H: goto B, D;  B: assume i < n; havoc v; m[p + i] := v; i := i + 1; goto H;  D: ... }
after:   procedure main() { i := 0;  H: goto B, D;  B: assume i < n; havoc v;                i := i + 1; goto H;  D: ... }

Programs fill memory with inputs before they begin. At the start of an execution, a global map has any value; as long
as it has been neither read nor written, it is as arbitrary after such a write as before. (The index of the write may
depend on a read of a map, but then nothing else depends on that value.) An execution of the new program is one of the
original in which the write chooses the old value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.controlflow import control_flow
from remuda.ir.edit import targets_of, terms_of
from remuda.ir.passes import PassResult
from remuda.ir.program import Assign, Block, Call, Havoc, Procedure, Program, Statement
from remuda.ir.trace import Choose, Enter, Event, Leave, Trace, Visit
from remuda.terms.term import variables_of
from remuda.terms.types import MapType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

Skipped = dict[tuple[str, str], dict[int, tuple["Variable", "Term"]]]  # by procedure, label and number of the choice


@final
@dataclass(frozen=True, slots=True)
class SkipArbitraryWrites:
    """The pass, for entries that nothing calls. The program must have no threads."""

    name: ClassVar[str] = "skip-arbitrary-writes"

    def apply(self, program: Program) -> PassResult:
        called = {callee for callees in call_graph(program).callees.values() for callee in callees}
        procedures = dict(program.procedures)
        skipped: Skipped = {}
        for name in program.entries:
            procedure = program.procedures[name]
            if name not in called and procedure.blocks:
                procedures[name] = _without_writes(program, procedure, skipped)
        return PassResult(replace(program, procedures=procedures), lambda trace: _lift(trace, skipped))


def _without_writes(program: Program, procedure: Procedure, skipped: Skipped) -> Procedure:
    single = _written_once(procedure)
    if not single:
        return procedure
    untouched = _untouched(program, procedure, single)
    blocks = []
    for block in procedure.blocks or ():
        fresh = set(untouched.get(block.label, ()))
        kept: list[Statement] = []
        choices = 0
        for previous, statement in zip((None, *block.statements), block.statements, strict=False):
            write = _arbitrary_write(previous, statement, single)
            if write is not None and write[0] in fresh:
                _, index, value = write
                place = skipped.setdefault((procedure.name, block.label), {})
                place[choices - 1] = (value, program.terms.select(program.terms.var(write[0]), (index,)))
                continue
            fresh -= _touched(statement, fresh)
            choices += _is_choice(program, statement)
            kept.append(statement)
        blocks.append(replace(block, statements=tuple(kept)))
    return replace(procedure, blocks=tuple(blocks))


def _written_once(procedure: Procedure) -> set[Variable]:
    """Locals that are only havocked, and then written into a map by the next statement."""
    local = set(procedure.locals)
    candidates: set[Variable] = set()
    other: set[Variable] = set()
    for block in procedure.blocks or ():
        for previous, statement in zip((None, *block.statements), block.statements, strict=False):
            write = _arbitrary_write(previous, statement, local)
            if write is not None:
                candidates.add(write[2])
                other.update(variables_of([write[1]]))
                continue
            other.update(variables_of(terms_of(statement)))
            if not isinstance(statement, Havoc):
                other.update(targets_of(statement))
    return candidates - other


def _arbitrary_write(
    previous: Statement | None, statement: Statement, values: set[Variable]
) -> tuple[Variable, Term, Variable] | None:
    """The map, the index and the variable of `havoc v; m[i] := v`."""
    if not isinstance(statement, Assign) or len(statement.targets) != 1 or not isinstance(previous, Havoc):
        return None
    term = statement.values[0]
    if term.op != "store" or len(term.args) != 3:
        return None
    map_, index, value = term.args
    is_plain = map_.op == "var" and map_.payload is statement.targets[0] and value.op == "var"
    if not is_plain or value.payload not in values or previous.variables != (value.payload,):
        return None
    mentioned = variables_of([index])
    return None if value.payload in mentioned or map_.payload in mentioned else (map_.payload, index, value.payload)


def _untouched(program: Program, procedure: Procedure, values: set[Variable]) -> Mapping[str, set[Variable]]:
    """For each block, the global maps that no path to its start reads or writes, except by removed writes."""
    flow = control_flow(procedure)
    blocks = {block.label: block for block in procedure.blocks or ()}
    maps = {each for each in program.globals if isinstance(each.type, MapType) and each not in program.wheres}
    start = {label: set(maps) for label in flow.order}
    work = dict.fromkeys(flow.order)
    while work:
        label = next(iter(work))
        del work[label]
        end = start[label] - _touched_in(blocks[label], start[label], values)
        for target in blocks[label].successors:
            if not start[target] <= end:
                start[target] &= end
                work[target] = None
    return start


def _touched_in(block: Block, untouched: set[Variable], values: set[Variable]) -> set[Variable]:
    touched: set[Variable] = set()
    for previous, statement in zip((None, *block.statements), block.statements, strict=False):
        write = _arbitrary_write(previous, statement, values)
        if write is None or write[0] in touched or write[0] not in untouched:
            touched |= _touched(statement, untouched)
    return touched


def _touched(statement: Statement, untouched: set[Variable]) -> set[Variable]:
    if isinstance(statement, Call):
        return set(untouched)  # whatever it does
    return untouched & {*targets_of(statement), *variables_of(terms_of(statement))}


def _is_choice(program: Program, statement: Statement) -> bool:
    """Whether executions have an event for the choice of this statement."""
    if isinstance(statement, Call):
        return program.procedures[statement.procedure].blocks is None
    return isinstance(statement, Havoc)


def _lift(trace: Trace, skipped: Skipped) -> Trace:
    """Add choices to a trace: each removed write chooses the old value."""
    events: list[Event] = []
    stack: list[str] = []
    at: Sequence[str] = ()
    number = 0
    for event in trace.events:
        match event:
            case Enter(procedure):
                stack.append(procedure)
            case Leave():
                stack.pop()
            case Visit(label) if len(stack) == 1:
                at, number = (stack[0], label), 0
            case Choose(values) if len(stack) == 1:
                found = skipped.get((at[0], at[1]), {}).get(number)
                number += 1
                if found is not None:
                    event = Choose(values, {found[0]: found[1]})
            case _:
                pass
        events.append(event)
    return replace(trace, events=tuple(events))
