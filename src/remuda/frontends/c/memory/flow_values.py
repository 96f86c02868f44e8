"""The values of expressions in the points-to analysis, and the operations on them.

An expression has a *place* (an lvalue, or a record by value), a *slot* (a scalar that may be a pointer), or neither.
Constant addresses are computed, because C programs write `offsetof` as `(size_t)&((T *)0)->field`.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.memory.abstract_objects import WHOLE, Node
from remuda.frontends.c.memory.points_to import PointsTo
from remuda.frontends.c.memory.slots import Label, Place, Slot, find_node
from remuda.frontends.c.syntax import ast, walk
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.shapes import (
    Shape,
    can_be_split,
    element_size,
    field_size,
    member_label,
    shape_of,
    type_label,
)
from remuda.frontends.c.syntax.types import (
    ArrayType,
    CType,
    FloatingType,
    IntegerType,
    PointerType,
    RecordType,
    is_scalar,
    size_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.frontends.c.syntax.types import Machine

NO_OBJECT: Final = 4096  # addresses nearer to 0 than this, on either side, are null pointers and error codes
FAR: Final = 1 << 20  # a larger constant added to an integer does not lead to another part of its object
BYTE: Final = 8
BY_FIELD, BY_VARIABLE, BY_TYPE = 0, 1, 2  # which names of cells are best
_LASTING: Final = (ast.Storage.GLOBAL, ast.Storage.EXTERN, ast.Storage.STATIC)


@final
class Values:
    """The values and objects of a program."""

    def __init__(
        self, machine: Machine, reached: Callable[[ast.Call, ast.Function], None], *, believes: bool = True
    ) -> None:
        self.machine = machine
        self.graph = PointsTo(reached, believes=believes)
        self.places: dict[ast.Expression, Place] = {}
        self.slots: dict[ast.Expression, Slot] = {}
        self.constants: dict[ast.Expression, int] = {}  # values; of lvalues, addresses
        self.objects: dict[ast.Variable, Node] = {}
        self.literals: dict[ast.StringLiteral, Node] = {}
        self.addressed: dict[ast.Variable, None] = {}
        self.functions: dict[ast.Function, Node] = {}  # the functions whose address is taken
        self.waiting: list[ast.Variable] = []  # variables with initial values that are still to be read
        self.initialised: dict[ast.Variable, None] = {}  # those that have been, where they are mentioned
        self._results: dict[ast.Function, Node] = {}
        self._shapes: dict[CType, Shape] = {}
        self._shared: dict[str, Slot] = {}
        self._absolute: Node | None = None

    def is_in_memory(self, variable: ast.Variable) -> bool:
        return variable in self.addressed or not can_be_split(variable.type)

    # --- objects

    def object(self, variable: ast.Variable) -> Node:
        node = self.objects.get(variable)
        if node is None:
            node = self.graph.node(in_memory=False, size=self._extent(variable))
            self.objects[variable] = node
            if variable.storage in _LASTING and variable not in self.initialised:
                self.waiting.append(variable)
        return node

    def _extent(self, variable: ast.Variable) -> int | None:
        """The size of an object in bytes, if its type determines it."""
        type_ = variable.type
        while isinstance(type_, RecordType) and type_.fields:  # a flexible array member at the end has any length
            type_ = type_.fields[-1].type
        is_open = isinstance(type_, ArrayType) and not type_.length
        return None if is_open else size_of(variable.type, self.machine)

    def result(self, function: ast.Function) -> Node:
        node = self._results.get(function)
        if node is None:
            node = self.graph.node(in_memory=False)
            self._results[function] = node
        return node

    def shared(self, name: str) -> Slot:
        """A slot for values that the library stores outside of the program's memory."""
        if name not in self._shared:
            self._shared[name] = self.graph.slot()
        return self._shared[name]

    def temporary(self) -> Place:
        return self.graph.node(in_memory=False), 0

    def pointed(self, pointer: ast.Expression) -> Place:
        """The place that the value of an expression points to."""
        slot = self.slots.get(pointer)
        if slot is not None:
            return self.graph.pointee(slot)
        value = self.constants.get(pointer)
        if value is None:
            slot = self.slots[pointer] = self.graph.slot()
            self.graph.pointer(slot)
            return self.graph.pointee(slot)
        if self._absolute is None:
            self._absolute = self.graph.node()
        return self._absolute, value

    def is_absolute(self, node: Node) -> bool:
        """Whether a node is, or may be, an object at an address that the program writes as a number."""
        return self._absolute is not None and find_node(self._absolute)[0] is node

    def is_pointer(self, expression: ast.Expression) -> bool:
        """Whether the analysis follows the value of an expression as a pointer."""
        return expression in self.slots or expression in self.constants

    def pointer_to(self, place: Place, extent: int = WHOLE) -> Slot:
        if isinstance(place[0], Node):
            find_node(place[0])[0].in_memory = True
        return self.graph.slot(place, extent)

    def scalar(
        self,
        place: Place,
        type_: CType,
        label: Label,
        *,
        is_number: bool | None = None,
        is_expected: bool = False,
    ) -> Slot:
        """Note the access of a scalar: as a number if its type is one, unless it is a byte of something else. A
        scalar may also only be expected, and is zero until it is accessed."""
        size = size_of(type_, self.machine) or 1
        floating = type_ if isinstance(type_, FloatingType) else None
        if is_number is None:
            is_number = isinstance(type_, IntegerType) and type_.width > BYTE
        access = self.graph.expect if is_expected else self.graph.access
        slot = access(place, size, floating, label, is_number=is_number)
        if isinstance(type_, PointerType):
            self.graph.pointer(slot)
        return slot

    def lvalue(self, expression: ast.Expression) -> Slot:
        """Note the access of the scalar that an lvalue denotes."""
        place, label = self.places.get(expression), label_of(expression)
        if place is None:
            place = self.places[expression] = (self.graph.node(), 0)
        if isinstance(expression, ast.Member) and expression.field.bits is not None:
            return self.graph.access(
                place, field_size(expression.field, self.machine), None, label, is_number=not _is_pun(expression)
            )
        return self.scalar(place, expression.type, label, is_number=False if _is_pun(expression) else None)

    def shape(self, type_: CType) -> Shape:
        found = self._shapes.get(type_)
        if found is None:
            found = self._shapes[type_] = shape_of(type_, self.machine)
        return found

    def touch(self, place: Place, type_: CType, name: str, *, is_changed: bool = False) -> None:
        """Note the access of all scalars of an object, by their declared types (when it becomes zero, for example).
        `is_changed`: its numbers may be any numbers afterwards."""
        shape = self.shape(type_)
        node, offset = place
        for array in shape.arrays:
            self.graph.array((node, offset + array.start), array)
        for scalar in shape.scalars:
            label = (BY_FIELD, scalar.label) if scalar.label else (BY_VARIABLE, name)
            slot = self.scalar((node, offset + scalar.offset), scalar.type, label, is_expected=True)
            if is_changed and isinstance(scalar.type, IntegerType):
                self.graph.loosen(slot)

    def touch_pointed(self, pointer: ast.Expression) -> None:
        """The same for what a pointer points to, by its type before the conversion to `void *`."""
        pointer = walk.strip(pointer, CastKind.POINTER, CastKind.NOTHING)
        if isinstance(pointer.type, PointerType) and isinstance(pointer.type.target, RecordType | ArrayType):
            self.touch(self.pointed(pointer), pointer.type.target, type_label(pointer.type.target))

    def copy(self, source: Place, target: Place, type_: CType) -> None:
        """Copy a record, scalar by scalar."""
        self.touch(source, type_, type_label(type_))
        self.touch(target, type_, type_label(type_))
        for scalar in self.shape(type_).scalars:
            label = (BY_FIELD, scalar.label)
            value = self.scalar((source[0], source[1] + scalar.offset), scalar.type, label)
            self.graph.flow(value, self.scalar((target[0], target[1] + scalar.offset), scalar.type, label))

    def give(self, value: ast.Expression, target: Place, type_: CType, label: Label) -> None:
        """Store a value in an object of a type."""
        if is_scalar(type_):
            self.pass_into(value, self.scalar(target, type_, label))
        elif value in self.places and isinstance(type_, RecordType):
            self.copy(self.places[value], target, type_)

    def pass_into(self, value: ast.Expression, slot: Slot) -> None:
        """Let a value flow into a slot. A value without a slot, such as a number made from a float, may be any
        number."""
        if value in self.slots:
            self.graph.flow(self.slots[value], slot)
        elif value not in self.constants:
            self.graph.loosen(slot)

    # --- pointers

    def take_address(self, lvalue: ast.Expression) -> None:
        while isinstance(lvalue, ast.Member) and not lvalue.is_arrow:
            lvalue = lvalue.base
        match lvalue:
            case ast.Name(target=ast.Variable() as variable) | ast.CompoundLiteral(variable=variable):
                self.addressed[variable] = None

    def function_pointer(self, function: ast.Function) -> Slot:
        node = self.functions.get(function)
        if node is None:
            node = self.functions[function] = self.graph.node()
            node.functions.append(function)
        return self.pointer_to((node, 0))

    def constant_pointer(self, node: ast.Expression) -> None:
        value = wrap(self.constants[node], self.machine.pointer_width)
        self.constants[node] = value
        if abs(value) >= NO_OBJECT:
            self.slots[node] = self.pointer_to(self.pointed(node))

    def step_size(self, pointer: CType) -> int:
        return element_size(pointer.target, self.machine) if isinstance(pointer, PointerType) else 1

    # --- flows

    def derive(
        self, node: ast.Expression, operands: Sequence[ast.Expression], added: int | None = None
    ) -> Slot | None:
        """Compute a value from others: by adding a number, or (None) in an unknown way."""
        sources = [self.slots[operand] for operand in operands if operand in self.slots]
        if not sources:
            return None
        slot = self.slots[node] = self.graph.slot()
        if added is None or abs(added) >= FAR:
            self.graph.loosen(slot)
        for one, other in itertools.pairwise(sources) if added is None else ():
            self.graph.compare(one, other, for_equality=False)
        for source in sources:
            self.graph.flow(source, slot, wrap(added, self.machine.pointer_width) if added is not None else None)
        return slot

    def pass_on(self, source: ast.Expression, node: ast.Expression) -> None:
        """Give an expression the value of another one."""
        if source in self.places:
            self.places[node] = self.places[source]
        if source in self.slots:
            self.slots[node] = self.slots[source]
        if source in self.constants:
            self.constants[node] = self.constants[source]


