"""Assertions that imply each other: the implications, the skipped assertions, and unchanged verdicts."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.base.source import Source
from remuda.engines.implication import ComparisonLimits, Implication
from remuda.implications import order as ordering
from remuda.implications.comparison import find_pairs, sequences
from remuda.ir.program import Assert, Program
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.prepare.load import load
from remuda.prepare.pipeline import base_program, prepare
from remuda.replay.explore import ExplorationLimits
from remuda.results.report import Report, Verdict
from remuda.vc.dependency import Dependency
from tests.hypothesis_settings import few, many
from tests.oracle import FEW, Oracle, run_all, source
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, random_program
from tests.verify_text import verify

if TYPE_CHECKING:
    from remuda.vc.ussa import Ussa

# The program of Fig. 1 of the paper.
FIGURE = """
int some_value(void);
void __CPROVER_assert(int condition, const char *name);
int f(int a, int b) {
  int i = 0;
  while (i < a + b) { if (i < a) i = i + a; else i = i + b; }
  __CPROVER_assert(i >= a + b, "6");
  return i;
}
int main(void) {
  int x, y, z;
  x = some_value();
  y = some_value();
  if (x >= y) {
    if (y >= 0) {
      __CPROVER_assert(x >= 0, "1");
      z = x + y;
      __CPROVER_assert(z >= 0, "2");
    }
  }
  x = some_value();
  y = some_value();
  z = f(x, y);
  __CPROVER_assert(z >= 0, "3");
  __CPROVER_assert(z >= x + y, "4");
  __CPROVER_assert(x <= z - y, "5");
  return 0;
}
"""
FIGURE_OPTIONS = Options(integers="math", bound=2)


def pairs(
    text: str, options: Options, scope: str = "procedures", *, equalities: bool = False, both: bool = False
) -> set[tuple[str, str]]:
    """The descriptions of assertions of which one implies the other."""
    name = "program.c" if options.language == "c" else "program.bpl"
    program, options = load([Source(name, text)], options)
    looping = prepare(program, options).looping
    effort = ComparisonLimits(200, 10.0, time.monotonic() + PATIENCE)
    given_ = sequences(looping, options, scope)
    found = find_pairs(looping, given_, options, effort, equalities=equalities, both_directions=both)
    return {(stronger.description, weaker.description) for stronger, weaker in found.pairs}


@pytest.mark.parametrize("scope", ["procedures", "program"])
def test_the_relation_of_the_paper(scope: str) -> None:
    options = replace(FIGURE_OPTIONS, language="c")
    assert pairs(FIGURE, options, scope) == {("x >= 0", "z >= 0"), ("z >= x + y", "x <= z - y")}


def test_assertions_about_unconnected_variables_are_not_compared() -> None:
    """Example 1: x, y and z have new values in the second half, which have nothing to do with the old ones."""
    program, options = load([Source("figure.c", FIGURE)], FIGURE_OPTIONS)
    (ussa,) = sequences(prepare(program, options).looping, options, "program").ussas
    dependency = Dependency(ussa.steps)
    classes = {step.span.line: dependency.classes(step) for step in map(ussa.steps.__getitem__, ussa.assertions())}
    first_half, second_half = (16, 18), (7, 24, 25, 26)
    dependent = {
        (one, other) for one in classes for other in classes if one < other and classes[one] & classes[other]
    }
    assert dependent == {
        (one, other) for half in (first_half, second_half) for one in half for other in half if one < other
    }


def test_values_assigned_before_the_first_assertion_count_on_request() -> None:
    options = replace(FIGURE_OPTIONS, language="c")
    more = pairs(FIGURE, options, "program", equalities=True) - pairs(FIGURE, options, "program")
    assert more == {("i >= a + b", "z >= x + y"), ("i >= a + b", "x <= z - y")}


def test_later_assertions_imply_earlier_ones_on_request() -> None:
    options = replace(FIGURE_OPTIONS, language="c")
    more = pairs(FIGURE, options, both=True) - pairs(FIGURE, options)
    assert more == {("z >= 0", "x >= 0"), ("x <= z - y", "z >= x + y")}


@pytest.mark.parametrize(("strategy", "checked"), [("forward", 4), ("backward", 6)])
@pytest.mark.parametrize("on_failure", ["stop", "continue"])
def test_as_many_are_checked_as_in_the_paper(strategy: str, checked: int, on_failure: str) -> None:
    options = replace(FIGURE_OPTIONS, implications=strategy, on_failure=on_failure)
    report = run([Source("figure.c", FIGURE)], options, lambda _: None)
    assert report.statistics.checked == checked
    assert report.statistics.implied == 6 - checked
    assert {result.verdict for result in report.assertions} <= {Verdict.PROVED, Verdict.BOUNDED}
    reasons = {result.description: result.reason for result in report.assertions}
    if strategy == "forward":
        assert reasons["x <= z - y"] == "implied by `z >= x + y` at figure.c:25"


# --- what may not be concluded


def proved(text: str, *, on_failure: str = "stop", strategy: str = "auto") -> dict[str, str]:
    options = Options(implications=strategy, on_failure=on_failure, houdini=False)
    report = run([Source("small.bpl", text)], options, lambda _: None)
    return {result.description: result.verdict.value for result in report.assertions}


@pytest.fixture(autouse=True)
def compare_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering, "MANY", 1)


@pytest.mark.parametrize("strategy", ["auto", "forward", "backward", "off"])
def test_an_assertion_after_a_failing_one(strategy: str) -> None:
    text = "procedure main(x: int) { assert x > 0; assert x > -1; }"
    assert proved(text, strategy=strategy) == {"x > 0": "violated", "x > -1": "proved"}
    alone = proved(text, on_failure="continue", strategy=strategy)
    assert alone == {"x > 0": "violated", "x > -1": "violated"}


@pytest.mark.parametrize("strategy", ["auto", "forward", "backward", "off"])
@pytest.mark.parametrize("on_failure", ["stop", "continue"])
def test_variables_that_a_call_or_a_loop_changes_are_unknown_after_it(strategy: str, on_failure: str) -> None:
    text = """
