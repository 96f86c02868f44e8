"""`remuda transform` through the command line: it writes a program that means the same."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from remuda.cli.main import main
from remuda.options import Options
from remuda.results.report import Verdict
from remuda.session.api import verify_files

DEEP: Final = """
var s: int;
procedure {:entrypoint} main() modifies s; { s := 0; while (*) { s := s + 1; call check(s); } }
procedure check(n: int) { var k: int; k := n + 1; assert k != 4; assert k > 0; }
"""
C_DEEP: Final = """
extern int __VERIFIER_nondet_int(void);
static int total;
static void add(int n) { if (n > 0 && n < 10) total += n; __CPROVER_assert(total != 27, "total"); }
int main(void) { add(9); add(__VERIFIER_nondet_int()); add(__VERIFIER_nondet_int()); return 0; }
"""
THREADS: Final = """
var x: int;
procedure {:entrypoint} main() modifies x; { x := 0; async call w(); x := x + 1; assert x != 2; }
procedure w() modifies x; { x := x + 1; assert x != 5; }
"""


def verdicts(file: Path) -> list[Verdict]:
    report = verify_files([str(file)], Options(bound=5))
    return sorted((result.verdict for result in report.assertions), key=lambda verdict: verdict.value)


@pytest.mark.parametrize(("name", "text"), [("deep.bpl", DEEP), ("deep.c", C_DEEP)])
def test_lifted_programs_have_the_same_verdicts(name: str, text: str, tmp_path: Path) -> None:
    program, lifted = tmp_path / name, tmp_path / "lifted.bpl"
    program.write_text(text)
    assert main(["transform", "deep-assert", str(program), "-o", str(lifted)]) == 0
    written = lifted.read_text()
    assert "// " in written
    before, _, after = written.partition("implementation main")
    main_text, _, others = after.partition("\n}\n")
    assert "assert " in main_text
    assert "assert " not in before + others
    found = verdicts(lifted)
    assert [verdict is Verdict.VIOLATED for verdict in found] == [
        verdict is Verdict.VIOLATED for verdict in verdicts(program)
    ]


def test_growth_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "deep.bpl"
    program.write_text(DEEP)
    assert main(["transform", "deep-assert", "--stats", str(program)]) == 0
    output = capsys.readouterr()
    assert "procedure {:entrypoint} main()" in output.out
    assert "times as many" in output.err


def test_sequentialized_programs_have_no_threads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "threads.bpl"
    program.write_text(THREADS)
    assert main(["transform", "sequentialize", "--rounds", "2", str(program)]) == 0
    text = capsys.readouterr().out
    assert "async" not in text
    sequential = tmp_path / "sequential.bpl"
    sequential.write_text(text)
    assert Verdict.VIOLATED in verdicts(sequential)


def test_an_unwritable_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "deep.bpl"
    program.write_text(DEEP)
    assert main(["transform", "deep-assert", str(program), "-o", str(tmp_path / "no" / "such.bpl")]) != 0
    assert "cannot write" in capsys.readouterr().err


def test_threads_that_fail_are_lifted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "threads.bpl"
    program.write_text(THREADS)
    assert main(["transform", "deep-assert", str(program)]) == 0
    text = capsys.readouterr().out
    lifted = tmp_path / "lifted.bpl"
    lifted.write_text(text)
    assert verdicts(lifted) == verdicts(program)
    assert text.count("assert ") == THREADS.count("assert ")
    assert "assert " not in text[text.index("implementation w()") :]
    assert text.count("the thread that fails starts") == 1


def test_verify_reports_the_growth_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "deep.bpl"
    program.write_text(DEEP)
    main(["verify", "--lift", "--stats", str(program)])
    assert "growth by lifting" in capsys.readouterr().out
    main(["verify", "--stats", str(program)])
    assert "growth by lifting" not in capsys.readouterr().out
