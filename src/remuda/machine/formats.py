"""The output of `printf`."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax.types import IntegerType
from remuda.machine.arithmetic import wrap
from remuda.machine.library_arguments import pointer_of, text_at
from remuda.machine.memory import Pointer
from remuda.machine.outcomes import Cause, not_modelled, undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.run import Execution

DIRECTIVE: Final = re.compile(r"%([-+ #0']*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")
KINDS: Final = "scpdiuxXofeEgGF"


def formatted(execution: Execution, form: bytes, values: list[Any], types: Sequence[CType], span: Span) -> bytes:
    """The output for a format and its arguments."""
    text, made, end, position = form.decode("latin-1"), [], 0, 0

    def following() -> Any:  # noqa: ANN401 - an argument of any type
        nonlocal position
        if position >= len(values):
            raise undefined(Cause.OTHER, span, "a format that asks for more arguments than there are")
        position += 1
        return values[position - 1]

    for found in DIRECTIVE.finditer(text):
        made.append(_plain(text[end : found.start()], span))
        end = found.end()
        flags, width, precision, length, kind = found.groups()
        if kind == "%":
            made.append("%")
            continue
        if kind not in KINDS or (kind in "sc" and length):
            raise not_modelled(span, f"the format {found[0]}")
        room = following() if width == "*" else int(width or 0)
        if room < 0:  # as if the number stood behind a minus
            flags, room = flags + "-", -room
        digits = following() if precision == "*" else None if precision is None else int(precision or 0)
        digits = None if digits is not None and digits < 0 else digits  # as if there were none
        value = following()
        if kind == "s":
            text_there = text_at(execution, pointer_of(execution, value), span, digits)
            made.append(_padded("", text_there.decode("latin-1"), flags.replace("0", ""), room))
        elif kind == "c":
            made.append(_padded("", chr(value & 255), flags.replace("0", ""), room))
        elif kind == "p":
            address = f"{value.address:#x}" if isinstance(value, Pointer) and value else "(nil)"
            made.append(_padded("", address, flags.replace("0", ""), room))
        elif kind in "diuxXo" and isinstance(value, int):
            made.append(_integer(flags, room, digits, kind, _wrapped(value, kind, length, types[position - 1])))
        elif kind in "feEgGF" and isinstance(value, float):
            zeros = flags.replace("'", "") if math.isfinite(value) else flags.replace("'", "").replace("0", "")
            made.append(f"%{zeros}{room or ''}{'' if digits is None else f'.{digits}'}{kind}" % value)
        else:
            raise not_modelled(span, f"the format {found[0]}")
    made.append(_plain(text[end:], span))
    return "".join(made).encode("latin-1")


def _plain(text: str, span: Span) -> str:
    """The text up to the next conversion."""
    if "%" in text:
        raise not_modelled(span, f"the format {text[text.index('%') :]}")
    return text


def _padded(front: str, text: str, flags: str, width: int) -> str:
    """A text in a field; zeros come behind a sign or a prefix."""
    if "-" in flags:
        return (front + text).ljust(width)
    return front + text.rjust(width - len(front), "0") if "0" in flags else (front + text).rjust(width)


def _wrapped(value: int, kind: str, length: str | None, type_: CType) -> int:
    width = {"hh": 8, "h": 16}.get(length or "", type_.width if isinstance(type_, IntegerType) else 32)
    return wrap(value, IntegerType(width, signed=kind in "di"))


def _integer(flags: str, width: int, precision: int | None, kind: str, number: int) -> str:
    sign = "-" if number < 0 else next((each for each in "+ " if each in flags and kind in "di"), "")
    digits = format(abs(number), kind if kind in "xXo" else "d") if number or precision != 0 else ""
    digits = digits.rjust(precision or 0, "0")
    if "#" in flags and kind == "o" and not digits.startswith("0"):
        digits = "0" + digits
    prefix = f"0{kind}" if "#" in flags and kind in "xX" and number else ""
    return _padded(sign + prefix, digits, flags if precision is None else flags.replace("0", ""), width)
