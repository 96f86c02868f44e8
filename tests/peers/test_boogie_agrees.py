"""The real Boogie gives the same answers: by search with a bound, by assertion, and on printed programs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from benchmarks.agree_with_boogie import Subject, ask_printed, ask_search, failing_lines, run_boogie
from remuda.base.errors import InputError
from remuda.base.source import Source
from remuda.contracts.annotate import annotate
from remuda.contracts.houdini import infer
from remuda.export.transformed import deep_assert
from remuda.frontends.boogie.load import load
from remuda.options import Options
from remuda.results.report import Verdict
from remuda.session import verify_files
from tests.engines.contract_samples import COUNTING, LOCK, STATES
from tests.golden_programs import options_of
from tests.random_candidates import random_candidates

pytestmark = pytest.mark.peer("boogie", "z3")

SECONDS = 20.0
PROGRAMS = sorted((Path(__file__).parents[1] / "programs").glob("*.bpl"))
SEQUENTIAL = [  # Boogie runs no threads
    program for program in PROGRAMS if not any(start in program.read_text() for start in ("async call ", "fork "))
]
POLYMORPHIC = "type F _; function q<a>(F a): bool; function read<a>(F a): a;"

# --- search with a bound

SEARCHED = {
    "called entry": (
        "var g: int; procedure main() modifies g; { g := g + 1; if (*) { call main(); } assert g < 3; }",
        3,
    ),
    "requires of a called entry": (
        "procedure P(x: int) requires x > 0; { assert x > 0; } procedure Q() { call P(1); call P(0); }",
        2,
    ),
    "loop at its bound": ("procedure main() { var i: int; i := 0; while (i < 4) { i := i + 1; } assert i != 4; }", 5),
    "loop under its bound": (
        "procedure main() { var i: int; i := 0; while (i < 4) { i := i + 1; } assert i != 4; }",
        3,
    ),
    "recursion at its bound": (
        "procedure main() { call P(3); } procedure P(n: int) { assert n != 1; call P(n - 1); }",
        3,
    ),
    "recursion under its bound": (
        "procedure main() { call P(3); } procedure P(n: int) { assert n != 1; call P(n - 1); }",
        2,
    ),
    "where after a call": (
        "procedure P() returns (x: int) { } procedure main() { var y: int where y < 7; call y := P(); assert y < 7; }",
        1,
    ),
    "where of results": (
        "procedure P() returns (x: int where x > 0); procedure main() { var y: int; call y := P(); assert y > 0; }",
        1,
    ),
    "where of changed globals": (
        "var g: int where g > 0; procedure P(); modifies g; procedure main() modifies g; { g := -1; call P(); assert g > 0; }",
        1,
    ),
    "free call": ("procedure P(x: int) requires x > 0; { assert x != 7; } procedure main() { free call P(0); }", 1),
    "failure in a callee": ("procedure main() { call P(1); assert false; } procedure P(x: int) { assert x > 1; }", 1),
    "assumption hides": (
        "procedure main() { var x: int; assume x > 1; call P(x); } procedure P(x: int) { assert x > 0; }",
        1,
    ),
}


RECURSIVE = {"sharing_recursion"}  # the bound counts other things once a recursion is a cycle of the entry
NEEDS_INSTANCES = {"doubted_path"}  # of quantifiers, where Boogie has no term to make them with


@pytest.mark.parametrize("program", SEQUENTIAL, ids=lambda path: path.stem)
def test_search_on_programs(program: Path, tmp_path: Path) -> None:
    options = options_of(program.read_text())
    comparison = ask_search(Subject(program.stem, (str(program),), options), SECONDS, tmp_path)
    if program.stem in NEEDS_INSTANCES:
        assert (comparison.ours, comparison.theirs) == ("not violated", "violated")
    else:
        assert comparison.outcome == "agree", comparison


@pytest.mark.parametrize(("text", "bound"), SEARCHED.values(), ids=SEARCHED.keys())
def test_search(text: str, bound: int, tmp_path: Path) -> None:
    path = tmp_path / "program.bpl"
    path.write_text(text)
    comparison = ask_search(Subject("program", (str(path),), Options(bound=bound)), SECONDS, tmp_path)
    assert comparison.outcome == "agree", comparison


# --- assertion by assertion, without loops and calls

JUDGED = {
    "arithmetic": """procedure P(x: int, y: int) {
        if (*) { assert x div 3 * 3 + x mod 3 == x; }
        if (*) { assert 0 <= x mod -3; }
        if (*) { assert (-7) div 2 == -4; }
        if (*) { assert 7 div -2 == -4; }
        if (*) { assert x * x >= 0; }
        if (*) { assert x <= y || y <= x + 1; }
        if (*) { assert x < y ==> x + 1 < y; } }""",
    "maps": """procedure P(m: [int]int, i: int, j: int) {
        var n: [int]int;
        n := m[i := 3];
        if (*) { assert n[i] == 3; }
        if (*) { assert n[j] == m[j]; }
        if (*) { assert i != j ==> n[j] == m[j]; } }""",
    "bit-vectors": """function {:bvbuiltin "bvadd"} add(bv8, bv8): bv8;
        function {:bvbuiltin "bvult"} less(bv8, bv8): bool;
        procedure P(x: bv8) {
        if (*) { assert add(255bv8, 1bv8) == 0bv8; }
        if (*) { assert less(x, add(x, 1bv8)); }
        if (*) { assert x[8:4] ++ x[4:0] == x; } }""",
    "old and havoc": """var g: int where g > 0; var h: int;
        procedure P() modifies g, h; {
        if (*) { assert g > 0; }
        g := g + 1;
        if (*) { assert g == old(g) + 1; }
        if (*) { assert old(g) == g; }
        havoc g, h;
        if (*) { assert g > 0; }
        if (*) { assert h > 0; } }""",
    "contracts": """var g: int;
        procedure P(x: int) returns (y: int)
          requires x > 0;
          ensures y > 0;
          ensures y > 1;
          ensures g == old(g);
          modifies g;
        { y := x; }""",
    "unique constants": """const unique a: int; const unique b: int; const c: int; axiom c > 3;
        procedure P() {
        if (*) { assert a != b; }
        if (*) { assert a != c; }
        if (*) { assert c > 2; } }""",
    "code expressions": """procedure {:inline 1} Next(x: int) returns (y: int) { y := x + 1; }
        procedure P(x: int) {
        if (*) { assert |{ var y: int; A: call y := Next(x); return y > x; }|; }
        if (*) { assert |{ var y: int; A: call y := Next(x); return y > x + 1; }|; } }""",
    "partial order": """const unique a: T; const unique b: T extends a; const unique c: T extends unique b complete;
        const unique d: T extends unique b; type T;
        procedure P(x: T, y: T) {
        if (*) { assert c <: a && b <: b; }
        if (*) { assert !(c <: d); }
        if (*) { assert x <: b ==> x == b || x <: c || x <: d; }
        if (*) { assert b <: x ==> x == b || a <: x; }
        if (*) { assert x <: c ==> x == c; }
        if (*) { assert x <: y ==> y <: x; }
        if (*) { assert x <: y && y <: x ==> x == y; } }""",
    "quantifiers over types": f"""{POLYMORPHIC} const c: F int; axiom (forall<a> f: F a :: q(f));
        procedure P<t>(x: F t) {{
        if (*) {{ assert q(c); }}
        if (*) {{ assert q(x); }}
        if (*) {{ assert (forall<a> g: F a :: q(g) && q(c)); }} }}""",
    "records of instances": """type F _; var h, g: <a>[F a]a;
        procedure P(i: F int, b: F bool) modifies h; {
        assume (forall f: F int :: h[f] == g[f]);
        if (*) { assert h == g; }
        if (*) { assert h[i] == g[i]; }
        h := g[i := 3];
        if (*) { assert h == g[i := 3]; }
        if (*) { assert h[b] == g[b]; } }""",
}


@pytest.mark.parametrize("text", JUDGED.values(), ids=JUDGED.keys())
def test_every_assertion(text: str, tmp_path: Path) -> None:
    path = tmp_path / "program.bpl"
    path.write_text(text)
    report = verify_files([str(path)], Options(entry=("*",), timeout=SECONDS))
    assert all(result.verdict.value in {"proved", "violated"} for result in report.assertions), report.assertions
    ours = {
        _blamed_line(text, result.location.line, result.kind)
        for result in report.assertions
        if result.verdict.value == "violated"
    }
    assert ours == failing_lines(path, SECONDS)


def _blamed_line(text: str, line: int, kind: str) -> int:
    """Boogie reports a postcondition where the body returns, which is at its closing brace."""
    return len(text.splitlines()) if kind == "ensures" else line


# --- nothing is proved by quantifiers over types that is not so

UNPROVABLE = {
    "two types in one": "axiom (forall<a> x: F a, y: F a :: x == y);"
    "procedure P() { assert (forall<b, c> x: F b, y: F c :: x == y); }",
    "one value per type": "function default<a>(): a; procedure P() { assume (forall<a> f: F a :: read(f) == default());"
    "assert (forall<a, b> f: F a, g: F b :: read(f) == read(g)); }",
    "one function per type": "type B; function box<a>(a): B; function unbox<a>(B): a;"
    "axiom (forall<a> x: a :: unbox(box(x)) == x);"
    "procedure P() { assert (forall<a, b> x: a, y: b :: box(x) == box(y) ==> x == y); }",
    "one parameter twice": "type D _ _; function r<a, b>(D a b): bool;"
    "procedure P() { assume (forall<a> x: D a a :: r(x)); assert (forall<a, b> x: D a b :: r(x)); }",
    "a type that contains another": "procedure P() { assert (forall<a, b> x: a, y: F b :: x != y); }",
    "a premise in an assumed code expression": "procedure P() {"
    "assume |{ A: assume (forall<a> x: F a, y: F a :: q(x)); return false; }|; assert false; }",
    "a variable of an outer type": "procedure P() { assert (forall<a> f: F a :: (exists y: a :: y != read(f))); }",
}


@pytest.mark.parametrize("text", UNPROVABLE.values(), ids=UNPROVABLE.keys())
def test_unprovable_quantifiers_over_types(text: str, tmp_path: Path) -> None:
    path = tmp_path / "program.bpl"
    path.write_text(f"{POLYMORPHIC}\n{text}")
    report = verify_files([str(path)], Options(timeout=SECONDS))
    assert report.verdict.value in {"violated", "unknown"}
    if "code expression" not in text and "|{" not in text:
        assert failing_lines(path, SECONDS)


def test_both_reject_a_body_that_mixes_type_parameters(tmp_path: Path) -> None:
    text = f"{POLYMORPHIC} function g<a>(F a, a): bool; axiom (forall<a, b> f: F a, y: b :: g(f, y));"
    path = tmp_path / "program.bpl"
    path.write_text(text)
    assert failing_lines(path, SECONDS) is None
    with pytest.raises(InputError):
        load([Source("program.bpl", text)])


# --- printed programs


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_printed_programs(program: Path, tmp_path: Path) -> None:
    comparison = ask_printed(Subject(program.stem, (str(program),), Options()), SECONDS, tmp_path)
    beyond_boogie = comparison.theirs is None and comparison.reason.startswith("Boogie")
    assert comparison.outcome == "agree" or beyond_boogie, comparison


@pytest.mark.parametrize("name", JUDGED)
def test_printed_texts(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.bpl"
    path.write_text(JUDGED[name])
    comparison = ask_printed(Subject(name, (str(path),), Options()), SECONDS, tmp_path)
    assert comparison.outcome == "agree", comparison


# --- lifted programs


@pytest.mark.parametrize("program", SEQUENTIAL, ids=lambda path: path.stem)
def test_boogie_reads_lifted_programs_and_finds_the_same(program: Path, tmp_path: Path) -> None:
    """Boogie's search agrees about the lifted text, and there is a violation exactly if the program has one."""
    options = options_of(program.read_text())
    source = Source(program.name, program.read_text())
    lifted = tmp_path / "lifted.bpl"
    lifted.write_text(deep_assert(load([source]), options).text, encoding="utf-8")
    searched = replace(options, entry=(), property="assertions")  # the text has all of this
    comparison = ask_search(Subject(program.stem, (str(lifted),), searched), SECONDS, tmp_path)
    if program.stem not in NEEDS_INSTANCES | RECURSIVE:
        assert comparison.outcome == "agree", comparison
        before = verify_files([str(program)], replace(options, unroll=False))
        assert (comparison.ours == "violated") == (before.verdict is Verdict.VIOLATED)


