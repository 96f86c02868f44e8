"""The whole tool on the quickstart example and on small programs, through the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest

from remuda.cli.main import main
from remuda.results.json_report import schema

ROOT: Final = Path(__file__).parents[2]
QUICKSTART: Final = "examples/quickstart.bpl"

PROVED: Final = "procedure main(x: int) { assert x < x + 1; }"
BOUNDED: Final = """
procedure main(n: int) {
  var i: int;
  var even: bool;
  i, even := 0, true;
  while (i < n) { i, even := i + 1, !even; }
  assert even <==> i mod 2 == 0 || n < 0;
}
"""
BROKEN: Final = "procedure main() {\n  x := 1;\n  y := 2;\n}\n"

Write = Callable[[str], str]


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture(name="write")
def write_program(tmp_path: Path) -> Write:
    """Write a program to a file and give its name."""

    def write(text: str) -> str:
        file = tmp_path / "program.bpl"
        file.write_text(text, encoding="utf-8")
        return str(file)

    return write


def report_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["verify", "--json", "-", *arguments])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema())
    return code, document


def test_quickstart_has_one_assertion_of_each_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = report_of(capsys, QUICKSTART)
    assert code == 10
    verdicts = {entry["location"]["line"]: entry["verdict"] for entry in document["assertions"]}
    text = (ROOT / QUICKSTART).read_text(encoding="utf-8").splitlines()
    expected = {
        number: line.partition("// ")[2].partition(":")[0]
        for number, line in enumerate(text, 1)
        if line.lstrip().startswith("assert ")
    }
    assert verdicts == expected


def test_quickstart_counterexample_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", QUICKSTART]) == 10
    shown = capsys.readouterr().out
    assert "counterexample to quickstart.bpl:Push:assert:1" in shown
    assert "size = 2, capacity = 1  <- fails" in shown
    last = without_bounds(shown.splitlines()[-1])
    assert last.startswith("verdict: violated (1 violated, 1 bounded up to BOUND, 1 proved) in ")


def test_the_readme_shows_what_the_quickstart_prints(capsys: pytest.CaptureFixture[str]) -> None:
    main(["verify", QUICKSTART])
    shown = capsys.readouterr().out.rpartition(" in ")[0]  # all but the time
    assert without_bounds(shown) in without_bounds((ROOT / "README.md").read_text(encoding="utf-8"))


def without_bounds(text: str) -> str:
    """How far a search gets depends on how busy the machine is, and the width of columns on that."""
    return re.sub(r" +", " ", re.sub(r"(?<=up to )\d+|(?<=BOUNDED\()\d+", "BOUND", text))


def test_exit_codes_of_verdicts(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert report_of(capsys, write(PROVED))[0] == 0
    assert report_of(capsys, write(BOUNDED))[0] == 5
    assert report_of(capsys, "--accept", "bounded", write(BOUNDED))[0] == 0


def test_quiet_prints_one_line(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--quiet", write(PROVED)]) == 0
    assert capsys.readouterr().out.startswith("verdict: proved (1 proved) in ")


def test_json_beside_text(write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "report.json"
    assert main(["verify", "--json", str(target), "--stats", write(PROVED)]) == 0
    assert "statistics:" in capsys.readouterr().out
    jsonschema.validate(json.loads(target.read_text(encoding="utf-8")), schema())


def test_input_errors_are_all_reported(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(BROKEN)
    assert main(["verify", file]) == 2
    message = capsys.readouterr().err
    assert f"{file}:2:3: error:" in message
    assert f"{file}:3:3: error:" in message
    assert message.endswith("2 errors\n")


def test_missing_files_are_input_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "no-such-file.bpl"]) == 2
    assert "no-such-file.bpl" in capsys.readouterr().err


def test_an_entry_that_does_not_exist_is_wrong_usage(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--entry", "nobody", write(PROVED)]) == 1
    assert "nobody" in capsys.readouterr().err


def test_all_functions_of_a_c_program_can_be_entries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "entries.c"
    file.write_text("""void __CPROVER_assert(int condition, const char *text);
static int three = 3;
void small(unsigned x) { __CPROVER_assert(x < 10, "small"); __CPROVER_assert(three == 3, "three"); }
int main(void) { small(4); return 0; }
""")
    assert main(["verify", str(file)]) == 0
    assert main(["verify", "--entry", "*", str(file)]) == 10
    assert "1 violated, 1 proved" in capsys.readouterr().out


def test_configuration_is_used_and_flags_win(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "remuda.toml").write_text("bound = 2\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    file = write(BOUNDED)
    assert report_of(capsys, file)[1]["assertions"][0]["bound"] == 2
    assert report_of(capsys, "--bound", "3", file)[1]["assertions"][0]["bound"] == 3


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["ir"], "procedure {:entrypoint} Main(rounds: int)"),
        (["callgraph"], "Main     entry  -> Push"),
        (["callgraph", "--dot"], '"Push" -> "Acquire";'),
        (["loops"], "depth 1"),
        (["vc"], "procedure Push("),
    ],
)
def test_show(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *arguments, QUICKSTART]) == 0
    assert expected in capsys.readouterr().out
