"""What `printf` writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax.types import IntegerType
from remuda.machine.arithmetic import wrap
from remuda.machine.library_arguments import text_at
from remuda.machine.memory import Pointer
from remuda.machine.outcomes import Cause, not_modelled, undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.run import Execution

DIRECTIVE: Final = re.compile(r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")


def formatted(execution: Execution, form: bytes, values: list[Any], types: Sequence[CType], span: Span) -> bytes:
    """The text that a format and its arguments make."""
    text, made, end, position = form.decode("latin-1"), [], 0, 0

    def following() -> Any:  # noqa: ANN401 - an argument of any type
        nonlocal position
        if position >= len(values):
            raise undefined(Cause.OTHER, span, "a format that asks for more arguments than there are")
        position += 1
        return values[position - 1]

    for found in DIRECTIVE.finditer(text):
        made.append(text[end : found.start()])
        end = found.end()
        flags, width, precision, length, kind = found.groups()
        if kind == "%":
            made.append("%")
            continue
        width = str(following()) if width == "*" else width or ""
        precision = str(following()) if precision == "*" else precision
        value = following()
        pattern = f"%{flags}{width}" + ("" if precision is None else f".{precision}")
        if kind == "s":
            limit = int(precision or 0) if precision is not None else None
            made.append(f"%{flags}{width}s" % text_at(execution, value, span, limit).decode("latin-1"))
        elif kind == "c":
            made.append(f"%{flags}{width}c" % chr(value & 255))
        elif kind == "p":
            made.append(f"{value.address:#x}" if isinstance(value, Pointer) and value else "(nil)")
        elif kind in "diuxXo" and isinstance(value, int):
            made.append(_integer(pattern, kind, length, value, types[position - 1]))
        elif kind in "feEgGF" and isinstance(value, float):
            made.append((pattern + kind) % value)
        else:
            raise not_modelled(span, f"the format {found[0]}")
    made.append(text[end:])
    return "".join(made).encode("latin-1")


def _integer(pattern: str, kind: str, length: str | None, value: int, type_: CType) -> str:
    width = {"hh": 8, "h": 16}.get(length or "", type_.width if isinstance(type_, IntegerType) else 32)
    number = wrap(value, IntegerType(width, signed=kind in "di"))
    return (pattern + ("d" if kind in "diu" else kind)) % number
