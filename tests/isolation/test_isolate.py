"""A proof in a loop or a procedure alone is a proof for the program."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.contracts.assumed_facts import with_facts
from remuda.frontends.boogie.load import load
from remuda.isolation.isolate import EVERY_WAY, INDUCTIONS, ONE_ITERATION, UNWINDING, Isolation, Way
from remuda.isolation.provers import new_prover
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.prepare.pipeline import prepare
from remuda.results.report import AssertionResult, Report, Statistics, Verdict
from tests.hypothesis_settings import few, many
from tests.oracle import Oracle, source
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, RandomProgram, random_program

if TYPE_CHECKING:
    from collections.abc import Sequence

STEPS = 3_000


def isolated(text: str, ways: Sequence[Way] = EVERY_WAY, jobs: int = 1) -> dict[str, str]:
    """The assertions that are proved in fragments, by ordinal, with these fragments."""
    options = Options(jobs=jobs, check_ir=True)
    prepared = prepare(load([source(text)]), options)
    deadline = time.monotonic() + PATIENCE
    facts = partial(with_facts, prepared, options, deadline)
    isolation = Isolation(prepared.looping, new_prover(prepared.looping, options, Statistics(), facts, ()), jobs)
    proofs = isolation.prove(list(prepared.checks.values()), ways, deadline)
    return {check.identifier: "+".join(each.name for each in proof.fragments) for check, proof in proofs.items()}


def first(text: str, ways: Sequence[Way] = EVERY_WAY) -> str | None:
    """Where the first assertion of the program is proved."""
    return next(iter(isolated(text, ways).values()), None)


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


def test_the_smallest_fragment_that_is_enough_is_found() -> None:
    assert first(NESTED, [ONE_ITERATION]) == "main/outer"
    assert first(NESTED.replace("j < size;", "j < i;"), [ONE_ITERATION]) == "main/inner"
    assert first(NESTED.replace("j < size;", "j >= 0;"), [ONE_ITERATION]) is None


INDUCTIVE = """
procedure main(n: int) {
  var i, x: int;
  x := 1; i := 0;
  while (i < n) { assert x == 1; i := i + x; }
}
"""


def test_induction_uses_what_held_before() -> None:
    assert first(INDUCTIVE, [ONE_ITERATION]) == "main"  # x does not change
    changing = INDUCTIVE.replace("i := i + x;", "i := i + x; x := 2 - x;")
    assert first(changing, [ONE_ITERATION]) is None
    assert first(changing, [INDUCTIONS[0]]) == "main"


def test_induction_over_more_iterations_than_one() -> None:
    text = """
procedure main(n: int) {
  var a, b, c, t, i: int;
  a := 1; b := 2; c := 3; i := 0;
  while (i < n) { assert a != 4; t := a; a := b; b := c; c := t; i := i + 1; }
}
"""
    assert first(text, [Way(1, 0, 10.0)]) is None
    assert first(text, [Way(3, 0, 10.0)]) == "main"


def test_facts_about_loops_are_used() -> None:
    text = """
procedure main(n: int) {
  var i, k: int;
  i := 0; k := 0;
  while (*) { k := k + 1; }
  second: while (i < n) { assert 0 <= i + k; i := i + 1; }
}
"""
    assert first(text, [INDUCTIONS[0]]) is None
    assert first(text, [INDUCTIONS[1]]) == "main/second"


def test_loops_inside_are_unwound_as_far_as_it_takes() -> None:
    text = """
procedure main(n: int) {
  var i, j, sum: int;
  i := 0;
  outer: while (i < n) {
    j := 0; sum := 0;
    inner: while (j < 60) { sum := sum + j; j := j + 1; }
    assert sum == 1770;
    i := i + 1;
  }
}
"""
    assert first(text, [ONE_ITERATION]) is None
    assert first(text, [UNWINDING]) == "main/outer"


CALLED_TWICE = """
procedure main(n: int) {
  var i: int;
  i := 1;
  one: while (i < n) { call f(i); i := i + 1; havoc i; }
  two: while (i > 0) { call f(i); havoc i; }
}
procedure f(x: int) { assert x != 0; }
"""


def test_a_procedure_must_be_proved_in_all_that_is_around_it() -> None:
    """`one` may call f(0), so the proof has to be tried in the procedure of both loops, and fails there."""
    assert isolated(CALLED_TWICE, [ONE_ITERATION]) == {}
    both = CALLED_TWICE.replace("one: while (i < n)", "one: while (i < 0)")
    assert first(both, [ONE_ITERATION]) == "main/one+main/two"


def test_an_entry_that_is_called_may_start_in_any_state_too() -> None:
    text = """
procedure {:entrypoint} main(x: int) { assert x > 0; }
procedure {:entrypoint} other() { call main(1); }
"""
    assert isolated(text) == {}


def test_an_entry_may_be_inside_a_recursion_that_others_call() -> None:
    text = """
