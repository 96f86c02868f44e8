"""The folder of earlier runs: rows only count if they are unchanged."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from pathlib import Path

import pytest

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import Report, Verdict
from remuda.store import summary_store
from remuda.store.recall import KNOWN
from remuda.store.summary_store import FILE, KEPT, Row, SummaryStore
from tests.oracle import source

PROGRAM = """
var g: int;
procedure {:entrypoint} main() modifies g;
{ g := 0; call add(1); call add(2); assert g == 3; call unused(); }
procedure add(n: int) modifies g;
{ g := g + n; }
procedure unused() modifies g;
{ g := g; assert true; }
procedure never_called()
{ assert false; }
"""


def verify(text: str, folder: Path, **more: object) -> Report:
    return run([source(text)], Options(summaries_dir=str(folder), **more), send=lambda _: None)  # type: ignore[arg-type]


def known(report: Report) -> list[str]:
    return [result.identifier for result in report.assertions if KNOWN in result.reason]


def rows(folder: Path) -> list[tuple[int, str, str]]:
    with sqlite3.connect(folder / FILE) as connection:
        return connection.execute("SELECT number, kind, body FROM known ORDER BY number").fetchall()


def test_an_unchanged_program_is_known(tmp_path: Path) -> None:
    first = verify(PROGRAM, tmp_path)
    assert known(first) == []
    second = verify(f"// a comment\n{PROGRAM}", tmp_path)
    assert known(second) == ["random.bpl:main:assert:1", "random.bpl:unused:assert:1"]
    assert second.statistics.solver_calls == 0
    assert second.statistics.verdicts_reused == 2
    assert [each.verdict for each in second.assertions] == [each.verdict for each in first.assertions]


def test_code_that_a_proof_does_not_inline_may_change(tmp_path: Path) -> None:
    text = """
var g: int;
procedure {:entrypoint} main() { g := 0; call other(); assert g == 0; }
procedure other() { var x: int; x := BODY; }
"""
    verify(text.replace("BODY", "1"), tmp_path)
    report = verify(text.replace("BODY", "2"), tmp_path)
    assert known(report) == ["random.bpl:main:assert:1"]
    changed = verify(text.replace("x := BODY", "g := 1; x := 2"), tmp_path)
    assert [each.verdict for each in changed.assertions] == [Verdict.VIOLATED]


def test_a_proof_is_tried_again_after_an_edit(tmp_path: Path) -> None:
    verify(PROGRAM, tmp_path)
    report = verify(PROGRAM.replace("g := g + n", "g := n + g"), tmp_path)
    assert report.statistics.verdicts_rechecked > 0
    assert report.verdict is Verdict.PROVED
    wrong = verify(PROGRAM.replace("g := g + n", "g := g - n"), tmp_path)
    assert wrong.verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("const c: int; axiom c == 3;", "const c: int; axiom c == 4;"),
        ("const c: int; axiom c == 3;", "const c: int;"),
        ("function c(): int { 3 }", "function c(): int { 4 }"),
        ("function d(): int { 3 } function c(): int { d() }", "function d(): int { 4 } function c(): int { d() }"),
        ("var c: int where c == 3;", "var c: int where c == 4;"),
        ("var c: int where c == 3;", "var c: int;"),
    ],
)
def test_axioms_are_part_of_the_key(tmp_path: Path, before: str, after: str) -> None:
    name = "c()" if "function" in before else "c"
    text = f"procedure {{:entrypoint}} main() {{ call f(); assert {name} == 3; }} procedure f() {{ }}"
    assert verify(f"{before}\n{text}", tmp_path).verdict is Verdict.PROVED
    assert verify(f"{after}\n{text}", tmp_path).verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("procedure lib() returns (r: int); ensures r == 3;", "procedure lib() returns (r: int);"),
        ("procedure lib() returns (r: int); ensures r == 3;", "procedure lib() returns (r: int); ensures r >= 3;"),
        (
            "procedure lib() returns (r: int); ensures r == 3;",
            "procedure lib() returns (r: int); ensures r == 3; modifies g;",
        ),
        (
            "procedure lib() returns (r: int) free ensures r == 3; { r := 4; }",
            "procedure lib() returns (r: int) { r := 4; }",
        ),
    ],
)
def test_summaries_of_callees_are_part_of_the_key(tmp_path: Path, before: str, after: str) -> None:
    text = (
        "var g: int; procedure {:entrypoint} main() { var x: int; g := 0; call x := lib(); assert x == 3 && g == 0; }"
    )
    assert verify(f"{text}\n{before}", tmp_path).verdict is Verdict.PROVED
    assert verify(f"{text}\n{after}", tmp_path).verdict is Verdict.VIOLATED


def test_an_assertion_that_a_call_gets_is_not_taken_for_one_that_it_had(tmp_path: Path) -> None:
    """`deep` is proved where only one way leads to it; then there is another."""
    text = """
