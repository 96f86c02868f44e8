"""Reasons: the texts that reports show, and the causes that code asks for."""

from __future__ import annotations

import pickle

import pytest

from remuda.base import reasons
from remuda.base.reasons import EFFORT, INTERRUPTED, MEMORY, NO_REASON, TIMEOUT, Cause, Reason


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (NO_REASON, ""),
        (TIMEOUT, "timeout"),
        (TIMEOUT.before("bound 8"), "timeout before bound 8"),
        (TIMEOUT.before("3 rounds").but("2 rounds"), "timeout before 3 rounds; 2 rounds"),
        (
            EFFORT.but("no violation up to bound 3"),
            "the effort that was allowed is spent; no violation up to bound 3",
        ),
        (
            Reason("not reached within bound 2").but("", "try `--bound 4`"),
            "not reached within bound 2; try `--bound 4`",
        ),
        (NO_REASON.but("known"), "known"),
        (TIMEOUT.but("first").but("second"), "timeout; first; second"),
    ],
)
def test_texts(reason: Reason, text: str) -> None:
    assert str(reason) == text


def test_more_text_changes_no_cause() -> None:
    assert TIMEOUT.before("bound 8").but("more").cause is Cause.TIME
    assert Reason("timeout").cause is None  # the text decides nothing


@pytest.mark.parametrize("stopped", [MEMORY, INTERRUPTED])
def test_another_limit_takes_the_place_of_the_time_limit(stopped: Reason) -> None:
    told = TIMEOUT.before("bound 8").but("cut at the bound: f").because_of(stopped)
    assert str(told) == f"{stopped} before bound 8; cut at the bound: f"
    assert told.cause is stopped.cause


def test_reasons_are_values() -> None:
    told = TIMEOUT.before("bound 8").but("more")
    assert pickle.loads(pickle.dumps(told)) == told
    assert TIMEOUT.but() == TIMEOUT
    assert TIMEOUT.but("more") != TIMEOUT


def test_every_named_reason_has_a_cause_and_a_text() -> None:
    named = [each for each in vars(reasons).values() if isinstance(each, Reason) and each is not NO_REASON]
    assert len(named) > 5
    assert all(each.cause is not None and str(each) for each in named)
