"""Judges answers: compares a verdict with the expectation of the task.

An expectation may hold only "under the bounds given". Then `true` means that no assertion fails within the task's own
bound, and a run with a larger bound may find a violation; `false` means that a run with at least that bound must find
one.

| verdict  | expected true               | expected false                                              |
|----------|-----------------------------|-------------------------------------------------------------|
| proved   | correct                     | WRONG                                                       |
| bounded  | correct within the bound    | missed; WRONG if the task's own bound was covered           |
| violated | WRONG                       | correct                                                     |

`nothing-checked` counts as `proved`: a task asks whether an assertion can fail, and none can.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from remuda.tasks import expected

if TYPE_CHECKING:
    from remuda.tasks import Expectation, Task


class Judgement(Enum):
    """The judgement of one run."""

    CORRECT = "correct"  # the expected answer, without a bound
    BOUNDED = "bounded"  # no violation up to the bound, and none is expected
    MISSED = "missed"  # no violation up to the bound, but one is expected beyond it
    WRONG = "wrong"  # the answer contradicts the expectation
    UNJUDGED = "unjudged"  # an answer without an expectation
    UNKNOWN = "unknown"  # no answer
    TIMEOUT = "timeout"  # no answer: out of time
    MEMORY = "memory"  # no answer: out of memory
    ERROR = "error"  # the tool failed
    SKIPPED = "skipped"  # the tool does not support this property


def judge(task: Task, verdict: str, bound: int | None, reason: str = "") -> Judgement:
    """Judge a verdict (`proved`, `nothing-checked`, `bounded`, `violated`, `unknown`, `error`, `skipped`) of a run
    with a bound."""
    match verdict:
        case "violated":
            return _judge_violated(task, bound)
        case "proved" | "nothing-checked":
            return _judge_proved(task)
        case "bounded":
            return _judge_bounded(task, bound)
        case "error":
            return Judgement.ERROR
        case "skipped":
            return Judgement.SKIPPED
    if reason.startswith("timeout"):
        return Judgement.TIMEOUT
    return Judgement.MEMORY if reason.startswith("memory") else Judgement.UNKNOWN


def _judge_violated(task: Task, bound: int | None) -> Judgement:
    answers = {"true": Judgement.WRONG, "false": Judgement.CORRECT}
    stated = task.options.recursion_bound
    beyond = stated is not None and (bound is None or bound > stated)
    wanted = expected(task)
    if wanted == "true" and beyond:
        wanted = task.options.unbounded_verdict
    return answers.get(wanted or "", Judgement.UNJUDGED)


def _judge_proved(task: Task) -> Judgement:
    wanted = expected(task)
    if wanted == "false" or _fails_without_bounds(task):
        return Judgement.WRONG
    return Judgement.CORRECT if wanted == "true" else Judgement.UNJUDGED


def _fails_without_bounds(task: Task) -> bool:
    return task.options.unbounded_verdict == "false"


def _judge_bounded(task: Task, bound: int | None) -> Judgement:
    wanted: Expectation | None = expected(task)
    stated = task.options.recursion_bound
    if wanted == "true":
        is_short = stated is not None and bound is not None and bound < stated
        return Judgement.TIMEOUT if is_short else Judgement.BOUNDED
    if wanted != "false":
        return Judgement.UNJUDGED
    covered = stated is not None and bound is not None and bound >= stated
    return Judgement.WRONG if covered else Judgement.MISSED
