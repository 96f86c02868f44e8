"""The default: one search at first, and then other strategies beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from benchmarks.families import dag_fig2, fmcad14_fig1
from remuda.options import Options
from remuda.portfolio import coordinator, verification
from remuda.portfolio.strategies import entry_search
from remuda.results.report import Report, Verdict
from remuda.session import verify, verify_files
from tests.golden_programs import C_PROGRAMS, PROGRAMS, expected_by_line, options_of, verdicts_by_line

if TYPE_CHECKING:
    from pathlib import Path

    from remuda.jobs.worker import Send
    from remuda.portfolio.coordinator import Finding
    from remuda.portfolio.job import Job
    from remuda.portfolio.race import Inbox
    from remuda.results.progress import Progress

TWO = Options(jobs=2)
INVARIANT = """
procedure {:entrypoint} main(n: int) requires n >= 0;
{
  var i: int, s: int;
  i := 0; s := 0;
  while (i < n) invariant 0 <= i && i <= n && s == i * n; { i := i + 1; s := s + n; }
  assert s == n * n;
}
"""
SLOW = """
procedure {:entrypoint} main(n: int) {
  var i, a, b, c: int; i := 0; a := n; b := n; c := n;
  while (*) { i := i + 1; a := a * b + c; b := b * c + a; c := c * a + b; }
  assert i < 1000 || a * b * c != 1234567;
}
"""
LATE = """
procedure {:entrypoint} main() { var i, x: int; i := 0; while (*) { i := i + 1; havoc x; assert i != 20 || x != 4711; } }
"""

TWO_ENTRIES = """
void __VERIFIER_assert(int condition);
int nondet(void);
unsigned state = 1;
void run(void) {
  while (nondet()) state = state * state * state + 2 * state;
  __VERIFIER_assert(state != 12344);
}
int main(void) { state = 3; run(); return 0; }
"""


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All strategies begin at once."""
    monkeypatch.setattr(verification, "HEAD_START", 0.0)
    monkeypatch.setattr(entry_search, "HEAD_START", 0.0)


def strategies(report: Report) -> set[str]:
    return {result.strategy for result in report.assertions}


@pytest.mark.parametrize(("text", "verdict"), [(fmcad14_fig1(20), Verdict.PROVED), (dag_fig2(200), Verdict.PROVED)])
def test_deep_assertions_need_no_option(text: str, verdict: Verdict) -> None:
    report = verify(text, TWO)
    assert report.verdict is verdict
    assert strategies(report) == {"lifted"}
    assert {"search", "lifted"} <= {each.name for each in report.strategies}


def test_stated_invariants_need_no_option() -> None:
    report = verify(INVARIANT, TWO)
    assert report.verdict is Verdict.PROVED


def test_searches_go_on_beyond_the_first_bound() -> None:
    report = verify(LATE, TWO)
    assert report.verdict is Verdict.VIOLATED
    assert strategies(report) == {"deeper"}


def test_a_bound_of_the_users_own_is_kept() -> None:
    report = verify(LATE, Options(jobs=2, bound=4))
    assert report.verdict is Verdict.BOUNDED
    assert [result.bound for result in report.assertions] == [4]


def test_what_ends_in_a_moment_has_no_other_process() -> None:
    report = verify("procedure {:entrypoint} main() { var x: int; x := 1; assert x == 1; }", TWO)
    assert report.verdict is Verdict.PROVED
    assert report.strategies == []


@pytest.mark.usefixtures("at_once")
def test_all_strategies_start_in_the_same_entries() -> None:
    report = verify(TWO_ENTRIES, replace(TWO, language="c", entry=("run", "main")))
    assert report.notes == []
    assert report.verdict is Verdict.PROVED


@pytest.mark.slow
def test_a_question_ends_whose_work_the_solver_does_not_count() -> None:
    report = verify(SLOW, replace(TWO, jobs=1))
    assert report.verdict is Verdict.BOUNDED


@pytest.mark.usefixtures("at_once")
def test_progress_names_the_strategies_that_run() -> None:
    seen: list[Progress] = []
    report = verify(SLOW, Options(jobs=2, timeout=3), progress=seen.append)
    assert report.assertions
    together = [progress for progress in seen if progress.strategies]
    assert any("search" in progress.strategies for progress in together)
    assert any(len(progress.strategies) == 2 for progress in together)
    assert all(progress.assertions == 1 for progress in together)
    assert [progress.seconds for progress in together] == sorted(progress.seconds for progress in together)


def test_the_clock_goes_on_while_a_solver_works() -> None:
    seen: list[Progress] = []
    verify(SLOW, Options(engine="dag", solver="z3", timeout=2), progress=seen.append)
    seconds = [progress.seconds for progress in seen]
    assert len(set(seconds)) >= 10  # of two seconds, while there are a few queries
    assert seconds == sorted(seconds)


def test_a_strategy_that_fails_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, send: Send, inbox: Inbox, job: Job) -> Finding:  # noqa: ARG001
        raise RuntimeError("broken")

    monkeypatch.setattr(coordinator.Coordinator, "_perform", fail)
    report = verify(LATE, TWO)
    assert report.verdict is Verdict.BOUNDED
    assert any("RuntimeError: broken" in note for note in report.notes)


SOME = [*PROGRAMS[::6], *C_PROGRAMS[::6]]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("program", SOME, ids=lambda path: path.stem)
def test_all_strategies_together_say_the_same(program: Path) -> None:
    check_program(program)


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("program", [*PROGRAMS, *C_PROGRAMS], ids=lambda path: path.stem)
def test_all_strategies_together_say_the_same_of_every_program(program: Path) -> None:
    check_program(program)


def check_program(program: Path) -> None:
    text = program.read_text()
    report = verify_files([str(program)], replace(options_of(text), houdini=None, jobs=2, timeout=60))
    found = verdicts_by_line(report)
    for line, expected in expected_by_line(text).items():
        certain = [each for each in expected if each in {"violated", "unknown"}]
        assert [each for each in found[line] if each in {"violated", "unknown"}] == certain
        assert found[line].count("bounded") <= expected.count("bounded")
    assert not any("disagree" in note for note in report.notes)