def _is_pun(lvalue: ast.Expression) -> bool:
    """Whether an lvalue may be of another type than the object: a member of a union, or behind a converted pointer."""
    while True:
        match lvalue:
            case ast.Member(base=base, is_arrow=is_arrow):
                record = base.type.target if isinstance(base.type, PointerType) else base.type
                if isinstance(record, RecordType) and record.kind == "union":
                    return True
                if is_arrow:
                    return False  # conversions of pointers to records are too common
                lvalue = base
            case ast.Index(base=ast.Cast(kind=CastKind.ARRAY_TO_POINTER, operand=array)):
                lvalue = array
            case ast.Index(base=pointer) | ast.Dereference(operand=pointer):
                return isinstance(pointer, ast.Cast) and pointer.kind is CastKind.POINTER
            case _:
                return False


def label_of(lvalue: ast.Expression) -> Label:
    type_ = lvalue.type
    while True:
        match lvalue:
            case ast.Index(base=ast.Cast(kind=CastKind.ARRAY_TO_POINTER, operand=array)):
                lvalue = array  # an element has the name of its array
            case _:
                break
    match lvalue:
        case ast.Name(target=target):
            return BY_VARIABLE, target.name
        case ast.Member(base=base, field=field):
            record = base.type.target if isinstance(base.type, PointerType) else base.type
            return BY_FIELD, member_label(record.tag if isinstance(record, RecordType) else "", field)
        case _:
            return BY_TYPE, type_label(type_)


def wrap(value: int, width: int, *, signed: bool = True) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if signed and value >> (width - 1) else value
