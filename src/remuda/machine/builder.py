"""The code of one function while it is made: registers, labels, and the objects of its blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import IntegerType, PointerType, RecordType, VariableArrayType, is_scalar
from remuda.machine.arithmetic import wrap
from remuda.machine.code import Code, Label, MemoryPlace, RegisterPlace, Scope, is_initialized, may_be_absent
from remuda.machine.extended import Extended
from remuda.machine.instructions import load, size_in, store
from remuda.machine.memory import NULL, Blob, Pointer
from remuda.machine.outcomes import Cause, not_modelled, undefined

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.base.source import Span
    from remuda.machine.arithmetic import Binary, Unary
    from remuda.machine.code import Instruction, Place, Registers
    from remuda.machine.memory import Scalar
    from remuda.machine.outcomes import Stop
    from remuda.machine.run import Execution


@final
class Builder:
    """Adds instructions. `changing` are the variables that the current expression changes before its end. Code that
    `is_straight` runs before there are threads."""

    def __init__(
        self,
        execution: Execution,
        name: str,
        in_memory: set[ast.Variable],
        *,
        has_jumps: bool = False,
        is_straight: bool = False,
    ) -> None:
        self.execution = execution
        self.code = Code(name)
        self.changing: set[ast.Variable] = set()
        self.scopes: tuple[Scope, ...] = ()
        self._in_memory = in_memory
        self._has_jumps = has_jumps
        self._is_straight = is_straight
        self._places: dict[ast.Variable, Place] = {}
        self._constants: dict[tuple[type, object], int] = {}
        self._declared: dict[ast.Variable, int] = {}  # with `cleanup`: is it declared yet?
        self.clean_up: Callable[[ast.Variable], None]
        self.nothing = self.register()  # never set

    # --- registers and instructions

    @property
    def following(self) -> int:
        """The number of the instruction behind the next one."""
        return len(self.code.instructions) + 1

    def add(self, instruction: Instruction) -> None:
        self.code.instructions.append(instruction)

    def register(self, value: object = None) -> int:
        self.code.template.append(value)
        return len(self.code.template) - 1

    def constant(self, value: Scalar) -> int:
        told = value.hex() if isinstance(value, float) else value.to_bytes() if isinstance(value, Extended) else value
        key = (type(value), told)  # zero has two signs, and NaN does not equal itself
        if key not in self._constants:
            self._constants[key] = self.register(value)
        return self._constants[key]

    def point(self, span: Span, *, enters: bool = False) -> None:
        """Let other threads run here, before an effect that they may see."""
        if self.execution.schedule is not None and not self._is_straight:
            here = len(self.code.instructions)
            self.add(self.execution.threads.point(self.code, span, here, enters=enters))

    def do(self, action: Callable[[Registers], None]) -> None:
        """Add an instruction that continues with the next one."""
        n = self.following

        def step(r: Registers) -> int:
            action(r)
            return n

        self.add(step)

    def compute(self, action: Callable[[Registers], Any]) -> int:
        """Add an instruction that computes a value. The result is the register of the value."""
        n, d = self.following, self.register()

        def step(r: Registers) -> int:
            r[d] = action(r)
            return n

        self.add(step)
        return d

    def unary(self, function: Unary, a: int) -> int:
        n, d = self.following, self.register()

        def step(r: Registers) -> int:
            r[d] = function(r[a])
            return n

        self.add(step)
        return d

    def binary(self, function: Binary, a: int, b: int) -> int:
        n, d = self.following, self.register()

        def step(r: Registers) -> int:
            r[d] = function(r[a], r[b])
            return n

        self.add(step)
        return d

    def move(self, d: int, a: int) -> None:
        n = self.following

        def step(r: Registers) -> int:
            r[d] = r[a]
            return n

        self.add(step)

    def stop(self, stop: Stop) -> None:
        """Add an instruction that ends the execution."""

        def step(_: Registers) -> int:
            raise stop

        self.add(step)

    # --- jumps

    def put(self, label: Label) -> None:
        label.at = len(self.code.instructions)

    def jump(self, label: Label) -> None:
        self.add(lambda _: label.at)

    def branch(self, condition: int, then: Label, otherwise: Label) -> None:
        self.add(lambda r: then.at if r[condition] else otherwise.at)

    def leave_for(self, label: Label) -> None:
        """Jump: end the blocks that the jump leaves, and begin those that it enters."""
        shared = 0
        while shared < min(len(self.scopes), len(label.scopes)) and self.scopes[shared] is label.scopes[shared]:
            shared += 1
        for scope in reversed(self.scopes[shared:]):
            self.end(scope)
        for scope in reversed(self.scopes[:shared]):
            for variable in reversed(scope.variables):
                if label.offset is not None and variable.span.start > label.offset:
                    self._clean_up_declared(variable)  # a jump back to before its declaration
        for scope in label.scopes[shared:]:
            self.begin(scope)
        self.jump(label)

    # --- variables

    def place(self, variable: ast.Variable, span: Span) -> Place:
        found = self._places.get(variable)
        if found is not None:
            return found
        if variable.storage in {ast.Storage.LOCAL, ast.Storage.PARAMETER}:
            slot = self.register()
            if variable in self._in_memory:
                self.code.objects.append(slot)
                found = MemoryPlace(slot, 0, variable.type, variable.is_volatile)
            else:
                has_value = variable.storage is ast.Storage.PARAMETER
                has_value = has_value or (is_initialized(variable) and not self._has_jumps)
                found = RegisterPlace(slot, variable.type, variable, None if has_value else self.register())
        else:
            slot = self.register(self.execution.lasting(variable, span))
            found = MemoryPlace(slot, 0, variable.type, variable.is_volatile)
            self.require_decided(variable, span)
            if variable.is_thread_local or may_be_absent(variable):
                self.code.own.append((slot, variable))
        self._places[variable] = found
        return found

    def function(self, function: ast.Function, span: Span) -> int:
        """A pointer to a function; null, if it is absent."""
        execution, pointer = self.execution, self.execution.function_pointer(function)
        if not may_be_absent(function):
            return self.register(pointer)
        self.require_decided(function, span)
        return self.compute(lambda _: pointer if execution.is_present(function) else NULL)

    def require_decided(self, entity: ast.Variable | ast.Function, span: Span) -> None:
        """Demand that a symbol is present: initialisers run before it is decided which symbols are absent."""
        if self._is_straight and may_be_absent(entity):
            raise not_modelled(span, f"{entity.name}, which may be absent, in an initial value")

    def is_in_memory(self, variable: ast.Variable) -> bool:
        return variable in self._in_memory

    def begin(self, scope: Scope) -> None:
        """Begin the lifetimes of a block's objects. (Arrays of computed length begin with their declarations.)"""
        for variable in scope.variables:
            if variable.cleanup is not None:
                self.move(self._is_declared(variable), self.constant(0))
            if not isinstance(variable.type, VariableArrayType):
                self.new_object(variable, size_in(self.execution, variable.type, variable.span))
        for variable in scope.registers if self._has_jumps else ():
            self._forget(variable)

    def _forget(self, variable: ast.Variable) -> None:
        """Make a variable uninitialised until its declaration is executed, which a jump may skip."""
        place, execution = self.place(variable, variable.span), self.execution
        assert isinstance(place, RegisterPlace)
        slot, pending = place.slot, place.pending
        assert pending is not None

        def forget(r: Registers) -> None:
            r[slot] = None
            r[pending] = execution.offered("entered", variable.name, variable.span, variable.type)

        self.do(forget)

    def new_object(self, variable: ast.Variable, size: int, length: int | None = None) -> None:
        """A new object for a variable. Its size is known, or in a register if one is given."""
        place = self.place(variable, variable.span)
        assert isinstance(place, MemoryPlace)
        slot, execution, type_ = place.slot, self.execution, variable.type
        name = variable.name or "an unnamed object"

        def create(r: Registers) -> None:
            if r[slot] is not None:
                execution.memory.kill(r[slot].object)
            extent = r[length] if length is not None else size
            made = execution.memory.create(
                name, "local", extent, is_known=False, type_=type_, alignment=variable.alignment
            )
            r[slot] = Pointer(made, 0)

        self.do(create)

    def declared(self, variable: ast.Variable) -> None:
        """Note that a variable with `cleanup` is declared, so that leaving the block calls the function."""
        self.move(self._is_declared(variable), self.constant(1))

    def _is_declared(self, variable: ast.Variable) -> int:
        if variable not in self._declared:
            self._declared[variable] = self.register()
        return self._declared[variable]

    def _clean_up_declared(self, variable: ast.Variable) -> None:
        if variable.cleanup is not None:
            wanted, after = Label(), Label()
            self.branch(self._is_declared(variable), wanted, after)
            self.put(wanted)
            self.move(self._is_declared(variable), self.constant(0))
            self.clean_up(variable)
            self.put(after)

    def end(self, scope: Scope) -> None:
        """End objects after the calls of their `cleanup` functions, in the reverse order of the declarations."""
        for variable in reversed(scope.variables):
            self._clean_up_declared(variable)
        slots = [self.place(variable, variable.span).slot for variable in scope.variables]
        if slots:
            memory = self.execution.memory

            def kill(r: Registers) -> None:
                for slot in slots:
                    if r[slot] is not None:
                        memory.kill(r[slot].object)

            self.do(kill)

    # --- reading and writing

    def read(self, place: Place, span: Span) -> int:
        if isinstance(place, MemoryPlace):
            self.point(span)
            n, d = self.following, self.register()
            step = load(self.execution, d, place, span, n)
            if place.is_volatile and is_scalar(place.type):
                self.add(self._volatile(step, d, place, span))
            else:
                self.add(step)
                self._volatile_members(d, place, span)
            return d
        if place.pending is not None:
            self._first_read(place, place.pending, span)
        if place.variable not in self.changing:
            return place.slot
        d = self.register()
        self.move(d, place.slot)
        return d

    def _volatile(self, step: Instruction, d: int, place: MemoryPlace, span: Span) -> Instruction:
        """Read a device, or an object that something outside may have changed."""
        execution, type_, bits, slot = self.execution, place.type, place.bits, place.slot
        if not execution.volatile_is_input:
            return step
        kept = IntegerType(bits, isinstance(type_, IntegerType) and type_.signed) if bits is not None else None

        def read(r: Registers) -> int:
            is_hardware = execution.memory.is_hardware(r[slot])
            n = following if is_hardware else step(r)
            ask = execution.ask if is_hardware else execution.offered
            value = ask("volatile", span.text, span, type_)
            if value is not None:
                r[d] = wrap(value, kept) if kept is not None and isinstance(value, int) else value
            return n

        following = self.following
        return read

    def _volatile_members(self, d: int, place: MemoryPlace, span: Span) -> None:
        """Read a record: something outside may have changed volatile members of it."""
        execution = self.execution
        if not execution.volatile_is_input or not isinstance(place.type, RecordType):
            return
        leaves = [
            leaf
            for leaf in execution.layouts.leaves(place.type, span)
            if (leaf.is_volatile or place.is_volatile) and not isinstance(leaf.type, PointerType)
        ]

        def ask(r: Registers) -> None:
            old: Blob = r[d]
            made = execution.memory.create("a copy", "local", len(old.data))
            made.data[:] = old.data
            made.known = old.known if old.known is None else bytearray(old.known)
            for leaf in leaves:
                value = execution.offered("volatile", span.text, span, leaf.type)
                if value is not None:
                    execution.memory.write_leaf(made, leaf.offset, leaf.type, value, leaf.shift, leaf.bits)
            new = r[d] = Blob(bytearray(made.data), made.known, old.pointers)
            new.origins = {at: origin for at, origin in old.origins.items() if made.known and not made.known[at]}
            execution.memory.kill(made)

        if leaves:
            self.do(ask)

    def _first_read(self, place: RegisterPlace, pending: int, span: Span) -> None:
        slot, variable, execution = place.slot, place.variable, self.execution
        n = self.following

        def check(r: Registers) -> int:
            if r[slot] is None:
                value = r[pending]
                if value is None:
                    value = execution.ask("local", variable.name, variable.span, variable.type)
                execution.leave_open(span, f"{variable.name} is read before it has a value")
                r[slot] = value
            return n

        self.add(check)

    def write(self, place: Place, value: int, span: Span) -> None:
        if isinstance(place, RegisterPlace):
            self.move(place.slot, value)
        else:
            self.point(span)
            step = store(self.execution, place, value, span, self.following)
            self.add(self._to_device(step, place) if place.is_volatile else step)

    def _to_device(self, step: Instruction, place: MemoryPlace) -> Instruction:
        """Write to a place that may be a device: the program does not see the value again."""
        memory, slot, following = self.execution.memory, place.slot, self.following
        return lambda r: following if memory.is_hardware(r[slot]) else step(r)

    def address(self, place: Place, span: Span) -> int:
        """A pointer to a place."""
        assert isinstance(place, MemoryPlace)
        if place.offset == 0:
            return self._within(place.slot, span)
        slot, offset = place.slot, place.offset
        execution = self.execution

        def move(r: Registers) -> Pointer:
            pointer: Pointer = r[slot]
            if pointer.object is None and pointer.offset == 0:
                execution.leave_open(span, "an offset is added to a null pointer")
            return Pointer(pointer.object, pointer.offset + offset)

        return self._within(self.compute(move), span)

    def _within(self, slot: int, span: Span) -> int:
        if self.execution.strict_bounds:
            execution = self.execution
            self.do(lambda r: execution.check_reach(r[slot], span))
        return slot

    def null(self) -> int:
        return self.constant(NULL)


def no_function(span: Span, text: str) -> Stop:
    return undefined(Cause.POINTER, span, f"a call of {text}, which is no function")
