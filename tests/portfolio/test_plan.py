"""The plan: which strategies join the first search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from remuda.options import Options
from remuda.portfolio.facts import Facts
from remuda.portfolio.plan import DEEPER, RANDOM, auto, is_open

PLAIN = Facts(
    statements=10,
    procedures=2,
    entries=1,
    assertions=1,
    contracts=0,
    sorts=("integers",),
    is_bits=False,
    is_linear=True,
    has_threads=False,
    globals=1,
    maps=0,
    recursive=0,
    loops=1,
    nesting=1,
    depth=0,
    paths=1,
)


def planned(facts: Facts, options: Options | None = None, *, has_searched: bool = False) -> list[str]:
    return [each.strategy for each in auto(facts, options or Options(), has_searched=has_searched)]


def test_deep_assertions_are_lifted_first() -> None:
    assert planned(replace(PLAIN, depth=100))[0] == "lifted"
    assert planned(replace(PLAIN, depth=3, paths=10**9))[0] == "lifted"
    assert planned(replace(PLAIN, depth=1))[0] != "lifted"
    assert "lifted" not in planned(PLAIN)


def test_stated_contracts_are_checked_procedure_by_procedure() -> None:
    assert planned(replace(PLAIN, contracts=1))[0] == "modular"
    assert "modular" not in planned(replace(PLAIN, contracts=1), Options(on_failure="continue"))
    assert "modular" not in planned(replace(PLAIN, contracts=1, has_threads=True))


def test_without_loops_there_is_nothing_to_search_deeper() -> None:
    assert planned(replace(PLAIN, loops=0, nesting=0)) == ["second solver"]


def test_executions_are_run_where_they_can_be_long() -> None:
    assert RANDOM in planned(replace(PLAIN, loops=0, nesting=0, recursive=1))
    assert RANDOM not in planned(replace(PLAIN, loops=0, nesting=0))
    assert RANDOM not in planned(replace(PLAIN, has_threads=True))
    assert RANDOM not in planned(PLAIN, Options(bound=3))  # executions know no bound


def test_no_proof_by_contracts_in_programs_with_threads() -> None:
    assert set(planned(replace(PLAIN, has_threads=True))) <= {"lifted", "second solver", DEEPER}


def test_a_bound_of_the_users_own_is_the_last() -> None:
    assert planned(PLAIN)[-1] == DEEPER
    assert DEEPER not in planned(PLAIN, Options(bound=3))
    assert DEEPER not in planned(PLAIN, Options(stack_depth=5))


def test_what_the_first_search_tries_at_its_end_is_not_tried_twice() -> None:
    assert planned(PLAIN, has_searched=True) == [RANDOM, DEEPER, "isolation"]
    assert planned(replace(PLAIN, depth=1), has_searched=True) == [RANDOM, DEEPER, "isolation", "lifted"]
    assert {"contracts", "horn"} <= set(planned(PLAIN))


def test_jobs_have_the_users_options_but_for_the_strategy() -> None:
    runner = auto(replace(PLAIN, depth=100), Options())[0]
    job = runner.job(Options(timeout=7.0, arch="ilp32"), frozenset({"a"}))
    assert (job.options.timeout, job.options.arch, job.options.lift) == (7.0, "ilp32", True)
    assert job.assertions == frozenset({"a"})


@pytest.mark.parametrize(
    "options",
    [
        Options(engine="dag"),
        Options(lift=True),
        Options(houdini=False),
        Options(solver="z3"),
        Options(modular=True),
        Options(implications="off"),
    ],
)
def test_a_chosen_strategy_runs_alone(options: Options) -> None:
    assert not is_open(options)
    assert is_open(Options())
    assert is_open(Options(property="unreach-call", bound=3, arch="ilp32", check=("bounds",)))
    assert is_open(Options(bound=3, timeout=1.0, check=("all",)))
