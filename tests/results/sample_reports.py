"""Reports for tests: possible results of a run on a small queue."""

from __future__ import annotations

from remuda.base.reasons import NO_REASON, TIMEOUT, Reason
from remuda.results.report import AssertionResult, Assumption, Location, Report, Statistics, TraceStep, Verdict

FILE = "queue.bpl"


def at(line: int, column: int = 3) -> Location:
    return Location(FILE, line, column)


def result(
    name: str, line: int, verdict: Verdict, *, why: Reason = NO_REASON, bound: int | None = None
) -> AssertionResult:
    return AssertionResult(
        identifier=f"{FILE}:{name}:assert:1",
        kind="assert",
        description="size <= limit",
        location=at(line),
        verdict=verdict,
        why=why,
        bound=bound,
    )


def steps() -> tuple[TraceStep, ...]:
    return (
        TraceStep("start", 0, "main", at(20, 1), "", (("size", "3"), ("limit", "3"))),
        TraceStep("branch", 0, "main", at(21, 6), "size > 0", (("size", "3"),)),
        TraceStep("call", 0, "main", at(22), "call Log();"),
        TraceStep("return", 0, "main", at(22), "call Log();"),
        TraceStep("call", 0, "main", at(22), "call done := Push(7);"),
        TraceStep("return", 0, "main", at(22), "call done := Push(7);", (("done", "true"),)),
        TraceStep("call", 0, "main", at(22), "call Push(7);"),
        TraceStep("print", 1, "Push", at(11), 'assume {:print "hello"} true;', (("hello", ""),)),
        TraceStep("assign", 1, "Push", at(12), "size := size + 1;", (("size", "4"),)),
        TraceStep("havoc", 1, "Push", Location("prelude.bpl", 2, 1), "havoc m;", (("m[3]", "true"),)),
        TraceStep("fail", 1, "Push", at(14), "assert size <= limit;", (("size", "4"), ("limit", "3"))),
    )


def mixed_report() -> Report:
    """One assertion of every verdict."""
    violated = AssertionResult(
        identifier=f"{FILE}:Push:assert:1",
        kind="assert",
        description="size <= limit",
        location=at(14),
        verdict=Verdict.VIOLATED,
        trace=steps(),
        assumed=("`Log` has no body: it may do anything its contract allows",),
    )
    return Report(
        file=FILE,
        assertions=[
            violated,
            result("Pop", 30, Verdict.PROVED),
            result("Peek", 40, Verdict.BOUNDED, bound=4),
            result("Grow", 9, Verdict.UNREACHABLE),
            result("Shrink", 50, Verdict.UNKNOWN, why=TIMEOUT),
        ],
        assumed=[Assumption("axiom", f"{FILE}:1:1", f"axiom at {FILE}:1:1: axiom limit > 0;")],
        bound=4,
        engine="stratified",
        solver="z3",
        entries=("main",),
        statistics=Statistics(instances=5, tree_instances=9, solver_calls=7, solver_seconds=0.25, seconds=0.3),
    )
