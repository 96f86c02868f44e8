"""Confirms violations of C programs with a compiler: builds the failing execution with sanitizers, runs it, and
compares its failure with the expected one.

A run that fails in another way, or not at all, refutes the violation, unless there is a known reason why a run cannot
show it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, final

from remuda.backends.c_compiler import compiler, flags_of
from remuda.backends.sanitized_runs import INSTEAD, SanitizedRuns, sanitizing
from remuda.backends.sanitizer_reports import SIGNS, STATED, WILD_CALL
from remuda.base import clock
from remuda.base.names import some_of
from remuda.base.reasons import TIMEOUT
from remuda.confirm.confirmers import Attempt
from remuda.frontends.c.lowering.checks import CALLS, STAYS
from remuda.frontends.c.reproduce import MEANT, OPERATIONS
from remuda.prepare.load import parsing_of

if TYPE_CHECKING:
    from remuda.backends.sanitized_runs import SanitizedRun
    from remuda.backends.sanitizer_reports import Complaint
    from remuda.base.source import Source
    from remuda.ir.program import Check, FailingProgram
    from remuda.options import Options

STATED_KINDS: Final = frozenset({"assert", "error"})
NOT_SHOWN: Final = {
    "uninitialized": "no sanitizer of gcc notices that a value is not initialised",
    "reach-end": "to reach the end of a function is no failure of a compiled program",
}


@final
class Compiled:
    """Builds and runs test cases of one program."""

    name: Final = "compiled"

    def __init__(self, sources: Sequence[Source], options: Options, deadline: float | None) -> None:
        compiler(INSTEAD)  # report a missing compiler now, and not after a search
        self._sources = sources
        self._options = options
        self._deadline = deadline
        self._sanitizing: tuple[str, ...] | str | None = None
        parsing = dict.fromkeys(parsing for _, parsing in parsing_of(sources, options))
        self._parsing = next(iter(parsing)) if len(parsing) == 1 else None

    def confirm(self, check: Check, case: FailingProgram) -> Attempt:
        obstacle = self._obstacle(check, case)
        if obstacle:
            return Attempt(unconfirmed=f"not run: {obstacle}")
        with TemporaryDirectory(prefix="remuda-confirm-") as name:
            return self._confirm_in(Path(name), check, case)

    def _obstacle(self, check: Check, case: FailingProgram) -> str:
        """Why a run cannot show the failure."""
        kind = kind_of(check)
        if case.has_threads:
            return "a run cannot be told the order in which threads take turns"
        if self._parsing is None:
            return "the files are compiled with different flags"
        if self._deadline is not None and clock.now() >= self._deadline:
            return str(TIMEOUT)
        if kind != STATED and kind not in SIGNS:
            return NOT_SHOWN.get(kind, f"no sanitizer shows a failure of the kind {kind}")
        return ""

    def _confirm_in(self, folder: Path, check: Check, case: FailingProgram) -> Attempt:
        assert self._parsing is not None
        if self._sanitizing is None:
            is_32_bit = self._parsing.machine.pointer_width == 32
            self._sanitizing = sanitizing(folder, is_32_bit=is_32_bit, deadline=self._deadline)
        if isinstance(self._sanitizing, str):
            return Attempt(unconfirmed=f"not run: {self._sanitizing}")
        arithmetic = () if check.kind in OPERATIONS else ("-fwrapv",)
        flags = [*self._sanitizing, "-fno-strict-aliasing", *arithmetic, *flags_of(self._sources, self._parsing)]
        runs = SanitizedRuns(folder, flags, self._deadline)
        trouble = runs.build(case.text, case.undefined)
        if trouble is not None:
            return Attempt(unconfirmed=f"not run: the program cannot be built: {trouble.headline}")
        run = runs.run(leaks=check.kind == "leak")
        if not run.started:
            return Attempt(unconfirmed="not run: the sanitizers cannot be started on this machine")
        if any(self._shows(complaint, check) for complaint in run.complaints):
            return Attempt()
        stubbed = [f"what {name} does" for name in runs.stubbed]
        return self._not_shown(check, run, [*case.missing, *stubbed, *case.unset])

    def _shows(self, complaint: Complaint, check: Check) -> bool:
        """Whether a complaint is about this failure: of its kind, at its position."""
        kind = kind_of(check)
        if not complaint.is_about(kind):
            return False
        if kind in {"leak", WILD_CALL}:
            return True  # reported at the end with the allocation, or without a readable stack
        source = check.span.source
        files = {os.path.realpath(each.name) for each in (*self._sources, source)}
        place = complaint.place(files, MEANT if kind == STATED else ())
        first, last = (source.position(offset)[0] for offset in (check.span.start, check.span.end))
        return place is not None and place.file == os.path.realpath(source.name) and first <= place.line <= last

    def _not_shown(self, check: Check, run: SanitizedRun, open_: Sequence[str]) -> Attempt:
        """The result for a violation that a run does not show; `open_` is what the run may have done differently."""
        did = f"{run.ending}, {self._first_complaint(run)}"
        if run.limit:
            return Attempt(unconfirmed=f"the run was cut short, because {run.limit}")
        if check.kind == "leak":
            return Attempt(unconfirmed="the run does not show it: memory that is still pointed to counts as in use")
        if check.kind == "bounds" and check.description.endswith(STAYS):
            return Attempt(unconfirmed="the run does not show it: no sanitizer notices a pointer before it is used")
        if check.kind == "bounds" and check.span.text.startswith("*"):
            return Attempt(
                unconfirmed="the run does not show it: sanitizers know the arrays in an object by `a[i]` only"
            )
        if check.kind == "conversion":
            return Attempt(unconfirmed="the run does not show it: no sanitizer of gcc notices what integers lose")
        if open_:
            return Attempt(unconfirmed=f"the run does not show it, but cannot set {some_of(open_, '')} ({did})")
        return Attempt(problem=f"the compiled program does not fail like this: {did}")

    def _first_complaint(self, run: SanitizedRun) -> str:
        if not run.complaints:
            return "and no sanitizer complained"
        first = run.complaints[0]
        place = first.place({os.path.realpath(each.name) for each in self._sources})
        said = "an assertion failed" if first.is_about(STATED) else f"a sanitizer complained first: {first.headline}"
        return said if place is None else f"{said} (line {place.line})"


def kind_of(check: Check) -> str:
    """The kind of failure that a run must show: that of the check, or a finer one if the sanitizers distinguish
    it."""
    if check.kind in STATED_KINDS:
        return STATED
    return WILD_CALL if check.kind == "pointer" and check.description.endswith(CALLS) else check.kind
