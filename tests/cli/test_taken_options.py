"""A command takes the options that it obeys, and refuses all others."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import click
import pytest

from remuda.cli.commands import all_commands
from remuda.cli.flags import KIND_OF, ProgramCommand, flag_names, option_of, taken_options
from remuda.cli.main import main
from remuda.option_values import FIELDS
from remuda.options import Options, Topic

COMMANDS: Final = {context.command_path: context.command for context in all_commands()}
PROGRAM_COMMANDS: Final = [path for path, command in COMMANDS.items() if isinstance(command, ProgramCommand)]

C: Final = """\
void __CPROVER_assert(int condition, const char *text);
unsigned nondet(void);
static int next(int x) { if (x < 3) __CPROVER_assert(x < 4, "small"); return x + 1; }
int main(void) {
  int sum = 0;
  for (unsigned i = nondet(); i < 2; i++) sum = next(sum);
  return 0;
}
"""
BOOGIE: Final = """\
var g: int;
procedure Down(x: int) returns (r: int) modifies g; requires x >= 0; ensures g >= old(g);
{ if (x > 0) { call r := Down(x - 1); } g := g + 1; r := 1; assert g > 0; }
procedure {:entrypoint} main(n: int) modifies g; {
  var i, r: int;
  g, i := 0, 0;
  while (i < n) invariant i >= 0; { call r := Down(i); i := i + 1; assert i >= 1; }
  assert g >= 0;
}
"""
EXISTENTIAL: Final = """\
const {:existential true} b: bool;
procedure main(x: int) returns (r: int); requires b ==> x > 0;
implementation main(x: int) returns (r: int) { r := x; assert r > 0; }
"""
THREADS: Final = """\
var g: int;
procedure {:entrypoint} main() modifies g; { g := 0; async call Work(); yield; g := g + 1; assert g <= 2; }
procedure Work() modifies g; { g := g + 1; }
"""
PROGRAMS: Final = {"a.c": C, "a.bpl": BOOGIE, "existential.bpl": EXISTENTIAL, "threads.bpl": THREADS}

# Some options are read in runs only that other options ask for.
MORE_RUNS: Final = {
    "remuda verify": [
        ["--abstract", "a.bpl"],
        ["--engine", "dag", "--merge", "random", "--houdini", "--at-a-time", "1", "a.bpl"],
        ["--summaries-dir", "known", "a.bpl"],
        ["--isolate", "a.bpl"],
        ["--modular", "a.bpl"],
    ],
    "remuda implications": [["--scope", "program", "--bound", "2", "a.bpl"]],
    "remuda show inlining": [["--dot", "--bound", "2", "a.bpl"]],
    "remuda transform isolate-loops": [["-o", "out.bpl", "a.c"]],
}
# These pass on all options, whatever they are.
PASSING_ON: Final = frozenset({"checked", "only", "is_open", "options_text"})


@pytest.fixture(name="folder")
def folder_with_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(name="read")
def read_options_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], set[str]]:
    """Note the options that are read, in worker processes too."""
    notes = tmp_path / "read.txt"
    file = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def reading(self: Options, name: str) -> Any:  # noqa: ANN401
        if name in FIELDS and is_by_remuda():
            os.write(file, f"{name}\n".encode())
        return object.__getattribute__(self, name)

    monkeypatch.setattr(Options, "__getattribute__", reading)
    return lambda: set(notes.read_text().split())


def is_by_remuda() -> bool:
    """Whether code of Remuda reads this option by its name, and does not just copy or compare all."""
    frame = sys._getframe(2)
    while frame.f_code.co_name.startswith("<") and frame.f_back is not None:  # a comprehension
        frame = frame.f_back
    return "remuda" in Path(frame.f_code.co_filename).parts and frame.f_code.co_name not in PASSING_ON


@pytest.mark.parametrize("path", PROGRAM_COMMANDS)
def test_a_command_reads_every_option_that_it_takes(
    path: str, folder: Path, read: Callable[[], set[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in [*([name] for name in PROGRAMS), *MORE_RUNS.get(path, [])]:
        main([*path.split()[1:], *arguments])
    capsys.readouterr()
    assert [name for name in taken_options(COMMANDS[path]) if name not in read()] == []
    assert list(folder.iterdir()) != []


@pytest.mark.parametrize("path", PROGRAM_COMMANDS)
def test_a_command_refuses_the_options_that_it_does_not_take(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in FIELDS.keys() - set(taken_options(COMMANDS[path])):
        for flag in flag_names(FIELDS[name]):
            arguments = [flag] if KIND_OF[name].is_pair else [flag, "1"]
            assert main([*path.split()[1:], *arguments, "x.bpl"]) == 1
            shown = capsys.readouterr()
            assert (
                f"`{path}` does not take {flag}, which has no effect there; it is an option of `remuda" in shown.err
            )
            assert shown.out == ""


def test_verify_takes_all_options() -> None:
    assert set(taken_options(COMMANDS["remuda verify"])) == FIELDS.keys()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("remuda show loops", "houdini"),
        ("remuda show loops", "bound"),
        ("remuda show facts", "engine"),
        ("remuda show vc", "bound"),
        ("remuda implications", "jobs"),
        ("remuda implications", "lift"),
        ("remuda isolate", "engine"),
        ("remuda isolate", "rounds"),
        ("remuda houdini", "bound"),
        ("remuda synthesize", "compile_commands"),
        ("remuda transform deep-assert", "lift"),
        ("remuda transform isolate-loops", "rounds"),
    ],
)
def test_options_without_effect_are_not_taken(path: str, name: str) -> None:
    assert name not in taken_options(COMMANDS[path])


def test_a_short_flag_is_refused_like_a_long_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert option_of("-I") == "include_dir"
    assert option_of("--no-lift") == "lift"
    assert option_of("--nonsense") is None
    assert main(["show", "loops", "--nonsense", "x.bpl"]) == 1
    assert "No such option" in capsys.readouterr().err


def test_commands_that_ask_a_solver_take_limits() -> None:
    for path in ("verify", "isolate", "houdini", "implications"):
        assert {"timeout", "memory"} <= set(taken_options(COMMANDS[f"remuda {path}"]))


# --- configuration files and tasks


def test_a_configuration_is_for_all_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`houdini` and `lift` have no effect on `show ir`, and no plan depends on them in `show facts`."""
    assert main(["show", "facts", "a.bpl"]) == 0
    assert "plan:" in (facts := capsys.readouterr().out)
    (folder / "remuda.toml").write_text('houdini = true\nlift = true\nentry = "Down"\n')
    assert main(["show", "callgraph", "a.bpl"]) == 0
    assert capsys.readouterr().out.startswith("Down  entry, recursive")
    (folder / "remuda.toml").write_text("houdini = true\nlift = true\n")
    assert main(["show", "facts", "a.bpl"]) == 0
    assert capsys.readouterr().out == facts


