"""Task definitions: valid and invalid ones, and the options that they set."""

from __future__ import annotations

from pathlib import Path

import pytest

from remuda.base.errors import FileError
from remuda.options import Options
from remuda.tasks import Task, asks_for_end, expected, load_task, task_options

HEAD = "format_version: '2.0'\n"
UNREACH = "properties:\n  - property_file: ../properties/unreach-call.prp\n    expected_verdict: {}\n"


def write_task(
    folder: Path, *, options: str = "", verdict: str = "true", files: str = "'a.bpl'", properties: str = ""
) -> Path:
    for name in ("a.bpl", "b.bpl"):
        (folder / name).write_text("", encoding="utf-8")
    path = folder / "queue.yml"
    listed = properties or UNREACH.format(verdict)
    indented = "".join(f"  {line}\n" for line in options.splitlines())
    text = f"{HEAD}input_files: {files}\n{listed}options:\n  language: Boogie\n{indented}"
    path.write_text(text, encoding="utf-8")
    return path


def load(folder: Path, options: str = "", verdict: str = "true") -> Task:
    return load_task(write_task(folder, options=options, verdict=verdict))


def test_reads_name_inputs_property_and_verdict(tmp_path: Path) -> None:
    task = load(tmp_path, verdict="false")
    assert task.name == "queue"
    assert task.inputs == (tmp_path / "a.bpl",)
    assert task.property_name == "unreach-call"
    assert task.verdict is False
    assert task.options.language == "Boogie"


def test_input_files_may_be_a_list(tmp_path: Path) -> None:
    task = load_task(write_task(tmp_path, files="['a.bpl', 'b.bpl']"))
    assert [file.name for file in task.inputs] == ["a.bpl", "b.bpl"]


def test_the_first_property_that_is_known_counts(tmp_path: Path) -> None:
    listed = "properties:\n  - property_file: valid-memsafety.prp\n    expected_verdict: true\n"
    listed += "  - property_file: unreach-call.prp\n    expected_verdict: false\n"
    task = load_task(write_task(tmp_path, properties=listed))
    assert (task.property_name, task.verdict) == ("unreach-call", False)


def test_the_verdict_may_be_missing(tmp_path: Path) -> None:
    task = load_task(write_task(tmp_path, properties="properties:\n  - property_file: unreach-call.prp\n"))
    assert task.verdict is None
    assert expected(task) is None


def test_options_become_options(tmp_path: Path) -> None:
    task = load(tmp_path, "recursion_bound: 7\nentrypoint: '*'\nstack_depth_bound: 9")
    options = task_options(task, Options(engine="static"))
    assert (options.bound, options.entry, options.stack_depth) == (7, ("*",), 9)
    assert options.engine == "static"
    assert options.property == "unreach-call"


def test_explicit_flags_override_the_task(tmp_path: Path) -> None:
    task = load(tmp_path, "recursion_bound: 7\nentrypoint: main")
    options = task_options(task, Options(bound=2), {"bound"})
    assert (options.bound, options.entry) == (2, ("main",))


def test_options_that_the_task_does_not_set_stay(tmp_path: Path) -> None:
    options = task_options(load(tmp_path), Options(bound=3, entry=("f",)))
    assert (options.bound, options.entry) == (3, ("f",))


def test_an_unrolling_bound_is_a_bound(tmp_path: Path) -> None:
    assert task_options(load(tmp_path, "unroll_bound: 11"), Options()).bound == 11


def test_reach_end_by_property_file(tmp_path: Path) -> None:
    listed = "properties:\n  - property_file: ../properties/reach-end.prp\n    expected_verdict: true\n"
    task = load_task(write_task(tmp_path, properties=listed))
    assert asks_for_end(task)
    assert task_options(task, Options()).property == "reach-end"


def test_reach_end_by_error_specification(tmp_path: Path) -> None:
    task = load(tmp_path, "error_spec: 'end of the entry procedure is reached (some convention)'")
    assert task_options(task, Options()).property == "reach-end"


@pytest.mark.parametrize(
    ("verdict", "options", "wanted"),
    [
        ("true", "", "true"),
        ("false", "", "false"),
        ("false", "semantics: modular\nwhole_program_verdict: unknown", "unknown"),
        ("false", "semantics: modular\nwhole_program_verdict: false", "false"),
        ("false", "semantics: modular\nwhole_program_verdict: true", "true"),
        ("true", "semantics: modular", "true"),
        ("false", "semantics: modular", "unknown"),
        ("false", "semantics: 'whole-program; modular contracts'", "false"),
    ],
)
def test_expected(tmp_path: Path, verdict: str, options: str, wanted: str) -> None:
    assert expected(load(tmp_path, options, verdict)) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "not YAML"),
        ("- 1\n", "must be a mapping"),
        ("", "must be a mapping"),
        (HEAD + UNREACH.format("true"), "input_files"),
        (HEAD + "input_files: 7\n", "property"),
        (HEAD + "input_files: 'a.bpl'\n", "properties"),
        (HEAD + "input_files: 'a.bpl'\nproperties: []\n", "properties"),
        (HEAD + "input_files: 'a.bpl'\nproperties:\n  - expected_verdict: true\n", "property_file"),
        (HEAD + "input_files: 'a.bpl'\nproperties:\n  - property_file: no-data-race.prp\n", "no-data-race"),
        (HEAD + "input_files: []\n" + UNREACH.format("true"), "input_files"),
        (HEAD + "input_files: 'a.bpl'\n" + UNREACH.format("maybe"), "expected_verdict"),
        (HEAD + "input_files: 'a.bpl'\n" + UNREACH.format("true") + "options: [1]\n", "options"),
        (HEAD + "input_files: 'a.bpl'\n" + UNREACH.format("true") + "options: {recursion_bound: x}\n", "0 or more"),
        (HEAD + "input_files: 'a.bpl'\n" + UNREACH.format("true") + "options: {entrypoint: 1}\n", "string"),
    ],
)
def test_bad_definitions_are_refused_with_the_file_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.bpl").write_text("", encoding="utf-8")
    path = tmp_path / "bad.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=message) as caught:
        load_task(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("text", ["[" * 50_000 + "]" * 50_000, "- " * 50_000, "{a: " * 200 + "}" * 200])
def test_definitions_nested_beyond_reason_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "deep.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match="nested too deep"):
        load_task(path)


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot read"):
        load_task(tmp_path / "none.yml")
    path = write_task(tmp_path)
    (tmp_path / "a.bpl").unlink()
    with pytest.raises(FileError, match=r"a\.bpl does not exist"):
        load_task(path)


def test_not_text(tmp_path: Path) -> None:
    path = tmp_path / "binary.yml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="UTF-8"):
        load_task(path)
