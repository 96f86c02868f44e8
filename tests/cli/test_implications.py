"""`remuda implications` through the command line."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from remuda.cli.main import main
from tests.patience import PATIENCE, wait_for_text

EXAMPLE: Final = str(Path(__file__).parents[2] / "examples" / "implications.c")
CHAIN: Final = """\
procedure {:entrypoint} main(x: int, y: int) {
  assert x > 2;
  assert x > 1;
  assert x > 0;
  assert y == 7;
  assert 7 == y;
}
"""
# Sums of three cubes without a known solution.
HARD: Final = "\n".join(
    (
        "procedure {:entrypoint} main(x, y, z: int) { assert x > 1; assert x > 0;",
        *(f"assert x*x*x + y*y*y + z*z*z != {number};" for number in [114, 390, 627, 633, 732, 921, 975] * 3),
        "}\n",
    )
)


@pytest.fixture(name="chain")
def chain_file(tmp_path: Path) -> str:
    file = tmp_path / "chain.bpl"
    file.write_text(CHAIN)
    return str(file)


@pytest.fixture(name="hard")
def hard_file(tmp_path: Path) -> str:
    file = tmp_path / "hard.bpl"
    file.write_text(HARD)
    return str(file)


def test_text(chain: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["implications", "--both-directions", chain]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{chain}:2:3: x > 2 (strongest)",
        f"    implies {chain}:3:3: x > 1",
        f"{chain}:3:3: x > 1",
        f"    implies {chain}:4:3: x > 0",
        f"{chain}:4:3: x > 0 (weakest)",
        f"{chain}:5:3: y == 7 (strongest, weakest, equivalent)",
        f"    equivalent to {chain}:6:3: 7 == y",
        f"{chain}:6:3: 7 == y (strongest, weakest, equivalent)",
        f"    equivalent to {chain}:5:3: y == 7",
    ]
    assert last.startswith("5 assertions, 5 implications, 4 dependent pairs, ")
    assert main(["implications", "--all-edges", chain]) == 0
    assert capsys.readouterr().out.count("implies") == 4


def test_one_assertion(chain: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["implications", "--assertion", "chain.bpl:main:assert:3", chain]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "implies" not in line] == [
        f"{chain}:2:3: x > 2 (strongest)",
        f"{chain}:3:3: x > 1 (strongest)",
        f"{chain}:4:3: x > 0 (weakest)",
    ]
    assert last.startswith("3 assertions, 2 implications, ")


def test_far_assertions_are_not_compared(chain: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["implications", "--distance", "0", chain]) == 0
    assert ", 3 implications, 3 dependent pairs, " in capsys.readouterr().out


def test_scopes_and_what_counts(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["implications", "--integers", "math", "--bound", "2", EXAMPLE]
    assert main(arguments) == 0
    assert "6 assertions, 2 implications, " in capsys.readouterr().out
    assert main([*arguments, "--scope", "program"]) == 0
    assert "6 assertions, 2 implications up to bound 2, " in capsys.readouterr().out
    assert main([*arguments, "--scope", "program", "--equalities"]) == 0
    output = capsys.readouterr().out
    assert f"{EXAMPLE}:20:3: i >= a + b (strongest)\n    implies {EXAMPLE}:39:3: z >= x + y\n" in output


def test_generated_checks_are_assertions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["implications", "--check", "overflow", EXAMPLE]) == 0
    assert "no overflow in a + b" in capsys.readouterr().out


def test_files(chain: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document, page = tmp_path / "chain.json", tmp_path / "chain.html"
    assert main(["implications", chain, "--json", str(document), "--html", str(page)]) == 0
    assert "5 assertions" in capsys.readouterr().out
    graph = json.loads(document.read_text())
    assert graph["reduced"] == [
        [f"chain.bpl:main:assert:{a}", f"chain.bpl:main:assert:{b}"] for a, b in ((1, 2), (2, 3), (4, 5))
    ]
    assert graph["stats"]["solver_calls"] > 0
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_standard_output(chain: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["implications", chain, "--json", "-"]) == 0
    assert len(json.loads(capsys.readouterr().out)["assertions"]) == 5
    assert main(["implications", chain, "--html", "-"]) == 0
    assert capsys.readouterr().out.endswith("</html>\n")
    assert main(["implications", chain, "--dot"]) == 0
    assert capsys.readouterr().out.startswith("digraph implications {")


@pytest.mark.peer("dot")
def test_picture(chain: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["implications", chain, "--svg"]) == 0
    assert "<svg" in capsys.readouterr().out


def test_tasks(chain: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = tmp_path / "task.yml"
    task.write_text(
        f"format_version: '2.0'\ninput_files: {Path(chain).name}\nproperties:\n  - property_file: unreach-call.prp\n"
    )
    assert main(["implications", str(task)]) == 0
    assert "5 assertions" in capsys.readouterr().out


def test_wrong_use_is_explained(chain: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (
        ["--dot", "--svg"],
        ["--json", "-", "--html", "-"],
        ["--json", str(tmp_path / "no" / "where.json")],
        ["--html", str(tmp_path)],
        ["--html", ""],
        ["--distance", "-1"],
        ["--query-seconds", "0"],
        ["--scope", "galaxy"],
        ["--assertion", "nobody"],
    ):
        assert main(["implications", chain, *wrong]) == 1, wrong
    assert "Traceback" not in capsys.readouterr().err
    broken = tmp_path / "broken.bpl"
    broken.write_text("procedure main( {")
    assert main(["implications", str(broken)]) == 2
    assert main(["implications", str(tmp_path / "missing.c")]) == 2


def test_programs_without_assertions_and_with_threads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.bpl"
    file.write_text("procedure {:entrypoint} main() { }")
    assert main(["implications", str(file)]) == 0
    assert capsys.readouterr().out.startswith("0 assertions, 0 implications, ")
    file.write_text("procedure t() { } procedure {:entrypoint} main(x: int) { async call t(); assert x > 0; }")
    assert main(["implications", str(file)]) == 0
    assert "note: assertions of programs with threads are not compared\n" in capsys.readouterr().out


def test_time_is_kept(hard: str, capsys: pytest.CaptureFixture[str]) -> None:
    began = time.monotonic()
    assert main(["implications", "--timeout", "3", "--query-seconds", str(PATIENCE), hard]) == 0
    assert time.monotonic() - began < PATIENCE / 2
    assert "note: the time ran out before the end of the search" in capsys.readouterr().out
    assert main(["implications", "--query-seconds", "0.2", hard]) == 0
    assert "note: some questions had no answer in 0.2 s" in capsys.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_reports_its_results(number: int, hard: str) -> None:
    seconds = str(PATIENCE) if number == signal.SIGINT else "1"  # only one of them interrupts a solver
    command = [sys.executable, "-m", "remuda", "implications", "--query-seconds", seconds, "--json", "-", hard]
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=slave, text=True, env=environment) as running:
        os.close(slave)
        try:
            wait_for_text(master, rb"comparing assertions")
            running.send_signal(number)
            output, _ = running.communicate(timeout=PATIENCE)
        finally:
            running.kill()
            os.close(master)
    assert running.returncode == 130
    assert json.loads(output)["notes"] == ["interrupted before the end of the search: there may be more implications"]


def test_progress_is_shown_on_terminals(hard: str) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "remuda", "implications", "--timeout", "3", "--query-seconds", "3", hard]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=slave, env=environment) as running:
        os.close(slave)
        assert running.wait(timeout=PATIENCE) == 0
    shown = os.read(master, 100_000).decode()
    os.close(master)
    assert "comparing assertions: 1 of 1 sequences" in shown
    assert shown.endswith("\x1b[K")
