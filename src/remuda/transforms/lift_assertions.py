"""Lift every assertion into the entry procedure: the deep-assert transformation (FMCAD'14, Fig. 4).

before:  main { ...; call P(e); ... }      P(x) { ...; assert a; ... }
after:   main { ...; goto ok, in;   ok: call P(e); ...
                in: P$x := e; havoc P's other variables; goto P$start;   P$start: ...; assert a; ...; assume false }
         P(x) { ...; assume a; ... }

A call either returns, and then nothing failed in it, or it does not, and then nobody cares who made it: one copy of P's
body serves all calls that fail. In a loop only the last iteration can fail:

before:  H: goto B, D;   B: ...; assert a; ...; goto H;   D: ...
after:   H$loop: goto H$again, H;   H$again: goto B$again;   B$again: ...; assume a; ...; goto H$loop
         H: goto B, D;   B: ...; assert a; ...; assume false;   D: ...

Procedures and loops that cannot fail are left alone. A procedure that calls itself makes the entry jump back, so a
program that was reducible and without loops in its entry may come out neither.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.controlflow import control_flow
from remuda.analysis.failing import can_fail, may_fail
from remuda.analysis.loops import Loop, find_loops
from remuda.analysis.modifies import modified_globals
from remuda.base.names import FreshNames
from remuda.ir.edit import cut_jumps, rename_block
from remuda.ir.passes import PassResult
from remuda.ir.program import (
    RECURSION,
    Assert,
    Assign,
    Assume,
    Attribute,
    Block,
    Call,
    Check,
    Havoc,
    Procedure,
    Program,
    Statement,
)
from remuda.ir.trace import Choose, Enter, Event, Leave, Trace, Visit
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from collections.abc import Callable


@final
@dataclass(frozen=True, slots=True, eq=False)
class LiftedAssertions:
    """The result of the pass: as a `PassResult`, and for people, where each new block came from."""

    program: Program
    lift: Callable[[Trace], Trace]
    comments: Mapping[tuple[str, str], str]  # by procedure and label
    copies: Mapping[tuple[str, str], str]  # by entry and label: the procedure that a block was copied from

    def result(self) -> PassResult:
        return PassResult(self.program, self.lift)

    def mark_recursion(self, extracted: Program) -> Program:
        """The lifted program once its loops are procedures, with a mark on those that stand for recursion: a chain of
        calls that may be as long as the bounds of all procedures in it allow, taken together."""
        chains = {name: chain for chain in call_graph(self.program).recursive_components() for name in chain}
        procedures = dict(extracted.procedures)
        for name, procedure in extracted.procedures.items():
            if name not in self.program.procedures:
                copied = [
                    self.copies.get((procedure.loop_of or "", block.label), "") for block in procedure.blocks or ()
                ]
                chain = next((chains[each] for each in copied if each in chains), None)
                if chain is not None:
                    mark = Attribute(RECURSION, tuple(chain))
                    procedures[name] = replace(procedure, attributes=(*procedure.attributes, mark))
        return replace(extracted, procedures=procedures)


@final
@dataclass(frozen=True, slots=True)
class LiftAssertions:
    """Assertions are in entry procedures only, and not in their loops.

    The program must be reducible and without threads, and nothing may call an entry. Assertions in `proved` become
    assumptions.
    """

    name: ClassVar[str] = "deep-assert"
    proved: frozenset[Check] = frozenset()

    def apply(self, program: Program) -> LiftedAssertions:
        failing = may_fail(program, self.proved)
        modified = modified_globals(program)
        procedures = {name: _assume_all(procedure) for name, procedure in program.procedures.items()}
        entries: dict[str, _Entry] = {}
        for name in program.entries:
            if name in failing:
                entry = entries[name] = _Entry(program, program.procedures[name], failing, self.proved)
                procedures[name] = replace(entry.lifted(), modifies=tuple(modified[name]))
        comments = {
            (name, label): comment for name, entry in entries.items() for label, comment in entry.comments.items()
        }
        copies = {(name, label): copied for name, entry in entries.items() for label, copied in entry.copies.items()}
        lifted = replace(program, procedures=procedures)
        return LiftedAssertions(lifted, lambda trace: _lift(trace, entries), comments, copies)


def _assume_all(procedure: Procedure) -> Procedure:
    """The procedure in executions in which nothing fails."""
    if procedure.blocks is None:
        return procedure
    return replace(procedure, blocks=tuple(map(_assume_in, procedure.blocks)))


def _assume_in(block: Block) -> Block:
    if not any(isinstance(statement, Assert) for statement in block.statements):
        return block
    return replace(block, statements=tuple(map(_assumed, block.statements)))


def _assumed(statement: Statement) -> Statement:
    if isinstance(statement, Assert):
        return Assume(statement.condition, statement.span, statement.attributes)
    return statement


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Body:
    """A procedure whose body is copied: what its variables and the start of the copy are called."""

    procedure: Procedure
    variables: Mapping[Variable, Variable]
    start: str
    labels: Mapping[str, str]  # of the blocks that may fail
    heads: Mapping[str, str]  # of the choices before loops that may fail, by header


@final
class _Entry:
    """The making of one entry procedure."""

    def __init__(self, program: Program, entry: Procedure, failing: Container[str], proved: Container[Check]) -> None:
        assert entry.blocks
        self.comments: dict[str, str] = {}
        self.copies: dict[str, str] = {}  # from labels to the procedures whose blocks were copied
        self.origins: dict[str, str | None] = {}  # of blocks, where the label is another one
        self.entered: dict[str, _Body] = {}  # at the blocks that jump into a copy
        self.variables: dict[Variable, Variable] = {}  # from copies to what they are copies of
        self._program = program
        self._terms = program.terms
        self._entry = entry
        self._failing = failing
        self._proved = proved
        self._labels = FreshNames(block.label for block in entry.blocks)
        self._names = FreshNames(
            variable.name
            for variable in (*program.globals, *program.constants, *program.unique_constants, *_variables(entry))
        )
        self._bodies: dict[str, _Body] = {}
        self._blocks: dict[str, Block] = {}
        self._waiting: list[_Body] = []

    def lifted(self) -> Procedure:
        entry = self._entry
        body = self._body(entry, {}, {block.label: block.label for block in entry.blocks or ()})
        self._copy(body)
        while self._waiting:
            self._copy(self._waiting.pop(0))
        blocks = self._useful_blocks(body.start)
        return replace(entry, blocks=blocks, locals=(*entry.locals, *self.variables))

    def _useful_blocks(self, start: str) -> tuple[Block, ...]:
        """The entry's own blocks, and those of copies that lead to a failure: the others would only end there."""
        sources: dict[str, list[str]] = {}
        for block in self._blocks.values():
            for target in block.successors:
                sources.setdefault(target, []).append(block.label)
        work = [label for label, block in self._blocks.items() if _fails(block)]
        useful = set(work)
        while work:
            for source in sources.get(work.pop(), ()):
                if source not in useful:
                    useful.add(source)
                    work.append(source)
        useful |= {label for label in self._blocks if label not in self.comments}  # the entry's own
        kept = [self._blocks[start], *(block for label, block in self._blocks.items() if label != start)]
        return tuple(cut_jumps(self._terms, block, useful.__contains__) for block in kept if block.label in useful)

    # --- copying

    def _body_of(self, name: str) -> _Body:
        """The copy of a procedure, which is made when something first jumps there."""
        found = self._bodies.get(name)
        if found is None:
            procedure = self._program.procedures[name]
            assert procedure.blocks
            variables = {variable: self._variable(name, variable) for variable in _variables(procedure)}
            labels = {block.label: self._labels.make(f"{name}${block.label}") for block in procedure.blocks}
            found = self._bodies[name] = self._body(procedure, variables, labels)
            self._waiting.append(found)
        return found

    def _body(self, procedure: Procedure, variables: Mapping[Variable, Variable], labels: Mapping[str, str]) -> _Body:
        assert procedure.blocks
        heads = {loop.header: self._labels.make(f"{labels[loop.header]}$loop") for loop in self._loops(procedure)}
        first = procedure.blocks[0].label
        return _Body(procedure, variables, heads.get(first, labels[first]), labels, heads)

    def _variable(self, procedure: str, variable: Variable) -> Variable:
        copy = Variable(self._names.make(f"{procedure}${variable.name}"), variable.type, VariableKind.LOCAL)
        self.variables[copy] = variable
        return copy

    def _loops(self, procedure: Procedure) -> list[Loop]:
        """The loops in which something may fail."""
        by_label = {block.label: block for block in procedure.blocks or ()}
        return [
            loop
            for loop in find_loops(procedure).loops
            if any(self._can_fail(statement) for label in loop.blocks for statement in by_label[label].statements)
        ]

    def _can_fail(self, statement: Statement) -> bool:
        return can_fail(statement, self._failing, self._proved)

    def _copy(self, body: _Body) -> None:
        """Add the blocks of a body, in which the last thing that happens may be a failure."""
        procedure = body.procedure
        reached = set(control_flow(procedure).order)
        blocks = {block.label: block for block in procedure.blocks or () if block.label in reached}
        loops = {loop.header: loop for loop in self._loops(procedure)}
        inside = {header: set(loop.blocks) for header, loop in loops.items()}
        for label, block in blocks.items():
            loop = loops.get(label)
            if loop is not None:
                self._complete_iterations(body, loop, blocks)

            def is_kept(target: str, label: str = label) -> bool:
                return target not in loops or label not in inside[target]

            block = cut_jumps(self._terms, block, is_kept)
            targets = tuple(body.heads.get(target, body.labels[target]) for target in block.successors)
            is_end = not block.successors and procedure is not self._entry
            self._add_failing(body, replace(block, successors=targets), is_end=is_end)

    def _complete_iterations(self, body: _Body, loop: Loop, blocks: Mapping[str, Block]) -> None:
        """Any number of iterations in which nothing fails, before the last one."""
        names = {label: self._labels.make(f"{body.labels[label]}$again") for label in loop.blocks}
        head = body.heads[loop.header]
        span = blocks[loop.header].span
        self._note(body, head, None, f"the loop at {loop.header}")
        self._blocks[head] = Block(head, (), (names[loop.header], body.labels[loop.header]), span)
        for label, name in names.items():
            block = cut_jumps(self._terms, _assume_in(blocks[label]), names.__contains__)
            targets = tuple(head if target == loop.header else names[target] for target in block.successors)
            self._note(body, name, label, f"{label}, in an iteration that does not fail")
            self._blocks[name] = replace(self._renamed(body, block), label=name, successors=targets)

    def _add_failing(self, body: _Body, block: Block, *, is_end: bool) -> None:
        """A block whose calls succeed or jump into the callee's copy; one piece for each call."""
        base = label = body.labels[block.label]
        self._note(body, label, block.label, block.label)
        pending: list[Statement] = []
        for original, statement in zip(block.statements, self._renamed(body, block).statements, strict=True):
            if not self._can_fail(original):
                pending.append(_assumed(statement))
            elif isinstance(statement, Call):
                onward, inward = self._labels.make(f"{base}$ok"), self._labels.make(f"{base}$fail")
                self._blocks[label] = Block(label, tuple(pending), (onward, inward), statement.span)
                self._note(body, onward, None, f"{block.label}, where {statement.procedure} succeeds")
                self._note(body, inward, None, f"{block.label}, where {statement.procedure} fails")
                self._jump_into(statement, inward)
                label, pending = onward, [statement]
            else:
                pending.append(statement)
        if is_end:
            pending.append(Assume(self._terms.false, block.span))
        self._blocks[label] = Block(label, tuple(pending), block.successors, block.span)

    def _jump_into(self, call: Call, label: str) -> None:
        """The block from which a call that fails goes on in the copy of the callee."""
        callee = self._body_of(call.procedure)
        self.entered[label] = callee
        statements: list[Statement] = []
        inputs = tuple(callee.variables[variable] for variable in callee.procedure.inputs)
        if inputs:
            statements.append(Assign(inputs, call.arguments, call.span))
        arbitrary = tuple(callee.variables[variable] for variable in _arbitrary(callee.procedure))
        if arbitrary:
            statements.append(Havoc(arbitrary, call.span))
        self._blocks[label] = Block(label, tuple(statements), (callee.start,), call.span)

    def _renamed(self, body: _Body, block: Block) -> Block:
        return rename_block(self._terms, block, body.variables) if body.variables else block

    def _note(self, body: _Body, label: str, original: str | None, comment: str) -> None:
        if label != original:
            self.origins[label] = original
        if body.procedure is not self._entry:
            self.comments[label] = f"{body.procedure.name}: {comment}"
            self.copies[label] = body.procedure.name


