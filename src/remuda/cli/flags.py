"""The flags that set options, made from the table in `remuda.options`.

    stop_at_first: bool                      --stop-at-first / --no-stop-at-first
    bound_for: tuple[tuple[str, int], ...]   --bound-for NAME=N (any number of times)
    entry: tuple[str, ...]                   --entry NAME (any number of times)

A field's annotation decides how its values are read; an annotation that is not listed here is a defect that
the import of this module reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import click

from remuda.option_values import FIELDS, Field, positive_float, zero_or_positive_float
from remuda.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

META_KEY: Final = "remuda.given_options"


def bound_for_flag(text: str) -> tuple[str, int]:
    """`NAME=N`, where the name may itself hold equal signs."""
    name, _, number = text.rpartition("=")
    if not name or not (number.isascii() and number.isdecimal()):
        raise click.BadParameter(f"{text!r} is not NAME=N, with N a number.")
    return name, int(number)


def seconds_flag(text: str) -> float:
    """A time limit."""
    try:
        return positive_float(float(text))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number above 0.") from None


def zero_or_seconds_flag(text: str) -> float:
    """A time that may be none at all."""
    try:
        return zero_or_positive_float(float(text))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number of 0 or more.") from None


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """How values of one annotation are given as flags."""

    flag_type: Any  # what click takes as a type: one of its own, or a function from text
    repeated: bool = False
    is_pair: bool = False  # --name and --no-name


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
    """Keep what was given, and only that: what was not given is for the configuration file to say."""
    source = context.get_parameter_source(parameter.name or "")
    if source is click.core.ParameterSource.COMMANDLINE:
        context.meta.setdefault(META_KEY, {})[parameter.name] = value


def given_options(context: click.Context) -> dict[str, Any]:
    """The options that the command line gave, by field name."""
    given: dict[str, Any] = context.meta.get(META_KEY, {})
    return given


def option_flags() -> list[click.Parameter]:
    """One flag per field of `Options`."""
    return [option_flag(field, KIND_OF[name]) for name, field in FIELDS.items()]


def option_flag(field: Field, kind: Kind) -> click.Option:
    name = field.name.replace("_", "-")
    choices = field.metadata["choices"]
    short = [field.metadata["short"]] if field.metadata["short"] else []
    return click.Option(
        [*short, f"--{name}/--no-{name}" if kind.is_pair else f"--{name}", field.name],
        type=click.Choice(choices) if choices else kind.flag_type,
        multiple=kind.repeated,
        default=field.default,
        show_default=show_default(field),
        metavar=field.metadata["metavar"] or None,
        help=sentence(field.metadata["help"]),
        callback=remember,
        expose_value=False,
    )


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def show_default(field: Field) -> bool | str:
    """Defaults are shown where there are any."""
    return field.default not in (None, (), "")


def takes_options(command: click.Command) -> click.Command:
    """Give a command the flags of the option table."""
    command.params += option_flags()
    return command


def takes_some_options(*names: str) -> Callable[[click.Command], click.Command]:
    """Give a command the flags of some options: those that mean something to it."""

    def decorate(command: click.Command) -> click.Command:
        command.params += [option_flag(FIELDS[name], KIND_OF[name]) for name in names]
        return command

    return decorate


def build_options(*layers: Mapping[str, Any]) -> Options:
    """Options from layers of values, the later ones winning."""
    merged = {name: value for layer in layers for name, value in layer.items()}
    return Options(**merged)
