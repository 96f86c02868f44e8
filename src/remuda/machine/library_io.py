"""Functions of the library for input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from remuda.machine.formats import formatted
from remuda.machine.library_arguments import any_number, pointer_of, size_from, text_at, write_bytes

if TYPE_CHECKING:
    from remuda.machine.calls import Site
    from remuda.machine.intrinsics import Model
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution


# --- output


def _print(first: int) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        form = text_at(execution, pointer_of(execution, values[first]), site.span)
        types = [argument.type for argument in site.node.arguments[first + 1 :]]
        text = formatted(execution, form, values[first + 1 :], types, site.span)
        execution.output.append(text)
        return _length_of_output(execution, site, len(text))

    return model


def _length_of_output(execution: Execution, site: Site, length: int) -> Value:
    """Output may fail, so its result is open."""
    offered = execution.offered("result", site.name, site.span, site.node.type)
    return length if offered is None else offered


def _print_into(first: int, *, is_bounded: bool) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        form = text_at(execution, pointer_of(execution, values[first]), site.span)
        types = [argument.type for argument in site.node.arguments[first + 1 :]]
        text = formatted(execution, form, values[first + 1 :], types, site.span)
        room = size_from(execution, values[1]) if is_bounded else len(text) + 1
        if room:
            write_bytes(execution, pointer_of(execution, values[0]), text[: room - 1] + b"\0", site.span)
        return len(text)

    return model


def _put_text(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    text = text_at(execution, pointer_of(execution, values[0]), site.span)
    execution.output.append(text + (b"\n" if site.name.endswith("puts") and "f" not in site.name else b""))
    return _length_of_output(execution, site, 1)


def _put_character(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    execution.output.append(bytes([values[0] & 255]))
    return _length_of_output(execution, site, values[0] & 255)


INPUT_AND_OUTPUT: Final[dict[str, Model]] = {
    "printf": _print(0),
    **dict.fromkeys(("fprintf", "dprintf"), _print(1)),
    "sprintf": _print_into(1, is_bounded=False),
    "snprintf": _print_into(2, is_bounded=True),
    **dict.fromkeys(("puts", "fputs", "perror"), _put_text),
    **dict.fromkeys(("putchar", "putc", "fputc"), _put_character),
    **dict.fromkeys(("getchar", "getc", "fgetc"), any_number),
}
