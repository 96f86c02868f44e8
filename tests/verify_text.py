"""Verify a Boogie program given as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.portfolio.run import run
from tests.oracle import source

if TYPE_CHECKING:
    from remuda.options import Options
    from remuda.results.report import Report


def verify(text: str, options: Options) -> Report:
    return run([source(text)], options, send=lambda _: None)
