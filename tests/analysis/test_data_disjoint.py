"""Calls that exclude each other by assumptions: examples, and a check that no execution makes both of any two."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remuda.analysis.controlflow import control_flow
from remuda.analysis.data_disjoint import CONTROL, DATA, Disjointness
from remuda.base.source import Source
from remuda.frontends.boogie.load import load
from remuda.ir.program import Assign, Call, Havoc, Procedure, Program, Statement
from remuda.options import Options
from remuda.prepare.pipeline import prepare
from remuda.replay.explore import explore
from remuda.terms.store import Terms
from remuda.terms.types import BOOL
from tests.ir import builders

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

CALLEES: Final = """
var g: int;
var h: int;
var m: [int]int;
const unique A: int;
const unique B: int;
const c: int;
function f(int) returns (int);
procedure p() { }
procedure q() { }
procedure change() modifies g; { g := g + 1; }
procedure deep() modifies g; { call change(); }
procedure any(x: int) returns (y: int);
procedure foreign(); modifies g;
"""


def disjoint(body: str, mode: str = DATA, name: str = "main") -> set[str]:
    """The pairs of calls of a procedure that exclude each other, as `pq` for p and q; only those of p and q count."""
    program = load([Source("program.bpl", CALLEES + body)])
    code = prepare(program, Options(entry=("main",))).instrumented.program
    procedure = next(each for label, each in code.procedures.items() if label.startswith(name))
    calls, conflicts = conflicts_of(code, procedure, mode)
    return {
        calls[left].procedure + calls[right].procedure
        for left, right in combinations(range(len(calls)), 2)
        if not conflicts[left] >> right & 1 and {calls[left].procedure, calls[right].procedure} <= {"p", "q"}
    }


def conflicts_of(program: Program, procedure: Procedure, mode: str) -> tuple[list[Call], list[int]]:
    flow = control_flow(procedure)
    blocks = {block.label: block for block in procedure.blocks or ()}
    found = [
        (label, statement)
        for label in flow.order
        for statement in blocks[label].statements
        if isinstance(statement, Call) and program.procedures[statement.procedure].blocks is not None
    ]
    masks = Disjointness(program, mode).conflicts(procedure, flow, [label for label, _ in found])
    return [call for _, call in found], masks


def guarded(first: str, second: str, between: str = "") -> str:
    return main(f"if ({first}) {{ call p(); }} {between} if ({second}) {{ call q(); }}")


def main(body: str) -> str:
    return f"procedure main(x: int, y: int, b: bool) modifies g, h, m; {{ var t: int; var u: int; {body} }}"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("b", "!b"),
        ("x == 0", "x != 0"),
        ("x == 0", "x == 1"),
        ("x == 0", "0 < x"),
        ("x <= 3", "x > 3"),
        ("x < 3", "5 <= x"),
        ("x == y", "y != x"),
        ("x < y", "y <= x"),
        ("x < y", "x == y"),
        ("x == y", "y < x"),
        ("x == A", "B == x"),
        ("g == 0", "g == 1"),
        ("f(x) == 1", "f(x) == 2"),
        ("f(x) + g < 5", "f(x) + g >= 5"),
        ("m[x] == 0", "m[x] != 0"),
        ("c > 0", "c < 0"),
        ("x == 0 && b", "x == 2"),
        ("x == 0", "!(x == 0 || b)"),
        ("!b", "!(b ==> x == 0)"),
        ("(x == 0) == b", "!((x == 0) == b)"),
    ],
)
def test_conditions_that_contradict_each_other(first: str, second: str) -> None:
    body = guarded(first, second)
    assert disjoint(body) == {"pq"}
    assert disjoint(body, CONTROL) == set()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x == 0", "y == 1"),
        ("x == 0", "x <= 0"),
        ("x != 0", "x != 1"),
        ("x <= 3", "x >= 3"),
        ("x <= y", "y <= x"),
        ("x == A", "x == 5"),
        ("x == A", "x == c"),
        ("f(x) == 1", "f(y) == 2"),
        ("x == 0 || b", "x != 0"),
        ("m[x] == 0", "m[y] == 1"),
        ("*", "*"),
    ],
)
def test_conditions_that_do_not(first: str, second: str) -> None:
    assert disjoint(guarded(first, second)) == set()


@pytest.mark.parametrize(
    "between",
    [
        "g := g + 1;",
        "havoc g;",
        "call change();",
        "call deep();",
        "call foreign();",
        "call g := any(1);",
        "if (*) { g := 2; }",
        "while (*) { g := g + 1; }",
        "while (*) { call deep(); }",
    ],
)
def test_a_global_that_changes_in_between(between: str) -> None:
    assert disjoint(guarded("g == 0", "g != 0", between)) == set()


@pytest.mark.parametrize(
    "between", ["h := 1;", "havoc h;", "call t := any(1);", "call p();", "while (*) { h := h + 1; }", "g := g;"]
)
def test_a_global_that_does_not(between: str) -> None:
    assert "pq" in disjoint(guarded("g == 0", "g != 0", between))


def test_a_local_that_is_assigned_before_both() -> None:
    assert disjoint(main("call t := any(1); if (t == 0) { call p(); } if (t == 1) { call q(); }")) == {"pq"}
    assert disjoint(main("call t := any(1); if (t == 0) { call p(); } havoc t; if (t == 1) { call q(); }")) == set()


def test_a_local_that_is_assigned_in_between_on_one_path_only() -> None:
    assert disjoint(guarded("t == 0", "t == 1", "if (b) { t := x; }")) == set()
    assert disjoint(guarded("t == 0", "t == 1", "if (false) { t := x; }")) == set()
    assert disjoint(guarded("t == 0", "t == 1", "if (b) { u := x; }")) == {"pq"}


def test_copies_are_seen_through() -> None:
    both = "if (t == 0) { call p(); } if (u == 1) { call q(); }"
    assert disjoint(main(f"t := x; u := t; {both}")) == {"pq"}
    assert disjoint(main(f"t := x; t := t + 1; u := x; {both}")) == set()
    assert disjoint(main(f"t := 0; u := 1; {both}")) == set()
    assert disjoint(main(f"t := 1; {both}")) == {"pq"}


def test_values_are_exchanged() -> None:
    assert disjoint(guarded("t == 0", "u == 1", "t, u := u, t;")) == {"pq"}
    assert disjoint(guarded("t == 0", "t == 1", "t, u := u, t;")) == set()


def test_old_is_the_value_at_the_start() -> None:
    assert disjoint(guarded("g == 0", "old(g) == 1")) == {"pq"}
    assert disjoint(guarded("old(g) == 0", "g == 1", "g := g + 1;")) == set()
    assert disjoint(guarded("old(g) == 0", "old(g) == 1", "g := g + 1;")) == {"pq"}


def test_a_flag_that_remembers_the_path() -> None:
    assert disjoint(main("t := 0; if (*) { call p(); t := 1; } if (t == 0) { call q(); }")) == {"pq"}
    assert disjoint(main("t := 0; if (*) { call p(); t := x; } if (t == 0) { call q(); }")) == set()
    assert disjoint(main("t := 0; if (*) { t := 1; } call p(); if (t == 0) { call q(); }")) == set()


def test_facts_on_all_paths_hold_where_they_join() -> None:
    before = "if (b) { assume x == 1; } else { assume x == 2; } call p();"
    assert disjoint(main(before + "if (x == 3) { call q(); }")) == {"pq"}
    assert disjoint(main(before + "if (x == 2) { call q(); }")) == set()


def test_later_assumptions_count() -> None:
    """An execution that makes both calls must return."""
    assert disjoint(main("if (*) { call p(); assume x == 0; } if (*) { call q(); assume x == 1; }")) == {"pq"}
    assert disjoint(main("if (*) { call p(); assume x == 0; } if (*) { call q(); assume y == 1; }")) == set()
    assert (
        disjoint(main("if (*) { call p(); } if (*) { call q(); } if (*) { assume x == 0; assume x == 1; }")) == set()
    )


def test_a_failing_assertion_ends_the_procedure_and_counts() -> None:
    """The second call is made, fails below, and nothing after it is ever assumed."""
    body = """
    procedure main(x: int) { if (x == 0) { call p(); } call r(); assume x == 1; call q(); }
    procedure r() { call q(); assert false; }"""
    program = load([Source("program.bpl", CALLEES + body)])
    code = prepare(program, Options(entry=("main",))).instrumented.program
    calls, conflicts = conflicts_of(code, code.procedures["main"], DATA)
    names = [call.procedure for call in calls]
    assert conflicts[names.index("p")] >> names.index("r") & 1
    assert not conflicts[names.index("p")] >> names.index("q") & 1


def test_a_call_that_no_execution_makes() -> None:
    assert disjoint(main("call p(); if (x == 0) { if (x == 1) { call q(); } }")) == {"pq"}


def test_calls_of_one_block_conflict() -> None:
    assert disjoint(main("if (x == 0) { call p(); call p(); } if (x == 1) { call q(); }")) == {"pq"}


def test_the_body_of_a_loop_is_a_procedure_of_its_own() -> None:
    """Between iterations the variable may change; within one it does not."""
    loop = """
    procedure main(n: int) {
      var i: int;
      i := n;
      while (*) { if (i == 0) { call p(); } %s if (i == 1) { call q(); } i := i + 1; }
    }"""
    assert disjoint(loop % "", name="main/") == {"pq"}
    assert disjoint(loop % "i := i + 1;", name="main/") == set()


def test_programs_with_threads_are_left_alone() -> None:
    body = guarded("g == 0", "g == 1", "yield;") + "procedure start() { async call change(); }"
    program = load([Source("program.bpl", CALLEES + body)])
    calls, conflicts = conflicts_of(program, program.procedures["main"], DATA)
    assert len(calls) == 2
    assert conflicts == [2, 1]


# --- no execution makes both of two calls that exclude each other

TERMS: Final = Terms()
X, Y, G = builders.local("x"), builders.local("y"), builders.global_("g")
MARKS: Final = (builders.local("first", BOOL), builders.local("second", BOOL))


@st.composite
def conditions(draw: st.DrawFn) -> Term:
    left = TERMS.var(draw(st.sampled_from([X, Y, G])))
    right = draw(st.sampled_from([TERMS.integer(0), TERMS.integer(0), TERMS.integer(1), TERMS.var(X), TERMS.var(G)]))
    condition = draw(st.sampled_from([TERMS.eq, TERMS.eq, TERMS.lt, TERMS.le]))(left, right)
    return TERMS.not_(condition) if draw(st.booleans()) else condition


@st.composite
def changes(draw: st.DrawFn) -> Statement:
    target = draw(st.sampled_from([Y, G]))
    value = draw(st.sampled_from([TERMS.integer(0), TERMS.integer(1), TERMS.var(X), TERMS.var(Y), TERMS.var(G)]))
    kinds: list[Statement] = [
        Assign((target,), (value,), builders.SPAN),
        Assign((Y, G), (TERMS.var(G), TERMS.var(Y)), builders.SPAN),
        Havoc((target,), builders.SPAN),
        builders.call("change", [TERMS.var(X)], [Y]),
    ]
    return draw(st.sampled_from(kinds))


@st.composite
def branches(draw: st.DrawFn) -> list[Statement]:
    """What one side of a branch does: it assumes something, and mostly calls."""
    made = [builders.call("keep")] if draw(st.booleans()) or draw(st.booleans()) else []
    assumed = [builders.assumption(draw(conditions()))] if draw(st.booleans()) or draw(st.booleans()) else []
    body: list[Statement] = [*assumed, *made, *draw(st.lists(changes(), max_size=1))]
    return body[::-1] if draw(st.integers(0, 3)) == 0 else body


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A row of branches, some of which leave out the next one, and two procedures to call: one changes g."""
    targets: dict[str, list[str]] = {}
    body: dict[str, list[Statement]] = {}
    size = draw(st.integers(2, 4))
    for index in range(size):
        targets[f"s{index}"] = [f"a{index}", f"b{index}"]
        body[f"s{index}"] = draw(st.lists(changes(), max_size=1))
        for side in (f"a{index}", f"b{index}"):
            targets[side] = [f"s{min(size, index + draw(st.sampled_from([1, 1, 1, 2])))}"]
            body[side] = draw(branches())
    targets[f"s{size}"] = []
    main = builders.procedure("main", targets, body, inputs=[X], locals=(Y, *MARKS))
    given_, result = builders.local("given"), builders.local("result")
    change = builders.straight(
        "change",
        Havoc((G,), builders.SPAN),
        Assign((result,), (TERMS.var(given_),), builders.SPAN),
        inputs=[given_],
        outputs=[result],
    )
    return builders.program(main, builders.straight("keep"), change, terms=TERMS, globals=(G,), entries=("main",))


