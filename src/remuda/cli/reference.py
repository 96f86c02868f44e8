"""The reference page of the documentation, written from the commands' own help.

`python -m remuda.cli.reference > docs/options.md` (or `make docs`) refreshes it; a test compares the two.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import click

from remuda.cli.commands import cli
from remuda.cli.reporter import Reporter
from remuda.option_values import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH: Final = 100

VALUES: Final = {  # by annotation, as a reader of remuda.toml would say it
    "str": "string",
    "bool": "`true`, `false`",
    "bool | None": "`true`, `false`",
    "int": "number",
    "int | None": "number",
    "float": "number",
    "float | None": "number",
    "tuple[str, ...]": "list of strings",
    "tuple[tuple[str, int], ...]": "table of NAME = N",
}

INTRODUCTION: Final = """\
# Options

This page is written by `make docs` from the program itself.

## In `remuda.toml` and in Python

The same names are keys of `remuda.toml` and fields of `remuda.options.Options`; flags win over a task
definition, a task definition over `remuda.toml`, and that over the defaults.

"""


def reference_page() -> str:
    """The whole page."""
    return f"{INTRODUCTION}{option_table()}\n## On the command line\n\n{help_sections()}"


def option_table() -> str:
    rows = ["| option | values | default | meaning |", "| --- | --- | --- | --- |"]
    return "\n".join([*rows, *(option_row(field) for field in FIELDS.values())]) + "\n"


def option_row(field: dataclasses.Field[object]) -> str:
    choices = ", ".join(f"`{choice}`" for choice in field.metadata["choices"])
    values = choices or VALUES[str(field.type)]
    default = "" if field.default in (None, (), "") else f"`{toml(field.default)}`"
    return f"| `{field.name}` | {values} | {default} | {field.metadata['help']} |"


def toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def help_sections() -> str:
    return "\n".join(f"### `{path}`\n\n```text\n{text}\n```\n" for path, text in help_texts())


def help_texts() -> Iterator[tuple[str, str]]:
    """Every command with its help, groups before what is in them, always at one width."""
    waiting: list[tuple[click.Command, click.Context | None, str]] = [(cli, None, "remuda")]
    while waiting:
        command, parent, name = waiting.pop(0)
        context = click.Context(
            command, parent=parent, info_name=name, terminal_width=WIDTH, help_option_names=["-h", "--help"]
        )
        yield context.command_path, context.get_help()
        if isinstance(command, click.Group):
            members = ((command.get_command(context, member), member) for member in command.list_commands(context))
            waiting += [(found, context, member) for found, member in members if found is not None]


if __name__ == "__main__":
    Reporter().output(reference_page())
