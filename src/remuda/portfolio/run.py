"""Verify a program, start to end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from remuda.base import clock
from remuda.portfolio.budgets import DISPUTE
from remuda.portfolio.job import Beliefs, Job
from remuda.portfolio.ledger import BrokenBelief
from remuda.portfolio.plan import is_open
from remuda.portfolio.verification import Verification
from remuda.prepare.consistent import consistent
from remuda.results.report import Report, Verdict

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.options import Options
    from remuda.portfolio.attempt import Send


def run(sources: Sequence[Source], options: Options, send: Send) -> Report:
    """Verify a program. `send` gets the report's beginning, then results and progress as they come.

    The memory model of a C program may believe that pointers stay in the arrays and objects that they point into. If an
    execution breaks that, the next model believes less, and the flat one believes nothing. The flat one is also asked about
    failures that the machine for C does not show. What holds whatever is in memory needs no belief at all."""
    if options.jobs == 1:
        clock.count_work()  # the same run takes the same turns every time
    try:
        return _run(sources, consistent(sources, options), send)
    finally:
        clock.count_time()


def _run(sources: Sequence[Source], options: Options, send: Send) -> Report:
    began = clock.now()
    for beliefs in (Beliefs.ARRAYS, Beliefs.OBJECTS):
        first = Verification(sources, Job(options, beliefs=beliefs, races=is_open(options)), send, began)
        try:
            return _judged(first, _verified(first, options), sources, options, send, began)
        except BrokenBelief:
            continue
    if options.integers == "math":  # there is no flat memory of mathematical integers
        return Verification(sources, Job(options, beliefs=Beliefs.UNSURE), send, began).run()
    return Verification(sources, Job(replace(options, memory_model="flat")), send, began).run()


def _verified(first: Verification, options: Options) -> Report:
    """Verify with the first search and, if that takes more than a moment or leaves something open, with other strategies."""
    steps = first.steps()
    is_over = not any(is_open(options) and first.needs_help for _ in steps)
    if not is_open(options) or (is_over and not first.has_more_to_do):
        return first.conclude(first.results)
    from remuda.portfolio.coordinator import Coordinator

    return Coordinator(first, None if is_over else steps).run()


def _judged(
    made: Verification, report: Report, sources: Sequence[Source], options: Options, send: Send, began: float
) -> Report:
    """The report, where the flat memory model has decided what regions and the machine for C disagree about."""
    if not made.not_shown:
        return report
    from remuda.confirm.disputes import MOST_SIZE, TOO_LARGE, disputed, judged, unjudged

    open_ = disputed(report, made.not_shown)
    is_enough = options.stop_at_first and report.verdict is Verdict.VIOLATED
    if not open_ or is_enough or options.memory_model == "flat" or options.integers == "math" or made.attempt.is_late:
        return report
    if made.size > MOST_SIZE:
        changed = unjudged(open_, TOO_LARGE)
    else:
        deadline = None if options.timeout is None else began + options.timeout
        until = DISPUTE.until(clock.now(), began, deadline)
        flat_options = replace(
            options, memory_model="flat", summaries_dir="", print_invariants=False, timeout=until - began
        )
        only = frozenset(result.identifier for result in open_)
        flat = Verification(sources, Job(flat_options, assertions=only), lambda _: None, began).run()
        changed = judged(report, open_, flat)
        report.statistics.seconds = time.monotonic() - began
    by_name = {result.identifier: result for result in changed}
    report.assertions = [by_name.get(result.identifier, result) for result in report.assertions]
    for result in changed:
        send(result)
    return report
