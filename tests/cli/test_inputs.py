"""The programs and tasks that files on the command line stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from remuda.base.errors import UsageError
from remuda.cli.inputs import find_task
from remuda.cli.main import main

TASK: Final = """format_version: '2.0'
input_files: program.bpl
properties:
  - property_file: unreach-call.prp
options:
  entrypoint: Q
"""
PROGRAM: Final = """procedure P() { while (*) { } }
procedure Q() { assert true; }
"""


@pytest.fixture(name="task", params=["task.yml", "task.yaml", "TASK.YML"])
def write_task(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    (tmp_path / "program.bpl").write_text(PROGRAM, encoding="utf-8")
    file = tmp_path / request.param
    file.write_text(TASK, encoding="utf-8")
    return str(file)


def test_programs_are_read_as_they_are() -> None:
    assert find_task(["a.bpl", "b.bpl"]) is None


def test_a_task_names_its_files(task: str) -> None:
    found = find_task([task])
    assert found is not None
    assert found.inputs == (Path(task).parent / "program.bpl",)
    with pytest.raises(UsageError, match="give no other files"):
        find_task([task, "b.bpl"])


def test_tasks_can_be_shown(task: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "loops", task]) == 0
    assert "P/loop_head.1" in capsys.readouterr().out
    assert main(["show", "vc", task]) == 0
    shown = capsys.readouterr().out
    assert "procedure Q(" in shown
    assert "procedure P(" not in shown  # the task starts in Q
