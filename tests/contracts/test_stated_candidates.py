"""Candidates that people state: in `{:template}` procedures, and in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from remuda.base.errors import InputError, UsageError
from remuda.cli.main import main
from remuda.contracts.annotate import annotate
from remuda.frontends.boogie.load import load
from remuda.options import Options
from remuda.results.report import Verdict
from remuda.session.api import verify, verify_files
from tests.oracle import source

if TYPE_CHECKING:
    from pathlib import Path

# The invariant that proves this has no constants of the program.
EVEN = """
var g, h: int;
procedure {:entrypoint} main() { g, h := 0, 1; call Grow(); assert g mod 2 == 0; assert h < 10; }
procedure Grow() modifies g;
{ var more: bool; havoc more; if (more && h != 3) { g := g + 4; call Grow(); g := g - 2; } }
"""
SEARCH = Options(houdini=True, bound=2)


def verdicts(text: str, options: Options = SEARCH) -> list[Verdict]:
    return [each.verdict for each in verify(text, options).assertions]


def test_without_candidates_there_are_no_contracts() -> None:
    assert verdicts(EVEN) == [Verdict.BOUNDED, Verdict.PROVED]


@pytest.mark.parametrize(
    "conditions",
    [
        "ensures g mod 2 == old(g) mod 2;",
        "free ensures g mod 2 == old(g) mod 2; free ensures g == 5; requires h == 7;",
        "ensures {:post} g mod 2 == 0; ensures {:pre} old(h) == 1; ensures {:pre} old(g) mod 2 == 0;",
        "ensures {:post} g mod 2 == 0; ensures {:pre} old(h) > 0; ensures {:pre} old(g) mod 2 == 0 && old(h) < 5;",
    ],
)
def test_a_template_is_a_candidate_everywhere(conditions: str) -> None:
    text = f"{EVEN}procedure {{:template}} parity(); {conditions}\n"
    assert verdicts(text) == [Verdict.PROVED, Verdict.PROVED]
    assert "parity" not in load([source(text)]).procedures


def test_a_template_that_does_not_hold_does_no_harm() -> None:
    wrong = EVEN.replace("g - 2", "g - 1")
    text = f"{wrong}procedure {{:template}} parity(); free ensures g mod 2 == old(g) mod 2; free requires false;\n"
    assert verdicts(text) == [Verdict.VIOLATED, Verdict.PROVED]


def test_candidates_only_mention_the_interface(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remuda.engines.sampling.RUNS", 0)  # nothing but Houdini itself
    monkeypatch.setattr("remuda.engines.bounded_violations.MOST_MODELS", 0)
    text = """
    var g, h: int;
    procedure {:entrypoint} main() modifies g, h; { h := 1; call Q(); }
    procedure Q() modifies g, h; { g := h; h := 5; call P(); assert g == 7; }
    procedure P() modifies g; { g := 1; }
    """
    assert verdicts(f"{text} procedure {{:template}} all(); requires h == 1; ensures h == 1;") == [Verdict.VIOLATED]
    assert in_file(tmp_path, text, "* requires h == 1\n* ensures h == 1\n") == [Verdict.VIOLATED]
    lines = "P requires (forall x: int :: x == h ==> x == 1)\nQ requires h == 1\nP ensures h == 1\n"
    assert in_file(tmp_path, text, lines) == [Verdict.VIOLATED]


def test_a_template_that_is_called_is_a_procedure() -> None:
    text = "var g: int; procedure {:template} P(); free ensures g > 0; procedure main() { call P(); assert g > 0; }"
    assert verdicts(text) == [Verdict.PROVED]


LOOP = """
var g: int;
procedure main() {
  var i, n: int;
  i, g := 0, 0;
  while (i < n) { i := i + 1; call Add(3); }
  assert g == 3 * i;
}
procedure Add(k: int) modifies g; { g := g + k; }
"""


def in_file(tmp_path: Path, text: str, candidates: str) -> list[Verdict]:
    program, file = tmp_path / "program.bpl", tmp_path / "candidates.txt"
    program.write_text(text)
    file.write_text(candidates)
    report = verify_files([str(program)], Options(candidates=str(file)))
    return [each.verdict for each in report.assertions]


def test_lines_of_a_file(tmp_path: Path) -> None:
    assert verdicts(LOOP) == [Verdict.BOUNDED]
    lines = """
