"""Lvalues: expressions that say where an object is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, final

from remuda.base.errors import InternalError, Unsupported
from remuda.frontends.c.lowering.operands import pointer_to
from remuda.frontends.c.lowering.places import Origin, Place, RecordValue, RegisterPlace, row_of
from remuda.frontends.c.lowering.volatile import object_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import PointerType, is_scalar
from remuda.frontends.c.syntax.walk import array_of, is_value
from remuda.ir.program import Assign, Havoc

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.frontends.c.lowering.accesses import Accesses
    from remuda.frontends.c.lowering.addresses import Addresses
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.evaluator import Evaluator
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.memory.model import Region
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term


@final
class Lvalues:
    """Lowers the lvalues of one function."""

    def __init__(
        self, context: FunctionContext, evaluator: Evaluator, addresses: Addresses, accesses: Accesses
    ) -> None:
        self._context = context
        self._evaluator = evaluator
        self._addresses = addresses
        self._accesses = accesses
        program = context.program
        self._blocks = context.blocks
        self._terms = program.terms
        self._arithmetic = program.arithmetic
        self._layouts = program.layouts
        self._storage = program.storage
        self._memory = program.memory
        self._checks = context.checks
        self._places: dict[type[ast.Expression], Callable[..., Steps]] = {
            ast.Name: self._name,
            ast.Dereference: self._dereference,
            ast.Index: self._index,
            ast.Member: self._member,
            ast.StringLiteral: self._string,
            ast.CompoundLiteral: self._compound_literal,
            ast.Cast: self._cast_place,
        }

    def place(self, node: ast.Expression) -> Steps:
        """Where an lvalue is."""
        method = self._places.get(type(node))
        if method is not None:
            return method(node)
        return self._value_place(node)

    def read(self, node: ast.Expression) -> Steps:
        """The value of an lvalue."""
        place: Place = yield self._evaluator.place(node)
        value = self._accesses.read(place, node.span)
        return value if is_scalar(place.type) or place.is_volatile else self._read_members(node, value)

    def _read_members(self, node: ast.Expression, value: Term | RecordValue) -> Term | RecordValue:
        """The value of a record; its volatile members have any values if something outside the program may change them."""
        leaves = self._layouts.leaves(node.type, node.span)
        if not isinstance(value, RecordValue) or not any(leaf.is_volatile for leaf in leaves):
            return value
        pointer = pointer_to(node)
        is_register = pointer is not None and self._memory.is_outside(pointer)
        if not self._context.program.changes_outside(object_of(node), is_register=is_register):
            return value
        source = f"volatile {node.span.text}"
        made = [
            self._context.unknown(leaf.type, node.span, f"{source}{leaf.name}", leaf.bits)
            if leaf.is_volatile
            else scalar
            for leaf, scalar in zip(leaves, value.scalars, strict=True)
        ]
        return RecordValue(tuple(made))

    def address(self, node: ast.AddressOf) -> Steps:
        """`&x`, `&f`, and `&*p`, which is `p`."""
        operand = node.operand
        while isinstance(operand, ast.Cast) and operand.kind is CastKind.NOTHING:
            operand = operand.operand
        if isinstance(operand, ast.Name) and isinstance(operand.target, ast.Function):
            return self._storage.function_value(operand.target)
        if isinstance(operand, ast.Dereference):
            address: Term = yield self._evaluator.value(operand.operand)
            return address
        place: Place = yield self._evaluator.place(operand)
        if isinstance(place, RegisterPlace):
            raise InternalError(f"the address of {node.span.text} is taken, but it has none")
        self._checks.address(place)
        return place.address

    # --- objects with a name

    def _name(self, node: ast.Name) -> Steps:
        variable = node.target
        if isinstance(variable, ast.Function):
            raise InternalError(f"{variable.name} is a function, not an object")
        return self._addresses.variable(variable)

    def _string(self, node: ast.StringLiteral) -> Steps:
        return self._addresses.string(node)

    def _compound_literal(self, node: ast.CompoundLiteral) -> Steps:
        yield self._evaluator.declare(node.variable, node.span)
        return self._addresses.variable(node.variable)

    # --- through pointers, and parts of objects

    def _dereference(self, node: ast.Dereference) -> Steps:
        address: Term = yield self._evaluator.value(node.operand)
        origin = self._checks.origin(address, node.operand, node.span)
        return self._addresses.at(node.operand, address, node.type, lvalue=node, origin=origin)

    def _index(self, node: ast.Index) -> Steps:
        array = array_of(node.base)
        if array is not None and is_value(array):
            part = yield self._value_element(node, array)
            return part
        if array is not None and (self._checks.watch_memory or self._memory.is_declared_element(node)):
            place = yield self._array_index(node, array)
            return place
        base, index = yield self._evaluator.scalars((node.base, node.index))
        address, is_near = self._addresses.moved(node.base, base, index, node.index.type)
        origin = self._checks.origin(base, node.base, node.span)
        guards = self._checks.pointer_index(base, address, is_near, node)
        return self._addresses.at(node.base, address, node.type, lvalue=node, origin=origin, guards=guards)

    def _value_element(self, node: ast.Index, array: ast.Expression) -> Steps:
        """`f().a[i]`: an element of an array that is only a value, and has no address."""
        whole: Place = yield self._evaluator.place(array)
        index: Term = yield self._evaluator.value(node.index)
        assert isinstance(whole, RegisterPlace)
        guard = self._checks.array_index(index, node, array)
        if guard is not None:
            self._checks.guard(guard)
        count = len(self._layouts.leaves(node.type, node.span))
        if not whole.variables:
            raise Unsupported(node.span, f"{array.span.text}, which has no elements,")
        elements = [whole.variables[at : at + count] for at in range(0, len(whole.variables), count)]
        result = tuple([self._blocks.temporary(variable.type, "element") for variable in elements[0]])
        self._blocks.add(Havoc(result, node.span))  # the value if the index is outside of the array
        for number, element in enumerate(elements):
            at = self._arithmetic.literal(number, node.index.type)
            is_here = self._arithmetic.compare("==", index, at, node.index.type)
            if is_here is self._terms.true:
                return RegisterPlace(node.type, element)
            values = [
                self._terms.ite(is_here, self._terms.var(new), self._terms.var(old))
                for new, old in zip(element, result, strict=True)
            ]
            self._blocks.add(Assign(result, tuple(values), node.span))
        return RegisterPlace(node.type, result)

    def _array_index(self, node: ast.Index, array: ast.Expression) -> Steps:
        """An element of an array that the program declares: a part of the array's place."""
        whole: Place = yield self._evaluator.place(array)
        if isinstance(whole, RegisterPlace):
            raise InternalError(f"the array {array.span.text} has no address")
        position = self._blocks.position()
        index: Term = yield self._evaluator.value(node.index)
        if not self._blocks.is_unchanged_since(position):
            whole = self._addresses.saved(whole, position, node.span)
        base = whole.address
        address, is_near = self._addresses.moved(node.base, base, index, node.index.type)
        # A string literal is used like what a pointer leads to: it must not be written.
        is_literal = isinstance(array, ast.StringLiteral)
        guard = None if is_literal else self._checks.array_index(index, node, array)
        if whole.origin is not None:
            origin: Origin | None = replace(whole.origin, span=node.span)
        else:
            origin = self._checks.origin(base, node.base, node.span) if guard is None else None
        found = self._checks.pointer_index(base, address, is_near, node) if guard is None else (guard,)
        guards = (*whole.guards, *found)
        part = self._addresses.at(node.base, address, node.type, lvalue=node, origin=origin, guards=guards)
        if not self._memory.is_declared_element(node):
            return part

        def cells(offset: int, part: CType) -> Region:
            return self._memory.element_cell(node, offset, part)

        doubt = None if whole.doubt is None else whole.doubt.in_array
        inside = whole.inside
        if guard is None and self._memory.may_leave(node):
            inside = (*inside, self._checks.in_array(index, node, array))
        return replace(part, cells=cells, is_wild=whole.is_wild, doubt=doubt, inside=inside)

    def _member(self, node: ast.Member) -> Steps:
        if node.is_arrow:
            address: Term = yield self._evaluator.value(node.base)
            assert isinstance(node.base.type, PointerType)
            origin = self._checks.origin(address, node.base, node.span)
            base: Place = self._addresses.at(node.base, address, node.base.type.target, origin=origin)
        else:
            base = yield self._evaluator.place(node.base)
        part = self._addresses.member(base, node.field, node.type, node.span)
        return replace(part, is_volatile=self._addresses.is_input(node, pointer_to(node)))

    # --- values

    def _cast_place(self, node: ast.Cast) -> Steps:
        if node.kind is CastKind.NOTHING:
            place: Place = yield self._evaluator.place(node.operand)
            return place
        kept: Place = yield self._value_place(node)
        return kept

    def _value_place(self, node: ast.Expression) -> Steps:
        """A place for a record that is only a value: `f().x`."""
        value = yield self._evaluator.value(node)
        variables = []
        for leaf, scalar in zip(self._layouts.leaves(node.type, node.span), row_of(value), strict=True):
            variable = self._blocks.temporary(self._arithmetic.type_of(leaf.type), "record")
            self._blocks.assign(variable, scalar, node.span)
            variables.append(variable)
        return RegisterPlace(node.type, tuple(variables))
