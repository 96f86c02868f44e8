"""Measures and ends a process together with its descendants, its family.

A process that Remuda starts may start others (a solver, another verifier with its own solver). Limits are for the
whole family, and when a worker ends, so do all processes that it started.
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
    for member in members:  # the list grows during the iteration
        try:
            listed = Path(f"/proc/{member}/task/{member}/children").read_text(encoding="ascii")
        except OSError:  # the process has ended meanwhile, or the system has no such file
            continue
        members.extend(int(child) for child in listed.split())
    return members


def family_usage(pid: int) -> Usage:
    """The current usage of a process and its living descendants."""
    total = Usage()
    for member in family(pid):
        total += _usage(member)
    return total


def _usage(pid: int) -> Usage:
    """The usage of one process, with the processor time of the children that it has waited for."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return Usage()
    # The command's name is in parentheses and may contain any characters, so fields are counted after it.
    fields = line[line.rindex(")") + 2 :].split()
    ticks = sum(int(field) for field in fields[11:15])
    return Usage(ticks / TICKS, int(fields[21]) * PAGE_MB)


def send_signal(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process, its group, and those descendants that have left the group."""
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
    """Load the library that `tie_to_parent` needs, before a fork."""
    _libc()


def tie_to_parent(parent: int) -> None:
    """Make the calling process end when its parent does. The parent may have ended already."""
    library = _libc()
    if library is not None:
        library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
