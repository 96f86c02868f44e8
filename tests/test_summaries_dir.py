"""Verdicts with a folder of earlier runs are those without it, whatever was edited in between."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.base.errors import RemudaError
from remuda.options import Options
from remuda.results.report import Verdict
from tests.hypothesis_settings import few, many
from tests.oracle import Oracle
from tests.patience import PATIENCE
from tests.random_edits import random_edit
from tests.random_programs import DOMAIN, random_program
from tests.verify_text import verify

if TYPE_CHECKING:
    from remuda.results.report import Report

STEPS = 500


def random_options(random: Random) -> Options:
    """Mostly the same from run to run, so that something is found."""
    return Options(
        houdini=random.choice([False, False, None, True]),
        bound=random.choice([2, 2, 2, 3]),
        engine=random.choice(["auto", "auto", "stratified", "alternating", "static", "horn"]),
        search=random.choice(["auto", "auto", "under"]),
        abstract=random.choice([None, None, True]),
        lift=random.random() < 0.15,
        unroll=random.random() < 0.9,
        reachability=random.random() < 0.9,
        implications=random.choice(["auto", "auto", "auto", "forward", "off"]),
        timeout=PATIENCE,
    )


@pytest.fixture(autouse=True)
def a_few_assertions_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs with enough assertions to be compared, so that implications are kept too."""
    monkeypatch.setattr("remuda.implications.order.MANY", 2)


def violated(report: Report) -> set[str]:
    return {result.identifier for result in report.assertions if result.verdict is Verdict.VIOLATED}


def check_edits(random: Random, edits: int, counts: dict[str, int] | None = None) -> None:
    """A row of edits, some of them undone, with one folder."""
    text = random_program(random, sharing=random.random() < 0.3).text
    options = random_options(random)
    earlier = [text]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(edits):
            check_one(text, replace(options, summaries_dir=folder), counts)
            text = random.choice(earlier) if random.random() < 0.15 else random_edit(text, random)
            earlier.append(text)
            if random.random() < 0.15:
                options = random_options(random)


def check_one(text: str, options: Options, counts: dict[str, int] | None) -> None:
    try:
        scratch = verify(text, replace(options, summaries_dir=""))
    except RemudaError:
        return  # the edit has left no program
    report = verify(text, options)
    assert report.notes == scratch.notes
    assert [each.identifier for each in report.assertions] == [each.identifier for each in scratch.assertions]
    unsure = {each.identifier for each in scratch.assertions if each.verdict is Verdict.UNKNOWN}
    assert violated(report) - unsure == violated(scratch) - unsure, text
    wrong = [complaint for complaint in complaints(text, options, report) if "violated, but" not in complaint]
    assert not wrong, f"{wrong}\n{text}"
    if counts is not None:
        statistics = report.statistics
        counts["runs"] = counts.get("runs", 0) + 1
        counts["assertions"] = counts.get("assertions", 0) + len(report.assertions)
        counts["reused"] = counts.get("reused", 0) + statistics.verdicts_reused
        counts["implied"] = counts.get("implied", 0) + statistics.implied
        counts["rechecked"] = counts.get("rechecked", 0) + statistics.verdicts_rechecked
        counts["loaded"] = counts.get("loaded", 0) + statistics.summaries_loaded
        counts["summaries rechecked"] = counts.get("summaries rechecked", 0) + statistics.summaries_rechecked
        counts["found"] = counts.get("found", 0) + statistics.summaries_found
        for one, other in zip(report.assertions, scratch.assertions, strict=True):
            if one.verdict is not other.verdict:
                name = f"{other.verdict.value} is {one.verdict.value}"
                counts[name] = counts.get(name, 0) + 1


def complaints(text: str, options: Options, report: Report) -> list[str]:
    """The verdicts by executions. An edited program may have too many to run all, so assertions without a failure are
    open."""
    try:
        return Oracle(text, options, DOMAIN, STEPS).complaints(report)
    except AssertionError:
        return []


@given(st.randoms(use_true_random=False))
@few(8)
def test_edited_programs_get_the_verdicts_that_they_get_without_a_folder(random: Random) -> None:
    check_edits(random, edits=4)


@pytest.mark.slow
@given(st.randoms(use_true_random=False))
@many(400)
def test_many_edited_programs_get_the_verdicts_that_they_get_without_a_folder(random: Random) -> None:
    check_edits(random, edits=8)
