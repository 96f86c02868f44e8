"""What `remuda show` prints, on programs built by hand."""

from __future__ import annotations

import pytest

from remuda.analysis.callgraph import call_graph
from remuda.base.source import synthetic_span
from remuda.cli.show import callgraph_dot, callgraph_text, loops_text, table
from remuda.ir.program import Block, Call, Procedure, Program
from remuda.terms.store import Terms

SPAN = synthetic_span("queue.bpl")


def block(label: str, successors: tuple[str, ...] = (), *, calls: tuple[str, ...] = ()) -> Block:
    statements = tuple(Call(name, (), (), SPAN) for name in calls)
    return Block(label, statements, successors, SPAN)


def procedure(name: str, *blocks: Block) -> Procedure:
    return Procedure(name, (), (), SPAN, blocks=blocks or None)


def program(*procedures: Procedure) -> Program:
    return Program(Terms(), {each.name: each for each in procedures}, entries=("main",))


@pytest.fixture(name="queue")
def queue_program() -> Program:
    return program(
        procedure("main", block("start", calls=("Push", "Log"))),
        procedure("Push", block("start", calls=("Push",))),
        procedure("Log"),
    )


def test_callgraph(queue: Program) -> None:
    assert callgraph_text(queue, call_graph(queue)) == (
        "main  entry      -> Push, Log\n"
        "Push  recursive  -> Push\n"
        "Log   no body\n"
    )  # fmt: skip


def test_callgraph_for_graphviz(queue: Program) -> None:
    lines = callgraph_dot(queue, call_graph(queue)).splitlines()
    assert lines[0] == "digraph calls {"
    assert '  "main" [style="filled"];' in lines
    assert '  "Log" [style="dashed"];' in lines
    assert '  subgraph cluster_0 { label="recursive"; style=rounded; "Push"; }' in lines
    assert '  "Push" -> "Push";' in lines


def test_loops() -> None:
    looping = procedure(
        "main",
        block("start", ("outer",)),
        block("outer", ("inner", "done")),
        block("inner", ("inner", "outer")),
        block("done"),
    )
    assert loops_text(program(looping)) == (
        "main/outer  queue.bpl:1:1  depth 1  local  2 blocks\n"
        "main/inner  queue.bpl:1:1  depth 2  local  1 block\n"
    )  # fmt: skip


def test_no_loops(queue: Program) -> None:
    assert loops_text(queue) == "no loops\n"


def test_table_aligns() -> None:
    assert table([("a", "bb", "c"), ("aaa", "b", "")]) == "a    bb  c\naaa  b\n"
