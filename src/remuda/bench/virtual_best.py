"""Compares the default with the virtual best: for each task, the configuration that is best on it.

A run is better than another if its answer is (a proof or a violation before a bound, a larger bound before a smaller one,
and that before none), and between equal answers if it is faster. What the default loses on a task is the difference to the
best of the others. Times are compared where the answers are equal: it takes longer to say more.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, final

from remuda.bench.classify import Judgement
from remuda.bench.tables import config_names, markdown_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.bench.records import Record
    from remuda.bench.tables import Rows

DEFAULT: Final = "default"
SINGLES: Final = (
    "dag=--engine dag",
    "stratified=--engine stratified",
    "static=--engine static",
    "lifted=--lift",
    "abstract=--abstract",
    "houdini=--houdini",
    "horn=--engine horn",
    "isolate=--isolate",
    "modular=--modular",
    "z3=--solver z3",
    "cvc5=--solver cvc5",
    "bitwuzla=--solver bitwuzla",
)
# A run is near the best one if it takes at most `FACTOR` times its time, plus `SLACK` seconds.
FACTOR: Final = 3.0
SLACK: Final = 1.0
SHARE: Final = 0.95  # of the tasks that are named
NO_ANSWER: Final = (0, 0)
CLAIMS: Final = frozenset({"proved", "violated"})


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """The run of the default on one task, and the best run of any other configuration."""

    default: Record
    best: Record

    @property
    def is_lost(self) -> bool:
        """Whether the best run has a better answer than the default."""
        return rank(self.default) < rank(self.best)

    @property
    def ratio(self) -> float:
        return self.default.seconds / max(self.best.seconds, 0.001)

    @property
    def is_near(self) -> bool:
        return self.default.seconds <= FACTOR * self.best.seconds + SLACK


def rank(record: Record) -> tuple[int, int]:
    """How good an answer is; none is (0, 0)."""
    if record.judgement == Judgement.BOUNDED.value:
        return 1, record.bound or 0
    return (2, 0) if record.judgement == Judgement.CORRECT.value else NO_ANSWER


def compare(records: Sequence[Record]) -> list[Comparison]:
    """The comparisons of all tasks on which the default and another configuration were run, in order."""
    by_task: dict[str, dict[str, Record]] = {}
    for record in records:
        by_task.setdefault(record.task, {})[record.config] = record
    found = []
    for runs in by_task.values():
        others = [record for name, record in runs.items() if name != DEFAULT]
        if DEFAULT in runs and others:
            found.append(Comparison(runs[DEFAULT], max(others, key=lambda each: (rank(each), -each.seconds))))
    return found


def contradictions(records: Sequence[Record]) -> list[str]:
    """The tasks for which one configuration reports a proof and another one a violation."""
    claims: dict[str, dict[str, str]] = {}
    for record in records:
        if record.verdict in CLAIMS:
            claims.setdefault(record.task, {})[record.verdict] = record.config
    return [
        f"{task}: proved by {by['proved']}, violated by {by['violated']}"
        for task, by in claims.items()
        if len(by) == len(CLAIMS)
    ]


def solved_rows(records: Sequence[Record]) -> Rows:
    """The numbers of tasks that each configuration, and all together, solve, with and without a bound."""
    rows = [["configuration", "tasks", "solved", "without a bound", "wall s"]]
    for name in config_names(records):
        own = [record for record in records if record.config == name]
        rows.append([name, str(len(own)), *_counts(own), f"{sum(record.seconds for record in own):.0f}"])
    best: dict[str, Record] = {}
    for record in records:
        if record.config != DEFAULT and rank(record) >= rank(best.get(record.task, record)):
            best[record.task] = record
    rows.append(["all but the default together", str(len(best)), *_counts(list(best.values())), "-"])
    return rows


def _counts(records: Sequence[Record]) -> list[str]:
    return [str(sum(rank(record)[0] >= least for record in records)) for least in (1, 2)]


def task_rows(comparisons: Sequence[Comparison]) -> Rows:
    """One row for each task, the greatest losses first."""
    rows = [["task", "best", "answer", "wall s", "default's answer", "wall s", "ratio"]]
    ordered = sorted(comparisons, key=lambda each: (not each.is_lost, each.is_near, -each.ratio))
    for each in ordered:
        label = f"{each.best.suite}/{Path(each.best.task).stem}"
        answers = [
            each.best.judgement,
            f"{each.best.seconds:.2f}",
            each.default.judgement,
            f"{each.default.seconds:.2f}",
        ]
        rows.append([label, each.best.config, *answers, f"{each.ratio:.1f}"])
    return rows


def sentences(records: Sequence[Record]) -> list[str]:
    """The summary of the comparison, as sentences."""
    comparisons = compare(records)
    both = [each for each in comparisons if NO_ANSWER < rank(each.best) == rank(each.default)]
    better = [each for each in comparisons if rank(each.default) > rank(each.best)]
    lost = [each for each in comparisons if each.is_lost]
    together = sum(rank(each.best) > NO_ANSWER for each in comparisons)
    found = contradictions(records)
    told = [f"the default loses {len(lost)} of {together} tasks that another configuration solves, or solves better"]
    told.append(f"it says more than any other on {len(better)} tasks")
    if both:
        near = sum(each.is_near for each in both)
        told.append(
            f"wall time on the {len(both)} tasks with equal answers: {median(each.ratio for each in both):.2f} times the best in the median"
        )
        told.append(f"at most {FACTOR:g} times and {SLACK:g} s more on {100 * near / len(both):.0f} % of them")
    return [*told, f"contradictions: {len(found)}", *found]


def markdown(records: Sequence[Record]) -> str:
    parts = ["# The default against the virtual best", markdown_table(solved_rows(records))]
    parts += ["\n".join(f"- {each}" for each in sentences(records)), "## By task"]
    return "\n\n".join(part.rstrip("\n") for part in [*parts, markdown_table(task_rows(compare(records)))]) + "\n"
