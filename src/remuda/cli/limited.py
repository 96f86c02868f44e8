"""Runs commands other than `verify` that ask a solver, in a worker process under the limits of --timeout and
--memory.

A search should end by itself at its time limit; if it does not, it is killed `PATIENCE_SECONDS` later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, TypeVarTuple

from remuda.base.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.jobs.worker import Send, WorkerOutcome
    from remuda.options import Options

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")

PATIENCE_SECONDS: Final = 1.0
INTERRUPTED: Final = "interrupted"
INCONCLUSIVE: Final = 5
INTERRUPTED_CODE: Final = 130


def run_within_limits(
    function: Callable[[Send, *Arguments], Result],
    arguments: tuple[*Arguments],
    options: Options,
    *,
    on_message: Callable[[object], None] | None = None,
    grace: float | None = None,
) -> WorkerOutcome[Result]:
    """Run `function(send, *arguments)` within the limits of the options. `grace` is that of `Worker`."""
    from remuda.jobs.worker import run_limited

    outcome = run_limited(
        function,
        arguments,
        seconds=None if options.timeout is None else options.timeout + PATIENCE_SECONDS,
        memory_mb=options.memory,
        on_message=on_message,
        grace=grace,
    )
    if outcome.stopped.startswith("crashed"):
        raise InternalError(f"the worker process {outcome.stopped}\n{outcome.detail}".rstrip())
    return outcome


def why_stopped(stopped: str, options: Options) -> str:
    """The reason why a worker was stopped, as the beginning of a sentence."""
    match stopped:
        case "timeout":
            return f"the time limit of {options.timeout:g} s was reached"
        case "memory":
            return f"the memory limit of {options.memory} MB was reached"
    return stopped


def exit_code_of(stopped: str, *, has_result: bool) -> int:
    """The exit code of a command, by the reason why its worker was stopped, if it was. A timeout is a normal end if
    there is a result."""
    if stopped == INTERRUPTED:
        return INTERRUPTED_CODE
    return 0 if has_result and stopped in {"", "timeout"} else INCONCLUSIVE
