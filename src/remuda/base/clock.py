"""The clock that strategies go by: how long each may take, and when its turn is over."""

from __future__ import annotations

import time


def now() -> float:
    """Seconds since some moment, which is the same for all processes."""
    return time.monotonic()


def used() -> float:
    """Seconds of processor time that this process has used: less depends on how busy the machine is."""
    return time.process_time()
