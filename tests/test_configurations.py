"""Every way to search gives the same verdicts: random programs whose instances can be shared.

The fast run takes the same programs every time and lets the configurations take turns; `make slow` takes new ones,
and many more.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.analysis.loops import find_loops
from remuda.engines.bounded_calls import tree_size
from remuda.export.compression import Unfolder
from remuda.frontends.boogie.load import load
from remuda.options import DISJOINTS, JOINS, Options
from remuda.results.report import Report, Verdict
from tests.agreement import INTEGER_SOLVERS, claims, compare
from tests.configurations import CONFIGURATIONS, Configuration, in_turn
from tests.hypothesis_settings import many
from tests.oracle import FEW, Oracle, source
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, random_program
from tests.verify_text import verify

PROGRAMS = 20
OWN_BOUNDS = 8
EACH = 8  # configurations for a program in the fast run
LARGEST_TREE = 120  # instances: everything is also inlined without sharing


def test_configurations_take_turns() -> None:
    turns = Counter(each.name for seed in range(PROGRAMS + OWN_BOUNDS) for each in in_turn(seed, EACH))
    assert set(turns) == {each.name for each in CONFIGURATIONS}
    assert min(turns.values()) >= 8


def program_of(random: Random) -> str:
    """A program that shares instances, if it can; now and then any other."""
    return random_program(random, sharing=random.random() < 0.8).text


def base_options(random: Random) -> Options:
    return Options(
        houdini=False,
        bound=random.choice([1, 2, 2, 3]),
        unroll=random.random() < 0.8,
        joins=random.choice(JOINS),
        disjoint=random.choice(DISJOINTS),
        alternate=random.choice([0.002, 0.02, 10.0]),
        summaries="none" if random.random() < 0.15 else "modset",
        seed=random.randint(1, 100),
        solver=random.choices(INTEGER_SOLVERS, [4, 1])[0],
        check_ir=True,
        timeout=PATIENCE,
    )


def own_bounds(random: Random, text: str) -> tuple[tuple[str, int], ...]:
    """Bounds for some procedures and loops."""
    program = load([source(text)])
    loops = [loop.name for each in program.procedures.values() if each.blocks for loop in find_loops(each).loops]
    names = [*loops, *(name for name, each in program.procedures.items() if each.blocks)]
    return tuple((name, random.randint(1, 3)) for name in random.sample(names, min(len(names), 2)))


def small_enough(text: str, options: Options) -> Options:
    """With a lower bound if the tree of instances would be too large."""
    unfolder = Unfolder(load([source(text)]), options)
    size = sum(tree_size(unfolder.calls, entry) for entry in unfolder.entries)
    if size <= LARGEST_TREE or options.bound == 1:
        return options
    return small_enough(text, replace(options, bound=options.bound - 1, bound_for=()))


def check_configurations(text: str, options: Options, configurations: list[Configuration], steps: int) -> None:
    """Each is right about every assertion, with a trace that replays for each violation, and all agree."""
    oracle = Oracle(text, options, DOMAIN, steps)
    reports = agreeing(text, options, configurations)
    for name, report in reports.items():
        assert oracle.complaints(report) == [], name


def agreeing(text: str, options: Options, configurations: list[Configuration]) -> dict[str, Report]:
    """The reports of all configurations.

    They find the same violations, up to the same bound. If a configuration inlines calls lazily, its other verdicts
    depend on the inlined calls: they are never stronger than those of a configuration that inlines all calls. Those
    of all configurations that do so are equal.
    """
    reports = {each.name: verify(text, each.options(options)) for each in configurations}
    inlined = verify(text, replace(options, engine="static"))
    everything = {**reports, "stratified": verify(text, replace(options, engine="stratified")), "static": inlined}
    for name, report in everything.items():
        assert [(one.identifier, one.reason) for one in report.assertions if "replayed" in one.reason] == [], name
    if any(was_cut(report, PATIENCE) for report in everything.values()):
        return everything
    for name, report in everything.items():
        compare(report, inlined)
        assert {one.bound for one in report.assertions} <= {None, options.bound}, name
    for each in configurations:
        if each.inline == "all":
            assert claims(reports[each.name]) == claims(inlined), each.name
    return everything


def was_cut(report: Report, seconds: float) -> bool:
    """Whether the time ran out, perhaps only in the queries about reachability."""
    return report.statistics.seconds >= 0.9 * seconds or any(
        one.verdict is Verdict.UNKNOWN for one in report.assertions
    )


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_all_configurations_agree(seed: int) -> None:
    random = Random(seed)
    text = program_of(random)
    check_configurations(text, small_enough(text, base_options(random)), in_turn(seed, EACH), FEW)


@pytest.mark.parametrize("seed", range(PROGRAMS, PROGRAMS + OWN_BOUNDS))
def test_all_configurations_agree_with_bounds_of_their_own(seed: int) -> None:
    random = Random(seed)
    text = program_of(random)
    agreeing(text, small_enough(text, with_own_bounds(random, text)), in_turn(seed, EACH))


def with_own_bounds(random: Random, text: str) -> Options:
    options = base_options(random)
    if random.random() < 0.5:
        return replace(options, stack_depth=random.randint(1, 6))
    return replace(options, bound_for=own_bounds(random, text))


@pytest.mark.slow
@many(1000)
@given(st.randoms(use_true_random=False))
def test_all_configurations_agree_on_many_programs(random: Random) -> None:
    text, configurations = program_of(random), random.sample(CONFIGURATIONS, EACH)
    check_configurations(text, small_enough(text, base_options(random)), configurations, 10_000)


@pytest.mark.slow
@many(300)
@given(st.randoms(use_true_random=False))
def test_all_configurations_agree_with_many_bounds_of_their_own(random: Random) -> None:
    text, configurations = program_of(random), random.sample(CONFIGURATIONS, EACH)
    agreeing(text, small_enough(text, with_own_bounds(random, text)), configurations)


def test_random_programs_share_instances() -> None:
    """Otherwise nothing here would test sharing. Where violations are found early, little is opened."""
    shared = 0
    for seed in range(10):
        text = random_program(Random(seed), sharing=True).text
        statistics = verify(text, Options(engine="dag", bound=2, timeout=PATIENCE)).statistics
        shared += statistics.instances < statistics.tree_instances
    assert shared >= 3
