"""The relations between options: some imply others, and some contradict each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from remuda.base.errors import UsageError
from remuda.prepare.load import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Source
    from remuda.options import Options


def consistent(sources: Sequence[Source], options: Options) -> Options:
    """The options together with those that they imply; contradictions are errors."""
    if options.candidates and options.houdini is False:
        raise UsageError("--candidates needs --houdini, which checks them; leave out --no-houdini")
    if options.modular and (options.isolate or options.engine == "isolation"):
        raise UsageError("--modular checks procedures alone already; leave out --isolate")
    if options.modular and options.on_failure == "continue":
        raise UsageError("--modular assumes every assertion after it; leave out --on-failure continue")
    if options.backend == "cbmc" and (len(sources) != 1 or language_of(sources, options) != "c"):
        raise UsageError("--backend cbmc is for programs that are one C file")
    if options.backend != "remuda" and options.isolate is False:
        raise UsageError(f"--backend {options.backend} needs isolated loops; leave out --no-isolate")
    if options.backend != "remuda":
        options = replace(options, isolate=True)
    return replace(options, houdini=True) if options.candidates else options