var g: int;
procedure change() modifies g; { var i: int; i := 0; while (i < 2) { g := g - 1; i := i + 1; } }
procedure main(x: int, n: int) modifies g;
{
  var i: int;
  assert g >= 0;
  call change();
  assert g > -1;
  i := 0;
  while (i < n) { assert g >= -2; g := g - 1; i := i + 1; }
  assert g >= -1;
}
"""
    found = proved(text, strategy=strategy, on_failure=on_failure)
    assert set(found.values()) == {"violated"}


@pytest.mark.parametrize("strategy", ["auto", "forward", "backward", "off"])
def test_an_assertion_that_is_passed_on_one_way_only(strategy: str) -> None:
    text = """
procedure main(x: int, b: bool) {
  if (b) { assert x > 0; }
  assert x >= 0;
}
"""
    for on_failure in ("stop", "continue"):
        found = proved(text, strategy=strategy, on_failure=on_failure)
        assert found == {"x > 0": "violated", "x >= 0": "violated"}


@pytest.mark.parametrize("strategy", ["auto", "forward", "backward"])
def test_an_assertion_in_two_places_is_implied_only_in_both(strategy: str) -> None:
    text = """
procedure check(x: int) { assert x >= 0; }
procedure main(x: int) {
  if (x > 5) { assert x > 5; call check(x); } else { call check(x); }
}
"""
    assert proved(text, strategy=strategy) == {"x >= 0": "violated", "x > 5": "proved"}


def test_a_contract_that_fails_is_not_believed_afterwards() -> None:
    ensures = """
procedure f() returns (r: int) ensures r > 0; { r := 0; }
procedure {:entrypoint} main() { var x: int; call x := f(); assert x > 1; assert x == 0; assert false; }
"""
    found = proved(ensures, on_failure="continue")
    assert found == {"r > 0": "violated", "x > 1": "violated", "x == 0": "proved", "false": "violated"}
    requires = "procedure {:entrypoint} main(x: int) requires x > 0; { if (x == 1) { call main(0); } assert x != 0; }"
    assert proved(requires, on_failure="continue")["x != 0"] == "violated"


def test_generated_checks_do_not_rest_on_assertions_that_may_fail() -> None:
    text = """
