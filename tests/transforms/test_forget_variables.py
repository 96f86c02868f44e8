"""Forgetting what variables hold: only proofs survive, and they are right."""

from __future__ import annotations

from random import Random

import pytest

from remuda.frontends.boogie.load import load
from remuda.ir.check import check
from remuda.ir.printer import print_program
from remuda.options import Options
from remuda.prepare import pipeline
from remuda.results.report import Verdict
from remuda.transforms.forget_variables import ForgetVariables, map_globals
from tests.oracle import FEW, Oracle, source
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, random_program
from tests.verify_text import verify

TEXT = """
var m: [int]int;
var g: int;

procedure {:entrypoint} main() returns (r: int)
  modifies m, g;
{
  var x: int;
  var k: [int]int;
  m[g] := 1;
  x := m[g] + m[1] + g;
  k := m;
  havoc m, x;
  assume m[x] > x;
  assume (forall i: int :: m[i] > 0) && x > 0;
  assert (forall i: int :: m[i] == i);
  call x := f(m[2], m);
  call m := h();
  assert g > 0;
}

procedure f(a: int, b: [int]int) returns (c: int);
  ensures c == m[0];
  ensures c > g;
procedure h() returns (d: [int]int);
"""


def test_every_kind_of_statement() -> None:
    program = load([source(TEXT)])
    result = ForgetVariables(map_globals(program)).apply(program)
    assert not result.trust.bugs
    assert check(result.program) == []
    lines = [line.strip() for line in print_program(result.program).splitlines()]
    body = lines[lines.index("start:") + 1 : lines.index("return;")]
    assert body == [
        "havoc any$0, any$1;",
        "x := any$1 + any$0 + g;",
        "havoc any$2;",
        "k := any$2;",
        "havoc x;",
        "havoc any$3;",
        "assume x < any$3;",
        "havoc any$4;",
        "assume any$4;",
        "havoc any$5;",
        "assert any$5;",
        "havoc any$6, any$7;",
        "call x := f(any$6, any$7);",
        "call lost$8 := h();",
        "assert 0 < g;",
    ]
    assert "ensures g < c;" in lines
    assert not any("m[" in line for line in lines)


@pytest.mark.parametrize("seed", range(20))
def test_verdicts_with_an_abstract_search_beside_are_right(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check_verdicts(seed, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_many_verdicts_with_an_abstract_search_beside_are_right(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check_verdicts(seed, monkeypatch)


def check_verdicts(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "LARGE", 0)
    random = Random(seed)
    text = random_program(random).text
    options = Options(
        bound=random.choice([1, 2, 3]), check_ir=True, timeout=PATIENCE, alternate=random.choice([0.01, 10.0])
    )
    assert Oracle(text, options, DOMAIN, FEW).complaints(verify(text, options)) == []


MEMORY_DOES_NOT_MATTER = """
var m: [int]int;

procedure {:entrypoint} main(n: int)
  modifies m;
{
  var s: int;
  s := 1;
  m[n] := 3;
  if (m[n] == 3) { s := 2; }
  assert s > 0;
  assert s == 2;
}
"""


LOOP = """
var m: [int]int;

procedure {:entrypoint} main()
  modifies m;
{
  var i: int;
  var x: int;
  i := 0;
  while (i < 100) { STATEMENTS i := i + 1; }
  assert x == 7;
}
"""


def test_the_same_loops_are_unrolled() -> None:
    """Forgetting variables adds statements. An unrolled loop, which does not count towards the bound, must stay
    one."""
    text = LOOP.replace("STATEMENTS", "x := x + m[i]; " * 30)
    prepared = pipeline.prepare(load([source(text)]), Options())
    abstract = pipeline.with_tracked(prepared, frozenset())
    for each in (prepared, abstract):
        assert not any(body.loop_of for body in each.instrumented.program.procedures.values())


def test_stored_values_and_indices_are_forgotten_but_not_the_map() -> None:
    text = "var m: [int]int; var i, x: int; procedure {:entrypoint} main() modifies m; { m := m[0 := x][i := 1]; }"
    program = load([source(text)])
    others = frozenset(variable for variable in program.globals if variable.name != "m")
    lines = print_program(ForgetVariables(others).apply(program).program)
    assert "m := m[0 := any$0][any$1 := 1];" in lines


def test_proofs_and_violations(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second assertion takes memory to prove."""
    monkeypatch.setattr(pipeline, "LARGE", 0)
    for options in (Options(), Options(abstract=False), Options(abstract=True), Options(alternate=0.001)):
        report = verify(MEMORY_DOES_NOT_MATTER, options)
        assert [result.verdict for result in report.assertions] == [Verdict.PROVED, Verdict.PROVED]
        bad = verify(MEMORY_DOES_NOT_MATTER.replace("s == 2", "s == 1"), options)
        assert [result.verdict for result in bad.assertions] == [Verdict.PROVED, Verdict.VIOLATED]
