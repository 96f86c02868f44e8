"""The options of the lowering of C."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LoweringOptions:
    entries: tuple[str, ...] = ()  # functions to start in; none: main
    integers: str = "bits"  # or "math"
    # Or "flat"; or "none", with objects anywhere, where the caller replaces reads by any values.
    memory_model: str = "regions"
    volatile: str = "outside"  # which volatile objects have any value at each read; or "inputs", "memory"
    error_labels: tuple[str, ...] = ()
    checks: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()  # the only kinds of assertions that count; none: all kinds
    believes: bool = True  # whether pointers are believed to stay in their arrays; assertions check the beliefs
    stops: bool = True  # whether an execution stops at an assertion that fails
