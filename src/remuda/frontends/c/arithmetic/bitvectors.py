"""C's integers and addresses as bit-vectors of their own width: exact, overflow and all.

    (char)300            extract(300bv32, 8, 0), which is 44bv8
    x < y, unsigned      bvult(x, y)

Where C leaves a result open it is SMT-LIB's: `x / 0` is 1 or -1 (all ones if unsigned), `x % 0` is x, a shift by the
width or more (the amount read as unsigned, without what it has above the width of x) moves all bits out. `_Bool` is
bv8, as it is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import InternalError
from remuda.frontends.c.arithmetic.floats import Floats, format_of
from remuda.frontends.c.arithmetic.integers import Shape, join_conditions, shape_of
from remuda.frontends.c.syntax.types import FloatingType
from remuda.terms.types import BvType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.syntax.types import CType, Machine
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Function
    from remuda.terms.term import Term
    from remuda.terms.types import Type

_OPERATORS: Final = {  # for signed and for unsigned operands
    "+": ("bvadd", "bvadd"),
    "-": ("bvsub", "bvsub"),
    "*": ("bvmul", "bvmul"),
    "/": ("bvsdiv", "bvudiv"),
    "%": ("bvsrem", "bvurem"),
    "&": ("bvand", "bvand"),
    "|": ("bvor", "bvor"),
    "^": ("bvxor", "bvxor"),
    "<<": ("bvshl", "bvshl"),
    ">>": ("bvashr", "bvlshr"),
}


@final
class BitVectors:
    """`Arithmetic` without any loss."""

    gives_up: tuple[str, ...] = ()
    functions: tuple[Function, ...] = ()

    def __init__(self, terms: Terms, machine: Machine) -> None:
        self._terms = terms
        self._machine = machine
        self._floats = Floats(terms)

    def _shape(self, type_: CType) -> Shape:
        return shape_of(type_, self._machine)

    def type_of(self, type_: CType) -> Type:
        return format_of(type_) if isinstance(type_, FloatingType) else BvType(self._shape(type_).width)

    # --- values

    def literal(self, value: int, type_: CType) -> Term:
        return self._terms.bitvector(value, self._shape(type_).width)

    def float_literal(self, text: str, type_: FloatingType) -> Term:
        return self._floats.literal(text, type_)

    def from_bool(self, condition: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self._floats.from_bool(condition, type_)
        return self._terms.ite(condition, self.literal(1, type_), self.literal(0, type_))

    # --- operators

    def unary(self, op: str, operand: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self._floats.unary(op, operand)
        match op:
            case "+":
                return operand
            case "-":
                return self._terms.bv("bvneg", (operand,))
            case "~":
                return self._terms.bv("bvnot", (operand,))
            case _:
                raise InternalError(f"`{op}` is no operator on one number")

    def binary(self, op: str, left: Term, right: Term, type_: CType, right_type: CType | None = None) -> Term:
        if isinstance(type_, FloatingType):
            return self._floats.binary(op, left, right)
        shape = self._shape(type_)
        if right_type is not None:
            right = self._resize(right, self._shape(right_type), shape.width)
        if left.op == "ite" and right.op == "ite":
            joined = join_conditions(self._terms, op, left, right, (self.literal(1, type_), self.literal(0, type_)))
            if joined is not None:
                return joined
        return self._terms.bv(_OPERATORS[op][0 if shape.signed else 1], (left, right))

    def _resize(self, term: Term, shape: Shape, width: int) -> Term:
        """The value of an integer of this shape modulo 2^width."""
        if width < shape.width:
            return self._terms.extract(term, width, 0)
        return self._terms.extend("sign_extend" if shape.signed else "zero_extend", term, width - shape.width)

    def compare(self, op: str, left: Term, right: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self._floats.compare(op, left, right)
        less, at_most = ("bvslt", "bvsle") if self._shape(type_).signed else ("bvult", "bvule")
        match op:
            case "==":
                return self._terms.eq(left, right)
            case "!=":
                return self._terms.not_(self._terms.eq(left, right))
            case "<":
                return self._terms.bv(less, (left, right))
            case ">":
                return self._terms.bv(less, (right, left))
            case "<=":
                return self._terms.bv(at_most, (left, right))
            case ">=":
                return self._terms.bv(at_most, (right, left))
            case _:
                raise InternalError(f"`{op}` is no comparison")

    def is_nonzero(self, term: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self._floats.is_nonzero(term)
        return self._terms.not_(self._terms.eq(term, self.literal(0, type_)))

    def float_function(self, name: str, arguments: Sequence[Term]) -> Term | None:
        return self._floats.function(name, arguments)

    def convert(self, term: Term, source: CType, target: CType) -> Term:
        if isinstance(target, FloatingType):
            if isinstance(source, FloatingType):
                return self._floats.convert(term, target)
            return self._floats.from_integer(term, target, signed=self._shape(source).signed)
        shape = self._shape(target)
        if shape.is_bool:
            same = not isinstance(source, FloatingType) and self._shape(source).is_bool
            return term if same else self.from_bool(self.is_nonzero(term, source), target)
        if isinstance(source, FloatingType):
            return self._floats.to_bits(term, shape.width, signed=shape.signed)
        return self._resize(term, self._shape(source), shape.width)

    # --- pointers

    def add_offset(self, pointer: Term, index: Term, index_type: CType, scale: int) -> Term:
        width = self._machine.pointer_width
        wide = self._resize(index, self._shape(index_type), width)
        offset = self._terms.bv("bvmul", (wide, self._terms.bitvector(abs(scale), width)))
        return self._terms.bv("bvadd" if scale >= 0 else "bvsub", (pointer, offset))

    def pointer_difference(self, left: Term, right: Term, scale: int, result: CType) -> Term:
        width = self._machine.pointer_width
        distance = self._terms.bv("bvsub", (left, right))
        if scale & (scale - 1) == 0:
            shift = self._terms.bitvector(scale.bit_length() - 1, width)
            elements = self._terms.bv("bvashr", (distance, shift))
        else:
            elements = self._terms.bv("bvsdiv", (distance, self._terms.bitvector(scale, width)))
        return self._resize(elements, Shape(width, signed=True), self._shape(result).width)

    # --- parts

    def bytes_of(self, term: Term, type_: CType) -> list[Term]:
        bits = self._floats.bits_of(term, type_) if isinstance(type_, FloatingType) else term
        assert isinstance(bits.type, BvType)
        return [self._terms.extract(bits, start + 8, start) for start in range(0, bits.type.width, 8)]

    def from_bytes(self, cells: Sequence[Term], type_: CType) -> Term:
        whole = cells[0]
        for cell in cells[1:]:
            whole = self._terms.concat(cell, whole)
        return self.float_of_bits(whole, type_) if isinstance(type_, FloatingType) else whole

    def float_of_bits(self, bits: Term, type_: FloatingType) -> Term:
        return self._floats.of_bits(bits, type_)

    def extract_bits(self, term: Term, type_: CType, offset: int, bits: int, *, signed: bool) -> Term:
        field = self._terms.extract(term, offset + bits, offset)
        return self._resize(field, Shape(bits, signed), self._shape(type_).width)

    def insert_bits(self, unit: Term, type_: CType, offset: int, bits: int, value: Term) -> Term:
        width = self._shape(type_).width
        result = self._terms.extract(value, bits, 0)
        if offset > 0:
            result = self._terms.concat(result, self._terms.extract(unit, offset, 0))
        if offset + bits < width:
            result = self._terms.concat(self._terms.extract(unit, width, offset + bits), result)
        return result

    # --- conditions

    def in_range(self, term: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType) or not self._shape(type_).is_bool:
            return self._terms.true
        return self._terms.bv("bvule", (term, self.literal(1, type_)))

    def no_overflow(
        self, op: str, left: Term, right: Term | None, type_: CType, right_type: CType | None = None
    ) -> Term:
        if isinstance(type_, FloatingType):
            return self._terms.true
        shape = self._shape(type_)
        if right is None:
            return self._negation_fits(left, shape)
        match op:
            case "+" | "-" | "*":
                return self._result_fits(op, left, right, shape)
            case "/" | "%":
                return self._quotient_fits(left, right, shape)
            case "<<":
                amount = right if right_type is None else self._resize(right, self._shape(right_type), shape.width)
                return self._shift_fits(left, amount, shape)
            case _:
                return self._terms.true

    def _negation_fits(self, term: Term, shape: Shape) -> Term:
        """Whether a value can be negated: the smallest signed value and positive unsigned values cannot."""
        bound = self._terms.bitvector(shape.smallest, shape.width)
        same = self._terms.eq(term, bound)
        return self._terms.not_(same) if shape.signed else same

    def _quotient_fits(self, left: Term, right: Term, shape: Shape) -> Term:
        if not shape.signed:
            return self._terms.true
        smallest = self._terms.eq(left, self._terms.bitvector(shape.smallest, shape.width))
        turned = self._terms.eq(right, self._terms.bitvector(-1, shape.width))
        return self._terms.not_(self._terms.and_((smallest, turned)))

    def _shift_fits(self, left: Term, amount: Term, shape: Shape) -> Term:
        """Whether a left shift loses no bit, and a signed value is not negative before or after it."""
        shifted = self._terms.bv("bvshl", (left, amount))
        back = self._terms.bv("bvashr" if shape.signed else "bvlshr", (shifted, amount))
        kept = self._terms.eq(back, left)
        if not shape.signed:
            return kept
        return self._terms.and_((self._at_least(left, 0, shape), kept))

    def _result_fits(self, op: str, left: Term, right: Term, shape: Shape) -> Term:
        if left.op == "bv" and op != "-":
            left, right = right, left
        if right.op == "bv":
            value = shape.wrap(right.payload[0])
            low, high = _operand_range(op, value, shape)
            return self._is_between(left, low, high, shape)
        extra = shape.width if op == "*" else 1
        wide = Shape(shape.width + extra, shape.signed)
        operands = [self._resize(term, shape, wide.width) for term in (left, right)]
        exact = self._terms.bv(_OPERATORS[op][0], operands)
        wrapped = self._terms.bv(_OPERATORS[op][0], (left, right))
        fits = self._terms.eq(self._resize(wrapped, shape, wide.width), exact)
        return self._terms.or_((self._are_halves(left, right, shape), fits)) if op == "*" else fits

    def _are_halves(self, left: Term, right: Term, shape: Shape) -> Term:
        """Whether two operands are so small that their product always fits. The exact product shows the same, but
        solvers time out on it, for example for `(long)a * b` of ints."""
        half = Shape(shape.width // 2, shape.signed)
        return self._terms.and_(
            [self._is_between(term, half.smallest, half.largest, shape) for term in (left, right)]
        )

    def _is_between(self, term: Term, low: int, high: int, shape: Shape) -> Term:
        return self._terms.and_((self._at_least(term, low, shape), self._at_most(term, high, shape)))

    def _at_least(self, term: Term, bound: int, shape: Shape) -> Term:
        if bound <= shape.smallest:
            return self._terms.true
        op = "bvsle" if shape.signed else "bvule"
        return self._terms.bv(op, (self._terms.bitvector(bound, shape.width), term))

    def _at_most(self, term: Term, bound: int, shape: Shape) -> Term:
        if bound >= shape.largest:
            return self._terms.true
        op = "bvsle" if shape.signed else "bvule"
        return self._terms.bv(op, (term, self._terms.bitvector(bound, shape.width)))

    def valid_shift(self, amount: Term, amount_type: CType, type_: CType) -> Term:
        limit = self.literal(self._shape(type_).width, amount_type)  # a negative amount is a huge unsigned one
        return self._terms.bv("bvult", (amount, limit))

    def fits(self, term: Term, source: CType, target: CType) -> Term:
        if isinstance(target, FloatingType):
            if isinstance(source, FloatingType):
                return self._floats.survives(term, source, target)
            shape = self._shape(source)
            return self._floats.is_exact(term, target, signed=shape.signed, width=shape.width)
        goal = self._shape(target)
        if isinstance(source, FloatingType):
            return self._floats.is_between(term, goal.smallest, goal.largest)
        shape = self._shape(source)
        return self._is_between(term, max(shape.smallest, goal.smallest), min(shape.largest, goal.largest), shape)


def _operand_range(op: str, value: int, shape: Shape) -> tuple[int, int]:
    """The operands `x` for which `x op value` is in range, as bounds within the range."""
    low, high = shape.smallest, shape.largest
    match op:
        case "+":
            bounds = low - value, high - value
        case "-":
            bounds = low + value, high + value
        case _ if value == 0:
            bounds = low, high
        case _:
            ends = (low, high) if value > 0 else (high, low)
            bounds = -(-ends[0] // value), ends[1] // value
    return max(low, bounds[0]), min(high, bounds[1])
