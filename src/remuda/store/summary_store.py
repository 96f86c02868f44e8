"""Stores the results of earlier runs in a folder: `--summaries-dir DIR`.

One SQLite file, `remuda.sqlite`, has a row for each result: its subject (`slot`), the code that it depends on
(`key`), and the rest as JSON. Several runs may use the folder at the same time, and one that is killed leaves it as
it was before its last transaction. Every row has a checksum of its content, which is verified before the row is used.
If the folder cannot be read or written, the report says so, and the verdicts are those of a run without it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final
from urllib.parse import quote

from remuda.store.fingerprints import digest

FILE: Final = "remuda.sqlite"
FORMAT: Final = 1
KEPT: Final = 4  # the newest rows of each slot: users undo edits, and redo them
BUSY_SECONDS: Final = 5.0  # the longest time to wait for another run that writes
MOST_VARIABLES: Final = 500  # of one SQLite query

Json = dict[str, Any]

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS known (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL, slot TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, checksum TEXT NOT NULL,
    UNIQUE (kind, slot, key));
"""


class _OtherFormat(sqlite3.DatabaseError):
    """The file was written by a version with another format."""


@final
@dataclass(frozen=True, slots=True)
class Row:
    kind: str
    slot: str
    key: str
    body: Json


@final
class SummaryStore:
    """The file, which is opened at its first use. It calls `tell` once for each problem with it."""

    def __init__(self, folder: str, tell: Callable[[str], None]) -> None:
        self._folder = Path(folder)
        self._tell = tell
        self._told: set[str] = set()
        self._connection: sqlite3.Connection | None = None
        self._is_closed = False
        self._is_read_only = False

    def load(self, kind: str, slots: Iterable[str]) -> dict[str, list[Row]]:
        """The rows of each slot, the newest first."""
        wanted = list(dict.fromkeys(slots))
        found: dict[str, list[Row]] = {slot: [] for slot in wanted}
        connection = self._open()
        if connection is None:
            return found
        for start in range(0, len(wanted), MOST_VARIABLES):
            part = wanted[start : start + MOST_VARIABLES]
            marks = ",".join("?" * len(part))
            question = (
                f"SELECT kind, slot, key, body, checksum FROM known WHERE kind = ? AND slot IN ({marks})"
                " ORDER BY number DESC"
            )
            try:
                rows = connection.execute(question, [kind, *part]).fetchall()
            except (sqlite3.Error, UnicodeDecodeError) as problem:
                self._give_up(f"{self._path} cannot be read ({_words(problem)}); nothing from earlier runs is used")
                return {slot: [] for slot in wanted}
            for row in map(self._checked, rows):
                if row is not None and row.kind == kind and row.slot in found:
                    found[row.slot].append(row)
        return found

    def save(self, rows: Iterable[Row]) -> None:
        """Add all rows or none, and delete the oldest rows of slots that have too many."""
        new = list(rows)
        connection = self._open() if new else None
        if connection is None or self._is_read_only:
            return
        try:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                for row in new:
                    body = json.dumps(row.body, separators=(",", ":"))
                    values = (row.kind, row.slot, row.key, body, _checksum(row.kind, row.slot, row.key, body))
                    connection.execute(
                        "INSERT OR REPLACE INTO known (kind, slot, key, body, checksum) VALUES (?, ?, ?, ?, ?)",
                        values,
                    )
                for kind, slot in dict.fromkeys((row.kind, row.slot) for row in new):
                    connection.execute(
                        "DELETE FROM known WHERE kind = ? AND slot = ? AND number NOT IN (SELECT number FROM known"
                        " WHERE kind = ? AND slot = ? ORDER BY number DESC LIMIT ?)",
                        (kind, slot, kind, slot, KEPT),
                    )
                connection.execute(
                    "DELETE FROM known WHERE kind = 'ground' AND slot NOT IN (SELECT key FROM known WHERE kind = 'proof')"
                )
        except sqlite3.Error as problem:
            self._warn(f"{self._path} cannot be written ({_words(problem)}); what this run found out is not kept")
            self._is_read_only = True

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection, self._is_closed = None, True

    # --- the file

    @property
    def _path(self) -> Path:
        return self._folder / FILE

    def _open(self) -> sqlite3.Connection | None:
        if self._connection is not None or self._is_closed:
            return self._connection
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._connection = self._connected()
        except (OSError, sqlite3.Error) as problem:
            if isinstance(problem, _OtherFormat) or not self._open_read_only():
                self._give_up(f"{self._path} cannot be used ({_words(problem)}); the run does without it")
        return self._connection

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version not in {0, FORMAT}:
                raise _OtherFormat(f"it has format {version}, this is format {FORMAT}")
            connection.execute(SCHEMA)
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _open_read_only(self) -> bool:
        """Open a file that this user can only read; it assumes that no other process writes to it now."""
        try:
            address = f"file:{quote(str(self._path.absolute()))}?mode=ro&immutable=1"
            connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            connection.execute("SELECT number FROM known LIMIT 1").fetchone()
        except (OSError, sqlite3.Error):
            return False
        if version != FORMAT:
            connection.close()
            return False
        self._connection, self._is_read_only = connection, True
        self._warn(f"{self._path} is read only: what this run found out is not kept")
        return True

    def _checked(self, row: tuple[object, ...]) -> Row | None:
        """The row, or None if its checksum is wrong."""
        match row:
            case (str(kind), str(slot), str(key), str(body), str(checksum)):
                if _checksum(kind, slot, key, body) == checksum and isinstance(said := json.loads(body), dict):
                    return Row(kind, slot, key, said)
        self._warn(f"{self._path} is damaged: what does not fit its checksum is not used")
        return None

    def _give_up(self, message: str) -> None:
        self._warn(message)
        self.close()

    def _warn(self, message: str) -> None:
        if not self._told:
            self._tell(message)
        self._told.add(message)


def _words(problem: Exception) -> str:
    """The description of a problem, without the content of the file, which may be damaged."""
    words = str(problem).partition(" with text")[0]
    is_damaged = isinstance(problem, sqlite3.DatabaseError) and not isinstance(problem, sqlite3.OperationalError)
    return f"{words}: delete it to begin anew" if is_damaged else words


def _checksum(kind: str, slot: str, key: str, body: str) -> str:
    return digest(kind, slot, key, body)
