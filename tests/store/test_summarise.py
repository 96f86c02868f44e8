"""Summaries from proofs: contracts that hold, and suffice for the proofs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from remuda.contracts.inference import holding
from remuda.engines.summaries import size_of
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.prepare.load import load
from remuda.prepare.pipeline import prepare
from remuda.results.report import Verdict
from remuda.store.recall import KNOWN
from remuda.store.summarise import prove, summarise
from tests.oracle import source
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from remuda.prepare.pipeline import Prepared
    from remuda.results.report import Report

CALLS = """
var g: int;
procedure {:entrypoint} main() {
  var x: int; var z: int;
  assume x >= 0;
  g := 0; call inc(); call inc(); assert g == 2;
  call z := f(x, 3); assert z >= 0; assert z >= x;
}
procedure inc() modifies g; { g := g + 1; }
procedure f(a: int, b: int) returns (r: int) { if (a > b) { r := a * 2; } else { r := a + b; } }
"""

BITS = """
var s: bv32;
procedure {:entrypoint} main() { s := 0bv32; call lock(); call unlock(); assert s == 0bv32; }
procedure lock() modifies s; { assert s == 0bv32; s := 1bv32; }
procedure unlock() modifies s; { assert s == 1bv32; s := 0bv32; }
"""


def prepared(text: str, options: Options | None = None) -> Prepared:
    program, left = load([source(text)], options or Options())
    return prepare(program, left)


def soon() -> float:
    return time.monotonic() + PATIENCE


def verify(text: str, folder: Path) -> Report:
    return run([source(text)], Options(summaries_dir=str(folder)), send=lambda _: None)


def test_summaries_hold_and_are_about_what_was_inlined() -> None:
    program = prepared(CALLS)
    checks = list(program.checks.values())
    (proof,) = prove(program, Options(), checks, soon())
    assert proof.inlined == ("f", "inc", "main")
    found = summarise(program, Options(), checks, soon())
    assert {contract.procedure for contract in found.contracts} == {"f", "inc"}
    assert found.size == size_of(program.instrumented, found.contracts) > 0
    assert found.candidates >= len(found.contracts)
    assert len(holding(program, Options(), soon(), found.contracts)) == len(found.contracts)


def test_fewer_assertions_need_smaller_summaries() -> None:
    program = prepared(CALLS)
    checks = list(program.checks.values())
    everything = summarise(program, Options(), checks, soon())
    first = summarise(program, Options(), checks[:1], soon())
    assert {contract.procedure for contract in first.contracts} == {"inc"}
    assert first.size < everything.size


def test_bits_have_summaries() -> None:
    program = prepared(BITS)
    found = summarise(program, Options(), list(program.checks.values()), soon())
    assert {contract.procedure for contract in found.contracts} == {"lock", "unlock"}


def test_failing_assertions_have_no_summary() -> None:
    program = prepared(CALLS.replace("g == 2", "g == 3"))
    failing = [check for check in program.checks.values() if check.identifier == "random.bpl:main:assert:1"]
    assert summarise(program, Options(), failing, soon()).contracts == ()


def test_maps_and_functions_get_fewer_summaries_and_no_failure() -> None:
    text = """
function f(x: int): int;
var m: [int]int;
procedure {:entrypoint} main() { m[0] := 1; call set(); assert m[1] == f(2); }
procedure set() modifies m; { m[1] := f(2); }
"""
    program = prepared(text)
    summarise(program, Options(), list(program.checks.values()), soon())


def test_summaries_are_used_for_other_assertions(tmp_path: Path) -> None:
    first = verify(BITS, tmp_path)
    assert first.statistics.summaries_found > 0
    more = verify(
        BITS.replace(
            "assert s == 0bv32; }\nprocedure lock", "assert s == 0bv32; assert s != 1bv32; }\nprocedure lock"
        ),
        tmp_path,
    )
    assert more.verdict is Verdict.PROVED
    assert more.statistics.summaries_loaded > 0
    assert more.statistics.summaries_rechecked == 0


def test_summaries_of_changed_procedures_are_checked_again(tmp_path: Path) -> None:
    verify(BITS, tmp_path)
    same = verify(BITS.replace("s := 1bv32;", "s := 2bv32; s := 1bv32;"), tmp_path)
    assert same.verdict is Verdict.PROVED
    assert same.statistics.summaries_rechecked > 0
    wrong = verify(BITS.replace("s := 1bv32;", "s := 2bv32;"), tmp_path)
    assert [result.verdict for result in wrong.assertions].count(Verdict.VIOLATED) == 1


def test_a_summary_that_rests_on_another_falls_with_it(tmp_path: Path) -> None:
    """`outer` has not changed, but its contracts depend on `inner`."""
    text = """
var s: int;
procedure {:entrypoint} main() { s := 0; call outer(); assert s == 1; }
procedure outer() modifies s; { call inner(); }
procedure inner() modifies s; { s := 1; }
"""
    assert verify(text, tmp_path).verdict is Verdict.PROVED
    assert verify(text.replace("s := 1;", "s := 2;"), tmp_path).verdict is Verdict.VIOLATED
    assert verify(text, tmp_path).assertions[0].reason == KNOWN


def test_invariants_are_known_in_the_next_run(tmp_path: Path) -> None:
    text = """
procedure {:entrypoint} main() { var i: int; var n: int; i := 0; while (i < n) { i := i + 1; } assert i >= 0; ADD }
"""
    first = verify(text.replace("ADD", ""), tmp_path)
    assert [each.verdict for each in first.assertions] == [Verdict.PROVED]
    again = verify(text.replace("ADD", ""), tmp_path)
    assert again.assertions[0].reason == KNOWN
    more = verify(text.replace("ADD", "assert i >= -1;"), tmp_path)
    assert [each.verdict for each in more.assertions] == [Verdict.PROVED, Verdict.PROVED]
    assert more.statistics.summaries_loaded > 0
