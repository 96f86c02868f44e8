"""Whole programs over bit-vectors, on every solver."""

from __future__ import annotations

import pytest

from remuda.options import JOINS, Options
from remuda.results.report import Verdict
from remuda.session import verify
from tests.patience import PATIENCE
from tests.smt.samples import each_solver

BITS = """
function {:bvbuiltin "bvadd"} add(x: bv32, y: bv32) returns (bv32);
function {:bvbuiltin "bvult"} less(x: bv32, y: bv32) returns (bool);
var memory: [bv32]bv8;
var at: [bv32, bool]bv8;

procedure put(address: bv32, word: bv16) modifies memory;
{
  memory[address] := word[8:0];
  memory[add(address, 1bv32)] := word[16:8];
}

procedure main(address: bv32) modifies memory, at;
{
  var word: bv16;
  call put(address, word);
  assert memory[add(address, 1bv32)] ++ memory[address] == word;
  assert less(address, add(address, 1bv32));
  at[address, true] := memory[address];
  assert at[address, false] == at[address, true];
}
"""


@each_solver
@pytest.mark.parametrize("joins", JOINS)
def test_a_program_over_bits(name: str, joins: str) -> None:
    report = verify(BITS, Options(solver=name, joins=joins, entry=("main",), timeout=PATIENCE))
    expected = [Verdict.PROVED, Verdict.VIOLATED, Verdict.VIOLATED]
    assert [result.verdict for result in report.assertions] == expected


def test_bitwuzla_does_not_know_integers() -> None:
    report = verify("procedure main(x: int) { assert x == x + 0; }", Options(solver="bitwuzla"))
    (result,) = report.assertions
    assert result.verdict is Verdict.UNKNOWN
    assert "bitwuzla has no integers: use --solver z3" in result.reason
