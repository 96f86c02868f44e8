"""`python -m benchmarks.scaling` on small sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import scaling
from benchmarks.families import C
from benchmarks.scaling import Series, sizes_from


def test_sizes() -> None:
    assert sizes_from("3") == [3]
    assert sizes_from("2-4,10,3") == [2, 3, 4, 10]


def test_a_task_in_either_language(tmp_path: Path) -> None:
    series = Series("fig2-calls", buggy=True)
    boogie = series.write_task(2, 3, tmp_path / "boogie")
    c = series.write_task(2, 3, tmp_path / "c", C)
    assert [path.name for path in (*boogie.inputs, *c.inputs)] == [
        "fig2-calls-buggy-002.bpl",
        "fig2-calls-buggy-002.c",
    ]
    assert boogie.verdict is c.verdict is False
    assert c.options.error_spec == "call __VERIFIER_assert(0)"


def run(folder: Path, *arguments: str) -> int:
    limits = ("--timeout", "30", "--out", str(folder))
    return scaling.main(["--variant", "safe", *arguments, *limits])


def test_tables_and_plots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--engine", "dag", "--engine", "static", "--family", "fig2-calls", "--sizes", "1,3") == 0
    table = capsys.readouterr().out.splitlines()
    assert table[4] == "| n | dag: CPU s | dag: instances | static: CPU s | static: instances |"
    cells = [[cell.strip() for cell in line.split("|")] for line in table[6:]]
    assert [(row[1], row[3], row[5]) for row in cells] == [("1", "5", "6"), ("3", "11", "30")]
    assert (tmp_path / "scaling-fig2-calls.svg").is_file()


@pytest.mark.peer("cbmc")
def test_a_verifier_of_c_gets_programs_in_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--peer", "cbmc", "--family", "fig2", "--sizes", "2") == 0
    assert "| n | cbmc: CPU s |" in capsys.readouterr().out
    assert (tmp_path / "programs-c" / "fig2-002.c").is_file()
