"""Memory as regions: the parts of memory such that no access may be to two of them, by the points-to analysis.

Each region is a map of its own in the lowered program. `analyse` finds the region of every access; two accesses to
the same byte are to the same region.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import InternalError, Unsupported
from remuda.frontends.c.memory.beliefs import BeliefFinder
from remuda.frontends.c.memory.flow_values import BY_FIELD
from remuda.frontends.c.memory.flows import Flows
from remuda.frontends.c.memory.model import Region
from remuda.frontends.c.memory.slots import Slot, find_node, find_slot, places_of, targets_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.shapes import field_size, number_ranges
from remuda.frontends.c.syntax.types import (
    ArrayType,
    FloatingType,
    PointerType,
    RecordType,
    VariableArrayType,
    is_scalar,
    size_of,
)
from remuda.frontends.c.syntax.walk import called_function, strip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.memory.abstract_objects import Cell, Node
    from remuda.frontends.c.memory.beliefs import Beliefs
    from remuda.frontends.c.memory.slots import Place
    from remuda.frontends.c.syntax.types import CType

LISTED: Final = 256  # bytes whose scalars are listed


@final
class Memory:
    """The `MemoryModel` of a solved points-to analysis. Offsets are in bytes, and may lie in any element of an
    array."""

    def __init__(self, flows: Flows) -> None:
        self._flows = flows
        self._regions: list[Region] = []
        self._of_cell: dict[Cell, Region] = {}
        self._unused: dict[tuple[int, FloatingType | None], Region] = {}
        self._names: dict[str, int] = {}
        self._families: dict[Node, Node] | None = None
        self._beliefs = BeliefFinder(flows.values.graph.nodes, self._named())
        self._sole: frozenset[int] | None = None  # families of one object
        self._records: frozenset[Node] | None = None  # nodes whose objects are all declared as records
        self._literal_families: frozenset[int] | None = None  # families with a string literal
        roots = dict.fromkeys(find_node(node)[0] for node in flows.values.graph.nodes)
        cells = [cell for root in roots if root.in_memory for cell in root.ordered_cells()]
        for alike in _groups(cells):
            region = self._region_of(alike)
            for cell in alike:
                self._of_cell[cell] = region

    def _region_of(self, cells: list[Cell]) -> Region:
        """The region of cells that one access may be to; of bytes, if not all accesses have the same type."""
        first = cells[0]
        is_bytes = any(cell.is_bytes or cell.size != first.size or cell.floating != first.floating for cell in cells)
        name = min(cell.label for cell in cells)[2]
        if is_bytes:
            return self._new(name, 8, None, is_bytes=True)
        return self._new(name, first.size * 8, first.floating, is_bytes=False)

    @property
    def regions(self) -> tuple[Region, ...]:
        return tuple(self._regions)

    @property
    def has_unknown_objects(self) -> bool:
        """Whether the program accesses memory through an unknown pointer."""
        roots = dict.fromkeys(find_node(node)[0] for node in self._flows.values.graph.nodes if not node.is_object)
        return any(not root.is_object and root.cells for root in roots)

    @property
    def has_own_regions(self) -> bool:
        """Whether memory that a pointer of unknown origin leads to has regions apart from the program's objects."""
        return True

    def in_memory(self, variable: ast.Variable) -> bool:
        """Whether a variable has an address. If it has none, only its name refers to it."""
        return self._flows.values.is_in_memory(variable)

    def region(self, lvalue: ast.Expression) -> Region:
        """The region of the scalar that an lvalue denotes."""
        return self._at(self._place(lvalue), self._size(lvalue), lvalue.type, lvalue.span)

    def cell(self, pointer: ast.Expression, offset: int, type_: CType) -> Region:
        """The region of the scalar `offset` bytes behind what a pointer points to. If an index moves the pointer, the
        region is the same for all elements."""
        if not self._flows.values.is_pointer(pointer):
            raise InternalError(f"{pointer.span}: {pointer.span.text} is no pointer that was analysed")
        base, start = self._flows.values.pointed(pointer)
        return self._at((base, start + offset), self._type_size(type_), type_, pointer.span)

    def element_cell(self, lvalue: ast.Expression, offset: int, type_: CType) -> Region:
        """The region of the scalar `offset` bytes behind the start of an element of a declared array."""
        base, start = self._place(lvalue)
        return self._at((base, start + offset), self._type_size(type_), type_, lvalue.span)

    def beliefs(self, pointer: ast.Expression, offset: int, size: int) -> Beliefs:
        """The beliefs to check about an access of `size` bytes, `offset` bytes behind what a pointer points to."""
        base, start = self._flows.values.pointed(pointer)
        return self._beliefs.beliefs((base, start + offset), size)

    def is_declared_element(self, lvalue: ast.Expression) -> bool:
        """Whether an lvalue is an element of an array that it names, and that has the length of its type."""
        return lvalue in self._flows.declared_arrays

    def may_leave(self, lvalue: ast.Expression) -> bool:
        """Whether an index outside of its array would lead such an element to other parts of the same object."""
        place = self._flows.declared_arrays.get(lvalue)
        return place is not None and any(not root.is_whole(offset) for root, offset, _ in places_of(place))

    def may_be_wild(self, pointer: ast.Expression) -> bool:
        """Whether a pointer may come from an unknown integer."""
        base, _ = self._flows.values.pointed(pointer)
        return isinstance(base, Slot) and find_slot(base).is_wild

    def _place(self, lvalue: ast.Expression) -> Place:
        place = self._flows.values.places.get(lvalue)
        if place is None:
            raise InternalError(f"{lvalue.span}: {lvalue.span.text} is no lvalue that was analysed")
        return place

    def object_cell(self, variable: ast.Variable, offset: int, type_: CType) -> Region:
        """The same for a variable that is in memory."""
        node = self._flows.values.objects.get(variable)
        if node is None:
            raise InternalError(f"{variable.span}: nothing that was analysed mentions {variable.name}")
        return self._at((node, offset), self._type_size(type_), type_, variable.span)

    def is_wild(self, pointer: ast.Expression) -> bool:
        """Whether a pointer only comes from an unknown integer, and may lead anywhere."""
        base, _ = self._flows.values.pointed(pointer)
        return isinstance(base, Slot) and not find_slot(base).is_grounded and bool(places_of((base, 0)))

    def is_outside(self, pointer: ast.Expression) -> bool:
        """Whether a pointer may lead to no object of the program, such as a register of the machine."""
        values = self._flows.values
        return self.is_wild(pointer) or any(
            values.is_absolute(root) for root, _, _ in places_of(values.pointed(pointer))
        )

    def padding(self, variable: ast.Variable, offset: int) -> Region | None:
        """The region of the padding of a variable at an offset, if the program can access that."""
        node = self._flows.values.objects.get(variable)
        if node is None:
            return None
        root, shift = find_node(node)
        start = root.canonical(offset + shift)
        cell = root.cell_around(start)
        region = None if cell is None else self._of_cell.get(cell)
        is_start = cell is not None and region is not None and (region.is_bytes or cell.start == start)
        return region if is_start else None

    def literal_cell(self, literal: ast.StringLiteral, offset: int, type_: CType) -> Region:
        """The same for a string literal."""
        node = self._flows.values.literals.get(literal)
        if node is None:
            raise InternalError(f"{literal.span}: this string literal was not analysed")
        return self._at((node, offset), self._type_size(type_), type_, literal.span)

    def is_accessed(self, literal: ast.StringLiteral) -> bool:
        """Whether the program reads or writes anything in a string literal."""
        node = self._flows.values.literals.get(literal)
        if node is None:
            return True
        return any(cell in self._of_cell for cell in find_node(node)[0].ordered_cells())

    # --- ranges of memory, for the models of library functions

    def around(self, pointer: ast.Expression) -> tuple[Region, ...]:
        """The regions of all cells in what a pointer points into."""
        found: dict[Region, None] = {}
        for root, _ in self._starts(pointer):
            for cell in root.ordered_cells():
                region = self._of_cell.get(cell)
                if region is not None:
                    found[region] = None
        return tuple(found)

    def numbers(self, pointer: ast.Expression, type_: CType, *, is_row: bool) -> tuple[Region, ...]:
        """The regions of the numbers in what a pointer points to. For a row, they include those of the other
        elements, which have cells of their own if the program accesses them only at constant distances."""
        found: dict[Region, None] = {}
        for root, start in self._starts(pointer):
            cells = [
                cell
                for part in self._flows.values.shape(type_).scalars
                if not isinstance(part.type, PointerType)
                for cell in root.overlapping(start + part.offset, self._type_size(part.type))
            ]
            if is_row:
                cells += self._row_around(root, start, type_)
            for cell in cells:
                region = self._of_cell.get(cell)
                if region is not None:
                    found[region] = None
        return tuple(sorted(found, key=lambda region: region.index))

    def _row_around(self, root: Node, start: int, type_: CType) -> list[Cell]:
        """The cells of all numbers that may be in a row of elements of a type. In a block, any number can be; in a
        declared record, members are no elements of a row, and other parts are at other offsets."""
        numbers = [cell for cell in root.ordered_cells() if not find_slot(cell.slot).is_pointer]
        if not self._are_records(root):
            return numbers
        if is_scalar(type_):
            return [cell for cell in numbers if cell.label[0] != BY_FIELD]
        stride, ranges = self._type_size(type_), number_ranges(type_, self._flows.values.machine)
        return [
            cell
            for cell in numbers
            if any(_is_in_row(cell, start + first, last - first, stride) for first, last in ranges)
        ]

    def _are_records(self, root: Node) -> bool:
        """Whether all objects of a node are declared as records. Blocks and bytes can be rows as well."""
        if self._records is None:
            named, objects = self._named(), [node for node in self._flows.values.graph.nodes if node.is_object]
            others = frozenset(find_node(node)[0] for node in objects if not _is_record(named.get(node)))
            self._records = frozenset(find_node(node)[0] for node in objects) - others
        return root in self._records

    def is_lone(self, pointer: ast.Expression, type_: CType) -> bool:
        """Whether a pointer can only point to a whole object of a type."""
        size = self._type_size(type_)
        starts = self._starts(pointer)
        return bool(starts) and all(
            root.low == 0 == start
            and root.high == size
            and (not is_scalar(type_) or root.cell_at(start, size) is not None)
            for root, start in starts
        )

    def layout(self, pointer: ast.Expression, size: int) -> tuple[tuple[int, Region], ...] | None:
        """The cells in `size` bytes from a pointer on; None if a cell lies only partly in them. If the pointer may
        point to several objects, the cells of all: at an address in one object, the cells of the others do not
        matter."""
        found: dict[tuple[int, Region], None] = {}
        for root, base in self._starts(pointer):
            offset = 0
            while offset < size:
                start = root.canonical(base + offset)
                cell = root.cell_around(start)
                region = None if cell is None else self._of_cell.get(cell)
                step = 1 if cell is None or region is None or region.is_bytes else cell.size
                if cell is not None and region is not None:
                    if not region.is_bytes and (cell.start != start or offset + step > size):
                        return None
                    found[offset, region] = None
                offset += step
        return tuple(sorted(found, key=lambda each: (each[0], each[1].index)))

    def grain(self, pointer: ast.Expression) -> int | None:
        """A number of bytes such that no multiple of it, counted from a pointer, ends inside a cell. None if
        unknown."""
        sizes = [1]
        for root, base in self._starts(pointer):
            for cell in root.ordered_cells():
                is_behind = bool(root.period) or cell.start + cell.size > base
                if is_behind and not self._is_bytes(cell) and cell.size > 1:
                    strides = root.strides(cell.start)
                    if (cell.start - base) % cell.size or any(each % cell.size for each in strides):
                        return None
                    sizes.append(cell.size)
        return lcm(*sizes)

    def scalars(self, pointer: ast.Expression) -> tuple[int, tuple[tuple[int, int], ...]] | None:
        """The offsets and sizes of the scalars of more than a byte behind a pointer, and the number of bytes after
        which they repeat (0: never). None if they are too many to list."""
        starts = self._starts(pointer)
        if len(starts) != 1:
            return None
        root, base = starts[0]
        extent = root.period or root.end - root.canonical(base)
        layout = None if extent > LISTED else self.layout(pointer, extent)
        if layout is None:
            return None
        sizes = [(offset, region.width // 8) for offset, region in layout]
        return root.period, tuple((offset, size) for offset, size in sizes if size > 1)

    def _is_bytes(self, cell: Cell) -> bool:
        region = self._of_cell.get(cell)
        return cell.is_bytes or (region is not None and region.is_bytes)

    def _starts(self, pointer: ast.Expression) -> list[tuple[Node, int]]:
        """What a pointer may point to."""
        if not self._flows.values.is_pointer(pointer):
            raise InternalError(f"{pointer.span}: {pointer.span.text} is no pointer that was analysed")
        found = places_of(self._flows.values.pointed(pointer))
        return list(dict.fromkeys((root, at if exact else root.canonical(at)) for root, at, exact in found))

    # --- which objects

    def family(self, pointer: ast.Expression) -> int | None:
        """The family of the objects that a pointer may point into: two pointers into one object have the same family.
        None if there is no such object."""
        return self._family_of(self._flows.values.slots.get(pointer))

    def object_family(self, object_: ast.Variable | ast.StringLiteral) -> int | None:
        """The family of an object; None if nothing points to it."""
        values = self._flows.values
        node = values.objects.get(object_) if isinstance(object_, ast.Variable) else values.literals.get(object_)
        return None if node is None else self._family(node)

    def pointed_family(self, variable: ast.Variable) -> int | None:
        """The same for what is pointed to by a variable that is a pointer."""
        node = self._flows.values.objects.get(variable)
        if node is None:
            return None
        root, shift = find_node(node)
        cell = root.cell_at(shift, self._type_size(variable.type))
        return None if cell is None else self._family_of(cell.slot)

    def sole_objects(self) -> dict[int, ast.Variable | ast.StringLiteral]:
        """The families that consist of one object, which has a name or is a string literal."""
        values, named = self._flows.values, self._named()
        members: dict[int, list[Node]] = {}
        for node in values.graph.nodes:
            if node.is_object:
                members.setdefault(self._family(node), []).append(node)
        return {family: named[nodes[0]] for family, nodes in members.items() if len(nodes) == 1 and nodes[0] in named}

    def _named(self) -> dict[Node, ast.Variable | ast.StringLiteral]:
        """The objects that have a name, or are string literals."""
        values = self._flows.values
        named: dict[Node, ast.Variable | ast.StringLiteral] = {node: each for each, node in values.objects.items()}
        return named | {node: literal for literal, node in values.literals.items()}

    def is_one_object(self, left: ast.Expression, right: ast.Expression) -> bool:
        """Whether two pointers can only point into the same object."""
        family = self.family(left)
        if self._sole is None:
            self._sole = frozenset(self.sole_objects())
        return family is not None and family == self.family(right) and family in self._sole

    def may_be_neighbours(self, left: ast.Expression, right: ast.Expression) -> bool:
        """Whether two pointers only point into different objects, and one perhaps to the end of its object. Pointers
        that may point into the same object do not count, because they mostly do."""
        if not (self._flows.values.is_pointer(left) and self._flows.values.is_pointer(right)):
            return False
        places = [self._starts(left), self._starts(right)]
        objects = [{root for root, _ in found} for found in places]
        if not objects[0].isdisjoint(objects[1]):
            return False
        return any(
            _may_be_end(root, at)
            for pointer, found in zip((left, right), places, strict=True)
            if not _is_start(pointer)
            for root, at in found
        )

    def may_be_literals(self, left: ast.Expression, right: ast.Expression) -> bool:
        """Whether two pointers may point into two string literals."""
        if self._literal_families is None:
            found = [self.object_family(literal) for literal in self._flows.values.literals]
            self._literal_families = frozenset(family for family in found if family is not None)
        both = (self.family(left), self.family(right))
        return self._literal_families.issuperset(both) and not self.is_one_object(left, right)

    def stored_family(self, pointer: ast.Expression) -> int | None:
        """The family of `**p`: what a pointer in memory points to, to which a pointer points."""
        for root, start in self._starts(pointer):
            cell = root.cell_at(start, self._flows.values.machine.pointer_bytes)
            if cell is not None:
                return self._family_of(cell.slot)
        return None

    def _family_of(self, slot: Slot | None) -> int | None:
        node = None if slot is None else next((node for node, _, _ in targets_of(slot)), None)
        return None if node is None else self._family(node)

    def _family(self, node: Node) -> int:
        """The family of a node: objects that one pointer may point to have the same family."""
        if self._families is None:
            self._families = {}
            for slot in self._flows.values.graph.slots:
                if slot.parent is None:
                    self._relate([node for node, _, _ in targets_of(slot)])
            for function, made in self._flows.allocated:  # the same objects, inside the function and in its callers
                result = find_node(self._flows.values.result(function))[0]
                inside = [node for cell in result.ordered_cells() for node, _, _ in targets_of(cell.slot)]
                self._relate([find_node(made)[0], *inside])
        return self._head(find_node(node)[0]).index

    def _relate(self, nodes: list[Node]) -> None:
        assert self._families is not None
        for node in nodes[1:]:
            one, other = self._head(nodes[0]), self._head(node)
            if one is not other:
                self._families[other] = one

    def _head(self, node: Node) -> Node:
        assert self._families is not None
        while node in self._families:
            above = self._families[node]
            if above in self._families:
                self._families[node] = self._families[above]
            node = above
        return node

    # --- functions

    @property
    def address_taken_functions(self) -> tuple[ast.Function, ...]:
        return tuple(self._flows.values.functions)

    def targets(self, call: ast.Call) -> tuple[ast.Function, ...]:
        """The functions that a call may reach and that can take its arguments."""
        direct = called_function(call)
        if direct is not None:
            return (direct,)
        reached = self._flows.reached.get(call)
        if reached is None:
            raise InternalError(f"{call.span}: this call was not analysed")
        return tuple(function for function in self._flows.values.functions if function in reached)

    def pointed_functions(self, pointer: ast.Expression) -> tuple[ast.Function, ...]:
        """The functions that a pointer may point to (for those that are passed to a library)."""
        if not self._flows.values.is_pointer(pointer):
            return ()
        found = [function for node, _ in self._starts(pointer) for function in node.functions]
        return tuple(function for function in self._flows.values.functions if function in found)

    # --- regions of cells

    def _size(self, lvalue: ast.Expression) -> int:
        if isinstance(lvalue, ast.Member) and lvalue.field.bits is not None:
            return field_size(lvalue.field, self._flows.values.machine)
        return self._type_size(lvalue.type)

    def _type_size(self, type_: CType) -> int:
        return size_of(type_, self._flows.values.machine) or 1

    def _at(self, place: Place, size: int, type_: CType, span: Span) -> Region:
        """The region of the cells at a place; they have one, if the place was accessed in this way."""
        found: dict[Region, None] = {}
        for root, offset, _ in places_of(place):
            cell = root.cell_at(offset, size)
            region = None if cell is None else self._of_cell.get(cell)
            if region is not None:
                found[region] = None
            elif cell is not None or not root.is_free(offset, size):
                raise Unsupported(span, f"memory accessed as {type_} here")
        if len(found) > 1:
            raise Unsupported(span, f"memory accessed as {type_} here")
        return next(iter(found), None) or self._unused_region(size, type_)

    def _unused_region(self, size: int, type_: CType) -> Region:
        """A region for objects that are initialised, but never accessed."""
        floating = type_ if isinstance(type_, FloatingType) else None
        key = (size, floating)
        if key not in self._unused:
            self._unused[key] = self._new("unused", size * 8, floating, is_bytes=False)
        return self._unused[key]

    def _new(self, name: str, width: int, floating: FloatingType | None, *, is_bytes: bool) -> Region:
        count = self._names.get(name, 0) + 1
        self._names[name] = count
        unique = name if count == 1 else f"{name}#{count}"
        made = Region(len(self._regions), unique, width, is_bytes, floating)
        self._regions.append(made)
        return made


def _groups(cells: list[Cell]) -> list[list[Cell]]:
    """Groups of cells that one access may be to: those that share a slot."""
    first: dict[Slot, Cell] = {}
    above: dict[Cell, Cell] = {}

    def head(cell: Cell) -> Cell:
        while cell in above:
            cell = above[cell]
        return cell

    for cell in cells:
        for slot in (find_slot(cell.slot), find_slot(cell.numbers)):
            one, other = head(first.setdefault(slot, cell)), head(cell)
            if one is not other:
                above[other] = one
    groups: dict[Cell, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(head(cell), []).append(cell)
    return list(groups.values())


def analyse(unit: ast.Unit, reachable: Sequence[ast.Function], *, believes: bool = True) -> Memory:
    """Analyse the reachable part of a program. Without beliefs, nothing has to be checked, but regions are larger."""
    flows = Flows(unit.machine, believes=believes)
    flows.read(reachable, [each for each in unit.variables if each.storage is ast.Storage.EXTERN])
    return Memory(flows)


def _may_be_end(root: Node, offset: int) -> bool:
    return bool(root.strides(offset)) or (root.high is not None and offset >= root.high)


def _is_in_row(cell: Cell, offset: int, size: int, stride: int) -> bool:
    """Whether a cell has one of `size` bytes that begin at an offset, and again after each stride."""
    behind = (cell.start - offset) % stride
    return behind < size or behind + cell.size > stride


def _is_record(object_: ast.Variable | ast.StringLiteral | None) -> bool:
    """Whether an object is declared as a record or an array of records."""
    type_ = object_.type if isinstance(object_, ast.Variable) else None
    while isinstance(type_, ArrayType | VariableArrayType):
        type_ = type_.element
    return isinstance(type_, RecordType)


def _is_start(pointer: ast.Expression) -> bool:
    """Whether the form of a pointer shows that it points to an object: `&x`, or the name of an array."""
    pointer = strip(pointer, CastKind.POINTER, CastKind.NOTHING)
    is_decayed = isinstance(pointer, ast.Cast) and pointer.kind is CastKind.ARRAY_TO_POINTER
    if not isinstance(pointer, ast.AddressOf | ast.Cast) or not (is_decayed or isinstance(pointer, ast.AddressOf)):
        return False
    return isinstance(pointer.operand, ast.Name | ast.Member | ast.StringLiteral | ast.CompoundLiteral)
