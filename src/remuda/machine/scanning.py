"""Reads a text by a format of `scanf` (C11 7.21.6.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.machine.outcomes import not_modelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span

SPACE: Final = " \t\n\v\f\r"
DIRECTIVE: Final = re.compile(
    r"%(\*?)(\d*)(hh|h|ll|l|j|z|t|L|q)?([diouxXcsfFeEgGaApn%]|\[\^?\]?[^\]]*\])|(\s+)|(.)", re.DOTALL
)
NUMBERS: Final = {
    "d": (10, re.compile(r"[+-]?[0-9]+")),
    "u": (10, re.compile(r"[+-]?[0-9]+")),
    "o": (8, re.compile(r"[+-]?[0-7]+")),
    "x": (16, re.compile(r"[+-]?(?:0[xX](?=[0-9a-fA-F]))?[0-9a-fA-F]+")),
    "i": (0, re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")),
}
FLOAT: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@final
@dataclass(frozen=True, slots=True)
class Directive:
    """A part of a format: a conversion (`d`, `u`, `o`, `x`, `i`, `f`, `c`, `s`, `[`, `n`), or ` ` or `=` for text that
    must be there. `text` is that, or the characters of a set."""

    kind: str
    is_stored: bool = False
    width: int | None = None
    text: str = ""
    length: str = ""


def directives(form: str, span: Span) -> list[Directive]:
    found = []
    for part in DIRECTIVE.finditer(form):
        suppressed, width, length, kind, space, plain = part.groups()
        if space is not None or plain is not None:
            found.append(Directive(" ") if space is not None else Directive("=", text=plain))
            continue
        if kind == "%":
            found += [Directive(" "), Directive("=", text="%")]
            continue
        if kind == "p" or (kind in "cs[" and length == "l"):
            raise not_modelled(span, f"the format {part[0]}")
        text = kind[1:-1] if kind.startswith("[") else ""
        plain_kind = "[" if text else {"X": "x"}.get(kind, "f" if kind in "fFeEgGaA" else kind)
        stored = not suppressed
        found.append(Directive(plain_kind, stored, int(width) if width else None, text, length or ""))
    return found


def scanned(text: str, parts: Sequence[Directive]) -> tuple[int, list[str | int | float]]:
    """The number of assigned values (-1 if the text ends before the first), and the values, including those of
    `%n`."""
    at, count, has_converted = 0, 0, False
    made: list[str | int | float] = []
    for part in parts:
        if part.kind == " " or part.kind in "duoxifs":
            while at < len(text) and text[at] in SPACE:
                at += 1
        if part.kind == " ":
            continue
        if part.kind == "n":
            made += [at] if part.is_stored else []
            continue
        if at == len(text):
            return (count if has_converted else -1), made
        limit = len(text) if part.width is None else at + part.width
        if part.kind == "=":
            if text[at] != part.text:
                return count, made
            at += 1
            continue
        found = _matched(text[at:limit], part)
        if found is None:
            return count, made
        value, size = found
        at += size
        has_converted = True
        if part.is_stored:
            made.append(value)
            count += 1
    return count, made


def _matched(text: str, part: Directive) -> tuple[str | int | float, int] | None:
    """The value at the start of a text, and its number of characters."""
    if part.kind == "c":
        size = part.width or 1
        return (text[:size], size) if len(text) >= size else None
    if part.kind == "s":
        size = next((at for at, each in enumerate(text) if each in SPACE), len(text))
        return (text[:size], size) if size else None
    if part.kind == "[":
        size = next((at for at, each in enumerate(text) if not _is_member(each, part.text)), len(text))
        return (text[:size], size) if size else None
    if part.kind == "f":
        number = FLOAT.match(text)
        return None if number is None else (float(number[0]), len(number[0]))
    base, pattern = NUMBERS[part.kind]
    digits = pattern.match(text)
    if digits is None:
        return None
    return _number(digits[0], base), len(digits[0])


def _number(text: str, base: int) -> int:
    plain = text.lstrip("+-")
    if base == 0:
        base = 16 if plain[:2].lower() == "0x" else 8 if plain.startswith("0") else 10
    return int(plain, base) * (-1 if text.startswith("-") else 1)


def _is_member(character: str, members: str) -> bool:
    is_negated = members.startswith("^")
    plain = members[1:] if is_negated else members
    among = {
        chr(each) for low, high in re.findall(r"(.)-(.)", plain, re.DOTALL) for each in range(ord(low), ord(high) + 1)
    }
    among |= set(re.sub(r"(.)-(.)", "", plain, flags=re.DOTALL))
    return (character in among) != is_negated


def written(parts: Sequence[Directive], values: Sequence[str | int | float], count: int) -> str | None:
    """A text that gives these values when it is read, if there is a simple one."""
    if count < 0:
        return ""
    made, told = "", 0
    for part in parts:
        if part.kind == " ":
            made += " "
        elif part.kind == "=":
            made += part.text
        elif part.kind in "duxoif" and part.is_stored:
            if told == count:
                return made if told else "?"
            value = values[told]
            told += 1
            assert not isinstance(value, str)
            made += _digits(value, part.kind) + " "
        else:
            return None
    return made


def _digits(value: int | float, kind: str) -> str:
    if isinstance(value, float) or kind == "f":
        return repr(value)
    sign, size = "-" if value < 0 else "", abs(value)
    return f"{sign}{size:x}" if kind == "x" else f"{sign}{size:o}" if kind == "o" else str(value)
