"""The flags that set options, made from the table in `remuda.options`.

    stop_at_first: bool                      --stop-at-first / --no-stop-at-first
    bound_for: tuple[tuple[str, int], ...]   --bound-for NAME=N (any number of times)
    entry: tuple[str, ...]                   --entry NAME (any number of times)

A command takes the options that it obeys, and no others. It names their topics, and further single options:

    @takes(*PROGRAM, Topic.THREADS, also=("lift",))
    @show.command("vc")

A field's annotation decides how its values are read. The import of this module fails if a field has an annotation
that is not listed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import click

from remuda.option_values import FIELDS, Field, positive_float, zero_or_positive_float
from remuda.options import Options, Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

META_KEY: Final = "remuda.given_options"
CONFIG_KEY: Final = "remuda.config"

# The topics whose options decide how a front end makes a program from files.
PROGRAM: Final = (Topic.INPUT, Topic.MEANING, Topic.CHECKED)


def bound_for_flag(text: str) -> tuple[str, int]:
    """The value of a flag `NAME=N`, where the name may contain equal signs."""
    name, _, number = text.rpartition("=")
    if not name or not (number.isascii() and number.isdecimal()):
        raise click.BadParameter(f"{text!r} is not NAME=N, where N is a number of 0 or more.")
    return name, int(number)


def seconds_flag(text: str) -> float:
    """A time limit."""
    try:
        return positive_float(float(text))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number above 0.") from None


def zero_or_seconds_flag(text: str) -> float:
    """A time limit that may be 0."""
    try:
        return zero_or_positive_float(float(text))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number of 0 or more.") from None


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """The form of the flags for fields of one annotation."""

    flag_type: Any  # a type for click: one of its own, or a function of a string
    repeated: bool = False
    is_pair: bool = False  # the flags are --name and --no-name


KINDS: Final = {
    "str": Kind(click.STRING),
    "bool": Kind(click.BOOL, is_pair=True),
    "bool | None": Kind(click.BOOL, is_pair=True),
    "int": Kind(click.IntRange(min=1)),
    "int | None": Kind(click.IntRange(min=1)),
    "float": Kind(seconds_flag),
    "float | None": Kind(seconds_flag),
    "tuple[str, ...]": Kind(click.STRING, repeated=True),
    "tuple[tuple[str, int], ...]": Kind(bound_for_flag, repeated=True),
}

KIND_OF: Final = {
    name: Kind(zero_or_seconds_flag) if field.metadata["zero"] else KINDS[str(field.type)]
    for name, field in FIELDS.items()
}


# --- flags


def remember(context: click.Context, parameter: click.Parameter, value: Any) -> None:  # noqa: ANN401
    """Record a flag that was given. For other options, the value of the configuration file holds."""
    source = context.get_parameter_source(parameter.name or "")
    if source is click.core.ParameterSource.COMMANDLINE:
        context.meta.setdefault(META_KEY, {})[parameter.name] = value


def given_options(context: click.Context) -> dict[str, Any]:
    """The options that the command line sets, by field name."""
    given: dict[str, Any] = context.meta.get(META_KEY, {})
    return given


def remember_config(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    context.meta[CONFIG_KEY] = value


def given_config(context: click.Context) -> str | None:
    """The configuration file that the command line names."""
    name: str | None = context.meta.get(CONFIG_KEY)
    return name


@final
class TableOption(click.Option):
    """A flag for a field of `Options`."""

    def __init__(self, field: Field) -> None:
        kind, metadata = KIND_OF[field.name], field.metadata
        super().__init__(
            [*filter(None, [metadata["short"]]), "/".join(flag_names(field)), field.name],
            type=click.Choice(metadata["choices"]) if metadata["choices"] else kind.flag_type,
            multiple=kind.repeated,
            default=field.default,
            show_default=field.default not in (None, (), ""),
            metavar=metadata["metavar"] or None,
            help=sentence(metadata["help"], metadata["unset"]),
            callback=remember,
            expose_value=False,
        )
        self.topic: Topic = metadata["topic"]


def flag_names(field: Field) -> list[str]:
    """The flags of a field: `--name`, and `--no-name` if there is one."""
    name = field.name.replace("_", "-")
    return [f"--{name}", f"--no-{name}"] if KIND_OF[field.name].is_pair else [f"--{name}"]


def sentence(text: str, default: str = "") -> str:
    return f"{text[0].upper()}{text[1:]}.{f'  [default: {default}]' if default else ''}"


# --- commands


class ProgramCommand(click.Command):
    """A command about a program. Its help shows options by topic; options that it does not take are refused."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {"Options": [], **{topic.value: [] for topic in Topic}}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                groups[parameter.topic.value if isinstance(parameter, TableOption) else "Options"].append(record)
        for heading, records in groups.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = option_of(error.option_name)
            if name is None:
                raise
            raise click.UsageError(refusal(ctx.command_path, error.option_name, name), ctx) from None


def takes(
    *topics: Topic, also: Sequence[str] = (), but: Sequence[str] = ()
) -> Callable[[click.Command], click.Command]:
    """A decorator that gives a command the options that it obeys: those of some topics, and `also` these, `but` not
    those."""
    names = [name for name, field in FIELDS.items() if field.metadata["topic"] in topics or name in also]
    assert FIELDS.keys() >= {*also, *but}

    def decorate(command: click.Command) -> click.Command:
        assert isinstance(command, ProgramCommand)
        command.params.append(
            click.Option(
                ["--config"],
                metavar="FILE",
                help=sentence("read options from this file", "./remuda.toml, if it exists"),
                callback=remember_config,
                expose_value=False,
            )
        )
        command.params += [TableOption(FIELDS[name]) for name in names if name not in but]
        return command

    return decorate


def taken_options(command: click.Command) -> list[str]:
    """The options that a command takes, by field name."""
    return [parameter.name or "" for parameter in command.params if isinstance(parameter, TableOption)]


def option_of(flag: str) -> str | None:
    """The field that a flag sets, if there is one."""
    for name, field in FIELDS.items():
        if flag in {*flag_names(field), field.metadata["short"]}:
            return name
    return None


def refusal(path: str, flag: str, name: str) -> str:
    """The message that a command does not take an option, with the commands that do."""
    from remuda.cli.commands import all_commands

    others = [f"`{context.command_path}`" for context in all_commands() if name in taken_options(context.command)]
    return f"`{path}` does not take {flag}, which has no effect there; it is an option of {', '.join(others)}."


# --- values


def build_options(*layers: Mapping[str, Any]) -> Options:
    """The options from layers of values; later layers override earlier ones."""
    merged = {name: value for layer in layers for name, value in layer.items()}
    return Options(**merged)


def only(options: Options, names: Collection[str]) -> Options:
    """The options with these names; all others have their defaults."""
    return Options(**{name: getattr(options, name) for name in names})
