"""A procedure as one sequence of guarded instructions in which every variable is assigned once (USSA).

    if (x >= y) { z := x + y; assert z >= 0; }          x_0 >= y_0 -> z_1 := x_0 + y_0
    z := f(z);                                          x_0 >= y_0 -> assert z_1 >= 0
                                                              true -> z_2 := phi(z_1, z_0, x_0 >= y_0)
                                                              true -> f.a_1 := z_2   ... the body of f

This is Def. 1 of *Symbolic Detection of Assertion Dependencies for Bounded Model Checking*. The caller of `unwind`
decides which calls are inlined; other calls change everything that their callees may change. Loops are unwound
already (`UnwindLoops`), or they are *havocked*: what a loop may change is arbitrary at its head, and the sequence has
one iteration, which stands for any. A property of such a sequence from any state holds for every run of the
procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, final

from remuda.analysis.controlflow import ControlFlow, control_flow
from remuda.analysis.loops import find_loops
from remuda.analysis.modifies import modified_globals
from remuda.base.errors import Unsupported
from remuda.ir.edit import targets_of
from remuda.ir.program import Assert, Assign, Assume, Block, Call, Havoc, Procedure, Program, Statement, Yield
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.ir.program import Check
    from remuda.terms.store import Terms
    from remuda.terms.term import Term

Environment = dict[Variable, "Term"]


class Kind(Enum):
    """The kind of an instruction."""

    ASSIGN = "assign"
    PHI = "phi"  # an assignment where paths meet
    ARBITRARY = "arbitrary"  # any value
    OPAQUE = "opaque"  # any value, because a call or a loop that is not inlined may have changed it
    ASSUME = "assume"
    ASSERT = "assert"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A condition under the conditions around it. `None` in the place of a Guard is true."""

    outer: Guard | None
    condition: Term
    depth: int

    def conditions(self) -> list[Term]:
        """The conditions, from the outside in."""
        found = []
        at: Guard | None = self
        while at is not None:
            found.append(at.condition)
            at = at.outer
        return found[::-1]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """`guard -> instruction`. `term` is the value, or the condition; `level` is the number of calls around it. An
    opaque step without a target changes nothing, but executions may end there."""

    guard: Guard | None
    kind: Kind
    term: Term | None
    span: Span
    level: int
    target: Variable | None = None
    check: Check | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ussa:
    """The steps of one procedure. `is_complete`: no execution was cut off at a bound."""

    procedure: str
    terms: Terms
    steps: tuple[Step, ...]
    is_complete: bool

    def assertions(self) -> list[int]:
        """The positions of the assertions."""
        return [index for index, step in enumerate(self.steps) if step.kind is Kind.ASSERT]


@final
@dataclass(frozen=True, slots=True)
class Refused:
    """A procedure that cannot be unwound, and the reason."""

    procedure: str
    reason: str


@final
class _TooManySteps(Exception):
    """The sequence would be longer than it may be."""


Look = Callable[[str, Sequence[str]], str]  # callee, and the procedures around the call: "inline", "havoc" or "cut"


def unwind(program: Program, roots: Iterable[str], look: Look, most_steps: int) -> Iterator[Ussa | Refused]:
    """The sequences of procedures, each with its inlined calls; the reason where there is none."""
    modified = modified_globals(program)
    for root in roots:
        try:
            yield _Unwinding(program, modified, look, most_steps).run(root)
        except _TooManySteps:
            yield Refused(root, "it is too large")
        except Unsupported as problem:
            yield Refused(root, str(problem))


@final
@dataclass(slots=True, eq=False)
class _Frame:
    """A procedure that is being unwound. Its environment also has values of globals; missing variables were never
    assigned."""

    procedure: Procedure
    flow: ControlFlow
    blocks: Mapping[str, Block]
    changed: Mapping[str, Sequence[Variable]]  # by loops, at their headers
    outer_guard: Guard | None
    environment: Environment
    call: Call | None = None  # the call that it runs for
    guard: Guard | None = None  # of the current block
    ends: dict[str, Environment] = field(default_factory=dict)
    edges: dict[tuple[str, str], Guard | None] = field(default_factory=dict)
    exits: list[tuple[Guard | None, Environment]] = field(default_factory=list)
    decided: dict[str, int] = field(default_factory=dict)  # edges into a block, guarded by its first assumption
    at_block: int = 0
    statements: list[Statement] | None = None  # the remaining ones of the current block, the next one last


