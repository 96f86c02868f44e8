"""Functions of the library on texts and characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from remuda.machine.library_arguments import byte_at, pointer_of, size_from, text_at, write_bytes
from remuda.machine.library_memory import new_block, sign_of
from remuda.machine.memory import NULL, Pointer

if TYPE_CHECKING:
    from remuda.machine.calls import Site
    from remuda.machine.intrinsics import Model
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution


def _length(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    limit = size_from(execution, values[1]) if len(values) > 1 else None
    return len(text_at(execution, pointer_of(execution, values[0]), site.span, limit))


def _compare_texts(*, is_bounded: bool = False, ignore_case: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        left, right = pointer_of(execution, values[0]), pointer_of(execution, values[1])
        limit = size_from(execution, values[2]) if is_bounded else None
        index = 0
        while limit is None or index < limit:
            one, other = (byte_at(execution, each, index, site.span) for each in (left, right))
            if ignore_case:
                one, other = bytes([one, other]).lower()  # of ASCII only, as in the locale C
            if one != other:
                return sign_of(execution, site, one - other)
            if not one:
                break
            index += 1
        return 0

    return model


def _copy_text(*, to_end: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        target = pointer_of(execution, values[0])
        text = text_at(execution, pointer_of(execution, values[1]), site.span)
        write_bytes(execution, target, text + b"\0", site.span)
        return Pointer(target.object, target.offset + len(text)) if to_end else target

    return model


def _copy_bounded(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    target, limit = pointer_of(execution, values[0]), size_from(execution, values[2])
    text = text_at(execution, pointer_of(execution, values[1]), site.span, limit)
    write_bytes(execution, target, text.ljust(limit, b"\0"), site.span)
    return target


def _append(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    target = pointer_of(execution, values[0])
    limit = size_from(execution, values[2]) if len(values) > 2 else None
    start = len(text_at(execution, target, site.span))
    text = text_at(execution, pointer_of(execution, values[1]), site.span, limit)
    write_bytes(execution, Pointer(target.object, target.offset + start), text + b"\0", site.span)
    return target


def _find_character(*, last: bool = False, or_end: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        start, wanted = pointer_of(execution, values[0]), bytes([values[1] & 255])
        text = text_at(execution, start, site.span) + b"\0"
        at = text.rfind(wanted) if last else text.find(wanted)
        if at < 0:
            return Pointer(start.object, start.offset + len(text) - 1) if or_end else NULL
        return Pointer(start.object, start.offset + at)

    return model


def _find_text(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    start = pointer_of(execution, values[0])
    text, wanted = (text_at(execution, pointer_of(execution, each), site.span) for each in values[:2])
    at = text.find(wanted)
    return NULL if at < 0 else Pointer(start.object, start.offset + at)


def _span(*, of_set: bool, as_pointer: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        start = pointer_of(execution, values[0])
        text, among = (text_at(execution, pointer_of(execution, each), site.span) for each in values[:2])
        at = next((position for position, each in enumerate(text) if (each in among) != of_set), len(text))
        if as_pointer:
            return NULL if at == len(text) else Pointer(start.object, start.offset + at)
        return at

    return model


def _duplicate(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    limit = size_from(execution, values[1]) if len(values) > 1 else None
    text = text_at(execution, pointer_of(execution, values[0]), site.span, limit)
    made = new_block(execution, site, len(text) + 1)
    write_bytes(execution, made, text + b"\0", site.span)
    return made


# --- characters


def _class(members: str) -> Model:
    among = frozenset(map(ord, members))
    return lambda _, __, values: 1 if values[0] in among else 0


DIGITS: Final = "0123456789"
UPPER: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER: Final = UPPER.lower()
GRAPHIC: Final = "".join(map(chr, range(33, 127)))
CHARACTERS: Final[dict[str, Model]] = {
    "isdigit": _class(DIGITS),
    "isupper": _class(UPPER),
    "islower": _class(LOWER),
    "isalpha": _class(UPPER + LOWER),
    "isalnum": _class(DIGITS + UPPER + LOWER),
    "isxdigit": _class(DIGITS + "abcdefABCDEF"),
    "isspace": _class(" \t\n\v\f\r"),
    "isblank": _class(" \t"),
    "isprint": _class(" " + GRAPHIC),
    "isgraph": _class(GRAPHIC),
    "ispunct": _class("".join(each for each in GRAPHIC if each not in DIGITS + UPPER + LOWER)),
    "iscntrl": _class("".join(map(chr, range(32))) + "\x7f"),
    "toupper": lambda _, __, values: values[0] - 32 if 97 <= values[0] <= 122 else values[0],
    "tolower": lambda _, __, values: values[0] + 32 if 65 <= values[0] <= 90 else values[0],
}

TEXTS: Final[dict[str, Model]] = {
    **dict.fromkeys(("strlen", "strnlen"), _length),
    **dict.fromkeys(("strcmp", "strcoll"), _compare_texts()),
    "strncmp": _compare_texts(is_bounded=True),
    "strcasecmp": _compare_texts(ignore_case=True),
    "strncasecmp": _compare_texts(is_bounded=True, ignore_case=True),
    "strcpy": _copy_text(),
    "stpcpy": _copy_text(to_end=True),
    "strncpy": _copy_bounded,
    **dict.fromkeys(("strcat", "strncat"), _append),
    **dict.fromkeys(("strchr", "index"), _find_character()),
    **dict.fromkeys(("strrchr", "rindex"), _find_character(last=True)),
    "strchrnul": _find_character(or_end=True),
    "strstr": _find_text,
    "strspn": _span(of_set=True),
    "strcspn": _span(of_set=False),
    "strpbrk": _span(of_set=False, as_pointer=True),
    **dict.fromkeys(("strdup", "strndup"), _duplicate),
}
