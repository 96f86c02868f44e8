"""The layout of memory.

Every object lies at the start of a slot of its own, of 2^bits bytes, and slots are never reused. So the upper bits of
an address say which object a pointer was made from, even if it has left that object, and the lower bits are its
distance from the start of the object:

    slot 0                 null, and the addresses of functions
    slots 1, 2, ...        objects with constant addresses; behind them, with a stack, automatic objects
    slots from 2^top on    blocks of the heap; without a stack, automatic objects too
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import Unsupported
from remuda.ir.program import Assign
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.arithmetic.protocol import Arithmetic
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.syntax.types import IntegerType, PointerType
    from remuda.ir.program import Statement
    from remuda.terms.store import Terms
    from remuda.terms.term import Term

MARGIN: Final = 16  # bytes behind an object that are still in its slot
SPARE_SLOTS: Final = 16  # the least number of slots for objects that are allocated at run time
WIDE: Final = 64
WIDE_SLOT: Final = 40
NARROW_SLOT: Final = 20
STACK: Final = 1 << 23  # bytes: the usual limit of systems; no array of computed length is larger


def slot_bits(pointer_width: int, objects: int, largest: int, *, has_computed_lengths: bool) -> int:
    """The bits of an offset in a slot, for a program with this number of objects at constant addresses, the largest
    of this size. Half of all slots are for the heap."""
    if pointer_width >= WIDE:
        return WIDE_SLOT
    wanted = max(NARROW_SLOT, (max(largest, STACK if has_computed_lengths else 0) + MARGIN).bit_length())
    return min(wanted, pointer_width - 1 - (objects + SPARE_SLOTS).bit_length())


@final
class AddressLayout:
    """The slots of a program, and terms about addresses."""

    def __init__(
        self,
        terms: Terms,
        arithmetic: Arithmetic,
        pointer: PointerType,
        size_type: IntegerType,
        bits: int,
        *,
        has_stack: bool,  # addresses distinguish automatic objects from blocks of the heap
        is_anywhere: bool = False,  # new objects may have any address, and memory never runs out
    ) -> None:
        self._terms = terms
        self._arithmetic = arithmetic
        self._size_type = size_type
        self.bits: Final = bits
        width = size_type.width
        self._top = width - 2 if width >= WIDE else width - 1
        self._is_anywhere = is_anywhere
        self._used = 0  # slots of objects with constant addresses
        self._is_bounded = arithmetic.literal(0, size_type).op == "bv"  # mathematical addresses have no end
        address = arithmetic.type_of(pointer)
        self.heap = Variable("heap$", address, VariableKind.GLOBAL)
        self.stack = Variable("stack$", address, VariableKind.GLOBAL) if has_stack else self.heap
        self._bottom: Variable | None = None  # where automatic objects begin; None until it is needed

    @property
    def globals(self) -> tuple[Variable, ...]:
        bottom = () if self._bottom is None else (self._bottom,)
        return (*dict.fromkeys((self.heap, self.stack)), *bottom)

    @property
    def largest(self) -> int:
        """The largest size of an object."""
        return (1 << self.bits) - MARGIN

    @property
    def first_block(self) -> int:
        """The first slot of the heap."""
        return 1 << self._top

    # --- addresses

    def place(self, size: int | None, span: Span | None) -> int:
        """The constant address of a new object."""
        if (size or 0) > self.largest:
            raise Unsupported(span, f"an object of {size} bytes")
        if self._used + 1 >= 1 << (self._top - self.bits):
            raise Unsupported(span, f"a program with more than {self._used} objects in memory")
        self._used += 1
        return self._used << self.bits

    def number(self, value: int) -> Term:
        """An address or a size."""
        return self._arithmetic.literal(value, self._size_type)

    def slot(self, address: Term) -> Term:
        """The number of the slot that an address is in."""
        return self._arithmetic.binary(">>", address, self.number(self.bits), self._size_type)

    def offset(self, address: Term) -> Term:
        """The distance of an address from the start of its object."""
        return self._arithmetic.binary("&", address, self.number((1 << self.bits) - 1), self._size_type)

    def fits(self, size: Term) -> Term:
        """The condition that an object of this size fits into a slot."""
        if self._is_anywhere:
            return self._terms.true
        return self._at_most(size, self.largest)

    @property
    def largest_computed(self) -> int:
        """The largest size of an array of computed length. No stack of a 32-bit system is larger."""
        return self.largest if self._size_type.width >= WIDE else min(self.largest, STACK)

    def fits_on_stack(self, size: Term) -> Term:
        """The condition that an array of computed length may have this size."""
        if self._is_anywhere:
            return self._terms.true
        return self._at_most(size, self.largest_computed)

    @property
    def largest_granted(self) -> int:
        """The largest size of an allocation that succeeds, if the size is computed at run time. No block is larger
        than PTRDIFF_MAX; wide slots are larger than the memory of machines."""
        return self.largest if self._size_type.width >= WIDE else self._largest_possible

    @property
    def _largest_possible(self) -> int:
        """PTRDIFF_MAX, so that the difference of two addresses in an object is defined."""
        return (1 << (self._size_type.width - 1)) - 1

    def succeeds(self, size: Term) -> Term:
        """The condition that the allocation of a block of this size succeeds."""
        is_known = not size.args and size.op in {"bv", "int"}
        return self._at_most(size, self._largest_possible if is_known else self.largest_granted)

    def _at_most(self, size: Term, limit: int) -> Term:
        compare, size_type = self._arithmetic.compare, self._size_type
        at_most = compare("<=", size, self.number(limit), size_type)
        if self._is_bounded:
            return at_most
        return self._terms.and_((compare("<=", self.number(0), size, size_type), at_most))

    def is_dynamic(self, address: Term) -> Term:
        """The condition that an address is in a slot for objects that are allocated at run time."""
        at_least, number = self._at_least, self.number(self.first_block)
        if self.stack is self.heap:
            return at_least(address, number)
        if self._bottom is None:  # the number of objects with constant addresses is known at the end of the lowering
            self._bottom = Variable("stack$bottom", self.stack.type, VariableKind.GLOBAL)
        return at_least(address, self._terms.var(self._bottom))

    def is_allocated(self, address: Term) -> Term:
        """The condition that an address is in a slot that has been allocated at run time."""
        is_block = self._terms.and_(
            (
                self._at_least(address, self.number(self.first_block)),
                self._terms.not_(self._at_least(address, self._terms.var(self.heap))),
            )
        )
        if self.stack is self.heap:
            return is_block
        above = self._terms.not_(self._at_least(address, self._terms.var(self.stack)))
        return self._terms.or_((is_block, self._terms.and_((self.is_dynamic(address), above))))

    def _at_least(self, address: Term, least: Term) -> Term:
        return self._arithmetic.compare("<=", least, address, self._size_type)

    # --- allocation

    def start(self, span: Span) -> list[Statement]:
        """The assumptions about free slots when a program starts."""
        first = (self._used + 1) << self.bits
        firsts = {self.stack: first, self.heap: self.first_block}
        if self._bottom is not None:
            firsts[self._bottom] = first
        return [Assign(tuple(firsts), tuple([self.number(each) for each in firsts.values()]), span)]

    def allocate(self, context: FunctionContext, span: Span, *, is_automatic: bool) -> Term:
        """The address of a new slot. Nothing is claimed about executions that need more slots than there are."""
        terms, blocks = self._terms, context.blocks
        if self._is_anywhere:
            anywhere = blocks.havoc(blocks.temporary(self.heap.type, "block"), span)
            blocks.assume(terms.not_(terms.eq(anywhere, self.number(0))), span)
            return anywhere
        bump = self.stack if is_automatic else self.heap
        address = blocks.temporary(bump.type, "block")
        following = self._arithmetic.binary("+", terms.var(bump), self.number(1 << self.bits), self._size_type)
        blocks.add(Assign((address, bump), (terms.var(bump), following), span))  # one step, even with threads
        if self._is_bounded or bump is not self.heap:
            end = self.first_block if bump is not self.heap else (1 << (self._top + 1)) - (1 << self.bits)
            is_free = self._arithmetic.compare("<", terms.var(address), self.number(end), self._size_type)
            context.demand(is_free, "unsupported", span, f"more than {self._count(bump)} objects in memory")
            blocks.assume(is_free, span)
        return terms.var(address)

    def _count(self, bump: Variable) -> int:
        slots = 1 << (self._top - self.bits)
        return slots - 1 if bump is self.heap else slots - self._used - 1
