"""What one process does for a program, one strategy after another: options are edits of this list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from remuda.portfolio.strategies.earlier_runs import Keep, TakeOver
from remuda.portfolio.strategies.executions import Executions
from remuda.portfolio.strategies.isolation import Isolation
from remuda.portfolio.strategies.proofs import Proofs
from remuda.portfolio.strategies.search import Search

if TYPE_CHECKING:
    from remuda.options import Options
    from remuda.portfolio.attempt import Attempt
    from remuda.portfolio.job import Job


class Strategy(Protocol):
    """Decides assertions of an attempt. Between two steps, the rest can go on in a copy of the process."""

    def steps(self, attempt: Attempt) -> Iterator[None]: ...


def stages(job: Job, options: Options) -> tuple[Strategy, ...]:
    """The strategies for a program that is prepared. The options are those of the job and of the program."""
    if job.executes:
        return (Executions(),)
    if options.engine == "isolation":
        return (Isolation(is_alone=True),)
    return tuple(
        strategy
        for suits, strategy in (
            (bool(options.summaries_dir), TakeOver()),
            (bool(options.isolate), Isolation(is_alone=False)),
            (True, Search()),
            (True, Proofs()),
            (bool(options.summaries_dir), Keep()),
        )
        if suits
    )
