"""Queries about one path of the program: whether it is feasible, and which globals exclude it if it is not."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from remuda.engines.model_trace import event_of, values_of
from remuda.engines.refinement import hierarchical, storm, within
from remuda.ir.edit import terms_of
from remuda.ir.trace import Trace
from remuda.smt.solver import Sat, Unknown, Unsat
from remuda.terms.term import variables_of
from remuda.transforms.choose_tracked import choose_tracked
from remuda.transforms.forget_variables import ForgetVariables
from remuda.transforms.path_program import NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.engines.inlining import Inlining
    from remuda.engines.refinement import IsCorrect, Tracked
    from remuda.ir.program import Program
    from remuda.results.report import Statistics
    from remuda.smt.solver import Answer, Native
    from remuda.terms.symbols import Variable
    from remuda.transforms.path_program import PathProgram

REFINE_SECONDS: Final = 1.0  # of one query of a refinement; without an answer in time, the global is tracked

Load = Callable[["Program"], "Inlining"]  # loads a program into a new solver


class Undecided(Exception):
    """The solver does not know the answer."""


@final
class PathCheck:
    """Answers questions about one path, with one query for each, and counts the queries."""

    def __init__(self, path: PathProgram, load: Load, statistics: Statistics, seconds: float) -> None:
        self._path = path
        self._load = load
        self._statistics = statistics
        self._seconds = seconds
        self.queries = 0
        self.undecided = 0  # queries without an answer, by the solver or in time

    def execution(self) -> Trace | None:
        """A failing execution along the path, as a trace of the program. It must be replayed, because it is only a
        guess if the solver is incomplete."""
        inlining = self._load(self._path.program)
        instance = inlining.start(NAME)
        answer = self._ask(inlining, seconds=self._seconds)
        if isinstance(answer, Unsat):
            return None
        model = answer.model if isinstance(answer, Sat) else answer.candidate
        if model is None:
            raise Undecided(str(answer.why) if isinstance(answer, Unknown) else "no model")
        program, inputs = self._path.program, instance.compiled.vc.interface.inputs
        functions = [each for each in program.functions if each.body is None and each.builtin is None]
        events = [event_of(step, model) for step in inlining.walk(instance, model)]
        interpretation = model.interpretation(program.constants, functions)
        for table in interpretation.functions.values():
            table.is_complete = isinstance(answer, Sat)
        trace = Trace(
            entry=NAME,
            interpretation=interpretation,
            initial=values_of(instance, inputs, inputs, model),
            events=tuple(event for event in events if event is not None),
            check=self._path.trace.check,
        )
        return self._path.lift(trace)

    def refine(self, how: str, tracked: Tracked) -> Tracked:
        """A minimal superset of the tracked globals such that the path cannot fail while they are tracked."""
        others = [variable for variable in self._mentioned() if variable not in tracked]
        match how:
            case "storm":
                return storm(tracked, others, self._from_scratch)
            case "hierarchical":
                return hierarchical(tracked, others, self._from_scratch)
            case "vc":
                return hierarchical(tracked, others, self._with_constants(others)[0])
            case _:
                is_correct, core = self._with_constants(others)
                return within(core(), tracked, is_correct)

    def is_correct(self, tracked: Tracked) -> bool:
        """Whether the path cannot fail with these globals tracked."""
        return self._from_scratch(tracked)

    def _mentioned(self) -> list[Variable]:
        """The globals that are read on the path."""
        (block,) = self._path.program.procedures[NAME].blocks or ()
        read = set(variables_of([term for each in block.statements for term in terms_of(each)]))
        return [variable for variable in self._path.program.globals if variable in read]

    def _from_scratch(self, tracked: Tracked) -> bool:
        forgotten = frozenset(variable for variable in self._path.program.globals if variable not in tracked)
        inlining = self._load(ForgetVariables(forgotten).apply(self._path.program).program)
        inlining.start(NAME)
        return isinstance(self._ask(inlining), Unsat)

    def _with_constants(self, others: Sequence[Variable]) -> tuple[IsCorrect, Callable[[], list[Variable]]]:
        """Functions that use one formula for all questions, with assumption literals for the tracked globals."""
        chosen = choose_tracked(self._path.program, others)
        inlining = self._load(chosen.program)
        inlining.start(NAME)
        terms = chosen.program.terms
        constants = {each: inlining.solver.translate(terms.var(flag)) for each, flag in chosen.tracked.items()}

        def is_correct(tracked: Tracked) -> bool:
            assumed = [constant for variable, constant in constants.items() if variable in tracked]
            return isinstance(self._ask(inlining, assumed), Unsat)

        def core() -> list[Variable]:
            answer = self._ask(inlining, list(constants.values()))
            needed = set(answer.core) if isinstance(answer, Unsat) else set(constants.values())
            return [variable for variable, constant in constants.items() if constant in needed]

        return is_correct, core

    def _ask(self, inlining: Inlining, assumptions: Sequence[Native] = (), seconds: float = REFINE_SECONDS) -> Answer:
        began = time.perf_counter()
        answer = inlining.solver.check(tuple(assumptions), min(seconds, self._seconds))
        self.queries += 1
        self.undecided += isinstance(answer, Unknown)
        self._statistics.solver_calls += 1
        self._statistics.solver_seconds += time.perf_counter() - began
        return answer
