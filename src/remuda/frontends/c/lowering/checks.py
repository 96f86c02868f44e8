"""Generated checks: assertions that nothing undefined happens, for the kinds that `--check` selects.

    a[i]       bounds     array index i within int a[10]
    p->x       pointer    p is not NULL
               pointer    p points to a live object
               bounds     p->x within what p points to
    a + b      overflow   no overflow in a + b

A condition that simplifies to true makes no assertion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.library.models import number_of
from remuda.frontends.c.lowering.beliefs import BROKEN, holds
from remuda.frontends.c.lowering.places import Guard, MemoryPlace, Origin
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import ArrayType, FloatingType, IntegerType, VariableArrayType

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term

STAYS: Final = "within its object, or just behind"  # for a computed pointer, used or not
CALLS: Final = "points to a function"
OVERFLOWING: Final = frozenset({"+", "-", "*", "/", "%", "<<"})
WRAPPING: Final = frozenset({"+", "-", "*", "<<"})  # those that wrap around if they overflow


@final
class Checks:
    """The checks in one function."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context
        self._program = context.program
        self._terms = context.program.terms
        self._arithmetic = context.program.arithmetic
        self._kinds = context.program.options.checks
        self._validity = context.program.storage.validity

    def _demand(self, condition: Term, kind: str, span: Span, description: str) -> None:
        if (kind in self._kinds or kind == "unsupported") and condition is not self._terms.true:
            self._context.demand(condition, kind, span, description)

    # --- arithmetic

    def operation(self, op: str, left: Term, right: Term, left_type: CType, right_type: CType, span: Span) -> None:
        """Check a binary operator on operands that are converted already."""
        if not isinstance(left_type, IntegerType):
            return
        if op in {"/", "%"}:
            nonzero = self._arithmetic.is_nonzero(right, right_type)
            self._demand(nonzero, "div", span, f"no division by zero in {_text(span)}")
            self._suppose(nonzero, "div", span)
            if left_type.signed:
                fits = self._arithmetic.no_overflow(op, left, right, left_type, right_type)
                self._suppose(fits, "overflow", span, belief="div")
        if op in {"<<", ">>"} and not _is_below(right, left_type.width):
            valid = self._arithmetic.valid_shift(right, right_type, left_type)
            self._demand(valid, "shift", span, f"shift amount in range in {_text(span)}")
            self._suppose(valid, "shift", span)
        self.overflow(op, left, right, left_type, span, right_type)

    def counted_bits(self, value: Term, type_: CType, span: Span) -> None:
        """Check that a number is not zero before its leading or trailing zeros are counted."""
        nonzero = self._arithmetic.is_nonzero(value, type_)
        self._demand(nonzero, "shift", span, f"a bit is set in the argument of {_text(span)}")
        self._suppose(nonzero, "shift", span, belief="bits")

    def _suppose(self, condition: Term, kind: str, span: Span, *, belief: str = "") -> None:
        """Assume a condition under which an operation is defined, unless a check of this kind asserts it. The report
        lists the assumption."""
        if kind not in self._kinds and condition is not self._terms.true:
            self._program.trusted.undefined(belief or kind)
            self._context.blocks.assume(condition, span)

    def overflow(
        self, op: str, left: Term, right: Term | None, type_: CType, span: Span, right_type: CType | None = None
    ) -> None:
        if op not in OVERFLOWING or not isinstance(type_, IntegerType) or not type_.signed:
            return
        if "overflow" not in self._kinds:
            if op in WRAPPING and self._program.options.integers == "bits":
                self._program.trusted.undefined("overflow")
        if "overflow" in self._kinds or (op == "<<" and "shift" in self._kinds):
            kind = "overflow" if "overflow" in self._kinds else "shift"
            condition = self._arithmetic.no_overflow(op, left, right, type_, right_type)
            self._demand(condition, kind, span, f"no overflow in {_text(span)}")

    def cast(self, operand: Term, node: ast.Cast) -> None:
        """Check a cast. An explicit cast between integers may change the value; a float must always fit."""
        if node.kind is CastKind.FLOATING_TO_INTEGER or not node.is_explicit:
            self.conversion(operand, node.operand.type, node.type, node.span)

    def conversion(self, value: Term, source: CType, target: CType, span: Span) -> None:
        """Check an implicit conversion, or one of a float, which is undefined if the value does not fit."""
        if not isinstance(target, IntegerType) or target.is_bool:
            return
        is_floating = isinstance(source, FloatingType)
        if is_floating or "conversion" in self._kinds:
            fits = self._arithmetic.fits(value, source, target)
            self._demand(fits, "conversion", span, f"{_text(span)} fits into {target}")
            if is_floating:
                self._suppose(fits, "conversion", span)

    def bit_field(self, value: Term, place_type: CType, bits: int | None, span: Span) -> None:
        """Check that a value fits into a bit-field that it is assigned to."""
        if bits is not None and isinstance(place_type, IntegerType):
            target = IntegerType(bits, place_type.signed, name=f"{bits} bits")
            self.conversion(value, place_type, target, span)

    # --- places

    def origin(self, pointer: Term, node: ast.Expression, span: Span) -> Origin | None:
        """The pointer that a place is reached by, as far as checks need it."""
        for kind in ("bounds", "pointer"):
            if kind not in self._kinds:
                self._program.trusted.undefined(kind)
        if self._validity is None:
            return None
        return Origin(pointer, _text(node.span), span, self._program.memory.family(node))

    @property
    def watch_memory(self) -> bool:
        return self._validity is not None

    def array_index(self, index: Term, node: ast.Index, array: ast.Expression) -> Guard | None:
        """The condition that an index lies within an array; None if the length of the array is not known."""
        if "bounds" not in self._kinds:
            return None
        if isinstance(array.type, VariableArrayType):
            return self._computed_index(index, node, self._context.length(array.type, node.span))
        if not isinstance(array.type, ArrayType) or not array.type.length:
            return None
        description = f"array index {_text(node.index.span)} within {_declaration(node, array.type)}"
        access = self._is_index(index, node.index.type, array.type.length)
        reach = self._is_index(index, node.index.type, array.type.length + 1)
        return Guard(access, reach, "bounds", description, node.span)

    def lengths(self, variable: ast.Variable) -> None:
        """Check that the computed lengths of an array are positive."""
        type_: CType = variable.type
        size_type = self._program.storage.size_type
        signed = IntegerType(size_type.width, signed=True, name="ptrdiff_t")
        while isinstance(type_, VariableArrayType) and "bounds" in self._kinds:
            length = self._context.length(type_, variable.span)
            positive = self._arithmetic.compare("<", self._arithmetic.literal(0, signed), length, signed)
            self._demand(positive, "bounds", variable.span, f"the length of {variable.name} is positive")
            type_ = type_.element

    def in_array(self, index: Term, node: ast.Index, array: ast.Expression) -> Term:
        """Whether an index lies within an array whose length is known."""
        assert isinstance(array.type, ArrayType)
        assert array.type.length
        return self._is_index(index, node.index.type, array.type.length)

    def _computed_index(self, index: Term, node: ast.Index, length: Term) -> Guard:
        """The same for an array whose length is computed at its declaration."""
        arithmetic, size_type = self._arithmetic, self._program.storage.size_type
        positive = self._is_index(index, node.index.type, 1 << size_type.width)
        wide = arithmetic.convert(index, node.index.type, size_type)
        access, reach = [
            self._terms.and_((positive, arithmetic.compare(op, wide, length, size_type))) for op in ("<", "<=")
        ]
        description = f"array index {_text(node.index.span)} within {_text(node.base.span)}"
        return Guard(access, reach, "bounds", description, node.span)

    def _is_index(self, index: Term, type_: CType, length: int) -> Term:
        """0 <= index < length. (The type of the index may be too short for the length.)"""
        assert isinstance(type_, IntegerType)
        arithmetic = self._arithmetic
        parts = [arithmetic.compare(">=", index, arithmetic.literal(0, type_), type_)]
        if length < 1 << (type_.width - type_.signed):
            parts.append(arithmetic.compare("<", index, arithmetic.literal(length, type_), type_))
        return self._terms.and_(parts)

    def is_near(self, index: Term, type_: CType, scale: int) -> Term:
        """The condition that an index times the size of an element is less than the length of a slot. Then neither
        the product nor its sum with an address wraps around."""
        if self._validity is None or not isinstance(type_, IntegerType) or self._program.options.integers == "math":
            return self._terms.true
        most, arithmetic = (1 << self._program.storage.layout.bits) // max(scale, 1), self._arithmetic
        largest = (1 << (type_.width - type_.signed)) - 1
        parts = []
        if most < largest:
            parts.append(arithmetic.compare("<=", index, arithmetic.literal(most, type_), type_))
            if type_.signed:
                parts.append(arithmetic.compare(">=", index, arithmetic.literal(-most, type_), type_))
        return self._terms.and_(parts)

    def are_near(self, index: Term, type_: CType, size: Term) -> Term:
        """The same for elements whose size is computed."""
        arithmetic, size_type = self._arithmetic, self._program.storage.size_type
        if self._validity is None or not isinstance(type_, IntegerType) or self._program.options.integers == "math":
            return self._terms.true
        wide = arithmetic.convert(index, type_, size_type)
        distance = wide
        if type_.signed:
            is_negative = arithmetic.compare("<", index, arithmetic.literal(0, type_), type_)
            distance = self._terms.ite(is_negative, arithmetic.unary("-", wide, size_type), wide)
        fits = arithmetic.no_overflow("*", distance, size, size_type)
        product = arithmetic.binary("*", distance, size, size_type)
        return self._terms.and_((fits, self._program.storage.layout.fits(product)))

    def pointer_index(self, pointer: Term, address: Term, is_near: Term, node: ast.Index) -> tuple[Guard, ...]:
        """The condition that `&p[i]` stays in the object. (Accesses of `p[i]` are checked with `p`.)"""
        if self._validity is None or "bounds" not in self._kinds:
            return ()
        stays = self._validity.stays(self._program.memory.family(node.base), pointer, address)
        reach = self._terms.and_((is_near, stays))
        access = None if is_near is self._terms.true else is_near
        return (Guard(access, reach, "bounds", f"{_text(node.span)} {STAYS}", node.span),)

    def access(self, place: MemoryPlace) -> None:
        """Check a read or a write of a place."""
        if place.origin is not None:
            self._follow(place.origin)
        for guard in place.guards:
            self.guard(guard)
        if place.origin is not None and self._validity is not None:
            origin, storage = place.origin, self._program.storage
            size = self._program.layouts.size(place.type, origin.span)
            literal = self._arithmetic.literal(size, storage.size_type)
            room = self._validity.has_room(origin.family, origin.pointer, place.address, literal)
            self._demand(room, "bounds", origin.span, f"{_text(origin.span)} within what {origin.text} points to")
            self._doubt(origin.family, origin.pointer, origin.span)

    def write(self, place: MemoryPlace) -> None:
        """Check that a place may be written, besides the checks of every access."""
        if place.origin is not None:
            self._changes(place.origin.family, place.origin.pointer, place.origin.span, place.origin.text)

    def _changes(self, family: int | None, pointer: Term, span: Span, text: str, unless: Term | None = None) -> None:
        if self._validity is not None and "pointer" in self._kinds:
            may = self._validity.is_writable(family, pointer)
            may = may if unless is None else self._terms.or_((unless, may))
            self._demand(may, "pointer", span, f"{text} points to no string literal")

    def _doubt(self, family: int | None, pointer: Term, span: Span) -> None:
        """Claim nothing about accesses of an object of unknown size: they may be within its bounds or not."""
        if self._validity is not None and "bounds" in self._kinds:
            is_known = self._terms.not_(self._validity.is_open(family, pointer))
            self._demand(is_known, "unsupported", span, f"{_text(span)}, in an object whose size is not known,")

    def guard(self, guard: Guard) -> None:
        """Check a guard of a place that is read or written."""
        if guard.access is not None:
            self._demand(guard.access, guard.kind, guard.span, guard.description)

    def _follow(self, origin: Origin) -> None:
        """Check that a pointer that is dereferenced points to a live object."""
        if self._validity is None or "pointer" not in self._kinds or self._validity.is_known(origin.pointer):
            return
        self._demand(self._nonzero(origin.pointer), "pointer", origin.span, f"{origin.text} is not NULL")
        live = self._validity.is_live(origin.family, origin.pointer)
        self._demand(live, "pointer", origin.span, f"{origin.text} points to a live object")

    def _nonzero(self, pointer: Term) -> Term:
        return self._arithmetic.is_nonzero(pointer, self._program.storage.pointer)

    def address(self, place: MemoryPlace) -> None:
        """Check a place whose address is computed without an access."""
        for guard in place.guards:
            if guard.reach is not None:
                self._demand(guard.reach, guard.kind, guard.span, guard.description)

    def moved(self, pointer: Term, result: Term, is_near: Term, node: ast.Expression) -> None:
        """Check that pointer arithmetic stays in the object. `is_near` is the condition that nothing wraps around."""
        if self._validity is not None and "bounds" in self._kinds:
            stays = self._validity.stays(self._program.memory.family(node), pointer, result)
            self._demand(
                self._terms.and_((is_near, stays)),
                "bounds",
                node.span,
                f"{_text(node.span)} {STAYS}",
            )

    def range(self, pointer: ast.Expression, address: Term, size: Term, span: Span, *, writes: bool = False) -> None:
        """Check that a library function may access `size` bytes (a term of `Storage.size_type`) at an address."""
        self.believe_range(pointer, address, size, span)
        if self._validity is None:
            return
        none = self._arithmetic.compare("==", size, self._size(0), self._program.storage.size_type)
        text, family = _text(pointer.span), self._program.memory.family(pointer)
        if not self._validity.is_known(address):
            or_ = self._terms.or_
            self._demand(or_((none, self._nonzero(address))), "pointer", span, f"{text} is not NULL")
            live = or_((none, self._validity.is_live(family, address)))
            self._demand(live, "pointer", span, f"{text} points to a live object")
        if writes:
            self._changes(family, address, span, text, none)
        room = self._terms.or_((none, self._validity.has_room(family, address, address, size)))
        self._demand(room, "bounds", span, f"room for what {_called(span)} does at {text}")
        self._doubt(family, address, span)

    def believe_range(self, pointer: ast.Expression, address: Term, size: Term, span: Span) -> None:
        """Assert that a range is where the points-to analysis believes it to be."""
        program = self._program
        beliefs = program.memory.beliefs(pointer, 0, 1)
        none = self._arithmetic.compare("==", size, self._size(0), program.storage.size_type)
        if program.memory.is_wild(pointer):
            construct = f"a pointer made of an unknown integer, in {_text(span)},"
            self._context.demand(none, "unsupported", span, construct)
            self._context.blocks.assume(none, span)
        elif beliefs:
            wild = program.memory.may_be_wild(pointer)
            condition = self._terms.or_((none, holds(program, address, beliefs, size, wild=wild)))
            self._context.believe(condition, span, f"{BROKEN}, in {_text(span)},")

    def text_end(self, pointer: ast.Expression, condition: Term, span: Span) -> None:
        """Check that a text that a library function reads ends with a zero within its array."""
        self._demand(condition, "bounds", span, f"the text {_text(pointer.span)} ends within its array")

    def _size(self, size: int) -> Term:
        return self._arithmetic.literal(size, self._program.storage.size_type)

    def target(self, pointer: ast.Expression, span: Span) -> None:
        """Fail if a call comes here: its pointer points to no function that it may reach."""
        self._demand(self._terms.false, "pointer", span, f"{_text(pointer.span)} {CALLS}")

    # --- allocation

    def release(self, pointer: ast.Expression, address: Term, span: Span) -> None:
        """Check that `free` and its like get a null pointer or an allocated block that is not freed yet."""
        validity = self._validity
        if validity is None:
            return
        text, family = _text(pointer.span), self._program.memory.family(pointer)
        is_null = self._terms.not_(self._nonzero(address))
        may = self._terms.or_((is_null, validity.is_block(address)))
        self._demand(may, "pointer", span, f"{text} is NULL or the start of an allocated block")
        once = self._terms.or_((is_null, validity.is_live(family, address)))
        self._demand(once, "pointer", span, f"{text} is not freed twice")
        validity.free(self._context.blocks, family, address, span)

    def refused(self, condition: Term, span: Span) -> None:
        """Count one block less, under the condition that the last allocation has failed."""
        if self._validity is not None:
            self._validity.uncount(self._context.blocks, condition, span)

    def leak(self, span: Span) -> None:
        """Check at the end of an execution that all blocks are freed."""
        if self._validity is not None:
            self._demand(self._validity.nothing_allocated, "leak", span, "all allocated memory is freed")


def _is_below(term: Term, limit: int) -> bool:
    """Whether a term is less than a limit by its form, as `i & 31` and `i % 32u` are."""
    while term.op == "zero_extend":
        term = term.args[0]
    constants = [number_of(each) for each in term.args] if term.op in {"bvand", "bvurem"} else []
    if term.op == "bvurem":
        return constants[1] is not None and 0 < constants[1] <= limit
    return any(each is not None and each < limit for each in constants)


def _text(span: Span) -> str:
    return " ".join(span.text.split())


def _called(span: Span) -> str:
    return _text(span).partition("(")[0].strip()


def _declaration(node: ast.Index, array: ArrayType) -> str:
    """The declaration of an array that is indexed: `int a[10]`."""
    lengths, element = f"[{array.length}]", array.element
    while isinstance(element, ArrayType):
        lengths += f"[{element.length}]"
        element = element.element
    return f"{element} {_text(node.base.span)}{lengths}"
