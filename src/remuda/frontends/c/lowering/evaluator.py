"""What lowers the operands of an expression.

Each kind of expression has a module of its own, and operands may be of any kind. `Expressions` knows all kinds; the
modules know it as an `Evaluator`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast


class Evaluator(Protocol):
    """Lowers expressions of all kinds."""

    def value(self, node: ast.Expression) -> Steps:
        """The value of an expression: a Term, a RecordValue, or None if it has none."""
        ...

    def condition(self, node: ast.Expression) -> Steps:
        """Whether a scalar is not zero, as a Boolean term."""
        ...

    def place(self, node: ast.Expression) -> Steps:
        """Where an lvalue is."""
        ...

    def effect(self, node: ast.Expression) -> Steps:
        """Evaluate an expression for its side effects only."""
        ...

    def scalars(self, nodes: Sequence[ast.Expression]) -> Steps:
        """The values of several expressions, evaluated from left to right."""
        ...

    def declare(self, variable: ast.Variable, span: Span) -> Steps:
        """Make an object of the innermost block."""
        ...
