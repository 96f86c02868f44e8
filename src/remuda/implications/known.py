"""Implications that an earlier run of the same program found.

Comparing thousands of assertions takes a while, and assertions that follow from others have no stored proofs. So the
implications of each procedure are stored soon, under a key of the whole program and the options.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, final

from remuda import __version__
from remuda.ir.printer import print_program
from remuda.store.fingerprints import digest
from remuda.store.recipes import ANY_SEARCH, options_text
from remuda.store.summary_store import Row, SummaryStore

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.options import Options
    from remuda.vc.ussa import Ussa

KIND: Final = "implied"
SAVE_SECONDS: Final = 1.0  # the least time between two writes to the store

Implied = dict[int, tuple[int, ...]]  # positions of assertions, and of those that imply them


@final
class KnownImplications:
    """The known implications in the procedures of one program, to which this run adds its own."""

    def __init__(self, store: SummaryStore, program: Program, options: Options) -> None:
        self._store = store
        self._program = digest(__version__, print_program(program), options_text(options, ANY_SEARCH))
        self._new: list[Row] = []
        self._saved = time.monotonic()

    def of(self, ussa: Ussa) -> Implied | None:
        slot, key = _slot(ussa), self._key(ussa)
        for row in self._store.load(KIND, [slot])[slot]:
            found = _read(row.body, ussa) if row.key == key else None
            if found is not None:
                return found
        return None

    def add(self, ussa: Ussa, implied: Implied) -> None:
        body = {"steps": len(ussa.steps), "implied": [[place, list(causes)] for place, causes in implied.items()]}
        self._new.append(Row(KIND, _slot(ussa), self._key(ussa), body))
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self.save()

    def _key(self, ussa: Ussa) -> str:
        """The key of a sequence. It includes the kinds of assertions, which are not in the program's text."""
        checks = ((index, ussa.steps[index].check) for index in ussa.assertions())
        kinds = [(index, check.identifier, check.kind) for index, check in checks if check is not None]
        return digest(self._program, repr(kinds))

    def save(self) -> None:
        self._store.save(self._new)
        self._new, self._saved = [], time.monotonic()


def _slot(ussa: Ussa) -> str:
    return digest(KIND, ussa.procedure)


def _read(body: Mapping[str, Any], ussa: Ussa) -> Implied | None:
    """The implications in a row; None if they do not fit the sequence."""
    try:
        found = {int(place): tuple(map(int, causes)) for place, causes in body["implied"]}
    except (KeyError, TypeError, ValueError):
        return None
    places = {each for place, causes in found.items() for each in (place, *causes)}
    return found if body.get("steps") == len(ussa.steps) and places <= set(ussa.assertions()) else None
