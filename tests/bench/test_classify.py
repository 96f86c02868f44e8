"""Judging verdicts against expectations, with and without bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from remuda.bench.classify import Judgement, judge
from remuda.tasks import Expectation, Task, TaskOptions


def make_task(
    *,
    verdict: bool | None,
    bound: int | None = None,
    unbounded: Expectation | None = None,
    whole: Expectation | None = None,
) -> Task:
    options = TaskOptions(
        recursion_bound=bound,
        unbounded_verdict=unbounded,
        whole_program_verdict=whole,
        semantics="modular" if whole else "",
    )
    path = Path("suite/task.yml")
    return Task(name="task", path=path, inputs=(), property_name="unreach-call", verdict=verdict, options=options)


@pytest.mark.parametrize(
    ("expected", "verdict", "judgement"),
    [
        (True, "proved", Judgement.CORRECT),
        (True, "bounded", Judgement.BOUNDED),
        (True, "violated", Judgement.WRONG),
        (False, "proved", Judgement.WRONG),
        (False, "bounded", Judgement.MISSED),
        (False, "violated", Judgement.CORRECT),
        (None, "proved", Judgement.UNJUDGED),
        (None, "bounded", Judgement.UNJUDGED),
        (None, "violated", Judgement.UNJUDGED),
        (True, "unknown", Judgement.UNKNOWN),
        (False, "error", Judgement.ERROR),
        (False, "skipped", Judgement.SKIPPED),
    ],
)
def test_without_a_stated_bound(expected: bool | None, verdict: str, judgement: Judgement) -> None:
    assert judge(make_task(verdict=expected), verdict, 4) is judgement


@pytest.mark.parametrize(
    ("reason", "judgement"),
    [
        ("timeout", Judgement.TIMEOUT),
        ("memory", Judgement.MEMORY),
        ("yield is not supported", Judgement.UNKNOWN),
        ("", Judgement.UNKNOWN),
    ],
)
def test_reasons_of_unknown(reason: str, judgement: Judgement) -> None:
    assert judge(make_task(verdict=True), "unknown", None, reason) is judgement


@pytest.mark.parametrize(
    ("ran", "judgement"),
    [(2, Judgement.MISSED), (3, Judgement.WRONG), (9, Judgement.WRONG), (None, Judgement.MISSED)],
)
def test_violations_within_the_stated_bound_must_be_found(ran: int | None, judgement: Judgement) -> None:
    assert judge(make_task(verdict=False, bound=3), "bounded", ran) is judgement


@pytest.mark.parametrize(
    ("ran", "unbounded", "judgement"),
    [
        (3, "false", Judgement.WRONG),  # within the bound nothing fails
        (2, "false", Judgement.WRONG),
        (4, "false", Judgement.CORRECT),
        (4, "true", Judgement.WRONG),
        (4, "unknown", Judgement.UNJUDGED),
        (4, None, Judgement.UNJUDGED),
    ],
)
def test_a_violation_beyond_the_stated_bound(ran: int, unbounded: Expectation | None, judgement: Judgement) -> None:
    assert judge(make_task(verdict=True, bound=3, unbounded=unbounded), "violated", ran) is judgement


def test_a_proof_of_what_holds_only_within_the_bound_is_wrong() -> None:
    assert judge(make_task(verdict=True, bound=3, unbounded="false"), "proved", 3) is Judgement.WRONG
    assert judge(make_task(verdict=True, bound=3, unbounded="true"), "proved", 3) is Judgement.CORRECT
    assert judge(make_task(verdict=True, bound=3), "proved", 3) is Judgement.CORRECT


def test_modular_tasks_are_judged_by_the_whole_program_verdict() -> None:
    assert judge(make_task(verdict=False, whole="true"), "proved", None) is Judgement.CORRECT
    assert judge(make_task(verdict=False, whole="unknown"), "violated", None) is Judgement.UNJUDGED


@pytest.mark.parametrize(
    ("ran", "judgement"), [(2, Judgement.TIMEOUT), (3, Judgement.BOUNDED), (8, Judgement.BOUNDED)]
)
def test_less_than_the_stated_bound_is_no_answer(ran: int, judgement: Judgement) -> None:
    assert judge(make_task(verdict=True, bound=3), "bounded", ran) is judgement
