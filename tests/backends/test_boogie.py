"""The real Boogie on lone procedures, and how its words are read."""

from __future__ import annotations

import pytest

from remuda.backends.boogie import ask_boogie, read_answer
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import Verdict
from tests.oracle import source
from tests.patience import PATIENCE

TEXT = """\
procedure fragment(n: int) {
  var i: int;
  assert {:remuda 0} n < 3 ==> n < 4;
  assert {:remuda 1} n < 3;
  call f(n);
}
procedure {:inline 2} f(x: int) {
  assert {:remuda 2} x < 7;
  assert {:remuda 3} x != 0;
}
"""

NESTED = """
procedure main(size: int) {
  var i, j: int;
  i := 0;
  outer: while (i < size) {
    j := 0;
    inner: while (j < i) { assert j < size; j := j + 1; }
    i := i + 1;
  }
}
"""
FALSE = {
    "second iteration": "i := 0; while (i < n) { assert i < 1; i := i + 1; }",
    "late iteration": "i := 0; while (i < n) { assert i < 20; i := i + 1; }",
    "recursion": "call f(9);",
    "global": "g := 1; while (i < n) { assert g == 1; call change(); i := i + 1; }",
}


@pytest.mark.peer("boogie")
def test_the_lines_of_what_may_fail() -> None:
    answer = ask_boogie(TEXT, procedure="fragment", seconds=PATIENCE)
    assert answer.message == ""
    assert answer.failing == {4, 9}


@pytest.mark.peer("boogie")
def test_a_program_that_boogie_rejects_proves_nothing() -> None:
    answer = ask_boogie("procedure fragment() { x := 1; }", procedure="fragment", seconds=PATIENCE)
    assert answer.message


@pytest.mark.parametrize(
    "output",
    [
        "",
        "Boogie program verifier finished with 0 verified, 0 errors\n",
        "Boogie program verifier finished with 2 verified, 0 errors\n",
        "Boogie program verifier finished with 0 verified, 0 errors, 1 time out\n",
        "Boogie program verifier finished with 1 verified, 0 errors, 1 inconclusive\n",
        "x.bpl(1,1): Error BP5003: ...\n\nBoogie program verifier finished with 0 verified, 1 error\n",
    ],
)
def test_unknown_output_proves_nothing(output: str) -> None:
    assert read_answer(output).message


@pytest.mark.peer("boogie")
def test_boogie_proves_in_the_smallest_fragment() -> None:
    report = run([source(NESTED)], Options(engine="isolation", backend="boogie", jobs=1), send=lambda _: None)
    (result,) = report.assertions
    assert result.verdict is Verdict.PROVED
    assert result.reason == "in the loop at random.bpl:5, without the rest of the program"


@pytest.mark.peer("boogie")
@pytest.mark.parametrize("body", FALSE.values(), ids=FALSE)
def test_failing_assertions_are_never_proved(body: str) -> None:
    text = f"""
var g: int;
procedure main(n: int) modifies g; {{ var i: int; {body} }}
procedure f(n: int) {{ assert n > 0; call f(n - 1); }}
procedure change() modifies g; {{ g := g + 1; }}
"""
    report = run([source(text)], Options(engine="isolation", backend="boogie", jobs=1), send=lambda _: None)
    assert not any(result.verdict is Verdict.PROVED for result in report.assertions)
