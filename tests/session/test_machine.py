"""Violations of C programs are confirmed on the machine for C, and proofs are challenged there."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from remuda.base.source import Source
from remuda.machine.outcomes import End, Outcome
from remuda.options import Options
from remuda.results.report import AssertionResult, Location, Report, Verdict
from remuda.session.challenge import RandomInputs, disagreeing
from remuda.session.run import run
from tests.machine.running import run as run_on_machine

if TYPE_CHECKING:
    from remuda.machine.run import Question


def verify(text: str, **options: object) -> Report:
    return run([Source("program.c", text)], Options(houdini=False, **options), send=lambda _: None)  # type: ignore[arg-type]


def test_a_violation_shows_on_the_machine() -> None:
    (result,) = verify(
        "int nd(void); void __VERIFIER_assert(int);\n"
        "int main(void) { int a[3] = {4, 5, 6}, i = nd(); if (i >= 0 && i < 3) __VERIFIER_assert(a[i] != 5); }\n"
    ).assertions
    assert result.verdict is Verdict.VIOLATED
    assert result.confirmed == ("replayed", "machine")
    assert result.left_open == ()


def test_what_c_leaves_open_is_named() -> None:
    (result,) = verify("void __VERIFIER_assert(int); int main(void) { int x; __VERIFIER_assert(x != 7); }").assertions
    assert result.verdict is Verdict.VIOLATED
    assert len(result.left_open) == 1
    assert "x is read before it has a value" in result.left_open[0]


def test_wrapping_is_named() -> None:
    text = "int nd(void); void __VERIFIER_assert(int); int main(void) { int x = nd(); __VERIFIER_assert(x + 1 > x); }"
    (result,) = verify(text).assertions
    assert result.verdict is Verdict.VIOLATED
    assert "signed overflow" in result.left_open[0]


def test_a_failure_after_something_undefined_is_not_claimed() -> None:
    text = """
    int nd(void), a[2]; void __VERIFIER_assert(int);
    int main(void) { int i = nd(); if (i == 2) __VERIFIER_assert(a[i] == 5); }
    """
    results = [result for result in verify(text).assertions if result.kind == "assert"]
    assert [result.verdict for result in results] == [Verdict.UNKNOWN]
    assert "something undefined happens before: an access to 4 bytes at offset 8 of a" in results[0].reason


def test_checks_are_undefined_behaviour_on_the_machine() -> None:
    text = "int nd(void); int a[3]; int main(void) { int i = nd(); return 10 / a[i & 3]; }"
    results = verify(text, check=("bounds,div",)).assertions
    violated = [result for result in results if result.verdict is Verdict.VIOLATED]
    assert {result.kind for result in violated} == {"bounds", "div"}
    assert all(result.confirmed == ("replayed", "machine") for result in violated)


def test_threads_are_not_run() -> None:
    text = """
    #include <pthread.h>
    void __VERIFIER_assert(int); int x;
    static void *body(void *p) { x = 1; return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); __VERIFIER_assert(x == 0); return 0; }
    """
    (result,) = verify(text).assertions
    assert result.verdict is Verdict.VIOLATED
    assert result.unconfirmed == ("machine: not run: the machine has no threads",)


def test_proofs_are_challenged() -> None:
    text = "int nd(void); void __VERIFIER_assert(int); int main(void) { int x = nd(); __VERIFIER_assert(x == x); }"
    report = verify(text, challenge=0.2)
    assert report.verdict is Verdict.PROVED
    assert report.statistics.challenges > 1
    assert verify(text, challenge=0.0).statistics.challenges == 0


def test_a_proof_that_fails_on_the_machine_is_a_disagreement() -> None:
    outcome = run_on_machine("void __VERIFIER_assert(int);\nint main(void) {\n  __VERIFIER_assert(0);\n}\n")
    assert outcome.end is End.FAILED
    wrong = AssertionResult("a", "assert", "0", Location("program.c", 3, 3), Verdict.PROVED)
    elsewhere = AssertionResult("b", "assert", "0", Location("program.c", 4, 3), Verdict.PROVED)
    known = AssertionResult("c", "assert", "0", Location("program.c", 3, 3), Verdict.VIOLATED)
    assert [position for position, _ in disagreeing(outcome, [elsewhere, wrong])] == [1]
    assert disagreeing(outcome, [known]) == []
    assert disagreeing(Outcome(End.EXITED, None, ""), [wrong]) == []


def test_random_inputs_are_the_same_for_the_same_seed() -> None:
    asked: list[list[object]] = []
    for _ in range(2):
        inputs = RandomInputs(Random(3), [7], None)
        asked.append([inputs.answer(question()) for _ in range(20)])
    assert asked[0] == asked[1]


def question() -> Question:
    from remuda.base.source import synthetic_span
    from remuda.frontends.c.syntax.types import INT
    from remuda.machine.run import Question

    return Question("call", "nd", synthetic_span("x"), INT)
