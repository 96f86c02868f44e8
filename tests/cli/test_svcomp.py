"""Property files, verdicts in the words of SV-COMP, and BenchExec running the tool."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from benchexec import result
from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode

from remuda.benchexec_tool import Tool
from remuda.cli.main import main
from remuda.property_files import Property, read_property

CALL: Final = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
LABEL: Final = "CHECK( init(main()), LTL(G ! label(ERROR)) )\n"
OVERFLOW: Final = "CHECK( init(main()), LTL(G ! overflow) )\n"
MEMORY: Final = "".join(f"CHECK( init(main()), LTL(G valid-{name}) )\n" for name in ("free", "deref", "memtrack"))

INPUT: Final = (
    "int __VERIFIER_nondet_int(void); void reach_error(void); void *malloc(unsigned long); void free(void *);\n"
)
REACHED: Final = INPUT + "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }"
OVERFLOWS: Final = (
    INPUT + "int main(void) { int x = __VERIFIER_nondet_int() + 1; if (x != x) reach_error(); return 0; }"
)
LABELLED: Final = INPUT + "int main(void) { if (__VERIFIER_nondet_int()) goto ERROR; return 0; ERROR: return 1; }"
OUTSIDE: Final = (
    INPUT + "int main(void) { int a[3], i = __VERIFIER_nondet_int(); if (i < 0) return 0; return a[i] - a[i]; }"
)
FREED_TWICE: Final = INPUT + "int main(void) { char *p = malloc(4); free(p); free(p); return 0; }"
STUBBED: Final = (
    "int __VERIFIER_nondet_int(void); void reach_error(void) {}\n"
    "int main(void) { reach_error(); return __VERIFIER_nondet_int() + 1; }"
)
KEPT: Final = INPUT + "char *p; int main(void) { p = malloc(4); return 0; }"
BOUNDED: Final = INPUT + "int main(void) { while (__VERIFIER_nondet_int()) if (0) reach_error(); return 0; }"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CALL, Property("unreach-call")),
        ("CHECK( init(start()), LTL(G ! call(__VERIFIER_error())) )", Property("unreach-call", entry="start")),
        (LABEL, Property("unreach-call", "ERROR")),
        (OVERFLOW, Property("no-overflow")),
        (MEMORY, Property("valid-memsafety")),
    ],
)
def test_property_files(text: str, expected: Property, tmp_path: Path) -> None:
    file = tmp_path / "asked.prp"
    file.write_text(text)
    assert read_property(file) == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not a property file"),
        ("hello", "not a property file"),
        (CALL + "hello", "not a property file"),
        ("CHECK( init(main()), LTL(F end) )", "not a property file"),
        ("CHECK( init(main()), LTL(G ! data-race) )", "cannot check ! data-race"),
        (CALL + OVERFLOW, "cannot check ! call(reach_error()) and ! overflow"),
    ],
)
def test_wrong_property_files(text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, program = tmp_path / "asked.prp", tmp_path / "program.c"
    file.write_text(text)
    program.write_text(REACHED)
    assert main(["verify", "--spec", str(file), str(program)]) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("program", "asked", "expected"),
    [
        pytest.param(REACHED, CALL, "false(unreach-call)", id="reached"),
        pytest.param(REACHED, OVERFLOW, "true", id="reached, but no overflow"),
        pytest.param(REACHED, MEMORY, "true", id="reached, but no memory"),
        pytest.param(LABELLED, LABEL, "false(unreach-call)", id="labelled"),
        pytest.param(LABELLED, CALL, "true", id="labelled, but no call"),
        pytest.param(OVERFLOWS, OVERFLOW, "false(no-overflow)", id="overflows"),
        pytest.param(OVERFLOWS, CALL, "true", id="overflows, but no call"),
        pytest.param(STUBBED, OVERFLOW, "false(no-overflow)", id="overflows after a stub that only seems to end it"),
        pytest.param(OUTSIDE, MEMORY, "false(valid-deref)", id="outside"),
        pytest.param(FREED_TWICE, MEMORY, "false(valid-free)", id="freed twice"),
        pytest.param(KEPT, MEMORY, "unknown", id="kept"),
        pytest.param(BOUNDED, OVERFLOW, "true", id="nothing to overflow"),
    ],
)
def test_benchexec_runs_the_tool(program: str, asked: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "asked.prp").write_text(asked)
    (tmp_path / "program.c").write_text(program)
    answer, output = benchexec(tmp_path, {"language": "C", "data_model": "LP64"})
    assert output.splitlines()[-1] == f"VERDICT: {expected}"
    assert answer == ("true" if expected == "true" else result.RESULT_UNKNOWN if expected == "unknown" else expected)


def test_bounded_verdicts_are_unknown(tmp_path: Path) -> None:
    (tmp_path / "asked.prp").write_text(CALL)
    (tmp_path / "program.c").write_text(
        INPUT + "int main(void) { unsigned n = 1, last = 1;\n"  # no random inputs lead to the error
        "  while (__VERIFIER_nondet_int() == (int)(last *= 1664525)) if (n++ > 100) reach_error(); return 0; }"
    )
    assert benchexec(tmp_path, {"language": "C", "data_model": "ILP32"})[0] == result.RESULT_UNKNOWN


def test_wrong_input_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "asked.prp").write_text(CALL)
    (tmp_path / "program.c").write_text("int main(void) { return x; }")
    assert benchexec(tmp_path, {"language": "C", "data_model": "LP64"})[0] == "ERROR (input)"


def benchexec(folder: Path, options: dict[str, str]) -> tuple[str, str]:
    """The result that BenchExec reads from a run, and the output of the run."""
    tool = Tool()
    task = BaseTool2.Task([str(folder / "program.c")], None, str(folder / "asked.prp"), options)
    command = tool.cmdline("remuda", [], task, BaseTool2.ResourceLimits(walltime=60))
    done = subprocess.run(
        [sys.executable, "-m", *command], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    run = BaseTool2.Run(
        command,
        ProcessExitCode.create(value=done.returncode),
        BaseTool2.RunOutput(done.stdout.splitlines(True)),
        None,
    )
    return tool.determine_result(run), done.stdout
