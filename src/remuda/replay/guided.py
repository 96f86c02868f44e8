"""Executes a program with given inputs, and makes a trace of the execution.

The machine for C may find inputs that fail an assertion beyond the bound of the search. This runs the translated program
on the same inputs, so that the failure becomes a trace like those that searches find: it is replayed, confirmed and
printed in the same way. What the inputs leave open is zero; an execution that gets stuck, because an assumption does not
hold, is given up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.ir.program import Assert, Assign, Assume, Block, Call, Havoc, Procedure
from remuda.ir.trace import Choose, Enter, Leave, Trace, Visit
from remuda.replay.domains import Domains
from remuda.replay.evaluate import Evaluator
from remuda.replay.model import complete_unique_constants, definitions_of
from remuda.replay.scopes import Environment, Scope, Stuck
from remuda.terms.values import Interpretation, MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.ir.program import Check, Program, Statement
    from remuda.ir.trace import Event
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

Answer = Callable[[Havoc], Value | None]  # the value of an input, if it is known


class _Over(Exception):
    """The execution cannot continue, or ends without a failure."""


@final
class _Fails(Exception):
    def __init__(self, check: Check) -> None:
        super().__init__(check.identifier)
        self.check = check


@final
@dataclass(slots=True)
class _Frame:
    procedure: Procedure
    environment: Environment
    blocks: Mapping[str, Block]
    block: Block
    position: int = 0
    call: Call | None = None


def guided_trace(program: Program, entry: str, answer: Answer, most_steps: int, wanted: str = "") -> Trace | None:
    """The execution of a program without threads, with inputs from `answer`, up to the first assertion that fails;
    None if none fails, or the execution gets stuck. Where executions may skip assertions, the wanted one has to
    fail."""
    run = _Run(program, answer, wanted)
    try:
        run.run(program.procedures[entry], most_steps)
    except _Over:
        return None
    except _Fails as failure:
        return Trace(entry, Interpretation({}), run.initial, tuple(run.events), failure.check)
    return None


@final
class _Run:
    def __init__(self, program: Program, answer: Answer, wanted: str) -> None:
        self._program = program
        self._wanted = wanted
        self._answer = answer
        domains = Domains(program.datatypes, {})
        definitions = {function: definition for function, (_, definition) in definitions_of(program).items()}
        interpretation = Interpretation({})
        complete_unique_constants(program, interpretation, domains)
        self._evaluator = Evaluator(interpretation, domains, definitions=definitions)
        self._globals: dict[Variable, Value] = {}
        self._blocks: dict[str, dict[str, Block]] = {}
        self._frames: list[_Frame] = []
        self.events: list[Event] = []
        self.initial: dict[Variable, Value] = {}  # of globals whose first values are not zero
        self._changed: set[Variable] = set()  # the globals that no longer have their first values

    def run(self, entry: Procedure, most_steps: int) -> None:
        self._globals = self._zeros(self._program.globals)
        self._enter(entry, self._zeros(entry.inputs), None)
        for _ in range(most_steps):
            if not self._frames:
                return
            self._step(self._frames[-1])

    def _zeros(self, variables: Sequence[Variable]) -> dict[Variable, Value]:
        return {each: self._evaluator.domains.default(each.type) for each in variables}

    def _enter(self, procedure: Procedure, inputs: dict[Variable, Value], call: Call | None) -> None:
        if not procedure.blocks:
            raise _Over
        blocks = self._blocks.get(procedure.name)
        if blocks is None:
            blocks = self._blocks[procedure.name] = {block.label: block for block in procedure.blocks}
        own = self._zeros((*procedure.outputs, *procedure.locals))
        environment = Environment({**inputs, **own}, self._globals, {})
        self.events += (Enter(procedure.name, {}), Visit(procedure.blocks[0].label))
        self._frames.append(_Frame(procedure, environment, blocks, procedure.blocks[0], call=call))

    def _step(self, frame: _Frame) -> None:
        if frame.position < len(frame.block.statements):
            statement = frame.block.statements[frame.position]
            frame.position += 1
            self._execute(statement, frame)
        elif frame.block.successors:
            frame.block, frame.position = self._successor(frame), 0
            self.events.append(Visit(frame.block.label))
        else:
            self.events.append(Leave())
            self._frames.pop()
            if frame.call is not None:
                results = [frame.environment.locals[each] for each in frame.procedure.outputs]
                self._assign(frame.call.results, results, self._frames[-1])

    def _successor(self, frame: _Frame) -> Block:
        """The successor in which the wanted assertion fails, or the first one whose first conditions hold."""
        blocks = [frame.blocks[label] for label in frame.block.successors]
        for block in blocks:
            if self._is_wanted(block, frame):
                return block
        for block in blocks:
            if len(blocks) == 1 or self._can_begin(block, frame):
                return block
        raise _Over

    def _is_wanted(self, block: Block, frame: _Frame) -> bool:
        first = block.statements[0] if block.statements else None
        if not isinstance(first, Assert) or first.check.identifier != self._wanted:
            return False
        return self._value(first.condition, frame) is not True

    def _can_begin(self, block: Block, frame: _Frame) -> bool:
        for statement in block.statements:
            if not isinstance(statement, Assume):
                break
            if self._value(statement.condition, frame) is not True:
                return False
        return True

    def _execute(self, statement: Statement, frame: _Frame) -> None:
        match statement:
            case Assign(targets, values):
                self._assign(targets, [self._value(each, frame) for each in values], frame)
            case Havoc(variables):
                known, chosen = self._answer(statement), self._zeros(variables)
                if known is not None:
                    chosen[variables[0]] = known
                self.events.append(Choose(chosen))
                self._assign(variables, list(chosen.values()), frame)
            case Assume(condition):
                if self._value(condition, frame) is not True and not self._make_true(condition, frame):
                    raise _Over
            case Assert(condition, check):
                if self._value(condition, frame) is not True:
                    raise _Fails(check)
            case Call() if not statement.is_async:
                self._call(statement, frame)
            case _:
                raise _Over

    def _call(self, call: Call, frame: _Frame) -> None:
        callee = self._program.procedures[call.procedure]
        values = [self._value(each, frame) for each in call.arguments]
        self._enter(callee, dict(zip(callee.inputs, values, strict=True)), call)

    def _assign(self, targets: Sequence[Variable], values: Sequence[Value], frame: _Frame) -> None:
        self._changed.update(targets)
        for target, value in zip(targets, values, strict=True):
            (self._globals if target in self._globals else frame.environment.locals)[target] = value

    def _make_true(self, condition: Term, frame: _Frame) -> bool:
        """Make an assumption about the first elements of a map, `m[i] == c`, true."""
        if condition.op != "eq" or condition.args[0].op != "select" or condition.args[0].args[0].op != "var":
            return False
        (map_, *indices), value = condition.args[0].args, self._value(condition.args[1], frame)
        variable: Variable = map_.payload
        first = self._globals.get(variable)
        if variable in self._changed or not isinstance(first, MapValue):
            return False
        index = tuple(self._value(each, frame) for each in indices)
        self._globals[variable] = self.initial[variable] = first.set(index, value)
        return True

    def _value(self, term: Term, frame: _Frame) -> Value:
        outcome = self._evaluator.outcome(term, Scope(frame.environment))
        if isinstance(outcome, Stuck):
            raise _Over
        return outcome
