"""The sizes of objects, which are not always those of their types.

struct { int n; int d[]; } s = {1, {2, 3}};    12 bytes, with the elements that are initialised
extern int a[];                                defined elsewhere: any size
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import ArrayType, Field, RecordType, size_of

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.types import CType, Machine


def extent_of(object_: ast.Variable | ast.StringLiteral, machine: Machine) -> int | None:
    """The size of an object in bytes; None if it is not known before the program runs."""
    size = size_of(object_.type, machine)
    if not isinstance(object_, ast.Variable) or size is None:
        return size
    if object_.storage is ast.Storage.EXTERN and _ends_in_open_array(object_.type):
        return None
    if object_.initializer is not None and isinstance(object_.type, RecordType):
        size = max([size, *(_end_of(part, object_.type, machine) for part in object_.initializer.parts)])
    return size


def _end_of(part: ast.Part, whole: CType, machine: Machine) -> int:
    """The offset behind a part that is initialised."""
    offset, type_ = 0, whole
    for step in part.path:
        if isinstance(step, Field):
            offset, type_ = offset + step.offset // 8, step.type
        elif isinstance(type_, ArrayType):
            type_ = type_.element
            offset += step * (size_of(type_, machine) or 0)
    size = size_of(type_, machine)
    return offset + (size if size is not None else size_of(part.value.type, machine) or 0)


def _ends_in_open_array(type_: CType) -> bool:
    """Whether the last member of a record is an array without a length."""
    while isinstance(type_, RecordType) and type_.fields:
        type_ = type_.fields[-1].type
    return isinstance(type_, ArrayType) and not type_.length
