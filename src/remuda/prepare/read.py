"""Reads the files that users give."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Final

from remuda.base.errors import FileError
from remuda.base.source import Source
from remuda.prepare.load import C_SUFFIXES

CONTROL_BYTES: Final = tuple(bytes([code]) for code in range(32) if chr(code) not in "\t\n\v\f\r\x1a")


def read_source(path: str) -> Source:
    """The text of a file, or a FileError that says what is wrong with it."""
    try:
        data = Path(path).read_bytes()
    except OSError as problem:
        raise FileError(f"cannot read {path}: {problem.strerror or problem}") from None
    if any(byte in data for byte in CONTROL_BYTES):
        raise FileError(f"{path} is not a text file (it contains control characters)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Comments in old sources may not be UTF-8. C keeps the bytes, since strings depend on them; in Boogie, each
        # byte is a character.
        is_c = PurePath(path).suffix in C_SUFFIXES
        text = data.decode("utf-8", "surrogateescape") if is_c else data.decode("latin-1")
    return Source(path, text.replace("\r\n", "\n"))