def _fails(block: Block) -> bool:
    return any(isinstance(statement, Assert) for statement in block.statements)


def _variables(procedure: Procedure) -> Iterator[Variable]:
    yield from procedure.inputs
    yield from _arbitrary(procedure)


def _arbitrary(procedure: Procedure) -> Iterator[Variable]:
    """The variables that start with any value."""
    seen = set(procedure.inputs)
    for variable in (*procedure.outputs, *procedure.locals):
        if variable not in seen:
            seen.add(variable)
            yield variable


def _lift(trace: Trace, entries: Mapping[str, _Entry]) -> Trace:
    """Jumps into copies become calls that do not return."""
    entry = entries.get(trace.entry)
    if entry is None:
        return trace
    events: list[Event] = []
    depth = 0
    entering: _Body | None = None
    for event in trace.events:
        if isinstance(event, Enter):
            depth += 1
        if depth != 1:
            events.append(event)
        elif isinstance(event, Visit):
            entering = entry.entered.get(event.label)
            original = entry.origins.get(event.label, event.label)
            if original is not None:
                events.append(Visit(original))
            elif entering is not None and not any(_arbitrary(entering.procedure)):
                events.append(Enter(entering.procedure.name, {}))
        elif isinstance(event, Choose):
            values = {entry.variables.get(variable, variable): value for variable, value in event.values.items()}
            if entering is not None:
                events.append(Enter(entering.procedure.name, values))
                entering = None
            else:
                events.append(Choose(values))
        elif isinstance(event, Enter):
            own = {variable: value for variable, value in event.values.items() if variable not in entry.variables}
            events.append(replace(event, values=own))
        else:
            events.append(event)
        if isinstance(event, Leave):
            depth -= 1
    return replace(trace, events=tuple(events))
