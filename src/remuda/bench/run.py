"""Runs tools on tasks: each pair in its own process, several at a time. Every result is stored at once.

After an interruption, a benchmark continues: runs in the results file are not repeated.
"""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from glob import glob
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import FileError, Unsupported, UsageError
from remuda.base.reasons import TIMEOUT, Cause
from remuda.bench.classify import judge
from remuda.bench.records import Record, Results
from remuda.bench.tools import Answer, Execution, Plan, RunLimits, Skipped, Tool
from remuda.jobs.pool import Job, Pool
from remuda.tasks import Task, expected, load_task

if TYPE_CHECKING:
    from remuda.jobs.worker import Send, WorkerOutcome

LATE: Final = 1.0  # seconds beyond the limit for start-up and shutdown
OUTPUT_LIMIT: Final = 64_000_000


@final
@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark: tools, tasks and limits. The results file and temporary files of the tools are in the folder."""

    tasks: Sequence[Task]
    tools: Sequence[Tool]
    limits: RunLimits
    jobs: int
    folder: Path


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """One tool on one task."""

    task: Task
    tool: Tool

    @property
    def key(self) -> tuple[str, str]:
        return str(self.task.path), self.tool.name


def find_tasks(arguments: Iterable[str]) -> list[Task]:
    """The tasks that are given by files, by folders (with their subfolders), and by patterns such as
    `loops/*.yml`."""
    paths: dict[Path, None] = {}
    for argument in arguments:
        paths.update(dict.fromkeys(_expand(argument)))
    tasks = [load_task(path) for path in paths]
    if not tasks:
        raise UsageError("there are no task definitions (.yml) among the arguments")
    return tasks


def every_nth(tasks: Sequence[Task], step: int) -> list[Task]:
    """Every `step`-th task of each folder, beginning with the first."""
    seen: Counter[Path] = Counter()
    chosen = []
    for task in tasks:
        if seen[task.path.parent] % step == 0:
            chosen.append(task)
        seen[task.path.parent] += 1
    return chosen


def _expand(argument: str) -> list[Path]:
    path = Path(argument)
    if path.is_dir():
        return [file for file in sorted(path.rglob("*.yml")) if _is_task(file)]
    if path.exists():
        if path.suffix not in (".yml", ".yaml"):
            raise UsageError(f"{path}: a benchmark runs task definitions (.yml), not programs")
        return [path]
    names = sorted(glob(argument, recursive=True))  # noqa: PTH207 (a pattern may be absolute)
    matches = [Path(name) for name in names if name.endswith((".yml", ".yaml"))]
    if not matches:
        raise FileError(f"{argument}: no such file, and no task definition matches it")
    return matches


def _is_task(path: Path) -> bool:
    """Whether a YAML file is a task definition."""
    try:
        return "format_version" in path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def pairs_to_run(bench: Bench, results: Results) -> list[Pair]:
    """The pairs that have no record yet, task by task, so that tools are compared early and under like conditions."""
    done = results.done()
    signatures = {tool.name: tool.signature(bench.limits) for tool in bench.tools}
    return [
        Pair(task, tool)
        for task in bench.tasks
        for tool in bench.tools
        if (str(task.path), tool.name, signatures[tool.name]) not in done
    ]


def relevant_records(bench: Bench, results: Results) -> list[Record]:
    """The records of this benchmark, in its order; a results file may contain others."""
    done = results.done()
    keys = [(str(task.path), tool.name, tool.signature(bench.limits)) for tool in bench.tools for task in bench.tasks]
    return [done[key] for key in keys if key in done]


def run_bench(
    bench: Bench, results: Results, on_start: Callable[[int], None] | None = None
) -> Generator[Record, None, None]:
    """Run the pairs that have no record yet; each record is in the results file before it is yielded."""
    pairs = pairs_to_run(bench, results)
    if on_start is not None:
        on_start(len(pairs))
    plans: dict[tuple[str, str], tuple[Pair, Plan]] = {}
    with Pool[tuple[str, str], Execution](bench.jobs) as pool:
        for pair in pairs:
            plan = pair.tool.plan(pair.task, bench.limits, bench.folder)
            if isinstance(plan, Skipped):
                record = make_record(bench, pair, Answer(verdict="skipped", reason=plan.reason), None)
                results.add(record)
                yield record
                continue
            plans[pair.key] = (pair, plan)
            pool.submit(
                Job(
                    pair.key,
                    execute,
                    (plan,),
                    seconds=plan.limits.seconds,
                    memory_mb=plan.limits.memory_mb,
                )
            )
        for key, outcome in pool.results():
            pair, plan = plans[key]
            record = make_record(bench, pair, read_outcome(bench, pair, plan, outcome), outcome)
            results.add(record)
            yield record


def execute(send: Send, plan: Plan) -> Execution:  # noqa: ARG001
    """Run a plan's command. This function runs in a worker, which enforces the limits."""
    if plan.prepare is not None:
        plan.prepare()
    own = time.process_time()
    before = _children_seconds()
    started = time.monotonic()
    ended = subprocess.run(plan.command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return Execution(
        exit_code=ended.returncode,
        output=ended.stdout[-OUTPUT_LIMIT:].decode("utf-8", "replace"),
        errors=ended.stderr[:100_000].decode("utf-8", "replace"),
        seconds=time.monotonic() - started,
        cpu_seconds=_children_seconds() - before,
        own_cpu_seconds=own,
    )


def _children_seconds() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read_outcome(bench: Bench, pair: Pair, plan: Plan, outcome: WorkerOutcome[Execution]) -> Answer:
    """A tool's answer; `unknown` or `error` with a reason if it has none."""
    if isinstance(outcome.error, Unsupported):
        return Answer(verdict="unknown", reason=str(outcome.error))
    if outcome.error is not None:
        return Answer(verdict="error", reason=str(outcome.error))
    if outcome.ended_by(Cause.TIME, Cause.MEMORY):
        return Answer(verdict="unknown", reason=str(outcome.stopped))
    if outcome.result is None:
        return Answer(verdict="error", reason=str(outcome.stopped))
    if outcome.result.seconds > bench.limits.seconds + LATE:
        return Answer(verdict="unknown", reason=str(TIMEOUT))
    return _with_bound(pair.tool.read(outcome.result), plan.bound)


def _with_bound(answer: Answer, bound: int | None) -> Answer:
    return answer if answer.bound is not None else replace(answer, bound=bound)


def make_record(bench: Bench, pair: Pair, answer: Answer, outcome: WorkerOutcome[Execution] | None) -> Record:
    task = pair.task
    return Record(
        task=str(task.path),
        suite=task.path.absolute().parent.name,
        config=pair.tool.name,
        signature=pair.tool.signature(bench.limits),
        expected=expected(task),
        verdict=answer.verdict,
        reason=answer.reason,
        judgement=judge(task, answer.verdict, answer.bound, answer.reason).value,
        bound=answer.bound,
        seconds=round(_wall_seconds(outcome), 3),
        cpu_seconds=round(_cpu_seconds(outcome), 3),
        memory_mb=round(outcome.memory_mb, 1) if outcome else 0.0,
        instances=answer.instances,
        tree_instances=answer.tree_instances,
        solver_calls=answer.solver_calls,
        solver_seconds=answer.solver_seconds,
        checking_seconds=answer.checking_seconds,
        confirmed=answer.confirmed,
    )


def _wall_seconds(outcome: WorkerOutcome[Execution] | None) -> float:
    if outcome is None:
        return 0.0
    return outcome.result.seconds if outcome.result else outcome.seconds


def _cpu_seconds(outcome: WorkerOutcome[Execution] | None) -> float:
    """The processor time of a run: the larger one of the system's account and of the worker's measurements, because
    the account lacks processes that a tool kills without waiting for them."""
    if outcome is None:
        return 0.0
    if outcome.result is None:
        return outcome.cpu_seconds
    return max(outcome.result.cpu_seconds, outcome.cpu_seconds - outcome.result.own_cpu_seconds)
