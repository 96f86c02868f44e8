"""Records, tables and plots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from remuda.base.errors import FileError
from remuda.bench.plots import draw_plots, file_name, paired_seconds
from remuda.bench.records import Record, Results, read_records
from remuda.bench.tables import markdown_report, summarize, summary_rows, task_rows, text_report, text_table

FIRST = Record(
    task="suite/one.yml",
    suite="suite",
    config="lazy",
    signature="s",
    expected="true",
    verdict="proved",
    reason="",
    judgement="correct",
    bound=None,
    seconds=1.5,
    cpu_seconds=1.0,
    memory_mb=50.0,
    instances=10,
    solver_seconds=0.25,
    checking_seconds=0.125,
)
RECORDS = [
    FIRST,
    replace(FIRST, config="eager", judgement="timeout", verdict="unknown", reason="timeout", cpu_seconds=60.0),
    replace(FIRST, task="suite/two.yml", expected="false", judgement="wrong", cpu_seconds=3.0),
    replace(FIRST, task="suite/two.yml", expected="false", config="eager", judgement="correct", verdict="violated"),
    replace(FIRST, task="other/three.yml", suite="other", config="eager", judgement="skipped", verdict="skipped"),
]


def test_summary_counts_and_costs() -> None:
    summary = summarize(RECORDS)
    lazy = summary["configs"]["lazy"]
    assert (lazy["tasks"], lazy["correct"], lazy["wrong"], lazy["timeout"]) == (2, 1, 1, 0)
    assert (lazy["cpu_seconds"], lazy["median_cpu_seconds"], lazy["instances"]) == (4.0, 2.0, 20)
    assert (lazy["solver_share"], lazy["checking_share"]) == (0.125, 0.062)
    assert summary["configs"]["eager"]["skipped"] == 1
    assert [wrong["task"] for wrong in summary["wrong"]] == ["suite/two.yml"]


def test_columns_that_are_always_zero_are_left_out() -> None:
    assert "skipped" in summary_rows(RECORDS)[0]
    assert "skipped" not in summary_rows(RECORDS[:2])[0]


def test_one_row_per_task() -> None:
    assert task_rows(RECORDS) == [
        ["task", "expected", "lazy", "eager"],
        ["suite/one", "true", "correct 1.00", "timeout 60.00"],
        ["suite/two", "false", "WRONG 3.00", "correct 1.00"],
        ["other/three", "true", "-", "skipped"],
    ]


def test_text_tables_are_aligned() -> None:
    assert text_table([["a", "number"], ["long name", "1"]]) == "a          number\nlong name       1\n"


def test_reports_hold_every_part() -> None:
    for text in (markdown_report(RECORDS), text_report(RECORDS)):
        assert "WRONG" in text
        assert "other/three" in text
    assert "| suite | 2 | 1, 1 WRONG | 1 |" in markdown_report(RECORDS)


def test_nothing_run_is_no_error() -> None:
    skipped = [replace(FIRST, judgement="skipped", cpu_seconds=0.0, solver_seconds=None, instances=None)]
    assert summarize(skipped)["configs"]["lazy"]["median_cpu_seconds"] is None
    assert "skipped" in text_report(skipped)


def test_results_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "results.jsonl"
    results = Results(path, fresh=False)
    for record in RECORDS:
        results.add(record)
    assert Results(path, fresh=False).records == RECORDS
    assert Results(path, fresh=True).records == []
    assert not path.exists()


def test_a_line_cut_short_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    Results(path, fresh=False).add(FIRST)
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole + whole[:20], encoding="utf-8")
    assert read_records(path) == [FIRST]
    assert path.read_text(encoding="utf-8") == whole


@pytest.mark.parametrize("line", ["[1]\n", "nonsense\n", '{"task": "a"}\n'])
def test_a_file_that_is_no_results_file_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(FileError, match="--fresh"):
        read_records(path)


def test_pairs_for_the_scatter_plot() -> None:
    assert paired_seconds(RECORDS, "lazy", "eager", 60.0) == [("true", 1.0, 60.0), ("false", 60.0, 1.0)]


def test_file_names() -> None:
    assert file_name("--engine static/2") == "engine-static-2"
    assert file_name("--") == "config"


def test_plots_are_written_and_do_not_change(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    names = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        names = [path.name for path in draw_plots(RECORDS, 60.0, folder)]
    assert names == ["scatter-lazy-eager.svg", "scatter-lazy-eager.png", "cactus.svg", "cactus.png"]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
