"""Threads on the machine: compared with running all interleavings by a semantics of its own
(`tests/thread_programs.py`), and what single functions of pthread.h and threads.h do."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, final

import pytest

from remuda.base.source import Source
from remuda.confirm.schedules import RandomSchedule
from remuda.frontends.c.clang.parse import ParseOptions, parse_program
from remuda.machine.outcomes import End
from remuda.machine.run import Execution
from remuda.machine.settings import Settings
from tests.machine.running import Given
from tests.thread_programs import TooMany, random_program, schedules, written

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.machine.outcomes import ExecutionOutcome
    from remuda.machine.threads import Schedule, Threads

HEADER = """
#include <pthread.h>
#include <threads.h>
void __VERIFIER_assert(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
"""


def execution(text: str, schedule: Schedule, *numbers: int) -> Execution:
    unit = parse_program([Source("program.c", text)], ParseOptions())
    return Execution(unit, Settings(volatile_is_input=False), Given(*numbers), schedule=schedule)


def outcomes(text: str, count: int = 200) -> list[ExecutionOutcome]:
    """How a program ends under random schedules."""
    random = Random(7)
    running = execution(HEADER + text, RandomSchedule(random, 0.5))
    found = []
    for _ in range(count):
        running.schedule = RandomSchedule(random, random.choice((0.1, 0.5)))
        found.append(running.run())
    return found


def ends(text: str, count: int = 200) -> set[End]:
    return {outcome.end for outcome in outcomes(text, count)}


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_failures_are_those_of_all_interleavings(first: int) -> None:
    expected, seen = 0, 0
    for seed in range(first, first + 20):
        random = Random(seed)
        program = random_program(random, "c")
        try:
            ever = schedules(program)
        except TooMany:
            continue
        made = written(program)
        running = execution(made.text, RandomSchedule(random, 0.5))
        found = set()
        for _ in range(150):
            running.inputs = Given(*(random.randrange(2) for _ in range(8)))
            running.schedule = RandomSchedule(random, random.choice((0.05, 0.2, 0.5)))
            outcome = running.run()
            assert outcome.end in {End.FAILED, End.EXITED, End.ASSUMED}, f"{outcome}\n{made.text}"
            if outcome.end is End.FAILED:
                assert outcome.span is not None
                found.add(outcome.span.line)
        assert found <= ever, made.text
        expected, seen = expected + len(ever), seen + len(found)
    assert seen >= 0.8 * expected  # few random schedules do not meet everything


def test_threads_run_at_the_same_time() -> None:
    text = """
    void *add(void *p) { x++; return 0; }
    int main(void) { pthread_t a, b; pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0);
        pthread_join(a, 0); pthread_join(b, 0); __VERIFIER_assert(x == 2); }
    """
    assert ends(text) == {End.FAILED, End.EXITED}


@pytest.mark.parametrize(
    "body",
    [
        "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
        "mtx_lock((mtx_t *)&m); x++; mtx_unlock((mtx_t *)&m);",
        "while (pthread_mutex_trylock(&m)) sched_yield(); x++; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); x++; pthread_mutex_unlock(&m);",
        "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();",
        "__VERIFIER_atomic_add();",
        "__sync_fetch_and_add(&x, 1);",
        "void (*f)(void) = __VERIFIER_atomic_add; f();",
        "__atomic_fetch_add(&x, 1, 5);",
        "int old; do old = x; while (!__sync_bool_compare_and_swap(&x, old, old + 1));",
    ],
)
def test_synchronized_increments_are_not_lost(body: str) -> None:
    text = f"""
    int sched_yield(void);
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    void __VERIFIER_atomic_add(void) {{ x++; }}
    void *add(void *p) {{ {body} return 0; }}
    int main(void) {{ pthread_t a, b; pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0);
        pthread_join(a, 0); pthread_join(b, 0); __VERIFIER_assert(x == 2); }}
    """
    assert ends(text) == {End.EXITED}


def test_waiting_for_a_condition_unlocks_the_mutex() -> None:
    text = """
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    void *set(void *p) { pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
    int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, set, 0);
        while (!x) pthread_cond_wait(&c, &m);
        __VERIFIER_assert(pthread_mutex_trylock(&m) != 0); return 3; }
    """
    assert {(outcome.end, outcome.code) for outcome in outcomes(text)} == {(End.EXITED, 3)}


def test_results_and_identities() -> None:
    text = """
    void deep(int n) { if (n) deep(n - 1); else pthread_exit(&y); }
    void *leave(void *p) { deep(3); return 0; }
    int count(void *p) { return *(int *)p + 1; }
    int main(void) { pthread_t t; thrd_t u; void *at; int n = 6, result;
        pthread_create(&t, 0, leave, 0); thrd_create(&u, count, &n);
        pthread_join(t, &at); thrd_join(u, &result);
        __VERIFIER_assert(at == &y && result == 7 && n == 6);
        __VERIFIER_assert(pthread_equal(pthread_self(), pthread_self()) && !pthread_equal(t, pthread_self())); }
    """
    assert ends(text) == {End.EXITED}


def test_each_thread_has_thread_local_objects_of_its_own() -> None:
    text = """
    __thread int own = 5; static __thread int *at;
    void *change(void *p) { at = &own; __VERIFIER_assert(*at == 5); *at += 1; __VERIFIER_assert(own == 6); return 0; }
    int main(void) { pthread_t a, b; own = 9; pthread_create(&a, 0, change, 0); pthread_create(&b, 0, change, 0);
        __VERIFIER_assert(own == 9 && at == 0); pthread_join(a, 0); pthread_join(b, 0);
        __VERIFIER_assert(own == 9 && at == 0); }
    """
    assert ends(text) == {End.EXITED}


def test_the_program_ends_with_main_or_with_the_last_thread() -> None:
    late = "void *fail(void *p) { __VERIFIER_assert(x); return 0; }"
    started = "pthread_t t; pthread_create(&t, 0, fail, 0);"
    assert ends(f"{late} int main(void) {{ {started} return 0; }}") == {End.FAILED, End.EXITED}
    assert ends(f"{late} int main(void) {{ {started} pthread_exit(0); }}") == {End.FAILED}


def test_threads_that_wait_for_each_other_end_the_execution() -> None:
    text = """
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
    void *other(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, other, 0);
        pthread_mutex_lock(&m); pthread_mutex_lock(&n); return 3; }
    """
    assert {outcome.text for outcome in outcomes(text)} == {"all threads wait for each other", "exit with 3"}


def test_kinds_of_mutexes() -> None:
    text = """
    int main(void) { pthread_mutex_t m; pthread_mutexattr_t a; pthread_mutexattr_init(&a);
        pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &a);
        pthread_mutex_lock(&m); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
        __VERIFIER_assert(pthread_mutex_trylock(&m) == 0); return 3; }
    """
    assert {outcome.code for outcome in outcomes(text, 1)} == {3}
    plain = text.replace("PTHREAD_MUTEX_RECURSIVE", "PTHREAD_MUTEX_NORMAL")
    assert {outcome.text for outcome in outcomes(plain, 1)} == {"all threads wait for each other"}


@pytest.mark.parametrize(
    ("initial", "text"),
    [
        ("PTHREAD_MUTEX_INITIALIZER", "all threads wait for each other"),
        ("PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP", "all threads wait for each other"),
        ("PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP", "exit with 0"),
        ("PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP", "exit with 35"),
    ],
)
def test_kinds_of_mutexes_by_their_initial_values(initial: str, text: str) -> None:
    program = f"""
    pthread_mutex_t m = {initial};
    int main(void) {{ pthread_mutex_lock(&m); return pthread_mutex_lock(&m); }}
    """
    assert {outcome.text for outcome in outcomes(program, 1)} == {text}


def test_local_objects_end_with_their_thread() -> None:
    text = """
    int *at;
    void *leave(void *p) { int local = 1; at = &local; pthread_exit(0); }
    int main(void) { pthread_t t; pthread_create(&t, 0, leave, 0); pthread_join(t, 0); return *at; }
    """
    assert ends(text) == {End.UNDEFINED}


@final
class Fixed:
    """Switches to a thread at each of some points, counted over all threads."""

    def __init__(self, switches: dict[int, int]) -> None:
        self._switches = switches
        self._count = 0

    def begin(self) -> None:
        self._count = 0

    def next(self, threads: Threads, span: Span, *, enters: bool) -> int:  # noqa: ARG002
        self._count += 1
        return self._switches.get(self._count, threads.current.number)

    def passed(self, thread: int, span: Span) -> None:
        pass

    def after(self, threads: Threads) -> int:
        return threads.ready()[0]


def test_a_schedule_that_cannot_be_followed_is_reported() -> None:
    text = HEADER + "int main(void) { x = 1; y = 1; return 0; }"
    outcome = execution(text, Fixed({2: 2})).run()
    assert outcome.end is End.NOT_MODELLED
    assert outcome.text == "the schedule could not be followed: thread 2 does not exist"


def test_without_a_schedule_there_are_no_threads() -> None:
    text = HEADER + "void *f(void *p) { return p; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); }"
    unit = parse_program([Source("program.c", text)], ParseOptions())
    outcome = Execution(unit, Settings(), Given()).run()
    assert (outcome.end, outcome.text) == (End.NOT_MODELLED, "a thread")
