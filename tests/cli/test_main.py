"""The command line as a whole: exit codes, messages, help, start-up cost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import click
import pytest

from remuda import __version__
from remuda.base.errors import Diagnostic, FileError, InputError, ToolError, Unsupported, UsageError
from remuda.base.reasons import INTERRUPTED
from remuda.base.source import Source, Span
from remuda.cli import main as main_module
from remuda.cli.commands import COMMANDS, all_commands
from remuda.cli.main import main
from remuda.cli.reference import reference_page
from remuda.cli.reporter import Reporter, progress_text
from remuda.cli.verify import exit_code
from remuda.results.progress import Progress
from remuda.results.report import Report, Verdict
from tests.patience import PATIENCE, wait_for_text
from tests.results.sample_reports import mixed_report, result

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = Source("q.bpl", "x := cnt + 1;\n")


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([flag]) == 0
    assert capsys.readouterr().out == f"remuda {__version__}\n"


def test_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; from remuda.cli.main import main; main(['--version']); "
        "print(sorted({'click', 'z3', 'cvc5', 'rich', 'yaml'} & sys.modules.keys()))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Examples:" in shown
    assert "Usage: remuda" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["frobnicate"], "No such command"),
        (["verify"], "Missing argument"),
        (["verify", "--bound", "none", "x.bpl"], "--bound"),
        (["verify", "-q", "-v", "x.bpl"], "exclude each other"),
        (["verify", "--config", "/nowhere/x.toml", "x.bpl"], "cannot read /nowhere/x.toml"),
        (["verify", "--json", "/nowhere/x.json", "x.bpl"], "cannot write /nowhere/x.json"),
        (["verify", "--json", "/", "x.bpl"], "cannot write /: it is a folder"),
        (["verify", "--json", "", "x.bpl"], "--json needs the name of a file"),
        (["verify", "a.yml", "b.bpl"], "give no other files"),
        (["completion", "powershell"], "powershell"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def failing(error: BaseException) -> click.Group:
    """A command line whose command `fail` raises."""

    @click.group()
    def group() -> None:
        pass

    @group.command()
    @click.option("-v", "--verbose", is_flag=True)
    @click.pass_obj
    def fail(reporter: Reporter, *, verbose: bool) -> None:
        reporter.verbose = verbose
        raise error

    return group


TWO_COMPLAINTS: Final = InputError(
    [Diagnostic(Span(SOURCE, 5, 8), "`cnt` is not declared"), Diagnostic(Span(SOURCE, 0, 1), "`x` is not declared")]
)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (UsageError("no such entry"), 1, "remuda: error: no such entry\n"),
        (FileError("q.bpl: no such file"), 2, "remuda: error: q.bpl: no such file\n"),
        (Unsupported(Span(SOURCE, 0, 1), "yield"), 5, "q.bpl:1:1: yield is not supported\nverdict: unknown\n"),
        (ToolError("z3 crashed"), 6, "remuda: a tool failed: z3 crashed\n"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (AssertionError("broken"), 6, "internal error: AssertionError: broken"),
    ],
)
def test_errors_become_messages_and_codes(
    error: BaseException, code: int, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remuda.cli.commands.cli", failing(error))
    assert main(["fail"]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_an_interrupt_while_modules_are_loaded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(arguments: list[str], reporter: Reporter) -> int:  # noqa: ARG001 - as the real one
        raise KeyboardInterrupt

    monkeypatch.setattr("remuda.cli.main.run", interrupted)
    assert main(["verify", "x.bpl"]) == 130
    assert capsys.readouterr().err == "\nremuda: interrupted\n"


def test_all_complaints_about_the_input_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remuda.cli.commands.cli", failing(TWO_COMPLAINTS))
    assert main(["fail"]) == 2
    assert capsys.readouterr().err == (
        "q.bpl:1:6: error: `cnt` is not declared\n"
        "    1 | x := cnt + 1;\n"
        "      |      ^^^\n"
        "q.bpl:1:1: error: `x` is not declared\n"
        "    1 | x := cnt + 1;\n"
        "      | ^\n"
        "2 errors\n"
    )


def test_internal_errors_show_their_traceback_on_request(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remuda.cli.commands.cli", failing(AssertionError("broken")))
    assert main(["fail", "-v"]) == main_module.INTERNAL
    message = capsys.readouterr().err
    assert "Traceback (most recent call last)" in message
    assert "Please report it." in message


@pytest.mark.parametrize(
    ("verdict", "bound", "accept", "code"),
    [
        (Verdict.PROVED, None, (), 0),
        (Verdict.VIOLATED, None, (), 10),
        (Verdict.VIOLATED, None, ("bounded", "nothing-checked"), 10),
        (Verdict.BOUNDED, 4, (), 5),
        (Verdict.BOUNDED, 4, ("nothing-checked",), 5),
        (Verdict.BOUNDED, 4, ("bounded",), 0),
        (Verdict.UNKNOWN, None, ("bounded", "nothing-checked"), 5),
        (Verdict.UNREACHABLE, None, (), 0),
        (Verdict.UNREACHABLE, 4, (), 5),
    ],
)
def test_exit_codes(verdict: Verdict, bound: int | None, accept: tuple[str, ...], code: int) -> None:
    report = Report("x.bpl", [result("P", 1, verdict, bound=bound)])
    assert exit_code(report, accept) == code


def test_a_run_that_checks_nothing_has_an_exit_code_of_its_own() -> None:
    report = Report("x.bpl", nothing_checked="nothing to check: the program has no assertion")
    assert exit_code(report, ()) == 3
    assert exit_code(report, ("bounded",)) == 3
    assert exit_code(report, ("nothing-checked",)) == 0


def test_an_interrupted_run_exits_with_130() -> None:
    report = mixed_report()
    report.stopped = INTERRUPTED
    assert exit_code(report, ("bounded",)) == 130


@pytest.mark.parametrize(("choice", "expected"), [("always", True), ("never", False), ("auto", False)])
def test_colour(choice: str, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert Reporter().wants_color(choice) is expected


def test_progress_goes_only_to_terminals() -> None:
    assert Reporter().progress_line(wanted=True) is None  # pytest captures standard error
    assert progress_text(Progress(2, 14, 3, 9, 1.25)) == (
        "bound 2 | 14 procedure instances | 3 open calls | 9 solver calls | 1.2 s"
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "_REMUDA_COMPLETE" in capsys.readouterr().out


def test_the_reference_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    assert written == reference_page(), "run `make docs`"


def test_the_reference_page_has_every_command() -> None:
    paths = [context.command_path for context in all_commands()]
    assert [path for path in paths if path.count(" ") < 2] == ["remuda", *(f"remuda {name}" for name in COMMANDS)]
    page = reference_page()
    assert [path for path in paths if f"### `{path}`\n" not in page] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_terminated_run_reports_its_results(number: int, tmp_path: Path) -> None:
    """Three cubes with the sum 114: no solution is known."""
    program = tmp_path / "cubes.bpl"
    program.write_text(
        "procedure {:entrypoint} main(x, y, z: int) { assert x*x >= 0; assert x*x*x + y*y*y + z*z*z != 114; }"
    )
    command = [sys.executable, "-m", "remuda", "verify", "--json", "-", str(program)]
    terminal, other_end = os.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other_end, text=True, env=environment) as running:
        os.close(other_end)
        wait_for_text(terminal, rb"bound")  # progress, so that the search has begun
        running.send_signal(number)
        output, _ = running.communicate(timeout=PATIENCE)
    os.close(terminal)
    assert running.returncode == 130
    assert json.loads(output)["incomplete"] == "interrupted"
