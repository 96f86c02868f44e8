"""Where objects are, and their parts, and what pointers point to.

Nothing here evaluates an expression: the values of pointers and indices are given.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, final

from remuda.base.errors import Unsupported
from remuda.frontends.c.lowering.beliefs import Doubt
from remuda.frontends.c.lowering.places import Guard, MemoryPlace, Origin, Place, RegisterPlace
from remuda.frontends.c.lowering.saving import save_scalar
from remuda.frontends.c.lowering.volatile import object_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.layouts import straddles, unit_of
from remuda.frontends.c.syntax.types import PointerType, RecordType, VariableArrayType

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.lowering.blocks import Position
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.memory.beliefs import Beliefs
    from remuda.frontends.c.memory.model import Region
    from remuda.frontends.c.syntax.types import CType, Field
    from remuda.terms.term import Term

Lvalue = ast.Dereference | ast.Index | ast.Member  # these nodes have a flag for `volatile`


@final
class Addresses:
    """The places that one function uses."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context
        program = context.program
        self._blocks = context.blocks
        self._arithmetic = program.arithmetic
        self._layouts = program.layouts
        self._storage = program.storage
        self._memory = program.memory
        self._checks = context.checks

    # --- objects

    def variable(self, variable: ast.Variable) -> Place:
        """The place of a variable."""
        context = self._context
        found = context.registers.get(variable) or context.program.registers.get(variable)
        if found is not None:
            return found
        address = context.addresses.get(variable)
        if address is None:
            address = self._storage.literal(self._storage.object_address(variable))
            if variable.is_weak and variable.storage is ast.Storage.EXTERN:
                address = self._storage.if_present(variable, address)

        def cells(offset: int, type_: CType) -> Region:
            return self._memory.object_cell(variable, offset, type_)

        return MemoryPlace(variable.type, address, cells, is_volatile=context.program.is_input(variable))

    def string(self, node: ast.StringLiteral) -> MemoryPlace:
        """The place of a string literal."""
        address = self._storage.literal(self._storage.object_address(node))

        def cells(offset: int, part: CType) -> Region:
            return self._memory.literal_cell(node, offset, part)

        return MemoryPlace(node.type, address, cells)

    def fixed_address(self, lvalue: ast.Expression) -> Term | None:
        """The address of a variable, or of a member of one, if nothing has to be computed to know it."""
        offset = 0
        while isinstance(lvalue, ast.Member) and not lvalue.is_arrow:
            offset += lvalue.field.offset // 8
            lvalue = lvalue.base
        if not isinstance(lvalue, ast.Name) or not isinstance(lvalue.target, ast.Variable):
            return None
        place = self.variable(lvalue.target)
        return self._storage.behind(place.address, offset) if isinstance(place, MemoryPlace) else None

    # --- what pointers point to

    def pointed(self, pointer: ast.Expression, address: Term, type_: CType) -> MemoryPlace:
        """What a pointer argument points to, or what is at an address computed from it, with the checks of a pointer."""
        return self.at(pointer, address, type_, origin=self._checks.origin(address, pointer, pointer.span))

    def at(
        self,
        pointer: ast.Expression,
        address: Term,
        type_: CType,
        *,
        lvalue: Lvalue | None = None,
        origin: Origin | None = None,
        guards: tuple[Guard, ...] = (),
    ) -> MemoryPlace:
        """The object at an address that a pointer leads to. `origin` and `guards` say what has to be checked before it is
        used; `lvalue` is the expression that the source has for it, if there is one."""

        def cells(offset: int, part: CType) -> Region:
            return self._memory.cell(pointer, offset, part)

        def find(offset: int, size: int) -> Beliefs:
            return self._memory.beliefs(pointer, offset, size)

        doubt = Doubt(address, find(0, 1), find, is_wild=self._memory.may_be_wild(pointer))
        is_volatile = lvalue is not None and self.is_input(lvalue, pointer)
        return MemoryPlace(
            type_,
            address,
            cells,
            is_volatile=is_volatile,
            origin=origin,
            guards=guards,
            is_wild=self._memory.is_wild(pointer),
            doubt=doubt,
        )

    def is_input(self, lvalue: Lvalue, pointer: ast.Expression | None) -> bool:
        """Whether reading an lvalue gives any value, because it is volatile. `pointer` leads to it, if there is one."""
        if not lvalue.is_volatile:
            return False
        is_register = pointer is not None and self._memory.is_outside(pointer)
        return self._context.program.changes_outside(object_of(lvalue), is_register=is_register)

    # --- parts

    def member(self, base: Place, field: Field, type_: CType, span: Span) -> Place:
        """A member of a struct or union."""
        if isinstance(base, RegisterPlace):
            assert isinstance(base.type, RecordType)
            variables = base.variables[self._layouts.slice_of(base.type, field, span)]
            return RegisterPlace(type_, variables, field.bits)
        if field.bits is None:
            offset, shift = field.offset // 8, 0
        elif straddles(field):
            raise Unsupported(span, f"the packed bit-field {field.name}")
        else:
            offset, shift = unit_of(field)
        part = base.at(offset, self._storage.behind(base.address, offset), type_)
        if part.origin is not None:
            part = replace(part, origin=replace(part.origin, span=span))
        return replace(part, shift=shift, bits=field.bits)

    def element(self, base: MemoryPlace, index: int, type_: CType, span: Span) -> MemoryPlace:
        """An element of an array, at a constant index."""
        offset = index * self._layouts.size(type_, span)
        return base.at(offset, self._storage.behind(base.address, offset), type_)

    # --- pointer arithmetic

    def moved(
        self, pointer: ast.Expression, base: Term, index: Term, index_type: CType, *, backwards: bool = False
    ) -> tuple[Term, Term]:
        """The sum of a pointer and an index (or the difference, if it goes `backwards`), and the condition that the index is
        small enough for nothing to wrap around."""
        assert isinstance(pointer.type, PointerType)
        if not isinstance(pointer.type.target, VariableArrayType):
            scale = self.scale(pointer.type, pointer.span)
            is_near = self._checks.is_near(index, index_type, scale)
            return self._arithmetic.add_offset(base, index, index_type, -scale if backwards else scale), is_near
        size_type = self._storage.size_type
        wide = self._arithmetic.convert(index, index_type, size_type)
        size = self.type_size(pointer.type.target, pointer.span)
        distance = self._arithmetic.binary("*", wide, size, size_type)
        address = self._arithmetic.add_offset(base, distance, size_type, -1 if backwards else 1)
        return address, self._checks.are_near(index, index_type, size)

    def scale(self, pointer: CType, span: Span) -> int:
        """The size of what a pointer points to."""
        assert isinstance(pointer, PointerType)
        return self._layouts.size(pointer.target, span)

    def type_size(self, type_: CType, span: Span) -> Term:
        """The size of a type in bytes; the lengths of arrays may be computed."""
        size_type = self._storage.size_type
        lengths: list[Term] = []
        while isinstance(type_, VariableArrayType):
            lengths.append(self._context.length(type_, span))
            type_ = type_.element
        size = self._arithmetic.literal(self._layouts.size(type_, span), size_type)
        for length in reversed(lengths):
            size = self._arithmetic.binary("*", length, size, size_type)
        return size

    # --- saved places

    def saved(self, place: MemoryPlace, at: Position, span: Span) -> MemoryPlace:
        """A place as it was at an earlier position."""

        def before(term: Term) -> Term:
            return save_scalar(self._blocks, term, at, span)

        guards = []
        for guard in place.guards:
            access, reach = [None if term is None else before(term) for term in (guard.access, guard.reach)]
            guards.append(replace(guard, access=access, reach=reach))
        origin = place.origin
        if origin is not None:
            origin = replace(origin, pointer=before(origin.pointer))
        inside = tuple([before(each) for each in place.inside])
        return replace(place, address=before(place.address), origin=origin, guards=tuple(guards), inside=inside)
