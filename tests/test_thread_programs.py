"""Verdicts on small concurrent programs, in Boogie and in C, compared with running their interleavings by a semantics of
their own (`tests/thread_programs.py`): for rounds and for delays, with assertions lifted and not.

Each violation that such a schedule reaches must be found, and nothing may be reported that no interleaving reaches. The
fast run takes the same programs every time; `make slow` takes new ones, and many more.
"""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import Verdict
from tests.hypothesis_settings import few, many
from tests.patience import PATIENCE
from tests.thread_programs import Bound, ThreadProgram, TooMany, random_program, schedules, written

NAMES: Final = {"boogie": "random.bpl", "c": "random.c"}
BOUNDS: Final = [
    *(Bound(rounds=rounds, lifted=lifted) for rounds in (1, 2, 3) for lifted in (False, True)),
    *(Bound(delays=delays, lifted=lifted) for delays in (0, 1, 2) for lifted in (False, True)),
]


def check_verdicts(program: ThreadProgram, bound: Bound) -> None:
    try:
        within, ever = schedules(program, bound), schedules(program)
    except TooMany:
        return
    assert within <= ever
    made = written(program)
    options = Options(
        rounds=bound.rounds or 1,
        delays=bound.delays,
        lift=bound.lifted,
        scheduling="cooperative" if program.cooperative else "preemptive",
        check_ir=True,
        challenge=0.0,  # random schedules go beyond the bound
        timeout=PATIENCE,
    )
    report = run([Source(NAMES[program.language], made.text)], options, send=lambda _: None)
    verdicts = {result.location.line: result for result in report.assertions}
    assert sorted(verdicts) == sorted(made.lines), made.text
    for line, result in verdicts.items():
        told = f"{bound}, line {line}: {result.verdict.value} {result.reason}\n{made.text}"
        assert result.verdict is not Verdict.UNKNOWN, told
        if result.verdict is Verdict.VIOLATED and program.language == "c":
            assert "machine" in result.confirmed, f"{told} {result.unconfirmed}"
        if line in within:
            assert result.verdict is Verdict.VIOLATED, told
        if line not in ever:
            assert result.verdict is not Verdict.VIOLATED, told
        else:
            assert result.verdict in {Verdict.VIOLATED, Verdict.BOUNDED}, told


def check_seed(language: str, seed: int) -> None:
    random = Random(seed)
    check_verdicts(random_program(random, language), random.choice(BOUNDS))


@pytest.mark.parametrize("language", ["boogie", "c"])
@few(20)
@given(seed=st.integers(0, 1_000_000))
def test_verdicts_are_those_of_every_interleaving(language: str, seed: int) -> None:
    check_seed(language, seed)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["boogie", "c"])
@many(2000)
@given(seed=st.integers(0, 1_000_000_000))
def test_verdicts_on_many_programs(language: str, seed: int) -> None:
    check_seed(language, seed)
