"""A function in a worker process within `--timeout` and `--memory`.

A search that minds its time limit ends by itself; one that does not is ended `PATIENCE_SECONDS` later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, TypeVarTuple

from remuda.base.errors import InternalError
from remuda.base.reasons import Cause
from remuda.jobs.worker import run_limited

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.jobs.worker import Send, WorkerOutcome
    from remuda.options import Options

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")

PATIENCE_SECONDS: Final = 1.0


def run_within_limits(
    function: Callable[[Send, *Arguments], Result],
    arguments: tuple[*Arguments],
    options: Options,
    *,
    on_message: Callable[[object], None] | None = None,
    on_idle: Callable[[], None] | None = None,
    grace: float | None = None,
) -> WorkerOutcome[Result]:
    """Run `function(send, *arguments)` within the limits of the options. `grace` is that of `Worker`. A crash is an error."""
    outcome = run_limited(
        function,
        arguments,
        seconds=None if options.timeout is None else options.timeout + PATIENCE_SECONDS,
        memory_mb=options.memory,
        on_message=on_message,
        on_idle=on_idle,
        grace=grace,
    )
    if outcome.ended_by(Cause.CRASHED):
        raise InternalError(f"the worker process {outcome.stopped}\n{outcome.detail}".rstrip())
    return outcome
