"""Recognises headers of the system: the small ones that come with Remuda, and those that preprocessed files name."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from remuda.base.source import Span

HEADERS: Final = Path(__file__).parent / "include"
_FOLDERS: Final = (HEADERS, PurePath("/usr/include"), PurePath("/usr/lib"))


def is_in_system_header(span: Span) -> bool:
    """Whether a declaration is in a header of the system, and not in one of the program."""
    name = PurePath(span.source.name)
    return any(name.is_relative_to(folder) for folder in _FOLDERS)
