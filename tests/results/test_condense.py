"""Which steps of a long counterexample are shown."""

from __future__ import annotations

from remuda.results.condense import SHORT, Line, callee, condense, drop_known_assumptions, join_calls, levels_of
from remuda.results.report import Location, TraceStep


def step(kind: str, depth: int, text: str = "", **values: str) -> TraceStep:
    return TraceStep(kind, depth, "p", Location("queue.bpl", 1, 1), text, tuple(values.items()))


def assigns(count: int, depth: int = 0) -> list[TraceStep]:
    return [step("assign", depth, f"x := {number};", x=str(number)) for number in range(count)]


FAILURE = step("fail", 0, "assert x == 0;", x="1")


def stands_for(lines: list[Line]) -> int:
    return sum(line.steps for line in lines)


def test_short_traces_stay_as_they_are() -> None:
    trace = [step("start", 0), step("assume", 0, x="1"), step("assume", 0, x="1"), FAILURE]
    assert [line.step for line in condense(trace, 100)] == trace


def test_all_steps_are_shown_without_a_limit() -> None:
    trace = [*assigns(500), FAILURE]
    assert [line.step for line in condense(trace, None)] == trace


def test_a_gap_is_always_shown() -> None:
    trace = [*assigns(300), step("gap", 0, "... 900 steps ..."), *assigns(300), FAILURE]
    lines = condense(trace, 20)
    assert [line.step.kind for line in lines].count("gap") == 1
    assert len(lines) == 20


def test_returns_without_values_are_never_shown() -> None:
    trace = [step("call", 0), step("return", 0), step("return", 0, x="1"), FAILURE]
    assert [line.step for line in condense(trace, None)] == [trace[0], *trace[2:]]


def test_assumptions_over_values_just_seen_are_dropped() -> None:
    seen, same = Line(step("assign", 0, x="1")), Line(step("assume", 0, x="1"))
    other, elsewhere = Line(step("assume", 0, y="1")), Line(step("assume", 1, x="1"))
    assert drop_known_assumptions([seen, same, other, same, elsewhere]) == [seen, other, elsewhere]


def test_the_callee_is_read_off_the_text() -> None:
    assert callee(step("call", 0, 'call {:tag "f("} x := Allocate(4);')) == "Allocate"
    assert callee(step("call", 0, "call Log();")) == "Log"
    assert callee(step("assign", 0, "x := Allocate(4);")) == ""


def test_rows_of_calls_become_one_line() -> None:
    calls = [Line(step("call", 0, f"call x{number} := Allocate(4);")) for number in range(5)]
    other = Line(step("call", 0, "call Log();"))
    assert join_calls([*calls, other, *calls[:1]]) == [Line(calls[0].step, alike=4), other, calls[0]]


def test_levels_count_the_calls_that_have_returned() -> None:
    depths = [0, 0, 1, 2, 1, 0, 1, 1, 2]  # the first call has returned, with one inside it; two are on the stack
    assert levels_of([step("assign", depth) for depth in depths]) == [0, 0, 1, 2, 1, 0, 0, 0, 0]


def test_levels_are_counted_from_what_decides_too() -> None:
    depths = [0, 0, 1, 2, 1, 0, 1, 1, 2]
    levels = levels_of([step("assign", depth) for depth in depths], [3])
    assert levels == [0, 0, 0, 0, 0, 0, 0, 0, 0]


def flagged_trace() -> list[TraceStep]:
    """The failure depends on a flag that a call sets, and returns long before; the call depends on another one."""
    prepare = [step("call", 0, "call Prepare();"), step("assign", 1, "state := 2;", state="2"), *assigns(80, depth=1)]
    check = [step("call", 1, "call Check();"), step("branch", 2, "assume state == 2;", state="2")]
    dispatch = [step("call", 0, "call Dispatch();"), *assigns(60, depth=1), *check]
    error = [step("assign", 2, "error := 1;", error="1"), *assigns(60, depth=1)]
    end = [*assigns(20), step("branch", 0, "assume error == 1;", error="1")]
    return [
        step("start", 0, state="0", error="0"),
        *prepare,
        *dispatch,
        *error,
        *end,
        step("fail", 0, "assert false;"),
    ]


def test_decisive_steps_are_never_folded() -> None:
    shown = condense(flagged_trace(), SHORT)
    assert [line.step.text for line in shown if line.cause] == ["state := 2;", "error := 1;"]
    assert "call Check();" in [line.step.text for line in shown]
    assert len(shown) <= SHORT
    assert stands_for(shown) == len(flagged_trace())


def test_decisive_steps_are_marked_in_full_traces_too() -> None:
    shown = condense(flagged_trace(), None)
    assert [line.step.text for line in shown if line.cause] == ["state := 2;", "error := 1;"]
    assert len(shown) == len(flagged_trace())


def test_output_of_the_program_is_never_folded() -> None:
    printed = step("print", 2, "assert x > 0;", size="7")
    recorded = step("record", 2, "call boogie_si_record_int(x);", x="7")
    inside = [*assigns(60, depth=2), printed, recorded, *assigns(60, depth=2)]
    trace = [step("start", 0), step("call", 0, "call f();"), step("call", 1, "call g();"), *inside, FAILURE]
    steps = [line.step for line in condense(trace, SHORT)]
    assert printed in steps
    assert recorded in steps


def test_calls_that_have_returned_are_folded() -> None:
    inside = [step("call", 1, "call g();"), *assigns(60, depth=2)]
    trace = [step("start", 0), step("call", 0, "call f();"), *inside, *assigns(5), FAILURE]
    shown = condense(trace, SHORT)
    assert [line.step.text for line in shown[:3]] == ["", "call f();", "call g();"]
    assert [line.inside for line in shown[:4]] == [0, 0, 60, 0]
    assert stands_for(shown) == len(trace)


def test_the_middle_of_a_long_trace_is_left_out() -> None:
    trace = [*assigns(500), FAILURE]
    shown = condense(trace, 100)
    assert len(shown) == 100
    assert shown[-1].step is FAILURE
    assert [line.skipped for line in shown if line.skipped] == [401]
    assert stands_for(shown) == len(trace)
