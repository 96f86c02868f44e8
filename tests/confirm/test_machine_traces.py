"""Counterexamples of C programs show what the machine for C saw: objects, elements and fields instead of addresses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from remuda.base.source import Source
from remuda.confirm import machine_stories
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import Verdict
from remuda.results.text import TextStyle, render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.machine.story import Event
    from remuda.replay.retell import Sights
    from remuda.results.report import Report, TraceStep

HEAD = "int nd(void); void __VERIFIER_assert(int); void *malloc(unsigned long);\n"


def report_of(text: str, **options: Any) -> Report:  # noqa: ANN401 - of any option
    return run([Source("program.c", HEAD + text)], Options(houdini=False, **options), send=lambda _: None)


def trace(text: str, **options: Any) -> tuple[TraceStep, ...]:  # noqa: ANN401
    results = [each for each in report_of(text, **options).assertions if each.verdict is Verdict.VIOLATED]
    assert results[0].confirmed == ("replayed", "machine")
    assert results[0].trace is not None
    return results[0].trace


def told(statements: str, around: str = "") -> list[str]:
    """What a program's assignments, calls and conditions show; without those that set inputs."""
    steps = trace(f"{around}\nint main(void) {{ {statements} __VERIFIER_assert(0); }}")
    kinds = {"assign", "call", "branch"}
    return [line(step) for step in steps if step.kind in kinds]


def line(step: TraceStep) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in step.values)
    return f"{values} ({step.place})" if step.place else values


@pytest.mark.parametrize(
    ("statements", "lines"),
    [
        ("int a[4], i = 2; a[i] = 5;", ["i = 2", "a[i] = 5 (a[2])"]),
        ("int a[4]; int *p = &a[3]; *p = 9;", ["p = &a[3]", "*p = 9 (a[3])"]),
        ("int a[2][3]; int *p = a[1]; p[2] = 1;", ["p = &a[1][0]", "p[2] = 1 (a[1][2])"]),
        ("int x; int *p = &x, *q = 0; *p = 1;", ["p = &x", "q = NULL", "*p = 1 (x)"]),
        ("int x = 3; int *p = &x; (*p)++;", ["x = 3", "p = &x", "*p = 4 (x)"]),
        ("char t[3]; char *p = t; *p++ = 'a'; *p = 0;", ["p = &t[0]", "p = &t[1]", "*p++ = 97 'a' (t[0])", "*p = 0 (t[1])"]),
        ("int a[3]; int *p = a + 3;", ["p = &a[3]"]),
        ("int x; char *p = (char *)&x + 1;", ["p = (char *)&x + 1"]),
        ("double d = 0.5; float f = 0.1f;", ["d = 0.5", "f = 0.10000000149011612"]),
        ("_Bool b = 7; unsigned char u = 255; signed char c = -1;", ["b = 1", "u = 255", "c = -1"]),
        ('const char *s = "ab" + 1;', ['s = &"ab"[1]']),
        ("int (*f)(void) = nd;", ["f = &nd"]),
    ],
)  # fmt: skip
def test_values_and_places(statements: str, lines: list[str]) -> None:
    assert told(statements) == lines


RECORDS = """
struct in { short s; int x[2]; };
struct node { int key; struct node *next; struct in in; unsigned low : 3, high : 5; union { int i; char c[4]; } u; };
"""


@pytest.mark.parametrize(
    ("statements", "lines"),
    [
        ("struct node n; n.in.x[1] = 4;", ["n.in.x[1] = 4"]),
        ("struct node n; struct in *p = &n.in; p->x[0] = 4;", ["p = &n.in", "p->x[0] = 4 (n.in.x[0])"]),
        ("struct node n, *p = &n; p->low = 9; p->high = 2;", ["p = &n", "p->low = 1 (n.low)", "p->high = 2 (n.high)"]),
        ("struct node n, *p = &n; p->u.c[2] = 1; p->u.i = 0;", ["p = &n", "p->u.c[2] = 1 (n.u.c[2])", "p->u.i = 0 (n.u.i)"]),
        ("struct node a[2]; a[1].next = &a[0];", ["a[1].next = &a[0]"]),
        ("struct node a[2], *p = a; p++; p->key = 1;", ["p = &a[0]", "p = &a[1]", "p->key = 1 (a[1].key)"]),
        ("struct in a = {1, {2, 3}}, b, *p = &b; *p = a;",
         ["a.s = 1", "a.x[0] = 2", "a.x[1] = 3", "p = &b", "(*p).s = 1, (*p).x[0] = 2, (*p).x[1] = 3 (b)"]),
    ],
)  # fmt: skip
def test_records(statements: str, lines: list[str]) -> None:
    assert told(statements, RECORDS) == lines