procedure {:entrypoint} main() { call f(1); }
procedure f(x: int) { assert x == 1; if (x == 5) { call e(0); } }
procedure {:entrypoint} e(y: int) { call f(y); }
"""
    assert isolated(text) == {}


def test_one_that_is_hard_does_not_keep_another_from_being_proved() -> None:
    hard = "a * a * a + b * b * b != c * c * c || a < 3 || b < 3 || c < 3"
    text = f"procedure main(a: int, b: int, c: int) {{ assert a == a; assert {hard}; }}"
    assert isolated(text, [Way(None, 0, 0.5)]).get("random.bpl:main:assert:1") == "main"


RECURSION = """
procedure main() { var r: int; call r := f(5); }
procedure f(n: int) returns (r: int) {
  assert n >= 0;
  if (n > 0) { call r := f(n - 1); } else { r := 0; }
}
"""


def test_recursion_is_proved_where_it_begins() -> None:
    assert first(RECURSION, [UNWINDING]) == "main"
    assert isolated(RECURSION.replace("n > 0", "n > -9"), EVERY_WAY) == {}


BAD = {
    "break": "while (i < n) { i := i + 1; if (i == 3) { break; } } assert i != 3;",
    "goto out": "while (i < n) { i := i + 1; if (i == 3) { goto out; } } i := 4; out: assert i != 3;",
    "return": "while (i < n) { i := i + 1; if (i == 3) { assert false; return; } }",
    "infinite": "while (true) { i := i + 1; assert i != 3; }",
    "first iteration": "i := 7; while (i > 0) { assert i != 7; i := i - 1; }",
    "late iteration": "while (i < n) { assert i < 6; i := i + 1; }",
    "two ways in": "if (n > 0) { goto b; } a: i := i + 1; b: assert i < 4; i := i + 1; if (i < n) { goto a; }",
    "header asserts": "while (i < n) invariant i < 3; { i := i + 1; }",
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
def test_failing_assertions_are_proved_in_no_fragment(body: str) -> None:
    text = f"procedure main(n: int) {{ var i: int; i := 0; {body} }}"
    assert isolated(text) == {}
    for isolate in (True, None):
        report = run([source(text)], Options(isolate=isolate, timeout=PATIENCE), send=lambda _: None)
        assert report.verdict is Verdict.VIOLATED


def test_where_a_global_may_be_anything_is_not_forgotten() -> None:
    text = """
var g: int where g > 0;
procedure main() modifies g; {
  var i: int;
  i := 0;
  while (i < 3) { assert g > 0; g := g - 1; i := i + 1; }
}
"""
    assert isolated(text) == {}


def test_several_jobs_prove_what_one_proves() -> None:
    loops = "\n".join(f"l{n}: while (i < {n + 2}) {{ assert i < {n + 2}; i := i + 1; }}" for n in range(6))
    text = f"procedure main() {{ var i: int; i := 0; {loops} }}"
    assert len(isolated(text)) == 6
    assert isolated(text, jobs=3) == isolated(text)
    assert isolated(NESTED, jobs=2).keys() == isolated(NESTED).keys()


def test_the_report_says_where() -> None:
    report = run([source(NESTED)], Options(isolate=True), send=lambda _: None)
    (result,) = report.assertions
    assert result.verdict is Verdict.PROVED
    assert result.reason == "in the loop at random.bpl:5, without the rest of the program"


def test_isolation_alone_claims_nothing_where_it_is_not_enough() -> None:
    text = "procedure main(n: int) { var i: int; i := 0; while (i < n) { assert i < 6; i := i + 1; } }"
    report = run([source(text)], Options(engine="isolation"), send=lambda _: None)
    assert report.verdict is Verdict.UNKNOWN
    assert report.assertions[0].reason.startswith("no loop or procedure alone is enough to prove it")


def test_threads_are_not_isolated() -> None:
    text = """
var g: int;
procedure {:entrypoint} main() modifies g; { g := 0; async call other(); while (true) { assert g == 0; } }
procedure other() modifies g; { g := 1; }
"""
    report = run([source(text)], Options(isolate=True, timeout=PATIENCE), send=lambda _: None)
    assert report.verdict is Verdict.VIOLATED
    report = run([source(text)], Options(engine="isolation"), send=lambda _: None)
    assert report.assertions[0].reason == "loops of a program with threads cannot be isolated"


def test_proofs_are_announced_at_once() -> None:
    told: list[object] = []
    run([source(NESTED)], Options(engine="isolation"), told.append)
    assert any(isinstance(each, AssertionResult) and each.verdict is Verdict.PROVED for each in told)


# --- random programs


def check(program: RandomProgram, steps: int) -> None:
    """Nothing that fails in some execution is proved by any way."""
    oracle = Oracle(program.text, Options(houdini=False), DOMAIN, steps)
    failing = oracle.within.failing | oracle.near.failing | oracle.further.failing
    for way in EVERY_WAY:
        assert not failing & isolated(program.text, [way]).keys(), way


def right(program: RandomProgram, steps: int) -> None:
    options = Options(bound=2, timeout=PATIENCE, isolate=True)
    oracle = Oracle(program.text, options, DOMAIN, steps)
    report: Report = run([source(program.text)], options, send=lambda _: None)
    assert oracle.complaints(report) == []


PROGRAMS = st.randoms(use_true_random=False).map(random_program)


@few(25)
@given(PROGRAMS)
def test_nothing_that_fails_is_proved(program: RandomProgram) -> None:
    check(program, STEPS)


@few(15)
@given(PROGRAMS)
def test_verdicts_with_isolation_are_right(program: RandomProgram) -> None:
    right(program, STEPS)


@pytest.mark.slow
@many(1500)
@given(PROGRAMS)
def test_nothing_that_fails_is_proved_at_length(program: RandomProgram) -> None:
    check(program, STEPS)


@pytest.mark.slow
@many(800)
@given(PROGRAMS)
def test_verdicts_with_isolation_are_right_at_length(program: RandomProgram) -> None:
    right(program, STEPS)
