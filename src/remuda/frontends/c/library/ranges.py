"""Ranges of memory, for the models of functions that fill, copy, compare and read memory.

A short range of known size is changed cell by cell. Any other range is changed at once, by

    memory := (lambda a :: if a in the range then new contents else memory[a])

for each region that the range may be part of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import Unsupported
from remuda.frontends.c.library.models import kept, name_of, number_of
from remuda.frontends.c.lowering.places import MemoryPlace, RecordValue
from remuda.frontends.c.reproduce import LEAF, bytes_key
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import CHAR, ArrayType, IntegerType, PointerType
from remuda.frontends.c.syntax.walk import factor, strip
from remuda.ir.program import Assign, Attribute
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.memory.model import Region
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term

FEW: Final = 256  # cells that are changed one by one
SHORT: Final = 4096  # bytes of a range whose cells are listed


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Memory that a pointer leads to. `pointer` is an expression of the program, before its conversion to `void
    *`."""

    pointer: ast.Expression
    address: Term
    is_start: bool = True  # the address is the value of the pointer

    def behind(self, calls: CallLowering, distance: Term) -> Block:
        """The memory at a distance in bytes behind it (a term of `size_type`)."""
        size_type = calls.program.storage.size_type
        address = calls.program.arithmetic.binary("+", self.address, distance, size_type)
        return Block(self.pointer, address, is_start=False)


