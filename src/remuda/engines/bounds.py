"""Which calls the bound blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from remuda.engines.inlining import OpenCall


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """How often a procedure may be on the call stack.

    `limit` holds for every procedure that `own` does not name; `extra` is added for single procedures
    (`{:SIextraRecBound n}`). A search raises its bound step by step up to `last`.
    """

    limit: int
    own: Mapping[str, int] = field(default_factory=dict)
    extra: Mapping[str, int] = field(default_factory=dict)
    stack_depth: int | None = None

    @property
    def last(self) -> int:
        return max([self.limit, *self.own.values()])

    def blocks(self, call: OpenCall, step: int) -> bool:
        """Whether the call is beyond the bound when the search has raised it to `step`."""
        if self.stack_depth is not None and call.stack.depth > self.stack_depth:
            return True
        allowed = min(step, self.own.get(call.callee, self.limit)) + self.extra.get(call.callee, 0)
        return call.stack.cost > allowed
