"""The tools that a benchmark runs: Remuda in its configurations, and other verifiers.

A tool makes a plan for a task (a command to run), and reads the answer from the output of the command.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, final

from remuda import __version__
from remuda.base.errors import UsageError
from remuda.options import Options
from remuda.tasks import Task, task_options

FAILURES: Final = {1: "usage error", 2: "input error", 6: "internal error"}


@final
@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one run may use. `memory_mb` is for the whole family of processes, `processes` for how many of them run at a time."""

    seconds: float
    memory_mb: int
    processes: int = 1


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """A command, and the limits that the worker enforces. `prepare` runs before it, and does not count as the tool's
    time."""

    command: tuple[str, ...]
    limits: RunLimits
    bound: int | None
    prepare: Callable[[], None] | None = None


@final
@dataclass(frozen=True, slots=True)
class Skipped:
    """The reason why a tool does not support a task."""

    reason: str


@final
@dataclass(frozen=True, slots=True)
class Execution:
    """A command that has ended by itself. `own_cpu_seconds` is the time of its preparation."""

    exit_code: int
    output: str
    errors: str
    seconds: float
    cpu_seconds: float
    own_cpu_seconds: float


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A tool's verdict, under Remuda's names, with the statistics that it reports."""

    verdict: str
    reason: str = ""
    bound: int | None = None
    instances: int | None = None
    tree_instances: int | None = None
    solver_calls: int | None = None
    solver_seconds: float | None = None
    checking_seconds: float | None = None  # replays of violations, and challenges of proofs
    confirmed: str = ""  # the ways in which all violations were confirmed


class Tool(Protocol):
    """A verifier that answers tasks."""

    @property
    def name(self) -> str: ...

    def signature(self, limits: RunLimits) -> str:
        """All that determines the tool's answers except for the task, as text."""
        ...

    def plan(self, task: Task, limits: RunLimits, folder: Path) -> Plan | Skipped:
        """The plan for a task; temporary files go into the folder."""
        ...

    def read(self, execution: Execution) -> Answer: ...


@final
@dataclass(frozen=True, slots=True)
class Remuda:
    """`remuda verify` with some flags, in its own process, so that its start-up is measured too."""

    name: str
    arguments: tuple[str, ...]

    def signature(self, limits: RunLimits) -> str:
        told = f"remuda {__version__} {shlex.join(self.arguments)} | {limits.seconds:g} s, {limits.memory_mb} MB"
        return told if limits.processes == 1 else f"{told}, {limits.processes} processes"

    def plan(self, task: Task, limits: RunLimits, folder: Path) -> Plan | Skipped:  # noqa: ARG002
        command = (
            sys.executable,
            "-m",
            "remuda",
            "verify",
            str(task.path),
            "--json",
            "-",
            f"--timeout={limits.seconds:g}",
            f"--memory={limits.memory_mb}",
            f"--jobs={limits.processes}",
            *self.arguments,
        )
        # Remuda enforces its limits itself, and reports its results then; the worker's limits are a safeguard.
        outer = RunLimits(limits.seconds + 3, limits.memory_mb + limits.memory_mb // 10 + 200)
        return Plan(command, outer, given_bound(self.arguments) or task_options(task, Options()).bound)

    def read(self, execution: Execution) -> Answer:
        start = execution.output.find("{")
        try:
            report: dict[str, Any] = json.loads(execution.output[start:]) if start >= 0 else {}
        except ValueError:
            report = {}
        if "verdict" in report:
            return read_report(report)
        failure = FAILURES.get(execution.exit_code)
        reason = last_words(execution)
        if failure is None and execution.exit_code == 5:
            return Answer(verdict="unknown", reason=reason)
        return Answer(verdict="error", reason=f"{failure or f'exit code {execution.exit_code}'}: {reason}")


def given_bound(arguments: tuple[str, ...]) -> int | None:
    """The bound that flags of `remuda verify` set, or None."""
    found = None
    for index, argument in enumerate(arguments):
        flag, equals, value = argument.partition("=")
        if flag == "--bound" and not equals:
            value = arguments[index + 1] if index + 1 < len(arguments) else ""
        if flag == "--bound" and value.isdecimal():
            found = int(value)
    return found


def read_report(report: dict[str, Any]) -> Answer:
    """The answer in Remuda's JSON report."""
    costs = report.get("stats", {})
    return Answer(
        verdict=report["verdict"],
        reason=report.get("incomplete") or _first_reason(report),
        bound=_searched(report),
        instances=costs.get("instances"),
        tree_instances=costs.get("tree_instances"),
        solver_calls=costs.get("solver_calls"),
        solver_seconds=costs.get("solver_seconds"),
        checking_seconds=costs.get("replay_seconds", 0.0) + costs.get("challenge_seconds", 0.0),
        confirmed=_confirmed(report),
    )


def _confirmed(report: dict[str, Any]) -> str:
    violated = [each for each in report.get("assertions", ()) if each["verdict"] == "violated"]
    first = violated[0].get("confirmed", ()) if violated else ()
    return ", ".join(way for way in first if all(way in each["confirmed"] for each in violated))


def _searched(report: dict[str, Any]) -> int | None:
    """The bound that a verdict is about: less than was asked for, if the time ran out; more, if there was time."""
    bound: int | None = report.get("bound")
    if report["verdict"] != "bounded":
        return bound
    return min((each["bound"] for each in report.get("assertions", ()) if each["bound"] is not None), default=bound)


def _first_reason(report: dict[str, Any]) -> str:
    if report["verdict"] != "unknown":
        return ""
    reasons = [result.get("reason") for result in report.get("assertions", ()) if result["verdict"] == "unknown"]
    return next((reason for reason in reasons if reason), "")


def last_words(execution: Execution) -> str:
    """The first error message of a tool, or else the last line of its output."""
    complaints = execution.errors.strip().splitlines()
    if complaints:
        return complaints[0][:300]
    written = execution.output.strip().splitlines()
    return written[-1][:300] if written else "no output"


def parse_config(text: str) -> Remuda:
    """The configuration in a text, such as `--engine static --bound 2`, or with a name `small=--engine static`.

    Without a name, the flags themselves are the name.
    """
    name, equals, flags = text.partition("=")
    named = bool(equals) and not name.lstrip().startswith("-") and " " not in name.strip()
    if named:
        name, text = name.strip(), flags
    try:
        arguments = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"--config {text!r}: {error}") from error
    if not named and arguments and not arguments[0].startswith("-"):
        raise UsageError(f"--config {text!r}: expected flags of `remuda verify`, or NAME=FLAGS")
    return Remuda(name if named else " ".join(arguments).replace("--", "") or "default", arguments)
