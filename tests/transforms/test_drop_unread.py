"""Assignments that nothing depends on: which they are, and that verdicts and traces stay."""

from __future__ import annotations

import pytest

from remuda.frontends.boogie.load import load
from remuda.options import Options
from remuda.prepare.pipeline import base_program
from remuda.results.report import Verdict
from remuda.transforms.drop_unread import DropUnread, unread_variables
from tests.oracle import source
from tests.verify_text import verify


def unread(text: str) -> set[str]:
    return {variable.name for variable in unread_variables(base_program(load([source(text)]), Options()))}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a := b; b := a + 1;", {"a", "b"}),  # they only go into each other
        ("a := b; assert b > 0;", {"a"}),
        ("a := b; assert a > 0;", set()),
        ("a := b; x := a; assert x > 0;", set()),  # through a local
        ("havoc a; b := a;", {"b"}),  # traces have the chosen value of a
        ("a := 1; call P(a);", set()),
        ("a := 1; call b := Q();", {"a"}),
        ("m[a] := b;", {"m"}),
    ],
)
def test_unread_variables_are_removed(body: str, expected: set[str]) -> None:
    text = f"""
    var a, b: int;
    var m: [int]int;
    procedure {{:entrypoint}} main() modifies a, b, m; {{ var x: int; {body} }}
    procedure P(i: int) {{ assert i > 0; }}
    procedure Q() returns (r: int) {{ r := 7; }}
    """
    assert unread(text) == expected


def test_contracts_and_wheres_read() -> None:
    assert unread("var a: int where a > 0; procedure {:entrypoint} main() modifies a; { a := 2; }") == set()
    assert unread("var a: int; procedure {:entrypoint} main() modifies a; ensures a > 0; { a := 2; }") == set()


def test_statements_keep_their_places() -> None:
    text = "var a, b: int; procedure {:entrypoint} main() modifies a, b; { a := 1; a, b := 2, 3; assert b > 3; }"
    base = base_program(load([source(text)]), Options())
    before, after = (
        [len(block.statements) for block in program.procedures["main"].blocks or ()]
        for program in (base, DropUnread().apply(base).program)
    )
    assert before == after
    assert [result.verdict for result in verify(text, Options()).assertions] == [Verdict.VIOLATED]
