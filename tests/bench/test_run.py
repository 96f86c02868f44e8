"""Running benchmarks, with small scripts in the place of verifiers."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from remuda.base.errors import FileError, Unsupported, UsageError
from remuda.bench.records import Record, Results
from remuda.bench.run import Bench, find_tasks, pairs_to_run, relevant_records, run_bench
from remuda.bench.tools import Answer, Execution, Plan, RunLimits, Skipped

if TYPE_CHECKING:
    from remuda.tasks import Task

TASK = "format_version: '2.0'\ninput_files: '{0}.bpl'\nproperties:\n  - property_file: unreach-call.prp\n"


@dataclass(frozen=True)
class Script:
    """A tool that runs a Python script and takes its output as the verdict."""

    text: str
    name: str = "script"
    skip: bool = False
    unsupported: bool = False

    def signature(self, limits: RunLimits) -> str:
        return f"{self.text} {limits}"

    def plan(self, task: Task, limits: RunLimits, folder: Path) -> Plan | Skipped:
        if self.skip:
            return Skipped("not this one")

        def refuse() -> None:
            raise Unsupported(None, f"{task.name} in {folder.name}")

        return Plan((sys.executable, "-c", self.text), limits, 4, refuse if self.unsupported else None)

    def read(self, execution: Execution) -> Answer:
        return Answer(verdict=execution.output.strip() or "error", reason=execution.errors.strip())


def write_tasks(folder: Path, **verdicts: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, verdict in verdicts.items():
        (folder / f"{name}.bpl").write_text("", encoding="utf-8")
        text = TASK.format(name) + f"    expected_verdict: {str(verdict).lower()}\n"
        (folder / f"{name}.yml").write_text(text, encoding="utf-8")


def run(folder: Path, *tools: Script, seconds: float = 60.0, memory: int = 2000) -> list[Record]:
    bench = Bench(find_tasks([str(folder)]), tools, RunLimits(seconds, memory), 2, folder)
    return list(run_bench(bench, Results(folder / "results.jsonl", fresh=False)))


def test_tasks_from_files_folders_and_patterns(tmp_path: Path) -> None:
    write_tasks(tmp_path / "suite", b=True, a=False)
    (tmp_path / "suite" / "other.yml").write_text("on: push\n", encoding="utf-8")
    assert [task.name for task in find_tasks([str(tmp_path)])] == ["a", "b"]
    assert [task.name for task in find_tasks([str(tmp_path / "suite" / "b.yml"), str(tmp_path)])] == ["b", "a"]
    assert [task.name for task in find_tasks([str(tmp_path / "*" / "a*.yml")])] == ["a"]


def test_tasks_that_are_not_there(tmp_path: Path) -> None:
    write_tasks(tmp_path, a=True)
    with pytest.raises(FileError, match="no such file"):
        find_tasks([str(tmp_path / "none*")])
    with pytest.raises(UsageError, match="not programs"):
        find_tasks([str(tmp_path / "a.bpl")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no task definitions"):
        find_tasks([str(tmp_path / "empty")])


def test_answers_are_judged_and_costs_recorded(tmp_path: Path) -> None:
    write_tasks(tmp_path, good=True, bad=False)
    records = {Path(record.task).stem: record for record in run(tmp_path, Script("print('proved')"))}
    assert records["good"].judgement == "correct"
    assert records["bad"].judgement == "wrong"
    assert records["good"].cpu_seconds > 0
    assert records["good"].memory_mb > 1
    assert records["good"].bound == 4


@pytest.mark.parametrize(
    ("script", "verdict", "judgement"),
    [
        (Script("import time; time.sleep(1000)"), "unknown", "timeout"),
        (Script("x = bytearray(1000)\nwhile True: x = x + x"), "unknown", "memory"),
        (Script("import os; os.abort()"), "error", "error"),
        (Script("", skip=True), "skipped", "skipped"),
        (Script("", unsupported=True), "unknown", "unknown"),
    ],
)
def test_runs_without_an_answer(tmp_path: Path, script: Script, verdict: str, judgement: str) -> None:
    write_tasks(tmp_path, a=True)
    limit = 1.0 if "sleep" in script.text else 60.0
    memory = 2000 if "sleep" in script.text else 300  # a process is as large as the one that starts it, for a moment
    [record] = run(tmp_path, script, seconds=limit, memory=memory)
    assert (record.verdict, record.judgement) == (verdict, judgement)


def test_finished_runs_are_not_repeated(tmp_path: Path) -> None:
    write_tasks(tmp_path, a=True, b=True)
    script = Script("print('proved')")
    assert len(run(tmp_path, script)) == 2
    assert run(tmp_path, script) == []
    assert len(run(tmp_path, script, Script("print('bounded')", "another"))) == 2
    assert len(run(tmp_path, Script("print('bounded')"))) == 2  # the same name, but another command
    assert len(run(tmp_path, script, seconds=50.0)) == 2


def test_an_abandoned_benchmark_goes_on(tmp_path: Path) -> None:
    write_tasks(tmp_path, a=True, b=True, c=True)
    bench = Bench(find_tasks([str(tmp_path)]), [Script("print('proved')")], RunLimits(60, 2000), 1, tmp_path)
    running = run_bench(bench, Results(tmp_path / "results.jsonl", fresh=False))
    next(running)
    running.close()
    results = Results(tmp_path / "results.jsonl", fresh=False)
    assert len(results.records) == 1
    assert len(pairs_to_run(bench, results)) == 2
    assert len(list(run_bench(bench, results))) == 2
    assert [Path(record.task).stem for record in relevant_records(bench, results)] == ["a", "b", "c"]


def test_records_are_one_json_object_per_line(tmp_path: Path) -> None:
    write_tasks(tmp_path, a=True)
    run(tmp_path, Script("print('proved')"))
    [line] = (tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["judgement"] == "correct"