@final
class _Unwinding:
    """One walk, with the inlined calls on an explicit stack."""

    def __init__(
        self, program: Program, modified: Mapping[str, Sequence[Variable]], look: Look, most_steps: int
    ) -> None:
        self._program = program
        self._terms: Terms = program.terms
        self._look = look
        self._most = most_steps
        self._modified = modified
        self._steps: list[Step] = []
        self._frames: list[_Frame] = []
        self._is_complete = True

    def run(self, root: str) -> Ussa:
        self._frames.append(self._frame(root, None, {}))
        while self._frames:
            frame = self._frames[-1]
            if frame.at_block < len(frame.flow.order):
                self._advance(frame)
            else:
                self._frames.pop()
                if frame.call is not None:
                    self._return(frame, frame.call, self._frames[-1])
        return Ussa(root, self._terms, tuple(self._steps), self._is_complete)

    # --- procedures

    def _frame(self, name: str, guard: Guard | None, environment: Environment, call: Call | None = None) -> _Frame:
        procedure = self._program.procedures[name]
        flow = control_flow(procedure)
        blocks = {block.label: block for block in procedure.blocks or ()}
        loops = find_loops(procedure, flow)
        if loops.irreducible:
            raise Unsupported(procedure.span, "an irreducible loop, where assertions are compared,")
        changed = {loop.header: self._changed(blocks[label] for label in loop.blocks) for loop in loops.loops}
        return _Frame(procedure, flow, blocks, changed, guard, environment, call)

    def _changed(self, blocks: Iterable[Block]) -> list[Variable]:
        found: dict[Variable, None] = {}
        for block in blocks:
            for statement in block.statements:
                found.update(dict.fromkeys(targets_of(statement)))
                if isinstance(statement, Call):
                    found.update(dict.fromkeys(self._modified[statement.procedure]))
        return list(found)

    def _call(self, call: Call, frame: _Frame) -> None:
        callee = self._program.procedures[call.procedure]
        around = [each.procedure.name for each in self._frames]
        what = self._look(call.procedure, around) if callee.blocks is not None else "havoc"
        if what == "cut":
            self._is_complete = False
            self._add(frame, Kind.ASSUME, call.span, self._terms.false)
        if what != "inline":
            self._forget(frame, dict.fromkeys((*self._modified[call.procedure], *call.results)), call.span)
            return
        arguments = self._evaluate(call.arguments, frame.environment)
        environment = {
            variable: value for variable, value in frame.environment.items() if variable.kind is VariableKind.GLOBAL
        }
        inner = self._frame(call.procedure, frame.guard, environment, call)
        inner.guard = frame.guard
        self._frames.append(inner)
        for parameter, argument in zip(callee.inputs, arguments, strict=True):
            self._assign(inner, parameter, argument, call.span)
        for variable in (*callee.outputs, *callee.locals):
            inner.environment[variable] = self._fresh(inner, variable)

    def _return(self, frame: _Frame, call: Call, caller: _Frame) -> None:
        """Continue in the caller, where all executions that return join; others end in the callee."""
        span = call.span
        if not frame.exits:
            self._add(caller, Kind.ASSUME, span, self._terms.false)
            return
        outputs = frame.procedure.outputs
        alive = [*outputs, *self._modified[call.procedure]]
        met, environment = self._meet(frame, frame.exits, alive, span)
        if met is not frame.outer_guard:
            self._add(caller, Kind.ASSUME, span, self._condition(met, frame.outer_guard))
        for variable in self._modified[call.procedure]:
            caller.environment[variable] = self._value(variable, environment)
        for result, output in zip(call.results, outputs, strict=True):
            self._assign(caller, result, self._value(output, environment), span)

    # --- blocks

    def _advance(self, frame: _Frame) -> None:
        """Process the start of the next block, the next statement, or the end of the block."""
        block = frame.blocks[frame.flow.order[frame.at_block]]
        if frame.statements is None:
            self._begin(frame, block)
            ways = sum((source, block.label) in frame.edges for source in frame.flow.predecessors[block.label])
            skipped = 1 if 0 < frame.decided.get(block.label, 0) == ways else 0
            frame.statements = list(reversed(block.statements[skipped:]))
        elif frame.statements:
            self._statement(frame.statements.pop(), frame)
        else:
            frame.ends[block.label] = dict(frame.environment)
            if not block.successors:
                frame.exits.append((frame.guard, frame.ends[block.label]))
            self._split(frame, block)
            frame.at_block += 1
            frame.statements = None

    def _begin(self, frame: _Frame, block: Block) -> None:
        label = block.label
        if label == frame.flow.entry:
            frame.guard = frame.outer_guard
        else:
            sources = [each for each in frame.flow.predecessors[label] if (each, label) in frame.edges]
            ends = [(frame.edges[source, label], frame.ends[source]) for source in sources]
            frame.guard, frame.environment = self._meet(frame, ends, None, block.span)
        if label in frame.changed:
            self._forget(frame, frame.changed[label], block.span)

    def _split(self, frame: _Frame, block: Block) -> None:
        """The guards of the edges out of a block. A back edge belongs to the arbitrary values at its head."""
        position = frame.flow.position
        targets = frame.flow.successors[block.label]
        if self._split_by_condition(frame, block.label, targets):
            return
        guard = frame.guard
        for target in targets[:-1]:
            choice = self._terms.var(Variable("choice", BOOL, VariableKind.CONSTANT))
            if position[target] > position[block.label]:
                frame.edges[block.label, target] = self._under(guard, choice)
            guard = self._under(guard, self._terms.not_(choice))
        for target in targets[-1:]:
            if position[target] > position[block.label]:
                frame.edges[block.label, target] = guard

    def _split_by_condition(self, frame: _Frame, label: str, targets: Sequence[str]) -> bool:
        """The guards of two edges to blocks that begin with a condition and its negation: the condition decides."""
        conditions = [self._first_condition(frame, label, target) for target in targets]
        if len(conditions) != 2 or conditions[0] is None or conditions[1] is None:
            return False
        one, other = self._evaluate((conditions[0], conditions[1]), frame.environment)
        if self._terms.not_(one) is not other:
            return False
        for target, condition in zip(targets, (one, other), strict=True):
            frame.edges[label, target] = self._under(frame.guard, condition)
            frame.decided[target] = frame.decided.get(target, 0) + 1
        return True

    def _first_condition(self, frame: _Frame, label: str, target: str) -> Term | None:
        """The assumption that a block begins with, if nothing happens between the jump to the block and it."""
        is_onward = frame.flow.position[target] > frame.flow.position[label] and target not in frame.changed
        statements = frame.blocks[target].statements
        first = statements[0] if is_onward and statements else None
        return first.condition if isinstance(first, Assume) else None

    # --- where paths meet

    def _meet(
        self,
        frame: _Frame,
        ends: Sequence[tuple[Guard | None, Environment]],
        alive: Sequence[Variable] | None,
        span: Span,
    ) -> tuple[Guard | None, Environment]:
        """The guard and the values at a join of several paths."""
        if len(ends) == 1:
            return ends[0][0], dict(ends[0][1])
        around = ends[0][0]
        for guard, _ in ends[1:]:
            around = _common(around, guard)
        conditions = [self._condition(guard, around) for guard, _ in ends]
        frame.guard = met = self._join([guard for guard, _ in ends], around)
        merged: Environment = {}
        variables = dict.fromkeys(variable for _, environment in ends for variable in environment)
        for variable in variables if alive is None else alive:
            values = [self._value(variable, environment) for _, environment in ends]
            if all(value is values[0] for value in values):
                merged[variable] = values[0]
                continue
            value = values[-1]
            for condition, other in zip(reversed(conditions[:-1]), reversed(values[:-1]), strict=True):
                value = self._terms.ite(condition, other, value)
            merged[variable] = self._fresh(frame, variable)
            self._add(frame, Kind.PHI, span, value, target=merged[variable].payload)
        return met, merged

    def _join(self, guards: Sequence[Guard | None], around: Guard | None) -> Guard | None:
        """The disjunction of several guards. A condition and its negation cancel out."""
        rest: list[Guard | None] = []
        for guard in guards:
            rest.append(guard)
            while len(rest) > 1 and self._is_split(rest[-2], rest[-1]):
                last = rest.pop()
                rest[-1] = last.outer if last is not None else None
        if len(rest) == 1:
            return rest[0]
        return self._under(around, self._terms.or_([self._condition(guard, around) for guard in rest]))

    def _is_split(self, left: Guard | None, right: Guard | None) -> bool:
        """Whether two guards are those of the two edges out of one block."""
        if left is None or right is None or left.outer is not right.outer:
            return False
        return self._terms.not_(left.condition) is right.condition

    def _condition(self, guard: Guard | None, around: Guard | None) -> Term:
        """The condition of a guard under one that is around it."""
        found: list[Term] = []
        while guard is not around:
            assert guard is not None
            found.append(guard.condition)
            guard = guard.outer
        return self._terms.and_(found[::-1])

    def _under(self, guard: Guard | None, condition: Term) -> Guard | None:
        if condition is self._terms.true:
            return guard
        return Guard(guard, condition, 1 if guard is None else guard.depth + 1)

    # --- statements

    def _statement(self, statement: Statement, frame: _Frame) -> None:
        match statement:
            case Assign(targets=targets, values=values):
                for target, value in zip(targets, self._evaluate(values, frame.environment), strict=True):
                    self._assign(frame, target, value, statement.span)
            case Havoc(variables=variables):
                self._forget(frame, variables, statement.span, Kind.ARBITRARY)
            case Assume(condition=condition):
                term = self._evaluate((condition,), frame.environment)[0]
                self._add(frame, Kind.ASSUME, statement.span, term)
            case Assert(condition=condition, check=check):
                term = self._evaluate((condition,), frame.environment)[0]
                self._add(frame, Kind.ASSERT, statement.span, term, check=check)
            case Call(is_async=False):
                self._call(statement, frame)
            case Call():
                raise Unsupported(statement.span, "async call")
            case Yield():
                raise Unsupported(statement.span, "yield")

    def _assign(self, frame: _Frame, target: Variable, value: Term, span: Span) -> None:
        incarnation = self._fresh(frame, target)
        self._add(frame, Kind.ASSIGN, span, value, target=incarnation.payload)
        frame.environment[target] = incarnation

    def _forget(self, frame: _Frame, variables: Iterable[Variable], span: Span, kind: Kind = Kind.OPAQUE) -> None:
        for variable in variables:
            incarnation = self._fresh(frame, variable)
            self._add(frame, kind, span, None, target=incarnation.payload)
            frame.environment[variable] = incarnation
        if kind is Kind.OPAQUE and not variables:  # it may still not terminate
            self._add(frame, kind, span, None)

    def _evaluate(self, terms: Sequence[Term], environment: Environment) -> Sequence[Term]:
        return self._terms.substitute(terms, environment)

    def _value(self, variable: Variable, environment: Environment) -> Term:
        return environment.get(variable) or self._terms.var(variable)

    def _fresh(self, frame: _Frame, variable: Variable) -> Term:
        is_inner = frame.call is not None and variable.kind is not VariableKind.GLOBAL
        name = f"{frame.procedure.name}.{variable.name}" if is_inner else variable.name
        return self._terms.var(Variable(name, variable.type, VariableKind.CONSTANT))

    def _add(
        self,
        frame: _Frame,
        kind: Kind,
        span: Span,
        term: Term | None,
        *,
        target: Variable | None = None,
        check: Check | None = None,
    ) -> None:
        if kind is Kind.ASSUME and term is self._terms.true:  # for example about memory that is never read
            return
        if len(self._steps) >= self._most:
            raise _TooManySteps
        self._steps.append(Step(frame.guard, kind, term, span, len(self._frames) - 1, target, check))


def _common(left: Guard | None, right: Guard | None) -> Guard | None:
    """The innermost guard that is around both, or one of them."""
    while left is not right:
        if right is None or (left is not None and left.depth >= right.depth):
            assert left is not None
            left = left.outer
        else:
            right = right.outer
    return left
