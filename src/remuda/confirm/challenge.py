"""Challenges proofs of C programs for a short time: the machine for C runs the program on random and extreme inputs.

If an assertion fails there although it is proved, Remuda contradicts itself, and the verdict becomes unknown. An
assertion that holds up to a bound may fail beyond it: then the translated program runs on the same inputs, and if it
fails, too, the assertion is violated, with that execution as its trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, final

from remuda.base import clock
from remuda.base.reasons import Cause, Reason
from remuda.confirm.machine_replays import ABOUT_MEMORY, CLAIMED, excuse
from remuda.confirm.random_executions import RandomExecutions, has_overflowed, has_unseen_ends
from remuda.machine.outcomes import End
from remuda.replay.narrate import location_of
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.base.source import Span
    from remuda.confirm.random_executions import RandomExecution, RandomInputs
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
UNDEFINED: Final = "an execution on random inputs does something undefined"
CLAIMS: Final = frozenset({Verdict.PROVED, Verdict.BOUNDED, Verdict.UNREACHABLE})
UNFINISHED: Final = frozenset({Cause.TIME, Cause.EFFORT, Cause.MEMORY, Cause.INCOMPLETE})


def kept_back(options: Options) -> float:
    """The seconds of the time limit that searches leave to a challenge: a few executions may show what searches have
    not found in all the other time."""
    if options.timeout is None or options.challenge == 0:
        return 0.0
    return min(MOST_KEPT_BACK, KEPT_BACK * options.timeout)


@final
class Challenge:
    """Random executions of one program."""

    def __init__(self, presentation: Presentation, options: Options, report: Report, show: Show) -> None:
        from remuda.frontends.c.lowering.display import CPresentation

        assert isinstance(presentation, CPresentation)
        self._has_threads = presentation.reproduction.has_threads
        self._is_excused = bool(excuse(presentation, options))
        self._options = options
        self._random = RandomExecutions(presentation, options)
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
        unseen = has_unseen_ends(results)
        for execution in self._executions(until):
            outcome, inputs = execution.outcome, execution.inputs
            self._note_undefined(outcome, inputs)
            is_over = unseen or self._random.has_ended(outcome)
            for position, failure in disagreeing(outcome, list(found.values())):
                if is_over or (_has_bound(found[position]) and has_overflowed(outcome)):
                    continue
                found[position] = self._shown(found[position], execution) or _unknown(
                    found[position], failure, inputs
                )
            if not any(map(_is_claim, found.values())):
                break
        self._report.statistics.challenge_seconds = clock.now() - began
        return list(found.values())

    def _shown(self, result: AssertionResult, execution: RandomExecution) -> AssertionResult | None:
        """A failure beyond the bound, as a violation, if the execution can be told as a trace."""
        if not _has_bound(result) or self._has_threads:
            return None
        violation = self._show(execution.entry, execution.inputs.told, result.identifier)
        return violation if violation is not None and violation.identifier == result.identifier else None

    def _note_undefined(self, outcome: ExecutionOutcome, inputs: RandomInputs) -> None:
        """Report an execution with undefined behaviour, because verdicts say little about such executions."""
        is_told = any(note.startswith(UNDEFINED) for note in self._report.notes)
        if outcome.end is End.UNDEFINED and not is_told and not self._options.check:
            self._report.notes.append(f"{UNDEFINED}: {outcome}; inputs: {inputs}")

    def _executions(self, until: float) -> Iterator[RandomExecution]:
        """Executions as long as there is time."""
        while (now := clock.now()) < until and not self._random.is_over:
            self._report.statistics.challenges += 1
            execution = self._random.next(max(FEWEST_STEPS, int(STEPS_PER_SECOND * (until - now))))
            clock.spend(execution.outcome.steps / STEPS_PER_SECOND)
            yield execution


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
