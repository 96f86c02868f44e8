"""Programs with threads: verdicts compared with running every schedule, and the parts that lead to them.

The fast run takes the same programs every time; `make slow` takes new ones, and many more.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.thread_states import ATOMIC, COMPANY, INTERRUPTIBLE
from remuda.analysis.threads import thread_facts
from remuda.frontends.boogie.load import load
from remuda.ir.check import check
from remuda.ir.printer import print_program
from remuda.ir.program import Assert, Call, Program
from remuda.ir.threads import starts_threads
from remuda.ir.trace import Choose, Enter, Event, Leave, Switch, Trace, Visit
from remuda.options import Options
from remuda.prepare.pipeline import base_program, prepare
from remuda.replay.explore import ExplorationLimits, explore
from remuda.replay.interpreter import replay
from remuda.results.json_report import schema, to_json
from remuda.results.report import Verdict
from remuda.results.text import TextStyle, render
from remuda.tasks import load_task, task_options
from remuda.terms.values import Interpretation
from remuda.transforms.drop_unread import DropUnread
from remuda.transforms.prune import PruneProcedures
from remuda.transforms.sequentialize import Schedules, Sequentialize
from tests.hypothesis_settings import few, many
from tests.oracle import source
from tests.patience import PATIENCE
from tests.random_threads import DOMAIN, ENTRY, random_threads
from tests.verify_text import verify

if TYPE_CHECKING:
    from pathlib import Path

FEW = 4_000  # statements that an exploration executes in the fast run


def base_of(text: str, options: Options | None = None) -> Program:
    base = base_program(load([source(text)]), options or Options())
    return PruneProcedures().apply(base).program


# --- verdicts about random programs


def seeds() -> st.SearchStrategy[int]:
    """Hypothesis prefers plain choices; programs must not be plain."""
    return st.integers(0, 1_000_000)


def check_verdicts(text: str, rounds: int, steps: int) -> None:
    """Exactly the assertions that fail on a schedule of this many rounds are violated; proved ones fail on none."""
    options = Options(rounds=rounds, bound=3, check_ir=True, timeout=PATIENCE)
    base = base_of(text, options)
    shared = frozenset(thread_facts(base).shared)
    limits = ExplorationLimits(steps=steps, rounds=rounds, shared=shared)
    within = explore(base, entry=ENTRY, havoc_domain=DOMAIN, limits=limits)
    for trace in within.failing.values():
        played = replay(base, trace)
        assert played.ok, played.why
    if "steps" in within.cut:
        return
    everything = explore(base, entry=ENTRY, havoc_domain=DOMAIN, limits=ExplorationLimits(steps=2 * steps))
    failing = {check.identifier for check in within.failing}
    failing_ever = failing | {check.identifier for check in everything.failing}
    report = verify(text, options)
    assert {each.identifier for each in report.assertions if each.verdict is Verdict.VIOLATED} == failing
    for result in report.assertions:
        assert result.verdict is not Verdict.UNKNOWN, result.reason
        if result.verdict is Verdict.PROVED:
            assert result.identifier not in failing_ever
            assert not thread_facts(DropUnread().apply(base).program).shared


@few(40)
@given(seeds())
def test_verdicts_are_those_of_running_every_schedule(seed: int) -> None:
    random = Random(seed)
    check_verdicts(random_threads(random), random.choice([1, 2, 2, 3]), FEW)


@pytest.mark.slow
@many(1000)
@given(seeds())
def test_verdicts_on_many_programs(seed: int) -> None:
    random = Random(seed)
    check_verdicts(random_threads(random), random.choice([1, 2, 2, 3]), 20_000)


@few(40)
@given(seeds())
def test_sequential_programs_are_well_formed_and_readable(seed: int) -> None:
    random = Random(seed)
    base = base_of(random_threads(random))
    sequential = Sequentialize(Schedules(random.randint(1, 3))).apply(base).program
    assert check(sequential) == []
    assert not starts_threads(sequential)
    load([source(print_program(sequential))])


# --- verdicts, reasons and traces


COUNTER = """
var g: int;
procedure main() { g := 0; async call Add(); async call Add(); assert g != 1 || true; assert g <= 2; }
procedure Add() { var x: int; x := g; g := x + 1; assert g == 1 || g == 2; }
"""


def test_verdicts_hold_for_the_searched_rounds() -> None:
    report = verify(COUNTER, Options(rounds=2))
    assert {result.verdict for result in report.assertions} == {Verdict.BOUNDED}
    assert {result.reason for result in report.assertions} == {"2 rounds of context switches"}
    assert report.verdict is Verdict.BOUNDED


def test_a_single_round_is_reported_in_the_singular() -> None:
    assert verify(COUNTER, Options(rounds=1)).assertions[0].reason == "1 round of context switches"


RACE = """
var g: int;
procedure main() { g := 0; async call T(7); g := 1; }
procedure T(n: int) { assert g == 0; }
"""


def test_a_trace_has_the_thread_of_each_step() -> None:
    (result,) = verify(RACE, Options(rounds=2)).assertions
    assert result.verdict is Verdict.VIOLATED
    assert result.trace is not None
    told = [(step.thread, step.kind, step.text) for step in result.trace]
    assert told == [
        (1, "start", "execution starts in main"),
        (1, "assign", "g := 0;"),
        (1, "call", "async call T(7);"),
        (1, "assign", "g := 1;"),
        (2, "start", "thread 2 starts in T"),
        (2, "fail", "assert g == 0;"),
    ]
    assert result.trace[4].values == (("n", "7"),)


def test_text_and_json_name_the_threads() -> None:
    report = verify(RACE, Options(rounds=2))
    text = render(report, TextStyle())
    assert "  thread 1  3:45  g := 1;" in text
    assert "  thread 2  4:23  assert g == 0;" in text
    document = to_json(report)
    jsonschema.validate(document, schema())
    assert [step["thread"] for step in document["assertions"][0]["trace"]] == [1, 1, 1, 1, 2, 2]


def test_long_traces_with_threads_are_shortened() -> None:
    steps = " ".join(f"g := {number};" for number in range(120))
    text = f"var g: int; procedure main() {{ {steps} async call T(); g := 1; }} procedure T() {{ {steps} assert g == 119; }}"
    report = verify(text, Options(rounds=2))
    assert report.verdict is Verdict.VIOLATED
    assert len(render(report, TextStyle()).splitlines()) < 120


def test_a_task_says_how_many_rounds(tmp_path: Path) -> None:
    (tmp_path / "race.bpl").write_text(RACE)
    lines = [
        "format_version: '2.0'",
        "input_files: 'race.bpl'",
        "properties: [{property_file: unreach-call.prp, expected_verdict: false}]",
        "options: {language: Boogie, context_bound: 5}",
    ]
    (tmp_path / "race.yml").write_text("\n".join(lines))
    task = load_task(tmp_path / "race.yml")
    assert task_options(task, Options()).rounds == 5
    assert task_options(task, Options(rounds=2), explicit=("rounds",)).rounds == 2


LOOP = """
var g: int;
procedure main() { g := 0; async call T(); top: while (*) { g := g + 1; } }
procedure T() { assert g != 3; }
"""


def test_bounds_of_loops_in_the_entry_are_kept() -> None:
    assert verify(LOOP, Options(rounds=2, bound=2)).verdict is Verdict.BOUNDED
    assert verify(LOOP, Options(rounds=2, bound=2, bound_for=(("main:3", 3),))).verdict is Verdict.VIOLATED


def test_the_stack_is_as_deep_as_threads_make_it() -> None:
    text = "var g: int; procedure main() { g := 0; async call T(); g := 1; } procedure T() { call U(); } procedure U() { assert g == 0; }"
    assert verify(text, Options(rounds=2, stack_depth=3)).verdict is Verdict.VIOLATED
    assert verify(text, Options(rounds=2, stack_depth=2)).verdict is Verdict.BOUNDED


def test_reaching_the_end_of_the_entry_may_take_threads() -> None:
    text = "var g: int; procedure main() { g := 0; async call T(); assume g == 1; } procedure T() { g := 1; }"
    assert verify(text, Options(property="reach-end")).verdict is Verdict.VIOLATED
    never = text.replace("g := 1", "g := 2")
    assert verify(never, Options(property="reach-end")).verdict is Verdict.BOUNDED


def test_one_round_is_the_order_in_which_threads_are_started() -> None:
    assert verify(RACE, Options(rounds=1)).verdict is Verdict.BOUNDED


def test_yield_alone_is_no_thread() -> None:
    report = verify("procedure main() { var x: int; x := 1; yield; assert x == 1; }", Options())
    assert report.verdict is Verdict.PROVED


def test_asynchronous_calls_with_results_are_refused() -> None:
    text = "procedure main() { var x: int; async call x := P(); } procedure P() returns (r: int) { r := 1; assert r == 1; }"
    (result,) = verify(text, Options()).assertions
    assert result.verdict is Verdict.UNKNOWN
    assert "asynchronous call" in result.reason


def test_assertions_that_no_thread_calls_are_unreachable() -> None:
    text = "var g: int; procedure main() { async call T(); g := 1; } procedure T() { g := 2; } procedure P() { assert g == 1; }"
    (result,) = verify(text, Options(entry=("main",))).assertions
    assert result.verdict is Verdict.UNREACHABLE


def test_a_program_without_threads_stays_as_it_is() -> None:
    base = base_of("var g: int; procedure main() { g := 1; assert g == 1; }")
    result = Sequentialize(Schedules(3)).apply(base)
    assert result.program is base
    assert result.trust.proofs


def test_only_threads_that_share_nothing_can_be_proved_for_all_schedules() -> None:
    shares = prepare(load([source(RACE)]), Options(rounds=4))
    assert (shares.has_threads, shares.schedules) == (True, Schedules(4))
    shares_nothing = prepare(load([source("procedure main() { async call T(); } procedure T() { }")]), Options())
    assert (shares_nothing.has_threads, shares_nothing.schedules) == (True, None)


# --- traces that the interpreter accepts


def refusal(text: str, position: int, *, thread: int = 2) -> str:
    """Why an execution is refused in which main is left for T before a statement; empty if T then fails."""
    base = base_of(text)
    (first,) = base.procedures["main"].blocks or ()
    (other,) = base.procedures["T"].blocks or ()
    choices = [
        Choose({})
        for statement in first.statements[:position]
        if isinstance(statement, Call) and base.procedures[statement.procedure].blocks is None
    ]
    entered: list[Event] = [Enter("main", {}), Visit(first.label), *choices]
    events = (*entered, Switch(thread, position), Enter("T", {}), Visit(other.label))
    (failing,) = [statement.check for statement in other.statements if isinstance(statement, Assert)]
    return replay(base, Trace("main", Interpretation(), {}, events, failing)).why


SECTION = """
var g: int;
procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure main() { g := 0; async call T(); call corral_atomic_begin(); g := 1; call corral_atomic_end(); }
procedure T() { assert g == 0; }
"""

TURNS = """
var g: int;
procedure main() { g := 0; async call T(); g := 1; yield; g := 2; }
procedure T() { assert g == 0; }
"""


def test_a_thread_is_left_where_the_trace_says() -> None:
    assert "the trace ends" in refusal(SECTION, 2)  # T's assertion holds there
    assert refusal(SECTION, 5) == ""


@pytest.mark.parametrize("position", [3, 4])
def test_atomic_sections_are_not_left(position: int) -> None:
    assert "inside an atomic section" in refusal(SECTION, position)


@pytest.mark.parametrize("position", [2, 3, 5])
def test_cooperative_programs_are_left_where_they_yield(position: int) -> None:
    assert "does not yield" in refusal(TURNS, position)
    assert refusal(TURNS, 4) == ""


def test_threads_must_have_been_started() -> None:
    assert "does not run" in refusal(SECTION, 1)
    assert "does not run" in refusal(SECTION, 5, thread=3)


def test_a_thread_that_has_ended_does_nothing() -> None:
    base = base_of("var g: int; procedure main() { async call T(); } procedure T() { assert g == 0; }")
    (first,) = base.procedures["main"].blocks or ()
    (failing,) = (
        each.check for each in (base.procedures["T"].blocks or ())[0].statements if isinstance(each, Assert)
    )
    events = (Enter("main", {}), Visit(first.label), Leave(), Visit(first.label))
    assert "has ended" in replay(base, Trace("main", Interpretation(), {}, events, failing)).why


# --- where threads can meet


def test_shared_is_what_two_threads_access_and_one_writes() -> None:
    text = """
    var early: int; var late: int; var constant: int; var only: int; var many: int; var {:thread_local} own: int;
    procedure main() { early := 1; constant := 2; async call T(); call U(); late := early; async call V(); async call V(); }
    procedure T() { late := constant; only := 1; own := 1; }
    procedure U() { own := constant; }
    procedure V() { many := many + 1; assert early == 1; }
    """
    assert [variable.name for variable in thread_facts(base_of(text)).shared] == ["late", "many"]


def test_threads_started_in_a_loop_are_many() -> None:
    text = "var g: int; procedure main() { while (*) { async call T(); } } procedure T() { g := g + 1; }"
    assert [variable.name for variable in thread_facts(base_of(text)).shared] == ["g"]


def test_states_follow_sections_through_calls() -> None:
    text = """
    var g: int;
    procedure corral_atomic_begin();
    procedure corral_atomic_end();
    procedure main() { call Lock(); g := 1; async call T(); call Unlock(); g := 2; }
    procedure Lock() { call corral_atomic_begin(); }
    procedure Unlock() { call corral_atomic_end(); }
    procedure T() { if (*) { call Lock(); } g := 3; }
    """
    base = base_of(text)
    states = thread_facts(base).states
    (block,) = base.procedures["main"].blocks or ()
    alone = (INTERRUPTIBLE, ATOMIC, ATOMIC)
    assert states["main", block.label] == (*alone, ATOMIC | COMPANY, INTERRUPTIBLE | COMPANY, INTERRUPTIBLE | COMPANY)
    last = (base.procedures["T"].blocks or ())[-1]
    assert states["T", last.label][-1] == INTERRUPTIBLE | ATOMIC | COMPANY


# --- delays


def failing_with(base: Program, schedules: Schedules) -> set[str] | None:
    """What fails in the sequential program, unless that takes too long to find out."""
    sequential = Sequentialize(schedules).apply(base).program
    found = explore(sequential, entry=ENTRY, havoc_domain=DOMAIN, limits=ExplorationLimits(steps=60_000))
    return {check.identifier for check in found.failing} if found.complete else None


@few(6)
@given(seeds())
def test_more_delays_are_more_schedules_up_to_all_of_the_rounds(seed: int) -> None:
    check_delays(seed)


@pytest.mark.slow
@many(100)
@given(seeds())
def test_more_delays_are_more_schedules_in_many_programs(seed: int) -> None:
    check_delays(seed)


def check_delays(seed: int) -> None:
    base = base_of(random_threads(Random(seed)))
    if not thread_facts(base).schedules_matter:
        return
    rounds = failing_with(base, Schedules(2))
    few, more, many = (failing_with(base, Schedules(2, delays)) for delays in (0, 1, 30))
    if rounds is not None and few is not None and more is not None and many is not None:
        assert few <= more <= many == rounds


@pytest.mark.parametrize(
    ("delays", "verdict", "reason"),
    [(1, Verdict.BOUNDED, "1 delay of threads"), (2, Verdict.VIOLATED, ""), (3, Verdict.VIOLATED, "")],
)
def test_delays_are_counted(delays: int, verdict: Verdict, reason: str) -> None:
    """To overtake the increment, the first thread waits in the middle of it; so does the main thread, for its end."""
    text = """
    var g, done: int;
    procedure main() { g, done := 0, 0; async call Add(); async call Add(); assume done == 2; assert g == 2; }
    procedure Add() { var x: int; x := g; g := x + 1; done := done + 1; }
    """
    (result,) = verify(text, Options(delays=delays)).assertions
    assert (result.verdict, result.reason) == (verdict, reason)


# --- what threads read when they start


@pytest.mark.parametrize(
    "text",
    [
        # the thread starts when main has ended
        """
        var g: int; var {:thread_local} t: int where t > g;
        procedure T() { assert t > 0; }
        procedure {:entrypoint} main() modifies g; { g := 0; async call T(); g := -5; }
        """,
        # it is interrupted as soon as it has started
        """
        var g: int; var {:thread_local} t: int where t == g;
        procedure T() { var x: int; x := g; assert t == x; }
        procedure {:entrypoint} main() modifies g; { g := 0; async call T(); g := 1; }
        """,
        # and reads a map at a constant index
        """
        var m: [int]int; var a: int; var {:thread_local} t: int where t == m[3];
        procedure T1() modifies a; { a := t; }
        procedure T2() { assert a == 0 || a == t; }
        procedure {:entrypoint} main() modifies a, m;
        { a := 0; m[3] := 1; async call T1(); m[3] := 2; async call T2(); assume m[3] == 2; }
        """,
    ],
)
def test_where_clauses_are_read_when_a_thread_starts(text: str) -> None:
    (result,) = verify(text, Options(check_ir=True)).assertions
    assert result.verdict is Verdict.VIOLATED
