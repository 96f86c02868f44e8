"""Which steps of a counterexample decided that it fails."""

from __future__ import annotations

from remuda.results.decisive import decisive_steps
from remuda.results.report import Location, TraceStep


def step(kind: str, depth: int, text: str = "", **values: str) -> TraceStep:
    return TraceStep(kind, depth, "p", Location("queue.bpl", 1, 1), text, tuple(values.items()))


def causes(*steps: TraceStep, limit: int = 100) -> list[int]:
    return decisive_steps(steps, limit).causes


START = step("start", 0, error="0", state="0")
FAILURE = step("fail", 0, "assert error == 0;", error="1")


def test_a_failure_without_values_depends_on_nothing() -> None:
    assert causes(START, step("assign", 0, error="1"), step("fail", 0, "assert false;")) == []
    assert causes() == []


def test_a_failure_depends_on_the_step_that_set_what_it_reads() -> None:
    set_inside = [step("call", 0, "call f();"), step("assign", 1, error="1"), step("assign", 1, error="1")]
    assert causes(START, step("assign", 0, error="2"), *set_inside, FAILURE) == [3]


def test_a_value_from_the_start_was_set_by_no_step() -> None:
    assert causes(START, step("assign", 0, error="0"), step("fail", 0, error="0")) == []


def test_a_cause_depends_on_the_branches_before_it() -> None:
    first = [step("assign", 0, state="2"), step("call", 0, "call f();"), step("branch", 1, state="2")]
    assert causes(START, *first, step("assign", 1, error="1"), FAILURE) == [4, 1]


def test_nothing_is_known_of_causes_before_a_gap() -> None:
    gap = step("gap", 0, "... 900 steps ...")
    assert causes(START, step("assign", 0, error="1"), gap, FAILURE) == []
    assert causes(START, gap, step("assign", 0, error="1"), FAILURE) == [2]


def test_where_a_procedure_has_no_branches_those_of_its_caller_decide() -> None:
    caller = [step("assign", 0, state="2"), step("branch", 0, state="2"), step("call", 0, "call Fail();")]
    found = decisive_steps([START, *caller, step("assign", 1, error="1"), FAILURE], 100)
    assert found.causes == [4, 1]
    assert found.shown == {1, 2, 3, 4, 5}


def test_results_of_a_call_depend_on_decisive_steps_inside() -> None:
    called = [step("call", 0, "call ok := f();"), step("branch", 1, state="2"), step("return", 0, ok="false")]
    assert causes(START, step("assign", 0, state="2"), *called, step("fail", 0, "assert ok;", ok="false")) == [1]


def test_locals_of_other_calls_are_no_causes() -> None:
    other = [step("call", 0, "call f();"), step("assign", 1, x="1")]
    assert causes(START, *other, step("fail", 0, "assert x == 0;", x="1")) == []


def test_elements_of_maps_are_causes() -> None:
    element = (("m[3]", "1"),)
    write = TraceStep("assign", 0, "p", Location("queue.bpl", 1, 1), "m[i] := 1;", element)
    read = TraceStep("fail", 0, "p", Location("queue.bpl", 2, 1), "assert m[3] == 0;", element)
    assert causes(START, write, step("assign", 0, state="1"), read) == [1]


def test_threads_have_calls_of_their_own() -> None:
    """The other thread sets the variable that the failing one reads, between a call of that one and its branch."""
    where = Location("queue.bpl", 1, 1)
    other = [
        TraceStep("call", 0, "q", where, "call Set();", (), 2),
        TraceStep("assign", 1, "Set", where, "error := 1;", (("error", "1"),), 2),
    ]
    call, guard = step("call", 0, "call f();"), step("branch", 1, error="1")
    found = decisive_steps([START, call, *other, guard, step("fail", 1, "assert false;")], 100)
    assert found.causes == [3]
    assert found.shown == {2, 3, 4}


def test_the_limit_decides_the_number_of_causes() -> None:
    first = [step("assign", 0, state="2"), step("branch", 0, state="2"), step("assign", 0, error="1")]
    assert causes(START, *first, FAILURE) == [3, 1]
    assert causes(START, *first, FAILURE, limit=2) == [3]
    assert causes(START, *first, FAILURE, limit=1) == []
