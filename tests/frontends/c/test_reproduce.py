"""Programs made from failing executions fail when gcc builds them and they run."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from remuda.options import Options
from remuda.session import verify_files
from tests.frontends.c.failing_programs import OPTIONS, PROGRAMS
from tests.golden_programs import C_PROGRAMS, options_of
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from remuda.results.report import AssertionResult

NOT_ALL: Final = "cannot be set from outside"


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_fails(name: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(PROGRAMS[name])
    (result,) = violated(file, OPTIONS.get(name, Options()))
    assert NOT_ALL not in result.reproduction
    assert fails(result, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("program", C_PROGRAMS, ids=lambda path: path.stem)
def test_violated_assertions_fail(program: Path, tmp_path: Path) -> None:
    text = program.read_text()
    if not re.search(r"//~.*violated", text):
        pytest.skip("nothing is violated")
    for result in violated(program, options_of(text)):
        if result.kind in {"assert", "error"} and NOT_ALL not in result.reproduction:
            assert fails(result, tmp_path), result.identifier


def violated(file: Path, options: Options) -> list[AssertionResult]:
    report = verify_files([str(file)], replace(options, test_case="folder", timeout=PATIENCE))
    found = [result for result in report.assertions if result.verdict.value == "violated"]
    assert found
    assert all(result.reproduction for result in found)
    return found


def fails(result: AssertionResult, folder: Path) -> bool:
    """Whether the program, built as its first lines say, stops at the assertion."""
    file, program = folder / "reproduction.c", folder / "a.out"
    file.write_text(result.reproduction)
    flags = re.search(r"^ \* gcc (.*) FILE.c -lm && ./a.out$", result.reproduction, re.MULTILINE)
    assert flags is not None
    subprocess.run(["gcc", *flags[1].split(), str(file), "-o", str(program), "-lm"], check=True)
    run = subprocess.run([program], capture_output=True, text=True, errors="replace", timeout=20, check=False)
    output = run.stdout + run.stderr
    return run.returncode != 0 and any(sign in output for sign in ("violated: ", "Assertion `", "runtime error: "))
