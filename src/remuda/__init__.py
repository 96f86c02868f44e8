"""Remuda: a verifier for assertions in C and Boogie programs.

    import remuda
    report = remuda.verify("queue.bpl")

Large modules are imported at their first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remuda.options import Options
    from remuda.results.report import Report, Verdict
    from remuda.session import verify

__version__ = "0.1.0"

__all__ = ["Options", "Report", "Verdict", "verify"]

_HOMES = {
    "Options": "remuda.options",
    "Report": "remuda.results.report",
    "Verdict": "remuda.results.report",
    "verify": "remuda.session",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the types are given above
    if name not in _HOMES:
        msg = f"module 'remuda' has no attribute {name!r}"
        raise AttributeError(msg)
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
