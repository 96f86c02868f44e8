"""Exploration finds every failure over its domain, and its witnesses replay."""

from __future__ import annotations

import pytest

from remuda.ir.program import Condition, Procedure, Program
from remuda.replay.explore import ExplorationLimits, explore
from remuda.replay.interpreter import replay
from tests.replay.builder import Builder


@pytest.fixture
def build() -> Builder:
    return Builder()


def test_all_choices_are_tried(build: Builder) -> None:
    """havoc x; goto a, b;  a: assert x != 2;  b: assert g + x < 4;  assert g + x < 5"""
    g, x = build.glob("g"), build.var("x")
    a, b, c = build.check("a"), build.check("b"), build.check("c")
    total = build.add(g, x)
    main = Procedure(
        "Main",
        (),
        (),
        build.span("Main"),
        locals=(x,),
        blocks=(
            build.block("start", build.havoc(x), to=("a", "b")),
            build.block("a", build.claim(build.terms.not_(build.eq(x, 2)), a)),
            build.block("b", build.claim(build.lt(total, 4), b), build.claim(build.lt(total, 5), c)),
        ),
    )
    program = Program(build.terms, {"Main": main}, ("Main",), globals=(g,))
    outcomes = explore(program, entry="Main")
    assert outcomes.complete
    assert list(outcomes.failing) == [a, b]
    assert list(outcomes.reached) == [a, b, c]
    for trace in outcomes.failing.values():
        result = replay(program, trace)
        assert result.ok, result.why


def counting(build: Builder) -> Program:
    """i := 0; while (i < 3) { i := i + 1; } assert i != 3; - with x going round for ever on the other way."""
    i = build.var("i")
    check = build.check("loop")
    main = Procedure(
        "Main",
        (),
        (),
        build.span("Main"),
        locals=(i,),
        blocks=(
            build.block("start", build.assign(i, 0), to=("head",)),
            build.block("head", to=("body", "end")),
            build.block("body", build.assume(build.lt(i, 3)), build.assign(i, build.add(i, 1)), to=("head",)),
            build.block("end", build.assume(build.le(3, i)), build.claim(build.lt(i, 3), check)),
        ),
    )
    return Program(build.terms, {"Main": main}, ("Main",))


@pytest.mark.parametrize(("iterations", "fails"), [(2, False), (3, True), (4, True)])
def test_loops_are_bounded_by_rounds(build: Builder, iterations: int, fails: bool) -> None:
    limits = ExplorationLimits(iterations=iterations, loops={("Main", "head"): frozenset({"head", "body"})})
    outcomes = explore(counting(build), entry="Main", limits=limits)
    assert bool(outcomes.failing) is fails
    assert bool(outcomes.cut) is (iterations < 4)
    assert explore(counting(build), entry="Main").complete


def recursive(build: Builder) -> Program:
    """procedure Main(n) { if (n > 0) { call Main(n - 1); } assert g == 0 when n == 2; }"""
    g, n = build.glob("g"), build.var("n")
    check = build.check("deep")
    main = Procedure(
        "Main",
        (n,),
        (),
        build.span("Main"),
        blocks=(
            build.block("start", to=("more", "stop")),
            build.block("more", build.assume(build.lt(0, n)), build.call("Main", (build.sub(n, 1),)), to=("end",)),
            build.block("stop", build.assume(build.le(n, 0)), build.assign(g, 0), to=("end",)),
            build.block("end", build.assign(g, build.add(g, 1)), build.claim(build.lt(g, 3), check)),
        ),
    )
    return Program(build.terms, {"Main": main}, ("Main",), globals=(g,))


@pytest.mark.parametrize(("recursion", "fails"), [(1, False), (2, False), (3, True), (None, True)])
def test_recursion_is_bounded(build: Builder, recursion: int | None, fails: bool) -> None:
    program = recursive(build)
    outcomes = explore(program, entry="Main", limits=ExplorationLimits(recursion=recursion))
    assert bool(outcomes.failing) is fails
    assert ("recursion" in outcomes.cut) is (recursion in {1, 2})
    assert all(replay(program, trace).ok for trace in outcomes.failing.values())


def test_endless_loops_over_few_states_end_and_others_are_cut(build: Builder) -> None:
    i = build.var("i")

    def program(step: int) -> Program:
        block = build.block("head", build.assign(i, build.terms.mod(build.add(i, step), build.term(5))), to=("head",))
        endless = build.block("head", build.assign(i, build.add(i, step)), to=("head",))
        main = Procedure("Main", (), (), build.span("Main"), locals=(i,), blocks=(block if step < 3 else endless,))
        return Program(build.terms, {"Main": main}, ("Main",))

    assert explore(program(1), entry="Main").complete
    assert list(explore(program(3), entry="Main", limits=ExplorationLimits(steps=500)).cut) == ["steps"]


def test_procedures_without_body_obey_their_ensures(build: Builder) -> None:
    g, x, r = build.glob("g"), build.var("x"), build.var("r")
    grows = build.lt(build.terms.old(build.term(g)), g)
    bare = Procedure(
        "Bare",
        (),
        (r,),
        build.span("Bare"),
        ensures=(Condition(build.terms.and_([grows, build.eq(r, g)]), build.span("ensures"), None),),
        modifies=(g,),
    )
    good, bad = build.check("good"), build.check("bad")
    main = Procedure(
        "Main",
        (),
        (),
        build.span("Main"),
        locals=(x,),
        blocks=(
            build.block(
                "start",
                build.call("Bare", (), (x,)),
                build.claim(build.lt(0, x), good),
                build.claim(build.eq(x, 2), bad),
            ),
        ),
    )
    program = Program(build.terms, {"Main": main, "Bare": bare}, ("Main",), globals=(g,))
    outcomes = explore(program, entry="Main")
    assert list(outcomes.failing) == [bad]
    assert replay(program, outcomes.failing[bad]).ok
