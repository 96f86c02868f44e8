"""What the lowering of C depends on besides the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LoweringOptions:
    entries: tuple[str, ...] = ()  # functions to start in; none: main
    integers: str = "bits"  # or "math"
    memory_model: str = (
        "regions"  # or "flat"; or "none", where objects may be anywhere, and reads are to give any value
    )
    volatile: str = "outside"  # which volatile objects give any value when they are read; or "inputs", "memory"
    error_labels: tuple[str, ...] = ()
    checks: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()  # the only kinds of assertions that count; none: all kinds
    believes: bool = True  # whether pointers are believed to stay in arrays, and checked to
    stops: bool = True  # whether an execution stops at an assertion that it fails
