"""Checks that locals are assigned before they are read: `--check uninitialized`.

int n;  if (a) n = 1;  use(n);        n$set := false;  if (a) { n := 1;  n$set := true; }  assert n$set; use(n)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.terms.symbols import Variable


@final
class FirstValues:
    """The flags of one function's locals, which say whether they have been assigned. There are none without the check."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context
        self._terms = context.program.terms
        self._is_set: dict[Variable, Variable] = {}

    def track(self, variables: Sequence[Variable], span: Span) -> None:
        """Add a flag to each local, from the start of its function on."""
        if "uninitialized" in self._context.program.options.checks:
            for variable in variables:
                flag = self._context.blocks.local(f"{variable.name}$set", BOOL)
                self._is_set[variable] = flag
                self._context.blocks.assign(flag, self._terms.false, span)

    def set(self, variables: Sequence[Variable], span: Span, *, known: bool = True) -> None:
        """Set the flags of locals that are assigned; clear them (`known=False`) for locals whose lifetime begins."""
        for variable in variables:
            flag = self._is_set.get(variable)
            if flag is not None:
                self._context.blocks.assign(flag, self._terms.boolean(known), span)

    def read(self, variable: Variable, span: Span) -> None:
        """Check that a local is assigned before it is read."""
        flag = self._is_set.get(variable)
        if flag is not None:
            text = " ".join(span.text.split())
            self._context.demand(self._terms.var(flag), "uninitialized", span, f"{text} is initialised")

    @property
    def flags(self) -> list[Variable]:
        return list(self._is_set.values())
