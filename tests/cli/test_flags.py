"""Flags and configuration files, both from the one table of options."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click
import pytest

from remuda.base.errors import UsageError
from remuda.cli.config import load_config
from remuda.cli.flags import KIND_OF, ProgramCommand, build_options, given_options, taken_options, takes
from remuda.option_values import FIELDS, read_options
from remuda.options import ENGINES, Options, Topic

if TYPE_CHECKING:
    from pathlib import Path


def parse(*arguments: str) -> dict[str, Any]:
    """The options that these flags give."""

    given: dict[str, Any] = command.main(list(arguments), standalone_mode=False)
    return given


@takes(*Topic)
@click.command(cls=ProgramCommand)
@click.pass_context
def command(context: click.Context) -> dict[str, Any]:
    return given_options(context)


def test_every_option_has_a_flag_and_a_reader() -> None:
    assert taken_options(command) == [field.name for field in fields(Options)]
    assert KIND_OF.keys() == FIELDS.keys()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], {}),
        (["--bound", "7"], {"bound": 7}),
        (["--bound", "4"], {"bound": 4}),  # the default, but given
        (["--bound-for", "a=b/loop=3", "--bound-for", "P=0"], {"bound_for": (("a=b/loop", 3), ("P", 0))}),
        (["--entry", "P", "--entry", "*"], {"entry": ("P", "*")}),
        (["--no-unroll", "--stop-at-first"], {"unroll": False, "stop_at_first": True}),
        (["--solver", "cvc5", "--timeout", "1.5"], {"solver": "cvc5", "timeout": 1.5}),
        (["--challenge", "0"], {"challenge": 0.0}),  # none at all
        (["--challenge", "0.5"], {"challenge": 0.5}),
        (["--timeout", "1e300"], {"timeout": 1e9}),  # more than solvers understand
    ],
)
def test_flags(arguments: list[str], expected: dict[str, Any]) -> None:
    assert parse(*arguments) == expected
    assert build_options(parse(*arguments)) == Options(**expected)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--bound", "0"],
        ["--bound", "x"],
        ["--solver", "yes"],
        ["--bound-for", "P"],
        ["--bound-for", "=3"],
        ["--bound-for", "P=-1"],
        ["--bound-for", "P=\u0663"],  # a digit, but not one of ours
        ["--timeout", "0"],
        ["--timeout", "nan"],
        ["--timeout", "inf"],
        ["--timeout", "1e999"],
        ["--timeout", "soon"],
        ["--challenge", "-1"],
        ["--challenge", "nan"],
        ["--challenge", "never"],
    ],
)
def test_wrong_flags(arguments: list[str]) -> None:
    with pytest.raises(click.UsageError):
        parse(*arguments)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("bound", 7, 7),
        ("stop-at-first", True, True),
        ("entry", "P", ("P",)),
        ("entry", ["P", "Q"], ("P", "Q")),
        ("bound_for", {"P/loop": 3}, (("P/loop", 3),)),
        ("timeout", 2, 2.0),
        ("challenge", 0, 0.0),
        ("engine", "static", "static"),
    ],
)
def test_values_from_files(key: str, value: object, expected: object) -> None:
    assert read_options({key: value}, "x.toml") == {key.replace("-", "_"): expected}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("buond", 7, "x.toml: there is no option `buond`; did you mean `bound`?"),
        ("bound", "7", "x.toml: `bound` must be a number of 1 or more, not '7'"),
        ("bound", True, "x.toml: `bound` must be a number of 1 or more, not True"),
        ("timeout", 0, "x.toml: `timeout` must be a number above 0, not 0"),
        ("timeout", float("inf"), "x.toml: `timeout` must be a number above 0, not inf"),
        ("timeout", float("nan"), "x.toml: `timeout` must be a number above 0, not nan"),
        ("unroll", 1, "x.toml: `unroll` must be true or false, not 1"),
        ("engine", "fast", f"x.toml: `engine` must be one of {', '.join(ENGINES)}, not 'fast'"),
        ("engine", 3, "x.toml: `engine` must be a string, not 3"),
        ("entry", [1], "x.toml: `entry` must be a string or a list of strings, not [1]"),
        ("bound_for", {"P": -1}, "x.toml: `bound_for` must be a table of NAME = N, not {'P': -1}"),
    ],
)
def test_wrong_values_from_files(key: str, value: object, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_options({key: value}, "x.toml")
    assert str(caught.value) == message


def test_later_layers_win() -> None:
    assert build_options({"bound": 2, "solver": "cvc5"}, {"bound": 3}) == Options(bound=3, solver="cvc5")


def test_the_default_configuration_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_config(None) == {}
    (tmp_path / "remuda.toml").write_text('bound = 9\n[bound_for]\n"P/loop" = 2\n', encoding="utf-8")
    assert load_config(None) == {"bound": 9, "bound_for": (("P/loop", 2),)}


@pytest.mark.parametrize(
    ("content", "complaint"), [("bound = ", "Invalid value"), ("colour = 1", "there is no option")]
)
def test_a_broken_configuration_is_refused(tmp_path: Path, content: str, complaint: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=complaint):
        load_config(str(file))


def test_a_missing_configuration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        load_config(str(tmp_path / "none.toml"))
