"""Random executions, to refute guesses about a program.

Unlike `explore`, nothing is tried twice: an execution that gets stuck is over. The states up to there are real, so a
condition that is false in one of them is false of the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, takewhile
from typing import TYPE_CHECKING, Final, final

from remuda.ir.edit import terms_of
from remuda.ir.program import Assign, Assume, Block, Call, Havoc, Procedure, Statement
from remuda.replay.domains import Domains
from remuda.replay.evaluate import Evaluator
from remuda.replay.model import complete_unique_constants, definitions_of
from remuda.replay.scopes import Environment, Scope, Stuck
from remuda.terms.term import postorder
from remuda.terms.types import BOOL, BvType, IntType
from remuda.terms.values import Element, Interpretation, Value

if TYPE_CHECKING:
    from random import Random

    from remuda.ir.program import Program
    from remuda.terms.symbols import Function, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import Type

LITERALS: Final = frozenset({"int", "bv"})
MOST_VALUES: Final = 24  # of one type to choose from
TRIES: Final = 4  # to satisfy the contract of a procedure without a body
SMALL: Final = (0, 1, 2)

Watch = Callable[[Procedure, Environment, bool], None]  # called at every start (False) and end (True) of a procedure


class _Over(Exception):
    """An execution cannot continue."""


@final
@dataclass(slots=True)
class _Frame:
    procedure: Procedure
    environment: Environment
    blocks: Mapping[str, Block]
    block: Block
    position: int = 0
    call: Call | None = None


@final
class RandomRuns:
    """Executions of one program without threads, in which `constants` have the values that are given."""

    def __init__(
        self,
        program: Program,
        constants: Mapping[Variable, Value],
        random: Random,
        watch: Watch,
        axioms: Sequence[Term],
    ) -> None:
        self._program = program
        self._random = random
        self._watch = watch
        universe: dict[Type, list[Element]] = {each: [Element(each, 0), Element(each, 1)] for each in program.types}
        domains = Domains(program.datatypes, universe)
        definitions = {function: definition for function, (_, definition) in definitions_of(program).items()}
        interpretation = Interpretation({**_stated(program), **constants})
        complete_unique_constants(program, interpretation, domains)
        self._evaluator = Evaluator(interpretation, domains, definitions=definitions)
        self._doubtful: set[Function] = set()
        self._is_doubtful: dict[Term, bool] = {}
        self._values = _values(program)
        self._blocks: dict[str, dict[str, Block]] = {}
        self._globals: dict[Variable, Value] = {}
        given = [axiom.term for axiom in program.axioms]
        wrong = [each for each in (*given, *axioms) if self.contradicts(each, Environment())]
        self._doubtful = {term.payload for term in postorder(wrong) if term.op == "apply"}
        self.is_possible = all(any(term.op == "apply" for term in postorder([each])) for each in wrong)

    def run(self, procedure: Procedure, steps: int) -> int:
        """Execute a procedure from any state, with a limit on statements. The result is the number that is
        left."""
        self._globals = {each: self._any(each) for each in self._program.globals}
        frames: list[_Frame] = []
        try:
            self._enter(frames, procedure, {each: self._any(each) for each in procedure.inputs}, None)
            while frames and steps > 0:
                steps -= 1
                self._step(frames)
        except _Over:
            pass
        return steps

    # --- a step

    def _enter(
        self, frames: list[_Frame], procedure: Procedure, inputs: dict[Variable, Value], call: Call | None
    ) -> None:
        assert procedure.blocks
        blocks = self._blocks.get(procedure.name)
        if blocks is None:
            blocks = self._blocks[procedure.name] = {block.label: block for block in procedure.blocks}
        own = {each: self._any(each) for each in (*procedure.outputs, *procedure.locals)}
        environment = Environment({**inputs, **own}, self._globals, dict(self._globals))
        frames.append(_Frame(procedure, environment, blocks, procedure.blocks[0], call=call))
        self._watch(procedure, environment, False)

    def _step(self, frames: list[_Frame]) -> None:
        frame = frames[-1]
        if frame.position < len(frame.block.statements):
            statement = frame.block.statements[frame.position]
            frame.position += 1
            self._execute(statement, frames)
        elif frame.block.successors:
            frame.block, frame.position = self._successor(frame), 0
        elif not all(self._holds(each.term, frame.environment) for each in frame.procedure.ensures):
            raise _Over  # the contract of the procedure does not hold in this execution
        else:
            self._watch(frame.procedure, frame.environment, True)
            frames.pop()
            if frame.call is not None:
                results = [frame.environment.locals[each] for each in frame.procedure.outputs]
                self._assign(frame.call.results, results, frames[-1].environment)

    def _successor(self, frame: _Frame) -> Block:
        """A successor whose first conditions hold."""
        labels = list(frame.block.successors)
        self._random.shuffle(labels)
        for label in labels:
            block = frame.blocks[label]
            first = takewhile(lambda each: isinstance(each, Assume), block.statements)
            if len(labels) == 1 or all(self._holds(terms_of(each)[0], frame.environment) for each in first):
                return block
        raise _Over

    def _execute(self, statement: Statement, frames: list[_Frame]) -> None:
        environment = frames[-1].environment
        match statement:
            case Assign(targets, values):
                self._assign(targets, [self._value(each, environment) for each in values], environment)
            case Havoc(variables):
                self._assign(variables, [self._any(each) for each in variables], environment)
            case Assume(condition):
                if not self._holds(condition, environment):
                    raise _Over
            case Call():
                self._call(statement, frames)
            case _:
                raise _Over

    def _call(self, call: Call, frames: list[_Frame]) -> None:
        callee = self._program.procedures[call.procedure]
        environment = frames[-1].environment
        values = [self._value(each, environment) for each in call.arguments]
        inputs = dict(zip(callee.inputs, values, strict=True))
        if callee.blocks is not None:
            self._enter(frames, callee, inputs, call)
            return
        before = dict(self._globals)
        for _ in range(TRIES):
            after = {each: self._any(each) for each in callee.modifies}
            outputs = {each: self._any(each) for each in callee.outputs}
            told = Environment({**inputs, **outputs}, {**before, **after}, before)
            if all(self._holds(each.term, told) for each in callee.ensures):
                self._globals.update(after)
                self._assign(call.results, [outputs[each] for each in callee.outputs], environment)
                return
        raise _Over

    # --- values

    def _assign(self, targets: Sequence[Variable], values: Sequence[Value], environment: Environment) -> None:
        for target, value in zip(targets, values, strict=True):
            (self._globals if target in self._globals else environment.locals)[target] = value

    def _value(self, term: Term, environment: Environment) -> Value:
        outcome = self._outcome(term, environment)
        if outcome is None:
            raise _Over
        return outcome

    def _holds(self, term: Term, environment: Environment) -> bool:
        return self._outcome(term, environment) is True

    def contradicts(self, term: Term, environment: Environment) -> bool:
        """Whether a condition is false of a state that an execution is in."""
        return self._outcome(term, environment) is False

    def _outcome(self, term: Term, environment: Environment) -> Value | None:
        """The value of a condition; None if it is unknown, for example because of functions that only axioms
        define."""
        if self._doubtful:
            known = self._is_doubtful.get(term)
            if known is None:
                known = any(each.op == "apply" and each.payload in self._doubtful for each in postorder([term]))
                self._is_doubtful[term] = known
            if known:
                return None
        outcome = self._evaluator.outcome(term, Scope(environment))
        return None if isinstance(outcome, Stuck) else outcome

    def _any(self, variable: Variable) -> Value:
        if variable.type == BOOL:
            return self._random.random() < 0.5
        values = self._values.get(variable.type)
        return self._random.choice(values) if values else self._evaluator.domains.default(variable.type)


def _stated(program: Program) -> dict[Variable, Value]:
    """The constants whose values axioms determine."""
    found: dict[Variable, Value] = {}
    for axiom in program.axioms:
        if axiom.term.op == "eq":
            for one, other in permutations(axiom.term.args):
                if one.op == "var" and other.op in LITERALS:
                    found[one.payload] = _number(other)
    return found


def _number(literal: Term) -> int:
    number: int = literal.payload if literal.op == "int" else literal.payload[0]
    return number


def _values(program: Program) -> dict[Type, list[Value]]:
    """The most frequent numbers in the program, and their neighbours."""
    found: dict[Type, Counter[int]] = {}
    for procedure in program.procedures.values():
        for statement in (each for block in procedure.blocks or () for each in block.statements):
            for term in postorder(terms_of(statement)):
                if isinstance(term.type, BvType | IntType):
                    counts = found.setdefault(term.type, Counter())
                    if term.op in LITERALS:
                        counts[_number(term)] += 1
    return {type_: _around(type_, counts) for type_, counts in found.items()}


def _around(type_: Type, counts: Counter[int]) -> list[Value]:
    size = 1 << type_.width if isinstance(type_, BvType) else None
    mentioned = [number for number, _ in counts.most_common(MOST_VALUES // 2)]
    numbers = dict.fromkeys([*SMALL, *mentioned, *(number + 1 for number in mentioned), -1])
    return list(dict.fromkeys(number if size is None else number % size for number in numbers))
