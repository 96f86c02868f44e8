"""Turns Boogie text into a syntax tree: the entry to the tokenizer and the parsers of this folder."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remuda.base.errors import InputError
from remuda.frontends.boogie.cursor import Cursor, TooManyFailures
from remuda.frontends.boogie.declarations import DeclarationParser
from remuda.frontends.boogie.tokens import tokenize

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.frontends.boogie.ast import Declaration


def parse(source: Source) -> list[Declaration]:
    """The declarations of a program. Raises an `InputError` with all errors (up to a limit)."""
    with _no_garbage_collection():
        cursor = Cursor(tokenize(source))
        try:
            declarations = DeclarationParser(cursor).program()
        except TooManyFailures as many:
            raise InputError(cursor.diagnostics) from many
    if cursor.diagnostics:
        raise InputError(cursor.diagnostics)
    return declarations


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """A context without garbage collection: a syntax tree contains no garbage, and collections during its growth
    would take longer than parsing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
