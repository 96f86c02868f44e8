"""Derives the constraints of the points-to analysis from syntax trees: how values flow, expression by expression.

Operands come before their expression; `Values` keeps their slots and places.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, final

from remuda.frontends.c.memory.abstract_objects import WHOLE
from remuda.frontends.c.memory.allocators import Allocators
from remuda.frontends.c.memory.flow_values import BY_FIELD, BY_TYPE, BY_VARIABLE, FAR, Values, label_of, wrap
from remuda.frontends.c.memory.library_flows import LIBRARY_FLOWS
from remuda.frontends.c.memory.slots import find_node
from remuda.frontends.c.syntax import ast, walk
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.shapes import (
    array_at,
    element_size,
    field_offset,
    field_size,
    type_label,
)
from remuda.frontends.c.syntax.types import (
    VOID,
    ArrayType,
    CType,
    Field,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    VariableArrayType,
    VoidType,
    is_scalar,
    size_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.frontends.c.memory.abstract_objects import Node
    from remuda.frontends.c.memory.slots import Place
    from remuda.frontends.c.syntax.types import Machine


@final
class Flows:
    """The flows of a program."""

    def __init__(self, machine: Machine, *, believes: bool = True) -> None:
        self.values = Values(machine, self._bind, believes=believes)
        self.reached: dict[ast.Call, dict[ast.Function, None]] = {}  # the functions that calls through pointers reach
        self.allocated: list[tuple[ast.Function, Node]] = []  # the results of functions that only allocate
        self.declared_arrays: dict[ast.Expression, Place] = {}  # for lvalues that are elements of a declared array
        self._allocators = Allocators()
        self._variadic: list[ast.Expression] = []  # arguments behind the last parameter
        self._reads_variadic = False
        self._function: ast.Function | None = None
        self._handlers: dict[type, Callable[..., None]] = {
            ast.Name: self._name,
            ast.StringLiteral: self._string,
            ast.IntegerLiteral: self._integer,
            ast.Unary: self._unary,
            ast.Step: self._step,
            ast.AddressOf: self._address_of,
            ast.Dereference: self._dereference,
            ast.Index: self._index,
            ast.Member: self._member,
            ast.Binary: self._binary,
            ast.Conditional: self._conditional,
            ast.Comma: self._comma,
            ast.Assign: self._assign,
            ast.CompoundAssign: self._compound_assign,
            ast.Cast: self._cast,
            ast.Call: self._call,
            ast.CompoundLiteral: self._compound_literal,
            ast.StatementExpression: self._statement_expression,
            ast.VariadicArgument: self._variadic_argument,
            ast.Declaration: self._declaration,
            ast.Return: self._return,
            ast.Assembly: self._assembly,
        }

    # --- reading the program

    def read(self, functions: Sequence[ast.Function], outside: Sequence[ast.Variable] = ()) -> None:
        """Read functions, and variables that other files define, whose contents are unknown."""
        for function in functions:
            self._function = function
            for parameter in function.parameters:
                self.values.object(parameter)
            if function.body is not None:
                self._read_tree(function.body)
        self._function = None
        while self.values.waiting:
            variable = self.values.waiting.pop()
            for value in walk.variable_children(variable):
                self._read_tree(value)
            self._initialise(variable)
        for variable, node in list(self.values.objects.items()):
            if self.values.is_in_memory(variable):
                find_node(node)[0].in_memory = True
                self.values.touch((node, 0), variable.type, variable.name)
        for variable in outside:
            if variable in self.values.objects:
                self.values.graph.forget((self.values.objects[variable], 0))
        self.values.graph.solve()
        while self._variadic and self._reads_variadic:
            given, self._variadic = self._variadic, []
            for argument in given:
                self._give_variadic(argument)
            self.values.graph.solve()

    def _read_tree(self, root: walk.Node) -> None:
        handlers = self._handlers
        for node in walk.postorder(root, walk.evaluated):
            handler = handlers.get(type(node))
            if handler is not None:
                handler(node)

    # --- lvalues

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.target, ast.Variable):
            self.values.places[node] = (self.values.object(node.target), 0)

    def _string(self, node: ast.StringLiteral) -> None:
        if node not in self.values.literals:
            size = size_of(node.type, self.values.machine)
            self.values.literals[node] = self.values.graph.node(size=size)
            self.values.places[node] = (self.values.literals[node], 0)

    def _dereference(self, node: ast.Dereference) -> None:
        if node.operand in self.values.constants:
            self.values.constants[node] = self.values.constants[node.operand]
        self.values.places[node] = self.values.pointed(node.operand)

    def _index(self, node: ast.Index) -> None:
        """All elements count as one: `p[1]` moves `p` by an unknown index. An element of a declared array lies in
        that array, or the index is undefined; so other uses of the array do not matter."""
        place = self._declared_array(node.base)
        slot = self.values.slots.get(node.base)
        if place is not None and isinstance(node.base, ast.Cast):
            length = size_of(node.base.operand.type, self.values.machine) or WHOLE
            slot = self.values.graph.slot(place, length)
            self.values.places[node] = self.values.graph.pointee(slot)
            self.declared_arrays[node] = place
        if slot is not None and self.values.constants.get(node.index) != 0:
            self.values.graph.move(slot, self.values.step_size(node.base.type))
        if node not in self.values.places:
            self.values.places[node] = self.values.pointed(node.base)
        self._take_part(node)

    def _declared_array(self, pointer: ast.Expression) -> Place | None:
        """The declared array that an expression names, if it has the length of its declaration."""
        if not isinstance(pointer, ast.Cast) or pointer.kind is not CastKind.ARRAY_TO_POINTER:
            return None
        array = pointer.operand
        is_sized = isinstance(array.type, ArrayType) and bool(array.type.length)
        if not is_sized or array in self.values.constants or walk.ends_record(array):
            return None
        return self.values.places.get(array)

    def _member(self, node: ast.Member) -> None:
        offset = field_offset(node.field)
        if node.base in self.values.constants:
            self.values.constants[node] = self.values.constants[node.base] + offset
        base, start = (
            self.values.pointed(node.base)
            if node.is_arrow
            else self.values.places.get(node.base) or self.values.temporary()
        )
        self.values.places[node] = (base, start + offset)
        self._take_part(node)

    def _take_part(self, node: ast.Expression) -> None:
        """Read a scalar of a value, as in `f().a`, at once: it is no lvalue that could be read later."""
        if is_scalar(node.type) and walk.is_value(node):
            self.values.slots[node] = self.values.lvalue(node)

    def _compound_literal(self, node: ast.CompoundLiteral) -> None:
        self.values.initialised[node.variable] = None
        self.values.places[node] = (self.values.object(node.variable), 0)
        self._initialise(node.variable)

    # --- pointers

    def _address_of(self, node: ast.AddressOf) -> None:
        operand = node.operand
        self.values.take_address(operand)
        if operand in self.values.constants:
            self.values.constants[node] = self.values.constants[operand]
            self.values.constant_pointer(node)
        elif isinstance(operand, ast.Dereference):
            self.values.pass_on(operand.operand, node)
        elif isinstance(operand, ast.Index):
            slot = self.values.slots.get(operand.base)
            if slot is not None and self.values.constants.get(operand.index) != 0:
                self.values.graph.move(slot, self.values.step_size(operand.base.type))
            self.values.pass_on(operand.base, node)
        elif isinstance(operand, ast.Name) and isinstance(operand.target, ast.Function):
            self.values.slots[node] = self.values.function_pointer(operand.target)
        elif operand in self.values.places:
            self.values.slots[node] = self.values.pointer_to(self.values.places[operand])

    def _decay(self, node: ast.Cast) -> None:
        """Convert an array to a pointer to its first element."""
        operand = node.operand
        self.values.take_address(operand)
        if operand in self.values.constants:
            self.values.constants[node] = self.values.constants[operand]
            self.values.constant_pointer(node)
            return
        place = self.values.places.get(operand)
        if place is None or not isinstance(operand.type, ArrayType | VariableArrayType):
            return
        array = array_at(operand.type, 0, self.values.machine)
        self.values.graph.array(place, array)
        self.values.slots[node] = self.values.pointer_to(place, array.length)

    # --- arithmetic

    def _integer(self, node: ast.IntegerLiteral) -> None:
        self.values.constants[node] = node.value

    def _unary(self, node: ast.Unary) -> None:
        value = self.values.constants.get(node.operand)
        if value is not None and node.op in {"-", "+", "~"}:
            self.values.constants[node] = {"-": -value, "+": value, "~": ~value}[node.op]
        elif node.op != "!" and node.operand in self.values.slots:
            self.values.derive(node, (node.operand,))

    def _step(self, node: ast.Step) -> None:
        slot = self.values.lvalue(node.operand)
        self.values.graph.move(slot, self.values.step_size(node.operand.type))
        self.values.slots[node] = slot

    def _binary(self, node: ast.Binary) -> None:
        left, right = self.values.constants.get(node.left), self.values.constants.get(node.right)
        if left is not None and right is not None:
            value = _fold_constant(node.op, left, right)
            is_plain = isinstance(node.left.type, IntegerType) and isinstance(node.right.type, IntegerType)
            if value is not None and is_plain and isinstance(node.type, IntegerType):
                self.values.constants[node] = wrap(value, node.type.width, signed=node.type.signed)
                return
        if isinstance(node.type, PointerType):
            self._pointer_arithmetic(node)
        elif isinstance(node.left.type, PointerType) or node.op in {"<", ">", "<=", ">=", "==", "!="}:
            if node.left in self.values.slots and node.right in self.values.slots:
                left_slot, right_slot = self.values.slots[node.left], self.values.slots[node.right]
                self.values.graph.compare(left_slot, right_slot, for_equality=node.op in {"==", "!="})
        elif node.op in {"+", "-"} and right is not None and node.left in self.values.slots:
            self.values.derive(node, (node.left,), right if node.op == "+" else -right)
        elif node.op == "+" and left is not None and node.right in self.values.slots:
            self.values.derive(node, (node.right,), left)
        else:
            self.values.derive(node, (node.left, node.right))

    def _pointer_arithmetic(self, node: ast.Binary) -> None:
        pointer, index = node.left, node.right
        if not isinstance(pointer.type, PointerType):
            pointer, index = index, pointer
        size, steps = self.values.step_size(pointer.type), self.values.constants.get(index)
        if pointer in self.values.constants and steps is not None:
            self.values.constants[node] = (
                self.values.constants[pointer] + (steps if node.op == "+" else -steps) * size
            )
            self.values.constant_pointer(node)
            return
        if steps is None:
            self.values.pointed(pointer)
            if pointer in self.values.slots:
                self.values.graph.move(self.values.slots[pointer], size)
                self.values.slots[node] = self.values.slots[pointer]
            return
        steps = wrap(steps, self.values.machine.pointer_width)
        slot = self.values.derive(node, (pointer,), (steps if node.op == "+" else -steps) * size)
        if slot is not None:
            self.values.graph.pointer(slot)

    # --- assignments and choices

    def _assign(self, node: ast.Assign) -> None:
        target = node.target
        if is_scalar(target.type):
            slot = self.values.lvalue(target)
            self.values.pass_into(node.value, slot)
            self.values.slots[node] = slot
        elif target in self.values.places:
            self.values.give(node.value, self.values.places[target], target.type, label_of(target))
            self.values.places[node] = self.values.places[target]

    def _compound_assign(self, node: ast.CompoundAssign) -> None:
        slot = self.values.lvalue(node.target)
        self.values.slots[node] = slot
        steps = self.values.constants.get(node.value) if node.op in {"+", "-"} else None
        size = self.values.step_size(node.target.type)
        self.values.graph.move(slot, size if steps is None else gcd(steps * size, 0) or size)
        if not isinstance(node.target.type, PointerType):
            if steps is None or abs(steps) >= FAR:
                self.values.graph.loosen(slot)
            if node.value in self.values.slots:
                self.values.graph.compare(slot, self.values.slots[node.value], for_equality=False)
                self.values.graph.flow(self.values.slots[node.value], slot, None)

    def _conditional(self, node: ast.Conditional) -> None:
        values = (node.condition if node.then is None else node.then, node.otherwise)
        if isinstance(node.type, RecordType):
            self.values.places[node] = self.values.temporary()
            for value in values:
                self.values.give(value, self.values.places[node], node.type, (BY_TYPE, type_label(node.type)))
        elif is_scalar(node.type):
            self.values.derive(node, values, 0)

    def _comma(self, node: ast.Comma) -> None:
        self.values.pass_on(node.right, node)

    def _statement_expression(self, node: ast.StatementExpression) -> None:
        last: ast.Statement | None = node.body.statements[-1] if node.body.statements else None
        while isinstance(last, ast.Label | ast.Case):
            last = last.body
        if isinstance(last, ast.ExpressionStatement):
            self.values.pass_on(last.expression, node)

    # --- conversions

    def _cast(self, node: ast.Cast) -> None:
        operand = node.operand
        match node.kind:
            case CastKind.LVALUE_TO_RVALUE:
                if is_scalar(node.type):
                    self._read(node, operand)
                elif operand in self.values.places:
                    self.values.places[node] = self.values.places[operand]
            case CastKind.ARRAY_TO_POINTER:
                self._decay(node)
            case CastKind.FUNCTION_TO_POINTER:
                self._function_decay(node)
            case CastKind.INTEGRAL | CastKind.POINTER_TO_INTEGER:
                self._to_integer(node)
            case CastKind.INTEGER_TO_POINTER:
                self._to_pointer(node)
            case CastKind.POINTER | CastKind.NOTHING:
                self.values.pass_on(operand, node)
            case CastKind.TO_UNION:
                self.values.places[node] = self.values.temporary()
                self.values.give(operand, self.values.places[node], operand.type, (BY_TYPE, type_label(operand.type)))

    def _read(self, node: ast.Cast, lvalue: ast.Expression) -> None:
        """Read a scalar. A volatile one may have been changed from outside the program."""
        contents = self.values.slots[node] = self.values.lvalue(lvalue)
        owner = lvalue.target if isinstance(lvalue, ast.Name) else lvalue
        if isinstance(owner, ast.Variable | ast.Member | ast.Index | ast.Dereference) and owner.is_volatile:
            slot = self.values.slots[node] = self.values.graph.slot()
            if isinstance(node.type, PointerType):
                self.values.graph.pointer(slot)
            self.values.graph.flow(contents, slot)
            self.values.graph.from_nowhere(slot)

    def _function_decay(self, node: ast.Cast) -> None:
        match node.operand:
            case ast.Name(target=ast.Function() as function):
                self.values.slots[node] = self.values.function_pointer(function)
            case ast.Dereference(operand=pointer):
                self.values.pass_on(pointer, node)
            case operand:
                self.values.pass_on(operand, node)

    def _to_integer(self, node: ast.Cast) -> None:
        """Convert a value to an integer. A wide enough integer keeps an address. Parts of an address may be combined
        again: then it counts as moved by an unknown distance."""
        if not isinstance(node.type, IntegerType):
            return
        operand = node.operand
        if operand in self.values.constants:
            self.values.constants[node] = wrap(
                self.values.constants[operand], node.type.width, signed=node.type.signed
            )
        width = operand.type.width if isinstance(operand.type, IntegerType) else self.values.machine.pointer_width
        if operand not in self.values.slots:
            return
        if node.type.width >= min(width, self.values.machine.pointer_width):
            self.values.slots[node] = self.values.slots[operand]
        else:
            self.values.derive(node, (operand,))

    def _to_pointer(self, node: ast.Cast) -> None:
        operand = node.operand
        if operand in self.values.constants:
            self.values.constants[node] = self.values.constants[operand]
            self.values.constant_pointer(node)
        elif operand in self.values.slots:
            self.values.slots[node] = self.values.slots[operand]
            self.values.graph.address(self.values.slots[operand])
        else:
            slot = self.values.slots[node] = self.values.graph.slot()
            self.values.graph.loosen(slot)
            self.values.graph.address(slot)

    # --- calls

    def _call(self, node: ast.Call) -> None:
        function = walk.called_function(node)
        if function is None:
            self.reached[node] = {}
            self._new_result(node)
            if node.function in self.values.slots or node.function not in self.values.constants:
                self.values.pointed(node.function)
                result = self.values.slots.get(node)
                self.values.graph.call(self.values.slots[node.function], node, result)
        elif function.body is None and function.name in LIBRARY_FLOWS:
            LIBRARY_FLOWS[function.name](self, node)
        else:
            self._bind_arguments(node, function)
            if self._allocators.is_one(function):
                self._take_new(node, function)
            else:
                self._take_result(node, function)
            if function.name in LIBRARY_FLOWS:
                LIBRARY_FLOWS[function.name](self, node)

    def _change_arguments(self, node: ast.Call, function: ast.Function) -> None:
        """Change what an unknown function may change."""
        for position, argument in enumerate(node.arguments):
            written = walk.written_argument(function, argument, position)
            if written is None:
                continue
            place, type_ = self.values.pointed(written.pointer), written.type
            if not written.is_few or (written.is_row and is_scalar(type_)):
                self.values.graph.change(place)
            elif isinstance(type_, RecordType | ArrayType):
                self.values.touch(place, type_, type_label(type_), is_changed=True)
            else:
                self.values.graph.loosen(self.values.scalar(place, type_, (BY_TYPE, type_label(type_))))

    def _new_result(self, node: ast.Call) -> None:
        if is_scalar(node.type):
            slot = self.values.slots[node] = self.values.graph.slot()
            if isinstance(node.type, PointerType):
                self.values.graph.pointer(slot)
        elif not isinstance(node.type, VoidType):
            self.values.places[node] = self.values.temporary()

    def _take_new(self, node: ast.Call, function: ast.Function) -> None:
        """Make the result of a function that only allocates an object of its own."""
        made = self.values.graph.node()
        self.values.slots[node] = self.values.pointer_to((made, 0))
        self.allocated.append((function, made))

    def _take_result(self, node: ast.Call, function: ast.Function) -> None:
        """Take the result of a direct call."""
        place = (self.values.result(function), 0)
        if is_scalar(node.type):
            type_ = function.type.result if is_scalar(function.type.result) else node.type
            slot = self.values.slots[node] = self.values.scalar(place, type_, (BY_TYPE, type_label(type_)))
            if function.body is None and not isinstance(type_, PointerType):
                self.values.graph.loosen(slot)
        elif not isinstance(node.type, VoidType):
            self.values.places[node] = place

    def _bind(self, node: ast.Call, function: ast.Function) -> None:
        """Bind the arguments of a call through a pointer to a function that it may reach."""
        if function in self.reached[node] or not walk.can_take(function, len(node.arguments)):
            return
        self.reached[node][function] = None
        if function.body is None and function.name in LIBRARY_FLOWS:
            LIBRARY_FLOWS[function.name](self, node)
            return
        self._bind_arguments(node, function)
        result, place = function.type.result, (self.values.result(function), 0)
        if is_scalar(result) and node in self.values.slots:
            self.values.graph.flow(
                self.values.scalar(place, result, (BY_TYPE, type_label(result))), self.values.slots[node]
            )
        elif isinstance(result, RecordType) and node in self.values.places:
            self.values.copy(place, self.values.places[node], result)

    def _bind_arguments(self, node: ast.Call, function: ast.Function) -> None:
        if function.body is None:
            self._change_arguments(node, function)
            return
        for argument, parameter in zip(node.arguments, function.parameters, strict=False):
            self.values.give(
                argument, (self.values.object(parameter), 0), parameter.type, (BY_VARIABLE, parameter.name)
            )
        self._variadic.extend(node.arguments[len(function.parameters) :])

    def call_back(self, node: ast.Call, position: int, arguments: Sequence[ast.Expression]) -> ast.Call:
        """A function of the library calls one that it is given a pointer to: as if there were such a call."""
        pointer = node.arguments[position]
        function = pointer.type.target if isinstance(pointer.type, PointerType) else None
        type_ = function.result if isinstance(function, FunctionType) else VOID
        call = ast.Call(type_, node.span, pointer, tuple(arguments))
        self._call(call)
        return call

    def _give_variadic(self, argument: ast.Expression) -> None:
        """What is behind the last parameter is one for all functions, because lists of it may be passed on."""
        if argument in self.values.slots:
            self.values.graph.flow(self.values.slots[argument], self.values.shared("..."))
        elif argument in self.values.places and isinstance(argument.type, RecordType):
            self.values.graph.join(
                self.values.places[argument], self.values.graph.pointee(self.values.shared("records in ..."))
            )

    def _variadic_argument(self, node: ast.VariadicArgument) -> None:
        self._reads_variadic = True
        if is_scalar(node.type):
            self.values.slots[node] = self.values.shared("...")
            if isinstance(node.type, PointerType):
                self.values.graph.address(self.values.slots[node])
        else:
            self.values.places[node] = self.values.graph.pointee(self.values.shared("records in ..."))

    # --- statements

    def _declaration(self, node: ast.Declaration) -> None:
        for variable in node.variables:
            if variable.storage is ast.Storage.LOCAL:
                self._initialise(variable)

    def _initialise(self, variable: ast.Variable) -> None:
        object_ = self.values.object(variable)
        for part in variable.initializer.parts if variable.initializer is not None else ():
            offset, type_ = self._follow(object_, variable.type, part.path)
            field = part.path[-1] if part.path and isinstance(part.path[-1], Field) else None
            if field is not None and field.bits is not None:
                size, label = field_size(field, self.values.machine), (BY_FIELD, field.name)
                slot = self.values.graph.access((object_, offset), size, None, label, is_number=True)
                self.values.pass_into(part.value, slot)
            elif isinstance(type_, ArrayType):
                self.values.touch((object_, offset), type_, variable.name)
            else:
                self.values.give(part.value, (object_, offset), type_, (BY_VARIABLE, variable.name))

    def _follow(self, object_: Node, type_: CType, path: Sequence[Field | int]) -> tuple[int, CType]:
        offset = 0
        for step in path:
            if isinstance(step, Field):
                offset, type_ = offset + field_offset(step), step.type
            elif isinstance(type_, ArrayType):
                self.values.graph.array((object_, offset), array_at(type_, 0, self.values.machine))
                offset, type_ = offset + step * element_size(type_.element, self.values.machine), type_.element
        return offset, type_

    def _return(self, node: ast.Return) -> None:
        if node.value is not None and self._function is not None:
            result = self._function.type.result
            self.values.give(
                node.value, (self.values.result(self._function), 0), result, (BY_TYPE, type_label(result))
            )

    def _assembly(self, node: ast.Assembly) -> None:
        for output in node.outputs:
            if output in self.values.places and is_scalar(output.type):
                self.values.graph.from_nowhere(self.values.lvalue(output))


def _fold_constant(op: str, left: int, right: int) -> int | None:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<" if 0 <= right < 128:
            return left << right
        case _:
            return None
