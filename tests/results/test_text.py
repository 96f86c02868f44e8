"""The text report, line by line."""

from __future__ import annotations

from dataclasses import replace

from remuda.base.reasons import MEMORY, TIMEOUT, Reason
from remuda.results.report import Assumption, Report, Statistics, Verdict
from remuda.results.text import TextStyle, count_phrases, render, shorten, summary_line
from tests.results.sample_reports import mixed_report, result, steps

GOLDEN = """\
VIOLATED     queue.bpl:14:3  assert size <= limit  [queue.bpl:Push:assert:1]
             assumes: `Log` has no body: it may do anything its contract allows
PROVED       queue.bpl:30:3  assert size <= limit  [queue.bpl:Pop:assert:1]
BOUNDED(4)   queue.bpl:40:3  assert size <= limit  [queue.bpl:Peek:assert:1]
UNREACHABLE  queue.bpl:9:3   assert size <= limit  [queue.bpl:Grow:assert:1]
UNKNOWN      queue.bpl:50:3  assert size <= limit  [queue.bpl:Shrink:assert:1]
             reason: timeout

counterexample to queue.bpl:Push:assert:1
             20:1  start in main            size = 3, limit = 3
             21:6  branch on size > 0       size = 3
             22:3  call Log();
             22:3  call done := Push(7);
             22:3  back in main             done = true
             22:3  call Push(7);
             11:3    print                  hello
             12:3    size := size + 1;      size = 4
  prelude.bpl:2:1    havoc m;               m[3] = true
             14:3    assert size <= limit;  size = 4, limit = 3  <- fails

assumed without proof:
  - axiom at queue.bpl:1:1: axiom limit > 0;

verdict: violated (1 violated, 1 unknown, 1 bounded up to 4, 1 unreachable, 1 proved) in 0.3 s
"""


def test_every_verdict() -> None:
    assert render(mixed_report(), TextStyle()) == GOLDEN


def test_quiet_is_the_verdict_alone() -> None:
    assert render(mixed_report(), TextStyle(quiet=True)).splitlines() == GOLDEN.splitlines()[-1:]


def test_statistics_are_shown_when_asked() -> None:
    text = render(mixed_report(), TextStyle(quiet=True, statistics=True))
    assert "procedure instances   5 (9 without sharing)\n" in text
    assert "solver seconds        0.250\n" in text


def test_colour_changes_nothing_but_colour() -> None:
    colored = render(mixed_report(), TextStyle(color=True))
    assert "\x1b[1;31mVIOLATED\x1b[0m" in colored
    for code in ("0", "1", "2", "1;31", "1;32", "1;33", "1;35", "1;36"):
        colored = colored.replace(f"\x1b[{code}m", "")
    assert colored == GOLDEN


def test_a_run_cut_short_says_so() -> None:
    results = [result("P", 1, Verdict.PROVED), result("Q", 2, Verdict.UNKNOWN, why=TIMEOUT)]
    report = Report("x.bpl", results, stopped=TIMEOUT, statistics=Statistics(seconds=2))
    assert summary_line(report, TextStyle()) == (
        "verdict: unknown (1 unknown, 1 proved) in 2.0 s; queue.bpl:2:3 is unknown: timeout; stopped early: timeout"
    )


def test_a_run_that_ends_before_it_knows_the_assertions_says_so() -> None:
    report = Report("x.bpl", stopped=MEMORY)
    assert summary_line(report, TextStyle()) == (
        "verdict: unknown (no assertions) in 0.0 s; stopped before the assertions were known: memory;"
        " stopped early: memory"
    )


def test_unknown_assertions_are_counted_behind_the_first() -> None:
    results = [result("P", line, Verdict.UNKNOWN, why=Reason("the solver gave up")) for line in (1, 2, 3)]
    assert summary_line(Report("x.bpl", results), TextStyle()) == (
        "verdict: unknown (3 unknown) in 0.0 s; queue.bpl:1:3 is unknown: the solver gave up (and 2 more)"
    )


def test_nothing_checked_is_no_proof() -> None:
    report = Report("x.bpl", nothing_checked="nothing to check: the program has no assertion")
    assert render(report, TextStyle()) == (
        "verdict: nothing-checked (no assertions) in 0.0 s; nothing to check: the program has no assertion\n"
    )


