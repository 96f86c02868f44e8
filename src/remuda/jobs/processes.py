"""What a family of processes uses, and how to end it.

A process that Remuda starts may start others (a solver, another verifier with its own solver). Limits are for
the whole family, and so is the end: when a worker goes, everything it started goes with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, final

TICKS: Final = os.sysconf("SC_CLK_TCK")
PAGE_MB: Final = os.sysconf("SC_PAGE_SIZE") / 1e6
PR_SET_PDEATHSIG: Final = 1


@final
@dataclass(frozen=True, slots=True)
class Usage:
    """Processor time in seconds and resident memory in megabytes."""

    cpu_seconds: float = 0.0
    memory_mb: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.cpu_seconds + other.cpu_seconds, self.memory_mb + other.memory_mb)


def processors() -> int:
    """How many processes can run at the same time."""
    return len(os.sched_getaffinity(0))


def family(pid: int) -> list[int]:
    """A process and its living descendants, parents first."""
    members = [pid]
    for member in members:  # grows while it is walked
        try:
            listed = Path(f"/proc/{member}/task/{member}/children").read_text(encoding="ascii")
        except OSError:  # it has ended meanwhile, or the system has no such file
            continue
        members.extend(int(child) for child in listed.split())
    return members


def family_usage(pid: int) -> Usage:
    """What a process and its living descendants use at this moment."""
    total = Usage()
    for member in family(pid):
        total += _usage(member)
    return total


def _usage(pid: int) -> Usage:
    """One process, together with the processor time of the children it has waited for."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return Usage()
    # The command's name stands in parentheses and may contain anything; fields are counted after it.
    fields = line[line.rindex(")") + 2 :].split()
    ticks = sum(int(field) for field in fields[11:15])
    return Usage(ticks / TICKS, int(fields[21]) * PAGE_MB)


def send_signal(pid: int, number: signal.Signals) -> None:
    """Signal a process, its group, and those descendants that have left the group."""
    members = family(pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)
    for member in members:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(member, number)


@cache
def _libc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if sys.platform == "linux" else None


def prepare_tie() -> None:
    """Load what `tie_to_parent` needs, so that a fork does not have to."""
    _libc()


def tie_to_parent(parent: int) -> None:
    """Make the calling process end when its parent does. The parent may already be gone."""
    library = _libc()
    if library is not None:
        library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
