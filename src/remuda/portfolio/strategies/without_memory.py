"""Proves a C program whatever is read from memory: then it does not matter which accesses meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from remuda.base.clock import now
from remuda.portfolio.budgets import WITHOUT_MEMORY
from remuda.portfolio.job import Job
from remuda.portfolio.searches import NotProved
from remuda.portfolio.verification import Verification
from remuda.prepare.load import NO_MEMORY
from remuda.results.unsupported import holds_always

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.options import Options
    from remuda.results.report import Report


def proved_without_memory(sources: Sequence[Source], options: Options, began: float) -> Report | None:
    """The report, if everything holds.

    Calls through pointers reach every function whose address is taken there. The first violation ends the search."""
    until = WITHOUT_MEMORY.until(now(), began, None if options.timeout is None else began + options.timeout)
    forgetful = replace(
        options,
        memory_model=NO_MEMORY,
        abstract=True,
        houdini=False,
        isolate=False,
        summaries_dir="",
        timeout=until - began,
    )
    try:
        report = Verification(sources, Job(forgetful), lambda _: None, began).run()
    except NotProved:
        return None
    return report if all(map(holds_always, report.assertions)) else None
