"""Executions of C programs on the machine: all inputs are zero, then all are one, and then they are random.

    executions = RandomExecutions(presentation, options)
    while not executions.is_over:
        execution = executions.next(most_steps)
        ...

The same options give the same executions, and each of them can be run once more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Final, final

from remuda.confirm.machine_replays import UNINITIALIZED, extent, settings_of
from remuda.confirm.random_numbers import RandomNumbers, constants_of
from remuda.confirm.schedules import RandomSchedule
from remuda.frontends.c.syntax.types import IntegerType, PointerType
from remuda.machine.arithmetic import wrap
from remuda.machine.run import ALL, Execution
from remuda.machine.settings import BYTES, CHANGED, CHOICE, TEXT
from remuda.options import PROPERTY_CHECKS
from remuda.prepare.load import checks_of
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.display import CPresentation
    from remuda.ir.program import Check
    from remuda.machine.outcomes import ExecutionOutcome
    from remuda.machine.settings import Question, Settings
    from remuda.machine.story import Kept, Story
    from remuda.options import Options
    from remuda.results.report import AssertionResult

SHOWN: Final = 20  # inputs in a reason, and bytes of one
MOST_TOLD: Final = 10_000  # inputs of an execution that can be shown
CHANCES: Final = (0.02, 0.1, 0.3, 0.5)  # that a thread is interrupted where it can be
FIXED: Final = 2  # executions in which all inputs are the same


@final
class RandomInputs:
    """Small, extreme and arbitrary numbers, and those that the program mentions; `told` are the answers so far. Their
    text names the schedule, too. `guesses` are the places of functions whose results a model guesses. With `has_end`, there are
    only as many inputs as can be told."""

    def __init__(
        self,
        random: Random,
        constants: list[int],
        fixed: int | None,
        schedule: RandomSchedule | None = None,
        guesses: Collection[Span] = (),
        *,
        has_end: bool = False,
    ) -> None:
        self._has_end = has_end
        self._guesses = {extent(span) for span in guesses}
        self._schedule = schedule
        self._numbers = RandomNumbers(random, constants)
        self._fixed = fixed
        self.told: list[tuple[Question, int | float]] = []
        self.guessed: dict[Span, None] = {}  # where the execution has asked for what a model would guess

    def answer(self, question: Question) -> int | float | None:
        if question.kind != TEXT and extent(question.span) in self._guesses:
            self.guessed[question.span] = None
        is_doubtful = question.kind == CHANGED and not question.is_needed
        if is_doubtful or question.kind in {"result", "volatile", CHOICE} or isinstance(question.type, PointerType):
            return None
        if question.kind == BYTES:
            value: int | float = self._numbers.of_bytes(question.type, self._fixed)
        else:
            value = self._fixed if self._fixed is not None else self._numbers.of_type(question.type)
        if len(self.told) < MOST_TOLD:
            self.told.append((question, value))
        elif self._has_end:
            return None
        return value

    def __str__(self) -> str:
        shown = [
            f"{question.name or question.kind} = {written(question, value)} ({question.span})"
            for question, value in self.told
        ]
        text = ", ".join(shown[:SHOWN]) + (", ..." if len(shown) > SHOWN else "") or "no inputs"
        return text if self._schedule is None else f"{text}; threads: {self._schedule}"


def written(question: Question, value: int | float) -> str:
    """An answer; of bytes, the first ones."""
    if question.kind != BYTES or not isinstance(question.type, IntegerType):
        return str(wrap(int(value), question.type) if isinstance(question.type, IntegerType) else value)
    data = int(value).to_bytes(question.type.width // 8, "little")
    return f"bytes {data[:SHOWN].hex(' ')}{' ...' if len(data) > SHOWN else ''}"


@final
@dataclass(frozen=True, slots=True)
class RandomExecution:
    """One execution: its number, where it began, how it ended, and what it was given."""

    number: int
    entry: str
    outcome: ExecutionOutcome
    inputs: RandomInputs
    story: Story | None = None


@final
class RandomExecutions:
    """The executions of one program. Threads take turns at random. With `has_end`, executions end when they want too many
    inputs: a program that waits for inputs in a loop may never end."""

    def __init__(self, presentation: CPresentation, options: Options, *, has_end: bool = False) -> None:
        self._has_end = has_end
        self._presentation = presentation
        self._reproduction = presentation.reproduction
        self._options = options
        self._checks = checks_of((*options.check, *PROPERTY_CHECKS.get(options.property, ())))
        self._execution: Execution | None = None
        self._constants: list[int] | None = None
        self._next = 0
        self._alike = 0  # executions in a row to which nothing comes from outside

    @property
    def is_over(self) -> bool:
        """Whether nothing comes from outside, so that further executions are like those before."""
        return self._alike >= len(self._reproduction.entries)

    def next(self, most_steps: int) -> RandomExecution:
        """The next execution."""
        number = self._next
        inputs, schedule = self._inputs(number, "assert")
        settings = self._settings(None, most_steps)
        if self._execution is None:
            assert self._reproduction.unit is not None
            self._execution = Execution(self._reproduction.unit, settings, inputs, schedule=schedule)
        self._execution.settings, self._execution.inputs, self._execution.schedule = settings, inputs, schedule
        outcome = self._execution.run(self._entry(number))
        self._next += 1
        self._alike = 0 if inputs.told or schedule is not None else self._alike + 1
        return RandomExecution(number, self._entry(number), outcome, inputs)

    def again(self, number: int, check: Check, most_steps: int, kept: Kept = ALL) -> RandomExecution:
        """An execution once more, with a story, up to where it fails an assertion."""
        assert self._reproduction.unit is not None
        inputs, schedule = self._inputs(number, check.kind)
        settings = self._settings(check, most_steps)
        execution = Execution(self._reproduction.unit, settings, inputs, schedule=schedule, tells=True, kept=kept)
        outcome = execution.run(self._entry(number))
        return RandomExecution(number, self._entry(number), outcome, inputs, execution.story)

    def has_ended(self, outcome: ExecutionOutcome) -> bool:
        """Whether a generated check may have ended an execution that the machine has gone on with."""
        is_overflow = "shift" in self._checks and has_overflowed(outcome)
        return is_overflow or (
            "uninitialized" in self._checks and any(UNINITIALIZED in each.text for each in outcome.opens)
        )

    def _entry(self, number: int) -> str:
        return self._reproduction.entries[number % len(self._reproduction.entries)].name

    def _inputs(self, number: int, kind: str) -> tuple[RandomInputs, RandomSchedule | None]:
        """What an execution is given, and how its threads take turns."""
        assert self._reproduction.unit is not None
        if self._constants is None:
            self._constants = constants_of(self._reproduction.unit)
        random = Random(f"{self._options.seed} {number}")
        schedule = RandomSchedule(random, random.choice(CHANCES)) if self._reproduction.has_threads else None
        fixed, guesses = number if number < FIXED else None, self._presentation.guesses(kind)
        return RandomInputs(random, self._constants, fixed, schedule, guesses, has_end=self._has_end), schedule

    def _settings(self, check: Check | None, most_steps: int) -> Settings:
        settings = settings_of(self._options, check, most_steps)
        return replace(settings, tolerated=frozenset()) if "overflow" in self._checks else settings


def has_overflowed(outcome: ExecutionOutcome) -> bool:
    """Whether signed arithmetic has overflowed. Searches let it wrap around, as the report says; but C gives no meaning
    to what comes after, so such an execution is no reason to doubt what holds up to a bound."""
    return any("signed overflow" in each.text for each in outcome.opens)


def has_unseen_ends(results: Iterable[AssertionResult]) -> bool:
    """Whether executions may end at generated checks that the machine does not know: it goes on after them."""
    return any(result.kind == "conversion" and result.verdict is not Verdict.PROVED for result in results)
