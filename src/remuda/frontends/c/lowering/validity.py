"""The shadow state that checks of pointers and bounds use: which objects are alive, and how large they are.

    length$[slot]    the size of the object in a slot (see `layout`); GONE before and after its lifetime
    blocks$          how many blocks of the heap are in use

Each family of objects (objects that the same pointers may point to) has a map of lengths. The lengths of slots that
no object of the family uses are arbitrary at first, so that a check of a pointer that leads there fails for some
lengths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.ir.program import Assign, Assume
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import MapType

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.arithmetic.protocol import Arithmetic
    from remuda.frontends.c.lowering.blocks import Blocks
    from remuda.frontends.c.lowering.layout import AddressLayout
    from remuda.frontends.c.syntax.types import IntegerType
    from remuda.ir.program import Statement
    from remuda.terms.store import Terms
    from remuda.terms.term import Term

Family = int | None  # of objects; None for pointers that point to no object

KINDS: Final = frozenset({"bounds", "pointer", "leak"})  # the checks that need it


@final
class Validity:
    """The lengths of the objects in a program's slots, and the terms and statements about them."""

    def __init__(self, terms: Terms, arithmetic: Arithmetic, size_type: IntegerType, layout: AddressLayout) -> None:
        self._terms = terms
        self._arithmetic = arithmetic
        self._size_type = size_type
        self._layout = layout
        self._bits = layout.bits
        self._address = arithmetic.type_of(size_type)
        self._maps: dict[Family, Variable] = {}
        self.blocks = Variable("blocks$", self._address, VariableKind.GLOBAL)
        self._gone = arithmetic.literal(1 << (size_type.width - 1), size_type)
        self._sizes: dict[int, int] = {}  # of the objects with constant addresses, by slot
        self._families: dict[int, Family] = {}
        self._open: dict[Family, list[int]] = {}  # the slots of objects of any size
        self._read_only: dict[Family, list[int]] = {}  # the slots of objects that must not be written
        self._mortal: set[int] = set()  # the slots of objects whose lifetimes end
        self.sole: dict[Family, tuple[int, bool]] = {}  # the one object of a family: its address, and whether it ends

    @property
    def globals(self) -> tuple[Variable, ...]:
        return (self.blocks, *self._maps.values())

    # --- addresses

    def register(self, address: int, size: int | None, family: Family, *, is_read_only: bool = False) -> None:
        """Add the object at a constant address. An object of unknown size is as large as possible."""
        slot = address >> self._bits
        self._sizes[slot] = self._layout.largest if size is None else size
        self._families[slot] = family
        if size is None:
            self._open.setdefault(family, []).append(slot)
        if is_read_only:
            self._read_only.setdefault(family, []).append(slot)

    def _number(self, value: int) -> Term:
        return self._layout.number(value)

    def _map(self, family: Family) -> Variable:
        found = self._maps.get(family)
        if found is None:
            name = "length$" if family is None else f"length${family}"
            found = Variable(name, MapType((self._address,), self._address), VariableKind.GLOBAL)
            self._maps[family] = found
        return found

    def _length(self, family: Family, address: Term) -> Term:
        return self._terms.select(self._terms.var(self._map(family)), (self._layout.slot(address),))

    def _compare(self, op: str, left: Term, right: Term) -> Term:
        return self._arithmetic.compare(op, left, right, self._size_type)

    def _sum(self, left: Term, right: Term) -> Term:
        return self._arithmetic.binary("+", left, right, self._size_type)

    # --- conditions

    def is_known(self, pointer: Term) -> bool:
        """Whether the form of a pointer shows that it points into an object with a constant address. Such an object
        is alive wherever its name can be used."""
        return self._known_slot(pointer) is not None

    def _known_slot(self, pointer: Term) -> int | None:
        """The slot of an address that is a constant, or a sum with a constant."""
        for term in (pointer, *(pointer.args if pointer.op in {"bvadd", "add"} else ())):
            value = _constant(term)
            if value is not None and value >> self._bits in self._sizes:
                return value >> self._bits
        return None

    def is_live(self, family: Family, pointer: Term) -> Term:
        """The condition that the object that a pointer was made from is alive."""
        if family in self.sole:
            address, ends = self.sole[family]
            inside = self._has_known_room(address >> self._bits, pointer, self._number(0))
            return self._terms.and_((inside, self._exists(family, self._number(address)))) if ends else inside
        return self._exists(family, pointer)

    def _exists(self, family: Family, address: Term) -> Term:
        return self._terms.not_(self._terms.eq(self._length(family, address), self._gone))

    def has_room(self, family: Family, pointer: Term, address: Term, size: Term) -> Term:
        """The condition that `size` bytes at an address lie within the object of the pointer that it is computed
        from. It holds if the object is gone."""
        slot = self._known_slot(pointer)
        if slot is None and family in self.sole:
            slot = self.sole[family][0] >> self._bits
        if slot is not None:
            return self._has_known_room(slot, address, size)
        length = self._length(family, pointer)
        moved = self._arithmetic.binary("-", address, pointer, self._size_type)
        distance = self._sum(self._layout.offset(pointer), moved)
        if self._is_small(moved) and self._is_small(size):
            return self._compare("<=", self._sum(distance, size), length)
        return self._lies_within(distance, size, length)

    def _has_known_room(self, slot: int, address: Term, size: Term) -> Term:
        """Whether an address lies within the object in a slot."""
        distance = self._arithmetic.binary("-", address, self._number(slot << self._bits), self._size_type)
        most = self._sizes[slot] - (_constant(size) or 0)
        if _constant(size) is None or most < 0 or self._gone.op == "int":
            return self._lies_within(distance, size, self._number(self._sizes[slot]))
        return self._compare("<=", distance, self._number(most))

    def _lies_within(self, distance: Term, size: Term, length: Term) -> Term:
        """0 <= distance and distance + size <= length, of numbers that may be negative or wrap around."""
        parts = [self._compare("<=", self._sum(distance, size), length), self._compare("<=", distance, length)]
        numbers = [distance]
        if not self._is_small(size):
            parts.append(self._compare("<=", size, length))
            numbers.append(size)
        if self._gone.op == "int":  # negative numbers do not wrap around to large ones
            parts += [self._compare("<=", self._number(0), number) for number in numbers]
        return self._terms.and_(parts)

    def _is_small(self, size: Term) -> bool:
        """Whether a number is a constant that no sum with an offset can wrap around with."""
        value = _constant(size)
        return value is not None and 0 <= value <= self._layout.largest

    def is_open(self, family: Family, pointer: Term) -> Term:
        """The condition that the object that a pointer was made from has an unknown size."""
        known, slots = self._known_slot(pointer), self._open.get(family, [])
        if known is not None:
            return self._terms.boolean(known in slots)
        here = self._layout.slot(pointer)
        return self._terms.or_([self._compare("==", here, self._number(slot)) for slot in slots])

    def is_writable(self, family: Family, pointer: Term) -> Term:
        """The condition that a pointer leads to no string literal."""
        known, slots = self._known_slot(pointer), self._read_only.get(family, [])
        if known is not None:
            return self._terms.boolean(known not in slots)
        here = self._layout.slot(pointer)
        return self._terms.and_([self._compare("!=", here, self._number(slot)) for slot in slots])

    def stays(self, family: Family, pointer: Term, moved: Term) -> Term:
        """The condition that a pointer computed from another one is in the same object, or just behind it.
        It holds if there is no such object, and if the pointer is not moved."""
        if moved is pointer:
            return self._terms.true
        inside = self.has_room(family, pointer, moved, self._number(0))
        if self.is_known(pointer):
            return inside
        same = self._compare("==", moved, pointer)
        return self._terms.or_((same, self._terms.not_(self.is_live(family, pointer)), inside))

    def is_block(self, pointer: Term) -> Term:
        """The condition that a pointer is the result of an allocation, freed or not."""
        start = self._compare("==", self._layout.offset(pointer), self._number(0))
        return self._terms.and_((self._compare(">=", pointer, self._number(self._layout.first_block)), start))

    @property
    def nothing_allocated(self) -> Term:
        return self._compare("==", self._terms.var(self.blocks), self._number(0))

    # --- statements

    def start(self, span: Span) -> list[Statement]:
        """The assumptions about lengths when a program starts. (Slot 0, with NULL and functions, has no object.)"""
        terms = self._terms
        none = self._number(0)
        facts = [terms.eq(terms.select(terms.var(map_), (none,)), self._gone) for map_ in self._maps.values()]
        for slot, size in self._sizes.items():
            family = self._families[slot]
            if slot not in self._mortal and family in self._maps:
                here = terms.select(terms.var(self._maps[family]), (self._number(slot),))
                facts.append(terms.eq(here, self._number(size)))
        return [Assign((self.blocks,), (none,), span), *(Assume(fact, span) for fact in facts)]

    def begins(self, blocks: Blocks, address: int, span: Span) -> None:
        """Begin the lifetime of the object at a constant address."""
        slot = address >> self._bits
        self._mortal.add(slot)
        self._set(blocks, self._families[slot], self._number(slot), self._number(self._sizes[slot]), span)

    def ends(self, blocks: Blocks, family: Family, address: Term, span: Span) -> None:
        """End the lifetime of the object at an address."""
        self._set(blocks, family, self._layout.slot(address), self._gone, span)

    def _set(self, blocks: Blocks, family: Family, slot: Term, length: Term, span: Span) -> None:
        map_ = self._map(family)
        blocks.assign(map_, self._terms.store(self._terms.var(map_), (slot,), length), span)

    def allocated(self, blocks: Blocks, family: Family, address: Term, size: Term, span: Span) -> None:
        """Begin the lifetime of a new object at an address."""
        self._set(blocks, family, self._layout.slot(address), size, span)

    def count(self, blocks: Blocks, span: Span) -> None:
        """Count one more block in the heap."""
        self._count(blocks, "+", self._number(1), span)

    def free(self, blocks: Blocks, family: Family, pointer: Term, span: Span) -> None:
        """End the lifetime of a block. A null pointer leads to slot 0, which never has an object."""
        self.ends(blocks, family, pointer, span)
        self.uncount(blocks, self._compare("!=", pointer, self._number(0)), span)

    def uncount(self, blocks: Blocks, condition: Term, span: Span) -> None:
        """Count one block less, if a condition holds."""
        self._count(blocks, "-", self._terms.ite(condition, self._number(1), self._number(0)), span)

    def _count(self, blocks: Blocks, op: str, change: Term, span: Span) -> None:
        count = self._arithmetic.binary(op, self._terms.var(self.blocks), change, self._size_type)
        blocks.assign(self.blocks, count, span)


def _constant(term: Term) -> int | None:
    value: int | None = term.payload[0] if term.op == "bv" else term.payload if term.op == "int" else None
    return value
