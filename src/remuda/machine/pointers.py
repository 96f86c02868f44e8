"""Translates arithmetic and comparisons of pointers to instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.c.syntax.types import IntegerType
from remuda.machine.arithmetic import COMPARISONS
from remuda.machine.memory import Pointer

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.builder import Builder
    from remuda.machine.code import Registers


def moved_pointer(builder: Builder, pointer: int, index: int, size: int, sign: int, type_: CType, span: Span) -> int:
    """A pointer that is moved by a number of elements. An index without a sign, of the width of pointers, wraps around."""
    execution = builder.execution
    width = execution.target.pointer_width
    wraps = isinstance(type_, IntegerType) and not type_.signed and type_.width >= width
    half = 1 << (width - 1 if wraps else 2 * width)
    n, d = builder.following, builder.register()
    constant = builder.code.template[size]
    if constant is not None:
        factor = constant * sign

        def step(r: Registers) -> int:
            p = r[pointer]
            o = p.object
            if o is None and p.offset == 0 and r[index]:
                execution.leave_open(span, "an offset is added to a null pointer")
            at = p.offset + r[index] * factor
            r[d] = Pointer(o, at if -half <= at < half else (at + half) % (2 * half) - half)
            return n

        builder.add(step)
    else:

        def step_computed(r: Registers) -> int:
            p = r[pointer]
            at = p.offset + r[index] * r[size] * sign
            r[d] = Pointer(p.object, (at + half) % (2 * half) - half)
            return n

        builder.add(step_computed)
    return d


def combined_pointers(builder: Builder, op: str, left: int, right: int, size: int, span: Span) -> int:
    """The distance or the order of two pointers; for the distance, `size` is the register with the size of
    what they point to."""
    execution = builder.execution
    if op == "-":

        def distance(r: Registers) -> int:
            p, q = r[left], r[right]
            if p.object is not q.object:
                execution.leave_open(span, "pointers to different objects are subtracted")
            difference: int = p.address - q.address
            return difference // r[size] if difference % r[size] == 0 else int(difference / r[size])

        return builder.compute(distance)
    compare = COMPARISONS[op]
    is_order = op not in {"==", "!="}

    def compared(r: Registers) -> object:
        p, q = r[left], r[right]
        if p.object is q.object:
            return compare(p.offset, q.offset)
        if is_order:
            execution.leave_open(span, "pointers to different objects are compared")
        return compare(p.address, q.address)

    return builder.compute(compared)
