"""Lift every assertion into the entry procedure: the deep-assert transformation (FMCAD'14, Fig. 4 and 5).

before:  main { ...; call P(e); ... }      P(x) { ...; assert a; ... }
after:   main { ...; goto ok, in;   ok: call P(e); ...
                in: P$x := e; havoc P's other variables; goto P$start;   P$start: ...; assert a; ...; assume false }
         P(x) { ...; assume a; ... }

A call either returns, and then nothing failed in it, or it does not, and then its caller does not matter: one copy of
P's body serves all calls that fail. In a loop only the last iteration can fail:

before:  H: goto B, D;   B: ...; assert a; ...; goto H;   D: ...
after:   H$loop: goto H$again, H;   H$again: goto B$again;   B$again: ...; assume a; ...; goto H$loop
         H: goto B, D;   B: ...; assert a; ...; assume false;   D: ...

Of several threads one fails, and that one is the entry's own:

before:  main { ...; async call T(e); ... }
after:   main { goto first, other;   first: assume failing == main;  goto main's copy;
                other: assume failing == none;  async call main$thread();  goto T$grab;
                T$grab: assume failing == T;  havoc T's variables;  x := T$x;  goto T's copy;  ... }
         main$thread { ...; goto start, fails;   start: async call T(e);  ...   fails: failing, T$x := T, e;  ... }

Procedures and loops that cannot fail do not change. For a procedure that calls itself, the entry jumps back, so the
result may be irreducible, and may have loops in its entry, even if the original has neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.analysis.accesses import access_of
from remuda.analysis.callgraph import call_graph
from remuda.analysis.controlflow import control_flow
from remuda.analysis.failing import can_fail, may_fail
from remuda.analysis.loops import Loop, find_loops
from remuda.analysis.modifies import modified_globals
from remuda.analysis.thread_states import COMPANY, INTERRUPTIBLE, UNNOTICED
from remuda.analysis.threads import ThreadFacts
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
    Yield,
)
from remuda.ir.threads import starts_threads, thread_starts
from remuda.terms.symbols import Variable, VariableKind
from remuda.transforms.lifted_blocks import FIRST, NONE, Blocks, FailingThread, Pieces
from remuda.transforms.lifted_traces import Entered, LiftedTraces

if TYPE_CHECKING:
    from remuda.transforms.lifted_traces import Place, Spot


@final
@dataclass(frozen=True, slots=True, eq=False)
class LiftedAssertions:
    """The result of the pass, with the origin of each new block for the user.

    `loops` has the new names of loops that were copied into entries.
    """

    program: Program
    traces: LiftedTraces
    comments: Mapping[Place, str] = field(default_factory=dict)
    copies: Mapping[Place, str] = field(
        default_factory=dict
    )  # the procedure that a block of an entry was copied from
    loops: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    thread: FailingThread | None = None

    def result(self) -> PassResult:
        return PassResult(self.program, self.traces.lift)

    def mark_recursion(self, extracted: Program, names: Mapping[str, str] | None = None) -> Program:
        """The lifted program once its loops are procedures, with a mark on those that stand for recursion: a chain of
        calls that may be as long as the bounds of all procedures in it allow, taken together. `names` are those that
        the bodies of entries have by now."""
        chains = {name: chain for chain in call_graph(self.program).recursive_components() for name in chain}
        entries = {name: entry for entry, name in (names or {}).items()}
        procedures = dict(extracted.procedures)
        for name, procedure in extracted.procedures.items():
            if name not in self.program.procedures and procedure.loop_of is not None:
                entry = entries.get(procedure.loop_of, procedure.loop_of)
                copied = [self.copies.get((entry, block.label), "") for block in procedure.blocks or ()]
                chain = next((chains[each] for each in copied if each in chains), None)
                if chain is not None:
                    mark = Attribute(RECURSION, tuple(chain))
                    procedures[name] = replace(procedure, attributes=(*procedure.attributes, mark))
        return replace(extracted, procedures=procedures)

    def called(self, name: str) -> tuple[str, ...]:
        """The current names of a procedure, or of a loop in one; there may be several."""
        procedure, slash, loop = name.partition("/")
        threads = (f"{thread}{slash}{loop}" for thread, entry in self.traces.names.items() if entry == procedure)
        return (name, *threads, *self.loops.get(name, ()))

    def thread_facts(self, before: ThreadFacts) -> ThreadFacts:
        """The thread facts of the lifted program, from those of the original: an analysis of the lifted program
        cannot find them, because one of its threads has the code of all."""
        assert self.thread is not None
        states: dict[Place, tuple[int, ...]] = {}
        for name, procedure in self.program.procedures.items():
            for block in procedure.blocks or ():
                place = name, block.label
                spots = self.traces.spots.get(place)
                if spots is not None:
                    found = [before.states.get((owner, label)) for owner, label, _ in spots]
                    known = [state[spot[2]] for state, spot in zip(found, spots, strict=True) if state is not None]
                    if len(known) == len(spots):
                        along = (*known, *known[-1:] * (len(block.statements) + 1 - len(known)))
                        states[place] = self._with_marks(block, spots, along)
                elif place in before.states:
                    states[place] = before.states[place]
        for place in self.traces.takes:
            if place in states:
                start, *between, end = states[place]
                states[place] = (start, *(0 for _ in between), end)  # noting the failing thread takes one step
        for place in self.traces.waits:
            states[place] = (INTERRUPTIBLE, *(INTERRUPTIBLE | COMPANY,) * (len(self.traces.spots[place]) - 1))
        for place in self.traces.grabs:
            states[place] = (INTERRUPTIBLE | COMPANY,) * len(self.traces.spots[place])
        shared = (*before.shared, *self.thread.globals)
        return ThreadFacts(shared, states, schedules_matter=before.schedules_matter)

    def _with_marks(self, block: Block, spots: Sequence[Spot], states: tuple[int, ...]) -> tuple[int, ...]:
        """Mark copied statements only, and not those that note the failing thread."""
        assert self.thread is not None
        noted = frozenset(self.thread.globals)
        kept = list(states)
        for index, statement in enumerate(block.statements, start=1):
            copied = index < len(spots) and spots[index][2] == spots[index - 1][2] + 1
            if not copied or access_of(self.program, statement).touches(noted):
                kept[index] &= ~UNNOTICED
        return tuple(kept)


@final
@dataclass(frozen=True, slots=True)
class LiftAssertions:
    """The pass. Afterwards, assertions are in entry procedures only, and not in their loops.

    The program must be reducible, and nothing may call an entry. Assertions in `proved` become assumptions.
    """

    name: ClassVar[str] = "deep-assert"
    proved: frozenset[Check] = frozenset()

    def apply(self, program: Program) -> LiftedAssertions:
        return _Lifting(program, self.proved).lifted()


@final
class _Lifting:
    """The lifting of a whole program."""

    def __init__(self, program: Program, proved: frozenset[Check]) -> None:
        self.program = program
        self.failing = may_fail(program, proved)
        self.proved = proved
        self.traces = LiftedTraces(thread_locals=frozenset(program.thread_locals))
        self.thread: FailingThread | None = None
        if starts_threads(program):
            started = dict.fromkeys(call.procedure for call in thread_starts(program))
            self.thread = FailingThread(program, [name for name in started if name in self.failing])
            self.traces.added.update(self.thread.globals)
        self._names = FreshNames(program.procedures)

    def lifted(self) -> LiftedAssertions:
        program = self.program
        procedures = {name: self._holding(procedure) for name, procedure in program.procedures.items()}
        comments: dict[Place, str] = {}
        copies: dict[Place, str] = {}
        loops: dict[str, tuple[str, ...]] = {}
        graph = call_graph(program)
        for name in program.entries:
            others = [each for each in graph.reachable([name]) if self.thread and self.thread.fails(each)]
            if name not in self.failing and not others:
                continue
            procedure = program.procedures[name]
            entry = _Entry(self, procedure)
            if others:
                thread = self._as_thread(procedure)
                procedures[thread.name] = thread
                procedures[name] = entry.lifted_with(thread, others)
            else:
                procedures[name] = entry.lifted()
            comments.update({(name, label): comment for label, comment in entry.comments.items()})
            copies.update({(name, label): copied for label, copied in entry.copies.items()})
            for loop, label in entry.loops:
                loops[loop] = (*loops.get(loop, ()), f"{name}/{label}")
        added = () if self.thread is None else self.thread.globals
        lifted = replace(program, procedures=procedures, globals=(*program.globals, *added))
        modified = modified_globals(lifted)
        for name, procedure in procedures.items():
            if name in program.entries or self.thread is not None:
                procedures[name] = (
                    procedure if procedure.blocks is None else replace(procedure, modifies=modified[name])
                )
        lifted = replace(lifted, procedures=procedures)
        return LiftedAssertions(lifted, self.traces, comments, copies, loops, self.thread)

    def can_fail(self, statement: Statement) -> bool:
        return can_fail(statement, self.failing, self.proved)

    def _as_thread(self, entry: Procedure) -> Procedure:
        """The first thread of executions in which another one fails."""
        name = self._names.make(f"{entry.name}$thread")
        self.traces.names[name] = entry.name
        procedure = self._holding(entry, name)
        return replace(procedure, name=name, outputs=(), locals=tuple(_arbitrary(entry)), attributes=())

    def _holding(self, procedure: Procedure, name: str = "") -> Procedure:
        """The version of a procedure for executions in which nothing fails."""
        if procedure.blocks is None:
            return procedure
        if not any(map(_is_start, _statements(procedure))) and not name:
            return replace(procedure, blocks=tuple(map(_assume_in, procedure.blocks)))
        blocks = Blocks(name or procedure.name, (block.label for block in procedure.blocks), self.traces, self.thread)
        for block in procedure.blocks:
            pieces = Pieces(blocks, block.label, (procedure.name, block.label))
            write_holding(pieces, block.statements)
            pieces.close(block.successors, block.span, len(block.statements))
        return replace(procedure, blocks=tuple(blocks.written.values()))


def write_holding(pieces: Pieces, statements: tuple[Statement, ...]) -> None:
    """Statements in executions in which none of them fails."""
    for index, statement in enumerate(statements):
        if isinstance(statement, Call) and statement.is_async:
            pieces.start_thread(statement, index)
        else:
            pieces.add(_assumed(statement), index)


def _is_start(statement: Statement) -> bool:
    return isinstance(statement, Call) and statement.is_async


def _statements(procedure: Procedure) -> Iterator[Statement]:
    return (statement for block in procedure.blocks or () for statement in block.statements)


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
    """A procedure whose body is copied: the names of its variables and of the start of the copy."""

    procedure: Procedure
    variables: Mapping[Variable, Variable]
    start: str
    labels: Mapping[str, str]  # of the blocks that may fail
    heads: Mapping[str, str]  # of the choices before loops that may fail, by header

    @property
    def first(self) -> Place:
        assert self.procedure.blocks
        return self.procedure.name, self.procedure.blocks[0].label

    @property
    def entered(self) -> Entered:
        return Entered(*self.first, is_arbitrary=any(_arbitrary(self.procedure)))


@final
class _Entry:
    """The making of one entry procedure."""

    def __init__(self, lifting: _Lifting, entry: Procedure) -> None:
        assert entry.blocks
        self.comments: dict[str, str] = {}
        self.copies: dict[str, str] = {}  # from labels to the procedures whose blocks were copied
        self.loops: list[
            tuple[str, str]
        ] = []  # names of loops that were copied, with the labels that they begin with
        program = lifting.program
        self._lifting = lifting
        self._program = program
        self._terms = program.terms
        self._entry = entry
        self._traces = lifting.traces
        self._copies: list[Variable] = []
        self._labels = [block.label for block in entry.blocks]
        self._blocks = Blocks(entry.name, self._labels, lifting.traces, lifting.thread)
        self._names = FreshNames(
            variable.name
            for variable in (*program.globals, *program.constants, *program.unique_constants, *_variables(entry))
        )
        self._bodies: dict[str, _Body] = {}
        self._waiting: list[_Body] = []

    def lifted(self) -> Procedure:
        return self._finished(self._own_body().start)

    def lifted_with(self, first: Procedure, others: Sequence[str]) -> Procedure:
        """The entry, if a thread that it starts may fail in its place; then `first` runs as the first thread."""
        thread = self._lifting.thread
        assert thread is not None
        entry, blocks, span = self._entry, self._blocks, self._entry.span
        start, own, other = (blocks.new_label(f"$lift${what}") for what in ("threads", "first", "others"))
        nowhere: tuple[Spot, ...] = ((*self._body_place(), 0),)
        ways = [other]
        if entry.name in self._lifting.failing:
            assume = Assume(thread.is_code(FIRST), span)
            blocks.add(Block(own, (assume,), (self._own_body().start,), span), nowhere * 2)
            ways.insert(0, own)
        blocks.add(Block(start, (), tuple(ways), span), nowhere)
        arguments = tuple(self._terms.var(variable) for variable in entry.inputs)
        statements: list[Statement] = [
            Assume(thread.is_code(NONE), span),
            Call(first.name, arguments, (), span, is_async=True),
        ]
        if self._program.cooperative:
            statements.append(Yield(span))
        grabs = [self._grab(name, thread) for name in others]
        blocks.add(Block(other, tuple(statements), tuple(grabs), span), nowhere * (len(statements) + 1))
        self._traces.waits.add((entry.name, other))
        for label, comment in ((own, "the first thread fails"), (other, "another thread fails")):
            self.comments[label] = comment
        return self._finished(start)

    def _body_place(self) -> Place:
        return self._entry.name, self._labels[0]

    def _grab(self, name: str, thread: FailingThread) -> str:
        """The block from which the entry continues as a thread that was started."""
        body = self._body_of(name)
        span = body.procedure.span
        label = self._blocks.new_label(f"{name}$grab")
        own = self._program.thread_locals
        statements: list[Statement] = [Assume(thread.is_started(name), span)]
        arbitrary = (*(body.variables[variable] for variable in _arbitrary(body.procedure)), *own)
        if arbitrary:
            statements.append(Havoc(arbitrary, span))
        wheres = (self._program.wheres.get(variable) for variable in own)
        statements += [Assume(where, span) for where in wheres if where is not None]
        inputs = tuple(body.variables[variable] for variable in body.procedure.inputs)
        values = tuple(self._terms.var(variable) for variable in thread.arguments[name])
        if inputs:
            statements.append(Assign(inputs, values, span))
        spot: tuple[Spot, ...] = ((*body.first, 0),)
        self._blocks.add(Block(label, tuple(statements), (body.start,), span), spot * (len(statements) + 1))
        self._traces.grabs[self._entry.name, label] = body.entered
        self.comments[label] = f"{name}: the thread that fails starts"
        return label

    def _own_body(self) -> _Body:
        body = self._body(self._entry, {}, {label: label for label in self._labels})
        self._copy(body)
        return body

    def _finished(self, start: str) -> Procedure:
        while self._waiting:
            self._copy(self._waiting.pop(0))
        blocks = self._useful_blocks(start)
        entry = self._entry
        return replace(entry, blocks=blocks, locals=(*entry.locals, *self._copies))

    def _useful_blocks(self, start: str) -> tuple[Block, ...]:
        """The entry's own blocks, and those of copies that lead to a failure: the others would only end there."""
        written = self._blocks.written
        sources: dict[str, list[str]] = {}
        for block in written.values():
            for target in block.successors:
                sources.setdefault(target, []).append(block.label)
        work = [label for label, block in written.items() if _fails(block)]
        useful = set(work)
        while work:
            for source in sources.get(work.pop(), ()):
                if source not in useful:
                    useful.add(source)
                    work.append(source)
        useful |= {label for label in written if label not in self.comments}  # the entry's own
        kept = [written[start], *(block for label, block in written.items() if label != start)]
        return tuple(cut_jumps(self._terms, block, useful.__contains__) for block in kept if block.label in useful)

    # --- copying

    def _body_of(self, name: str) -> _Body:
        """The copy of a procedure, which is made when something first jumps there."""
        found = self._bodies.get(name)
        if found is None:
            procedure = self._program.procedures[name]
            assert procedure.blocks
            variables = {variable: self._variable(name, variable) for variable in _variables(procedure)}
            labels = {block.label: self._blocks.new_label(f"{name}${block.label}") for block in procedure.blocks}
            found = self._bodies[name] = self._body(procedure, variables, labels)
            self._waiting.append(found)
        return found

    def _body(self, procedure: Procedure, variables: Mapping[Variable, Variable], labels: Mapping[str, str]) -> _Body:
        assert procedure.blocks
        heads: dict[str, str] = {}
        for loop in self._loops(procedure):
            head = heads[loop.header] = self._blocks.new_label(f"{labels[loop.header]}$loop")
            self.loops.append((loop.name, head))
        first = procedure.blocks[0].label
        return _Body(procedure, variables, heads.get(first, labels[first]), labels, heads)

    def _variable(self, procedure: str, variable: Variable) -> Variable:
        copy = Variable(self._names.make(f"{procedure}${variable.name}"), variable.type, VariableKind.LOCAL)
        self._copies.append(copy)
        self._traces.variables[copy] = variable
        return copy

    def _loops(self, procedure: Procedure) -> list[Loop]:
        """The loops in which something may fail."""
        by_label = {block.label: block for block in procedure.blocks or ()}
        return [
            loop
            for loop in find_loops(procedure).loops
            if any(
                self._lifting.can_fail(statement) for label in loop.blocks for statement in by_label[label].statements
            )
        ]

    def _copy(self, body: _Body) -> None:
        """Add the blocks of a body that may end with a failure."""
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
            is_end = not block.successors and (procedure is not self._entry or self._lifting.thread is not None)
            self._add_failing(body, replace(block, successors=targets), len(blocks[label].statements), is_end=is_end)

    def _complete_iterations(self, body: _Body, loop: Loop, blocks: Mapping[str, Block]) -> None:
        """Any number of iterations in which nothing fails, before the last one."""
        names = {label: self._blocks.new_label(f"{body.labels[label]}$again") for label in loop.blocks}
        head = body.heads[loop.header]
        span = blocks[loop.header].span
        self._note(body, [head], f"the loop at {loop.header}")
        choice = Block(head, (), (names[loop.header], body.labels[loop.header]), span)
        self._blocks.add(choice, [(body.procedure.name, loop.header, 0)])
        for label, name in names.items():
            block = cut_jumps(self._terms, blocks[label], names.__contains__)
            targets = tuple(head if target == loop.header else names[target] for target in block.successors)
            pieces = Pieces(self._blocks, name, (body.procedure.name, label))
            self._traces.labels[self._entry.name, name] = label
            write_holding(pieces, self._renamed(body, block).statements)
            pieces.close(targets, block.span, len(blocks[label].statements))
            self._note(body, pieces.labels, f"{label}, in an iteration that does not fail")

    def _add_failing(self, body: _Body, block: Block, end: int, *, is_end: bool) -> None:
        """Add a block whose calls succeed or jump into the callee's copy, in one piece for each call."""
        label = body.labels[block.label]
        place = body.procedure.name, block.label
        pieces = Pieces(self._blocks, label, place)
        if label != block.label:
            self._traces.labels[self._entry.name, label] = block.label
        self._note(body, [label], block.label)
        statements = self._renamed(body, block).statements
        for index, (original, statement) in enumerate(zip(block.statements, statements, strict=True)):
            if isinstance(statement, Call) and statement.is_async:
                before = len(pieces.labels)
                pieces.start_thread(statement, index)
                self._note(body, pieces.labels[before:], f"{block.label}, where {statement.procedure} is started")
            elif not self._lifting.can_fail(original):
                pieces.add(_assumed(statement), index)
            elif isinstance(statement, Call):
                onward, inward = pieces.new_label("ok"), pieces.new_label("fail")
                pieces.close((onward, inward), statement.span, index)
                self._note(body, [onward], f"{block.label}, where {statement.procedure} succeeds")
                self._note(body, [inward], f"{block.label}, where {statement.procedure} fails")
                self._jump_into(statement, inward, (*place, index))
                pieces.go_on(onward)
                pieces.add(statement, index)
            else:
                pieces.add(statement, index)
        if is_end:
            pieces.add(Assume(self._terms.false, block.span), end)
        pieces.close(block.successors, block.span, end)

    def _jump_into(self, call: Call, label: str, spot: Spot) -> None:
        """The block from which a failing call continues in the copy of the callee."""
        callee = self._body_of(call.procedure)
        self._traces.entered[self._entry.name, label] = callee.entered
        statements: list[Statement] = []
        inputs = tuple(callee.variables[variable] for variable in callee.procedure.inputs)
        if inputs:
            statements.append(Assign(inputs, call.arguments, call.span))
        arbitrary = tuple(callee.variables[variable] for variable in _arbitrary(callee.procedure))
        if arbitrary:
            statements.append(Havoc(arbitrary, call.span))
        spots = (spot, *((*callee.first, 0),) * len(statements))
        self._blocks.add(Block(label, tuple(statements), (callee.start,), call.span), spots)

    def _renamed(self, body: _Body, block: Block) -> Block:
        return rename_block(self._terms, block, body.variables) if body.variables else block

    def _note(self, body: _Body, labels: Sequence[str], comment: str) -> None:
        if body.procedure is not self._entry:
            for label in labels:
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
