"""Replays accept exactly the traces that are executions, and refuse the others with a reason."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from remuda.ir.program import Assign, Attribute, Axiom, Block, Call, Check, Condition, Procedure, Program
from remuda.ir.trace import Choose, Enter, Event, Leave, Trace, Visit
from remuda.replay.interpreter import replay
from remuda.replay.narrate import narrate
from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.types import INT, BvType, NamedType
from remuda.terms.values import Element, FunctionTable, Interpretation, MapValue, Value
from tests.replay.builder import INT_MAP, Builder

if TYPE_CHECKING:
    from remuda.terms.term import Term


class Sample:
    """`procedure Main()` over globals g and m, with a local x; tests fill in the blocks."""

    def __init__(self) -> None:
        self.build = Builder()
        self.g = self.build.glob("g")
        self.m = self.build.glob("m", INT_MAP)
        self.x = self.build.var("x")
        self.check = self.build.check()

    def main(self, *blocks: Block) -> Procedure:
        return Procedure("Main", (), (), self.build.span("procedure Main()"), locals=(self.x,), blocks=blocks)

    def program(self, *procedures: Procedure) -> Program:
        named = {procedure.name: procedure for procedure in procedures}
        return Program(self.build.terms, named, ("Main",), globals=(self.g, self.m))

    def trace(self, events: list[Event], initial: dict[Variable, Value] | None = None) -> Trace:
        return Trace("Main", Interpretation(), initial or {}, events, self.check)


@pytest.fixture
def sample() -> Sample:
    return Sample()


def branching(sample: Sample) -> Program:
    """havoc x; if (x > 0) { m[x] := g; } assert m[x] == 0;"""
    build, x, g, m = sample.build, sample.x, sample.g, sample.m
    element = build.terms.select(build.term(m), [build.term(x)])
    stored = build.terms.store(build.term(m), [build.term(x)], build.term(g))
    return sample.program(
        sample.main(
            build.block("start", build.havoc(x), to=("then", "else")),
            build.block(
                "then",
                build.assume(build.lt(0, x), "assume 0 < x;"),
                build.assign(m, stored, "m[x] := g;"),
                to=("end",),
            ),
            build.block("else", build.assume(build.le(x, 0), "assume x <= 0;"), to=("end",)),
            build.block("end", build.claim(build.eq(element, 0), sample.check, "assert m[x] == 0;")),
        )
    )


def path(sample: Sample, x: int, *labels: str) -> list[Event]:
    choice: list[Event] = [Choose({sample.x: x})]
    return [Enter("Main", {}), Visit("start"), *choice, *(Visit(label) for label in labels)]


def test_an_execution_that_fails_its_check_is_confirmed_and_told(sample: Sample) -> None:
    program = branching(sample)
    result = replay(program, sample.trace(path(sample, 3, "then", "end"), {sample.g: -7}))
    assert result.ok, result.why
    assert result.unevaluated == ()
    told = [(step.kind, step.text, step.values) for step in narrate(result, program)]
    assert told == [
        ("start", "execution starts in Main", (("g", "-7"),)),
        ("havoc", "havoc x;", (("x", "3"),)),
        ("branch", "assume 0 < x;", (("x", "3"),)),
        ("assign", "m[x] := g;", (("m[3]", "-7"),)),
        ("fail", "assert m[x] == 0;", (("x", "3"), ("m[3]", "-7"))),
    ]


@pytest.mark.parametrize(
    ("x", "labels", "g", "why"),
    [
        (0, ("then", "end"), 1, "the assumption at"),
        (3, ("then", "end"), 0, "the trace ends where it must say: leave Main"),
        (3, ("end",), 1, "event 3 is visit end, not visit then or else"),
        (3, ("then",), 1, "the trace ends where it must say: visit end"),
        (3, ("then", "end", "end"), 1, "the check fails already at event 5 of 6"),
    ],
)
def test_traces_that_are_no_executions_are_refused(
    sample: Sample, x: int, labels: tuple[str, ...], g: int, why: str
) -> None:
    result = replay(branching(sample), sample.trace(path(sample, x, *labels), {sample.g: g}))
    assert not result.ok
    assert result.why.startswith(why)


def test_another_assertion_that_fails_first_is_reported(sample: Sample) -> None:
    build = sample.build
    other = build.check("assert:0")
    program = sample.program(
        sample.main(
            build.block(
                "start",
                build.claim(build.eq(sample.g, 1), other),
                build.claim(build.eq(sample.g, 2), sample.check),
            )
        )
    )
    events: list[Event] = [Enter("Main", {}), Visit("start")]
    assert replay(program, sample.trace(events, {sample.g: 1})).ok
    refused = replay(program, sample.trace(events, {sample.g: 0}))
    assert "test.bpl:Main:assert:0 fails first" in refused.why


def increment(sample: Sample, *, ensures: tuple[Condition, ...] = (), with_body: bool = True) -> Procedure:
    build = sample.build
    n, r = build.var("n"), build.var("r")
    body = (build.block("body", build.assign(r, build.add(n, 1)), build.assign(sample.g, build.add(sample.g, n))),)
    return Procedure(
        "Inc",
        (n,),
        (r,),
        build.span("procedure Inc"),
        blocks=body if with_body else None,
        ensures=ensures,
        modifies=(sample.g,),
    )


def calling(sample: Sample, callee: Procedure, expected: int) -> Program:
    build = sample.build
    call = Call("Inc", (build.term(5),), (sample.x,), build.span("call x := Inc(5);"))
    sums_up = build.eq(build.add(sample.x, sample.g), expected)
    return sample.program(sample.main(build.block("start", call, build.claim(sums_up, sample.check))), callee)


def test_calls_run_the_body_and_return(sample: Sample) -> None:
    program = calling(sample, increment(sample), expected=0)
    events: list[Event] = [Enter("Main", {}), Visit("start"), Enter("Inc", {}), Visit("body"), Leave()]
    result = replay(program, sample.trace(events, {sample.g: 1}))
    assert result.ok, result.why
    story = narrate(result, program)
    assert [(step.kind, step.depth, step.values) for step in story if step.kind in {"call", "assign", "return"}] == [
        ("call", 0, (("n", "5"),)),
        ("assign", 1, (("r", "6"),)),
        ("assign", 1, (("g", "6"),)),
        ("return", 0, (("x", "6"),)),
    ]
    assert story[-1].values == (("x", "6"), ("g", "6"))


def test_free_ensures_of_a_body_are_assumed(sample: Sample) -> None:
    build = sample.build
    grew = build.lt(build.terms.old(build.term(sample.g)), sample.g)
    program = calling(sample, increment(sample, ensures=(build.free(grew),)), expected=0)
    events: list[Event] = [Enter("Main", {}), Visit("start"), Enter("Inc", {}), Visit("body"), Leave()]
    assert replay(program, sample.trace(events)).ok
    shrank = build.lt(sample.g, build.terms.old(build.term(sample.g)))
    program = calling(sample, increment(sample, ensures=(build.free(shrank),)), expected=0)
    assert replay(program, sample.trace(events)).why.startswith("the free ensures of Inc at")


def test_a_call_without_body_takes_the_chosen_values_that_ensures_allow(sample: Sample) -> None:
    build = sample.build
    bare = increment(sample, with_body=False)
    old = build.terms.old(build.term(sample.g))
    term = build.terms.and_([build.eq(bare.outputs[0], build.add(old, 1)), build.eq(sample.g, bare.inputs[0])])
    callee = replace(bare, ensures=(Condition(term, build.span("ensures"), build.check("ensures:1")),))
    program = calling(sample, callee, expected=0)
    for key in (callee.outputs[0], sample.x):
        events: list[Event] = [Enter("Main", {}), Visit("start"), Choose({key: 4, sample.g: 5})]
        assert replay(program, sample.trace(events, {sample.g: 3})).ok
        assert replay(program, sample.trace(events, {sample.g: 2})).why.startswith("the ensures of Inc at")


def test_deep_recursion(sample: Sample) -> None:
    """procedure Down(n) { if (n > 0) { call Down(n - 1); } else { g := 1; } }"""
    build, depth = sample.build, 10_000
    n = build.var("n")
    down = Procedure(
        "Down",
        (n,),
        (),
        build.span("procedure Down"),
        blocks=(
            build.block("top", to=("more", "stop")),
            build.block("more", build.assume(build.lt(0, n)), build.call("Down", (build.sub(n, 1),))),
            build.block("stop", build.assume(build.le(n, 0)), build.assign(sample.g, 1)),
        ),
    )
    start = build.block(
        "start", build.call("Down", (build.term(depth),)), build.claim(build.eq(sample.g, 0), sample.check)
    )
    program = sample.program(sample.main(start), down)
    events: list[Event] = [Enter("Main", {}), Visit("start")]
    for level in range(depth + 1):
        events += [Enter("Down", {}), Visit("top"), Visit("more" if level < depth else "stop")]
    events += [Leave()] * (depth + 1)
    result = replay(program, sample.trace(events))
    assert result.ok, result.why
    assert max(step.depth for step in narrate(result, program)) == depth + 1


# --- axioms and the model


def with_axiom(sample: Sample, term: Term, functions: tuple[Function, ...] = ()) -> Program:
    build = sample.build
    main = sample.main(build.block("start", build.claim(build.eq(sample.g, 0), sample.check)))
    axiom = Axiom(term, build.span("axiom"))
    return replace(sample.program(main), functions=functions, axioms=(axiom,))


FAILS: list[Event] = [Enter("Main", {}), Visit("start")]


def test_axioms_are_checked_or_listed(sample: Sample) -> None:
    build, terms = sample.build, sample.build.terms
    n = build.bound("n")
    f = Function("f", (build.bound("k"),), INT)
    unbounded = terms.quantifier("forall", [n], build.le(0, terms.apply(f, [build.term(n)])))
    trace = replace(
        sample.trace(FAILS, {sample.g: 1}), interpretation=Interpretation(functions={f: FunctionTable({}, 3)})
    )
    result = replay(with_axiom(sample, unbounded, (f,)), trace)
    assert result.ok
    assert [what for what, _ in result.unevaluated] == ["axiom: forall ranges over too many values"]
    wrong = replace(trace, interpretation=Interpretation(functions={f: FunctionTable({(7,): -1}, 3)}))
    assert replay(with_axiom(sample, unbounded, (f,)), wrong).why.startswith("the axiom at")


def test_an_axiom_that_defines_a_function_goes_before_the_model(sample: Sample) -> None:
    """axiom (forall n :: inc(n) == n + 1); ... assert g == inc(2);"""
    build, terms, n = sample.build, sample.build.terms, sample.build.bound("n")
    increment_ = Function("inc", (build.bound("k"),), INT)
    defining = terms.quantifier("forall", [n], terms.eq(terms.apply(increment_, [build.term(n)]), build.add(n, 1)))
    applied = terms.apply(increment_, [build.term(2)])
    main = sample.main(build.block("start", build.claim(build.eq(sample.g, applied), sample.check)))
    axiom = Axiom(defining, build.span("axiom"))
    program = replace(sample.program(main), functions=(increment_,), axioms=(axiom,))
    model = Interpretation(functions={increment_: FunctionTable({}, 7)})
    assert replay(program, replace(sample.trace(FAILS, {sample.g: 7}), interpretation=model)).ok
    result = replay(program, replace(sample.trace(FAILS, {sample.g: 3}), interpretation=model))
    assert not result.ok
    assert result.unevaluated == ()


def test_an_axiom_about_symbols_that_the_model_leaves_open_is_listed(sample: Sample) -> None:
    build = sample.build
    constant = build.var("N", INT, VariableKind.CONSTANT)
    program = replace(with_axiom(sample, build.lt(5, constant)), constants=(constant,))
    trace = sample.trace(FAILS, {sample.g: 1})
    result = replay(program, trace)
    assert result.ok
    assert [what for what, _ in result.unevaluated] == ["axiom: the model leaves N open"]
    given = replace(trace, interpretation=Interpretation({constant: 5}))
    assert replay(program, given).why.startswith("the axiom at")


def test_unique_constants_are_different(sample: Sample) -> None:
    build, type_ = sample.build, NamedType("T")
    one, two = (build.var(name, type_, VariableKind.CONSTANT) for name in ("one", "two"))
    program = replace(
        with_axiom(sample, build.term(True)), constants=(one, two), unique_constants=(one, two), types=(type_,)
    )
    trace = sample.trace(FAILS, {sample.g: 1})
    assert replay(program, trace).ok
    element = Element(type_, 4)
    half = replace(trace, interpretation=Interpretation({two: element}))
    assert replay(program, half).ok
    same = replace(trace, interpretation=Interpretation({one: element, two: element}))
    assert replay(program, same).why == "the unique constants one and two have the same value"


def test_where_conditions_of_globals_hold_at_the_start(sample: Sample) -> None:
    program = replace(with_axiom(sample, sample.build.term(True)), wheres={sample.g: sample.build.le(0, sample.g)})
    assert replay(program, sample.trace(FAILS, {sample.g: 1})).ok
    assert "where condition of g" in replay(program, sample.trace(FAILS, {sample.g: -1})).why


def test_the_last_assertion_must_be_evaluable(sample: Sample) -> None:
    build, n = sample.build, sample.build.bound("n")
    squares = build.le(0, build.terms.arithmetic("mul", build.term(n), build.term(n)))
    unbounded = build.terms.quantifier("forall", [n], squares)
    main = sample.main(build.block("start", build.claim(unbounded, sample.check)))
    assert "cannot be evaluated" in replay(sample.program(main), sample.trace(FAILS)).why
    assumed = sample.main(
        build.block("start", build.assume(unbounded), build.claim(build.eq(sample.g, 0), sample.check))
    )
    result = replay(sample.program(assumed), sample.trace(FAILS, {sample.g: 1}))
    assert result.ok
    assert len(result.unevaluated) == 1


# --- telling


def test_prints_records_and_noise(sample: Sample) -> None:
    build = sample.build
    generated = build.glob("tmp$1")
    value = build.var("v", BvType(32))
    record = Procedure("boogie_si_record_bv32", (value,), (), build.span("record"))
    call = build.call("boogie_si_record_bv32", (build.terms.bitvector(5, 32),))
    recorded = replace(call, attributes=(Attribute("cexpr", ("flags",)),))
    printing = replace(
        build.assume(build.term(True)), attributes=(Attribute("print", ("g is", build.term(sample.g), "done")),)
    )
    read = build.terms.select(build.term(sample.m), [build.term(sample.g)])
    main = sample.main(
        build.block(
            "start",
            build.assign(generated, 1),
            build.assume(build.term(True)),
            printing,
            recorded,
            Assign((sample.x,), (build.add(read, 1),), build.span("x :=\n   m[g] + 1;")),
            build.claim(build.eq(sample.x, 0), sample.check),
        )
    )
    program = replace(sample.program(main, record), globals=(sample.g, sample.m, generated))
    events: list[Event] = [*FAILS, Choose({})]
    initial: dict[Variable, Value] = {sample.g: 2, sample.m: MapValue(0, {(2,): 8})}
    result = replay(program, sample.trace(events, initial))
    assert result.ok, result.why
    told = [(step.kind, step.text, step.values) for step in narrate(result, program)[1:]]
    assert told == [
        ("print", "assume ...;", (("g is", "2"), ("done", ""))),
        ("record", "call boogie_si_record_bv32(...);", (("flags", "5bv32"),)),
        ("assign", "x := m[g] + 1;", (("x", "9"), ("m[2]", "8"))),
        ("fail", "assert ...;", (("x", "9"),)),
    ]


def test_checks_are_compared_by_identity(sample: Sample) -> None:
    program = branching(sample)
    twin = Check(sample.check.identifier, "assert", "this holds", sample.check.span)
    trace = replace(sample.trace(path(sample, 3, "then", "end"), {sample.g: 1}), check=twin)
    assert "fails first" in replay(program, trace).why