def watched(procedure: Procedure, marked: dict[Call, Variable]) -> Procedure:
    """Note which of two calls are made, and assert at every return that they were not both."""
    assert procedure.blocks
    blocks = []
    for index, block in enumerate(procedure.blocks):
        body: list[Statement] = [Assign(MARKS, (TERMS.false, TERMS.false), builders.SPAN)] if index == 0 else []
        for statement in block.statements:
            if isinstance(statement, Call) and statement in marked:
                body.append(Assign((marked[statement],), (TERMS.true,), builders.SPAN))
            body.append(statement)
        if not block.successors:
            both = TERMS.and_([TERMS.var(mark) for mark in MARKS])
            body.append(builders.assertion(TERMS.not_(both), f"test.bpl:main:assert:{index}"))
        blocks.append(replace(block, statements=tuple(body)))
    return replace(procedure, blocks=tuple(blocks))


@settings(max_examples=200, deadline=None)
@given(programs())
def test_no_execution_makes_both(program: Program) -> None:
    main = program.procedures["main"]
    calls, by_control = conflicts_of(program, main, CONTROL)
    _, by_data = conflicts_of(program, main, DATA)
    for left, right in combinations(range(len(calls)), 2):
        assert by_data[left] >> right & 1 == by_data[right] >> left & 1
        assert by_data[left] & ~by_control[left] == 0
        if by_control[left] >> right & 1 and not by_data[left] >> right & 1:
            marked = dict(zip((calls[left], calls[right]), MARKS, strict=True))
            procedures = {**program.procedures, "main": watched(main, marked)}
            outcomes = explore(replace(program, procedures=procedures), entry="main", havoc_domain=(0, 1))
            assert outcomes.complete
            assert not outcomes.failing
