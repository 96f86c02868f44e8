"""Formats of `printf` and `scanf`: their conversions, and how long the text can become.

conversions("%3d: %s")    [Conversion("d", width 3), Conversion("s")]
longest("%d\n")           12, because an int has at most ten digits and a sign
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

_OUTPUT: Final = re.compile(
    r"%(?P<flags>[-+ #0']*)(?P<width>\d+|\*)?(?:\.(?P<precision>\*|\d*))?(?P<length>hh|h|ll|l|j|z|t|L|q)?(?P<kind>.)",
    re.DOTALL,
)
_INPUT: Final = re.compile(
    r"%(?P<flags>\*?)(?P<width>\d+)?(?P<precision>)(?P<length>hh|h|ll|l|j|z|t|L|q|m)?(?P<kind>\[\^?\]?[^\]]*\]|.)",
    re.DOTALL,
)
_DIGITS: Final = {"hh": 3, "h": 5, "": 10}  # of the largest integers, in decimal; 20 for all longer ones
_LONG_DIGITS: Final = 20
_OCTAL_DIGITS: Final = 23  # of the longest integers, with a prefix
_ADDRESS: Final = 18


@final
@dataclass(frozen=True, slots=True)
class Conversion:
    """`%...` in a format. `kind` is the letter, or the text in brackets."""

    kind: str
    flags: str
    width: str | None
    precision: str | None
    length: str
    start: int
    end: int

    @property
    def is_stored(self) -> bool:
        """Whether an argument points to where the input is stored."""
        return self.kind != "%" and self.flags != "*"

    @property
    def is_plain(self) -> bool:
        """Whether a number has neither a precision nor a prefix."""
        return self.precision is None and "#" not in self.flags

    @property
    def is_text(self) -> bool:
        return self.kind in {"s", "c"} or self.kind.startswith("[")

    @property
    def room(self) -> int | None:
        """The largest number of bytes of a text that is read; None if there is no limit."""
        if self.kind == "c":
            return int(self.width or "1")
        return None if self.width is None else int(self.width) + 1


def conversions(format_: str, *, is_input: bool = False) -> list[Conversion]:
    pattern = _INPUT if is_input else _OUTPUT
    found: list[Conversion] = []
    position = 0
    while (match := pattern.search(format_, position)) is not None:
        parts = match.groupdict()
        kind = parts["kind"]
        found.append(
            Conversion(kind, parts["flags"], parts["width"], parts["precision"], parts["length"] or "", *match.span())
        )
        position = match.end()
    return found


def longest(format_: str) -> int | None:
    """An upper bound of the length of the printed text; None if there is none, or it is unknown."""
    total = plain_length(format_)
    for part in conversions(format_):
        length = _longest_part(part)
        if length is None or part.width == "*" or part.precision == "*":
            return None
        total += max(length, int(part.width or "0"))
    return total


def _longest_part(part: Conversion) -> int | None:
    match part.kind:
        case "%":
            return 1
        case "c":
            return 1 if not part.length else None
        case "s":
            return None if part.precision is None or part.length else int(part.precision or "0")
        case "p":
            return _ADDRESS
        case "d" | "i" | "u":
            digits = _DIGITS.get(part.length, _LONG_DIGITS)
            return 1 + (digits if "'" not in part.flags else 2 * digits) + int(part.precision or "0")
        case "x" | "X" | "o":
            return _OCTAL_DIGITS + int(part.precision or "0")
        case _:
            return None


def shortest(format_: str) -> int:
    """A lower bound of the length of the printed text."""
    parts = conversions(format_)
    return plain_length(format_) + sum(_shortest_part(part) for part in parts)


def _shortest_part(part: Conversion) -> int:
    width = int(part.width) if part.width is not None and part.width.isdigit() else 0
    is_never_empty = part.kind in {"%", "c"} or (
        part.kind in {"d", "i", "u", "x", "X", "o"} and part.precision is None
    )
    return max(width, 1 if is_never_empty else 0)


def plain_length(format_: str) -> int:
    """The number of characters that stand for themselves."""
    text = format_.partition("\0")[0]
    return len(text) - sum(part.end - part.start for part in conversions(text))


def shown_text(part: Conversion, text: str) -> str | None:
    """The output of `%s` for a text; None if the width or the precision is an argument, or the characters are
    wide."""
    if part.length or "*" in {part.width, part.precision}:
        return None
    cut = text if part.precision is None else text[: int(part.precision or "0")]
    return cut.ljust(int(part.width or "0")) if "-" in part.flags else cut.rjust(int(part.width or "0"))


def is_integer(part: Conversion, width: int, word: int) -> bool:
    """Whether a conversion prints an integer with this number of bits, without a precision or a prefix."""
    wanted = {"hh": 32, "h": 32, "": 32, "l": word, "z": word, "t": word, "ll": 64, "j": 64, "q": 64}.get(part.length)
    return part.kind in {"d", "i", "u", "x", "X", "o"} and width == wanted and part.is_plain


def shown_integer(part: Conversion, number: int, width: int, word: int) -> str | None:
    """The output of a conversion for an integer with this number of bits; None for an argument of another type, and
    for conversions with a precision or a prefix."""
    if part.width == "*" or not is_integer(part, width, word):
        return None
    bits = {"hh": 8, "h": 16}.get(part.length, width)
    number %= 1 << bits
    is_signed = part.kind in {"d", "i"}
    if is_signed and number >> (bits - 1):
        number -= 1 << bits
    digits = format(abs(number), part.kind if part.kind in {"x", "X", "o"} else "d")
    sign = "-" if number < 0 else next((each for each in "+ " if each in part.flags and is_signed), "")
    room = int(part.width or "0")
    if "-" in part.flags:
        return (sign + digits).ljust(room)
    return sign + digits.rjust(room - len(sign), "0") if "0" in part.flags else (sign + digits).rjust(room)