procedure {:entrypoint} main() { var x: int; call a(1); call b(x); }
procedure a(x: int) { call deep(x); }
procedure b(x: int) { CALL }
procedure deep(x: int) { assert x == 1; }
"""
    assert verify(text.replace("CALL", ""), tmp_path).verdict is Verdict.PROVED
    assert verify(text.replace("CALL", "call deep(x);"), tmp_path).verdict is Verdict.VIOLATED


def test_bounded_verdicts_count_for_the_same_program_and_options(tmp_path: Path) -> None:
    text = """
procedure {:entrypoint} main() { var i: int; var j: int; assume j == i * i * i; while (*) { i := i + 1; j := i * i * i; }
    assert j == i * i * i || LAST; }
"""
    options = {"bound": 2, "houdini": False}
    first = verify(text.replace("LAST", "i == 0"), tmp_path, **options)
    assert [each.verdict for each in first.assertions] == [Verdict.BOUNDED]
    again = verify(text.replace("LAST", "i == 0"), tmp_path, **options)
    assert [(each.verdict, each.bound, each.reason) for each in again.assertions] == [(Verdict.BOUNDED, 2, KNOWN)]
    assert again.statistics.solver_calls == 0
    assert known(verify(text.replace("LAST", "i == 0"), tmp_path, bound=3, houdini=False)) == []
    assert known(verify(text.replace("LAST", "i == 1"), tmp_path, **options)) == []


def test_other_options_have_other_verdicts(tmp_path: Path) -> None:
    text = "procedure {:entrypoint} main() { assert false; } procedure f() { assert true; }"
    assert verify(text.replace("false", "true"), tmp_path).verdict is Verdict.PROVED
    report = verify(text, tmp_path, entry=("f",))
    assert [each.verdict for each in report.assertions] == [Verdict.UNREACHABLE, Verdict.PROVED]
    assert verify(text, tmp_path).verdict is Verdict.VIOLATED
    assert verify(text.replace("false", "true"), tmp_path, property="reach-end").verdict is Verdict.VIOLATED


def test_another_version_knows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verify(PROGRAM, tmp_path)
    monkeypatch.setattr("remuda.store.fingerprints.__version__", "another")
    assert known(verify(PROGRAM, tmp_path)) == []


@pytest.mark.parametrize("damage", ["not a database at all", ""])
def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path, damage: str) -> None:
    (tmp_path / FILE).write_text(damage * 1000, encoding="utf-8")
    report = verify(PROGRAM, tmp_path)
    assert report.verdict is Verdict.PROVED
    assert len(report.notes) == (1 if damage else 0)


def test_damaged_bytes_cost_a_note_and_no_verdict(tmp_path: Path) -> None:
    verify(PROGRAM, tmp_path)
    data = bytearray((tmp_path / FILE).read_bytes())
    for position in range(4096, len(data), 7):
        data[position] ^= 0x55
    (tmp_path / FILE).write_bytes(bytes(data))
    report = verify(PROGRAM.replace("g == 3", "g == 4"), tmp_path)
    assert report.verdict is Verdict.VIOLATED
    assert len(report.notes) == 1


def test_a_row_that_was_changed_does_not_count(tmp_path: Path) -> None:
    verify(PROGRAM, tmp_path)
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("UPDATE known SET body = replace(body, 'proved', 'unreachable')")
    report = verify(PROGRAM, tmp_path)
    assert known(report) == []
    assert len(report.notes) == 1
    assert "damaged" in report.notes[0]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"verdict": 7},
        {"verdict": [], "recipe": 1, "contracts": [7]},
        {"verdict": "violated", "ways": 1},
        {"inlined": [{}]},
    ],
)
def test_rows_of_another_shape_mean_nothing(tmp_path: Path, body: dict[str, object]) -> None:
    verify(PROGRAM, tmp_path)
    with sqlite3.connect(tmp_path / FILE) as connection:
        found = connection.execute("SELECT kind, slot, key FROM known").fetchall()
    store = SummaryStore(str(tmp_path), lambda _: None)
    store.save(Row(kind, slot, key, body) for kind, slot, key in found)
    store.close()
    report = verify(PROGRAM, tmp_path)
    assert known(report) == []
    assert report.verdict is Verdict.PROVED


def test_a_folder_of_another_format_is_not_used(tmp_path: Path) -> None:
    verify(PROGRAM, tmp_path)
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    report = verify(PROGRAM, tmp_path)
    assert known(report) == []
    assert len(report.notes) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read only to root")
def test_a_folder_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    verify(PROGRAM, tmp_path)
    tmp_path.chmod(0o555)
    report = verify(PROGRAM, tmp_path)
    tmp_path.chmod(0o755)
    assert len(known(report)) == 2


def test_a_store_that_can_only_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verify(PROGRAM, tmp_path)

    def refuse(_: SummaryStore) -> sqlite3.Connection:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(SummaryStore, "_connected", refuse)
    report = verify(PROGRAM, tmp_path)
    assert len(known(report)) == 2
    assert "read only" in report.notes[0]
    changed = verify(PROGRAM.replace("g := g + n", "g := n + g"), tmp_path)
    assert changed.verdict is Verdict.PROVED


def test_a_folder_that_cannot_be_made_costs_a_note(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    report = verify(PROGRAM, tmp_path / "file" / "store")
    assert report.verdict is Verdict.PROVED
    assert len(report.notes) == 1


def test_old_rows_go(tmp_path: Path) -> None:
    store = SummaryStore(str(tmp_path), lambda _: None)
    for number in range(KEPT + 3):
        store.save([Row("proof", "slot", str(number), {"n": number})])
    found = store.load("proof", ["slot"])["slot"]
    assert [row.body["n"] for row in found] == [6, 5, 4, 3]


def test_a_run_that_is_killed_leaves_the_store_usable(tmp_path: Path) -> None:
    verify(PROGRAM, tmp_path)

    def half() -> None:
        connection = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM known")
        os._exit(1)

    child = multiprocessing.get_context("fork").Process(target=half)
    child.start()
    child.join()
    assert len(known(verify(PROGRAM, tmp_path))) == 2


def _many(folder: str, first: int) -> None:
    store = SummaryStore(folder, lambda _: os._exit(3))
    for number in range(first, first + 30):
        store.save([Row("proof", f"slot {number % 5}", str(number), {"n": number})])
        store.load("proof", [f"slot {number % 5}"])
    store.close()


def test_runs_at_the_same_time_do_not_disturb_each_other(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=_many, args=(str(tmp_path), first)) for first in (0, 100, 200)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0, 0]
    store = SummaryStore(str(tmp_path), pytest.fail)
    assert all(len(found) == KEPT for found in store.load("proof", [f"slot {n}" for n in range(5)]).values())


def test_threads_are_not_remembered(tmp_path: Path) -> None:
    text = "var g: int; procedure {:entrypoint} main() { g := 0; async call f(); assert g >= 0; } procedure f() { g := 1; }"
    verify(text, tmp_path)
    assert known(verify(text, tmp_path)) == []


def test_nothing_is_written_without_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("a store was made")

    monkeypatch.setattr(summary_store.SummaryStore, "__init__", refuse)
    assert run([source(PROGRAM)], Options(), send=lambda _: None).verdict is Verdict.PROVED


C_PROGRAM = """
int nondet(void);
void reach_error(void);
static int clip(int x) { return x < 0 ? 0 : x; }
int twice(int x) { return x + x; }
int main(void) {
  int y = clip(nondet());
  twice(y);
  if (y < 0) reach_error();
  return 0;
}
"""


def verify_c(text: str, folder: Path, **more: object) -> Report:
    options = Options(summaries_dir=str(folder), **more)  # type: ignore[arg-type]
    return run([Source("program.c", text)], options, send=lambda _: None)


def test_c_programs_are_known_too(tmp_path: Path) -> None:
    assert verify_c(C_PROGRAM, tmp_path).verdict is Verdict.PROVED
    assert len(known(verify_c(C_PROGRAM.replace("x + x", "2 * x"), tmp_path))) == 1
    assert verify_c(C_PROGRAM.replace("? 0 : x", "? -1 : x"), tmp_path).verdict is Verdict.VIOLATED
    assert known(verify_c(C_PROGRAM, tmp_path, arch="ilp32")) == []
    assert known(verify_c(C_PROGRAM, tmp_path, integers="math")) == []
    assert known(verify_c(C_PROGRAM, tmp_path, check=("overflow",))) == []


def test_a_violation_is_found_where_it_was_and_replayed(tmp_path: Path) -> None:
    text = """
var g: int;
procedure {:entrypoint} main() modifies g; { g := 0; call a(); call a(); call a(); assert g < 3; }
procedure a() modifies g; { call b(); }
procedure b() modifies g; { g := g + 1; }
"""
    first = verify(text, tmp_path)
    assert first.verdict is Verdict.VIOLATED
    again = verify(text.replace("g := g + 1", "g := g + 2"), tmp_path)
    assert again.verdict is Verdict.VIOLATED
    assert again.assertions[0].trace
    assert again.statistics.solver_calls < first.statistics.solver_calls
    assert verify(text.replace("g := g + 1", "g := g - 1"), tmp_path).verdict is Verdict.PROVED


def test_verdicts_are_kept_before_the_run_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remuda.store.recall.SAVE_SECONDS", 0.0)
    monkeypatch.setattr("remuda.portfolio.strategies.earlier_runs.EarlierRuns.keep", lambda *_: None)
    verify(PROGRAM, tmp_path)
    monkeypatch.undo()
    assert len(known(verify(PROGRAM, tmp_path))) == 2


def test_a_program_without_procedures_is_no_problem(tmp_path: Path) -> None:
    assert verify("var g: int;", tmp_path).assertions == []
