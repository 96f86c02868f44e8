"""Maps at constant indices: which are split, what becomes of statements, and that verdicts and traces stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from remuda.frontends.boogie.load import load
from remuda.ir.printer import print_program
from remuda.options import Options
from remuda.prepare.pipeline import base_program
from remuda.results.report import Verdict
from remuda.transforms.fix_indices import FixIndices
from remuda.transforms.prune import PruneProcedures
from remuda.transforms.split_maps import SplitMaps
from tests.oracle import source
from tests.verify_text import verify

if TYPE_CHECKING:
    from remuda.ir.program import Program


def fixed(text: str) -> Program:
    base = PruneProcedures().apply(base_program(load([source(text)]), Options(check_ir=True))).program
    return FixIndices().apply(base).program


def split(text: str) -> set[str]:
    """The globals that were maps."""
    after = SplitMaps().apply(fixed(text)).program.globals
    return {variable.name for variable in after if "$" in variable.name}


def main(body: str, more: str = "") -> str:
    return f"""
    var m, n: [int]int; var g: int;
    procedure {{:entrypoint}} main() modifies m, n, g; {{ var x: int; {body} }}
    {more}
    """


# --- indices


@pytest.mark.parametrize(
    ("body", "index"),
    [
        ("x := 1; m[x] := 2;", "1"),
        ("x := 1; x := x + 1; m[x] := 2;", "2"),
        ("g := 3; m[g] := 2;", "3"),
        ("assume x == 4; m[x] := 2;", "4"),
        ("if (g == 0) { x := 5; } else { x := 5; } m[x] := 2;", "5"),
        ("if (g == 0) { x := 5; } else { x := 6; } m[x] := 2;", "x"),
        ("if (g == 0) { x := 5; } else { x := 6; assume false; } m[x] := 2;", "5"),
        ("x := 1; havoc x; m[x] := 2;", "x"),
        ("x := 0; while (g > 0) { x := x + 1; } m[x] := 2;", "x"),
        ("x := 7; while (g > 0) { g := g - 1; } m[x] := 2;", "7"),
        ("g := 1; call Change(); m[g] := 2;", "9"),
        ("g := 1; call Keep(); m[g] := 2;", "1"),
        ("g := 1; call Unknown(); m[g] := 2;", "g"),
        ("call x := Same(8); m[x] := 2;", "8"),
        ("x := 1; m[n[x]] := 2;", "n[1]"),
    ],
)
def test_known_indices(body: str, index: str) -> None:
    more = """
    procedure Change() modifies g; { g := 9; }
    procedure Keep() { }
    procedure Unknown(); modifies g;
    procedure Same(i: int) returns (r: int) { r := i; }
    """
    assert f"m[{index} := 2]" in print_program(fixed(main(body, more)))


def test_arguments_are_known_if_all_calls_agree() -> None:
    more = "procedure Set(i, j: int) modifies m; { m[i + j] := 2; m[i] := 3; }"
    program = print_program(fixed(main("call Set(1, 2); call Set(1, 3);", more)))
    assert "m[i + j := 2]" in program
    assert "m[1 := 3]" in program


def test_threads_change_what_they_share() -> None:
    more = "procedure T(i: int) modifies g, m; { g := i; m[i] := 3; }"
    program = print_program(fixed(main("g := 1; x := 2; async call T(x); m[g] := 1; m[x] := 4;", more)))
    for access in ("m[g := 1]", "m[2 := 4]", "m[2 := 3]"):
        assert access in program


# --- maps


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("m[1] := 2; x := m[1];", {"m$1"}),
        ("m[1] := 2; m[3] := 4; x := m[1] + m[5];", {"m$1", "m$5"}),  # m[3] is never read
        ("m[1] := 2;", set()),
        ("m[0 - 1] := 2; x := m[0 - 1];", {"m$minus1"}),
        ("havoc m; x := m[1];", {"m$1"}),
        ("m[1] := 2; x := m[g];", set()),
        ("m[g] := 2; x := m[1];", set()),
        ("m := n; x := m[1] + n[1];", set()),
        ("m := n[1 := 2]; x := m[1] + n[1];", set()),
        ("x := m[1 := 2][3]; m[3] := 1;", {"m$3"}),  # that is m[3]
        ("assume m == n; x := m[1];", set()),
        ("assume (forall i: int :: m[i] == 0); x := m[1] + n[1];", {"n$1"}),
        ("call P(m); x := m[1];", set()),
        ("call m := Q(); x := m[1];", set()),
        ("call R(); x := m[1];", set()),
    ],
)
def test_which_maps_are_split(body: str, names: set[str]) -> None:
    more = """
    procedure P(a: [int]int) { }
    procedure Q() returns (a: [int]int) { }
    procedure R(); modifies m;
    """
    assert split(main(body, more)) == names


def test_the_last_write_counts() -> None:
    text = main("m := m[1 := 2][3 := x][1 := 4]; assert m[1] == 4; assert m[3] == x; assert m[1] == 2;")
    assert [result.verdict for result in verify(text, Options()).assertions] == [
        Verdict.PROVED,
        Verdict.PROVED,
        Verdict.VIOLATED,
    ]


def test_traces_have_the_elements_of_maps() -> None:
    body = "assume m[1] == 5 && m[2] > m[1]; havoc n; assume n[3] == 7; assert n[3] != m[2] + 1 || n[4] != m[1];"
    (result,) = verify(main(body), Options(check_ir=True)).assertions
    assert result.verdict is Verdict.VIOLATED


def test_statements_keep_their_places() -> None:
    text = main("m[1] := 2; n[1] := 3; g, m[2] := 1, 4; x := m[2]; assert x == 5;")
    before = fixed(text)
    after = SplitMaps().apply(before).program
    counts = [[len(block.statements) for block in each.procedures["main"].blocks or ()] for each in (before, after)]
    assert counts[0] == counts[1]


def test_writes_of_inputs_and_split_maps_go_together() -> None:
    body = "var y: int; havoc y; n[g] := y; n[1] := x; m[g] := n[1]; assert m[g] != 3 || n[g] != 4;"
    (result,) = verify(main("").replace("var x: int;", f"var x: int; {body}"), Options(check_ir=True)).assertions
    assert result.verdict is Verdict.VIOLATED


def test_maps_in_where_clauses_stay() -> None:
    text = "var m: [int]int; var g: int where g > m[3]; procedure {:entrypoint} main() { assert m[3] < g; assert m[3] > 0; }"
    assert split(text) == set()
    verdicts = [result.verdict for result in verify(text, Options(check_ir=True)).assertions]
    assert verdicts == [Verdict.PROVED, Verdict.VIOLATED]
