"""Executions as a strategy: what fails in them is violated, unless something that C leaves open has a part in it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.job import Job
from remuda.portfolio.strategies import executions
from remuda.portfolio.verification import Verification
from remuda.results.json_report import schema, to_json
from remuda.results.report import GAP, AssertionResult, Report, Verdict
from remuda.results.text import TextStyle, render
from remuda.session import verify, verify_files
from tests.frontends.c.gcc import MACHINES, compile_and_run
from tests.golden_programs import C_PROGRAMS, PROGRAMS, expected_by_line, options_of, verdicts_by_line

LONG = sorted((Path(__file__).parent.parent / "programs" / "c_long").glob("*.c"))
HEAD = "int nondet(void); void __VERIFIER_assert(int);\n"
FOR_GCC = """
int printf(const char *, ...); void exit(int);
void __VERIFIER_assert(int condition) { if (!condition) { printf("fails"); exit(0); } }
"""
COUNTS = "int main(void) {{ int s = 0; for (int i = 0; i < {count}; i++) s += i % 3; {rest} }}"


def executed(text: str, name: str = "long.c", **options: Any) -> Report:  # noqa: ANN401 - of any option
    """What the strategy alone says."""
    job = Job(Options(challenge=0.0, **options), "random executions", executes=True)
    return Verification([Source(name, text)], job, lambda _: None, time.monotonic()).run()


def violated(report: Report) -> AssertionResult:
    (result,) = [each for each in report.assertions if each.verdict is Verdict.VIOLATED]
    return result


def program(name: str) -> Path:
    (found,) = [path for path in LONG if path.stem == name]
    return found


@pytest.mark.parametrize("path", LONG, ids=lambda path: path.stem)
def test_every_assertion_gets_the_verdict_on_its_line(path: Path) -> None:
    text = path.read_text()
    found = verdicts_by_line(executed(text, str(path)))
    expected = expected_by_line(text)
    assert {line: verdicts for line, verdicts in found.items() if line in expected} == expected


@pytest.mark.parametrize("name", ["collatz", "last_iteration", "list", "sieve"])
def test_what_is_violated_fails_when_gcc_has_compiled_it(name: str, tmp_path: Path) -> None:
    """Programs without inputs: only the assertions that are violated are left."""
    lines = program(name).read_text().splitlines()
    kept = [line for line in lines if "//~" not in line or "violated" in line]
    assert compile_and_run("\n".join(kept) + FOR_GCC, tmp_path, MACHINES["lp64"]) == "fails"


@pytest.mark.parametrize("name", ["last_iteration", "collatz"])
def test_no_option_is_needed(name: str) -> None:
    result = violated(verify_files([str(program(name))], Options(jobs=2)))
    assert (result.confirmed, result.strategy) == (("machine",), "random executions")


def test_what_holds_is_not_violated() -> None:
    report = executed(HEAD + COUNTS.format(count=20_000, rest="__VERIFIER_assert(s == 19999);"))
    assert report.verdict is Verdict.UNKNOWN


def test_a_short_execution_is_replayed() -> None:
    result = violated(executed(HEAD + COUNTS.format(count=100, rest="__VERIFIER_assert(s != 99);")))
    assert result.confirmed == ("replayed", "machine")
    assert not any(step.kind == GAP for step in result.trace or ())


def test_a_long_execution_is_told_at_its_ends() -> None:
    result = violated(executed(HEAD + COUNTS.format(count=50_000, rest="__VERIFIER_assert(s != 49999);")))
    steps = result.trace or ()
    assert result.confirmed == ("machine",)
    assert [step.kind for step in steps].count(GAP) == 1
    assert (steps[0].kind, steps[0].text) == ("start", "execution starts in main")
    assert steps[1].values == (("s", "0"),)
    assert (steps[-1].kind, steps[-1].values) == ("fail", (("s", "49999"),))
    assert ("i", "50000") in steps[-2].values
    (gap,) = [step for step in steps if step.kind == GAP]
    left_out = int(gap.text.split()[1].replace(",", ""))
    told = len(steps) - 2  # the gap stands for none itself, and the failing condition is told with the failure
    # the start, `s` and `i`; a test, `s` and `i` in each iteration; the last test, and the failure
    assert left_out + told == 3 + 3 * 50_000 + 2 - 1


def test_reports_show_where_steps_are_left_out() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    report = executed(HEAD + COUNTS.format(count=50_000, rest="__VERIFIER_assert(s != 49999);"))
    text = render(report, TextStyle(trace_steps=20))
    assert "confirmed: machine" in text
    assert " steps ..." in text
    assert "steps are kept; --verbose shows them" in text
    jsonschema.validate(to_json(report), schema())


def test_executions_are_the_same_each_time() -> None:
    text = HEAD + "int main(void) { while (1) { int x = nondet(); __VERIFIER_assert(x < 5 || x % 2); } }"
    first, second = violated(executed(text)), violated(executed(text))
    assert first == second


def test_a_program_that_asks_for_ever_comes_to_an_end() -> None:
    text = HEAD + "int main(void) { while (1) { int x = nondet(); __VERIFIER_assert(x == x); } }"
    assert executed(text).verdict is Verdict.UNKNOWN


def test_after_an_undefined_operation_nothing_counts() -> None:
    rest = "int a[2]; a[s - 49998] = 1; int *p = a; p[s] = 2; __VERIFIER_assert(0);"
    assert executed(HEAD + COUNTS.format(count=50_000, rest=rest)).verdict is Verdict.UNKNOWN


def test_an_assertion_that_shares_its_place_is_left_alone() -> None:
    text = (
        HEAD + "#define BOTH(x) { __VERIFIER_assert(x < 49999); __VERIFIER_assert(x < 49998); }\n"
        "int main(void) { int s = 0; for (int i = 0; i < 50000; i++) s += i % 3; BOTH(s) }"
    )
    report = executed(text)
    assert len({each.location for each in report.assertions}) == 1
    assert report.verdict is Verdict.UNKNOWN


def test_what_needs_a_replay_says_that_there_is_none(tmp_path: Path) -> None:
    text = HEAD + COUNTS.format(count=50_000, rest="__VERIFIER_assert(s != 49999);")
    result = violated(executed(text, test_case=str(tmp_path), confirm=("compiled",)))
    assert [each.partition(":")[0] for each in result.unconfirmed] == ["compiled", "test case"]
    assert all("too long to be replayed" in each for each in result.unconfirmed)
    assert result.reproduction == ""


@pytest.mark.parametrize("condition", ["i != 1000", "i < 1000"])
def test_boogie_programs_are_run_by_the_interpreter(condition: str) -> None:
    text = f"procedure {{:entrypoint}} main() {{ var i: int; i := 0; while (i < 1000) {{ i := i + 1; }} assert {condition}; }}"
    result = violated(executed(text, "long.bpl"))
    assert result.confirmed == ("replayed",)
    assert violated(verify(text, Options(jobs=2))).trace


def test_inputs_of_boogie_programs_are_tried() -> None:
    text = """
    procedure {:entrypoint} main() {
      var i: int, x: int, b: bool;
      i := 0; havoc x; havoc b;
      while (i < 500) { i := i + 1; }
      assert x != 1 || !b;
      assert i == 500;
    }
    """
    verdicts = [each.verdict for each in executed(text, "random.bpl").assertions]
    assert verdicts == [Verdict.VIOLATED, Verdict.UNKNOWN]


def test_functions_are_what_axioms_say() -> None:
    text = """
    function f(int): int;
    axiom (forall x: int :: f(x) > x);
    procedure {:entrypoint} main() { var i: int; i := 0; while (i < 9) { i := i + 1; } assert f(i) > 9; }
    """
    assert executed(text, "axioms.bpl").verdict is Verdict.UNKNOWN


def check_golden(path: Path) -> None:
    text = path.read_text()
    options = replace(options_of(text), challenge=0.0)
    job = Job(options, "random executions", executes=True)
    report = Verification([Source(str(path), text)], job, lambda _: None, time.monotonic()).run()
    fails = {each.location.line for each in report.assertions if each.verdict is Verdict.VIOLATED}
    assert fails <= {line for line, verdicts in expected_by_line(text).items() if "violated" in verdicts}


@pytest.mark.parametrize("path", [*PROGRAMS[::3], *C_PROGRAMS[::5]], ids=lambda path: path.stem)
def test_only_what_can_fail_is_violated(path: Path) -> None:
    check_golden(path)


@pytest.mark.parametrize("path", C_PROGRAMS[::4], ids=lambda path: path.stem)
def test_only_what_can_fail_is_violated_on_the_machine_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executions, "LONG", -1)
    check_golden(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", [*PROGRAMS, *C_PROGRAMS], ids=lambda path: path.stem)
def test_only_what_can_fail_is_violated_in_every_program(path: Path) -> None:
    check_golden(path)