def test_a_property_that_nothing_can_violate_is_proved() -> None:
    assert render(Report("x.bpl"), TextStyle()) == "verdict: proved (nothing can fail) in 0.0 s\n"


def test_bounds_are_counted_apart() -> None:
    results = [result("P", 1, Verdict.BOUNDED, bound=bound) for bound in (4, 2, 4)]
    unreachable = result("Q", 1, Verdict.UNREACHABLE, bound=4)
    phrases = count_phrases(Report("x.bpl", [unreachable, *results]))
    assert phrases == ["1 bounded up to 2", "2 bounded up to 4", "1 unreachable up to 4"]


def test_hidden_steps_are_counted_in_the_text() -> None:
    report = mixed_report()
    report.assertions[0] = replace(report.assertions[0], trace=steps() * 10)
    text = render(report, TextStyle(trace_steps=8))
    assert "  (110 steps; --verbose shows all of them)\n" in text
    assert " left out)\n" in text
    everything = render(report, TextStyle(trace_steps=8, verbose=True))
    assert " left out)\n" not in everything
    assert everything.count("size := size + 1;") == 10


def test_many_values_are_counted() -> None:
    values = tuple((f"x{number}", "0") for number in range(10))
    report = mixed_report()
    report.assertions[0] = replace(report.assertions[0], trace=(replace(steps()[0], values=values),))
    assert "x7 = 0, and 2 more\n" in render(report, TextStyle())
    assert "x8 = 0, x9 = 0\n" in render(report, TextStyle(verbose=True))


def test_many_assumptions_are_grouped_by_kind() -> None:
    report = mixed_report()
    report.assumed += [Assumption("axiom", f"queue.bpl:{line}:1", "axiom ...") for line in range(2, 9)]
    report.assumed += [Assumption("no body", name, f"{name} has no body") for name in "abcdefg"]
    report.assumed += [Assumption("free ensures", name, f"1 free ensures of {name}") for name in "pq"]
    report.assumed += [Assumption("requires", "main", "the requires of main")]
    assert (
        "assumed without proof (--verbose lists everything):\n"
        "  - 8 axioms, the first at queue.bpl:1:1\n"
        "  - 7 procedures without a body: a, b, c, d, e, ...\n"
        "  - free ensures of 2 procedures: p, q\n"
        "  - the requires of main\n"
    ) in render(report, TextStyle())
    assert "  - g has no body\n" in render(report, TextStyle(verbose=True))


def test_many_assumptions_of_one_verdict_are_counted() -> None:
    report = mixed_report()
    assumed = ("axiom: too many values (a)", "axiom: too many values (b)", "axiom: open (c)", "assumption: open (d)")
    report.assertions[0] = replace(report.assertions[0], assumed=assumed)
    assert "assumes: 3 x axiom, 1 x assumption (--verbose lists everything)\n" in render(report, TextStyle())
    assert "assumes: axiom: open (c)\n" in render(report, TextStyle(verbose=True))


def test_long_conditions_are_cut() -> None:
    assert shorten("x" * 100, 10) == "xxxxxxx..."


def test_notes_are_shown() -> None:
    report = Report("q.bpl", notes=["--merge optimal is too expensive"])
    assert "note: --merge optimal is too expensive\n" in render(report, TextStyle())
    assert "note:" not in render(report, TextStyle(quiet=True))


def test_how_a_violation_was_confirmed() -> None:
    violated = replace(mixed_report().assertions[0], trace=None, assumed=())

    def lines(confirmed: tuple[str, ...], unconfirmed: tuple[str, ...] = ()) -> list[str]:
        report = Report("x.c", assertions=[replace(violated, confirmed=confirmed, unconfirmed=unconfirmed)])
        return [line.strip() for line in render(report, TextStyle()).splitlines()[1:-2]]

    assert lines(("replayed",)) == []
    assert lines(("replayed", "compiled")) == ["confirmed: replayed, compiled"]
    assert lines(("machine",)) == ["confirmed: machine"]
    assert lines(("replayed",), ("compiled: not run: threads",)) == [
        "confirmed: replayed",
        "not confirmed: compiled: not run: threads",
    ]
