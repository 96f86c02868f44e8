"""Writes benchmark results as tables, in Markdown and plain text, and as a summary in JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from remuda.bench.classify import Judgement

if TYPE_CHECKING:
    from remuda.bench.records import Record

COLUMNS: Final = tuple(judgement.value for judgement in Judgement)
Rows = list[list[str]]


def config_names(records: Sequence[Record]) -> list[str]:
    """The configurations, in the order of their first record."""
    return list(dict.fromkeys(record.config for record in records))


def summarize(records: Sequence[Record]) -> dict[str, Any]:
    """The counts and costs of each configuration, and the list of wrong answers."""
    configs = {
        name: summarize_config([record for record in records if record.config == name])
        for name in config_names(records)
    }
    wrong = [
        {"task": record.task, "config": record.config, "verdict": record.verdict, "expected": record.expected}
        for record in records
        if record.judgement == Judgement.WRONG.value
    ]
    return {"configs": configs, "wrong": wrong}


def summarize_config(records: Sequence[Record]) -> dict[str, Any]:
    """The counts and costs of one configuration. Costs do not include skipped tasks."""
    ran = [record for record in records if record.judgement != Judgement.SKIPPED.value]
    cpu = sum(record.cpu_seconds for record in ran)
    return {
        "tasks": len(records),
        **{name: sum(record.judgement == name for record in records) for name in COLUMNS},
        "cpu_seconds": round(cpu, 2),
        "median_cpu_seconds": round(median([record.cpu_seconds for record in ran]), 3) if ran else None,
        "max_memory_mb": max((record.memory_mb for record in ran), default=0.0),
        "instances": sum(record.instances or 0 for record in ran),
        "solver_share": _share([(record.solver_seconds, record.cpu_seconds) for record in ran]),
        "checking_share": _share([(record.checking_seconds, record.cpu_seconds) for record in ran]),
    }


def _share(costs: Sequence[tuple[float | None, float]]) -> float | None:
    """The ratio of the sums of parts and wholes, over all runs with a known part."""
    known = [(part, whole) for part, whole in costs if part is not None]
    whole = sum(whole for _, whole in known)
    return round(sum(part for part, _ in known) / whole, 3) if whole else None


def summary_rows(records: Sequence[Record]) -> Rows:
    """One row for each configuration, with its counts; columns with only zeros are left out."""
    configs: dict[str, dict[str, Any]] = summarize(records)["configs"]
    always = ("correct", "bounded", "missed", "wrong", "unknown", "timeout", "error")
    shown = [name for name in COLUMNS if name in always or any(entry[name] for entry in configs.values())]
    heading = [
        "config",
        "tasks",
        *shown,
        "CPU s",
        "median s",
        "max MB",
        "instances",
        "solver share",
        "checking share",
    ]
    rows = [heading]
    for name, entry in configs.items():
        counts = [str(entry[column]) for column in shown]
        rows.append([name, str(entry["tasks"]), *counts, *_costs(entry)])
    return rows


def _costs(entry: dict[str, Any]) -> list[str]:
    middle = entry["median_cpu_seconds"]
    shares = [entry["solver_share"], entry["checking_share"]]
    return [
        f"{entry['cpu_seconds']:.1f}",
        "-" if middle is None else f"{middle:.2f}",
        f"{entry['max_memory_mb']:.0f}",
        str(entry["instances"]) if entry["instances"] else "-",
        *("-" if share is None else f"{100 * share:.0f} %" for share in shares),
    ]


def suite_rows(records: Sequence[Record]) -> Rows:
    """The solved tasks of each suite and configuration, with wrong answers marked."""
    names = config_names(records)
    suites = list(dict.fromkeys(record.suite for record in records))
    rows = [["suite", "tasks", *names]]
    for suite in suites:
        of_suite = [record for record in records if record.suite == suite]
        tasks = len({record.task for record in of_suite})
        rows.append([suite, str(tasks), *(_solved([r for r in of_suite if r.config == name]) for name in names)])
    return rows


def _solved(records: Sequence[Record]) -> str:
    wrong = sum(record.judgement == Judgement.WRONG.value for record in records)
    solved = sum(record.solved for record in records)
    return f"{solved}, {wrong} WRONG" if wrong else str(solved)


def task_rows(records: Sequence[Record]) -> Rows:
    """One row for each task, with the judgement and the CPU seconds of each configuration."""
    names = config_names(records)
    by_task: dict[str, dict[str, Record]] = {}
    for record in records:
        by_task.setdefault(record.task, {})[record.config] = record
    rows = [["task", "expected", *names]]
    for found in by_task.values():
        some = next(iter(found.values()))
        label = f"{some.suite}/{Path(some.task).stem}"
        rows.append([label, some.expected or "-", *(_cell(found.get(name)) for name in names)])
    return rows


def _cell(record: Record | None) -> str:
    if record is None:
        return "-"
    if record.judgement == Judgement.SKIPPED.value:
        return "skipped"
    shown = record.judgement.upper() if record.judgement == Judgement.WRONG.value else record.judgement
    return f"{shown} {record.cpu_seconds:.2f}"


def markdown_table(rows: Rows) -> str:
    lines = [_markdown_line(rows[0]), _markdown_line(["---", *("---:" for _ in rows[0][1:])])]
    return "\n".join([*lines, *map(_markdown_line, rows[1:])]) + "\n"


def _markdown_line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def text_table(rows: Rows) -> str:
    """The table as text with aligned columns, the first to the left and the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        first, *others = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *others]).rstrip())
    return "\n".join(lines) + "\n"


def explanation() -> str:
    """The meaning of the columns."""
    return (
        "correct: the expected answer; bounded: nothing found up to the bound, as expected; missed: nothing found "
        "up to the bound, but there is something beyond; wrong: contradicts the expectation; unknown, timeout, "
        "memory: no answer; error: the tool failed. Times are CPU seconds of all processes of a run."
    )


def markdown_report(records: Sequence[Record]) -> str:
    parts = ["# Benchmark", markdown_table(summary_rows(records)), explanation(), "## Solved, by suite"]
    parts += [markdown_table(suite_rows(records)), "## By task", markdown_table(task_rows(records))]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def text_report(records: Sequence[Record]) -> str:
    parts = [text_table(summary_rows(records)), explanation(), text_table(suite_rows(records))]
    return "\n\n".join(part.rstrip("\n") for part in [*parts, text_table(task_rows(records))]) + "\n"
