"""Reading CBMC's answers, also broken ones. These tests need no CBMC: scripts replace it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from remuda.backends.cbmc import Answer, ask_cbmc, proved_assertions
from remuda.base.errors import ToolError
from remuda.base.source import Source, Span
from remuda.options import Options
from tests.patience import wait_until_dead

SOURCE: Final = Source("program.c", "one\ntwo two\nthree\n")


def claim(name: str, line: int) -> dict[str, Any]:
    location = {"file": "program.c", "line": str(line), "function": "f"}
    return {"name": name, "description": "claim", "class": "assertion", "sourceLocation": location}


PROPERTIES: Final = [{"properties": [claim("f.1", 1), claim("f.2", 2), claim("f.3", 2)]}]


def results(**statuses: str) -> list[dict[str, Any]]:
    found = [{"property": name.replace("_", "."), "status": status} for name, status in statuses.items()]
    return [{"result": found}, {"cProverStatus": "failure"}]


def ask(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, seconds: float = 10.0) -> Answer:
    """The answer if CBMC is this script, in which `$show` is 1 if assertions are listed, and 0 if they are
    checked."""
    program = folder / "cbmc"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *--show-properties*) show=1;; *) show=0;; esac\nif [ $show = 1 ]; then\n'
        f"cat <<'EOF'\n{json.dumps(PROPERTIES)}\nEOF\nexit 0\nfi\n{script}\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return ask_cbmc("", entry="f", source=SOURCE, options=Options(), unwind=2, seconds=seconds)


def say(output: object, code: int = 10) -> str:
    return f"cat <<'EOF'\n{json.dumps(output)}\nEOF\nexit {code}"


def test_all_assertions_of_a_line_must_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = ask(tmp_path, monkeypatch, say(results(f_1="SUCCESS", f_2="SUCCESS", f_3="FAILURE")))
    assert answer.proved == {("program.c", 1): 1}
    assert [each.status for each in answer.properties] == ["SUCCESS", "SUCCESS", "FAILURE"]


def test_assertions_are_found_by_their_lines() -> None:
    one, two, other, three = (Span(SOURCE, start, start + 3) for start in (0, 4, 8, 12))
    answer = Answer(proved={("program.c", 1): 1, ("program.c", 2): 2, ("other.c", 3): 1})
    assert proved_assertions([one, two, other, three], answer) == [one, two, other]
    fewer = Answer(proved={("program.c", 2): 1})  # CBMC does not see one of them
    assert proved_assertions([two, other], fewer) == []


@pytest.mark.parametrize("cut", ["f_unwind_0", "g_recursion"])
def test_a_cut_loop_proves_nothing(cut: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statuses = {"f_1": "SUCCESS", "f_2": "SUCCESS", "f_3": "SUCCESS"}
    answer = ask(tmp_path, monkeypatch, say(results(**statuses, **{cut: "FAILURE"})))
    assert answer.proved == {}
    assert answer.message == f"CBMC did not unwind far enough: {cut.replace('_', '.')}"
    assert ask(tmp_path, monkeypatch, say(results(**statuses, **{cut: "SUCCESS"}))).proved != {}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo '['; exit 0", "CBMC's answer is not JSON"),
        ("echo '{}'; exit 0", "CBMC's answer has an unknown form"),
        (say([{"messageType": "ERROR", "messageText": "syntax error"}], 6), "CBMC failed with code 6: syntax error"),
        ("echo broken >&2; kill -6 $$", "CBMC failed with code -6: broken"),
        (say([{"result": [{"property": "f.1", "status": "SUCCESS"}]}], 0), "CBMC did not finish"),
        (say(results(f_1="ERROR", f_2="UNKNOWN")), "CBMC finds a failure of every assertion"),
        (say(results()), "CBMC finds a failure of every assertion"),
    ],
)
def test_problems_prove_nothing(script: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = ask(tmp_path, monkeypatch, script)
    assert (answer.message, answer.proved) == (message, {})


def test_a_timeout_ends_all_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = tmp_path / "started"
    script = f"sleep 1000 & echo $! >{started}; sleep 1000"
    answer = ask(tmp_path, monkeypatch, script, seconds=2.0)
    assert (answer.message, answer.proved) == ("CBMC ran out of time", {})
    wait_until_dead(int(started.read_text()))


def test_it_stops_when_it_is_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "cbmc"
    program.write_text("#!/bin/sh\nsleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    answer = ask_cbmc(
        "", entry="f", source=SOURCE, options=Options(), unwind=2, seconds=50, is_cancelled=lambda: True
    )
    assert answer.message == "CBMC was stopped"


def test_a_missing_cbmc_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match="make peers"):
        ask_cbmc("", entry="f", source=SOURCE, options=Options(), unwind=2, seconds=5)
