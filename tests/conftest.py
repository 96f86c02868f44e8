"""What all tests share: peer tests are skipped, and counted, where the peer is missing.

@pytest.mark.peer("boogie")        # needs /usr/bin/boogie or the like
"""

from __future__ import annotations

import gc
import resource
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable


COLLECT_AT: Final = 100_000_000  # bytes that a process has grown by


def pytest_configure() -> None:
    """A shell that starts the tests in the background has them ignore interrupts, which some tests send."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Modules and tests live as long as the process: every collection of garbage would go through them again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_teardown() -> None:
    """Searches refer to themselves and have solvers, whose memory Python does not see: it would collect them too
    late, and the worker processes that tests fork would begin with gigabytes."""
    if resident() > after_collecting.bytes + COLLECT_AT:
        gc.collect()
        after_collecting.bytes = resident()


@dataclass(slots=True)
class Size:
    bytes: int = 0


after_collecting = Size()


def resident() -> int:
    """The memory that the process uses; 0 if the system does not report it."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()


def missing_tools(names: Iterable[str]) -> list[str]:
    return [name for name in names if shutil.which(name) is None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        names = [name for marker in item.iter_markers("peer") for name in marker.args]
        missing = missing_tools(names)
        if missing:
            item.add_marker(pytest.mark.skip(reason=f"peer not installed: {', '.join(missing)}"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    left_out = sum(isinstance(report, pytest.TestReport) and "peer" in report.keywords for report in skipped)
    if left_out:
        terminalreporter.write_line(f"{left_out} peer tests were left out: `make peers` installs what they need")
