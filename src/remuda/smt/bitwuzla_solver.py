"""Bitwuzla as a `Solver`, through its Python module: for programs over bit-vectors and floats."""

from __future__ import annotations

import ctypes
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from remuda.base import clock
from remuda.base.errors import InternalError, ToolError, UsageError

try:
    import bitwuzla
except ImportError as error:
    missing = "the solver bitwuzla is not installed: pip install bitwuzla"
    raise ToolError(missing) from error
from bitwuzla import BitwuzlaException, Kind

from remuda.base.reasons import TIMEOUT
from remuda.smt.bitwuzla_lambdas import Lambda, lambdas_in
from remuda.smt.bitwuzla_model import BitwuzlaModel
from remuda.smt.bitwuzla_terms import BitwuzlaBinding
from remuda.smt.effort import MILLISECONDS, ask
from remuda.smt.levels import Levels
from remuda.smt.names import UniqueNames
from remuda.smt.solver import Answer, Sat, Unknown, Unsat, incomplete
from remuda.smt.stack import raise_stack_limit
from remuda.smt.translation import Translation

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from remuda.smt.solver import Template
    from remuda.terms.symbols import Constructor, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import DataType, Type

Node = Any  # Bitwuzla's own term

DEFAULT_SETTINGS: Final[Mapping[str, str]] = {
    "produce-models": "true",
    "produce-unsat-assumptions": "true",
    "seed": "0",
}


ASKED_PER_MILLISECOND: Final = 10  # whether to end
MOST_ROUNDS: Final = 64  # of adding lemmas about arrays given by lambdas: they may lead to new indices forever


@final
@dataclass(frozen=True, slots=True)
class BitwuzlaTemplate:
    """Terms over parameters, which one substitution replaces in all of them."""

    parameters: list[Node]
    terms: list[Node]
    lambdas: list[Lambda]  # that they contain, inner ones first


@final
class Alarm:
    """Ends a query when its time is over or the user interrupts it; Bitwuzla calls `is_over` again and again.

    Python handles a signal when it next runs Python code, which is in this callback. Were it a function, the
    signal would interrupt it before its first line, and Bitwuzla drops exceptions of callbacks. A generator is
    continued inside its `try`.
    """

    __slots__ = ("_end", "_last_time", "is_interrupted", "is_over", "times")

    def __init__(self) -> None:
        self._end = float("inf")  # by the wall clock
        self._last_time = float("inf")  # that it may be asked
        self.is_interrupted = False
        self.times = 0  # the number of calls of `is_over`
        answers = self._answers()
        next(answers)
        self.is_over = answers.__next__

    def set(self, seconds: float | None) -> None:
        self._end = self._last_time = float("inf")
        if seconds is not None and clock.counts_work():
            self._last_time = self.times + seconds * MILLISECONDS * ASKED_PER_MILLISECOND
        elif seconds is not None:
            self._end = time.monotonic() + seconds
        self.is_interrupted = False

    def _answers(self) -> Generator[bool, None, None]:
        while True:
            try:
                self.times += 1
                is_late = self.times >= self._last_time or time.monotonic() >= self._end
                yield self.is_interrupted or is_late
            except KeyboardInterrupt:
                self.is_interrupted = True


