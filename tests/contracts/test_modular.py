"""Every procedure alone: what follows from the contracts and invariants that a program states."""

from __future__ import annotations

from random import Random

import pytest

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import Report, Verdict
from tests.oracle import Oracle, source
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, random_program

PROGRAM = """
var g: int;
procedure main() modifies g;
{
  var i: int;
  g := 0; i := 0;
  while (i < 10) invariant i <= 10; invariant g >= i; invariant g < 5; { call Inc(i); i := i + 1; }
  assert i == 10;
  assert g >= 0;
  assert g == 3;
}
procedure Inc(k: int) modifies g; requires k < 10; requires k > 3; ensures g >= old(g) + 1;
{ g := g + 1; assert k < 20; }
"""


def verified(text: str) -> Report:
    return run([source(text)], Options(modular=True, timeout=PATIENCE), send=lambda _: None)


def test_exactly_the_assertions_that_follow_are_proved() -> None:
    verdicts = {result.description: result.verdict.value for result in verified(PROGRAM).assertions}
    assert verdicts == {
        "i <= 10": "proved",
        "g >= i": "proved",
        "g < 5": "unknown",
        "k < 10 (precondition of Inc)": "proved",
        "k > 3 (precondition of Inc)": "unknown",
        "i == 10": "proved",
        "g >= 0": "proved",
        "g == 3": "unknown",
        "k < 20": "proved",
        "g >= old(g) + 1": "proved",
    }


def test_a_contract_that_only_holds_by_one_that_does_not_is_open() -> None:
    text = "procedure P(x: int) returns (y: int); requires x > 0; ensures y > 0; { y := x; }"
    report = verified(text.replace("); requires", ") requires") + " procedure Q() { var z: int; call z := P(0); }")
    verdicts = {result.kind: result.verdict for result in report.assertions}
    assert verdicts == {"requires": Verdict.UNKNOWN, "ensures": Verdict.UNKNOWN}


@pytest.mark.parametrize(
    "text",
    [
        """procedure {:entrypoint} main() { var x: int where x >= 0; var i: int; i := 0; x := 0;
        while (i < 99) invariant i <= 99; { i := i + 1; x := -1; } assert x >= 0; }""",
        """var g: int where g >= 0;
        procedure {:entrypoint} main() modifies g;
        { var i: int; i := 0; while (i < 99) { i := i + 1; } g := -1; call P(); }
        procedure P() ensures true; { assert g >= 0; }""",
    ],
    ids=["loop", "call"],
)
def test_where_clauses_say_nothing_of_assigned_values(text: str) -> None:
    for options in (Options(modular=True, timeout=PATIENCE), Options(timeout=PATIENCE)):
        report = run([source(text)], options, send=lambda _: None)
        (result,) = [each for each in report.assertions if each.description in {"x >= 0", "g >= 0"}]
        assert result.verdict not in {Verdict.PROVED, Verdict.UNREACHABLE}


def test_behind_a_construct_that_is_not_supported_nothing_is_proved() -> None:
    text = """
    extern void longjmp(int *, int);
    extern void __VERIFIER_assert(int);
    int state[10];
    int main(void) { longjmp(state, 1); __VERIFIER_assert(0); }
    """
    report = run([Source("jump.c", text)], Options(modular=True, timeout=PATIENCE), send=lambda _: None)
    assert {result.verdict for result in report.assertions} == {Verdict.UNKNOWN}
    assert len(report.assertions) == 2


def test_proved_assertions_hold_in_every_execution() -> None:
    random = Random(3)
    proved = 0
    for _ in range(25):
        program = random_program(random)
        report = verified(program.text)
        wrong = Oracle(program.text, Options(bound=2), DOMAIN, 3_000).complaints(report)
        assert not [each for each in wrong if "nothing here is beyond the solvers" not in each], program.text
        proved += sum(result.verdict is Verdict.PROVED for result in report.assertions)
    assert proved > 10
