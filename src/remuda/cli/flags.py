"""Options from the command line and from configuration files, both driven by the table in `remuda.options`.

    stop_at_first: bool                      --stop-at-first / --no-stop-at-first
    bound_for: tuple[tuple[str, int], ...]   --bound-for NAME=N (any number of times);  [bound_for] NAME = N
    entry: tuple[str, ...]                   --entry NAME (any number of times);        entry = ["NAME"]

A field's annotation decides how its values are read; an annotation that is not listed here is a defect that
the import of this module reports.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import click

from remuda.base.errors import UsageError
from remuda.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Field = dataclasses.Field[Any]

FIELDS: Final[dict[str, Field]] = {field.name: field for field in dataclasses.fields(Options)}
META_KEY: Final = "remuda.given_options"


def bound_for_flag(text: str) -> tuple[str, int]:
    """`NAME=N`, where the name may itself hold equal signs."""
    name, _, number = text.rpartition("=")
    if not name or not number.isdecimal():
        raise click.BadParameter(f"{text!r} is not NAME=N, with N a number.")
    return name, int(number)


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """How values of one annotation are given: as a flag, and in a TOML file."""

    flag_type: Any  # what click takes as a type: one of its own, or a function from text
    from_toml: Callable[[Any], Any]
    repeated: bool = False


def positive_int(value: Any) -> int:  # noqa: ANN401 - TOML values are anything until they are checked
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError("a number of 1 or more")
    return value


def positive_float(value: Any) -> float:  # noqa: ANN401
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise ValueError("a number above 0")
    return float(value)


def boolean(value: Any) -> bool:  # noqa: ANN401
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def string(value: Any) -> str:  # noqa: ANN401
    if not isinstance(value, str):
        raise ValueError("a string")
    return value


def strings(value: Any) -> tuple[str, ...]:  # noqa: ANN401
    items = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(item, str) for item in items):
        raise ValueError("a string or a list of strings")
    return tuple(items)


def bounds(value: Any) -> tuple[tuple[str, int], ...]:  # noqa: ANN401
    pairs = list(value.items()) if isinstance(value, dict) else value
    if not isinstance(pairs, list | tuple) or not all(is_bound(pair) for pair in pairs):
        raise ValueError("a table of NAME = N")
    return tuple((name, number) for name, number in pairs)


def is_bound(pair: object) -> bool:
    match pair:
        case (str(), int(number)) if not isinstance(number, bool):
            return number >= 0
    return False


KINDS: Final = {
    "str": Kind(click.STRING, string),
    "bool": Kind(click.BOOL, boolean),
    "int": Kind(click.IntRange(min=1), positive_int),
    "int | None": Kind(click.IntRange(min=1), positive_int),
    "float | None": Kind(click.FloatRange(min=0, min_open=True), positive_float),
    "tuple[str, ...]": Kind(click.STRING, strings, repeated=True),
    "tuple[tuple[str, int], ...]": Kind(bound_for_flag, bounds, repeated=True),
}

KIND_OF: Final = {name: KINDS[str(field.type)] for name, field in FIELDS.items()}


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
    is_boolean = kind is KINDS["bool"]
    return click.Option(
        [f"--{name}/--no-{name}" if is_boolean else f"--{name}", field.name],
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
    return field.default is not None and field.default != ()


def takes_options(command: click.Command) -> click.Command:
    """Give a command the flags of the option table."""
    command.params += option_flags()
    return command


# --- values from files


def read_options(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Check what a file says of options; `where` names the file in complaints."""
    checked = {}
    for key, value in values.items():
        name = key.replace("-", "_")
        if name not in FIELDS:
            raise UsageError(f"{where}: there is no option `{key}`{suggestion(name)}")
        checked[name] = read_value(FIELDS[name], value, f"{where}: `{key}`")
    return checked


def read_value(field: Field, value: Any, what: str) -> Any:  # noqa: ANN401
    try:
        read = KIND_OF[field.name].from_toml(value)
    except ValueError as error:
        raise UsageError(f"{what} must be {error}, not {value!r}") from None
    choices = field.metadata["choices"]
    if choices and read not in choices:
        raise UsageError(f"{what} must be one of {', '.join(choices)}, not {value!r}")
    return read


def suggestion(name: str) -> str:
    import difflib

    close = difflib.get_close_matches(name, FIELDS, n=1)
    return f"; did you mean `{close[0]}`?" if close else ""


def build_options(*layers: Mapping[str, Any]) -> Options:
    """Options from layers of values, the later ones winning."""
    merged = {name: value for layer in layers for name, value in layer.items()}
    return Options(**merged)
