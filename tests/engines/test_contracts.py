"""Contracts and invariants that are inferred: that they hold, and what can be proved with them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from remuda.base.source import Source
from remuda.cli.main import main
from remuda.contracts.annotate import annotate, in_words
from remuda.contracts.inference import Aside, infer, solve
from remuda.frontends.boogie.load import load
from remuda.options import Options
from remuda.portfolio.budgets import Budget
from remuda.portfolio.run import run
from remuda.prepare.pipeline import prepare
from remuda.results.report import Report, Verdict
from tests.engines.contract_samples import COUNTING, LOCK, STATES
from tests.oracle import Oracle, source
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, random_program

if TYPE_CHECKING:
    from pathlib import Path

    from remuda.contracts.inference import Found
    from remuda.prepare.pipeline import Prepared


NEVER_RETURNS = """
var x: int;
procedure main() modifies x; { x := 0; call P(); }
procedure P() modifies x; { assert x == 1; while (true) { x := 1; } }
"""


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remuda.portfolio.strategies.proofs.PROOFS", Budget(least=60.0))
    monkeypatch.setattr("remuda.contracts.inference.QUESTION_SECONDS", 60.0)


def verified(text: str, options: Options | None = None) -> Report:
    return run([source(text)], options or Options(houdini=True), send=lambda _: None)


SUM = """
procedure main(n: int)
{
  var x, y: int;
  assume 0 <= n;
  x := n; y := 0;
  while (x != 0) { x := x - 1; y := y + 1; }
  assert y == n;
}
"""

McCARTHY = """
procedure main(n: int) { var r: int; call r := f(n); assert r == 91 || n > 101; }
procedure f(n: int) returns (r: int) { if (n > 100) { r := n - 10; } else { call r := f(n + 11); call r := f(r); } }
"""

BITS = """
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
  while (x > 0) { x--; y++; }
  __VERIFIER_assert(y == n);
}
"""


@pytest.mark.parametrize("text", [SUM, McCARTHY])
@pytest.mark.parametrize("way", [Options(), Options(engine="horn")], ids=["auto", "horn"])
def test_solutions_of_horn_clauses_prove(text: str, way: Options) -> None:
    assert verified(text, Options(houdini=False)).verdict is Verdict.BOUNDED
    assert verified(text, way).verdict is Verdict.PROVED


@pytest.mark.parametrize("way", [Options(), Options(engine="horn", assertion=("random.bpl:main:assert:1",))])
def test_failing_assertions_do_not_prevent_proofs_of_others(way: Options) -> None:
    report = verified(SUM.replace("assert y == n;", "assert y == n; assert n != 1;"), way)
    assert report.assertions[0].verdict is Verdict.PROVED


DATA = """
datatype D { A(x: int), B(y: bool) }
procedure main() { var d: D; var i: int; d := A(0); i := 0; while (*) { i := i + 1; d := A(i); } assert d->x < 100; }
"""


@pytest.mark.parametrize("way", [Options(), Options(engine="horn"), Options(houdini=True)])
def test_datatypes_are_declared_in_all_inference_solvers(way: Options) -> None:
    assert verified(DATA, way).verdict is Verdict.BOUNDED


def test_bits_are_guessed_to_be_numbers() -> None:
    def of_c(options: Options) -> Verdict:
        return run([Source("sum.c", BITS)], options, send=lambda _: None).verdict

    assert of_c(Options(houdini=False)) is Verdict.BOUNDED
    assert of_c(Options()) is Verdict.PROVED


@pytest.mark.parametrize("text", [LOCK, STATES, COUNTING])
def test_inferred_contracts_turn_bounded_into_proved(text: str) -> None:
    assert verified(text, Options(houdini=False)).verdict is Verdict.BOUNDED
    report = verified(text)
    assert report.verdict is Verdict.PROVED
    assert 0 < report.statistics.contracts < report.statistics.candidates


def test_calls_of_a_procedure_that_never_returns_count() -> None:
    assert verified(NEVER_RETURNS).verdict is Verdict.VIOLATED


def check_random(random: Random, steps: int) -> int:
    program = random_program(random)
    way = random.choice([Options(houdini=True), Options(), Options(engine="horn")])
    options = replace(way, bound=random.choice([1, 2]), check_ir=True, timeout=PATIENCE)
    report = verified(program.text, options)
    assert not Oracle(program.text, options, DOMAIN, steps).complaints(report), program.text
    return report.statistics.contracts


def test_verdicts_with_contracts_are_right() -> None:
    random = Random(1)
    assert sum(check_random(random, 3_000) for _ in range(40)) > 60


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_verdicts_with_contracts_on_many_programs(seed: int) -> None:
    check_random(Random(seed), 20_000)


def test_contracts_that_are_found_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, annotated = tmp_path / "count.bpl", tmp_path / "annotated.bpl"
    file.write_text(COUNTING)
    assert main(["houdini", str(file), "-o", str(annotated)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "main/loop_head.1  invariant j <= i" in lines
    assert lines[-1].endswith("candidates")
    assert main(["verify", "--print-invariants", "--houdini", str(file)]) == 0
    assert "  main/loop_head.1  invariant j <= i" in capsys.readouterr().out.splitlines()
    text = annotated.read_text()
    assert verified(text, Options(houdini=False, entry=("main",))).verdict is not Verdict.VIOLATED


def test_all_that_is_found_holds_in_every_execution() -> None:
    """Contracts as assertions of the program that they were found for: none of them fails."""
    random = Random(7)
    count = 0
    for _ in range(12):
        annotated = annotate(load([source(random_program(random).text)]), Options(timeout=PATIENCE))
        plain = verified(annotated.text, Options(houdini=False, bound=2, timeout=PATIENCE))
        kinds = {"requires", "ensures"}
        assert not [each for each in plain.assertions if each.kind in kinds and each.verdict is Verdict.VIOLATED]
        count += len(annotated.contracts)
    assert count > 20


def test_contracts_of_another_tool_may_be_ignored() -> None:
    text = "procedure P() returns (y: int) free ensures y == 1; { y := 2; } procedure main() { var z: int; call z := P(); assert z == 1; }"
    assert verified(text, Options(entry=("main",))).verdict is Verdict.PROVED
    assert verified(text, Options(entry=("main",), ignore_free_ensures=True)).verdict is Verdict.VIOLATED


def typestates(count: int) -> str:
    """A chain of procedures on each of several globals: too large to be processed as a whole."""
    names = [f"g{number}" for number in range(count)]
    text = f"var {', '.join(names)}: int;\n"
    for name in names:
        text += f"procedure open_{name}() modifies {name}; {{ assert {name} == 0; {name} := 1; }}\n"
        text += f"procedure close_{name}() modifies {name}; {{ assert {name} == 1; {name} := 0; }}\n"
        text += f"procedure use_{name}() modifies {name}; {{ while (*) {{ call open_{name}(); call close_{name}(); }} }}\n"
    start = " ".join(f"{name} := 0;" for name in names)
    uses = " ".join(f"call use_{name}();" for name in names)
    return (
        f"{text}procedure {{:entrypoint}} main() modifies {', '.join(names)}; {{ {start} while (*) {{ {uses} }} }}\n"
    )


@pytest.mark.parametrize("whole", [True, False])
def test_procedures_one_by_one_and_several_at_a_time(whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not whole:
        monkeypatch.setattr("remuda.contracts.inference.SMALL", 0)
        monkeypatch.setattr("remuda.contracts.inference.WORTH_FORKING", 1)
    program = load([source(typestates(4))])
    found = [annotate(program, Options(jobs=jobs)) for jobs in (1, 3)]
    assert set(found[0].contracts) == set(found[1].contracts)
    assert "close_g2  ensures g2 == 0" in found[0].contracts
    for jobs in (1, 3):
        report = run([source(typestates(4))], Options(jobs=jobs, houdini=True), lambda _: None)
        assert {each.verdict for each in report.assertions} == {Verdict.PROVED}


def test_contracts_that_cannot_be_printed_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "jump.c"
    file.write_text(
        "extern void longjmp(int *, int); int state[10], g;\n"
        "int main(void) { g = 1; if (state[0]) { g = 2; longjmp(state, 1); g = 3; } return 0; }\n"
    )
    assert main(["houdini", str(file)]) == 0
    told = capsys.readouterr().out
    assert (
        f"note: a call of longjmp at {file}:2:48 is not supported: the contracts do not cover executions that reach it"
        in told
    )


ABSTRACTABLE = """
var lock, a, b, c: int; var m: [int]int;
procedure {:entrypoint} main() modifies lock, a, b, c, m; { lock := 0; while (*) { call Step(); } assert lock == 0; }
procedure Step() modifies lock, a, b, c, m;
{ a := a * b; m[a] := c; lock := lock + 1; if (m[a] > 3) { call Step(); } b := b * m[c]; lock := lock - 1; }
"""


def test_horn_clauses_of_an_abstraction(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def noted(prepared: Prepared, *rest: object) -> Found:
        seen.append([each.name for each in prepared.instrumented.program.globals])
        return solve(prepared, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("remuda.portfolio.strategies.contracts.solve", noted)
    assert verified(ABSTRACTABLE, Options(engine="horn", abstract=True)).verdict is Verdict.PROVED
    assert seen == [["lock"]]
    wrong = ABSTRACTABLE.replace("lock - 1", "lock - 2")
    assert verified(wrong, Options(engine="horn", abstract=True)).verdict is Verdict.VIOLATED


RETRIES = """
procedure main() {
  var s: int;
  s := 7;
  call s := retry(s);
  assert s != 3;
}
procedure attempt() returns (s: int) { if (*) { s := 1; } else if (*) { s := 2; } else { s := 5; } }
procedure retry(given: int) returns (s: int) { s := given; if (*) { call s := attempt(); call s := retry(s); } }
procedure other() returns (s: int) { s := 3; }
"""


def test_results_are_some_constants_and_not_others_or_what_came_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in large programs, where postconditions are all that is looked for."""
    monkeypatch.setattr("remuda.contracts.inference.SMALL", 0)
    text = RETRIES.replace("assert s != 3;", "assert s != 3; call s := other(); assert s == 3;")
    assert verified(text, Options(houdini=False)).verdict is Verdict.BOUNDED
    assert verified(text, Options(houdini=True)).verdict is Verdict.PROVED


