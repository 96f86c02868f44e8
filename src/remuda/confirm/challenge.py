"""Challenges proofs of C programs for a short time: the machine for C runs the program on random and extreme inputs.

If an assertion fails there although it is proved, Remuda contradicts itself, and the verdict becomes unknown. An
assertion that holds up to a bound may fail beyond it: then the translated program runs on the same inputs, and if it
fails, too, the assertion is violated, with that execution as its trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Final, final

from remuda.base import clock
from remuda.base.reasons import Cause, Reason
from remuda.confirm.machine_replays import ABOUT_MEMORY, CLAIMED, UNINITIALIZED, excuse, settings_of
from remuda.confirm.random_numbers import RandomNumbers, constants_of
from remuda.confirm.schedules import RandomSchedule
from remuda.frontends.c.syntax.types import IntegerType, PointerType
from remuda.machine.outcomes import End
from remuda.machine.run import Execution
from remuda.machine.settings import BYTES, CHANGED, CHOICE
from remuda.options import PROPERTY_CHECKS
from remuda.prepare.load import checks_of
from remuda.replay.narrate import location_of
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.base.source import Span
    from remuda.ir.program import Presentation
    from remuda.machine.outcomes import ExecutionOutcome
    from remuda.machine.settings import Question
    from remuda.options import Options
    from remuda.results.report import AssertionResult, Report

Show = Callable[
    [str, Sequence[tuple["Question", int | float]], str], "AssertionResult | None"
]  # a violation of the given assertion, if it is one

SHARE: Final = 0.1  # of the time that the verdict took
MOST_SECONDS: Final = 10.0
KEPT_BACK: Final = 0.1  # of the time limit
MOST_KEPT_BACK: Final = 2.0  # seconds
IN_TIME: Final = 0.9  # of the time left; the rest is for the execution that has begun by then
STEPS_PER_SECOND: Final = 300_000  # about, on a slow machine
FEWEST_STEPS: Final = 2_000
SHOWN: Final = 20  # inputs in a reason, and bytes of one
MOST_TOLD: Final = 10_000  # inputs of an execution that can be shown
UNDEFINED: Final = "an execution on random inputs does something undefined"
CLAIMS: Final = frozenset({Verdict.PROVED, Verdict.BOUNDED, Verdict.UNREACHABLE})
UNFINISHED: Final = frozenset({Cause.TIME, Cause.EFFORT, Cause.MEMORY, Cause.INCOMPLETE})
CHANCES: Final = (0.02, 0.1, 0.3, 0.5)  # of an interruption at each point of a thread


def kept_back(options: Options) -> float:
    """The seconds of the time limit that searches leave to a challenge: a few executions may show what searches have
    not found in all the other time."""
    if options.timeout is None or options.challenge == 0:
        return 0.0
    return min(MOST_KEPT_BACK, KEPT_BACK * options.timeout)


@final
class RandomInputs:
    """Small, extreme and arbitrary numbers, and those in the program; `told` are the answers so far. Their text also
    has the schedule."""

    def __init__(
        self, random: Random, constants: list[int], fixed: int | None, schedule: RandomSchedule | None = None
    ) -> None:
        self._schedule = schedule
        self._numbers = RandomNumbers(random, constants)
        self._fixed = fixed
        self.told: list[tuple[Question, int | float]] = []

    def answer(self, question: Question) -> int | float | None:
        is_doubtful = question.kind == CHANGED and not question.is_needed
        if is_doubtful or question.kind in {"result", "volatile", CHOICE} or isinstance(question.type, PointerType):
            return None
        if question.kind == BYTES:
            value: int | float = self._numbers.of_bytes(question.type, self._fixed)
        else:
            value = self._fixed if self._fixed is not None else self._numbers.of_type(question.type)
        if len(self.told) < MOST_TOLD:
            self.told.append((question, value))
        return value

    def __str__(self) -> str:
        shown = [
            f"{question.name or question.kind} = {_written(question, value)} ({question.span})"
            for question, value in self.told
        ]
        text = ", ".join(shown[:SHOWN]) + (", ..." if len(shown) > SHOWN else "") or "no inputs"
        return text if self._schedule is None else f"{text}; threads: {self._schedule}"


def _written(question: Question, value: int | float) -> str:
    """The text of an answer; of bytes, only the first ones."""
    if question.kind != BYTES or not isinstance(question.type, IntegerType):
        return str(value)
    data = int(value).to_bytes(question.type.width // 8, "little")
    return f"bytes {data[:SHOWN].hex(' ')}{' ...' if len(data) > SHOWN else ''}"


@final
class Challenge:
    """Random executions of one program."""

    def __init__(self, presentation: Presentation, options: Options, report: Report, show: Show) -> None:
        from remuda.frontends.c.lowering.display import CPresentation

        assert isinstance(presentation, CPresentation)
        self._reproduction = presentation.reproduction
        self._is_excused = bool(excuse(presentation, options))
        self._options = options
        self._checks = checks_of((*options.check, *PROPERTY_CHECKS.get(options.property, ())))
        self._report = report
        self._show = show

    def challenged(
        self, results: list[AssertionResult], seconds: float, deadline: float | None
    ) -> list[AssertionResult]:
        """The results, without claims that an execution contradicts."""
        if self._is_excused or not any(map(_is_claim, results)):
            return results
        began = clock.now()
        asked = self._options.challenge
        until = began + (min(MOST_SECONDS, SHARE * seconds) if asked is None else asked)
        if deadline is not None:
            rest = IN_TIME * (deadline - began)
            until = min(until, began + max(SHARE * rest, min(rest, kept_back(self._options))))
        found = dict(enumerate(results))
        unseen = self._unseen_ends(results)
        for entry, outcome, inputs in self._executions(until):
            self._note_undefined(outcome, inputs)
            is_over = unseen or self._has_ended(outcome)
            for position, failure in disagreeing(outcome, list(found.values())):
                if is_over or (_has_bound(found[position]) and has_overflowed(outcome)):
                    continue
                found[position] = self._shown(found[position], entry, inputs) or _unknown(
                    found[position], failure, inputs
                )
            if not any(map(_is_claim, found.values())):
                break
        self._report.statistics.challenge_seconds = clock.now() - began
        return list(found.values())

    def _unseen_ends(self, results: list[AssertionResult]) -> bool:
        """Whether executions may end at generated checks that the machine does not have: it continues after them."""
        return any(result.kind == "conversion" and result.verdict is not Verdict.PROVED for result in results)

    def _has_ended(self, outcome: ExecutionOutcome) -> bool:
        """Whether a generated check may have ended an execution that the machine has continued."""
        is_overflow = "shift" in self._checks and has_overflowed(outcome)
        return is_overflow or (
            "uninitialized" in self._checks and any(UNINITIALIZED in each.text for each in outcome.opens)
        )

    def _shown(self, result: AssertionResult, entry: str, inputs: RandomInputs) -> AssertionResult | None:
        """A failure beyond the bound, as a violation, if the execution can be made a trace."""
        if not _has_bound(result) or self._reproduction.has_threads:
            return None
        violation = self._show(entry, inputs.told, result.identifier)
        return violation if violation is not None and violation.identifier == result.identifier else None

    def _note_undefined(self, outcome: ExecutionOutcome, inputs: RandomInputs) -> None:
        """Report an execution with undefined behaviour, because verdicts say little about such executions."""
        is_told = any(note.startswith(UNDEFINED) for note in self._report.notes)
        if outcome.end is End.UNDEFINED and not is_told and not self._options.check:
            self._report.notes.append(f"{UNDEFINED}: {outcome}; inputs: {inputs}")

    def _executions(self, until: float) -> Iterator[tuple[str, ExecutionOutcome, RandomInputs]]:
        """Run executions as long as there is time: all inputs zero, all one, and then random ones. Threads take turns
        at random."""
        unit = self._reproduction.unit
        assert unit is not None
        random, constants = Random(self._options.seed), constants_of(unit)
        execution: Execution | None = None
        number = 0
        while (now := clock.now()) < until:
            schedule = RandomSchedule(random, random.choice(CHANCES)) if self._reproduction.has_threads else None
            inputs = RandomInputs(random, constants, number if number < 2 else None, schedule)
            steps = max(FEWEST_STEPS, int(STEPS_PER_SECOND * (until - now)))
            settings = settings_of(self._options, None, steps)
            if "overflow" in self._checks:
                settings = replace(settings, tolerated=frozenset())
            if execution is None:
                execution = Execution(unit, settings, inputs, schedule=schedule)
            execution.settings, execution.inputs, execution.schedule = settings, inputs, schedule
            entry = self._reproduction.entries[number % len(self._reproduction.entries)].name
            outcome = execution.run(entry)
            clock.spend(outcome.steps / STEPS_PER_SECOND)
            number += 1
            self._report.statistics.challenges += 1
            yield entry, outcome, inputs
            if not inputs.told and schedule is None:
                return  # without inputs, there is only one execution


def has_overflowed(outcome: ExecutionOutcome) -> bool:
    """Whether signed arithmetic has overflowed. In searches it wraps around, as the report says; but in C the rest of
    the execution is undefined, so it does not contradict a verdict up to a bound."""
    return any("signed overflow" in each.text for each in outcome.opens)


def _has_bound(result: AssertionResult) -> bool:
    """Whether an assertion may still fail, because the searches have only covered a bound."""
    return result.verdict is Verdict.BOUNDED or result.bound is not None or _is_undecided(result)


def _is_claim(result: AssertionResult) -> bool:
    return result.verdict in CLAIMS or _is_undecided(result)


def _is_undecided(result: AssertionResult) -> bool:
    """Whether a verdict is unknown because searches gave up: it claims nothing, but an execution may decide it."""
    return result.verdict is Verdict.UNKNOWN and result.why.cause in UNFINISHED


def disagreeing(outcome: ExecutionOutcome, results: list[AssertionResult]) -> list[tuple[int, str]]:
    """The positions of assertions whose verdict is that they hold, but that an execution fails, with the failures."""
    failures = [(span, text, CLAIMED) for span, text in outcome.failures]
    if outcome.span is not None and outcome.end is End.FAILED:
        failures.append((outcome.span, outcome.text, CLAIMED))
    elif outcome.span is not None and outcome.end is End.UNDEFINED and outcome.cause is not None:
        kind = outcome.cause.value
        failures.append((outcome.span, outcome.text, ABOUT_MEMORY if kind in ABOUT_MEMORY else frozenset({kind})))
    return [
        (position, f"{text} at {span}") for span, text, kinds in failures for position in _meant(span, kinds, results)
    ]


def _meant(span: Span, kinds: frozenset[str], results: list[AssertionResult]) -> list[int]:
    """The assertions at the exact position of a failure, or else those on its line, if the verdict on all is that
    they hold."""
    place = location_of(span)
    here = [
        position
        for position, result in enumerate(results)
        if (result.location.file, result.location.line) == (place.file, place.line) and result.kind in kinds
    ]
    exact = [position for position in here if results[position].location == place] if kinds is CLAIMED else []
    meant = exact or here
    return meant if all(_is_claim(results[position]) for position in meant) else []


def _unknown(result: AssertionResult, failure: str, inputs: RandomInputs) -> AssertionResult:
    if _has_bound(result):
        cause, text = Cause.UNCONFIRMED, "it fails on the machine for C, perhaps beyond the bound"
    else:
        cause, text = Cause.DISAGREEMENT, f"disagreement: {result.verdict.value}, but it fails on the machine for C"
    why = Reason(f"{text}: {failure}", cause).but(f"inputs: {inputs}")
    return replace(result, verdict=Verdict.UNKNOWN, why=why, bound=None)
