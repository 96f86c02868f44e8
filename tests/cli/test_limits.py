"""Limits hold in every command that asks a solver, and what ends one is said in one message."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from remuda.base.errors import InternalError, ToolError, UsageError
from remuda.base.reasons import INTERRUPTED, MEMORY, TIMEOUT
from remuda.cli.limited import exit_code_of, why_stopped
from remuda.cli.main import main
from remuda.jobs.within_limits import run_within_limits
from remuda.options import Options

# Sums of three cubes without a known solution.
SUMS: Final = " ".join(f"assert x*x*x + y*y*y + z*z*z != {number};" for number in (114, 390, 627, 633))
PROGRAMS: Final = {
    "cubes.bpl": f"procedure {{:entrypoint}} main(x, y, z: int) {{ assert x > 1; assert x > 0; {SUMS} }}\n",
    "candidates.bpl": (
        "const {:existential true} b: bool;\n"
        "procedure main(x, y, z: int) returns (r: int); ensures b ==> r != 114;\n"
        "implementation main(x, y, z: int) returns (r: int) { r := x*x*x + y*y*y + z*z*z; }\n"
    ),
}
# Commands on hard programs, and the exit code when time is up: that of `unknown`, or of a result with a note.
HARD: Final = [
    (["verify", "candidates.bpl"], 5),
    (["verify", "--modular", "candidates.bpl"], 5),
    (["isolate", "cubes.bpl"], 5),
    (["implications", "--query-seconds", "60", "cubes.bpl"], 0),
    (["houdini", "cubes.bpl"], 0),
    (["houdini", "candidates.bpl"], 0),
]


@pytest.fixture(autouse=True)
def in_a_folder_with_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("arguments", "code"), HARD)
def test_a_hard_program_ends_when_time_is_up(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([arguments[0], "--timeout", "1", *arguments[1:]]) == code
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    assert "internal error" not in shown.err


@pytest.mark.parametrize("arguments", [arguments for arguments, _ in HARD])
def test_no_memory_is_an_inconclusive_answer(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The process itself is larger than this limit."""
    assert main([arguments[0], "--memory", "5", *arguments[1:]]) == 5
    shown = capsys.readouterr()
    assert "memory" in f"{shown.out}{shown.err}"
    assert "Traceback" not in shown.err
    if arguments[0] in {"implications", "houdini"}:
        assert f"{shown.out}{shown.err}".count("the memory limit of 5 MB was reached before ") == 1


def wait_for_worker(pid: int) -> None:
    """Wait until a process has started another one."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    for _ in range(6000):
        if children.read_text().strip():
            return
        time.sleep(0.01)
    raise AssertionError("no worker was started")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", ["isolate", "houdini", "implications"])
def test_an_interrupt_ends_a_command(command: str, number: int) -> None:
    hard = ["--query-seconds", "60", "cubes.bpl"] if command == "implications" else ["candidates.bpl"]
    hard = ["cubes.bpl"] if command == "isolate" else hard
    arguments = [sys.executable, "-m", "remuda", command, *hard]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        wait_for_worker(running.pid)
        running.send_signal(number)
        try:
            output, errors = running.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
    assert running.returncode == 130
    assert "interrupted" in f"{output}{errors}"
    assert "Traceback" not in errors


def test_kept_results_have_a_note_that_they_are_incomplete(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["houdini", "--timeout", "1", "--json", "candidates.bpl"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kept"] == []
    assert found["dropped"] == {"b": None}
    assert found["notes"] == [
        "the time limit of 1 s was reached before the end of the search: more contracts and invariants may hold"
    ]


# --- the worker


def sleeper(send: Callable[[object], None], seconds: float) -> str:
    send("begun")
    time.sleep(seconds)
    return "done"


def graceful(send: Callable[[object], None]) -> str:
    def end(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, end)
    send("begun")
    try:
        time.sleep(600)
    except KeyboardInterrupt:
        return "what was found"
    return "all"


def eater(_: Callable[[object], None]) -> int:
    held = []
    while True:
        held.append(bytearray(1_000_000))


def failing(_: Callable[[object], None], error: Exception) -> None:
    raise error


def test_a_function_that_ignores_its_limit_is_killed() -> None:
    heard: list[object] = []
    outcome = run_within_limits(sleeper, (600.0,), Options(timeout=0.1), on_message=heard.append)
    assert (outcome.result, outcome.stopped, heard) == (None, TIMEOUT, ["begun"])


def test_a_function_that_handles_interrupts_has_a_result() -> None:
    outcome = run_within_limits(graceful, (), Options(timeout=0.1), grace=60.0)
    assert (outcome.result, outcome.stopped) == ("what was found", TIMEOUT)


def test_a_result_in_time_is_no_stop() -> None:
    outcome = run_within_limits(sleeper, (0.0,), Options(timeout=600.0), grace=60.0)
    assert (outcome.result, outcome.stopped) == ("done", None)


def test_a_function_that_needs_too_much_memory_is_ended() -> None:
    assert run_within_limits(eater, (), Options(memory=100)).stopped == MEMORY


def test_errors_are_those_of_the_function() -> None:
    with pytest.raises(UsageError, match="wrong"):
        run_within_limits(failing, (UsageError("wrong"),), Options())
    with pytest.raises(InternalError, match="ZeroDivisionError: by zero"):
        run_within_limits(failing, (ZeroDivisionError("by zero"),), Options())


def test_a_tool_fails_for_want_of_memory() -> None:
    assert run_within_limits(failing, (ToolError("cannot be loaded"),), Options(memory=5)).stopped == MEMORY
    with pytest.raises(ToolError, match="cannot be loaded"):
        run_within_limits(failing, (ToolError("cannot be loaded"),), Options())


def test_messages_name_the_limit() -> None:
    options = Options(timeout=1.5, memory=200)
    assert why_stopped(TIMEOUT, options) == "the time limit of 1.5 s was reached"
    assert why_stopped(MEMORY, options) == "the memory limit of 200 MB was reached"
    assert why_stopped(INTERRUPTED, options) == "interrupted"


@pytest.mark.parametrize(("has_result", "codes"), [(True, [0, 0, 5, 130]), (False, [5, 5, 5, 130])])
def test_exit_codes(has_result: bool, codes: list[int]) -> None:
    reasons = [None, TIMEOUT, MEMORY, INTERRUPTED]
    assert [exit_code_of(each, has_result=has_result) for each in reasons] == codes