LEVELS = """
var level, error: int; var Mem: [int]int;
procedure {:entrypoint} main(p: int) modifies level, error, Mem;
{ level := 0; error := 0; while (*) { call Work(p); } assert error == 0; }
procedure Raise(q: int) modifies level, error, Mem;
{ call Check(); if (error != 1) { Mem[q] := level; level := 2; } }
procedure Restore(to: int) modifies level; { level := to; }
procedure Check() modifies error; { if (level > 0) { error := 1; } }
procedure Work(p: int) modifies level, error, Mem;
{
  call Raise(p);
  if (error != 1) {
    call Restore(Mem[p]);
    if (*) { call Work(p + 1); }
  }
}
"""


def test_globals_that_are_saved_in_memory_and_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in large programs: levels are kept unless a failure is recorded, which no assertion states."""
    monkeypatch.setattr("remuda.contracts.inference.SMALL", 0)
    contracts = annotate(load([source(LEVELS)]), Options()).contracts
    assert "Raise  ensures error == 1 || Mem == old(Mem)[q := old(level)]" in contracts
    assert "Restore  ensures level == to" in contracts
    assert "Work  ensures error == 1 || level == old(level)" in contracts
    assert verified(LEVELS, Options(houdini=False)).verdict is Verdict.BOUNDED
    assert verified(LEVELS, Options(houdini=True)).verdict is Verdict.PROVED
    wrong = LEVELS.replace("Restore(Mem[p])", "Restore(Mem[p] + 1)")
    assert verified(wrong, Options(houdini=True)).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("jobs", [1, 2])
def test_contracts_are_inferred_during_searches(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remuda.portfolio.strategies.contracts.LARGE", 0)
    monkeypatch.setattr("remuda.contracts.inference.SMALL", 0)
    report = verified(LEVELS, Options(houdini=True, jobs=jobs, alternate=0.0, bound=60))
    assert report.verdict is Verdict.PROVED
    assert report.statistics.contracts
    wrong = LEVELS.replace("Restore(Mem[p])", "Restore(Mem[p] + 1)")
    assert verified(wrong, Options(houdini=True, jobs=jobs, alternate=0.0)).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("most", [0, 1500])
def test_results_of_another_process(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remuda.contracts.inference.SMALL", most)
    options = Options(jobs=2)
    prepared = prepare(load([source(LOCK)]), options)
    aside = Aside(prepared, options, None)
    found = aside.found()
    aside.close()
    here = infer(prepared, options, None)
    assert in_words(prepared, found.contracts) == in_words(prepared, here.contracts) != []
    assert in_words(prepared, found.telling) == in_words(prepared, here.telling)
    assert found.count == here.count