# --- candidates


@pytest.mark.parametrize("seed", range(24))
def test_boogie_keeps_the_same_candidates(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # Boogie leaves a file where it is run
    text = random_candidates(Random(seed))
    path = tmp_path / "candidates.bpl"
    path.write_text(text)
    found = infer(load([Source(str(path), text)]), Options())
    theirs = run_boogie(path, ("/contractInfer", "/printAssignment"), SECONDS)
    assert theirs is not None
    assignment = dict(re.findall(r"^(b\d+) = (True|False)$", theirs.output, re.MULTILINE))
    assert [name for name, value in assignment.items() if value == "True"] == [
        candidate.name for candidate in found.inferred.kept
    ]
    annotated = tmp_path / "annotated.bpl"
    annotated.write_text(found.text)
    verified = run_boogie(annotated, (), SECONDS)
    assert verified is not None
    errors = re.search(r"(\d+) errors?$", verified.output.strip())
    assert errors is not None
    assert (int(errors[1]) > 0) == bool(found.failing)  # Boogie may count one for each procedure


@pytest.mark.parametrize("text", [LOCK, STATES, COUNTING])
def test_boogie_verifies_contracts_that_were_found(text: str, tmp_path: Path) -> None:
    annotated = tmp_path / "annotated.bpl"
    annotated.write_text(annotate(load([Source("program.bpl", text)]), Options()).text)
    verified = run_boogie(annotated, (), SECONDS)
    assert verified is not None
    assert verified.output.strip().endswith(" verified, 0 errors")
