"""The functions of the API: they verify files or text, in a worker process under limits."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from remuda.base.reasons import Cause
from remuda.base.source import Source
from remuda.jobs.within_limits import run_within_limits
from remuda.option_values import checked
from remuda.options import Options
from remuda.prepare.read import read_source
from remuda.results.progress import Progress
from remuda.results.report import AssertionResult, Report, Verdict
from remuda.results.unsupported import settle

if TYPE_CHECKING:
    from os import PathLike

    from remuda.base.reasons import Reason

OnProgress = Callable[[Progress], None]


def verify(
    program: str | PathLike[str], options: Options | None = None, *, progress: OnProgress | None = None
) -> Report:
    """Verify a Boogie program: a path, or the program's text itself.

    A string is the text of a program if it contains a line break, a brace or a semicolon; otherwise it is a path.
    """
    options = checked(options or Options())
    if isinstance(program, str) and any(mark in program for mark in "\n{;"):
        return _verify_sources([Source("program.bpl", program)], options, progress)
    return verify_files([str(program)], options, progress=progress)


def verify_files(paths: Sequence[str], options: Options, *, progress: OnProgress | None = None) -> Report:
    """Verify one program made of one or more files."""
    return _verify_sources([read_source(path) for path in paths], options, progress)


def _verify_sources(sources: list[Source], options: Options, progress: OnProgress | None) -> Report:
    partial = _Partial(sources[0].name, progress)
    outcome = run_within_limits(_work, (sources, options), options, on_message=partial.receive, on_idle=partial.tick)
    if outcome.result is not None:
        return outcome.result
    assert outcome.stopped is not None
    return partial.report(outcome.stopped, outcome.seconds)


def _work(send: Callable[[object], None], sources: list[Source], options: Options) -> Report:
    from remuda.portfolio.run import run

    gc.disable()  # all objects live as long as this process, and collections would cost half the time
    gc.freeze()  # nor need collections inspect the objects of the parent
    sys.set_int_max_str_digits(0)  # numbers may have any length, because the run as a whole is limited
    return run(sources, options, send)


class _Partial:
    """The results that the worker has sent so far, in case it is killed before its report."""

    def __init__(self, file: str, progress: OnProgress | None) -> None:
        self._report = Report(file)
        self._results: dict[str, AssertionResult] = {}
        self._progress = progress
        self._last = Progress(doing="reading the program")
        self._began = time.monotonic()

    def tick(self) -> None:
        """Show what the worker has said last, and the time: that goes on while it says nothing."""
        if self._progress is not None:
            self._progress(replace(self._last, seconds=time.monotonic() - self._began))

    def receive(self, message: object) -> None:
        match message:
            case Report():
                self._report = message
                self._results = {result.identifier: result for result in message.assertions}
            case AssertionResult():
                self._results[message.identifier] = message
            case Progress():
                self._last = message
                self.tick()

    def report(self, stopped: Reason, seconds: float) -> Report:
        """The report of a run that was stopped."""
        report = self._report
        report.stopped = stopped
        report.assertions = settle(self._as_stopped(result, stopped) for result in self._results.values())
        report.statistics.instances = self._last.instances
        report.statistics.solver_calls = self._last.solver_calls
        report.statistics.seconds = seconds
        return report

    @staticmethod
    def _as_stopped(result: AssertionResult, stopped: Reason) -> AssertionResult:
        """With what has stopped the run as the reason, if that is why not more is known."""
        if result.verdict is Verdict.UNKNOWN and result.why.cause is Cause.UNDECIDED:
            return replace(result, why=stopped)
        if result.verdict in {Verdict.BOUNDED, Verdict.UNREACHABLE} and result.why.cause is Cause.TIME:
            return replace(result, why=result.why.because_of(stopped))
        return result


def error_bit_text(paths: Sequence[str], options: Options) -> str:
    """The program in reachability form, as Boogie text: the end of the entry is reached iff an assertion fails.

    `boogie /stratifiedInline:1` needs this form to check assertions.
    """
    from remuda.export.reachability_form import reachability_form

    return reachability_form([read_source(path) for path in paths], options)