// what the loop keeps, and what it does not
main/loop_head.1  invariant g == 3 * i
  main/loop_head.1  invariant i < 7
# of a procedure
Add   ensures g == old(g) + k
Add   requires k == 3
*     ensures g >= 0 && (exists x: int :: x == g)
"""
    name = annotate(load([source(LOOP)]), SEARCH).contracts[-1].split()[0]
    assert in_file(tmp_path, LOOP, lines.replace("main/loop_head.1", name)) == [Verdict.PROVED]


def test_printed_candidates_can_be_read(tmp_path: Path) -> None:
    text = LOOP.replace("g == 3 * i", "i >= 0")
    found = annotate(load([source(text)]), Options()).contracts
    assert in_file(tmp_path, text, "\n".join(found)) == [Verdict.PROVED]


def test_bits_have_operators_by_name(tmp_path: Path) -> None:
    text = """
    int g;
    void add(int k) { g = g + k + k; }
    int main(void) { int n = __VERIFIER_nondet_int(); g = 0; while (n--) add(n); if (g & 1) reach_error(); }
    """
    program, file = tmp_path / "program.c", tmp_path / "candidates.txt"
    program.write_text("void reach_error(void); int __VERIFIER_nondet_int(void);" + text)
    file.write_text(
        "* ensures bvand(g, 1bv32) == bvand(old(g), 1bv32)\nmain/while invariant bvand(g, 1bv32) == 0bv32\n"
    )
    (result,) = verify_files([str(program)], Options(candidates=str(file), bound=3)).assertions
    assert result.verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("Add ensures g <", 15, "expected an expression"),
        ("Add ensures g", 13, "bool"),
        ("Add ensures gg == 1", 13, "undeclared identifier: gg"),
        ("Add requires g == old(g)", 19, "two-state"),
        ("Nobody ensures g == 1", 1, "there is no procedure Nobody"),
        ("Add promises g == 1", 1, "KIND is requires, ensures, invariant"),
        ("main requires g == 1", 1, "executions start in main"),
        ("Add ensures true; axiom false", 19, "one condition on each line"),
    ],
)
def test_errors_in_lines_are_reported(line: str, column: int, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as problem:
        in_file(tmp_path, LOOP, f"\n{line}\n")
    (diagnostic,) = problem.value.diagnostics
    assert (diagnostic.span.line, diagnostic.span.source.position(diagnostic.span.start)[1]) == (2, column)
    assert message in diagnostic.message
    assert diagnostic.span.excerpt().splitlines()[0].endswith(line)


def test_a_name_that_the_search_does_without_is_no_mistake(tmp_path: Path) -> None:
    text = LOOP.replace("var g: int;", "var g, unread: int;").replace("g := g + k;", "g := g + k; unread := k;")
    assert in_file(tmp_path, text, "Add ensures unread == k\nNever/loop ensures true\n".replace("Never", "main")) == [
        Verdict.BOUNDED
    ]


def test_files_that_are_not_there_and_options_that_do_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program.bpl"
    program.write_text(LOOP)
    assert main(["verify", str(program), "--candidates", str(tmp_path / "none")]) == 2
    assert "cannot read" in capsys.readouterr().err
    with pytest.raises(UsageError, match="--no-houdini"):
        verify_files([str(program)], Options(candidates=str(program), houdini=False))
    program.write_text("const {:existential true} b: bool; procedure main() ensures b ==> true; { }")
    assert main(["houdini", str(program), "--candidates", str(program)]) == 1
    assert "candidates of its own" in capsys.readouterr().err
