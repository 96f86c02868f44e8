"""Functions of the library for input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax.types import INT, FloatingType, IntegerType, PointerType
from remuda.machine.arithmetic import require_double, single, wrap
from remuda.machine.formats import formatted
from remuda.machine.library_arguments import (
    any_number,
    between,
    bytes_from_outside,
    pointer_of,
    size_from,
    text_at,
    write_bytes,
)
from remuda.machine.memory import NULL, Pointer
from remuda.machine.outcomes import Cause, not_modelled, undefined
from remuda.machine.scanning import Directive, directives, scanned, written
from remuda.machine.settings import TEXT

if TYPE_CHECKING:
    from remuda.frontends.c.syntax import ast
    from remuda.machine.calls import Site
    from remuda.machine.intrinsics import Model
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution

END: Final = -1  # EOF
LARGEST_INT: Final = (1 << 31) - 1


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
    """The result of an output function, which is open because output may fail."""
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


def _print_list(first: int) -> Model:
    """`vprintf` and its like."""

    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        execution.output.append(_formatted_list(execution, site, values, first))
        return _length_of_output(execution, site, len(execution.output[-1]))

    return model


def _print_list_into(first: int, *, is_bounded: bool) -> Model:
    """`vsprintf` and `vsnprintf`."""

    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        text = _formatted_list(execution, site, values, first)
        room = size_from(execution, values[1]) if is_bounded else len(text) + 1
        if room:
            write_bytes(execution, pointer_of(execution, values[0]), text[: room - 1] + b"\0", site.span)
        return len(text)

    return model


def _formatted_list(execution: Execution, site: Site, values: list[Any], first: int) -> bytes:
    form, cell = text_at(execution, pointer_of(execution, values[first]), site.span), values[first + 1]
    found = execution.lists.get((cell.object, cell.offset)) if isinstance(cell, Pointer) else None
    if found is None:
        raise not_modelled(site.span, site.name)
    given, at = found
    return formatted(
        execution, form, [value for value, _ in given[at:]], [type_ for _, type_ in given[at:]], site.span
    )


# --- input


def _scan(first: int) -> Model:
    """`scanf` and `fscanf`: the number of values, and every value, comes from outside."""

    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        form = text_at(execution, pointer_of(execution, values[first]), site.span).decode("latin-1")
        stored = [part for part in directives(form, site.span) if part.is_stored]
        if any(part.kind in "s[n" or (part.kind == "c" and part.width) for part in stored):
            raise not_modelled(site.span, f"{site.name} of a text")
        count, read = _read_from_outside(execution, site, first, len(stored))
        _assign(execution, site, values, first, read[: max(0, count)])
        return count

    return model


def _read_from_outside(
    execution: Execution, site: Site, first: int, most: int, kind: str = "library"
) -> tuple[int, list[Any]]:
    """The number of values that are read, and the values, including those that are not read."""
    count = execution.ask(kind, site.name, site.span, INT)
    count = count if isinstance(count, int) and END <= count <= most else most
    arguments = site.node.arguments[first + 1 : first + 1 + most]
    return count, [
        execution.ask(kind, f"{site.name} of {each.span.text}", site.span, _pointed(site, each)) for each in arguments
    ]


def _scan_text(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`sscanf`. If the text comes from outside and nothing has read it yet, it is chosen such that it gives the
    values of the inputs."""
    source = pointer_of(execution, values[0])
    form = text_at(execution, pointer_of(execution, values[1]), site.span).decode("latin-1")
    parts = directives(form, site.span)
    stored = [part for part in parts if part.is_stored]
    object_ = execution.memory.check(source, 0, 1, site.span)
    if object_.kind == "argument" and not execution.memory.is_known(object_, source.offset, 1):
        count, read = _read_from_outside(execution, site, 1, len(stored), TEXT)
        text = written(parts, read, count)
        room = object_.size - source.offset - 1
        is_open = object_.known is not None and not any(object_.known[source.offset : source.offset + room])
        if text is None or len(text) > room or not is_open or scanned(text, parts)[0] != count:
            raise not_modelled(site.span, f"a text that {site.name} reads")
        write_bytes(execution, source, text.encode("latin-1") + b"\0", site.span)
    count, found = scanned(text_at(execution, source, site.span).decode("latin-1"), parts)
    _assign(execution, site, values, 1, found)
    return count


def _assign(execution: Execution, site: Site, values: list[Any], first: int, read: list[Any]) -> None:
    form = text_at(execution, pointer_of(execution, values[first]), site.span).decode("latin-1")
    stored = [part for part in directives(form, site.span) if part.is_stored]
    if len(values) - first - 1 < len(stored):
        raise undefined(Cause.OTHER, site.span, "a format that asks for more arguments than there are")
    for position, (part, value) in enumerate(zip(stored, read, strict=False), first + 1):
        target = pointer_of(execution, values[position])
        if isinstance(value, str):
            end = b"" if part.kind == "c" else b"\0"
            write_bytes(execution, target, value.encode("latin-1") + end, site.span)
            continue
        type_ = _pointed(site, site.node.arguments[position])
        size = type_.width // 8
        if isinstance(type_, FloatingType) != (part.kind == "f"):
            raise undefined(Cause.OTHER, site.span, f"{site.name} reads a number of another type into {type_}")
        if size != _size_read(part, execution.memory.pointer_size):
            raise undefined(Cause.OTHER, site.span, f"{site.name} reads a number of another size into {type_}")
        require_double(type_, site.span)
        object_ = execution.memory.check(target, 0, size, site.span, write=True)
        if isinstance(type_, IntegerType):
            value = wrap(value, type_)
        execution.memory.write_leaf(
            object_, target.offset, type_, single(value) if isinstance(value, float) and size == 4 else value
        )


