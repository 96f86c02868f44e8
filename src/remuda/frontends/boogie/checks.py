"""The stable identifiers and descriptions of assertions."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, final

from remuda.frontends.boogie.declare import string_attribute
from remuda.ir.program import Check

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.boogie.ast import AttributeNode

_DESCRIPTION_LENGTH = 100


@final
class Checks:
    """Makes checks, and numbers them for each procedure and kind: `queue.bpl:Push:assert:2`."""

    def __init__(self) -> None:
        self._ordinals: dict[tuple[str, str, str], int] = {}

    def make(self, procedure: str, kind: str, span: Span, condition: Span, attributes: list[AttributeNode]) -> Check:
        file = PurePath(span.source.name).name
        ordinal = self._ordinals.get((file, procedure, kind), 0) + 1
        self._ordinals[file, procedure, kind] = ordinal
        description = string_attribute(attributes, "msg") or shortened(condition.text)
        return Check(f"{file}:{procedure}:{kind}:{ordinal}", kind, description, span)


def shortened(text: str) -> str:
    """The text on one line, cut if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _DESCRIPTION_LENGTH else line[: _DESCRIPTION_LENGTH - 3] + "..."
