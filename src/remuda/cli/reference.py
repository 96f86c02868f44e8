"""Writes the reference page of the documentation, from the table of options and from the help of commands.

`python -m remuda.cli.reference > docs/options.md` (or `make docs`) updates it; a test compares the two.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

import click

from remuda.cli.commands import all_commands
from remuda.cli.flags import KIND_OF, TableOption, flag_names, taken_options
from remuda.cli.reporter import Reporter
from remuda.option_values import FIELDS
from remuda.options import Topic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

VALUES: Final = {  # names of types in remuda.toml, by annotation
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

`make docs` writes this page from the program itself.

An option has one name: `stop_at_first` in `remuda.toml` and in `remuda.options.Options`, `--stop-at-first` on the
command line. Options that are on or off are turned off by `--no-NAME`; options with a list or a table of values may be
given several times. Flags win over a task definition, a task definition over `remuda.toml`, and that over the defaults.

A command takes the options that it obeys, and refuses others. `remuda.toml` is for all commands: each one ignores the
options there that it does not take.
"""

COMMANDS: Final = """\
## Commands

`--help` shows for each command these options in full, exit codes and examples. Every command about a program also takes
`--config FILE`, which names the file to read options from instead of `./remuda.toml`.
"""


def reference_page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *option_sections(), COMMANDS, *command_sections()])


# --- options


def option_sections() -> Iterator[str]:
    for topic in Topic:
        rows = [option_row(field) for field in FIELDS.values() if field.metadata["topic"] is topic]
        yield f"### {topic.value}\n"
        yield table(("option", "values", "default", "meaning"), rows)


def option_row(field: dataclasses.Field[Any]) -> tuple[str, ...]:
    choices = ", ".join(f"`{choice}`" for choice in field.metadata["choices"])
    kind = KIND_OF[field.name]
    values = f"list of {choices}" if choices and kind.repeated else choices or VALUES[str(field.type)]
    short = f"`{field.metadata['short']}`, " if field.metadata["short"] else ""
    return f"{short}`{flag_names(field)[0]}`", values, default_of(field), field.metadata["help"]


def default_of(field: dataclasses.Field[Any]) -> str:
    if field.default in (None, (), ""):
        unset: str = field.metadata["unset"]
        return unset or "none"
    return f"`{toml(field.default)}`"


def toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- commands


def command_sections() -> Iterator[str]:
    for context in all_commands():
        command = context.command
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        yield f"### `{context.command_path}`\n"
        yield f"```text\n{usage}\n```\n"
        yield paragraphs(command.help or "")
        if isinstance(command, click.Group):
            yield f"Commands: {', '.join(f'`{name}`' for name in command.list_commands(context))}.\n"
        rows = [own_row(each) for each in command.params if is_own(each)]
        if rows:
            yield table(("option", "default", "meaning"), rows)
        if taken_options(command):
            yield f"Options of the tables above: {taken_text(taken_options(command))}.\n"


def paragraphs(text: str) -> str:
    """A help text with each paragraph in one line."""
    return "\n\n".join(" ".join(each.split()) for each in text.split("\n\n")) + "\n"


def is_own(parameter: click.Parameter) -> bool:
    is_common = parameter.name in {"config", "help"} and not parameter.expose_value
    return isinstance(parameter, click.Option) and not isinstance(parameter, TableOption) and not is_common


def own_row(parameter: click.Parameter) -> tuple[str, ...]:
    assert isinstance(parameter, click.Option)
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    metavar = parameter.type.choices if isinstance(parameter.type, click.Choice) else [parameter.metavar or ""]
    values = "\\|".join(metavar)
    has_default = parameter.show_default and parameter.default not in (None, ())
    default = f"`{toml(parameter.default)}`" if has_default else ""
    return f"{names} {values}".rstrip(), default, parameter.help or ""


def taken_text(names: Sequence[str]) -> str:
    """The text that lists options: whole topics by their headings, other options by their names."""
    parts = []
    for topic in Topic:
        of_topic = [name for name, field in FIELDS.items() if field.metadata["topic"] is topic]
        taken = [name for name in of_topic if name in names]
        if taken == of_topic:
            parts.append(f"*{topic.value}*")
        elif len(taken) > len(of_topic) / 2 > 1:
            missing = [f"`{flag_names(FIELDS[name])[0]}`" for name in of_topic if name not in taken]
            parts.append(f"*{topic.value}* without {', '.join(missing)}")
        else:
            parts += [f"`{flag_names(FIELDS[name])[0]}`" for name in taken]
    return "; ".join(parts)


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    Reporter().output(reference_page())
