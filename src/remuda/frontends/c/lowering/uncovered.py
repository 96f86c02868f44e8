"""Finds programs that read bytes which C leaves open: those that a write to a member of a struct or union does not
cover.

union { char c; int i; } u;    u.i = -1; u.c = 0;    what is in the other bytes of u.i now?    (C11 6.2.6.1p6-7)

The model, like all compilers, keeps them. The report lists this as an assumption if the program may depend on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.c.lowering.reachable import used_variables, variables_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.shapes import count_scalars
from remuda.frontends.c.syntax.types import ArrayType, PointerType, RecordType, size_of
from remuda.frontends.c.syntax.walk import function_expressions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.memory.model import MemoryModel
    from remuda.frontends.c.syntax.layouts import Layouts
    from remuda.frontends.c.syntax.types import Machine

MANY = 10_000  # an object with more parts is taken to have no padding


def uncovered(functions: Sequence[ast.Function], memory: MemoryModel, layouts: Layouts) -> Span | None:
    """The first place that the assumption is about: a write to a union, or an object whose padding is read."""
    return _written_in_part(functions, layouts.machine) or _accessed_padding(functions, memory, layouts)


def _written_in_part(functions: Sequence[ast.Function], machine: Machine) -> Span | None:
    """The first write to a member of a union of which the program uses larger members, too."""
    largest: dict[RecordType, int] = {}
    writes: list[tuple[RecordType, int, Span]] = []
    for function in functions:
        for node in function_expressions(function):
            for union, size in _unions(node, machine):
                largest[union] = max(size, largest.get(union, 0))
            target = _target(node)
            while isinstance(target, ast.Member | ast.Index):
                writes += [(union, size, node.span) for union, size in _unions(target, machine)]
                target = target.base
    return next((span for union, size, span in writes if size < largest[union]), None)


def _target(node: ast.Expression) -> ast.Expression | None:
    """What an expression writes to."""
    match node:
        case ast.Assign() | ast.CompoundAssign():
            return node.target
        case ast.Step():
            return node.operand
        case _:
            return None


def _unions(node: ast.Expression, machine: Machine) -> Iterator[tuple[RecordType, int]]:
    """The unions whose members an lvalue names, with the sizes of the members."""
    if isinstance(node, ast.Member):
        type_ = node.base.type
        record = type_.target if node.is_arrow and isinstance(type_, PointerType) else type_
        if isinstance(record, RecordType) and record.kind == "union":
            bits, size = node.field.bits, size_of(node.type, machine)
            yield record, (bits + 7) // 8 if bits is not None else size or 0


def _accessed_padding(functions: Sequence[ast.Function], memory: MemoryModel, layouts: Layouts) -> Span | None:
    """An object whose members are written, and whose padding is accessed."""
    for variable in [*used_variables(functions), *(each for one in functions for each in variables_of(one))]:
        type_ = variable.type
        while isinstance(type_, ArrayType):
            type_ = type_.element
        if not isinstance(type_, RecordType) or not type_.is_complete or not memory.in_memory(variable):
            continue
        if count_scalars(type_) <= MANY and any(
            memory.padding(variable, offset) is not None for offset in layouts.gaps(type_, variable.span)
        ):
            return variable.span
    return None