def _size_read(part: Directive, pointer_size: int) -> int:
    if part.kind == "f":
        return 8 if part.length == "l" else 4 if not part.length else 16
    sizes = {"hh": 1, "h": 2, "": 4, "l": pointer_size, "ll": 8, "q": 8, "j": 8, "z": pointer_size, "t": pointer_size}
    return 1 if part.kind == "c" else sizes.get(part.length, 0)


def _pointed(site: Site, argument: ast.Expression) -> IntegerType | FloatingType:
    """The type of the number that an argument points to."""
    type_ = argument.type.target if isinstance(argument.type, PointerType) else None
    if not isinstance(type_, IntegerType | FloatingType):
        raise not_modelled(site.span, f"reading {argument.span.text} by {site.name}")
    return type_


def _read_line(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`fgets`: some characters and a zero, or null."""
    target, room = pointer_of(execution, values[0]), size_from(execution, values[1])
    length = execution.ask("library", site.name, site.span, INT)
    is_read = execution.ask("library", site.name, site.span, INT)
    execution.memory.check(target, 0, room, site.span, write=True)
    if room == 0:
        return NULL
    length = length if isinstance(length, int) and 0 <= length < room else room - 1
    text = bytes_from_outside(execution, site, length)
    if not is_read:
        return NULL
    write_bytes(execution, target, text, site.span)
    write_bytes(execution, Pointer(target.object, target.offset + length), b"\0", site.span)
    return target


def _read_bytes(buffer_at: int, sizes_at: tuple[int, ...]) -> Model:
    """`read` and `fread`: any bytes, up to the number in the argument."""

    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        target, sizes = (
            pointer_of(execution, values[buffer_at]),
            [size_from(execution, values[at]) for at in sizes_at],
        )
        most = sizes[-1]
        total = most if len(sizes) == 1 else sizes[0] * most
        size_type = IntegerType(execution.target.pointer_width, signed=False)
        done = execution.ask("library", site.name, site.span, size_type)
        has_failed = len(sizes) == 1 and execution.ask("library", site.name, site.span, INT)
        if total:
            execution.memory.check(target, 0, total, site.span, write=True)
        done = done if isinstance(done, int) and done <= most else most
        data = bytes_from_outside(execution, site, total if len(sizes) > 1 else done)
        if has_failed:
            return -1
        write_bytes(execution, target, data, site.span)
        return done

    return model


def _time(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`time` also writes what it returns."""
    now = any_number(execution, site, values)
    target = pointer_of(execution, values[0]) if values else NULL
    if target:
        type_ = site.node.type
        size = execution.memory.pointer_size
        object_ = execution.memory.check(target, 0, size, site.span, write=True)
        assert now is not None
        execution.memory.write_leaf(object_, target.offset, type_, now)
    return now


def _environment(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`getenv`: null, or any text."""
    found = any_number(execution, site, values)
    return execution.text_from_outside(f"the text of {site.name} at {site.span}") if found else NULL


def _sleep(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`sleep`: the seconds that are left."""
    return between(0, values[0] & 0xFFFF_FFFF)(execution, site, values)


_ASKED: Final = (
    *("fopen", "fopen64", "fdopen", "freopen", "tmpfile", "fwrite", "write", "open", "close", "fseek", "ftell"),
    *("rewind", "feof", "ferror", "clearerr", "ungetc", "remove", "rename", "unlink", "lseek", "isatty"),
    *("access", "fsync", "dup", "dup2", "pause", "getppid", "geteuid", "alarm"),
    *("setenv", "unsetenv", "putenv", "system", "setlocale"),
)

INPUT_AND_OUTPUT: Final[dict[str, Model]] = {
    **dict.fromkeys(("scanf", "__isoc99_scanf"), _scan(0)),
    **dict.fromkeys(("fscanf", "__isoc99_fscanf"), _scan(1)),
    **dict.fromkeys(("sscanf", "__isoc99_sscanf"), _scan_text),
    "fgets": _read_line,
    **dict.fromkeys(("read", "recv"), _read_bytes(1, (2,))),
    "fread": _read_bytes(0, (1, 2)),
    "time": _time,
    "getenv": _environment,
    **dict.fromkeys(_ASKED, any_number),
    "vprintf": _print_list(0),
    **dict.fromkeys(("vfprintf", "vdprintf"), _print_list(1)),
    "vsprintf": _print_list_into(1, is_bounded=False),
    "vsnprintf": _print_list_into(2, is_bounded=True),
    "printf": _print(0),
    **dict.fromkeys(("fprintf", "dprintf"), _print(1)),
    "sprintf": _print_into(1, is_bounded=False),
    "snprintf": _print_into(2, is_bounded=True),
    **dict.fromkeys(("puts", "fputs", "perror"), _put_text),
    **dict.fromkeys(("putchar", "putc", "fputc"), _put_character),
    **dict.fromkeys(("getchar", "getc", "fgetc", "getchar_unlocked", "getc_unlocked", "_IO_getc"), between(END, 255)),
    "sleep": _sleep,
    "usleep": between(-1, 0),
    "fileno": between(-1, LARGEST_INT),
}
