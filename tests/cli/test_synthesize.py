"""`remuda synthesize` through the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from remuda.cli.main import main

PROGRAM: Final = "int twice(int a) {\n  return a + a;\n}\nint main(void) { int x = twice(2); return x; }\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.c"
    file.write_text(PROGRAM)
    return file


def test_the_program_goes_to_a_file_and_a_summary_to_standard_error(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out.c"
    assert main(["synthesize", str(program), "-o", str(output)]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "assertions at" in told.err
    assert '__CPROVER_assert(remuda_result == 4, "exit of twice");' in output.read_text()
    assert main(["show", "loops", str(output)]) == 0


def test_without_a_file_it_goes_to_standard_output(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["synthesize", "--no-dynamic", "--at", "entries", "--most", "1", str(program)]) == 0
    assert "int twice(int a) { __CPROVER_assert(a == 2," in capsys.readouterr().out


def test_a_task_names_its_program_and_machine(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = program.with_suffix(".yml")
    (program.parent / "unreach-call.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    task.write_text(
        "format_version: '2.0'\ninput_files: program.c\noptions: {language: C, data_model: ILP32}\n"
        "properties: [{property_file: unreach-call.prp, expected_verdict: true}]\n"
    )
    assert main(["synthesize", "--runs", "2", str(task)]) == 0
    assert "__CPROVER_assert" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--no-static", "--no-dynamic"], 1, "leave nothing to write"),
        (["--at", "exits,corners"], 1, "'corners': choose from entries, exits, loops"),
        (["--at", ","], 1, "choose from"),
        (["--most", "0"], 1, "--most"),
        (["--entry", "nobody"], 1, "there is no function nobody to start in"),
        (["-o", "/nowhere/out.c"], 1, "cannot write /nowhere/out.c"),
    ],
)
def test_wrong_usage_is_reported(
    arguments: list[str], code: int, message: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["synthesize", *arguments, str(program)]) == code
    assert message in capsys.readouterr().err


def test_wrong_inputs_are_reported(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["synthesize", str(tmp_path / "missing.c")]) == 2
    assert main(["synthesize", str(program), str(program)]) == 1
    assert "takes one file, not 2" in capsys.readouterr().err
    database = tmp_path / "compile_commands.json"
    database.write_text(f'[{{"directory": "{tmp_path}", "file": "{program}", "command": "cc -c {program}"}}]')
    assert main(["synthesize", str(database)]) == 1
    assert "not a compilation database" in capsys.readouterr().err
    program.write_text("int main( {")
    assert main(["synthesize", str(program)]) == 2
    wrong = tmp_path / "wrong.bpl"
    wrong.write_text("procedure main() { x := 1; }")
    assert main(["synthesize", str(wrong)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_missing_compiler_is_reported(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["synthesize", str(program)]) == 6
    assert "no C compiler is installed" in capsys.readouterr().err
    assert main(["synthesize", "--no-dynamic", str(program)]) == 0


def test_bytes_that_are_no_text_stay(program: Path, tmp_path: Path) -> None:
    program.write_bytes(b"/* caf\xe9 */ " + PROGRAM.encode())
    output = tmp_path / "out.c"
    assert main(["synthesize", str(program), "-o", str(output)]) == 0
    assert output.read_bytes().startswith(b"/* caf\xe9 */ ")
