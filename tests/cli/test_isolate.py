"""Isolation through the command line."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from remuda.cli.main import main
from remuda.options import Options
from remuda.results.report import Verdict
from remuda.session.api import verify_files

PROGRAM: Final = """\
void __VERIFIER_assert(int);
int main(void) {
  int n, x = 1;
  while (n < 1000) {
    __VERIFIER_assert(n < 1000);
    n += x;
  }
  for (int i = 0; i < n; i++) {
    if (i == 7) break;
  }
  return 0;
}
"""
BOOGIE: Final = (
    "procedure main(n: int) { var i: int; h: while (i < n) { assert i < n; i := i + 1; } assert i != 7; }\n"
)


@pytest.fixture(name="file")
def c_file(tmp_path: Path) -> Path:
    file = tmp_path / "loops.c"
    file.write_text(PROGRAM)
    return file


def test_isolate_says_where_an_assertion_is_proved(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isolate", str(file)]) == 0
    assert "in the loop at loops.c:4, without the rest of the program" in capsys.readouterr().out


def test_isolate_leaves_open_what_fragments_are_not_enough_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "loops.bpl"
    file.write_text(BOOGIE)
    assert main(["isolate", "--json", "-", str(file)]) == 5
    report = json.loads(capsys.readouterr().out)
    assert [each["verdict"] for each in report["assertions"]] == ["proved", "unknown"]
    assert main(["verify", "--isolate", str(file)]) == 10


def test_loops_are_listed_with_their_locality(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "loops", str(file)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "  local  " in first
    assert "left at line 9, not only at its head" in second


def test_callers_are_listed_and_drawn(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "callers", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["main", "main/while"]
    assert lines[1].endswith("in main")
    assert "1 assertion" in lines[1]
    assert main(["show", "callers", "--dot", str(file)]) == 0
    dot = capsys.readouterr().out
    assert '"main" -> "main/while";' in dot
    assert '"main/while" [shape=ellipse, style=filled];' in dot
    assert main(["show", "callers", "--dot", "--svg", str(file)]) == 1


def test_c_loops_become_functions(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "isolated.c"
    assert main(["transform", "isolate-loops", str(file), "-o", str(out)]) == 0
    assert "this loop stays: a break leaves it at line 9" in capsys.readouterr().err
    assert "main_loop1(&n, x)" in out.read_text()
    assert verify_files([str(out)], Options()).verdict is Verdict.PROVED


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_a_compiler_takes_them(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "isolated.c"
    main(["transform", "isolate-loops", str(file), "-o", str(out)])
    subprocess.run(["gcc", "-fsyntax-only", str(out)], check=True)


def test_boogie_loops_become_procedures(file: Path, tmp_path: Path) -> None:
    for program in (file, tmp_path / "loops.bpl"):
        if program.suffix == ".bpl":
            program.write_text(BOOGIE)
        out = tmp_path / "isolated.bpl"
        assert main(["transform", "isolate-loops", str(program), "-o", str(out)]) == 0
        assert "$body" in out.read_text()
        before, after = (
            sorted(each.verdict.value for each in verify_files([str(each)], Options()).assertions)
            for each in (program, out)
        )
        assert after == before


def test_wrong_use_is_explained(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boogie = tmp_path / "loops.bpl"
    boogie.write_text(BOOGIE)
    assert main(["transform", "isolate-loops", str(boogie), "-o", str(tmp_path / "out.c")]) == 1
    assert main(["isolate", "--backend", "cbmc", str(boogie)]) == 1
    assert "--backend cbmc is for programs that are one C file" in capsys.readouterr().err
    assert main(["isolate", str(file.with_name("missing.c"))]) == 2
    assert main(["verify", "--backend", "boogie", "--no-isolate", str(boogie)]) == 1
    assert main(["verify", "--modular", "--isolate", str(boogie)]) == 1
