"""`remuda show inlining`: sizes of tree and DAGs, and the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from benchmarks.families import dag_fig2
from remuda.cli.main import main
from remuda.options import MERGES

SEQUENCE: Final = """
procedure main() { call twice(); call twice(); }
procedure twice() { call leaf(); call leaf(); }
procedure leaf() { assert true; }
"""
DIAMOND: Final = """
procedure main(b: bool) { if (b) { call leaf(); } else { call leaf(); } }
procedure leaf() { assert true; }
"""
GUARDED: Final = """
procedure main(x: int) { if (x == 0) { call leaf(); } if (x == 1) { call leaf(); } if (x > 1) { call leaf(); } }
procedure leaf() { assert true; }
"""
TASK: Final = """\
format_version: '2.0'
input_files: 'program.bpl'
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
options:
  language: Boogie
  entrypoint: twice
  recursion_bound: 5
"""
DIAMOND_DOT: Final = """\
digraph instances {
  node [shape=box, fontname=monospace];
  n0 [label="main"];
  n1 [label="leaf\\n2 contexts", style=filled, fillcolor=lightblue];
  n0 -> n1 [label="2 calls"];
}
"""


@pytest.fixture(name="folder")
def folder_without_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def show(folder: Path, text: str, *flags: str) -> int:
    (folder / "program.bpl").write_text(text, encoding="utf-8")
    return main(["show", "inlining", *flags, "program.bpl"])


def sizes(text: str) -> dict[str, str]:
    """The first number of each line by the name before it."""
    lines = [line.split("  ") for line in text.splitlines()]
    cells = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    return {name: rest[0] for name, *rest in cells}


def test_sizes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show(folder, dag_fig2(8, buggy=False), "--bound", "2") == 0
    text = capsys.readouterr().out
    found = sizes(text)
    assert text.startswith("main, bound 2")
    assert found["tree, nothing shared"] == "512"
    assert found["lower bound of any DAG"] == found["optimal"] == found["first"] == "10"
    assert [name for name in MERGES if name not in found] == ["none"]
    assert float(found["random"]) >= 10


def test_instances_that_cannot_be_shared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show(folder, SEQUENCE) == 0
    text = capsys.readouterr().out
    assert sizes(text)["optimal"] == "7"
    assert text.count("as small as can be") == 5


def test_contradicting_assumptions_let_calls_share(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for disjoint, size in (("control", "4"), ("data", "2")):
        assert show(folder, GUARDED, "--disjoint", disjoint) == 0
        found = sizes(capsys.readouterr().out)
        assert found["tree, nothing shared"] == "4"
        assert found["lower bound of any DAG"] == found["optimal"] == found["first"] == size


def test_every_entry_has_a_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show(folder, SEQUENCE, "--entry", "twice", "--entry", "leaf") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in lines if "bound 8" in line] == ["twice", "leaf"]


def test_a_task_says_entry_and_bound(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "program.bpl").write_text(SEQUENCE, encoding="utf-8")
    (folder / "task.yml").write_text(TASK, encoding="utf-8")
    assert main(["show", "inlining", "task.yml"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("twice, bound 5")
    assert sizes(text)["tree, nothing shared"] == "3"


def test_too_large_to_unfold(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chain = "\n".join(f"procedure p{index}() {{ call p{index + 1}(); call p{index + 1}(); }}" for index in range(40))
    assert show(folder, f"{chain}\nprocedure p40() {{ assert true; }}", "--entry", "p0") == 0
    text = capsys.readouterr().out
    assert sizes(text)["tree, nothing shared"] == str(2**41 - 1)
    assert text.count("more than 50000 instances") == 5


def test_the_graph_shows_what_is_shared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show(folder, DIAMOND, "--dot") == 0
    assert capsys.readouterr().out == DIAMOND_DOT


def test_the_graph_is_that_of_the_strategy(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for merge, boxes in (("none", 3), ("first", 2), ("optimal", 2)):
        assert show(folder, DIAMOND, "--dot", "--merge", merge) == 0
        assert capsys.readouterr().out.count('[label="leaf') == boxes - 1


def test_too_large_to_draw(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show(folder, dag_fig2(10, buggy=False), "--dot", "--merge", "none") == 1
    assert "too large to draw: more than 400 instances below main" in capsys.readouterr().err
    assert show(folder, dag_fig2(10, buggy=False), "--dot", "--merge", "first") == 0


def test_one_picture_at_a_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show(folder, DIAMOND, "--dot", "--svg") == 1
    assert "exclude each other" in capsys.readouterr().err
