"""Translates expressions to instructions. Operands are evaluated from left to right, the right side of an assignment
first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, final

from remuda.base.errors import InternalError
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import (
    INT,
    ArrayType,
    FloatingType,
    IntegerType,
    PointerType,
    VariableArrayType,
    VoidType,
    is_scalar,
)
from remuda.frontends.c.syntax.walk import preorder
from remuda.machine.arithmetic import (
    COMPARISONS,
    conversion,
    float_binary,
    float_literal,
    float_value,
    integer_binary,
    integer_unary,
    limits,
    wrap,
)
from remuda.machine.code import Label, MemoryPlace, RegisterPlace, changed_variables
from remuda.machine.instructions import size_in
from remuda.machine.memory import Pointer
from remuda.machine.outcomes import Cause, Stop, not_modelled
from remuda.machine.pointers import combined_pointers, moved_pointer
from remuda.machine.steps import Steps, complete

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.builder import Builder
    from remuda.machine.calls import Calls
    from remuda.machine.code import Place, Registers
    from remuda.machine.statements import Statements

# Expressions of which a part may not be evaluated, or that change something.
CHANGING: Final = (
    *(ast.Logical, ast.Conditional, ast.Assign, ast.CompoundAssign, ast.Step, ast.Call, ast.CompoundLiteral),
    *(ast.StatementExpression, ast.VariadicArgument, ast.UnsupportedExpression),
)


@final
class Expressions:
    """The expressions of one function."""

    calls: Calls
    statements: Statements

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.execution = builder.execution
        self._story = builder.execution.story
        self._reads: list[tuple[str, CType, int, int | None, MemoryPlace | None]] | None = None  # of a condition
        self._reads_last = False  # all that it reads still has its value at its end
        self._report = builder.execution.report
        self._values: dict[type, Callable[[Any], Steps]] = {
            ast.IntegerLiteral: self._integer,
            ast.FloatLiteral: self._float,
            ast.Unary: self._unary,
            ast.Step: self._step,
            ast.AddressOf: self._address_of,
            ast.Binary: self._binary,
            ast.Logical: self._logical,
            ast.Conditional: self._conditional,
            ast.Comma: self._comma,
            ast.Assign: self._assign,
            ast.CompoundAssign: self._compound_assign,
            ast.Cast: self._cast,
            ast.Call: self._call,
            ast.StatementExpression: self._statements,
            ast.LabelAddress: self._label_address,
            ast.VariadicArgument: self._variadic,
            ast.UnsupportedExpression: self._unsupported,
            ast.Member: self._member_value,
        }
        self._places: dict[type, Callable[[Any], Steps]] = {
            ast.Name: self._name,
            ast.StringLiteral: self._string,
            ast.Dereference: self._dereference,
            ast.Index: self._index,
            ast.Member: self._member,
            ast.CompoundLiteral: self._compound_literal,
            ast.Cast: self._cast_place,
            ast.UnsupportedExpression: self._unsupported,
        }

    def value(self, node: ast.Expression) -> Steps:
        """The register of the value; None for void."""
        made = self._values.get(type(node))
        if made is None:
            if type(node) in self._places:  # an unused value
                return self.place(node)
            raise InternalError(f"{type(node).__name__} has no value")
        return made(node)

    def place(self, node: ast.Expression) -> Steps:
        made = self._places.get(type(node))
        return self._temporary(node) if made is None else made(node)

    def _temporary(self, node: ast.Expression) -> Steps:
        """The place of a value that is used as an object, as in `f().a`."""
        value = yield self.value(node)
        size, memory = size_in(self.execution, node.type, node.span), self.execution.memory

        def create(r: Registers) -> Pointer:
            made = Pointer(memory.create("a temporary object", "local", size), 0)
            memory.write_blob(made, 0, r[value], node.span)
            return made

        return MemoryPlace(self.builder.compute(create), 0, node.type)

    def full(self, node: ast.Expression) -> Any:  # noqa: ANN401 - a register, or None
        """Translate a full expression, which is part of no other one."""
        outer, self.builder.changing = self.builder.changing, self.builder.changing | changed_variables(node)
        try:
            return complete(self.value(node))
        except Stop as stop:  # an unsupported construct: it only matters if it is reached
            self.builder.stop(stop)
            return self.builder.register(0)
        finally:
            self.builder.changing = outer

    # --- conditions

    def tested(self, node: ast.Expression) -> Any:  # noqa: ANN401 - a register
        """Translate the condition of a statement; what it reads is part of the story."""
        if self._story is None:
            return self.full(node)
        outer = self.watch(node)
        value = self.full(node)
        self.tell_reads(node.span, outer, is_branch=True)
        return value

    def watch(self, *nodes: ast.Expression) -> Any:  # noqa: ANN401 - what was watched before, for `tell_reads`
        """From here on, keep what the nodes read."""
        reads: list[tuple[str, CType, int, int | None, MemoryPlace | None]] = []
        outer = self._reads, self._reads_last
        self._reads, self._reads_last = reads, _is_plain(nodes)
        if self._reads_last:
            return outer

        def forget(r: Registers) -> None:  # from the last time: some parts may not be evaluated now
            for _, _, slot, _, _ in reads:
                r[slot] = None

        self.builder.do(forget)
        return outer

    def tell_reads(self, span: Span, outer: Any, *, is_branch: bool) -> None:  # noqa: ANN401
        """The condition is complete; note what it has read, if the story asks for it."""
        story, reads = self._story, self._reads
        self._reads, self._reads_last = outer
        if story is None or reads is None:
            return

        def tell(r: Registers) -> None:
            if story.is_quiet:
                story.count()
                return
            found = [
                (name, type_, r[slot], None if base is None else r[base], place)
                for name, type_, slot, base, place in reads
            ]
            story.tested(span, found, is_branch=is_branch)

        self.builder.do(tell)

    def _note_read(self, node: ast.Expression, place: Place, value: int) -> None:
        if self._reads is None or not is_scalar(place.type):
            return
        name = " ".join(node.span.text.split())
        kept = self._kept(value)
        if isinstance(place, RegisterPlace):
            self._reads.append((name, place.type, kept, None, None))
        else:
            self._reads.append((name, place.type, kept, self._kept(place.slot), place))

    def _kept(self, slot: int) -> int:
        """A register that has a value until the condition is complete, whatever else happens."""
        if self._reads_last:
            return slot
        kept = self.builder.register()
        self.builder.move(kept, slot)
        return kept

    def _call(self, node: ast.Call) -> Steps:
        return self.calls.call(node)

    def _statements(self, node: ast.StatementExpression) -> Steps:
        return self.statements.statement_expression(node)

    def _variadic(self, node: ast.VariadicArgument) -> Steps:
        return self.calls.variadic_argument(node)

    # --- literals

    def _integer(self, node: ast.IntegerLiteral) -> Steps:
        if isinstance(node.type, PointerType):
            return self.builder.constant(self.execution.memory.at_address(node.value))
        return self.builder.constant(node.value)

    def _float(self, node: ast.FloatLiteral) -> Steps:
        assert isinstance(node.type, FloatingType)
        return self.builder.constant(float_literal(node.text, node.type))

    def _string(self, node: ast.StringLiteral) -> Steps:
        return MemoryPlace(self.builder.register(self.execution.literal(node)), 0, node.type)

    def _label_address(self, node: ast.LabelAddress) -> Steps:
        return self.builder.register(self.execution.label_address(node.label))

    def _unsupported(self, node: ast.UnsupportedExpression) -> Steps:
        raise not_modelled(node.span, node.construct)

    def type_size(self, type_: CType, span: Span) -> int:
        """The register with the size of a type, whose lengths may be computed."""
        lengths = []
        while isinstance(type_, VariableArrayType):
            lengths.append(self.length(type_, span))
            type_ = type_.element
        size = size_in(self.execution, type_, span)
        if not lengths:
            return self.builder.constant(size)

        def product(r: Registers) -> int:
            total = size
            for slot in lengths:
                total *= r[slot]
            return total

        return self.builder.compute(product)

    def length(self, type_: VariableArrayType, span: Span) -> int:
        """The register with the length of an array, which was computed at the declaration of its type."""
        if type_.length is None:
            raise not_modelled(span, f"an array of type {type_}")
        return self.builder.read(self.builder.place(type_.length, span), span)

    # --- places

    def _name(self, node: ast.Name) -> Steps:
        if isinstance(node.target, ast.Function):
            return MemoryPlace(self.builder.function(node.target, node.span), 0, node.type)
        return self.builder.place(node.target, node.span)

    def _dereference(self, node: ast.Dereference) -> Steps:
        slot = yield self.value(node.operand)
        return MemoryPlace(slot, 0, node.type, node.is_volatile)

    def _index(self, node: ast.Index, *, is_reached: bool = False) -> Steps:
        """The place of an element. `is_reached`: only its address is computed, and may be just behind the last
        element."""
        base = yield self.value(node.base)
        index = yield self.value(node.index)
        size = self._step_size(node.base)
        array = node.base.operand if isinstance(node.base, ast.Cast) else None
        if array is not None and isinstance(array.type, ArrayType) and array.type.length:
            self._check_index(index, self.builder.constant(array.type.length), node, is_reached=is_reached)
        elif array is not None and isinstance(array.type, VariableArrayType):
            self._check_index(index, self.length(array.type, node.span), node, is_reached=is_reached)
        return MemoryPlace(
            moved_pointer(self.builder, base, index, size, 1, node.index.type, node.span),
            0,
            node.type,
            node.is_volatile,
        )

    def _check_index(self, index: int, length: int, node: ast.Index, *, is_reached: bool) -> None:
        """Check that an index stays within its row, if bounds are checked."""
        if self.execution.strict_bounds:
            report, span = self._report, node.span

            def check(r: Registers) -> None:
                if not 0 <= r[index] < r[length] + is_reached:
                    report(Cause.BOUNDS, span, f"the index {r[index]} of an array of {r[length]} elements")

            self.builder.do(check)

    def _step_size(self, pointer: ast.Expression) -> int:
        """The register with the size of what a pointer points to."""
        if not isinstance(pointer.type, PointerType):
            raise not_modelled(pointer.span, f"an index into {pointer.type}")
        return self.type_size(pointer.type.target, pointer.span)

    def _member(self, node: ast.Member) -> Steps:
        if node.is_arrow:
            slot = yield self.value(node.base)
            base = MemoryPlace(slot, 0, node.base.type)
        else:
            base = yield self.place(node.base)
        field = node.field
        is_volatile = node.is_volatile or base.is_volatile
        if field.bits is not None:
            first = field.offset // 8
            return MemoryPlace(base.slot, base.offset + first, field.type, is_volatile, field.offset % 8, field.bits)
        return MemoryPlace(base.slot, base.offset + field.offset // 8, field.type, is_volatile)

    def _member_value(self, node: ast.Member) -> Steps:
        """A member of a record that is only a value."""
        place = yield self.place(node)
        return self.builder.read(place, node.span)

    def _compound_literal(self, node: ast.CompoundLiteral) -> Steps:
        variable = node.variable
        if variable.storage is ast.Storage.LOCAL:
            if variable not in self.statements.literals_of_blocks:
                self.builder.new_object(variable, size_in(self.execution, variable.type, node.span))
            self.statements.initializers.initialize(variable)
        return self.builder.place(variable, node.span)

    def _cast_place(self, node: ast.Cast) -> Steps:
        if node.kind is CastKind.NOTHING:
            place = yield self.place(node.operand)
            return place
        place = yield self._temporary(node)
        return place

    def _address_of(self, node: ast.AddressOf) -> Steps:
        place = yield self._reached_place(node.operand)
        return self.builder.address(place, node.span)

    def _reached_place(self, node: ast.Expression) -> Steps:
        """A place of which only the address is used."""
        return self._index(node, is_reached=True) if isinstance(node, ast.Index) else self.place(node)

    # --- operators

    def _unary(self, node: ast.Unary) -> Steps:
        operand = yield self.value(node.operand)
        if node.op == "!":
            return self.builder.unary(lambda x: 0 if x else 1, operand)
        if isinstance(node.type, FloatingType):
            return self.builder.unary(lambda x: -x, operand) if node.op == "-" else operand
        if not isinstance(node.type, IntegerType):
            raise not_modelled(node.span, f"the operator {node.op} on {node.type}")
        return self.builder.unary(integer_unary(node.op, node.type, node.span, self._report), operand)

    def _binary(self, node: ast.Binary) -> Steps:
        left = yield self.value(node.left)
        right = yield self.value(node.right)
        return self.combine(node.op, left, right, node.left, node.right, node.left.type, node.span)

    def combine(
        self,
        op: str,
        left: int,
        right: int,
        left_node: ast.Expression,
        right_node: ast.Expression,
        left_type: CType,
        span: Span,
    ) -> int:
        """An operator on two values. `left_type` is what the left one was converted to."""
        builder, right_type = self.builder, right_node.type
        if isinstance(left_type, PointerType) and isinstance(right_type, PointerType):
            size = self._step_size(left_node) if op == "-" else builder.nothing
            return combined_pointers(builder, op, left, right, size, span)
        if isinstance(left_type, PointerType) and op in {"+", "-"}:
            moved = moved_pointer(
                self.builder, left, right, self._step_size(left_node), 1 if op == "+" else -1, right_type, span
            )
            return self._reached(moved, span)
        if isinstance(right_type, PointerType) and op == "+":
            return self._reached(
                moved_pointer(self.builder, right, left, self._step_size(right_node), 1, left_type, span), span
            )
        if op in COMPARISONS:
            if not is_scalar(left_type) or isinstance(left_type, PointerType) != isinstance(right_type, PointerType):
                raise not_modelled(span, f"the comparison of {left_type} and {right_type}")
            return builder.binary(COMPARISONS[op], left, right)
        if isinstance(left_type, FloatingType):
            return builder.binary(float_binary(op, left_type), left, right)
        if not isinstance(left_type, IntegerType) or not isinstance(right_type, IntegerType):
            raise not_modelled(span, f"the operator {op} on {left_type}")
        return builder.binary(integer_binary(op, left_type, span, self._report), left, right)

    def _reached(self, slot: int, span: Span) -> int:
        if self.execution.strict_bounds:
            execution = self.execution
            self.builder.do(lambda r: execution.check_reach(r[slot], span))
        return slot

    def _logical(self, node: ast.Logical) -> Steps:
        builder = self.builder
        d, right, end = builder.register(), Label(), Label()
        left = yield self.value(node.left)
        self._test(d, left)
        builder.branch(d, *((right, end) if node.op == "&&" else (end, right)))
        builder.put(right)
        value = yield self.value(node.right)
        self._test(d, value)
        builder.put(end)
        return d

    def _test(self, d: int, a: int) -> None:
        """Whether a value is not zero."""
        n = self.builder.following

        def step(r: Registers) -> int:
            r[d] = 1 if r[a] else 0
            return n

        self.builder.add(step)

    def _conditional(self, node: ast.Conditional) -> Steps:
        builder = self.builder
        d, then, otherwise, end = builder.register(), Label(), Label(), Label()
        outer = self.watch(node.condition) if self._story is not None and isinstance(node.type, VoidType) else None
        condition = yield self.value(node.condition)
        if self._story is not None and isinstance(node.type, VoidType):  # a statement in disguise, as `assert` is
            self.tell_reads(node.condition.span, outer, is_branch=False)
        builder.branch(condition, then, otherwise)
        builder.put(then)
        value = condition
        if node.then is not None:
            value = yield self.value(node.then)
        if value is not None:
            builder.move(d, value)
        builder.jump(end)
        builder.put(otherwise)
        value = yield self.value(node.otherwise)
        if value is not None and not isinstance(node.type, VoidType):
            builder.move(d, value)
        builder.put(end)
        return None if isinstance(node.type, VoidType) else d

    def _comma(self, node: ast.Comma) -> Steps:
        yield self.value(node.left)
        value = yield self.value(node.right)
        return value

    # --- assignments

    def _assign(self, node: ast.Assign) -> Steps:
        value = yield self.value(node.value)
        place = yield self.place(node.target)
        return self.assign(place, value, node.span)

    def assign(self, place: Place, value: int, span: Span) -> int:
        """Write a value. The result is the value of the assignment."""
        if isinstance(place, MemoryPlace) and place.bits is not None:
            assert isinstance(place.type, IntegerType)
            self.keep(value, IntegerType(place.bits, place.type.signed, name=f"{place.bits} bits"), span)
        self.builder.write(place, value, span)
        if isinstance(place, MemoryPlace) and place.bits is not None:
            assert isinstance(place.type, IntegerType)
            kept = IntegerType(place.bits, place.type.signed and not place.type.is_bool)
            value = self.builder.unary(lambda x: wrap(x, kept), value)
        self.tell(span, place, value)
        if isinstance(place, RegisterPlace):
            return place.slot if place.variable not in self.builder.changing else value
        return value

    def tell(self, span: Span, place: Place, value: int) -> None:
        """Add an assignment to the story of the execution."""
        story, type_ = self._story, place.type
        if story is None:
            return
        if isinstance(place, RegisterPlace):
            variable = place.variable.name
            self.builder.do(lambda r: story.assigned(span, type_, r[value], None, None, variable))
        else:
            slot, target = place.slot, place
            self.builder.do(lambda r: story.assigned(span, type_, r[value], target, r[slot]))

    def _compound_assign(self, node: ast.CompoundAssign) -> Steps:
        value = yield self.value(node.value)
        place = yield self.place(node.target)
        old = self.builder.read(place, node.span)
        target = node.target.type
        if isinstance(target, PointerType):
            new = self.combine(node.op, old, value, node.target, node.value, target, node.span)
            return self.assign(place, new, node.span)
        wide = self.convert(old, target, node.computation, node.span)
        new = self.combine(node.op, wide, value, node.target, node.value, node.computation, node.span)
        self.keep(new, target, node.span)
        return self.assign(place, self.convert(new, node.computation, target, node.span), node.span)

    def _step(self, node: ast.Step) -> Steps:
        place = yield self.place(node.operand)
        builder, type_, span = self.builder, node.operand.type, node.span
        old = builder.read(place, span)
        if isinstance(place, RegisterPlace) and not node.is_prefix:
            kept = builder.register()
            builder.move(kept, old)
            old = kept
        one = builder.constant(1)
        if isinstance(type_, PointerType):
            moved = moved_pointer(
                self.builder, old, one, self._step_size(node.operand), 1 if node.op == "++" else -1, INT, span
            )
            new = self._reached(moved, span)
        elif isinstance(type_, FloatingType):
            new = builder.binary(float_binary(node.op[0], type_), old, builder.constant(float_value(1, type_)))
        else:
            assert isinstance(type_, IntegerType)
            wide = type_ if type_.width > INT.width or (type_.width == INT.width) else INT
            function = integer_binary(node.op[0], wide, span, self._report)
            sum_ = builder.binary(function, old, one)
            self.keep(sum_, type_, span)
            new = self.convert(sum_, wide, type_, span)
        result = self.assign(place, new, span)
        return result if node.is_prefix else old

    # --- conversions

    def keep(self, value: int, target: CType, span: Span) -> None:
        """Check that an implicit conversion does not change a number."""
        is_checked = self.execution.strict_conversions and isinstance(target, IntegerType) and not target.is_bool
        if not is_checked:
            return
        assert isinstance(target, IntegerType)
        low, high = limits(target)
        report = self.execution.report_if_watched

        def check(r: Registers) -> None:
            if isinstance(r[value], int) and not low <= r[value] <= high:
                report(Cause.LOSS, span, f"{r[value]} does not fit into {target}")

        self.builder.do(check)

    def convert(self, value: int, source: CType, target: CType, span: Span) -> int:
        """A scalar as one of another type."""
        builder, memory = self.builder, self.execution.memory
        if source == target or isinstance(target, VoidType):
            return value
        if isinstance(source, PointerType) and isinstance(target, PointerType):
            return value
        if isinstance(target, IntegerType) and target.is_bool:
            return builder.unary(lambda x: 1 if x else 0, value)
        if isinstance(source, PointerType) and isinstance(target, IntegerType):
            execution, full = self.execution, target.width >= self.execution.target.pointer_width

            def number(r: Registers) -> int:
                pointer = r[value]
                if pointer.object is not None and not full:
                    execution.leave_open(span, "the address of an object is used as a number")
                return wrap(pointer.address, target)

            return builder.compute(number)
        if isinstance(target, PointerType) and isinstance(source, IntegerType):
            mask = (1 << self.execution.target.pointer_width) - 1
            return builder.compute(lambda r: memory.at_address(r[value] & mask))
        if is_scalar(source) and is_scalar(target) and not isinstance(target, PointerType):
            if isinstance(source, PointerType):
                raise not_modelled(span, f"the conversion of {source} to {target}")
            return builder.unary(conversion(source, target, span, self._report), value)
        raise not_modelled(span, f"the conversion of {source} to {target}")

    def _cast(self, node: ast.Cast) -> Steps:
        builder = self.builder
        match node.kind:
            case CastKind.LVALUE_TO_RVALUE:
                place = yield self.place(node.operand)
                value = builder.read(place, node.operand.span)
                self._note_read(node.operand, place, value)
                return value
            case CastKind.ARRAY_TO_POINTER:
                place = yield self._reached_place(node.operand)
                return builder.address(place, node.span)
            case CastKind.FUNCTION_TO_POINTER:
                place = yield self.place(node.operand)
                return place.slot
            case CastKind.TO_VOID:
                yield self.value(node.operand)
                return None
            case CastKind.TO_UNION:
                value = yield self.value(node.operand)
                return self._to_union(value, node)
            case CastKind.NOTHING | CastKind.POINTER if not is_scalar(node.type):
                value = yield self.value(node.operand)
                return value
            case _:
                value = yield self.value(node.operand)
                if not node.is_explicit:
                    self.keep(value, node.type, node.span)
                return self.convert(value, node.operand.type, node.type, node.span)

    def _to_union(self, value: int, node: ast.Cast) -> int:
        size, memory = size_in(self.execution, node.type, node.span), self.execution.memory
        slot = self.builder.compute(lambda _: Pointer(memory.create("a union", "local", size), 0))
        self.builder.write(MemoryPlace(slot, 0, node.operand.type), value, node.span)
        return self.builder.read(MemoryPlace(slot, 0, node.type), node.span)


def _is_plain(nodes: Iterable[ast.Expression]) -> bool:
    """Whether all parts of expressions are evaluated, and none of them changes anything."""
    return not any(isinstance(part, CHANGING) for node in nodes for part in preorder(node))
