"""Decides which calls the bound blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.ir.program import RECURSION, attribute
from remuda.terms.term import Term

if TYPE_CHECKING:
    from remuda.engines.inlining import OpenCall
    from remuda.engines.stacks import Stack
    from remuda.ir.program import Program
    from remuda.options import Options


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """The limit on how often a procedure may be on the call stack.

    `limit` holds for every procedure that `own` does not name; `extra` is added for single procedures
    (`{:SIextraRecBound n}`). A procedure in `chains` stands for a chain of calls of several others
    (`{:recursion_of "P", "Q"}`), and may be on the stack as often as all of them together. A search raises its bound
    step by step up to `last`.
    """

    limit: int
    own: Mapping[str, int] = field(default_factory=dict)
    extra: Mapping[str, int] = field(default_factory=dict)
    stack_depth: int | None = None
    chains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        return max([self.limit, *self.own.values()])

    @property
    def not_reached(self) -> str:
        """The reason text for a place that no execution within these bounds reaches."""
        depth = "" if self.stack_depth is None else f" and stack depth {self.stack_depth}"
        return f"not reached within bound {self.limit}{depth}"

    @property
    def advice(self) -> str:
        """The advice to users how to raise these bounds."""
        if self.own or self.stack_depth is not None:
            return "try larger bounds"
        return f"try `--bound {max(1, 2 * self.limit)}`"

    def blocks(self, call: OpenCall, step: int) -> bool:
        """Whether a call is beyond the bound when the search has raised it to `step`."""
        return self.excludes(call.stack, step)

    def excludes(self, stack: Stack, step: int) -> bool:
        """Whether an instance with this stack is beyond the bound when the search has raised it to `step`."""
        if self.stack_depth is not None and stack.depth > self.stack_depth:
            return True
        return stack.cost > sum(
            self._allowed(name, step) for name in self.chains.get(stack.procedure, (stack.procedure,))
        )

    def _allowed(self, procedure: str, step: int) -> int:
        return min(step, self.own.get(procedure, self.limit)) + self.extra.get(procedure, 0)


def bounds_of(program: Program, options: Options, own: Mapping[str, int]) -> Bounds:
    """The bounds of a search: those of the options, with those that attributes of procedures add."""
    extra, chains = {}, {}
    for name, procedure in program.procedures.items():
        recursion = attribute(procedure.attributes, RECURSION)
        if recursion is not None:
            chains[name] = tuple(str(each) for each in recursion.arguments)
        found = attribute(procedure.attributes, "SIextraRecBound")
        if found is not None and found.arguments:
            argument = found.arguments[0]
            if isinstance(argument, Term) and argument.op == "int":
                extra[name] = int(argument.payload)
    used = {name: bound for name, bound in own.items() if name in program.procedures}
    return Bounds(options.bound, used, extra, options.stack_depth, chains)
