"""`python -m benchmarks.compression` on small tasks."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks import compression
from benchmarks.families import dag_fig2
from benchmarks.scaling import Series
from remuda.export.compression import Compression, Size

RECURSIVE = """
procedure main() { call down(); }
procedure down() { if (*) { call down(); call down(); call down(); } assert true; }
"""


def test_table_and_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tasks = [Series("fig2", buggy=False).write_task(n, 2, tmp_path).path for n in (3, 5)]
    assert compression.main([*map(str, tasks), "--out", str(tmp_path / "out")]) == 0
    text = capsys.readouterr().out
    assert "| fig2-003 | 2 | 16 | 5 | 5 | 5 |" in text
    assert "| mean deviation from `optimal` |  |  |  | 0.0 % | 0.0 % |" in text
    assert "meets the lower bound, so that no DAG is smaller, for 2" in text
    with (tmp_path / "out" / "compression.csv").open(encoding="utf-8") as file:
        assert [row["tree"] for row in csv.DictReader(file)] == ["16", "64"]
    assert (tmp_path / "out" / "compression.svg").is_file()


def test_a_smaller_bound_is_tried(tmp_path: Path) -> None:
    task = Series("fig2", buggy=False).write_task(1, 5, tmp_path)
    task.inputs[0].write_text(RECURSIVE, encoding="utf-8")
    found = compression.measure(task, nodes=50, seconds=10)
    assert found is not None
    assert (found.bound, found.tree) == (4, 41)


def test_nothing_fits(tmp_path: Path) -> None:
    task = Series("fig2", buggy=False).write_task(1, 2, tmp_path)
    task.inputs[0].write_text(dag_fig2(4, buggy=False), encoding="utf-8")
    assert compression.measure(task, nodes=3, seconds=10) is None  # not even the stacks
    task.inputs[0].write_text(RECURSIVE, encoding="utf-8")
    found = compression.measure(task, nodes=2, seconds=10)
    assert found is not None
    assert found.sizes["first"].instances == 2


def test_deviation_counts_what_finished() -> None:
    sizes = {"optimal": Size(100, 0.1), "first": Size(110, 0.1), "random": Size(None, 9.0, "out of time")}
    found = Compression("main", 1, 1000, 100, sizes)
    assert found.above_optimal("first") == pytest.approx(0.1)
    assert found.above_optimal("random") is None
