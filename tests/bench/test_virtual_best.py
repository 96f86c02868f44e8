"""The default against the best of the single configurations, task by task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from remuda.bench.records import Record
from remuda.bench.run import every_nth, find_tasks
from remuda.bench.tools import parse_config
from remuda.bench.virtual_best import (
    DEFAULT,
    SINGLES,
    compare,
    contradictions,
    markdown,
    sentences,
    solved_rows,
    task_rows,
)
from remuda.cli.bench import make_configuration

if TYPE_CHECKING:
    from pathlib import Path

QUICK = Record(
    task="suite/one.yml",
    suite="suite",
    config=DEFAULT,
    signature="s",
    expected="true",
    verdict="proved",
    reason="",
    judgement="correct",
    bound=None,
    seconds=1.0,
    cpu_seconds=1.0,
    memory_mb=50.0,
)
TWO = replace(QUICK, task="suite/two.yml")
RECORDS = [
    QUICK,
    replace(QUICK, config="dag", seconds=0.5),
    replace(QUICK, config="lifted", seconds=0.1, judgement="bounded", verdict="bounded"),
    replace(TWO, judgement="timeout", verdict="unknown", seconds=20.0),
    replace(TWO, config="dag", judgement="timeout", verdict="unknown", seconds=20.0),
    replace(TWO, config="lifted", judgement="bounded", verdict="bounded", seconds=0.25),
]


def test_a_proof_is_better_than_a_bound_however_long_it_takes() -> None:
    first, second = compare(RECORDS)
    assert (first.best.config, first.ratio, first.is_lost, first.is_near) == ("dag", 2.0, False, True)
    assert (second.best.config, second.is_lost, second.is_near) == ("lifted", True, False)


def test_a_larger_bound_is_better_and_takes_longer() -> None:
    far = replace(QUICK, judgement="bounded", verdict="bounded", bound=32, seconds=9.0)
    near = replace(far, config="dag", bound=8, seconds=0.1)
    (found,) = compare([far, near])
    assert not found.is_lost
    assert sentences([far, near])[1:] == ["it says more than any other on 1 tasks", "contradictions: 0"]
    (found,) = compare([replace(near, config=DEFAULT), replace(far, config="dag")])
    assert found.is_lost


def test_tables() -> None:
    assert solved_rows(RECORDS)[1:] == [
        [DEFAULT, "2", "1", "1", "21"],
        ["dag", "2", "1", "1", "20"],
        ["lifted", "2", "2", "0", "0"],
        ["all but the default together", "2", "2", "1", "-"],
    ]
    assert [row[:3] for row in task_rows(compare(RECORDS))[1:]] == [
        ["suite/two", "lifted", "bounded"],
        ["suite/one", "dag", "correct"],
    ]
    assert sentences(RECORDS) == [
        "the default loses 1 of 2 tasks that another configuration solves, or solves better",
        "it says more than any other on 0 tasks",
        "wall time on the 1 tasks with equal answers: 2.00 times the best in the median",
        "at most 3 times and 1 s more on 100 % of them",
        "contradictions: 0",
    ]
    assert "| suite/two | lifted |" in markdown(RECORDS)


def test_contradictions_are_named() -> None:
    wrong = replace(QUICK, config="static", verdict="violated", judgement="wrong")
    assert contradictions([*RECORDS, wrong]) == ["suite/one.yml: proved by dag, violated by static"]


def test_the_single_configurations_are_flags_of_verify() -> None:
    names = [make_configuration(text).name for text in SINGLES]
    assert len(set(names)) == len(names)
    assert parse_config(SINGLES[3]).arguments == ("--lift",)


def test_every_nth_task_of_each_folder(tmp_path: Path) -> None:
    for folder, count in (("a", 5), ("b", 2)):
        (tmp_path / folder).mkdir()
        for number in range(count):
            text = f"format_version: '2.0'\ninput_files: 'p{number}.bpl'\nproperties: [{{property_file: unreach-call.prp}}]\n"
            (tmp_path / folder / f"t{number}.yml").write_text(text)
            (tmp_path / folder / f"p{number}.bpl").write_text("procedure main() {}")
    chosen = every_nth(find_tasks([str(tmp_path)]), 2)
    assert [f"{task.path.parent.name}/{task.path.stem}" for task in chosen] == ["a/t0", "a/t2", "a/t4", "b/t0"]
