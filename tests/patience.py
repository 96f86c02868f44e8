"""How to wait for something in a test without a verdict that depends on how busy the machine is."""

from __future__ import annotations

import os
import re
import select
import time
from pathlib import Path
from typing import Final

PATIENCE: Final = 600.0  # seconds: a limit that no test comes near, however busy the machine is


def wait_for_text(descriptor: int, pattern: bytes) -> None:
    """Read until a pattern has been written."""
    seen = b""
    while not re.search(pattern, seen):
        ready, _, _ = select.select([descriptor], [], [], PATIENCE)
        assert ready, f"nothing but {seen!r} was written"
        seen += os.read(descriptor, 10_000)


def is_alive(pid: int) -> bool:
    """A process that has ended but was not collected yet counts as dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until_dead(pid: int) -> None:
    until = time.monotonic() + PATIENCE
    while is_alive(pid):
        assert time.monotonic() < until, f"process {pid} is still there"
        time.sleep(0.01)