def test_blocks_are_numbered() -> None:
    lines = told(
        "void *v = malloc(sizeof(struct node)); struct node *n = v; n->next = malloc(sizeof *n); n->next->key = 1;"
        "int *a = malloc(12); a[2] = n->next->key; struct node *m = n;",
        RECORDS,
    )
    assert lines == [
        "v = &block#1",
        "n = &node#1",
        "n->next = &node#2 (node#1.next)",
        "n->next->key = 1 (node#2.key)",
        "a = &int#3[0]",
        "a[2] = 1 (int#3[2])",
        "m = &node#1",
    ]


def test_calls_and_conditions() -> None:
    lines = told(
        "int a[3] = {0, 4, 0}; struct node n; n.next = &n; set(&a[nd() * 0 + 2], 7); if (a[2] == 7 && n.next != 0) n.key = 1;",
        RECORDS + "static void set(int *p, int v) { *p = v; }",
    )
    assert lines[3:] == ["n.next = &n", "p = &a[2], v = 7", "*p = 7 (a[2])", "a[2] = 7, n.next = &n", "n.key = 1"]


def test_conditions_show_what_was_read_this_time() -> None:
    """The second operand is not evaluated in the second round."""
    lines = told("int a[2] = {0, 1}, i = 0; while (a[i] == 0 && a[i + 1] == 1) i++;")
    assert lines[3:] == ["i = 0, a[0] = 0, a[1] = 1", "i = 1", "i = 1, a[1] = 1"]


def test_the_failure_shows_what_it_read() -> None:
    steps = trace(RECORDS + "int main(void) { struct node n, *p = &n; p->key = 3; __VERIFIER_assert(p->key != 3); }")
    assert (steps[-1].kind, steps[-1].values) == ("fail", (("p", "&n"), ("n.key", "3")))


def test_recursion_joins_the_right_calls() -> None:
    text = "static int sum(int n) { if (n <= 0) return 0; int rest = sum(n - 1); return n + rest; }"
    steps = trace(text + "int main(void) { int s = sum(3); __VERIFIER_assert(s != 6); }", bound=5)
    assert [dict(step.values)["n"] for step in steps if step.kind == "call"] == ["3", "2", "1", "0"]
    assert [dict(step.values)["rest"] for step in steps if step.kind == "assign" and "rest" in dict(step.values)] == [
        "0",
        "1",
        "3",
    ]


def test_values_of_undefined_operations_are_not_shown() -> None:
    steps = trace("int main(void) { int x = nd(); if (x > 2) __VERIFIER_assert(12 / x != 3); }")
    assert not any("undefined" in name for step in steps for name, _ in step.values)


def test_what_cannot_be_joined_is_told_by_the_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """An event too many at a place, or another number there, and nothing of the place is believed."""
    text = (
        RECORDS + "int main(void) { struct node n, *p = &n; int i = 1; p->key = i; __VERIFIER_assert(p->key != 1); }"
    )
    joined, plain = trace(text), None
    original = machine_stories.sights_of

    def changed(edit: str) -> tuple[TraceStep, ...]:
        def sights_of(replay: Any, events: Sequence[Event], *others: Any) -> Sights:  # noqa: ANN401
            made = list(events)
            at = next(number for number, event in enumerate(made) if event.place == "n.key")
            if edit == "doubled":
                made.insert(at, made[at])
            else:
                made[at] = replace(made[at], values=(("", "2"),))
            return original(replay, made, *others)

        monkeypatch.setattr(machine_stories, "sights_of", sights_of)
        return trace(text)

    for edit in ("doubled", "other number"):
        plain = [step for step in changed(edit) if step.text == "p->key = i"]
        assert [(step.values, step.place) for step in plain] == [((("p->key", "1"),), "")]
    assert [(step.values, step.place) for step in joined if step.text == "p->key = i"] == [
        ((("p->key", "1"),), "n.key")
    ]


def test_the_text_shows_places() -> None:
    report = report_of("int main(void) { int a[4]; int *p = &a[3]; *p = 9; __VERIFIER_assert(a[3] != 9); }")
    text = render(report, TextStyle())
    assert "*p = 9  (a[3])\n" in text
    assert "a[3] = 9  <- fails" in text


def test_the_macro_assert_shows_what_it_read() -> None:
    for condition in ("*p == 1", "p == 0 || *p == 1"):
        steps = trace(
            f"#include <assert.h>\nint main(void) {{ int a[2]; int *p = a + 1; *p = 3; assert({condition}); }}"
        )
        assert (steps[-1].kind, steps[-1].values) == ("fail", (("p", "&a[1]"), ("a[1]", "3")))
