"""Memory: addresses of objects, and reading and writing what is at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.base.errors import Unsupported
from remuda.frontends.c.arithmetic.floats import is_padded
from remuda.frontends.c.library.models import number_of
from remuda.frontends.c.lowering.layout import STACK, AddressLayout
from remuda.frontends.c.lowering.places import MemoryPlace, RecordValue
from remuda.frontends.c.lowering.validity import Validity
from remuda.frontends.c.reproduce import MEMORY
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.extents import extent_of
from remuda.frontends.c.syntax.layouts import Leaf
from remuda.frontends.c.syntax.types import UNSIGNED_CHAR, FloatingType, IntegerType, PointerType, is_scalar
from remuda.ir.program import Assign
from remuda.terms.float_values import from_bits, is_nan
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL, FloatType, MapType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.arithmetic.protocol import Arithmetic
    from remuda.frontends.c.lowering.blocks import Blocks
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.memory.model import MemoryModel, Region
    from remuda.frontends.c.syntax.layouts import Layouts
    from remuda.frontends.c.syntax.types import CType, Machine
    from remuda.ir.program import Attributes, Statement
    from remuda.terms.store import Terms
    from remuda.terms.term import Term
    from remuda.terms.types import Type

FIRST_FUNCTION = 0x100
FUNCTION_STEP = 16
PADDED_BYTES = 10  # the bytes of a padded float without its padding

Scalars = tuple["Term", ...]


@final
class Storage:
    """The memory of a program: a map for each region, constant addresses, and an allocator for the rest."""

    def __init__(
        self,
        terms: Terms,
        arithmetic: Arithmetic,
        layouts: Layouts,
        memory: MemoryModel,
        machine: Machine,
        slot: int,  # the number of bits of an offset in an object
        *,
        watch: bool,  # some checks need the state of objects
        is_anywhere: bool = False,  # new objects may have any address (see `AddressLayout`)
    ) -> None:
        self._terms = terms
        self._arithmetic = arithmetic
        self._layouts = layouts
        self.memory = memory
        self.pointer = PointerType(IntegerType(8, signed=False, name="unsigned char"))
        self.address_type: Type = arithmetic.type_of(self.pointer)
        self.size_type = IntegerType(machine.pointer_width, signed=False, name="size_t")
        self.layout = AddressLayout(
            terms, arithmetic, self.pointer, self.size_type, slot, has_stack=watch, is_anywhere=is_anywhere
        )
        self.validity = Validity(terms, arithmetic, self.size_type, self.layout) if watch else None
        self._maps: dict[int, Variable] = {}
        self._next_function = FIRST_FUNCTION
        self._functions: dict[ast.Function, int] = {}
        self._objects: dict[ast.Variable | ast.StringLiteral, int] = {}
        self.literals: tuple[ast.StringLiteral, ...] = ()  # the literals that are objects
        self._library_memory: int | None = None
        self._truths: dict[Region, Span] = {}  # where a region is first read as `_Bool`
        self._written_as_numbers: dict[Region, None] = {}  # regions that may have numbers other than 0 and 1
        self._present: dict[ast.Function | ast.Variable, Variable] = {}  # of weak symbols
        self._pointers: dict[Region, Span] = {}  # where a region is first accessed as a pointer
        self._numbers: dict[Region, Span] = {}  # where a region is first accessed as a number

    # --- addresses

    def function_address(self, function: ast.Function) -> int:
        if function not in self._functions:
            self._functions[function] = self._next_function
            self._next_function += FUNCTION_STEP
        return self._functions[function]

    def function_value(self, function: ast.Function) -> Term:
        """The value of a pointer to a function: its address, or null if it is weak and absent."""
        address = self.literal(self.function_address(function))
        return self.if_present(function, address) if function.is_weak and function.body is None else address

    def if_present(self, entity: ast.Function | ast.Variable, address: Term) -> Term:
        """The address of a weak symbol, or null if it is absent."""
        return self._terms.ite(self.presence(entity), address, self.literal(0))

    def presence(self, entity: ast.Function | ast.Variable) -> Term:
        """Whether a weak symbol is defined: a Boolean that never changes in an execution."""
        found = self._present.get(entity)
        if found is None:
            found = self._present[entity] = Variable(presence_of(entity.name), BOOL, VariableKind.GLOBAL)
        return self._terms.var(found)

    def object_address(self, object_: ast.Variable | ast.StringLiteral) -> int:
        """The constant address of an object that exists once."""
        if object_ not in self._objects:
            size = extent_of(object_, self._layouts.machine)
            is_literal = isinstance(object_, ast.StringLiteral)
            family = self.memory.object_family(object_)
            self._objects[object_] = self.place(size, family, object_.span, is_read_only=is_literal)
        return self._objects[object_]

    def is_in_literal(self, address: Term, family: int | None) -> Term:
        """The condition that an address is in a string literal of a family of objects."""
        slot, bits = self.layout.slot(address), self.layout.bits
        slots = [
            self.literal(self.object_address(literal) >> bits)
            for literal in self.literals
            if self.memory.object_family(literal) == family
        ]
        return self._terms.or_([self._arithmetic.compare("==", slot, each, self.size_type) for each in slots])

    def place(self, size: int | None, family: int | None, span: Span | None, *, is_read_only: bool = False) -> int:
        """The constant address of a new object."""
        address = self.layout.place(size, span)
        if self.validity is not None:
            self.validity.register(address, size, family, is_read_only=is_read_only)
        return address

    def library_memory(self, family: int | None) -> int:
        """The address of an object that stands for all memory that the library keeps for itself."""
        if self._library_memory is None:
            self._library_memory = self.place(None, family, None)
        return self._library_memory

    @property
    def objects(self) -> dict[ast.Variable | ast.StringLiteral, int]:
        return self._objects

    @property
    def functions(self) -> dict[ast.Function, int]:
        return self._functions

    def is_no_object(self, address: Term) -> bool:
        """Whether a term is a constant that is the address of no object or function: NULL, or an offset from it."""
        value = number_of(address)
        return value is not None and value < 1 << self.layout.bits and value not in self._functions.values()

    def literal(self, address: int) -> Term:
        return self._arithmetic.literal(address, self.pointer)

    def behind(self, address: Term, offset: int) -> Term:
        """The address `offset` bytes further."""
        if offset == 0:
            return address
        return self._arithmetic.binary("+", address, self.literal(offset), self.size_type)

    # --- regions

    @property
    def globals(self) -> tuple[Variable, ...]:
        shadows = () if self.validity is None else self.validity.globals
        symbols, maps = self._present.values(), [self._maps[index] for index in sorted(self._maps)]
        return (*self.layout.globals, *symbols, *shadows, *maps)

    def map_of(self, region: Region) -> Variable:
        found = self._maps.get(region.index)
        if found is None:
            cell: CType = region.floating or IntegerType(region.width, signed=False, name="cell")
            type_ = MapType((self.address_type,), self._arithmetic.type_of(cell))
            found = Variable(f"{MEMORY}{region.name}", type_, VariableKind.GLOBAL)
            self._maps[region.index] = found
        return found

    def _note_access(self, region: Region, type_: CType, span: Span) -> None:
        seen = self._pointers if isinstance(type_, PointerType) else self._numbers
        seen.setdefault(region, span)

    @property
    def bared_address(self) -> Span | None:
        """The first access as a number to a region that is also accessed as a pointer: the number may be an address.
        (Where all of memory is one region, this is not known.)"""
        if not self.memory.has_own_regions:
            return None
        return next((span for region, span in self._numbers.items() if region in self._pointers), None)

    # --- reading

    def read(self, place: MemoryPlace, span: Span) -> Term | RecordValue:
        if is_scalar(place.type):
            return self._read_leaf(place, Leaf("", 0, place.type, place.shift, place.bits), span)
        has_views = self._layouts.has_union(place.type)
        leaves = self._layouts.leaves(place.type, span)
        return RecordValue(tuple([self._read_leaf(place, leaf, span, is_copy=has_views) for leaf in leaves]))

    def _read_leaf(self, place: MemoryPlace, leaf: Leaf, span: Span, *, is_copy: bool = False) -> Term:
        """Read a scalar. A copy of a record with a union in it (`is_copy`) keeps all bits, also those of other
        members."""
        if is_copy and isinstance(leaf.type, FloatingType) and is_padded(leaf.type):
            if place.cells(leaf.offset, leaf.type).is_bytes:  # the other members of the union may contain the padding
                raise Unsupported(span, f"copying {place.type}, which has a union and a {leaf.type} in it,")
        unit = self._read_unit(place, leaf, span)
        if leaf.bits is None:
            if not is_copy and _is_truth(leaf.type):
                self._truths.setdefault(place.cells(leaf.offset, leaf.type), span)
            return unit if is_copy else self._as_bool(unit, leaf.type)
        assert isinstance(leaf.type, IntegerType)
        return self._arithmetic.extract_bits(unit, leaf.type, leaf.shift, leaf.bits, signed=leaf.type.signed)

    def _as_bool(self, unit: Term, type_: CType) -> Term:
        """Make a `_Bool` 0 or 1, even if it is read from unknown memory."""
        if not _is_truth(type_):
            return unit
        return self._arithmetic.from_bool(self._arithmetic.is_nonzero(unit, type_), type_)

    def write_numbers(self, region: Region) -> None:
        """Note that bytes other than 0 and 1 may be written to a region."""
        self._written_as_numbers[region] = None

    @property
    def doubtful_truth(self) -> Span | None:
        """The first read of a `_Bool` that may be neither 0 nor 1, because its region is also written as numbers."""
        return next((span for region, span in self._truths.items() if region in self._written_as_numbers), None)

    def _read_unit(self, place: MemoryPlace, leaf: Leaf, span: Span) -> Term:
        region = place.cells(leaf.offset, leaf.type)
        self._note_access(region, leaf.type, span)
        map_ = self._terms.var(self.map_of(region))
        address = self.behind(place.address, leaf.offset)
        if region.is_bytes:
            count = self._layouts.size(leaf.type, span)
            cells = [self._terms.select(map_, (self.behind(address, index),)) for index in range(count)]
            return cells[0] if _is_byte(leaf.type) else self._arithmetic.from_bytes(cells, leaf.type)
        self._require_fit(region, leaf.type, span)
        return self._terms.select(map_, (address,))

    # --- writing

    def write(
        self,
        blocks: Blocks,
        place: MemoryPlace,
        value: Term | RecordValue,
        span: Span,
        attributes: Attributes = (),
        *,
        is_any: bool = False,  # the value is arbitrary
    ) -> None:
        """Write a value. One parallel assignment changes all regions, so that all reads come before all writes."""
        leaves: tuple[Leaf, ...]
        scalars: Scalars
        if isinstance(value, RecordValue):
            leaves, scalars = self._layouts.leaves(place.type, span), value.scalars
        else:
            leaves, scalars = (Leaf("", 0, place.type, place.shift, place.bits),), (value,)
        changed: dict[Variable, Term] = {}
        for leaf, scalar in zip(leaves, scalars, strict=True):
            padding: Scalars = ()
            if not is_any and number_of(scalar) != 0:  # neither an unknown value nor zero is an address
                self._note_access(place.cells(leaf.offset, leaf.type), leaf.type, span)
            if isinstance(leaf.type, FloatingType) and place.cells(leaf.offset, leaf.type).is_bytes:
                scalar = self._with_bits(blocks, scalar, leaf.type, span)
                padding = self._padding(blocks, leaf.type, span)
            self._write_leaf(changed, place, leaf, scalar, span, padding)
        if changed:
            blocks.add(Assign(tuple(changed), tuple(changed.values()), span, attributes))

    def _with_bits(self, blocks: Blocks, value: Term, type_: FloatingType, span: Span) -> Term:
        """The float as a conversion from bits: those that it is made from, or any that stand for it (NaN has
        many)."""
        if value.op == "to_fp_bits" or _is_number(value):
            return value
        unsigned = IntegerType(type_.width, signed=False, name="bits")
        bits = blocks.havoc(blocks.temporary(self._arithmetic.type_of(unsigned), "bits"), span)
        made = self._arithmetic.float_of_bits(bits, type_)
        blocks.assume(self._terms.eq(made, value), span)
        return made

    def _padding(self, blocks: Blocks, type_: FloatingType, span: Span) -> Scalars:
        """The padding bytes of a float, which have any values."""
        if not is_padded(type_):
            return ()
        count = type_.width // 8 - PADDED_BYTES
        byte = self._arithmetic.type_of(UNSIGNED_CHAR)
        return tuple([blocks.havoc(blocks.temporary(byte, "padding"), span) for _ in range(count)])

    def _write_leaf(
        self,
        changed: dict[Variable, Term],
        place: MemoryPlace,
        leaf: Leaf,
        value: Term,
        span: Span,
        padding: Scalars = (),
    ) -> None:
        region = place.cells(leaf.offset, leaf.type)
        if not _is_truth(leaf.type) and number_of(value) not in {0, 1}:
            self.write_numbers(region)
        variable = self.map_of(region)
        address = self.behind(place.address, leaf.offset)
        if leaf.bits is not None:
            unit = self._unit_so_far(changed, place, leaf, span)
            value = self._arithmetic.insert_bits(unit, leaf.type, leaf.shift, leaf.bits, value)
        map_ = changed.get(variable) or self._terms.var(variable)
        if region.is_bytes:
            cells = [value] if _is_byte(leaf.type) else self._arithmetic.bytes_of(value, leaf.type)
            for index, cell in enumerate((*cells, *padding)):
                map_ = self._terms.store(map_, (self.behind(address, index),), cell)
        else:
            self._require_fit(region, leaf.type, span)
            map_ = self._terms.store(map_, (address,), value)
        changed[variable] = map_

    def _unit_so_far(self, changed: dict[Variable, Term], place: MemoryPlace, leaf: Leaf, span: Span) -> Term:
        """The unit of a bit-field, with the bit-fields that the same assignment has written before."""
        unit = self._read_unit(place, leaf, span)
        written = {self._terms.var(variable): term for variable, term in changed.items()}
        return self._terms.rewrite([unit], written.get)[0]

    def _require_fit(self, region: Region, type_: CType, span: Span) -> None:
        width = self._layouts.size(type_, span) * 8
        is_floating = isinstance(type_, FloatingType)
        if width != region.width or is_floating != (region.floating is not None):
            raise Unsupported(span, f"memory read as {type_} and also as something else")

    def fill_zero(self, blocks: Blocks, place: MemoryPlace, span: Span) -> None:
        """Make a large object zero at once: `memory := (lambda a :: if a in the object then 0 else memory[a])`."""

        def zero(_: Variable, cell: CType, __: Term) -> Term:
            if isinstance(cell, FloatingType):
                return self._arithmetic.float_literal("0", cell)
            return self._arithmetic.literal(0, cell)

        self._fill(blocks, place, span, zero)

    def fill_unknown(self, blocks: Blocks, place: MemoryPlace, span: Span) -> None:
        """Give a large object any contents at once."""
        others: dict[Variable, Term] = {}

        def unknown(map_: Variable, _: CType, address: Term) -> Term:
            if map_ not in others:
                others[map_] = blocks.havoc(blocks.temporary(map_.type, "contents"), span)
            return self._terms.select(others[map_], (address,))

        self._fill(blocks, place, span, unknown)

    def _fill(
        self, blocks: Blocks, place: MemoryPlace, span: Span, value: Callable[[Variable, CType, Term], Term]
    ) -> None:
        """Change all cells of an object at once."""
        terms, arithmetic = self._terms, self._arithmetic
        end = self.behind(place.address, self._layouts.size(place.type, span))
        cells: dict[Variable, CType] = {}
        for offset, type_ in self._layouts.kinds(place.type, span):
            region = place.cells(offset, type_)
            cell: CType = region.floating or IntegerType(region.width, signed=False, name="cell")
            cells[self.map_of(region)] = cell
        for variable, cell in cells.items():
            at = Variable("at", self.address_type, VariableKind.BOUND)
            here = terms.var(at)
            inside = terms.and_(
                (
                    arithmetic.compare("<=", place.address, here, self.size_type),
                    arithmetic.compare("<", here, end, self.size_type),
                )
            )
            new = value(variable, cell, here)
            body = terms.ite(inside, new, terms.select(terms.var(variable), (here,)))
            blocks.assign(variable, terms.lambda_((at,), body), span)

    # --- allocation

    def start(self, span: Span) -> list[Statement]:
        """The assumptions about memory when a program starts."""
        return [*self.layout.start(span), *([] if self.validity is None else self.validity.start(span))]

    def require_room(self, context: FunctionContext, size: Term, span: Span) -> None:
        """Claim nothing about executions in which there is no room for an object of this size (a term of
        `size_type`)."""
        fits = self.layout.fits(size)
        if fits is not self._terms.true:
            construct = f"an object of more than {self.layout.largest} bytes"
            context.demand(fits, "unsupported", span, construct)
            context.blocks.assume(fits, span)

    def require_stack(self, context: FunctionContext, size: Term, is_product: Sequence[Term], span: Span) -> None:
        """The same for an array of computed length; its size must also not wrap around (`is_product`). If slots are
        longer than a stack, larger arrays fit on no stack: the report lists the assumption that there are none."""
        fits = self._terms.and_((*is_product, self.layout.fits_on_stack(size)))
        if fits is self._terms.true:
            return
        most = self.layout.largest_computed
        if most < STACK:
            context.demand(fits, "unsupported", span, f"an object of more than {most} bytes")
        else:
            context.program.assume(f"arrays of computed length have at most {most} bytes, and no negative length")
        context.blocks.assume(fits, span)

    def allocate(
        self, context: FunctionContext, size: Term, span: Span, *, family: int | None, is_automatic: bool = False
    ) -> Term:
        """The address of new memory of a size that there is room for (a term of `size_type`).

        The family is that of the pointer that gets the address. Automatic objects are not in the heap: they cannot be
        freed, and need not be."""
        address = self.layout.allocate(context, span, is_automatic=is_automatic)
        if self.validity is not None:
            self.validity.allocated(context.blocks, family, address, size, span)
            if not is_automatic:
                self.validity.count(context.blocks, span)
        return address


def presence_of(name: str) -> str:
    """The name of the Boolean variable of a weak symbol."""
    return f"{name}$present"


def _is_number(term: Term) -> bool:
    """Whether a term is a constant float other than NaN."""
    if term.op != "float":
        return False
    bits, significand, exponent = term.payload
    return not is_nan(from_bits(bits, FloatType(significand, exponent)))


def _is_byte(type_: CType) -> bool:
    return isinstance(type_, IntegerType) and type_.width == 8


def _is_truth(type_: CType) -> bool:
    return isinstance(type_, IntegerType) and type_.is_bool
