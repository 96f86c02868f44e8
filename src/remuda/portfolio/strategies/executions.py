"""Runs the program: first with zero for every input, then with one, and then with random numbers.

A search needs a formula as large as the executions that it covers; a loop that fails in its last iteration of a million
is out of its reach. A single execution is not: the machine for C makes millions of steps in a second.

An execution counts if nothing that C leaves open, or that nobody computes, has a part in the failure. Where it is short,
the translated program is run on the same inputs, and its trace is replayed and confirmed as those of searches are. A
longer one is its own evidence: the machine runs it once more and tells its beginning and its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final, final

from remuda.base import clock
from remuda.base.reasons import Reason
from remuda.engines.outcome import Confirmation, Outcome
from remuda.portfolio.plan import RANDOM
from remuda.results.report import Verdict
from remuda.results.unsupported import UNSUPPORTED
from remuda.terms.types import BOOL, BvType, IntType

if TYPE_CHECKING:
    from remuda.confirm.random_executions import RandomExecution, RandomExecutions
    from remuda.frontends.c.lowering.display import CPresentation
    from remuda.ir.program import Check, Havoc
    from remuda.machine.outcomes import ExecutionOutcome
    from remuda.machine.settings import Question
    from remuda.portfolio.attempt import Attempt
    from remuda.results.report import TraceStep
    from remuda.terms.values import Value

MOST_STEPS: Final = 16_000_000  # of the machine in all; one execution gets at most a share of what is left
SHARE: Final = 0.75
STEPS_PER_SECOND: Final = 3_000_000
FEWEST_STEPS: Final = 2_000  # that an execution is said to take: to begin one costs as much
LONG: Final = 30_000  # steps of the machine from which on the replay of an execution takes too long
GUIDED_STEPS: Final = 100_000  # statements of an execution of the translated program
TELLING: Final = 4  # how many times as many steps an execution with a story has, at most
KEPT: Final = (200, 300)  # steps of a long trace: the first and the last ones
LAST_STEPS: Final = 50_000  # of the machine, in which the last steps of a trace are
MOST_RUNS: Final = 300
TRIES: Final = 3  # executions that are told for one assertion
FIXED: Final = 2  # executions in which all inputs are the same
NUMBERS: Final = (0, 1, -1, 2, 3, 7, 10, 100, 1000)
NOT_FAILED: Final = Reason("no execution that was tried fails it")
# Of programs that are not C, by the interpreter: statements of an execution, first of those with fixed inputs.
INTERPRETED: Final = (GUIDED_STEPS, GUIDED_STEPS, *[GUIDED_STEPS // 10] * 10)


@final
@dataclass(frozen=True, slots=True)
class Executions:
    """Only violations come out, never proofs. Everything is counted in steps, so that the outcome is the same on every
    computer."""

    def steps(self, attempt: Attempt) -> Iterator[None]:
        if attempt.ledger.begin(attempt.wanted()) and not attempt.prepared.has_threads:
            is_c = attempt.prepared.base.presentation is not None
            yield from _OnMachine(attempt).steps() if is_c else _interpreted(attempt)
        attempt.ledger.leave_open(attempt.prepared.checks.values(), NOT_FAILED)


def violation_on(
    attempt: Attempt, entry: str, told: Sequence[tuple[Question, int | float]], wanted: str
) -> Outcome | None:
    """The violation of an assertion on given inputs, wherever the bound is, if the translated program shows it."""
    from remuda.confirm.given_inputs import GivenInputs
    from remuda.replay.guided import guided_trace

    prepared = attempt.prepared
    start = next((name for name in prepared.base.entries if name.removesuffix("$start") == entry), None)
    if start is None:
        return None
    trace = guided_trace(prepared.base, start, GivenInputs(told).answer, GUIDED_STEPS, wanted)
    if trace is None or trace.check.identifier != wanted:
        return None
    confirmation = attempt.replays.replayed(prepared, trace)
    return None if confirmation.problem else Outcome(trace.check, Verdict.VIOLATED, confirmation=confirmation)


def _open(attempt: Attempt) -> list[Check]:
    """The assertions that no execution has failed so far."""
    return [check for check in attempt.wanted() if check.kind != UNSUPPORTED and not attempt.ledger.violated(check)]


@final
class _OnMachine:
    """Executions of a C program."""

    def __init__(self, attempt: Attempt) -> None:
        from remuda.frontends.c.lowering.display import CPresentation

        presentation = attempt.prepared.base.presentation
        assert isinstance(presentation, CPresentation)
        self._attempt = attempt
        self._presentation: CPresentation = presentation
        self._tries: dict[Check, int] = {}

    def steps(self) -> Iterator[None]:
        from remuda.confirm.machine_replays import excuse
        from remuda.confirm.random_executions import RandomExecutions, has_unseen_ends

        attempt = self._attempt
        results = [attempt.ledger.result(check) for check in attempt.prepared.checks.values()]
        if excuse(self._presentation, attempt.options) or has_unseen_ends(results):
            return
        executions = RandomExecutions(self._presentation, attempt.options, has_end=True)
        left = MOST_STEPS
        for _ in range(MOST_RUNS):
            if executions.is_over or attempt.is_enough() or attempt.is_late or left < 2 * FEWEST_STEPS:
                return
            execution = executions.next(int(SHARE * left))
            attempt.report.statistics.challenges += 1
            left -= max(execution.outcome.steps, FEWEST_STEPS)
            clock.spend(execution.outcome.steps / STEPS_PER_SECOND)
            for check in self._failed(execution.outcome):
                violation = self._violation(check, execution, executions)
                if violation is not None:
                    attempt.ledger.settle(violation, RANDOM)
            yield

    def _failed(self, outcome: ExecutionOutcome) -> list[Check]:
        """The open assertions that an execution certainly fails."""
        from remuda.confirm.machine_replays import CLAIMED

        open_ = set(_open(self._attempt))
        checks = self._attempt.prepared.checks.values()
        stated = [check for check in checks if check.kind in CLAIMED]
        failed = [[check for check in stated if str(check.span) == str(span)] for span, _ in outcome.failures]
        failed.append([check for check in checks if _ends_at(outcome, check)])
        only = [found[0] for found in failed if len(found) == 1]  # else it may be any of them
        return [check for check in only if check in open_ and self._tries.get(check, 0) < TRIES]

    def _violation(self, check: Check, execution: RandomExecution, executions: RandomExecutions) -> Outcome | None:
        """The violation, if the execution shows one."""
        from remuda.confirm.machine_traces import long_trace
        from remuda.machine.story import Kept

        self._tries[check] = self._tries.get(check, 0) + 1
        most_steps = FEWEST_STEPS + TELLING * execution.outcome.steps
        kept = Kept(*KEPT, quiet=max(0, execution.outcome.steps - LAST_STEPS))
        told = executions.again(execution.number, check, most_steps, kept)
        if not _ends_at(told.outcome, check) or not self._is_certain(told, executions):
            return None
        if execution.outcome.steps <= LONG:
            return violation_on(self._attempt, execution.entry, execution.inputs.told, check.identifier)
        if any(each.kind == UNSUPPORTED for each in self._attempt.prepared.checks.values()):
            return None  # the machine may take for an input what nobody knows the meaning of
        return Outcome(check, Verdict.VIOLATED, confirmation=self._confirmed(told, long_trace(told, check)))

    def _is_certain(self, execution: RandomExecution, executions: RandomExecutions) -> bool:
        """Whether all executions on these inputs fail, whatever the implementation makes of what C leaves open."""
        from remuda.analysis.dependence import may_depend
        from remuda.confirm.random_executions import has_overflowed
        from remuda.machine.outcomes import ANY_RESULT
        from remuda.machine.run import MOST_OPEN

        outcome = execution.outcome
        if executions.has_ended(outcome) or has_overflowed(outcome) or len(outcome.opens) == MOST_OPEN:
            return False
        if self._presentation.has_chosen:
            return False
        doubts = [each.span for each in outcome.opens if not each.text.endswith(ANY_RESULT)]
        return not may_depend(self._attempt.program, [*doubts, *execution.inputs.guessed])

    def _confirmed(self, execution: RandomExecution, trace: tuple[TraceStep, ...]) -> Confirmation:
        """The machine is what confirms it; what else was asked for needs a replay."""
        from remuda.confirm.machine_replays import MACHINE

        options = self._attempt.options
        why = f"the execution is too long to be replayed ({execution.outcome.steps:,} steps of the machine)"
        asked = [*options.confirm, *(["test case"] if options.test_case else [])]
        return Confirmation(
            "",
            trace,
            confirmed=(MACHINE,),
            unconfirmed=tuple([f"{way}: {why}" for way in asked]),
            left_open=tuple(dict.fromkeys(map(str, execution.outcome.opens))),
        )


def _ends_at(outcome: ExecutionOutcome, check: Check) -> bool:
    """Whether an execution has ended in the failure of an assertion, at the very place if the program states it."""
    from remuda.confirm.machine_replays import CLAIMED, is_failure_of

    if check.kind in {"uninitialized", "leak"} or not is_failure_of(outcome, check):
        return False
    return check.kind not in CLAIMED or str(outcome.span) == str(check.span)


def _interpreted(attempt: Attempt) -> Iterator[None]:
    """Executions of a program that is not C, by the interpreter."""
    from remuda.replay.guided import guided_trace

    program = attempt.prepared.base
    for number, most_steps in enumerate(INTERPRETED):
        inputs = _Inputs(Random(f"{attempt.options.seed} {number}"), number if number < FIXED else None)
        for entry in program.entries:
            trace = guided_trace(program, entry, inputs.answer, max(FEWEST_STEPS, most_steps // len(program.entries)))
            if trace is not None and trace.check in _open(attempt):
                confirmation = attempt.replays.replayed(attempt.prepared, trace)
                if not confirmation.problem and not confirmation.assumed:  # axioms may ask for other functions
                    found = Outcome(trace.check, Verdict.VIOLATED, confirmation=confirmation)
                    attempt.ledger.settle(found, RANDOM)
            yield
        if not inputs.has_answered or attempt.is_enough() or attempt.is_late:
            return


@final
class _Inputs:
    """What `havoc` gives: numbers that are all the same, or random and mostly small."""

    def __init__(self, random: Random, fixed: int | None) -> None:
        self._random = random
        self._fixed = fixed
        self.has_answered = False

    def answer(self, havoc: Havoc) -> Value | None:
        type_ = havoc.variables[0].type
        if not isinstance(type_, BvType | IntType) and type_ != BOOL:
            return None
        self.has_answered = True
        number = self._random.choice(NUMBERS) if self._fixed is None else self._fixed
        if isinstance(type_, BvType):
            return number % (1 << type_.width)
        return bool(number % 2) if type_ == BOOL else number
