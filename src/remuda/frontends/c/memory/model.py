"""The protocol of memory models, which the lowering uses.

    regions    `memory.regions`: one map for each part of memory, such that no access may be to two parts
    flat       `memory.flat`: one map from addresses to bytes for everything

A memory model says which variables are in memory, and in which region, that is, in which map of the lowered program,
each scalar lies. Two accesses to the same byte must be to the same region.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, final

if TYPE_CHECKING:
    from remuda.frontends.c.memory.beliefs import Beliefs
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType, FloatingType


@final
@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A part of memory whose cells are all accessed in the same way: as one scalar of `width` bits, or byte by
    byte."""

    index: int
    name: str  # unique
    width: int  # of a cell, in bits
    is_bytes: bool  # accesses differ, so each is combined from bytes; then `width` is 8
    floating: FloatingType | None  # the type of all accesses, if it is a floating one


class MemoryModel(Protocol):
    """The memory of the part of a program that is reachable. Offsets and sizes are in bytes."""

    @property
    def has_unknown_objects(self) -> bool:
        """Whether pointers of unknown origin are assumed to point to objects of their own."""
        ...

    @property
    def has_own_regions(self) -> bool:
        """Whether memory that a pointer of unknown origin leads to has regions apart from the program's objects."""
        ...

    def in_memory(self, variable: ast.Variable) -> bool:
        """Whether a variable has an address. If it has none, only its name refers to it."""
        ...

    # --- where scalars are

    def cell(self, pointer: ast.Expression, offset: int, type_: CType) -> Region:
        """The region of the scalar that lies `offset` bytes behind what a pointer points to."""
        ...

    def is_declared_element(self, lvalue: ast.Expression) -> bool:
        """Whether an lvalue is an element of an array that it names; `element_cell` has the region of such an
        element."""
        ...

    def may_leave(self, lvalue: ast.Expression) -> bool:
        """Whether an index outside of its array would lead such an element to other parts of the same object."""
        ...

    def element_cell(self, lvalue: ast.Expression, offset: int, type_: CType) -> Region:
        """The region of the scalar that lies `offset` bytes behind the start of such an element."""
        ...

    def object_cell(self, variable: ast.Variable, offset: int, type_: CType) -> Region:
        """The region of a scalar in a variable that is in memory."""
        ...

    def padding(self, variable: ast.Variable, offset: int) -> Region | None:
        """The region of the padding of a variable at an offset. None if the program cannot access it, or if the cell
        there begins at another offset."""
        ...

    def literal_cell(self, literal: ast.StringLiteral, offset: int, type_: CType) -> Region:
        """The region of a character in a string literal."""
        ...

    def is_wild(self, pointer: ast.Expression) -> bool:
        """Whether a write through a pointer may reach memory in unknown regions."""
        ...

    def is_outside(self, pointer: ast.Expression) -> bool:
        """Whether a pointer may lead to no object of the program, such as a register of the machine."""
        ...

    def may_be_wild(self, pointer: ast.Expression) -> bool:
        """Whether a pointer may come from an unknown integer."""
        ...

    def beliefs(self, pointer: ast.Expression, offset: int, size: int) -> Beliefs:
        """The beliefs to check about an access of `size` bytes, `offset` bytes behind what a pointer points to."""
        ...

    def is_accessed(self, literal: ast.StringLiteral) -> bool:
        """Whether the program may read or write a string literal."""
        ...

    # --- ranges of memory, for the models of library functions

    def around(self, pointer: ast.Expression) -> tuple[Region, ...]:
        """The regions of all cells in the objects that a pointer may point into."""
        ...

    def numbers(self, pointer: ast.Expression, type_: CType, *, is_row: bool) -> tuple[Region, ...]:
        """The regions of the numbers in an object of a type that a pointer points to. If it is an element of a row,
        those of all elements. The regions may contain more than the numbers."""
        ...

    def is_lone(self, pointer: ast.Expression, type_: CType) -> bool:
        """Whether a pointer can only point to a whole object of a type, and to no element of an array."""
        ...

    def layout(self, pointer: ast.Expression, size: int) -> tuple[tuple[int, Region], ...] | None:
        """The offsets and regions of the cells in the `size` bytes from a pointer on. None if a cell lies only partly
        in them."""
        ...

    def grain(self, pointer: ast.Expression) -> int | None:
        """A number of bytes such that no multiple of it, counted from the pointer, ends inside a cell. None if no such
        number is known."""
        ...

    def scalars(self, pointer: ast.Expression) -> tuple[int, tuple[tuple[int, int], ...]] | None:
        """The offsets and sizes of the cells of more than one byte behind a pointer, and the number of bytes after which
        they repeat (0: never). None if they are too many to list."""
        ...

    # --- families: two pointers into the same object have the same family

    def family(self, pointer: ast.Expression) -> int | None:
        """The family of the objects that a pointer may point into. None if there is no such object."""
        ...

    def object_family(self, object_: ast.Variable | ast.StringLiteral) -> int | None:
        """The family of an object. None if nothing points to it."""
        ...

    def pointed_family(self, variable: ast.Variable) -> int | None:
        """The family of what a variable, which is a pointer, points to."""
        ...

    def stored_family(self, pointer: ast.Expression) -> int | None:
        """The family of `**p`: what a pointer in memory points to, to which a pointer points."""
        ...

    def sole_objects(self) -> dict[int, ast.Variable | ast.StringLiteral]:
        """The families that consist of one object only."""
        ...

    def is_one_object(self, left: ast.Expression, right: ast.Expression) -> bool:
        """Whether two pointers can only point into the same object."""
        ...

    def may_be_neighbours(self, left: ast.Expression, right: ast.Expression) -> bool:
        """Whether two pointers only point into different objects, and one perhaps to the end of its object."""
        ...

    def may_be_literals(self, left: ast.Expression, right: ast.Expression) -> bool:
        """Whether two pointers may point into two string literals."""
        ...

    # --- functions

    def targets(self, call: ast.Call) -> tuple[ast.Function, ...]:
        """The functions that a call may reach and that can take its arguments."""
        ...

    def pointed_functions(self, pointer: ast.Expression) -> tuple[ast.Function, ...]:
        """The functions that a pointer may point to, for the functions that start threads."""
        ...
