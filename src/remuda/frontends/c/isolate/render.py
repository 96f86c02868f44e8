"""Applies changes to a text: replaces parts, and writes text around others."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from collections.abc import Iterable


@final
@dataclass(frozen=True, slots=True)
class Wrap:
    """Text `before` and `after` a part, which may have changes inside."""

    start: int
    end: int
    before: str
    after: str


@final
@dataclass(frozen=True, slots=True)
class Replacement:
    """A part that is replaced, with everything in it."""

    start: int
    end: int
    text: str


def render(text: str, start: int, end: int, wraps: Iterable[Wrap], replacements: Iterable[Replacement]) -> str:
    """A part of a text with all changes inside of it. Changes are nested or disjoint; of nested replacements, the
    outer one counts."""
    kept: list[Replacement] = []
    for each in sorted(replacements, key=lambda each: (each.start, -each.end)):
        if start <= each.start and each.end <= end and not (kept and each.start < kept[-1].end):
            kept.append(each)
    starts = [each.start for each in kept]

    def is_hidden(wrap: Wrap) -> bool:
        index = bisect_right(starts, wrap.start) - 1
        return index >= 0 and wrap.end <= kept[index].end and wrap.start < kept[index].end

    # At one position, the ends of changes come first, from the inside out; then the starts, from the outside in.
    events: list[tuple[int, int, int, int, str]] = [(each.start, 2, 0, each.end, each.text) for each in kept]
    for wrap in wraps:
        if start <= wrap.start and wrap.end <= end and not is_hidden(wrap):
            events.append((wrap.start, 1, -wrap.end, wrap.start, wrap.before))
            events.append((wrap.end, 0, -wrap.start, wrap.end, wrap.after))
    pieces: list[str] = []
    at = start
    for place, _, _, resume, piece in sorted(events):
        pieces += [text[at:place], piece]
        at = max(place, resume)
    return "".join([*pieces, text[at:end]])


def padding(text: str, start: int, end: int, written: str) -> str:
    """The line breaks that a replacement needs so that the following text stays on its line."""
    return "\n" * (text.count("\n", start, end) - written.count("\n"))