def test_every_command_reads_the_configuration_that_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "other.toml").write_text('entry = "Down"\n')
    assert main(["show", "callgraph", "--config", "other.toml", "a.bpl"]) == 0
    assert capsys.readouterr().out.startswith("Down  entry, recursive")
    (folder / "other.toml").write_text("colour = 1\n")
    for path in PROGRAM_COMMANDS:
        assert main([*path.split()[1:], "--config", "other.toml", "a.bpl"]) == 1
        assert "other.toml: there is no option `colour`" in capsys.readouterr().err


def test_a_task_sets_only_options_that_a_command_takes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "task.yml").write_text(
        "format_version: '2.0'\ninput_files: a.bpl\nproperties:\n  - property_file: unreach-call.prp\n"
        "options:\n  language: Boogie\n  entrypoint: Down\n  recursion_bound: 1\n"
    )
    assert main(["show", "loops", "task.yml"]) == 0
    assert main(["show", "callgraph", "task.yml"]) == 0
    assert "Down  entry, recursive" in capsys.readouterr().out


# --- help


def help_of(path: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*path.split()[1:], "--help"]) == 0
    return capsys.readouterr().out


def test_help_shows_options_by_topic_and_the_common_ones_first(capsys: pytest.CaptureFixture[str]) -> None:
    shown = help_of("remuda verify", capsys)
    headings = ["Options", *(topic.value for topic in Topic)]
    places = [shown.index(f"\n{heading}:\n") for heading in headings]
    assert places == sorted(places)
    assert shown.index("--timeout") < shown.index("--merge")


@pytest.mark.parametrize("path", PROGRAM_COMMANDS)
def test_help_shows_the_options_that_a_command_takes(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = help_of(path, capsys).split()
    taken = set(taken_options(COMMANDS[path]))
    for name, field in FIELDS.items():
        flag = flag_names(field)[0]
        assert any(part.rstrip(",") == flag for part in shown) or name not in taken, flag


def words_of(texts: Sequence[str]) -> set[str]:
    return {word.strip(".,;:()`") for text in texts for word in text.split()}


def test_help_texts_are_whole_sentences() -> None:
    """A help text first says what the option does; the default is added."""
    for name, field in FIELDS.items():
        text = field.metadata["help"]
        assert not text.endswith("."), name
        assert "default" not in words_of([text]), name
    for context in all_commands():
        for parameter in context.command.params:
            if isinstance(parameter, click.Option):
                assert (parameter.help or "").partition("  [default:")[0].endswith("."), parameter.name
