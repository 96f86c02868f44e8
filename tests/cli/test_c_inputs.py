"""C on the command line: compilation databases, and messages about wrong input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from remuda.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(name="project")
def make_project(tmp_path: Path) -> Path:
    """Two files, of which the second needs a flag that only its compile command has."""
    (tmp_path / "inc").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "inc" / "limit.h").write_text("#define LIMIT OTHER\n")
    (tmp_path / "src" / "a.c").write_text(
        "int limit(void); void __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(limit() == 5); }\n"
    )
    (tmp_path / "src" / "b.c").write_text("#include <limit.h>\nint limit(void) { return LIMIT; }\n")
    (tmp_path / "src" / "other.cpp").write_text("class x {};\n")
    commands = [
        {"directory": str(tmp_path), "file": "src/a.c", "command": "cc -c src/a.c"},
        {"directory": "src", "file": "b.c", "arguments": ["cc", "-I../inc", "-DOTHER=5", "-c", "b.c"]},
        {"directory": "src", "file": "other.cpp", "command": "c++ -c other.cpp"},
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(commands))
    return tmp_path


def test_a_compilation_database_stands_for_its_files(project: Path) -> None:
    assert main(["verify", "-q", str(project / "compile_commands.json")]) == 0


def test_a_compilation_database_says_how_files_are_compiled(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "src")
    assert main(["verify", "-q", "a.c", "b.c"]) == 2
    assert main(["verify", "-q", "a.c", "b.c", "--compile-commands", "../compile_commands.json"]) == 0


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("syntax.c", b"int main(void) { return 0 }\n", "syntax.c:1:26: error: expected ';'"),
        ("include.c", b'#include "none.h"\n', "include.c:1:10: error: 'none.h' file not found"),
        ("empty.c", b"", "empty.c:1:1: error: the file is empty"),
        ("blank.c", b" \n\n", "blank.c:1:1: error: the file is empty"),
        ("plus.cpp", b"class x {};\n", "plus.cpp: this is a C++ file"),
        ("bytes.c", b"int main(void) { int \xff\xfe; return 0; }\n", "bytes.c:1:22: error: "),
        ("binary.c", b"\x00\x01\x02", "binary.c is not a text file"),
        ("none.json", b"[]", "none.json: this compilation database compiles no C file"),
        ("bad.json", b"{", "bad.json: this is not a compilation database"),
    ],
)
def test_wrong_input(
    name: str, content: bytes, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    assert main(["verify", str(file)]) == 2
    output = capsys.readouterr().err
    assert complaint in output
    assert "Traceback" not in output


def test_a_folder_is_no_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "folder.c"
    folder.mkdir()
    assert main(["verify", str(folder)]) == 2
    assert "cannot read" in capsys.readouterr().err


@pytest.mark.parametrize(("given", "configured"), [([], "challenge = 0\n"), (["--challenge", "0"], "")])
def test_no_time_turns_the_challenge_off(
    given: list[str], configured: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text(
        "int nondet(void); void __VERIFIER_assert(int);\n"
        "int main(void) { int x = nondet(); __VERIFIER_assert((x & 1) < 2); }\n"
    )
    command = ["verify", "-q", "--json", "report.json", "a.c"]
    assert main([*command, "--challenge", "0.1"]) == 0
    assert json.loads((tmp_path / "report.json").read_text())["stats"]["challenges"] > 0
    (tmp_path / "remuda.toml").write_text(configured)
    assert main([*command, *given]) == 0
    assert json.loads((tmp_path / "report.json").read_text())["stats"]["challenges"] == 0
