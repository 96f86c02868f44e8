"""Runs failing executions of C programs once more on the machine for C, with the inputs of the trace.

The machine shares only the parser with the front end. If the failure does not occur there, the trace does not count
as a violation.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Final, final

from remuda.confirm.given_bytes import TraceBytes, is_bytes
from remuda.confirm.given_changes import TraceChanges
from remuda.confirm.random_numbers import RandomNumbers, constants_of
from remuda.confirm.schedules import TraceSchedule
from remuda.frontends.c.lowering.storage import presence_of
from remuda.frontends.c.reproduce import LEAF, bytes_key
from remuda.frontends.c.syntax.types import IntegerType, PointerType
from remuda.ir.program import attribute
from remuda.machine.extended import Extended
from remuda.machine.outcomes import Cause, End
from remuda.machine.run import Execution
from remuda.machine.settings import BYTES, CHANGED, PRESENCE, TEXT, Settings
from remuda.options import CHECKS, PROPERTY_CHECKS
from remuda.prepare.load import checks_of
from remuda.replay.retell import INPUT
from remuda.terms.float_values import exact, is_infinite, is_nan, is_negative_bit
from remuda.terms.values import FloatValue

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from remuda.base.source import Source, Span
    from remuda.frontends.c.lowering.display import CPresentation
    from remuda.ir.program import Check, Presentation
    from remuda.machine.outcomes import ExecutionOutcome
    from remuda.machine.settings import Question
    from remuda.machine.story import Event
    from remuda.options import Options
    from remuda.replay.interpreter import Replay
    from remuda.replay.steps import Step
    from remuda.terms.symbols import Variable
    from remuda.terms.values import Value

MACHINE: Final = "machine"  # the name of this confirmation in reports
CLAIMED: Final = frozenset({"assert", "error"})
ABOUT_MEMORY: Final = frozenset({"bounds", "pointer"})
ALIKE: Final = (
    ABOUT_MEMORY,
    frozenset({"shift", "overflow"}),
    frozenset({"conversion", "loss"}),
)  # kinds that the machine distinguishes in another way
FEWEST_STEPS: Final = 200_000
STEPS_FOR_STEP: Final = 100  # instructions of the machine for a step of the trace
TOLERATED: Final = frozenset({Cause.OVERFLOW})  # signed integers wrap around, as docs/c.md says
RECORDED: Final = frozenset({"call", "parameter"})  # inputs that no trace leaves out
UNINITIALIZED: Final = "before it has a value"
# Values for reads where the trace has none, such as of uninitialised memory. They may be any, so several are tried:
# the first ones everywhere, then random ones, as long as the machine takes no more steps than this. (For memory that a
# function without a body may have changed, the first try is a value that the trace reads near there.)
FILLINGS: Final = (0, -1, 1)
MOST_FILLINGS: Final = 300
MOST_STEPS_OF_FILLINGS: Final = 1_000_000


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """The result of a run on the machine. `problem` says what happened instead of the failure, `unconfirmed` why the
    machine cannot show it. If the failure occurred, `events` lead to it; there are none if they are too many."""

    problem: str = ""
    unconfirmed: str = ""
    left_open: tuple[str, ...] = ()
    guesses: bool = False  # it used values from the trace that a model has guessed
    is_changed: bool = False  # the value is one that a function without a body may have changed
    is_filled: bool = False  # the trace had no value for something that the program reads
    events: tuple[Event, ...] = ()


@final
class TraceInputs:
    """The inputs of a trace, by their sources. The trace does not have all values: the others are `filling` or,
    without it, random."""

    def __init__(
        self, steps: Sequence[Step], guesses: Collection[Span], random: RandomNumbers, filling: int | None = 0
    ) -> None:
        self._guesses = {extent(span) for span in guesses}
        self._random = random
        self._filling = filling
        self.has_guessed = False  # a value that a model has guessed was used
        self._queues: dict[tuple[int, str], deque[Value]] = {}
        self.guesses: list[Question] = []
        self.is_past = False  # the execution has gone past the end of the trace
        self._bytes = TraceBytes(steps)
        self._changes = TraceChanges(steps) if filling == FILLINGS[0] else None
        self._absent: set[str] = set()  # weak symbols
        for step in steps:
            self._absent.update(each.variable.name for each in step.reads if each.value is False and not each.path)
            marked = attribute(step.statement.attributes, INPUT) if step.statement is not None else None
            if marked is not None and step.sets:
                assert step.statement is not None
                supply = str(marked.arguments[2])
                if is_bytes(supply):
                    continue
                key = supply or place_key(step.statement.span)
                self._queues.setdefault((step.thread, key), deque()).append(step.sets[0].value)

    def answer(self, question: Question) -> int | float | Extended | None:
        if question.kind == BYTES:
            return self._bytes_of(question)
        if question.kind == PRESENCE:
            return int(presence_of(question.name) not in self._absent)
        is_computed = question.kind == TEXT  # there is a text with this value
        self.has_guessed = self.has_guessed or (extent(question.span) in self._guesses and not is_computed)
        for key in keys_of(question):
            queue = self._queues.get((question.thread, key))
            if queue:
                return number_of(queue.popleft())
        if not question.is_needed and question.kind != CHANGED:
            return None
        if question.kind in RECORDED and not any(
            queue for (_, key), queue in self._queues.items() if key.partition(" ")[0] in RECORDED
        ):
            self.is_past = True
            return None
        self.guesses.append(question)
        if isinstance(question.type, PointerType):
            return 0
        if question.kind == CHANGED and self._changes is not None:
            read = self._changes.next(question)
            return self._filling if read is None else number_of(read)
        if self._filling is not None:
            return self._filling
        if question.kind == CHANGED and self._random.is_likely():
            return None  # it has its old value, as most numbers that a function may change
        return self._random.of_type(question.type)

    def _bytes_of(self, question: Question) -> int:
        assert isinstance(question.type, IntegerType)
        written = self._bytes.next(question.thread, bytes_key(question.name, question.span))
        if written is not None and not written.is_certain:
            self.guesses.append(question)
        return 0 if written is None else written.number(question.type.width // 8)


def extent(span: Span) -> tuple[Source, int, int]:
    """What equal places have in common."""
    return span.source, span.start, span.end


def place_key(span: object) -> str:
    return f"at {span}"


def keys_of(question: Question) -> tuple[str, ...]:
    """The possible names of the input for a question."""
    own = f"{question.kind} {question.name} {question.span}"
    return f"{own}{LEAF}{question.part}", own, place_key(question.span)


def number_of(value: Value) -> int | Extended:
    """A value of a trace as a number of the machine, which converts it to a `float` or a `double` if needed."""
    if not isinstance(value, FloatValue):
        assert isinstance(value, int)
        return int(value)
    magnitude = None if is_nan(value) or is_infinite(value) else abs(exact(value))
    return Extended(magnitude, negative=is_negative_bit(value), is_nan=is_nan(value))


@final
class MachineReplays:
    """One machine for all traces of a program."""

    def __init__(self, presentation: Presentation, options: Options) -> None:
        from remuda.frontends.c.lowering.display import CPresentation

        assert isinstance(presentation, CPresentation)
        self._options = options
        self._presentation = presentation
        self._unit = presentation.reproduction.unit
        self._has_threads = presentation.reproduction.has_threads
        self._excuse = excuse(presentation, options)
        self._execution: Execution | None = None
        self._constants: list[int] | None = None  # that the program mentions

    def replay(self, replay: Replay, check: Check, own: Collection[Variable] = ()) -> Seen:
        """Run the execution of a trace, to see whether it fails on the machine. `own` are the thread-local
        globals."""
        if self._excuse or check.kind not in CLAIMED | set(CHECKS):
            return Seen(
                unconfirmed=f"not run: {self._excuse or f'it does not know assertions of the kind {check.kind}'}"
            )
        first, steps = self._run(replay, check, own, 0)
        for attempt in range(1, MOST_FILLINGS):
            if not first.unconfirmed or not first.is_filled or steps > MOST_STEPS_OF_FILLINGS:
                break
            seen, more_steps = self._run(replay, check, own, attempt)
            steps += more_steps
            if not seen.problem and not seen.unconfirmed:
                return seen
        if first.unconfirmed and first.is_changed:
            # The translation may let a function change more than the machine: neighbours of what it is given, in the regions
            # of both; in flat memory, the whole object.
            return replace(first, problem=f"on the machine for C, {first.unconfirmed}", unconfirmed="")
        return first

    def _run(self, replay: Replay, check: Check, own: Collection[Variable], attempt: int) -> tuple[Seen, int]:
        """One run on the machine, and the number of its steps."""
        assert self._unit is not None
        if self._constants is None:
            self._constants = constants_of(self._unit)
        numbers = RandomNumbers(Random(attempt), self._constants)
        filling = FILLINGS[attempt] if attempt < len(FILLINGS) else None
        inputs = TraceInputs(replay.steps, self._presentation.guesses(check.kind), numbers, filling)
        settings = settings_of(self._options, check, FEWEST_STEPS + STEPS_FOR_STEP * len(replay.steps))
        schedule = TraceSchedule(replay.steps, own) if self._has_threads else None
        if self._execution is None:
            self._execution = Execution(self._unit, settings, inputs, schedule=schedule, tells=True)
        self._execution.settings, self._execution.inputs, self._execution.schedule = settings, inputs, schedule
        outcome = self._execution.run(replay.steps[0].procedure.removesuffix("$start"))
        obstacle = "" if schedule is None else schedule.obstacle(outcome)
        seen = _judge(outcome, check, inputs, obstacle)
        is_changed = any(guess.kind == CHANGED for guess in inputs.guesses)
        seen = replace(seen, guesses=inputs.has_guessed, is_filled=bool(inputs.guesses), is_changed=is_changed)
        story = self._execution.story
        assert story is not None
        is_shown = not seen.problem and not seen.unconfirmed and story.is_complete
        return replace(seen, events=tuple(story.events)) if is_shown else seen, outcome.steps


def settings_of(options: Options, check: Check | None, most_steps: int) -> Settings:
    """The settings of the machine for a program, to watch one assertion."""
    asked = PROPERTY_CHECKS.get(options.property, ())
    checks = checks_of((*options.check, *asked))
    return Settings(
        error_labels=frozenset(options.error_label),
        tolerated=TOLERATED,
        strict_bounds="bounds" in checks,
        strict_conversions="conversion" in checks,
        strict_pointers="pointer" in checks,
        library=_names_of_library(),
        only_checks=bool(asked),
        finds_leaks=check is not None and check.kind == "leak",
        goes_on=options.on_failure == "continue",
        watched=None if check is None else (check.span.source.name, check.span.line),
        watched_causes=frozenset() if check is None else _causes(check.kind),
        most_steps=most_steps,
    )


@cache
def _names_of_library() -> frozenset[str]:
    """The functions that have a model in the translation. They are no inputs on the machine, either."""
    from remuda.frontends.c.library.table import LIBRARY

    return frozenset(LIBRARY)


def excuse(presentation: CPresentation, options: Options) -> str:
    """The reason why no execution of a program can run on the machine, if there is one."""
    if presentation.reproduction.unit is None:
        return "its source is not at hand"
    if options.integers == "math":
        return "integers of the machine are not mathematical"
    return ""


def _judge(outcome: ExecutionOutcome, check: Check, inputs: TraceInputs, deviation: str) -> Seen:
    left_open = tuple(dict.fromkeys(map(str, outcome.opens)))
    if is_failure_of(outcome, check):
        if check.kind in CLAIMED and str(outcome.span) != str(check.span):
            return Seen(unconfirmed=f"what fails there is elsewhere in the line: {outcome}", left_open=left_open)
        return Seen(left_open=left_open)
    if deviation:
        return Seen(unconfirmed=f"the run does not show it: the schedule could not be followed: {deviation}")
    if inputs.is_past and not inputs.guesses:
        return Seen(f"on the machine for C, nothing fails before {outcome.span}, where the trace is over")
    if outcome.end in {End.NOT_MODELLED, End.LIMIT, End.NO_INPUT}:
        return Seen(unconfirmed=f"the run was cut short: {outcome}")
    if inputs.guesses:
        guess = inputs.guesses[0]
        what = f"{guess.name or guess.kind} ({guess.span})"
        return Seen(unconfirmed=f"the run does not show it: the trace has no value for {what}", left_open=left_open)
    return Seen(f"on the machine for C, {_in_words(outcome)}")


def is_failure_of(outcome: ExecutionOutcome, check: Check) -> bool:
    """Whether an execution ended in the failure of an assertion."""
    place = (check.span.source.name, check.span.line)
    if check.kind == "uninitialized":
        return any(
            UNINITIALIZED in each.text and (each.span.source.name, each.span.line) == place for each in outcome.opens
        )
    if check.kind == "leak":
        return outcome.cause is Cause.LEAK
    if outcome.span is None or (outcome.span.source.name, outcome.span.line) != place:
        return False
    if check.kind in CLAIMED:
        return outcome.end is End.FAILED
    return outcome.end is End.UNDEFINED and outcome.cause in _causes(check.kind)


def _causes(kind: str) -> frozenset[Cause]:
    """The kinds of undefined behaviour that a generated check of a kind is about."""
    kinds = next((group for group in ALIKE if kind in group), frozenset({kind}))
    return frozenset(cause for cause in Cause if cause.value in kinds)


def _in_words(outcome: ExecutionOutcome) -> str:
    match outcome.end:
        case End.FAILED:
            return f"another assertion fails: {outcome}"
        case End.ASSUMED:
            return f"an assumption does not hold: {outcome}"
        case End.UNDEFINED:
            return f"something undefined happens before: {outcome}"
        case _:
            return f"nothing fails: {outcome}"