void __CPROVER_assert(int condition, const char *name);
int nondet(void);
int table[4];
int main(void) { int i = nondet(); __CPROVER_assert(i >= 0 && i < 4, "in"); return table[i]; }
"""
    for on_failure, verdicts in (("stop", ["violated"]), ("continue", ["violated", "violated"])):
        options = Options(check=("bounds",), on_failure=on_failure)
        report = run([Source("table.c", text)], options, lambda _: None)
        assert [result.verdict.value for result in report.assertions] == verdicts


def test_a_failure_refutes_what_implies_it_by_the_same_execution() -> None:
    text = "procedure main(x: int) { var y: int; assert x > 5; y := x; assert y > 3; assert y > 1; }"
    options = Options(implications="backward", on_failure="continue")
    report = run([Source("small.bpl", text)], options, lambda _: None)
    assert [result.verdict for result in report.assertions] == [Verdict.VIOLATED] * 3
    assert all(result.trace for result in report.assertions)
    assert (report.statistics.checked, report.statistics.implied) == (1, 2)


def test_failing_assertions_do_not_take_the_places_of_causes_that_hold() -> None:
    """An assertion that follows from the code alone is implied by every assertion before it; a few of these are
    kept."""
    failing = " ".join(f"assert x + {number} > y;" for number in range(6))
    holding = " ".join(f"assert z >= x - {number};" for number in range(6))
    text = f"procedure main(x: int, y: int) {{ var z: int; {failing} {failing} z := x; {holding} }}"
    options = Options(implications="forward", on_failure="continue", at_a_time=1)
    report = run([Source("small.bpl", text)], options, lambda _: None)
    assert [result.verdict for result in report.assertions] == [Verdict.VIOLATED] * 12 + [Verdict.PROVED] * 6
    assert report.statistics.implied == 5


def test_holding_assertions_are_asked_whether_anything_reaches_them() -> None:
    text = "procedure main(x: int) { assert x * x >= 0; if (x > 0 && x < 0) { assert x > 0; assert x >= 0; } }"
    assert proved(text) == {"x * x >= 0": "proved", "x > 0": "unreachable", "x >= 0": "unreachable"}


def test_implications_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Implications are stored procedure by procedure, even if the run stops early. They are not used for another
    program."""
    compared: list[str] = []

    def compare(ussa: Ussa, *rest: Any, **others: Any) -> Implication:  # noqa: ANN401 - handed on
        compared.append(ussa.procedure)
        return Implication(ussa, *rest, **others)

    monkeypatch.setattr("remuda.implications.comparison.Implication", compare)
    assertions = " ".join(f"assert y >= {-number};" for number in range(12))
    text = f"""
procedure f(x: int) returns (y: int) {{ y := if x < 0 then 1 else x; {assertions} }}
procedure {{:entrypoint}} main(x: int) {{ var y: int; y := 5; {assertions} call y := f(x); }}
"""
    options = Options(summaries_dir=str(tmp_path))

    def verdicts(program: str) -> list[Verdict]:
        compared.clear()
        report = run([Source("many.bpl", program)], options, lambda _: None)
        return [result.verdict for result in report.assertions]

    first = verdicts(text)
    assert first == [Verdict.PROVED] * 24
    assert compared == ["f", "main"]
    assert verdicts(text) == first
    assert compared == []
    assert verdicts(text.replace("then 1", "then x")) == [Verdict.VIOLATED] + [Verdict.PROVED] * 23
    assert compared == ["f", "main"]


# --- no verdict changes


def options_of(random: Random) -> Options:
    return Options(
        implications=random.choice(["auto", "auto", "forward", "backward"]),
        on_failure=random.choice(["stop", "continue"]),
        engine=random.choice(["auto", "auto", "dag", "stratified", "alternating", "static"]),
        lift=random.random() < 0.15,
        houdini=random.choice([None, False, False]),
        bound=random.choice([1, 2, 2, 3]),
        check_ir=True,
        timeout=PATIENCE,
    )


def judged_right(random: Random, steps: int) -> None:
    """Verdicts are those of running every execution, and those of checking all assertions."""
    text = random_program(random).text
    options = options_of(random)
    report = verify(text, options)
    assert Oracle(text, options, DOMAIN, steps).complaints(report) == [], (text, options)
    if report.incomplete:
        return
    plain = verify(text, replace(options, implications="off"))
    if not plain.incomplete and not unknown(plain) and not unknown(report):
        assert violated(report) == violated(plain), (text, options)


def unknown(report: Report) -> bool:
    return any(result.verdict is Verdict.UNKNOWN for result in report.assertions)


def violated(report: Report) -> list[str]:
    return [result.identifier for result in report.assertions if result.verdict is Verdict.VIOLATED]


@few(40)
@given(st.randoms(use_true_random=False))
def test_no_verdict_changes(random: Random) -> None:
    judged_right(random, FEW)


@pytest.mark.slow
@many(1500)
@given(st.randoms(use_true_random=False))
def test_no_verdict_changes_on_many_programs(random: Random) -> None:
    judged_right(random, 10_000)


def lone(program: Program, identifier: str) -> Program:
    """The program with one assertion, and nothing where the others were."""
    procedures = {
        name: procedure
        if procedure.blocks is None
        else replace(
            procedure,
            blocks=tuple(
                replace(
                    block,
                    statements=tuple(
                        each
                        for each in block.statements
                        if not isinstance(each, Assert) or each.check.identifier == identifier
                    ),
                )
                for block in procedure.blocks
            ),
        )
        for name, procedure in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def fails_alone(text: str, limits: ExplorationLimits, on_failure: str) -> set[str]:
    program, options = load([source(text)], Options(on_failure=on_failure))
    base = base_program(program, options)
    if on_failure == "continue":
        return run_all(base, DOMAIN, limits).failing
    names = {
        statement.check.identifier
        for procedure in base.procedures.values()
        for block in procedure.blocks or ()
        for statement in block.statements
        if isinstance(statement, Assert)
    }
    return {name for name in sorted(names) if name in run_all(lone(base, name), DOMAIN, limits).failing}


@few(25)
@given(st.randoms(use_true_random=False))
def test_judging_assertions_alone_is_leaving_out_the_others(random: Random) -> None:
    text = random_program(random).text
    limits = ExplorationLimits(steps=2_000, iterations=2, recursion=2)
    assert fails_alone(text, limits, "continue") <= fails_alone(text, replace(limits, steps=20_000), "stop")
