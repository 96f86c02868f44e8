"""The lifetimes, addresses and initial values of objects."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, final

from remuda.base.errors import InternalError
from remuda.frontends.c.lowering.places import MemoryPlace, Place, RecordValue, RegisterPlace
from remuda.frontends.c.lowering.scopes import inner_variables
from remuda.frontends.c.syntax import ast, walk
from remuda.frontends.c.syntax.shapes import count_scalars
from remuda.frontends.c.syntax.types import (
    ArrayType,
    Field,
    IntegerType,
    RecordType,
    VariableArrayType,
    is_scalar,
    size_of,
)
from remuda.ir.program import Assign
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.expressions import Expressions
    from remuda.frontends.c.lowering.scopes import Places
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term

FEW = 64  # scalars that are given values one by one


@final
class Objects:
    """Declares and initialises the objects of one function (or, in the procedure that starts a program, all globals)."""

    def __init__(self, context: FunctionContext, expressions: Expressions, places: Places) -> None:
        self.context = context
        self._program = context.program
        self._expressions = expressions
        self._accesses = expressions.accesses
        self._addresses = expressions.addresses
        self._computed: dict[ast.Variable, Variable] = {}  # the addresses of objects that have no constant one
        self._begun: dict[ast.Variable, int] = {}  # the constant ones
        self._inner = inner_variables(context.function)
        self._places = places

    # --- addresses

    def prepare(self, variable: ast.Variable) -> None:
        """Prepare a local at the start of its function, because a jump may skip its declaration."""
        context, program = self.context, self._program
        if variable in context.registers or variable in context.addresses or variable in self._begun:
            return
        if not program.memory.in_memory(variable):
            place = program.register(variable, VariableKind.LOCAL)
            context.blocks.locals.extend(place.variables)
            context.registers[variable] = place
            is_read_early = variable.initializer is None or context.has_labels or walk.reads_itself(variable)
            if variable.storage is ast.Storage.LOCAL and is_read_early:
                context.first_values.track(place.variables, variable.span)
        elif self._is_dynamic(variable):
            address = context.blocks.local(f"{variable.name}$address", program.storage.address_type)
            self._computed[variable] = address
            context.addresses[variable] = program.terms.var(address)
            if "pointer" in program.options.checks:  # its lifetime may end before it has begun
                context.blocks.assign(address, program.storage.literal(0), variable.span)
        else:
            self._begin(variable)

    # --- lifetimes

    def _ends(self) -> bool:
        """Whether checks need to know that the lifetimes of locals end when their function returns."""
        return "pointer" in self._program.options.checks and not self.context.is_outermost

    def _begin(self, variable: ast.Variable) -> None:
        """Begin the lifetime of an object with a constant address, at the start of its function."""
        storage = self._program.storage
        address = storage.object_address(variable)
        self._begun[variable] = address
        if storage.validity is not None and (self._ends() or self._ends_with_block(variable)):
            storage.validity.begins(self.context.blocks, address, variable.span)

    def _ends_with_block(self, variable: ast.Variable) -> bool:
        """Whether checks need to know that the lifetime of an object ends with its block."""
        return "pointer" in self._program.options.checks and variable in self._inner

    def leave(self, variable: ast.Variable) -> None:
        """End the lifetime of an object when execution leaves its block."""
        validity, address = self._program.storage.validity, self._address(variable)
        if validity is not None and address is not None and self._ends_with_block(variable):
            family = self._program.memory.object_family(variable)
            validity.ends(self.context.blocks, family, address, variable.span)

    def _address(self, variable: ast.Variable) -> Term | None:
        if variable in self._computed:
            return self._program.terms.var(self._computed[variable])
        return self._program.storage.literal(self._begun[variable]) if variable in self._begun else None

    def enter(self, variables: Iterable[ast.Variable]) -> None:
        """Begin the lifetimes of the objects of a block. They have any value until they are declared. (C allows no
        jumps past the declaration of an array whose length is computed.)"""
        for variable in variables:
            if not isinstance(variable.type, VariableArrayType) and variable not in self._computed:
                self._renew(variable, variable.span)
                self._forget(variable, variable.span, is_declared=False)

    def come_early(self, variables: Iterable[ast.Variable]) -> None:
        """The same for objects without a constant address whose declarations jumps may skip."""
        for variable in variables:
            if not isinstance(variable.type, VariableArrayType) and variable in self._computed:
                self._renew(variable, variable.span)

    def _renew(self, variable: ast.Variable, span: Span) -> None:
        """Begin the lifetime of an object of a block."""
        if variable in self._computed:
            self._allocate(variable, self._fixed_size(variable.type, span), span)
        elif variable in self._begun and self._ends_with_block(variable):
            validity = self._program.storage.validity
            assert validity is not None
            validity.begins(self.context.blocks, self._begun[variable], span)

    def _forget(self, variable: ast.Variable, span: Span, *, is_declared: bool = True) -> None:
        """Give an object any value. (A new address has any contents.)"""
        place = self._addresses.variable(variable)
        is_large = variable in self._computed and count_scalars(place.type) > FEW
        if isinstance(place, MemoryPlace) and is_large:
            self._program.storage.fill_unknown(self.context.blocks, place, span)
            return
        supply = self.context.supply(variable) if is_declared else ""
        self._accesses.forget(place, span, f"uninitialised {variable.name}", supply, is_input=True)
        if isinstance(place, RegisterPlace):
            self.context.first_values.set(place.variables, span, known=False)

    def end(self) -> None:
        """End the lifetimes of all objects when the function returns."""
        validity = self._program.storage.validity
        if validity is not None and self._ends():
            ends = {object_: self._program.storage.literal(address) for object_, address in self._begun.items()}
            ends.update({object_: self._program.terms.var(address) for object_, address in self._computed.items()})
            for object_, address in ends.items():
                family = self._program.memory.object_family(object_)
                validity.ends(self.context.blocks, family, address, self.context.function.span)

    def _is_dynamic(self, variable: ast.Variable) -> bool:
        return is_dynamic(variable, is_recursive=self.context.function.name in self._program.recursive)

    # --- declarations

    def declare(self, variable: ast.Variable, span: Span) -> Steps:
        """Execute a declaration."""
        self.prepare(variable)
        if isinstance(variable.type, VariableArrayType):
            self.context.checks.lengths(variable)
            self._allocate(variable, self._computed_size(variable.type, span), span)
            return
        is_there = variable in self._computed and self._places.is_early(variable)
        if not is_there:
            self._renew(variable, span)
        if variable.initializer is not None:
            place = self._addresses.variable(variable)
            is_automatic = variable.storage is ast.Storage.LOCAL
            if is_automatic and walk.reads_itself(variable):
                self._forget_before(variable, variable.initializer, span)
            yield self.initialize(place, variable.initializer, variable.name, is_automatic=is_automatic)
        elif variable not in self._computed or (is_there and variable in self._places.repeated):
            self._forget(variable, span)

    def _forget_before(self, variable: ast.Variable, initializer: ast.Initializer, span: Span) -> None:
        """Give an object any value before its initialiser reads it, again in each iteration of a loop."""
        if initializer.zero_rest and not _is_whole(initializer):  # C does not say when the rest becomes zero
            self.context.unsupported(f"an initial value of {variable.name} that depends on {variable.name}", span)
        self._forget(variable, span)

    def _computed_size(self, type_: CType, span: Span) -> Term:
        """The size of an array whose lengths are computed. Executions in which a length is negative or the product
        does not fit into `size_t` are excluded: no stack has room for the array."""
        arithmetic, storage = self._program.arithmetic, self._program.storage
        size, fits = self._addresses.type_size(type_, span), []
        while isinstance(type_, VariableArrayType):
            row = self._addresses.type_size(type_.element, span)
            fits.append(arithmetic.no_overflow("*", self.context.length(type_, span), row, storage.size_type))
            type_ = type_.element
        storage.require_stack(self.context, size, fits, span)
        return size

    def _fixed_size(self, type_: CType, span: Span) -> Term:
        size = self._program.storage.layout.number(self._program.layouts.size(type_, span))
        self._program.storage.require_room(self.context, size, span)
        return size

    def _allocate(self, variable: ast.Variable, size: Term, span: Span) -> None:
        family, storage = self._program.memory.object_family(variable), self._program.storage
        value = storage.allocate(self.context, size, span, family=family, is_automatic=True)
        self.context.blocks.assign(self._computed[variable], value, span)

    def parameter(self, variable: ast.Variable) -> None:
        """Assign the values of the call to a parameter."""
        program, context = self._program, self.context
        inputs = program.scalars(variable.name, variable.type, variable.span, VariableKind.LOCAL)
        context.inputs.extend(inputs)
        self.begin(variable)
        values = tuple([program.terms.var(each) for each in inputs])
        place = self._addresses.variable(variable)
        if values:
            value = values[0] if is_scalar(variable.type) else RecordValue(values)
            self._accesses.write(place, value, variable.span)

    def begin(self, variable: ast.Variable) -> None:
        """Begin the lifetime of a parameter."""
        self.prepare(variable)
        if variable in self._computed:
            self._allocate(variable, self._fixed_size(variable.type, variable.span), variable.span)

    # --- initial values

    def initialize(
        self, place: Place, initializer: ast.Initializer, name: str, *, is_automatic: bool = False
    ) -> Steps:
        if initializer.zero_rest and not _is_whole(initializer):
            self.zero(place, initializer.span)
            self._zero_open_array(place, initializer)
        times = Counter(part.value for part in initializer.parts)
        known: dict[ast.Expression, Term | RecordValue] = {}
        members: set[tuple[Field | int, ...]] = set()
        for part in initializer.parts:
            if is_automatic:
                self._forget_rests(place, part, name, members)
            yield self._initialize_part(place, part, name, known if times[part.value] > 1 else None)

    def _forget_rests(self, place: Place, part: ast.Part, name: str, members: set[tuple[Field | int, ...]]) -> None:
        """Give the bytes of unions behind their initialised members any values."""
        target, span = place, part.value.span
        for depth, step in enumerate(part.path):
            union, (target, name) = target, self._inside(target, step, name, span)
            path, machine = part.path[: depth + 1], self._program.layouts.machine
            if not isinstance(union.type, RecordType) or union.type.kind != "union" or path in members:
                continue
            members.add(path)
            if (size_of(target.type, machine) or 0) < union.type.size:
                self._accesses.forget(union, span, f"the rest of a union behind {name}")
                self.zero(target, span)

    def _zero_open_array(self, place: Place, initializer: ast.Initializer) -> None:
        """Make the elements of a flexible array member zero, which the size of the type does not include."""
        if not isinstance(place, MemoryPlace) or not isinstance(place.type, RecordType):
            return
        for field in place.type.fields[-1:]:
            if isinstance(field.type, ArrayType) and not field.type.length:
                indices = [part.path[1] for part in initializer.parts if len(part.path) > 1 and part.path[0] is field]
                length = max([index + 1 for index in indices if isinstance(index, int)], default=0)
                whole = ArrayType(field.type.element, length)
                self.zero(self._addresses.member(place, field, whole, initializer.span), initializer.span)

    def _initialize_part(
        self, place: Place, part: ast.Part, name: str, known: dict[ast.Expression, Term | RecordValue] | None
    ) -> Steps:
        """Initialise one part. Parts of a range of designators share a value, which is computed once and kept in
        `known`."""
        target, text = place, name
        for step in part.path:
            target, text = self._inside(target, step, text, part.value.span)
        literal = _string_of(part.value)
        if literal is not None and isinstance(target.type, ArrayType):
            self._characters(target, literal)
            return
        if known is None or part.value not in known:
            value = yield self._expressions.value(part.value)
            if known is not None:
                blocks = self.context.blocks
                if not isinstance(value, RecordValue):
                    value = blocks.save(value, blocks.position(), part.value.span)
                known[part.value] = value
        else:
            value = known[part.value]
        self._accesses.write(target, value, part.value.span, text)

    def _inside(self, place: Place, step: Field | int, text: str, span: Span) -> tuple[Place, str]:
        if isinstance(step, Field):
            return self._addresses.member(place, step, step.type, span), f"{text}.{step.name}"
        if not isinstance(place, MemoryPlace) or not isinstance(place.type, ArrayType):
            raise InternalError(f"{text} is no array in memory")
        return self._addresses.element(place, step, place.type.element, span), f"{text}[{step}]"

    def _characters(self, place: Place, literal: ast.StringLiteral) -> None:
        """Initialise an array with a string. The array may be too short for the final zero."""
        assert isinstance(place, MemoryPlace)
        assert isinstance(place.type, ArrayType)
        element = place.type.element
        length = len(literal.units) if place.type.length is None else place.type.length
        if length > len(literal.units):
            self.zero(place, literal.span)
        for index, unit in enumerate(literal.units[:length]):
            part = self._addresses.element(place, index, element, literal.span)
            self._accesses.write(part, self._program.arithmetic.literal(unit, element), literal.span)

    def zero(self, place: Place, span: Span) -> None:
        """Make all scalars of an object zero (null, 0.0)."""
        if isinstance(place, MemoryPlace) and count_scalars(place.type) > FEW:
            self._program.storage.fill_zero(self.context.blocks, place, span)
            return
        leaves = self._program.layouts.leaves(place.type, span)
        zeros = tuple([self._program.zero(leaf.type) for leaf in leaves])
        if zeros:
            self._accesses.write(place, zeros[0] if is_scalar(place.type) else RecordValue(zeros), span)

    def zero_padding(self, variable: ast.Variable, place: Place) -> None:
        """Make the padding of a static object zero, where the program can see it."""
        storage, layouts, terms = self._program.storage, self._program.layouts, self._program.terms
        if isinstance(place, RegisterPlace) or is_scalar(place.type) or count_scalars(place.type) > FEW:
            return
        changed: dict[Variable, Term] = {}
        for offset in layouts.gaps(place.type, variable.span):
            region = self._program.memory.padding(variable, offset)
            if region is not None:
                map_ = storage.map_of(region)
                here = storage.behind(place.address, offset)
                zero = self._program.zero(region.floating or IntegerType(region.width, signed=False, name="cell"))
                changed[map_] = terms.store(changed.get(map_) or terms.var(map_), (here,), zero)
        if changed:
            self.context.blocks.add(Assign(tuple(changed), tuple(changed.values()), variable.span))
        leaves = layouts.leaves(place.type, variable.span)
        for offset, type_ in dict.fromkeys((leaf.offset, leaf.type) for leaf in leaves if leaf.bits is not None):
            unit = place.at(offset, storage.behind(place.address, offset), type_)  # with bits of no field
            storage.write(self.context.blocks, unit, self._program.zero(type_), variable.span)

    def string(self, literal: ast.StringLiteral, place: MemoryPlace) -> None:
        """Initialise a string literal when the program starts."""
        self._characters(place, literal)


def is_dynamic(variable: ast.Variable, *, is_recursive: bool) -> bool:
    """Whether an object of a function needs a new address for each lifetime: because several may exist at once, or
    because it is too large to forget its old contents scalar by scalar."""
    if variable.storage not in {ast.Storage.LOCAL, ast.Storage.PARAMETER}:
        return False
    if is_recursive or isinstance(variable.type, VariableArrayType):
        return True
    return variable.initializer is None and count_scalars(variable.type) > FEW


def _is_whole(initializer: ast.Initializer) -> bool:
    return any(not part.path for part in initializer.parts)


def _string_of(node: ast.Expression) -> ast.StringLiteral | None:
    at = node
    while isinstance(at, ast.Cast) and at.kind is ast.CastKind.NOTHING:
        at = at.operand
    return at if isinstance(at, ast.StringLiteral) else None
