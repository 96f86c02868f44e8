"""The record of a finished run, and the file of records, with one line for each, from which a benchmark resumes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, final

from remuda.base.errors import FileError
from remuda.bench.classify import Judgement


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """The answer of one tool, in one configuration, for one task, with its costs."""

    task: str  # the path of the task definition
    suite: str
    config: str
    signature: str  # all that determines the answer except for the task: arguments, limits, version
    expected: str | None
    verdict: str
    reason: str
    judgement: str
    bound: int | None
    seconds: float
    cpu_seconds: float
    memory_mb: float
    instances: int | None = None
    tree_instances: int | None = None
    solver_calls: int | None = None
    solver_seconds: float | None = None
    checking_seconds: float | None = None
    confirmed: str = ""

    @property
    def solved(self) -> bool:
        return self.judgement in (Judgement.CORRECT.value, Judgement.BOUNDED.value)

    @property
    def key(self) -> tuple[str, str, str]:
        return self.task, self.config, self.signature


@final
class Results:
    """The records of a benchmark, in a file that grows by one line for each run."""

    def __init__(self, path: Path, *, fresh: bool) -> None:
        self._path = path
        self.records: list[Record] = []
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if fresh:
                path.unlink(missing_ok=True)
            elif path.exists():
                self.records = read_records(path)
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from error

    def add(self, record: Record) -> None:
        self.records.append(record)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")

    def done(self) -> dict[tuple[str, str, str], Record]:
        """The records by task, configuration and signature; the latest one if a run was repeated."""
        return {record.key: record for record in self.records}


def read_records(path: Path) -> list[Record]:
    """Read a results file. An incomplete last line is removed, so that its run is repeated."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    records = []
    for number, line in enumerate(lines, start=1):
        if not line.endswith("\n"):
            path.write_text("".join(lines[:-1]), encoding="utf-8")
            break
        records.append(_read_record(path, number, line))
    return records


def _read_record(path: Path, number: int, line: str) -> Record:
    try:
        content: dict[str, Any] = json.loads(line)
        known = {field.name for field in fields(Record)}
        return Record(**{name: value for name, value in content.items() if name in known})
    except (ValueError, TypeError, AttributeError) as error:
        raise FileError(f"{path}:{number}: not a record of a benchmark ({error}); --fresh starts anew") from error