@final
class BitwuzlaSolver:
    """One term manager with one solver. Its models are good until the next change or query."""

    name = "bitwuzla"

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        raise_stack_limit()
        self._manager = _immortal_manager()
        self._solver = _new_solver(self._manager, {**DEFAULT_SETTINGS, **(settings or {})})
        self._alarm = Alarm()
        self._solver.configure_terminator(self._alarm.is_over)
        self._binding = BitwuzlaBinding(self._manager)
        self._translation = Translation(self._binding, UniqueNames())
        self._levels = Levels(self._translation.axioms)
        self._fresh = 0
        self._state = 0  # counts what ends a model

    # --- terms

    def declare_datatypes(self, datatypes: Sequence[tuple[DataType, Sequence[Constructor]]]) -> None:
        """Nothing to do: a program may have datatypes, as long as no formula does."""

    def translate(self, term: Term) -> Node:
        with _tool_errors():
            return self._translation.translate(term)

    def fresh(self, type_: Type) -> Node:
        self._fresh += 1
        return self._binding.constant(f"k!!{self._fresh}", type_)

    def template(self, parameters: Sequence[Variable], terms: Sequence[Term]) -> BitwuzlaTemplate:
        natives = [self.translate(term) for term in terms]
        own = [self._translation.variable(parameter) for parameter in parameters]
        known = self._binding.lambda_of
        return BitwuzlaTemplate(own, natives, [known[term] for term in lambdas_in(terms)] if known else [])

    def instantiate(self, template: Template, actuals: Sequence[Node]) -> list[Node]:
        assert isinstance(template, BitwuzlaTemplate)
        parameters = template.parameters
        if len(actuals) != len(parameters):
            raise InternalError(f"a template of {len(parameters)} parameters was given {len(actuals)} actuals")
        mapping = dict(zip(parameters, actuals, strict=True))
        with _tool_errors():
            for lambda_ in template.lambdas:
                array = self._manager.mk_const(lambda_.array.sort())
                value = self._manager.substitute_term(lambda_.value, mapping)
                self._binding.lambdas.define(Lambda(array, lambda_.bound, value))
                mapping[lambda_.array] = array
            instances = self._manager.substitute_terms(template.terms, mapping)
        return list(instances)

    # --- formulas over natives

    def not_(self, native: Node) -> Node:
        return self._manager.mk_term(Kind.NOT, [native])

    def and_(self, natives: Sequence[Node]) -> Node:
        return self._junction(Kind.AND, natives, self._binding.true)

    def or_(self, natives: Sequence[Node]) -> Node:
        return self._junction(Kind.OR, natives, self._binding.false)

    def _junction(self, kind: Kind, natives: Sequence[Node], unit: Node) -> Node:
        if len(natives) < 2:
            return natives[0] if natives else unit
        return self._manager.mk_term(kind, natives)

    def implies(self, premise: Node, conclusion: Node) -> Node:
        return self._manager.mk_term(Kind.IMPLIES, [premise, conclusion])

    def eq(self, left: Node, right: Node) -> Node:
        return self._manager.mk_term(Kind.EQUAL, [left, right])

    # --- assertions and queries

    def add(self, native: Node) -> None:
        self._state += 1
        self._binding.lambdas.note(native)
        with _tool_errors():
            self._solver.assert_formula(native)

    def push(self) -> None:
        self._state += 1
        self._levels.push()
        self._solver.push(1)

    def pop(self) -> None:
        self._levels.pop()
        self._state += 1
        self._solver.pop(1)

    def check(
        self,
        assumptions: Sequence[Node] = (),
        seconds: float | None = None,
        *,
        thorough: bool = False,  # noqa: ARG002 - Bitwuzla always builds the models that it can
        rough: bool = False,
    ) -> Answer:
        self._assert_axioms()
        return ask(self.effort, lambda left: self._check(assumptions, left, rough=rough), seconds)

    def _check(self, assumptions: Sequence[Node], seconds: float | None, *, rough: bool) -> Answer:
        self._state += 1
        self._alarm.set(seconds)
        try:
            result = self._check_with_lambdas(assumptions, rough=rough)
        except BitwuzlaException as error:  # a combination that Bitwuzla has no procedure for shows only here
            return Unknown(incomplete(str(error).strip()))
        if self._alarm.is_interrupted:
            raise KeyboardInterrupt
        if result == bitwuzla.Result.SAT:
            return Sat(self._model())
        if result == bitwuzla.Result.UNSAT:
            return Unsat(self._core(assumptions))
        return Unknown(TIMEOUT if self._alarm.is_over() else incomplete("bitwuzla gave up"))

    def _check_with_lambdas(self, assumptions: Sequence[Node], *, rough: bool) -> bitwuzla.Result:
        """Add lemmas about arrays given by lambdas, until a model agrees with all of them."""
        for _ in range(MOST_ROUNDS):
            result = self._solver.check_sat(*assumptions)
            if rough or result != bitwuzla.Result.SAT:
                return result
            lemmas = self._binding.lambdas.broken(self._solver.get_value)
            if not lemmas:
                return result
            for lemma in lemmas:
                self.add(lemma)
        return bitwuzla.Result.UNKNOWN

    def effort(self) -> float:
        return self._alarm.times / ASKED_PER_MILLISECOND

    def text(self) -> str:
        self._assert_axioms()
        # The assumptions of the last query count as asserted until something else is.
        self._state += 1
        self._solver.push(1)
        self._solver.pop(1)
        text: str = self._solver.print_formula()
        return text

    def _assert_axioms(self) -> None:
        for axiom in self._levels.missing_axioms():
            self.add(axiom)

    def _core(self, assumptions: Sequence[Node]) -> tuple[Node, ...]:
        needed = set(self._solver.get_unsat_assumptions()) if assumptions else set()
        return tuple([assumption for assumption in assumptions if assumption in needed])

    def _model(self) -> BitwuzlaModel:
        state = self._state
        return BitwuzlaModel(self._solver, self._binding, self._translation, lambda: self._state == state)


def _immortal_manager() -> bitwuzla.TermManager:
    """A manager that is never deleted.

    The garbage collector may find terms and their manager in one cycle. It then takes them apart in any order, and a
    term that outlives its manager ends the process. Nodes are freed with their terms, so that little is kept.
    """
    manager = bitwuzla.TermManager()
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(manager))
    return manager


def _new_solver(manager: bitwuzla.TermManager, settings: Mapping[str, str]) -> bitwuzla.Bitwuzla:
    options = bitwuzla.Options()
    for name, value in settings.items():
        try:
            options.set_args(f"--{name}={value}")
        except BitwuzlaException as error:
            raise UsageError(f"bitwuzla rejects the setting {name}={value}: {error}") from error
    return bitwuzla.Bitwuzla(manager, options)


@contextmanager
def _tool_errors() -> Iterator[None]:
    try:
        yield
    except BitwuzlaException as error:
        raise ToolError(f"bitwuzla: {str(error).strip()}") from error
