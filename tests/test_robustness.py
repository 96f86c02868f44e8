"""Whatever the input, the answer is one clear message or an honest verdict: no traceback, no crash, no hang.

Programs are verified through the command line, in this process; the worker that it forks is where deep terms would
overflow a stack. Limits on time are only there so that a failing test ends.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest

from remuda.base.errors import InputError
from remuda.base.source import Source
from remuda.cli.main import main
from remuda.frontends.boogie.load import load
from remuda.results.json_report import schema
from tests.patience import PATIENCE, wait_for_text

ROOT: Final = Path(__file__).parents[1]
QUICKSTART: Final = (ROOT / "examples" / "quickstart.bpl").read_text(encoding="utf-8")
DEEP: Final = 10_000
LONG: Final = 20_000
SAFETY_NET: Final = "120"  # seconds

# Grows with every bound, in the formula and in memory; the first assertion fails at once.
HUNGRY: Final = """
procedure fib(n: int) returns (r: int) {
  var a, b: int;
  if (n < 2) { r := n; } else { call a := fib(n - 1); call b := fib(n - 2); r := a + b; }
}
procedure main(n: int) {
  var r, i: int;
  assert n != 3;
  i := 0;
  while (i < n) { call r := fib(i); assert r != 832040 || i == 30; i := i + 1; }
}
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(name="verify")
def verify_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Verify a text or bytes: exit code, output, messages."""

    def verify(program: str | bytes, *flags: str) -> tuple[int, str, str]:
        file = tmp_path / "program.bpl"
        file.write_bytes(program.encode() if isinstance(program, str) else program)
        code = main(["verify", "--timeout", SAFETY_NET, *flags, str(file)])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return verify


def nested(opening: str, core: str, closing: str, depth: int = DEEP) -> str:
    return opening * depth + core + closing * depth


def in_main(body: str, parameters: str = "x: int, b: bool") -> str:
    return f"procedure main({parameters}) {{ {body} }}"


# --- inputs that are no programs


def complaints(text: str) -> int:
    """How many complaints the front end has; any other exception than its own fails the test."""
    try:
        load([Source("quickstart.bpl", text)])
    except InputError as error:
        return len(error.diagnostics)
    return 0


def test_every_beginning_of_a_program_is_accepted_or_complained_about() -> None:
    counts = [complaints(QUICKSTART[:end]) for end in range(len(QUICKSTART))]
    assert sum(count > 0 for count in counts) > len(QUICKSTART) / 2


def test_programs_with_a_part_missing_are_accepted_or_complained_about() -> None:
    choice = random.Random(7)
    cuts = [(choice.randrange(len(QUICKSTART)), choice.randrange(1, 40)) for _ in range(300)]
    counts = [complaints(QUICKSTART[:start] + QUICKSTART[start + length :]) for start, length in cuts]
    assert sum(count > 0 for count in counts) > len(cuts) / 2


@pytest.mark.parametrize("part", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_truncated_files(verify: Run, part: float) -> None:
    code, _, messages = verify(QUICKSTART[: int(len(QUICKSTART) * part)])
    assert code == 2
    assert ": error: " in messages
    assert messages.endswith((" error\n", " errors\n"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x7fELF\x02\x01\x01\x00\x00\x00", "is not a text file"),
        (bytes(range(256)) * 50, "is not a text file"),
        (b"procedure main() {\x00}", "is not a text file"),
        (b"\xff\xfe\xfd", "error:"),
        ("π := ∞;".encode(), "error:"),
        (b"}" * 100_000, "error:"),
        (b'"' + b"a" * 100_000, "error:"),
        (b"/*" * 100_000, "error:"),
        (b"procedure " + b"a" * 1_000_000, "error:"),
    ],
)
def test_files_that_are_no_programs(verify: Run, data: bytes, message: str) -> None:
    code, output, messages = verify(data)
    assert (code, output) == (2, "")
    assert message in messages
    assert len(messages) < 5000


def test_an_empty_file_is_a_program_without_assertions(verify: Run) -> None:
    code, output, _ = verify("")
    assert code == 3
    assert "nothing to check: the program has no assertion" in output


def test_folders_and_missing_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path)]) == 2
    assert f"cannot read {tmp_path}: Is a directory" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "nothing.bpl")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "nothing.yml")]) == 2
    assert "nothing.yml" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["verify", "--bound", "many", "x.bpl"],
        ["verify", "--no-such-flag", "x.bpl"],
        ["no-such-command"],
        ["show", "nothing", "x.bpl"],
        ["verify", "--quiet", "--verbose", "x.bpl"],
        ["verify", "--json", "/no/such/folder/report.json", "x.bpl"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    message = capsys.readouterr().err
    assert message
    assert "Traceback" not in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("assert x;", "int"),
        ("assert b + 1 == 2;", "bool"),
        ("assert x == b;", "int"),
        ("assert y == 1;", "y"),
        ("call nobody();", "nobody"),
        ("assert f(x) == 1;", "f"),
        ("x := 1;", "x"),
        ("goto nowhere;", "nowhere"),
        ("assert (forall y: int :: x);", "int"),
        ("var m: [int]bool; m[b] := true;", "bool"),
        ("var m: [int]bool; assert m[1, 2];", "m"),
        ("break;", "break"),
        ("var x: int;", "x"),
    ],
)
def test_type_errors_and_unknown_names(verify: Run, text: str, message: str) -> None:
    code, output, messages = verify(in_main(text))
    assert (code, output) == (2, "")
    assert message in messages
    assert messages.count(": error: ") == 1
    assert messages.endswith("1 error\n")


def test_several_errors_are_reported_together(verify: Run) -> None:
    code, _, messages = verify(in_main("\n".join(["assert x;", "assert y == 1;", "call nobody();", "goto nowhere;"])))
    assert code == 2
    assert messages.count(": error: ") == 4
    assert messages.endswith("4 errors\n")


# --- deep and long programs


VALID: Final = {
    "parentheses": in_main(f"assert {nested('(', 'true', ')')};"),
    "negations": in_main(f"assert b ==> {nested('!', 'b', '')};"),
    "minus signs": in_main(f"assert x == {nested('-(', 'x', ')')};"),
    "ifs": in_main(nested("if (x > 0) { ", "assert x > 0;", " }", 3000)),
    "else ifs": in_main(" else ".join(f"if (x == {n}) {{ assert x == {n}; }}" for n in range(100))),
    "whiles": in_main(nested("while (x > 0) { ", "assert x > 0;", " }", 100)),
    "quantifiers": in_main(f"assert {nested('(forall y: int :: ', 'x == x', ')')};"),
    "old": "var g: int; " + in_main(f"assert {nested('old(', 'g', ')')} == g;"),
    "sum": in_main(f"assert {' + '.join(['x'] * LONG)} == {LONG} * x;"),
    "conjunction": in_main(f"assert {' && '.join(['b'] * LONG)} <==> b;"),
    "implications": in_main(f"assert b ==> {' ==> '.join(['b'] * LONG)};"),
    "concatenation": in_main(f"assert {' ++ '.join(['v'] * LONG)} == {' ++ '.join(['v'] * LONG)};", "v: bv1"),
    "conditional expressions": in_main(f"assert {nested('(if b then x else ', 'x', ')', 1000)} == x;"),
    "statements": in_main("var y: int; y := x; " + "y := y + 1;\n" * LONG + f"assert y == x + {LONG};"),
    "map stores": in_main("var m: [int]int; m[x] := 0; " + "m[x] := m[x] + 1;\n" * 2000 + "assert m[x] == 2000;"),
    "gotos": in_main(
        "".join(f"L{n}: goto L{n + 1}, L{n + 2};\n" for n in range(DEEP)) + f"L{DEEP}: L{DEEP + 1}: assert x == x;"
    ),
    "attributes": in_main("assert " + '{:note "b"} ' * DEEP + "true;"),
    "comments": "/*" * DEEP + "*/" * DEEP + in_main("assert true;"),
    "identifier": in_main(f"var {'a' * 1_000_000}: int; assert {'a' * 1_000_000} == {'a' * 1_000_000};"),
    "number": in_main(f"assert x == {'9' * DEEP} ==> x + 1 == 1{'0' * DEEP};"),
    "assertions": in_main("\n".join(f"assert x < x + {n};" for n in range(1, 300))),
    "functions": (
        "".join(f"function f{n}(x: int): int {{ f{n + 1}(x) + 1 }}\n" for n in range(500))
        + "function f500(x: int): int { x }\n"
        + in_main("assert f0(x) == x + 500;")
    ),
}


@pytest.mark.parametrize("name", VALID)
def test_deep_and_long_programs_verify(verify: Run, name: str) -> None:
    code, output, messages = verify(VALID[name], "--quiet")
    assert (code, messages) == (0, "")
    assert output.startswith("verdict: proved (")


VIOLATED: Final = {
    "statements": "function f(int): int; "
    + in_main("var y: int; y := x; " + "y := f(y);\n" * LONG + "assert y != f(f(y));"),
    "map selections": in_main(f"assert {nested('m[', '0', ']')} == 0;", "m: [int]int"),
    "calls": (
        "".join(f"procedure p{n}(x: int) {{ call p{n + 1}(x + 1); }}\n" for n in range(200))
        + "procedure p200(x: int) { assert x != 200; }\n"
        + in_main("call p0(x);")
    ),
    "recursion": (
        "procedure p(x: int) { if (x > 0) { call p(x - 1); } else { assert x != 0; } }\n"
        + in_main("call p(100);", "")
    ),
}


@pytest.mark.parametrize("name", VIOLATED)
def test_deep_counterexamples_are_replayed_and_printed(verify: Run, name: str) -> None:
    code, output, messages = verify(VIOLATED[name], "--bound", "101")
    assert (code, messages) == (10, "")
    assert "<- fails" in output
    assert len(output.splitlines()) < 200


def test_a_chain_of_thousands_of_calls_can_be_inlined_at_once(verify: Run) -> None:
    count = 1000
    chain = "".join(f"procedure p{n}(x: int) {{ call p{n + 1}(x + 1); }}\n" for n in range(count))
    program = chain + f"procedure p{count}(x: int) {{ assert x != {count}; }}\n" + in_main("call p0(x);")
    assert verify(program, "--engine", "static", "--quiet")[0] == 10


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(in_main("\n".join(f"assert x < x + {n};" for n in range(1, 2001))), id="assertions"),
        pytest.param(in_main(nested("if (x > 0) { ", "assert x > 0;", " }")), id="ifs"),
        pytest.param(in_main(nested("while (x > 0) { ", "assert x > 0;", " }", 500)), id="whiles"),
    ],
)
def test_very_deep_and_long_programs_verify(verify: Run, program: str) -> None:
    assert verify(program, "--quiet", "--timeout", "600")[0] == 0


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(in_main("assert m == m;", f"m: {'[int]' * DEEP}int"), id="nested-ranges"),
        pytest.param(in_main("assert m == m;", f"m: {nested('[', 'int', ']int')}"), id="nested-domains"),
        pytest.param(
            "".join(f"type t{n} = [int]t{n + 1};\n" for n in range(500)) + "type t500;" + in_main("", "m: t0"),
            id="synonyms",
        ),
    ],
)
def test_constructs_that_are_nested_too_deeply_are_unknown(verify: Run, program: str) -> None:
    code, output, _ = verify(program)
    assert code == 5
    assert "is not supported" in output


def test_loops_nested_beyond_reason_end_with_the_time(verify: Run) -> None:
    code, output, _ = verify(in_main(nested("while (x > 0) { ", "assert x > 0;", " }")), "--timeout", "2")
    assert code in {0, 5}
    assert output


# --- limits


def report_of(verify: Run, program: str, *flags: str) -> tuple[int, dict[str, Any]]:
    code, output, _ = verify(program, "--json", "-", *flags)
    document: dict[str, Any] = json.loads(output)
    jsonschema.validate(document, schema())
    return code, document


def test_a_timeout_keeps_what_was_decided(verify: Run) -> None:
    code, report = report_of(verify, HUNGRY, "--bound", "1000", "--timeout", "4")
    first, second = report["assertions"]
    assert (code, report["incomplete"]) == (10, "timeout")
    assert (first["verdict"], second["verdict"]) == ("violated", "bounded")
    assert 1 <= second["bound"] < 1000
    assert second["reason"].startswith("timeout")


def test_the_bound_that_was_searched_in_time_is_claimed(verify: Run) -> None:
    program = HUNGRY.replace("assert n != 3;", "")
    code, report = report_of(verify, program, "--bound", "1000", "--timeout", "3")
    assert (code, report["verdict"], report["incomplete"]) == (5, "bounded", "timeout")
    assert all(1 <= entry["bound"] < 1000 for entry in report["assertions"])


def test_memory_is_limited(verify: Run) -> None:
    program = HUNGRY.replace("assert n != 3;", "")
    code, report = report_of(verify, program, "--bound", "1000", "--memory", "200")
    assert (code, report["incomplete"]) == (5, "memory")
    for entry in report["assertions"]:
        assert entry["verdict"] in {"unknown", "bounded"}
        assert entry["reason"].startswith("memory")


def test_a_solver_that_ignores_its_time_limit_is_stopped(verify: Run) -> None:
    deep = nested("f(-", "x", ")", LONG)
    code, _ = report_of(verify, "function f(int): int; " + in_main(f"assert {deep} == 0;"), "--timeout", "2")
    assert code in {5, 10}  # its time depends on the solver


# --- interruption


def test_an_interrupt_prints_what_is_known(tmp_path: Path) -> None:
    """The progress line on a pseudo-terminal shows that the search has passed the first bound."""
    file = tmp_path / "program.bpl"
    file.write_text(HUNGRY, encoding="utf-8")
    terminal, other_end = os.openpty()
    command = [sys.executable, "-m", "remuda", "verify", "--bound", "1000", str(file)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other_end, env=environment, text=True) as process:
        os.close(other_end)
        try:
            wait_for_text(terminal, rb"bound ([2-9]|\d\d)")
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            os.close(terminal)
    assert process.returncode == 130
    assert "VIOLATED" in output
    assert "<- fails" in output
    assert "reason: interrupted before bound 1000" in output
    assert output.endswith("; stopped early: interrupted\n")
