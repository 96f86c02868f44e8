"""Expressions to terms, with the statements that their side effects take.

Order of evaluation is fixed: operands and arguments from left to right; in an assignment the right side first, then the
place that is assigned. A value is a term over the variables as they are where it is used, so one that is computed
before a side effect and used after it is saved in a variable.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, final

from remuda.base.errors import InternalError, Unsupported
from remuda.frontends.c.library.models import number_of
from remuda.frontends.c.lowering.accesses import Accesses
from remuda.frontends.c.lowering.beliefs import Doubt
from remuda.frontends.c.lowering.choices import Choices
from remuda.frontends.c.lowering.operands import (
    is_wide_field,
    keeps_truth,
    pointer_behind,
    pointer_in,
    pointer_to,
    promoted,
)
from remuda.frontends.c.lowering.places import Guard, MemoryPlace, Origin, Place, RecordValue, RegisterPlace, row_of
from remuda.frontends.c.lowering.volatile import object_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.layouts import straddles, unit_of
from remuda.frontends.c.syntax.types import (
    BOOL,
    INT,
    UNSIGNED_CHAR,
    FloatingType,
    PointerType,
    RecordType,
    VariableArrayType,
    VoidType,
    is_scalar,
)
from remuda.frontends.c.syntax.walk import array_of, is_value
from remuda.ir.program import Assign, Havoc

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.blocks import Position
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.memory.beliefs import Beliefs
    from remuda.frontends.c.memory.model import Region
    from remuda.frontends.c.syntax.types import CType, Field
    from remuda.terms.term import Term

Lvalue = ast.Dereference | ast.Index | ast.Member  # what says itself whether it is volatile
EQUALITIES = frozenset({"==", "!="})
DOUBLE_WIDTH = 64
COMPARISONS = EQUALITIES | {"<", ">", "<=", ">="}
BETWEEN_POINTERS_AND_INTEGERS = frozenset({CastKind.POINTER_TO_INTEGER, CastKind.INTEGER_TO_POINTER})


class Calls(Protocol):
    """Lowers calls."""

    def call(self, node: ast.Call) -> Steps: ...


class Bodies(Protocol):
    """Lowers statements inside expressions."""

    def statement_expression(self, node: ast.StatementExpression) -> Steps: ...

    def declare(self, variable: ast.Variable, span: Span) -> Steps: ...


@final
class Expressions:
    """Lowers the expressions of one function."""

    calls: Calls
    bodies: Bodies

    def __init__(self, context: FunctionContext) -> None:
        self.context = context
        program = context.program
        self._blocks = context.blocks
        self._terms = program.terms
        self._arithmetic = program.arithmetic
        self._layouts = program.layouts
        self._storage = program.storage
        self._memory = program.memory
        self._checks = context.checks
        self._accesses = Accesses(context)
        self._choices = Choices(context, self)
        self.read, self.write, self.forget = self._accesses.read, self._accesses.write, self._accesses.forget
        self.assertion = self._choices.assertion
        self._values: dict[type[ast.Expression], Callable[..., Steps]] = {
            ast.IntegerLiteral: self._integer,
            ast.FloatLiteral: self._float,
            ast.Unary: self._unary,
            ast.Step: self._step,
            ast.AddressOf: self._address_of,
            ast.Binary: self._binary,
            ast.Logical: self._choices.logical,
            ast.Conditional: self._choices.conditional,
            ast.Comma: self._comma,
            ast.Assign: self._assign,
            ast.CompoundAssign: self._compound_assign,
            ast.Cast: self._cast,
            ast.Call: self._call,
            ast.StatementExpression: self._statements,
            ast.VariadicArgument: self._variadic,
            ast.LabelAddress: self._label_address,
            ast.UnsupportedExpression: self._unsupported,
        }
        self._places: dict[type[ast.Expression], Callable[..., Steps]] = {
            ast.Name: self._name,
            ast.Dereference: self._dereference,
            ast.Index: self._index,
            ast.Member: self._member,
            ast.StringLiteral: self._string,
            ast.CompoundLiteral: self._compound_literal,
            ast.Cast: self._cast_place,
        }

    # --- entry points

    def value(self, node: ast.Expression) -> Steps:
        """The value of an expression: a Term, a RecordValue, or None if it has none."""
        method = self._values.get(type(node))
        if method is not None:
            return method(node)
        return self._read_of(node)

    def condition(self, node: ast.Expression) -> Steps:
        """Whether a scalar is not zero, as a Boolean term."""
        if isinstance(node, ast.Logical):
            return self._choices.logical_condition(node)
        if isinstance(node, ast.Unary) and node.op == "!":
            return self._negation(node)
        if isinstance(node, ast.Binary) and node.op in COMPARISONS:
            return self._comparison(node)
        return self._nonzero(node)

    def place(self, node: ast.Expression) -> Steps:
        """Where an lvalue is."""
        method = self._places.get(type(node))
        if method is not None:
            return method(node)
        return self._value_place(node)

    def effect(self, node: ast.Expression) -> Steps:
        """Evaluate an expression for what it does only."""
        match node:
            case ast.Assign():
                return self._assign_only(node)
            case ast.CompoundAssign():
                return self._compound_assign_only(node)
            case ast.Step():
                return self._step_only(node)
            case ast.Comma():
                return self._comma_effect(node)
            case ast.Cast(kind=CastKind.TO_VOID):
                return self.effect(node.operand)
            case _:
                return self.value(node)

    def scalars(self, nodes: Sequence[ast.Expression]) -> Steps:
        """The values of several expressions, evaluated from left to right."""
        values: list[Term | RecordValue] = []
        positions: list[Position] = []
        for node in nodes:
            values.append((yield self.value(node)))
            positions.append(self._blocks.position())
        stale = [not self._blocks.is_unchanged_since(position) for position in positions]
        for index in reversed(range(len(values))):
            if stale[index]:
                values[index] = self._saved(values[index], positions[index], nodes[index].span)
        return values

    def _saved(self, value: Term | RecordValue, at: Position, span: Span) -> Term | RecordValue:
        if isinstance(value, RecordValue):
            return RecordValue(tuple([self.save(scalar, at, span) for scalar in reversed(value.scalars)][::-1]))
        return self.save(value, at, span)

    def save(self, value: Term, at: Position, span: Span) -> Term:
        is_lasting = not value.args and (value.op != "var" or value.payload.name.startswith("t$"))
        return value if is_lasting or value is None else self._blocks.save(value, at, span)

    # --- literals

    def _integer(self, node: ast.IntegerLiteral) -> Steps:
        return self._arithmetic.literal(node.value, node.type)

    def _float(self, node: ast.FloatLiteral) -> Steps:
        assert isinstance(node.type, FloatingType)
        return self._arithmetic.float_literal(node.text, node.type)

    def type_size(self, type_: CType, span: Span) -> Term:
        """How many bytes an object of a type has; the lengths of arrays may be computed."""
        size_type = self._storage.size_type
        lengths: list[Term] = []
        while isinstance(type_, VariableArrayType):
            lengths.append(self.context.length(type_, span))
            type_ = type_.element
        size = self._arithmetic.literal(self._layouts.size(type_, span), size_type)
        for length in reversed(lengths):
            size = self._arithmetic.binary("*", length, size, size_type)
        return size

    # --- reading and places

    def _read_of(self, node: ast.Expression) -> Steps:
        place: Place = yield self.place(node)
        value = self.read(place, node.span)
        return value if is_scalar(place.type) or place.is_volatile else self._read_members(node, value)

    def _read_members(self, node: ast.Expression, value: Term | RecordValue) -> Term | RecordValue:
        """A record that was read, with any values for its volatile members that something outside may change."""
        leaves = self._layouts.leaves(node.type, node.span)
        if not isinstance(value, RecordValue) or not any(leaf.is_volatile for leaf in leaves):
            return value
        pointer = pointer_to(node)
        is_register = pointer is not None and self._memory.is_outside(pointer)
        if not self.context.program.changes_outside(object_of(node), is_register=is_register):
            return value
        source = f"volatile {node.span.text}"
        made = [
            self.context.unknown(leaf.type, node.span, f"{source}{leaf.name}", leaf.bits)
            if leaf.is_volatile
            else scalar
            for leaf, scalar in zip(leaves, value.scalars, strict=True)
        ]
        return RecordValue(tuple(made))

    def forget_numbers(self, pointer: ast.Expression, address: Term, type_: CType, source: str) -> None:
        """Give all that is no pointer in an object any value."""
        place, span = self._pointed(pointer, address, type_), pointer.span
        if is_scalar(type_):
            self.forget(place, span, source)
            return
        old = self._storage.read(place, span)
        assert isinstance(old, RecordValue)
        has_union = self._layouts.has_union(type_)
        new = list(old.scalars)
        for position, leaf in enumerate(self._layouts.leaves(type_, span)):
            if not isinstance(leaf.type, PointerType):
                number = UNSIGNED_CHAR if has_union and leaf.type == BOOL else leaf.type
                new[position] = self.context.unknown(number, span, source, leaf.bits)
        self.write(place, RecordValue(tuple(new)), span)

    def fixed_address(self, lvalue: ast.Expression) -> Term | None:
        """Where a variable or a member of one is, if nothing has to be computed to know that."""
        offset = 0
        while isinstance(lvalue, ast.Member) and not lvalue.is_arrow:
            offset += lvalue.field.offset // 8
            lvalue = lvalue.base
        if not isinstance(lvalue, ast.Name) or not isinstance(lvalue.target, ast.Variable):
            return None
        place = self.variable_place(lvalue.target)
        return self._storage.behind(place.address, offset) if isinstance(place, MemoryPlace) else None

    def trust_write(self, pointer: ast.Expression, address: Term, type_: CType) -> None:
        """What a pointer points to is about to be changed: it is where the points-to analysis believes it to be."""
        self._accesses.trust_write(self._pointed(pointer, address, type_), pointer.span)

    def _name(self, node: ast.Name) -> Steps:
        variable = node.target
        if isinstance(variable, ast.Function):
            raise InternalError(f"{variable.name} is a function, not an object")
        return self.variable_place(variable)

    def variable_place(self, variable: ast.Variable) -> Place:
        context = self.context
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

    def pointed(self, pointer: ast.Expression, address: Term, type_: CType) -> MemoryPlace:
        """What a pointer argument points to, or what is at an address computed from it."""
        return self._pointed(pointer, address, type_, origin=self._checks.origin(address, pointer, pointer.span))

    def _pointed(
        self,
        pointer: ast.Expression,
        address: Term,
        type_: CType,
        *,
        lvalue: Lvalue | None = None,
        origin: Origin | None = None,
        guards: tuple[Guard, ...] = (),
    ) -> MemoryPlace:
        """What a pointer points to, with what has to be checked before it is used. `lvalue` is how the source says it."""

        def cells(offset: int, part: CType) -> Region:
            return self._memory.cell(pointer, offset, part)

        def find(offset: int, size: int) -> Beliefs:
            return self._memory.beliefs(pointer, offset, size)

        doubt = Doubt(address, find(0, 1), find, is_wild=self._memory.may_be_wild(pointer))
        is_volatile = lvalue is not None and self._is_input(lvalue, pointer)
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

    def _is_input(self, lvalue: Lvalue, pointer: ast.Expression | None) -> bool:
        """Whether reading something gives any value, because it is volatile. The pointer leads to it, if there is one."""
        if not lvalue.is_volatile:
            return False
        is_register = pointer is not None and self._memory.is_outside(pointer)
        return self.context.program.changes_outside(object_of(lvalue), is_register=is_register)

    def _dereference(self, node: ast.Dereference) -> Steps:
        address: Term = yield self.value(node.operand)
        origin = self._checks.origin(address, node.operand, node.span)
        return self._pointed(node.operand, address, node.type, lvalue=node, origin=origin)

    def _index(self, node: ast.Index) -> Steps:
        array = array_of(node.base)
        if array is not None and is_value(array):
            part = yield self._value_element(node, array)
            return part
        if array is not None and (self._checks.watch_memory or self._memory.is_declared_element(node)):
            place = yield self._array_index(node, array)
            return place
        base, index = yield self.scalars((node.base, node.index))
        address, is_near = self._moved(node.base, base, index, node.index.type)
        origin = self._checks.origin(base, node.base, node.span)
        guards = self._checks.pointer_index(base, address, is_near, node)
        return self._pointed(node.base, address, node.type, lvalue=node, origin=origin, guards=guards)

    def _value_element(self, node: ast.Index, array: ast.Expression) -> Steps:
        """`f().a[i]`: an element of an array that is only a value, and has no address."""
        whole: Place = yield self.place(array)
        index: Term = yield self.value(node.index)
        assert isinstance(whole, RegisterPlace)
        guard = self._checks.array_index(index, node, array)
        if guard is not None:
            self._checks.guard(guard)
        count = len(self._layouts.leaves(node.type, node.span))
        if not whole.variables:
            raise Unsupported(node.span, f"{array.span.text}, which has no elements,")
        elements = [whole.variables[at : at + count] for at in range(0, len(whole.variables), count)]
        result = tuple([self._blocks.temporary(variable.type, "element") for variable in elements[0]])
        self._blocks.add(Havoc(result, node.span))  # whatever is outside of the array
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
        """An element of an array that is known: not just an address, but a part of a place."""
        whole: Place = yield self.place(array)
        if isinstance(whole, RegisterPlace):
            raise InternalError(f"the array {array.span.text} has no address")
        position = self._blocks.position()
        index: Term = yield self.value(node.index)
        if not self._blocks.is_unchanged_since(position):
            whole = self._steady(whole, position, node.span)
        base = whole.address
        address, is_near = self._moved(node.base, base, index, node.index.type)
        # A string literal is used like what a pointer leads to: it must not be written.
        is_literal = isinstance(array, ast.StringLiteral)
        guard = None if is_literal else self._checks.array_index(index, node, array)
        if whole.origin is not None:
            origin: Origin | None = replace(whole.origin, span=node.span)
        else:
            origin = self._checks.origin(base, node.base, node.span) if guard is None else None
        found = self._checks.pointer_index(base, address, is_near, node) if guard is None else (guard,)
        guards = (*whole.guards, *found)
        part = self._pointed(node.base, address, node.type, lvalue=node, origin=origin, guards=guards)
        if not self._memory.is_declared_element(node):
            return part

        def cells(offset: int, part: CType) -> Region:
            return self._memory.element_cell(node, offset, part)

        doubt = None if whole.doubt is None else whole.doubt.in_array
        inside = whole.inside
        if guard is None and self._memory.may_leave(node):
            inside = (*inside, self._checks.in_array(index, node, array))
        return replace(part, cells=cells, is_wild=whole.is_wild, doubt=doubt, inside=inside)

    def _steady(self, place: MemoryPlace, at: Position, span: Span) -> MemoryPlace:
        """A place as it was at an earlier position."""
        guards = tuple([self._steady_guard(guard, at, span) for guard in place.guards])
        origin = place.origin
        if origin is not None:
            origin = replace(origin, pointer=self.save(origin.pointer, at, span))
        inside = tuple([self.save(each, at, span) for each in place.inside])
        return replace(place, address=self.save(place.address, at, span), origin=origin, guards=guards, inside=inside)

    def _steady_guard(self, guard: Guard, at: Position, span: Span) -> Guard:
        access, reach = [None if term is None else self.save(term, at, span) for term in (guard.access, guard.reach)]
        return replace(guard, access=access, reach=reach)

    def _moved(
        self, pointer: ast.Expression, base: Term, index: Term, index_type: CType, *, backwards: bool = False
    ) -> tuple[Term, Term]:
        """The address of an element, counted from where a pointer points to, and whether it is so near that nothing wraps
        around on the way there."""
        assert isinstance(pointer.type, PointerType)
        if not isinstance(pointer.type.target, VariableArrayType):
            scale = self._scale(pointer.type, pointer.span)
            is_near = self._checks.is_near(index, index_type, scale)
            return self._arithmetic.add_offset(base, index, index_type, -scale if backwards else scale), is_near
        size_type = self._storage.size_type
        wide = self._arithmetic.convert(index, index_type, size_type)
        size = self.type_size(pointer.type.target, pointer.span)
        distance = self._arithmetic.binary("*", wide, size, size_type)
        address = self._arithmetic.add_offset(base, distance, size_type, -1 if backwards else 1)
        return address, self._checks.are_near(index, index_type, size)

    def _scale(self, pointer: CType, span: Span) -> int:
        assert isinstance(pointer, PointerType)
        return self._layouts.size(pointer.target, span)

    def _member(self, node: ast.Member) -> Steps:
        if node.is_arrow:
            address: Term = yield self.value(node.base)
            assert isinstance(node.base.type, PointerType)
            origin = self._checks.origin(address, node.base, node.span)
            base: Place = self._pointed(node.base, address, node.base.type.target, origin=origin)
        else:
            base = yield self.place(node.base)
        part = self.member(base, node.field, node.type, node.span)
        return replace(part, is_volatile=self._is_input(node, pointer_to(node)))

    def member(self, base: Place, field: Field, type_: CType, span: Span) -> Place:
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
        offset = index * self._layouts.size(type_, span)
        return base.at(offset, self._storage.behind(base.address, offset), type_)

    def _string(self, node: ast.StringLiteral) -> Steps:
        address = self._storage.literal(self._storage.object_address(node))

        def cells(offset: int, part: CType) -> Region:
            return self._memory.literal_cell(node, offset, part)

        return MemoryPlace(node.type, address, cells)

    def _compound_literal(self, node: ast.CompoundLiteral) -> Steps:
        yield self.bodies.declare(node.variable, node.span)
        return self.variable_place(node.variable)

    def _cast_place(self, node: ast.Cast) -> Steps:
        if node.kind is CastKind.NOTHING:
            place: Place = yield self.place(node.operand)
            return place
        kept: Place = yield self._value_place(node)
        return kept

    def _value_place(self, node: ast.Expression) -> Steps:
        """A place for a record that is only a value: `f().x`."""
        value = yield self.value(node)
        variables = []
        for leaf, scalar in zip(self._layouts.leaves(node.type, node.span), row_of(value), strict=True):
            variable = self._blocks.temporary(self._arithmetic.type_of(leaf.type), "record")
            self._blocks.assign(variable, scalar, node.span)
            variables.append(variable)
        return RegisterPlace(node.type, tuple(variables))

    def _address_of(self, node: ast.AddressOf) -> Steps:
        operand = node.operand
        while isinstance(operand, ast.Cast) and operand.kind is CastKind.NOTHING:
            operand = operand.operand
        if isinstance(operand, ast.Name) and isinstance(operand.target, ast.Function):
            return self._storage.function_value(operand.target)
        if isinstance(operand, ast.Dereference):
            address: Term = yield self.value(operand.operand)
            return address
        place: Place = yield self.place(operand)
        if isinstance(place, RegisterPlace):
            raise InternalError(f"the address of {node.span.text} is taken, but it has none")
        self._checks.address(place)
        return place.address

    # --- operators

    def _unary(self, node: ast.Unary) -> Steps:
        if node.op == "!":
            condition: Term = yield self._negation(node)
            return self._arithmetic.from_bool(condition, node.type)
        operand: Term = yield self.value(node.operand)
        if node.op == "-":
            self._checks.overflow("-", operand, None, node.type, node.span)
        return self._arithmetic.unary(node.op, operand, node.type)

    def _negation(self, node: ast.Unary) -> Steps:
        operand: Term = yield self.condition(node.operand)
        return self._terms.not_(operand)

    def _nonzero(self, node: ast.Expression) -> Steps:
        inner = node
        while isinstance(inner, ast.Cast) and keeps_truth(inner):
            inner = inner.operand
        if inner is not node:
            condition: Term = yield self.condition(inner)
            return condition
        value: Term = yield self.value(node)
        return self._arithmetic.is_nonzero(value, node.type)

    def _comparison(self, node: ast.Binary) -> Steps:
        left, right = yield self.scalars((node.left, node.right))
        if isinstance(node.left.type, PointerType) and isinstance(node.right.type, PointerType):
            self._trust_comparison(node, left, right)
        return self._arithmetic.compare(node.op, left, right, node.left.type)

    def _trust_comparison(self, node: ast.Binary, left: Term, right: Term) -> None:
        """C says nothing of the order of two objects, nor whether two equal literals are one object, nor where a number
        points to that is made a pointer, nor whether an object begins where another one ends. Only NULL is different
        from all objects."""
        if number_of(left) == 0 or number_of(right) == 0:
            return
        if self._storage.is_no_object(left) != self._storage.is_no_object(right):
            self.context.program.trusted.address(node.span)
        if node.op not in EQUALITIES and not self._memory.is_one_object(node.left, node.right):
            self.context.program.trusted.address(node.span)
        if self._memory.may_be_literals(node.left, node.right):
            self.context.program.trusted.literals(node.span)
        elif node.op in EQUALITIES and self._memory.may_be_neighbours(node.left, node.right):
            self.context.program.trusted.address(node.span)
        if number_of(left) is None and number_of(right) is None:  # no block is where an object with a name is
            self.context.program.compared(node.span, self._memory.family(node.left), self._memory.family(node.right))

    def _binary(self, node: ast.Binary) -> Steps:
        if node.op in COMPARISONS:
            condition: Term = yield self._comparison(node)
            return self._arithmetic.from_bool(condition, node.type)
        left, right = yield self.scalars((node.left, node.right))
        return self.combine(node.op, left, node.left.type, right, node.right.type, node.type, node)

    def combine(
        self,
        op: str,
        left: Term,
        left_type: CType,
        right: Term,
        right_type: CType,
        type_: CType,
        node: ast.Expression,
    ) -> Term:
        """`left op right` of operands that are converted already; `node` is the whole expression."""
        arithmetic, span = self._arithmetic, node.span
        if isinstance(left_type, PointerType) and isinstance(right_type, PointerType):
            if isinstance(node, ast.Binary) and not self._memory.is_one_object(node.left, node.right):
                self.context.program.trusted.address(span)
            if not isinstance(left_type.target, VariableArrayType):
                return arithmetic.pointer_difference(left, right, self._scale(left_type, span), type_)
            size = arithmetic.convert(self.type_size(left_type.target, span), self._storage.size_type, type_)
            return arithmetic.binary("/", arithmetic.pointer_difference(left, right, 1, type_), size, type_)
        if isinstance(right_type, PointerType):
            left, left_type, right, right_type = right, right_type, left, left_type
        if isinstance(left_type, PointerType):
            moved, is_near = self._moved(pointer_in(node), left, right, right_type, backwards=op == "-")
            self._checks.moved(left, moved, is_near, node)
            return moved
        self._checks.operation(op, left, right, left_type, right_type, span)
        self._trust_precision(type_)
        return arithmetic.binary(op, left, right, type_, right_type)

    def _trust_precision(self, type_: CType) -> None:
        """Compilers for 32 bits compute with the floats of the x87, which are more precise (C11 5.2.4.2.2p9)."""
        if (
            isinstance(type_, FloatingType)
            and type_.width <= DOUBLE_WIDTH
            and self._storage.size_type.width == INT.width
        ):
            self.context.program.assume(
                "floats are computed in their own types, without the excess precision of the x87 (`-mfpmath=sse`)"
            )

    def _comma(self, node: ast.Comma) -> Steps:
        yield self.effect(node.left)
        value = yield self.value(node.right)
        return value

    def _comma_effect(self, node: ast.Comma) -> Steps:
        yield self.effect(node.left)
        yield self.effect(node.right)

    # --- assignments

    def _assign(self, node: ast.Assign) -> Steps:
        place, value = yield self._assigned(node)
        kept = self.kept(value, node.span)
        self.write(place, kept, node.span, node.target.span.text)
        return self.read(place, node.span) if place.bits is not None and not place.is_volatile else kept

    def _assign_only(self, node: ast.Assign) -> Steps:
        place, value = yield self._assigned(node)
        self.write(place, value, node.span, node.target.span.text)

    def _assigned(self, node: ast.Assign) -> Steps:
        value = yield self.value(node.value)
        position = self._blocks.position()
        place: Place = yield self.place(node.target)
        if not self._blocks.is_unchanged_since(position):
            value = self._saved(value, position, node.span)
        if not isinstance(value, RecordValue):
            self._checks.bit_field(value, node.target.type, place.bits, node.span)
        return place, value

    def kept(self, value: Term | RecordValue, span: Span) -> Term | RecordValue:
        """The value, whatever is assigned from now on."""
        return self._saved(value, self._blocks.position(), span)

    def _compound_assign(self, node: ast.CompoundAssign) -> Steps:
        place, value = yield self._compound(node)
        kept = self.kept(value, node.span)
        self.write(place, kept, node.span, node.target.span.text)
        return self.read(place, node.span) if place.bits is not None and not place.is_volatile else kept

    def _compound_assign_only(self, node: ast.CompoundAssign) -> Steps:
        place, value = yield self._compound(node)
        self.write(place, value, node.span, node.target.span.text)

    def _compound(self, node: ast.CompoundAssign) -> Steps:
        right: Term = yield self.value(node.value)
        position = self._blocks.position()
        place: Place = yield self.place(node.target)
        if not self._blocks.is_unchanged_since(position):
            right = self.save(right, position, node.span)
        target, arithmetic = node.target.type, self._arithmetic
        old = self.read(place, node.span)
        assert not isinstance(old, RecordValue)
        left = arithmetic.convert(old, target, node.computation)
        combined = self.combine(node.op, left, node.computation, right, node.value.type, node.computation, node)
        self._checks.conversion(combined, node.computation, target, node.span)
        value = arithmetic.convert(combined, node.computation, target)
        self._checks.bit_field(value, target, place.bits, node.span)
        return place, value

    def _step(self, node: ast.Step) -> Steps:
        place: Place = yield self.place(node.operand)
        old = self.read(place, node.span)
        assert not isinstance(old, RecordValue)
        if not node.is_prefix:
            old = self.save(old, self._blocks.position(), node.span)
        new = self.kept(self._stepped(node, old), node.span)
        self.write(place, new, node.span, node.operand.span.text)
        if not node.is_prefix:
            return old
        return self.read(place, node.span) if place.bits is not None and not place.is_volatile else new

    def _step_only(self, node: ast.Step) -> Steps:
        place: Place = yield self.place(node.operand)
        old = self.read(place, node.span)
        assert not isinstance(old, RecordValue)
        self.write(place, self._stepped(node, old), node.span, node.operand.span.text)

    def _stepped(self, node: ast.Step, old: Term) -> Term:
        type_, arithmetic, op = node.operand.type, self._arithmetic, node.op[0]
        if isinstance(type_, PointerType):
            one = arithmetic.literal(1 if op == "+" else -1, INT)
            moved, is_near = self._moved(node.operand, old, one, INT)
            self._checks.moved(old, moved, is_near, node)
            return moved
        wide = promoted(type_)
        one = arithmetic.convert(arithmetic.literal(1, INT), INT, wide)
        left = arithmetic.convert(old, type_, wide)
        self._checks.overflow(op, left, one, wide, node.span)
        self._trust_precision(wide)
        result = arithmetic.binary(op, left, one, wide)
        self._checks.conversion(result, wide, type_, node.span)
        return arithmetic.convert(result, wide, type_)

    # --- conversions

    def _cast(self, node: ast.Cast) -> Steps:
        match node.kind:
            case CastKind.LVALUE_TO_RVALUE:
                if isinstance(node.operand, ast.Member) and is_wide_field(node.operand.field):
                    self.context.program.trusted.wide_field(node.span)
                value = yield self._read_of(node.operand)
                return value
            case CastKind.ARRAY_TO_POINTER:
                place = yield self.place(node.operand)
                if isinstance(place, RegisterPlace):
                    raise Unsupported(node.span, f"the address of {node.span.text}, which is only a value,")
                self._checks.address(place)
                return place.address
            case CastKind.FUNCTION_TO_POINTER:
                address: Term = yield self._function_address(node.operand)
                return address
            case CastKind.TO_VOID:
                yield self.effect(node.operand)
                return None
            case CastKind.TO_BOOL:
                condition: Term = yield self.condition(node.operand)
                return self._arithmetic.from_bool(condition, node.type)
            case CastKind.NOTHING | CastKind.POINTER:
                kept = yield self.value(node.operand)
                return kept
            case CastKind.INTEGER_TO_POINTER if (
                pointer := pointer_behind(node, self._storage.size_type.width)
            ) is not None:
                same: Term = yield self.value(pointer)
                return same
            case CastKind.TO_UNION:
                self.context.unsupported("a cast to a union", node.span)
                return self._accesses.any_value(node.type, node.span)
            case _:
                operand: Term = yield self.value(node.operand)
                return self._converted(operand, node)

    def _converted(self, operand: Term, node: ast.Cast) -> Term:
        self._checks.cast(operand, node)
        if node.kind in BETWEEN_POINTERS_AND_INTEGERS and not self._storage.is_no_object(operand):
            self.context.program.trusted.address(node.span)
        return self._arithmetic.convert(operand, node.operand.type, node.type)

    def _function_address(self, node: ast.Expression) -> Steps:
        if isinstance(node, ast.Name) and isinstance(node.target, ast.Function):
            return self._storage.function_value(node.target)
        if isinstance(node, ast.Dereference):
            address: Term = yield self.value(node.operand)
            return address
        raise InternalError(f"{node.span.text} is no function")

    # --- the rest

    def _call(self, node: ast.Call) -> Steps:
        return self.calls.call(node)

    def _statements(self, node: ast.StatementExpression) -> Steps:
        return self.bodies.statement_expression(node)

    def _variadic(self, node: ast.VariadicArgument) -> Steps:
        self.context.unsupported("va_arg", node.span)
        return self._accesses.any_value(node.type, node.span)

    def _label_address(self, node: ast.LabelAddress) -> Steps:
        return self._storage.literal(self.context.label_number(node.label))

    def _unsupported(self, node: ast.UnsupportedExpression) -> Steps:
        self.context.unsupported(node.construct, node.span)
        return None if isinstance(node.type, VoidType) else self._accesses.any_value(node.type, node.span)
