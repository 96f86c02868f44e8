"""Keeps the tracked globals in a file, for the next run on the same program or on an edited one.

    {"version": 1, "tracked": {"main": ["lock", "memory$irp.status"]}}

The file is written at every addition, so a run that is stopped early leaves its results too. Names that a program
does not have are ignored: tracking too few or too many globals costs time, but never changes a verdict.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from remuda.base.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remuda.terms.symbols import Variable

VERSION: Final = 1


@final
class TrackedState:
    """The names of tracked globals by entry procedure; without a file, they are lost at the end of the run."""

    def __init__(self, path: str) -> None:
        self._path = Path(path) if path else None
        self._names: dict[str, list[str]] = _read(self._path) if self._path is not None else {}

    def tracked(self, entry: str, variables: Iterable[Variable]) -> frozenset[Variable]:
        names = set(self._names.setdefault(entry, []))
        return frozenset(variable for variable in variables if variable.name in names)

    def knows(self, entry: str) -> bool:
        """Whether a search that tracks globals as needed has begun from this entry."""
        return entry in self._names

    def note(self, entry: str, tracked: Iterable[Variable]) -> None:
        """Add globals that had to be tracked."""
        self.note_names(entry, (variable.name for variable in tracked))

    def note_names(self, entry: str, tracked: Iterable[str]) -> None:
        """Add globals that had to be tracked, by name."""
        names = set(tracked)
        self._names[entry] = sorted(names.union(self._names.get(entry, ())))
        if self._path is None:
            return
        document = json.dumps({"version": VERSION, "tracked": self._names}, indent=2)
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.write_text(f"{document}\n", encoding="utf-8")
            new.replace(self._path)
        except OSError as problem:
            raise FileError(f"cannot write {self._path}: {problem.strerror or problem}") from None


def _read(path: Path) -> dict[str, list[str]]:
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as problem:
        raise FileError(f"cannot read {path}: {problem.strerror or problem}") from None
    except ValueError:
        document = None
    match document:
        case {"version": 1, "tracked": dict(tracked)} if all(map(_are_names, tracked.values())):
            return tracked
    raise FileError(f"{path} is not a state file of this version: give another one, or delete it")


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)
