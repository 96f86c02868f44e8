"""The command `remuda bench`, with the runs themselves replaced."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from remuda.base.errors import UsageError
from remuda.bench.tools import Plan, Remuda, RunLimits
from remuda.cli.bench import bench, make_tools

if TYPE_CHECKING:
    from remuda.tasks import Task

TASK = "format_version: '2.0'\ninput_files: '{0}.bpl'\nproperties:\n  - property_file: unreach-call.prp\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two tasks, and a `remuda` that answers with its last argument."""

    def plan(self: Remuda, task: Task, limits: RunLimits, folder: Path) -> Plan:  # noqa: ARG001
        report = json.dumps({"verdict": self.arguments[-1] if self.arguments else "bounded"})
        return Plan((sys.executable, "-c", f"print({report!r})"), limits, 4)

    monkeypatch.setattr(Remuda, "plan", plan)
    for name, verdict in (("good", "true"), ("bad", "false")):
        (tmp_path / f"{name}.bpl").write_text("", encoding="utf-8")
        text = TASK.format(name) + f"    expected_verdict: {verdict}\n"
        (tmp_path / f"{name}.yml").write_text(text, encoding="utf-8")
    return tmp_path


def invoke(folder: Path, *arguments: str) -> Result:
    out = str(folder / "out")
    return CliRunner().invoke(bench, [str(folder), "--out", out, *arguments], standalone_mode=False)


def test_tables_and_exit_code(folder: Path) -> None:
    result = invoke(folder, "--no-plots", "-v")
    assert result.return_value == 0
    assert "default" in result.output
    assert "/bad [default] bounded: missed" in result.stderr
    summary = json.loads((folder / "out" / "summary.json").read_text(encoding="utf-8"))
    assert summary["configs"]["default"]["bounded"] == 1
    assert summary["configs"]["default"]["missed"] == 1
    for name in ("table.md", "table.txt", "results.jsonl"):
        assert (folder / "out" / name).exists()


def test_wrong_answers_show_in_the_exit_code(folder: Path) -> None:
    result = invoke(folder, "--no-plots", "--config", "liar=--entry proved", "--config", "--entry bounded")
    assert result.return_value == 10
    assert "WRONG" in result.output


def test_plots(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    assert invoke(folder, "--config", "a=--entry proved", "--config", "b=--entry violated").return_value == 10
    assert {path.name for path in (folder / "out").glob("*.svg")} == {"cactus.svg", "scatter-a-b.svg"}


def test_resume_and_fresh(folder: Path) -> None:
    results = folder / "out" / "results.jsonl"
    for arguments, lines in (((), 2), ((), 2), (("--config", "x=--entry proved"), 4), (("--fresh",), 2)):
        invoke(folder, "--no-plots", *arguments)
        assert len(results.read_text(encoding="utf-8").splitlines()) == lines


def test_names_must_differ() -> None:
    with pytest.raises(UsageError, match="named `x`"):
        make_tools(["x=--entry proved", "x=--entry bounded"], [])
    assert [tool.name for tool in make_tools([], [])] == ["default"]


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        ("--fast", "No such option '--fast'"),
        ("a=--engine fast", "'fast' is not one of"),
        ("--bound 0", "0 is not in the range"),
        ("--help", "verify nothing"),
    ],
)
def test_wrong_flags_are_refused_before_anything_runs(flags: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        make_tools([flags], [])


@pytest.mark.parametrize("seconds", ["0", "nan", "inf"])
def test_the_time_limit_is_a_number(folder: Path, seconds: str) -> None:
    result = invoke(folder, "--timeout", seconds)
    assert "is not a number above 0" in str(result.exception)
