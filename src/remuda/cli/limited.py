"""What commands besides `verify` say, and which exit code they have, when `--timeout` or `--memory` ends their worker process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.base.reasons import Cause, Reason

if TYPE_CHECKING:
    from remuda.options import Options

INCONCLUSIVE: Final = 5
INTERRUPTED_CODE: Final = 130


def why_stopped(stopped: Reason, options: Options) -> str:
    """What ended a worker, as the beginning of a sentence."""
    match stopped.cause:
        case Cause.TIME:
            return f"the time limit of {options.timeout:g} s was reached"
        case Cause.MEMORY:
            return f"the memory limit of {options.memory} MB was reached"
    return str(stopped)


def exit_code_of(stopped: Reason | None, *, has_result: bool) -> int:
    """The exit code of a command whose worker was ended, or was not: that time is up is normal, if there is a result."""
    cause = None if stopped is None else stopped.cause
    if cause is Cause.INTERRUPTED:
        return INTERRUPTED_CODE
    return 0 if has_result and cause in {None, Cause.TIME} else INCONCLUSIVE
