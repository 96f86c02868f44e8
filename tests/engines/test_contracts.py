"""Contracts and invariants that are inferred: that they hold, and what can be proved with them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from remuda.base.source import Source
from remuda.options import Options
from remuda.results.report import Report, Verdict
from remuda.session.run import run
from tests.oracle import Oracle, source
from tests.random_programs import DOMAIN, random_program

LOCK = """
var held: bool;
procedure main() modifies held;
{
  held := false;
  while (*) { call acquire(); call work(); call release(); }
}
procedure acquire() modifies held; { assert !held; held := true; }
procedure release() modifies held; { assert held; held := false; }
procedure work() modifies held; { if (*) { call release(); call acquire(); call work(); } }
"""

STATES = """
const unique IDLE, BUSY, DONE: int;
var state: int;
procedure main() modifies state;
{
  state := IDLE;
  while (*) { call step(); }
  assert state == IDLE || state == BUSY || state == DONE;
}
procedure step() modifies state;
{
  if (state == IDLE) { state := BUSY; } else if (state == BUSY) { state := DONE; } else { call reset(); }
}
procedure reset() modifies state; { if (*) { state := IDLE; } else { call reset(); } }
"""

COUNTING = """
procedure main(n: int)
{
  var i, j: int;
  assume 0 <= n;
  i := 0; j := 0;
  while (i < n) { i := i + 1; if (*) { j := i; } }
  assert j <= n;
  assert i == n;
}
"""

NEVER_RETURNS = """
var x: int;
procedure main() modifies x; { x := 0; call P(); }
procedure P() modifies x; { assert x == 1; while (true) { x := 1; } }
"""


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


def test_what_a_procedure_that_never_returns_is_called_with_counts() -> None:
    assert verified(NEVER_RETURNS).verdict is Verdict.VIOLATED


def check_random(random: Random, steps: int) -> int:
    program = random_program(random)
    way = random.choice([Options(houdini=True), Options(), Options(engine="horn")])
    options = replace(way, bound=random.choice([1, 2]), check_ir=True, timeout=20)
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