@final
@dataclass(frozen=True, slots=True)
class Size:
    """A number of bytes. `factor` divides it, or is 0 if the range may end inside a scalar; `constant` is its value,
    if that is known."""

    term: Term
    factor: int
    constant: int | None


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that gets new contents: its address, and its old value. If it stands for all cells of a range, the
    address is a bound variable, and `offset` is None."""

    region: Region
    type: CType
    address: Term
    old: Term
    offset: int | None  # from the start of the range
    start: Term  # the address where the range begins


Contents = Callable[[Cell], "Term"]


def block(calls: CallLowering, node: ast.Call, position: int, value: Term) -> Block:
    """The memory that an argument points to."""
    pointer = strip(node.arguments[position], CastKind.POINTER, CastKind.NOTHING)
    if not isinstance(pointer.type, PointerType):
        raise Unsupported(node.span, f"{node.span.text}, which is given a {pointer.type} as a pointer,")
    return Block(pointer, kept(calls, node, value))


def size(calls: CallLowering, node: ast.Call, position: int, value: Term) -> Size:
    """A number of bytes that an argument gives; `value` is a term of `size_type`."""
    return Size(kept(calls, node, value), factor(node.arguments[position]) or 1, number_of(value))


def fixed_size(calls: CallLowering, count: int) -> Size:
    return Size(number(calls, count), count, count)


def computed_size(term: Term) -> Size:
    return Size(term, 1, None)


def number(calls: CallLowering, value: int) -> Term:
    return calls.program.arithmetic.literal(value, calls.program.storage.size_type)


# --- changing


def change(calls: CallLowering, node: ast.Call, target: Block, extent: Size, contents: Contents) -> None:
    """Give all cells in a range new contents, which are computed from the old memory."""
    memory = calls.program.memory
    if extent.constant == 0 or not memory.around(target.pointer):
        return
    if extent.constant is not None and extent.constant <= SHORT:
        layout = memory.layout(target.pointer, extent.constant)
        if layout is None:
            calls.context.unsupported(f"{node.span.text}, which ends in the middle of a scalar,", node.span)
            return
        if len(layout) <= FEW:
            _change_few(calls, node, target, layout, contents)
            return
    else:
        _require_whole(calls, node, target, extent)
    _change_all(calls, node, target, extent, contents)


def _require_whole(calls: CallLowering, node: ast.Call, target: Block, extent: Size) -> None:
    """Demand that no scalar lies only partly in a range."""
    if extent.factor == 0:
        return
    grain = calls.program.memory.grain(target.pointer)
    if grain is not None and extent.factor % grain == 0:
        return
    condition = _is_whole(calls, target, extent.term, grain)
    construct = f"{node.span.text}, which may end in the middle of a scalar,"
    calls.context.demand(condition, "unsupported", node.span, construct)
    calls.blocks.assume(condition, node.span)


def _is_whole(calls: CallLowering, target: Block, extent: Term, grain: int | None) -> Term:
    """Whether a range ends inside no scalar."""
    arithmetic, terms, size_type = calls.program.arithmetic, calls.program.terms, calls.program.storage.size_type
    scalars = calls.program.memory.scalars(target.pointer)
    if scalars is not None:
        period, sizes = scalars
        end = arithmetic.binary("%", extent, number(calls, period), size_type) if period else extent
        cuts = [
            is_inside(calls, end, number(calls, start + 1), number(calls, start + length)) for start, length in sizes
        ]
        return terms.not_(terms.or_(cuts))
    if grain is None:
        return terms.false
    rest = arithmetic.binary("%", extent, number(calls, grain), size_type)
    return arithmetic.compare("==", rest, number(calls, 0), size_type)


def _change_few(
    calls: CallLowering,
    node: ast.Call,
    target: Block,
    layout: tuple[tuple[int, Region], ...],
    contents: Contents,
) -> None:
    storage, terms = calls.program.storage, calls.program.terms
    changed: dict[Variable, Term] = {}
    for offset, region in layout:
        variable = storage.map_of(region)
        address = storage.behind(target.address, offset)
        old = terms.select(terms.var(variable), (address,))
        value = contents(Cell(region, cell_type(region), address, old, offset, target.address))
        changed[variable] = terms.store(changed.get(variable) or terms.var(variable), (address,), value)
    if changed:
        calls.blocks.add(Assign(tuple(changed), tuple(changed.values()), node.span))


def _change_all(calls: CallLowering, node: ast.Call, target: Block, extent: Size, contents: Contents) -> None:
    end = target.behind(calls, extent.term).address
    regions = calls.program.memory.around(target.pointer)
    change_where(
        calls, node, regions, target.address, lambda here: is_inside(calls, here, target.address, end), contents
    )


def change_where(
    calls: CallLowering,
    node: ast.Call,
    regions: Sequence[Region],
    start: Term,
    is_changed: Callable[[Term], Term],
    contents: Contents,
) -> None:
    """Give the cells of regions whose addresses fulfil a condition new contents. Offsets count from `start`."""
    storage, terms = calls.program.storage, calls.program.terms
    changed: dict[Variable, Term] = {}
    for region in regions:
        variable = storage.map_of(region)
        at = Variable("at", storage.address_type, VariableKind.BOUND)
        here = terms.var(at)
        old = terms.select(terms.var(variable), (here,))
        new = contents(Cell(region, cell_type(region), here, old, None, start))
        changed[variable] = terms.lambda_((at,), terms.ite(is_changed(here), new, old))
    calls.blocks.add(Assign(tuple(changed), tuple(changed.values()), node.span))


def is_inside(calls: CallLowering, here: Term, start: Term, end: Term) -> Term:
    compare, size_type = calls.program.arithmetic.compare, calls.program.storage.size_type
    return calls.program.terms.and_(
        (compare("<=", start, here, size_type), compare("<", here, end, size_type)),
    )


def cell_type(region: Region) -> CType:
    return region.floating or IntegerType(region.width, signed=False, name="cell")


# --- new contents


def filled(calls: CallLowering, byte: Term) -> Contents:
    """The same value in every byte."""

    def contents(cell: Cell) -> Term:
        if number_of(byte) not in {0, 1}:
            calls.program.storage.write_numbers(cell.region)
        if cell.region.width == CHAR.width:
            return byte
        if number_of(byte) == 0:
            return calls.program.zero(cell.type)
        return calls.program.arithmetic.from_bytes([byte] * (cell.region.width // 8), cell.type)

    return contents


def copied(calls: CallLowering, target: Block, source: Block) -> Contents:
    """The contents at the same offset in another block, which is in the same regions."""
    arithmetic, storage = calls.program.arithmetic, calls.program.storage
    distance = arithmetic.binary("-", source.address, target.address, storage.size_type)

    def contents(cell: Cell) -> Term:
        if cell.offset is not None:
            address = storage.behind(source.address, cell.offset)
        else:
            address = arithmetic.binary("+", cell.address, distance, storage.size_type)
        map_ = calls.program.terms.var(calls.program.storage.map_of(cell.region))
        return calls.program.terms.select(map_, (address,))

    return contents


def unknown(calls: CallLowering, node: ast.Call, *, is_input: bool = False) -> Contents:
    """Any contents. If it `is_input`, the key of each cell has its offset in the range, for programs that reproduce
    the execution."""

    def contents(cell: Cell) -> Term:
        type_, width = _any_type(calls, cell), cell.region.width
        calls.program.storage.write_numbers(cell.region)
        if cell.offset is not None:
            supply = f"{bytes_key(name_of(node), node.span)}{LEAF}{cell.offset}:{width}" if is_input else ""
            return calls.context.unknown(type_, node.span, f"{name_of(node)} at byte {cell.offset}", supply=supply)
        map_ = calls.blocks.temporary(calls.program.storage.map_of(cell.region).type, "inputs")
        told = (f"{bytes_key(name_of(node), node.span)}{LEAF}:{width}", cell.start)
        shown = (Attribute("shows", told),) if is_input else ()
        value = calls.program.terms.select(calls.blocks.havoc(map_, node.span, shown), (cell.address,))
        is_value = calls.program.arithmetic.in_range(value, type_)
        return calls.program.terms.ite(is_value, value, calls.program.zero(cell.type))

    return contents


def _any_type(calls: CallLowering, cell: Cell) -> CType:
    """A type with all values that a cell may have. A mathematical integer may be of a signed type."""
    if isinstance(cell.type, IntegerType) and is_mathematical(calls):
        return IntegerType(cell.type.width + 1, signed=True, name="cell")
    return cell.type


def is_mathematical(calls: CallLowering) -> bool:
    return calls.program.options.integers == "math"


# --- bytes


def byte(calls: CallLowering, node: ast.Call, source: Block, index: Term) -> Term:
    """The character at an index, which is a term of `size_type`."""
    place = calls.addresses.pointed(source.pointer, source.behind(calls, index).address, CHAR)
    return calls.program.storage.read(place, node.span)  # type: ignore[return-value]


def write_byte(calls: CallLowering, node: ast.Call, target: Block, index: Term, value: Term) -> None:
    place = calls.addresses.pointed(target.pointer, target.behind(calls, index).address, CHAR)
    calls.program.storage.write(calls.blocks, place, value, node.span)


def write_bytes(calls: CallLowering, node: ast.Call, target: Block, values: Sequence[Term]) -> None:
    """Write several characters at once, which are computed from the old memory."""
    whole = ArrayType(CHAR, len(values))
    cells = calls.addresses.pointed(target.pointer, target.address, CHAR).cells
    place = MemoryPlace(whole, target.address, lambda _, type_: cells(0, type_))
    calls.program.storage.write(calls.blocks, place, RecordValue(tuple(values)), node.span)
