"""Values in variables of their own.

A value is a term over the variables as they are where it is used. One that is computed before a side effect and used
after it is saved in a new variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.c.lowering.places import RecordValue

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.lowering.blocks import Blocks, Position
    from remuda.terms.term import Term


def save(blocks: Blocks, value: Term | RecordValue, at: Position, span: Span) -> Term | RecordValue:
    """The value as it was at an earlier position."""
    if isinstance(value, RecordValue):
        return RecordValue(tuple([save_scalar(blocks, scalar, at, span) for scalar in reversed(value.scalars)][::-1]))
    return save_scalar(blocks, value, at, span)


def save_scalar(blocks: Blocks, value: Term, at: Position, span: Span) -> Term:
    """The same for a scalar. Constants and temporary variables never change."""
    is_lasting = not value.args and (value.op != "var" or value.payload.name.startswith("t$"))
    return value if is_lasting else blocks.save(value, at, span)


def save_now(blocks: Blocks, value: Term | RecordValue, span: Span) -> Term | RecordValue:
    """The value as it is now, whatever is assigned later."""
    return save(blocks, value, blocks.position(), span)
