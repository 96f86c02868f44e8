"""Configurations, and reading the answers of Remuda and its peers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from remuda.base.errors import UsageError
from remuda.bench.peers import Boogie, Cbmc, find_peer, mark_entries
from remuda.bench.tools import Execution, Plan, Remuda, RunLimits, Skipped, given_bound, parse_config
from remuda.tasks import Task, TaskOptions

LIMITS = RunLimits(60, 1000)


def ended(output: str = "", errors: str = "", exit_code: int = 0) -> Execution:
    return Execution(exit_code, output, errors, 1.0, 1.0, 0.0)


def make_task(file: str, **options: str | int | bool) -> Task:
    return Task(
        name="task",
        path=Path("suite/task.yml"),
        inputs=(Path(file),),
        property_name="unreach-call",
        verdict=True,
        options=TaskOptions(**options),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("", "default", ()),
        ("default=", "default", ()),
        ("--engine static", "engine static", ("--engine", "static")),
        ("--engine=static", "engine=static", ("--engine=static",)),
        ("small=--engine static --bound 2", "small", ("--engine", "static", "--bound", "2")),
        ("x=--entry 'a b'", "x", ("--entry", "a b")),
    ],
)
def test_configurations(text: str, name: str, arguments: tuple[str, ...]) -> None:
    assert parse_config(text) == Remuda(name, arguments)


@pytest.mark.parametrize("text", ["static", "static engine", "x=--entry 'a"])
def test_bad_configurations(text: str) -> None:
    with pytest.raises(UsageError, match="--config"):
        parse_config(text)


@pytest.mark.parametrize(
    ("arguments", "bound"),
    [
        ((), None),
        (("--bound", "3"), 3),
        (("--bound=3",), 3),
        (("--bound", "3", "--bound=5"), 5),
        (("--bound",), None),
        (("--bound-for", "f=3"), None),
    ],
)
def test_the_bound_a_configuration_sets(arguments: tuple[str, ...], bound: int | None) -> None:
    assert given_bound(arguments) == bound


def test_the_plan_of_a_configuration() -> None:
    plan = Remuda("x", ("--engine", "static")).plan(make_task("a.bpl", recursion_bound=7), LIMITS, Path())
    assert isinstance(plan, Plan)
    assert plan.bound == 7
    assert plan.limits.seconds > LIMITS.seconds  # Remuda enforces its own limit, and reports its results
    assert "--timeout=60" in plan.command
    assert plan.command[-2:] == ("--engine", "static")


def test_reading_a_report() -> None:
    report = {
        "verdict": "unknown",
        "incomplete": "timeout",
        "bound": 3,
        "assertions": [
            {"verdict": "violated", "reason": None, "confirmed": ["replayed", "machine", "compiled"]},
            {"verdict": "proved", "reason": None, "confirmed": []},
            {"verdict": "violated", "reason": None, "confirmed": ["replayed", "compiled"]},
        ],
        "stats": {
            "instances": 5,
            "tree_instances": 9,
            "solver_calls": 2,
            "solver_seconds": 0.5,
            "replay_seconds": 0.25,
            "challenge_seconds": 0.5,
        },
    }
    answer = Remuda("x", ()).read(ended(json.dumps(report), exit_code=5))
    assert (answer.verdict, answer.reason, answer.bound) == ("unknown", "timeout", 3)
    assert (answer.instances, answer.tree_instances, answer.solver_calls) == (5, 9, 2)
    assert (answer.solver_seconds, answer.checking_seconds) == (0.5, 0.75)
    assert answer.confirmed == "replayed, compiled"


def test_the_reason_of_unknown_is_that_of_an_assertion() -> None:
    results = [{"verdict": "proved", "reason": None}, {"verdict": "unknown", "reason": "quantifiers"}]
    answer = Remuda("x", ()).read(ended(json.dumps({"verdict": "unknown", "assertions": results})))
    assert answer.reason == "quantifiers"


@pytest.mark.parametrize(
    ("execution", "verdict", "reason"),
    [
        (ended(errors="a.bpl:1:1: error: what?\n", exit_code=2), "error", "input error: a.bpl:1:1: error: what?"),
        (ended(errors="yield is not supported", exit_code=5), "unknown", "yield is not supported"),
        (ended(output="{ broken", exit_code=6), "error", "internal error: { broken"),
        (ended(exit_code=-9), "error", "exit code -9: no output"),
    ],
)
def test_runs_without_a_report(execution: Execution, verdict: str, reason: str) -> None:
    answer = Remuda("x", ()).read(execution)
    assert (answer.verdict, answer.reason) == (verdict, reason)


NOISE = "Boogie program verifier version 2.4.1\nProver error: line 18 column 28: unknown parameter\n"


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        (
            "(0,0): Error BP5001: This assertion might not hold.\n\n... finished with 0 verified, 1 error\n",
            "violated",
        ),
        ("\nBoogie program verifier finished with 1 verified, 0 errors\n", "bounded"),
        ("Stratified Inlining: Reached recursion bound of 4\n\n... finished with 1 verified, 0 errors\n", "bounded"),
        ("a.bpl(2,54): Error BP5001: no.\n\n... finished with 0 verified, 1 error\n", "unknown"),
        ("(0,0): Timed out on BP5001\n\n... finished with 0 verified, 0 errors, 1 time out\n", "unknown"),
        ("... finished with 0 verified, 0 errors\n", "error"),
        ("a.bpl(1,34): Error: undeclared identifier: x\n1 name resolution errors detected\n", "error"),
        ("", "error"),
    ],
)
def test_reading_boogie(output: str, verdict: str) -> None:
    assert Boogie("boogie").read(ended(NOISE + output)).verdict == verdict


def test_boogie_checks_whether_the_end_is_reached() -> None:
    task = make_task("a.bpl", error_spec="end of the entry procedure is reached", recursion_bound=3)
    plan = Boogie("boogie").plan(task, LIMITS, Path())
    assert isinstance(plan, Plan)
    assert plan.prepare is None
    assert plan.command == (
        "boogie",
        "/stratifiedInline:1",
        "/extractLoops",
        "/removeEmptyBlocks:0",
        "/recursionBound:3",
        "a.bpl",
    )


def test_boogie_gets_assertions_rewritten() -> None:
    plan = Boogie("boogie").plan(make_task("a.bpl"), LIMITS, Path("folder"))
    assert isinstance(plan, Plan)
    assert plan.prepare is not None
    assert plan.command[-1] == str(Path("folder/suite-task.bpl"))


def test_entries_are_marked_where_boogie_expects_them() -> None:
    text = "procedure {:a 1} {:entrypoint} main$();\nprocedure {:a 1} f();\n"
    text += "implementation main$()\n{\n}\nimplementation f()\n{\n}\n"
    marked = mark_entries(text)
    assert "implementation {:entrypoint} main$()" in marked
    assert "implementation f()" in marked


def test_boogie_skips_tasks_that_it_does_not_support() -> None:
    assert isinstance(Boogie("boogie").plan(make_task("a.c"), LIMITS, Path()), Skipped)
    assert isinstance(Boogie("boogie").plan(make_task("a.bpl", concurrency=True), LIMITS, Path()), Skipped)
    assert isinstance(Boogie("boogie").plan(make_task("a.bpl", stack_depth_bound=9), LIMITS, Path()), Skipped)


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("a.bpl(1,34): Error: undeclared identifier: x\n", "a.bpl(1,34): Error: undeclared identifier: x"),
        (
            "[ERROR] FATAL UNHANDLED EXCEPTION: System.Oops\n at Some.Place\n",
            "[ERROR] FATAL UNHANDLED EXCEPTION: System.Oops",
        ),
    ],
)
def test_the_complaint_of_boogie_is_reported(output: str, reason: str) -> None:
    assert Boogie("boogie").read(ended(NOISE + output)).reason == reason


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        ("** Results:\nVERIFICATION SUCCESSFUL\n", "proved"),
        ("[main.error_label.1] line 31 error label ERROR: FAILURE\nVERIFICATION FAILED\n", "violated"),
        ("[main.unwind.0] line 4 unwinding assertion loop 0: FAILURE\nVERIFICATION FAILED\n", "bounded"),
        ("[f.recursion] line 19 recursion unwinding assertion: FAILURE\nVERIFICATION FAILED\n", "bounded"),
        (
            (
                "[main.unwind.0] unwinding assertion loop 0: FAILURE\n"
                "[main.assertion.1] line 5 assertion: FAILURE\nVERIFICATION FAILED\n"
            ),
            "violated",
        ),
        ("PARSING ERROR\n", "error"),
    ],
)
def test_reading_cbmc(output: str, verdict: str) -> None:
    assert Cbmc("cbmc").read(ended(output)).verdict == verdict


def test_cbmc_checks_whether_a_label_is_reached() -> None:
    task = make_task("a.c", error_spec="label ERROR", data_model="LP64", recursion_bound=3)
    plan = Cbmc("cbmc").plan(task, LIMITS, Path())
    assert isinstance(plan, Plan)
    assert plan.command[1:] == ("--LP64", "--unwind", "3", "--unwinding-assertions", "--error-label", "ERROR", "a.c")


def test_cbmc_takes_flags_of_its_own() -> None:
    task = make_task("a.c", error_spec="label ERROR", data_model="ILP32", recursion_bound=3)
    given = ("--unwind", "10", "--slice-formula", "--no-unwinding-assertions")
    plan = Cbmc("cbmc", given).plan(task, LIMITS, Path())
    assert isinstance(plan, Plan)
    assert plan.command[1:] == ("--ILP32", *given, "--error-label", "ERROR", "a.c")
    assert plan.bound == 10
    assert Cbmc("cbmc", given).read(ended("VERIFICATION SUCCESSFUL")).verdict == "bounded"


def test_cbmc_gets_verifier_functions(tmp_path: Path) -> None:
    plan = Cbmc("cbmc").plan(make_task("a.i", error_spec="call __VERIFIER_assert(0)"), LIMITS, tmp_path)
    assert isinstance(plan, Plan)
    assert "__CPROVER_assert" in Path(plan.command[-2]).read_text(encoding="utf-8")


def test_cbmc_skips_tasks_that_it_does_not_support() -> None:
    for task in (
        make_task("a.bpl", error_spec="label ERROR"),
        make_task("a.c"),
        make_task("a.c", error_spec="label ERROR", data_model="LLP64"),
    ):
        assert isinstance(Cbmc("cbmc").plan(task, LIMITS, Path()), Skipped)


def test_peers_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UsageError, match="no program `cbmc`"):
        find_peer("cbmc")
    with pytest.raises(UsageError, match="known peers"):
        find_peer("oracle")
