"""Where the command line writes, and what happens where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from remuda.cli.reporter import is_terminal, write

ROOT: Final = Path(__file__).parents[2]
VIOLATED: Final = "procedure main(x: int) { assert x > 0; }"


def test_a_stream_that_is_not_there_is_no_problem() -> None:
    write(None, "text")
    assert not is_terminal(None)


def verify(tmp_path: Path, redirections: str) -> subprocess.CompletedProcess[str]:
    """Run the tool in a shell that redirects its output."""
    file = tmp_path / "program.bpl"
    file.write_text(VIOLATED, encoding="utf-8")
    command = f"{sys.executable} -m remuda verify {file} {redirections}"
    environment = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT / "src"))}
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=environment, timeout=60, check=False
    )


@pytest.mark.parametrize("redirections", ["| true; exit ${PIPESTATUS[0]}", ">&-", ">&- 2>&-"])
def test_the_exit_code_has_the_verdict_if_the_output_is_closed(tmp_path: Path, redirections: str) -> None:
    done = verify(tmp_path, redirections)
    assert done.returncode == 10
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_device_is_complained_about(tmp_path: Path) -> None:
    done = verify(tmp_path, "> /dev/full")
    assert done.returncode == 1
    assert done.stderr == "remuda: error: cannot write: No space left on device\n"
