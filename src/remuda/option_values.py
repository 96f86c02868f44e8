"""Checks the values of options that files and callers give, and converts them to the types of the fields.

    timeout = -1          refused: `timeout` must be a number above 0, not -1
    entry = "main"        ("main",)
    bound_for = {P = 2}   (("P", 2),)

A field's annotation decides how its values are read. The import of this module fails if a field has an annotation
that is not listed here.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

from remuda.base.errors import UsageError
from remuda.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Field = dataclasses.Field[Any]

FIELDS: Final[dict[str, Field]] = {field.name: field for field in dataclasses.fields(Options)}
FOREVER: Final = 1e9  # seconds: solvers take no greater limits


def positive_int(value: Any) -> int:  # noqa: ANN401 - values are anything until they are checked
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError("a number of 1 or more")
    return value


def positive_float(value: Any) -> float:  # noqa: ANN401
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ValueError("a number above 0")
    return float(min(value, FOREVER))


def zero_or_positive_float(value: Any) -> float:  # noqa: ANN401
    if value == 0 and not isinstance(value, bool):
        return 0.0
    try:
        return positive_float(value)
    except ValueError:
        raise ValueError("a number of 0 or more") from None


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


READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "str": string,
    "bool": boolean,
    "bool | None": boolean,
    "int": positive_int,
    "int | None": positive_int,
    "float": positive_float,
    "float | None": positive_float,
    "tuple[str, ...]": strings,
    "tuple[tuple[str, int], ...]": bounds,
}

READER_OF: Final = {
    name: zero_or_positive_float if field.metadata["zero"] else READERS[str(field.type)]
    for name, field in FIELDS.items()
}


def read_options(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The options that a file sets, checked and converted; `where` names the file in error messages."""
    checked = {}
    for key, value in values.items():
        name = key.replace("-", "_")
        if name not in FIELDS:
            raise UsageError(f"{where}: there is no option `{key}`{suggestion(name)}")
        checked[name] = read_value(FIELDS[name], value, f"{where}: `{key}`")
    return checked


def read_value(field: Field, value: Any, what: str) -> Any:  # noqa: ANN401
    try:
        read = READER_OF[field.name](value)
    except ValueError as error:
        raise UsageError(f"{what} must be {error}, not {value!r}") from None
    choices = field.metadata["choices"]
    if choices and any(one not in choices for one in (read if isinstance(read, tuple) else (read,))):
        raise UsageError(f"{what} must be one of {', '.join(choices)}, not {value!r}")
    return read


def suggestion(name: str) -> str:
    import difflib

    close = difflib.get_close_matches(name, FIELDS, n=1)
    return f"; did you mean `{close[0]}`?" if close else ""


def checked(options: Options) -> Options:
    """The options of a caller of the API, checked and converted."""
    given = {name: getattr(options, name) for name in FIELDS}
    changed = {name: value for name, value in given.items() if value != FIELDS[name].default}
    return dataclasses.replace(options, **read_options(changed, "options"))
