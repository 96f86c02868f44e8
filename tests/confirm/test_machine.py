"""Violations of C programs are confirmed on the machine for C, and proofs are challenged there."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from remuda.base.reasons import Cause, Reason
from remuda.base.source import Source
from remuda.confirm.challenge import disagreeing
from remuda.confirm.machine_replays import MachineReplays, Seen
from remuda.confirm.random_executions import RandomInputs
from remuda.frontends.c.clang.parse import ParseOptions, parse_program
from remuda.machine.outcomes import End, ExecutionOutcome
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import AssertionResult, Location, Report, Verdict
from tests.machine.running import run as run_on_machine

if TYPE_CHECKING:
    from collections.abc import Collection

    from remuda.frontends.c.syntax.ast import Unit
    from remuda.ir.program import Check
    from remuda.machine.settings import Question
    from remuda.replay.interpreter import Replay
    from remuda.terms.symbols import Variable


def verify(text: str, **options: object) -> Report:
    return run([Source("program.c", text)], Options(houdini=False, **options), send=lambda _: None)  # type: ignore[arg-type]


def test_a_violation_shows_on_the_machine() -> None:
    (result,) = verify(
        "int nd(void); void __VERIFIER_assert(int);\n"
        "int main(void) { int a[3] = {4, 5, 6}, i = nd(); if (i >= 0 && i < 3) __VERIFIER_assert(a[i] != 5); }\n"
    ).assertions
    assert result.verdict is Verdict.VIOLATED
    assert result.confirmed == ("replayed", "machine")
    assert result.left_open == ("nd may return anything: it has no body (program.c:2:44)",)


def test_what_c_leaves_open_is_named() -> None:
    (result,) = verify("void __VERIFIER_assert(int); int main(void) { int x; __VERIFIER_assert(x != 7); }").assertions
    assert result.verdict is Verdict.VIOLATED
    assert len(result.left_open) == 1
    assert "x is read before it has a value" in result.left_open[0]


@pytest.mark.parametrize("call", ['strcmp("a", "c") == -2', 'strcmp("a", "c") == -1', 'memcmp("a", "c", 1) == -1'])
def test_that_only_the_sign_of_a_comparison_is_known_is_named(call: str) -> None:
    text = f"#include <string.h>\nvoid __VERIFIER_assert(int); int main(void) {{ __VERIFIER_assert({call}); }}"
    (result,) = verify(text).assertions
    assert result.verdict is Verdict.VIOLATED
    assert "may return any number of this sign" in result.left_open[0]


def test_bytes_from_outside_are_inputs() -> None:
    text = """
    void __VERIFIER_assert(int), __VERIFIER_nondet_memory(void *, unsigned long);
    int main(void) { unsigned x = 0; __VERIFIER_nondet_memory(&x, 4); __VERIFIER_assert(x * 7 != 987654321u); }
    """
    (result,) = verify(text).assertions
    assert result.confirmed == ("replayed", "machine")
    assert not result.left_open


def test_wrapping_is_named() -> None:
    text = "int nd(void); void __VERIFIER_assert(int); int main(void) { int x = nd(); __VERIFIER_assert(x + 1 > x); }"
    (result,) = verify(text).assertions
    assert result.verdict is Verdict.VIOLATED
    assert any("signed overflow" in each for each in result.left_open)


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


THREADS = """
#include <pthread.h>
#include <string.h>
void __VERIFIER_assert(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
int nd(void), x, y, a[4]; struct { int u, v; } s, t;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
#define UNLOCK pthread_mutex_unlock(&m)
#define BOTH(p, q) (p = p + 1, q = p + q)
static void *body(void *p) { %s; return 0; }
int main(void) { pthread_t t1, t2; pthread_create(&t1, 0, body, &x); pthread_create(&t2, 0, body, &y); %s; return 0; }
"""


@pytest.mark.parametrize(
    ("body", "main"),
    [
        ("x = 1", "__VERIFIER_assert(x == 0)"),
        ("x++", "pthread_join(t1, 0); pthread_join(t2, 0); __VERIFIER_assert(x == 2)"),
        ("x += nd()", "x = 5; __VERIFIER_assert(x == 5 || x != 77)"),
        ("BOTH(x, y)", "pthread_join(t1, 0); pthread_join(t2, 0); __VERIFIER_assert(x + y != 5)"),
        ("while (!x); y = 1", "x = 1; __VERIFIER_assert(!y)"),
        ("a[x] = 1; x = 2", "__VERIFIER_assert(!a[2])"),
        ("int k = *(int *)p; *(int *)p = k + 1", "x = 3; __VERIFIER_assert(x == 3)"),
        ("s.u = 1; s.v = 1", "t = s; __VERIFIER_assert(t.u == t.v)"),
        ("memset(a, 1, sizeof a)", "__VERIFIER_assert(a[2] == 0)"),
        ("__VERIFIER_atomic_begin(); x++; y++; __VERIFIER_atomic_end()", "__VERIFIER_assert(x == 0 || y == 2)"),
        ("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m)", "__VERIFIER_assert(x != 1)"),
        (
            "pthread_mutex_lock(&m); if (p == &x) while (!y) pthread_cond_wait(&c, &m); else y = 1; x += y; UNLOCK",
            "__VERIFIER_assert(x < 2)",
        ),
        ("__sync_fetch_and_add(&x, 1); if (p == &x) y = x", "pthread_join(t2, 0); __VERIFIER_assert(y != 2)"),
        ("if (p == &x) pthread_exit(p); x = 4", "void *r; pthread_join(t1, &r); __VERIFIER_assert(*(int *)r != 4)"),
        ("__VERIFIER_assume(x == 1); y = nd()", "x = 1; __VERIFIER_assert(y != 7)"),
    ],
)
def test_schedules_of_traces_are_followed(body: str, main: str) -> None:
    results = verify(THREADS % (body, main)).assertions
    (result,) = [each for each in results if each.kind == "assert"]
    assert result.verdict is Verdict.VIOLATED
    assert result.confirmed == ("replayed", "machine"), result.unconfirmed


def replay_another(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run traces on the machine in another program."""
    replay = MachineReplays.replay

    def patched(self: MachineReplays, trace: Replay, check: Check, own: Collection[Variable] = ()) -> Seen:
        self._unit = unit
        return replay(self, trace, check, own)

    monkeypatch.setattr(MachineReplays, "replay", patched)


def test_a_schedule_under_which_nothing_fails_is_no_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    text = THREADS % ("x = 1", "__VERIFIER_assert(x != 1)")
    other = parse_program([Source("program.c", text.replace("x != 1", "x == x"))], ParseOptions())
    replay_another(other, monkeypatch)
    (result,) = verify(text).assertions
    assert result.verdict is Verdict.UNKNOWN
    assert "on the machine for C, nothing fails: exit with 0" in result.reason


def test_a_schedule_that_cannot_be_followed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    text = THREADS % ("pthread_mutex_lock(&m); x = 1", "pthread_join(t1, 0); __VERIFIER_assert(x != 1)")
    other = parse_program([Source("program.c", text.replace("join(t1,", "join(t2,"))], ParseOptions())
    replay_another(other, monkeypatch)
    (result,) = verify(text).assertions
    assert result.verdict is Verdict.VIOLATED
    problem = "the schedule could not be followed: thread 1 waits at the end"
    assert result.unconfirmed == (f"machine: the run does not show it: {problem}",)


def test_schedules_beyond_the_bound_challenge_it() -> None:
    text = THREADS % ("x++", "pthread_join(t1, 0); pthread_join(t2, 0); __VERIFIER_assert(x == 2)")
    report = verify(text, rounds=1, challenge=1.0)
    (result,) = report.assertions
    assert result.verdict is Verdict.UNKNOWN
    assert "it fails on the machine for C, perhaps beyond the bound" in result.reason
    assert "threads: " in result.reason
    assert verify(text, rounds=1, challenge=0.0).verdict is Verdict.BOUNDED


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
    assert disagreeing(ExecutionOutcome(End.EXITED, None, ""), [wrong]) == []


@pytest.mark.parametrize("cause", Cause)
def test_an_execution_decides_what_searches_gave_up(cause: Cause) -> None:
    """What was not asked for, has no model, or is a contradiction is left as it is."""
    outcome = run_on_machine("void __VERIFIER_assert(int);\nint main(void) {\n  __VERIFIER_assert(0);\n}\n")
    place, why = Location("program.c", 3, 3), Reason("in other words", cause)
    given_up = AssertionResult("a", "assert", "0", place, Verdict.UNKNOWN, why)
    is_open = cause in {Cause.TIME, Cause.EFFORT, Cause.MEMORY, Cause.INCOMPLETE}
    assert bool(disagreeing(outcome, [given_up])) is is_open


ENDED = {
    "overflow": "int y = x + 1; __VERIFIER_assert(y != -2147483647 - 1);",
    "shift": "int y = -(x & 15); y <<= 1; __VERIFIER_assert(y >= 0);",
    "conversion": "unsigned char y = x; __VERIFIER_assert(y == x);",
    "uninitialized": "int y; if (x > 3) y = 1; x += y - y; __VERIFIER_assert(x > 3);",
}


@pytest.mark.parametrize("on_failure", ["stop", "continue"])
@pytest.mark.parametrize("kind", ENDED)
def test_executions_that_end_at_a_check_do_not_challenge_what_follows(kind: str, on_failure: str) -> None:
    text = f"int nd(void); void __VERIFIER_assert(int); int main(void) {{ int x = nd(); {ENDED[kind]} }}"
    report = verify(text, check=(kind,), challenge=0.5, on_failure=on_failure)
    verdicts = {result.kind: result.verdict for result in report.assertions}
    assert verdicts == {kind: Verdict.VIOLATED, "assert": Verdict.PROVED}


def test_random_inputs_are_the_same_for_the_same_seed() -> None:
    asked: list[list[object]] = []
    for _ in range(2):
        inputs = RandomInputs(Random(3), [7], None)
        asked.append([inputs.answer(question()) for _ in range(20)])
    assert asked[0] == asked[1]


def question() -> Question:
    from remuda.base.source import synthetic_span
    from remuda.frontends.c.syntax.types import INT
    from remuda.machine.settings import Question

    return Question("call", "nd", synthetic_span("x"), INT)


def test_addresses_of_64_bits_do_not_fit_into_32() -> None:
    text = """
    void __VERIFIER_assert(int); int x;
    int main(void) { unsigned low = (unsigned)(unsigned long)&x; __VERIFIER_assert((int *)(unsigned long)low == &x); }
    """
    (result,) = verify(text).assertions
    assert result.verdict is Verdict.VIOLATED
    assert result.confirmed == ("replayed", "machine")


INPUTS = """
#include <stdio.h>
#include <time.h>
void __VERIFIER_assert(int);
int main(int argc, char **argv) { %s }
"""


@pytest.mark.parametrize(
    "body",
    [
        'int x; double d; if (scanf("%d %lf", &x, &d) == 2 && d > 2.5) __VERIFIER_assert(x != 77);',
        'int x = 3, y = 4; if (scanf("%d %d", &x, &y) == 1) __VERIFIER_assert(x != 78 || y != 4);',
        "char line[20]; if (fgets(line, sizeof line, stdin)) __VERIFIER_assert(argc != 7);",
        "time_t t; __VERIFIER_assert(time(&t) != 33 || t != 33);",
        'int x; if (argc == 2 && sscanf(argv[1], "%d", &x) == 1) __VERIFIER_assert(x != -5);',
        'FILE *f = fopen("name", "r"); __VERIFIER_assert(f != 0);',
    ],
)
def test_what_the_library_reads_is_an_input(body: str) -> None:
    results = [result for result in verify(INPUTS % body).assertions if result.kind == "assert"]
    assert [result.verdict for result in results] == [Verdict.VIOLATED]
    assert results[0].confirmed == ("replayed", "machine"), results[0].unconfirmed


def test_a_text_has_one_meaning() -> None:
    body = """int x, y;
    if (argc == 2 && sscanf(argv[1], "%d", &x) == 1 && sscanf(argv[1], "%d", &y) == 1)
      __VERIFIER_assert(x == y);"""
    (result,) = verify(INPUTS % body).assertions
    assert result.verdict is Verdict.UNKNOWN
    assert "it depends on the result of sscanf" in result.reason


def test_nothing_comes_between_a_check_and_its_access() -> None:
    text = """
    #include <pthread.h>
    #include <stdlib.h>
    int *p, n;
    static void *body(void *q) { free(p); n = 5; return 0; }
    int main(void) { pthread_t t; p = malloc(4); pthread_create(&t, 0, body, 0); *p = 2;
      return 10 / (5 - n); }
    """
    results = {(each.kind, each.location.line): each for each in verify(text, check=("ub",)).assertions}
    assert "machine" in results["div", 7].confirmed  # the other thread ends between the write and the division
    assert Verdict.VIOLATED in {each.verdict for each in results.values() if each.kind == "pointer"}
