"""C's integers and addresses as mathematical integers: fast, and not always what a machine computes.

    x + y                x + y, however large
    x / y                C's division, which rounds towards zero
    x & 7                x mod 8
    x & y                $and(x, y), an uninterpreted function

Constants are exact: what is computed from literals is reduced to the range of its type. Operators on bits have a
meaning where arithmetic can express it: for a constant that is one run of ones (or of zeros to the right), and for
shifts by a constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import InternalError, Unsupported
from remuda.frontends.c.arithmetic.floats import Floats, format_of
from remuda.frontends.c.arithmetic.integers import Shape, join_conditions, shape_of
from remuda.frontends.c.syntax.types import FloatingType
from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.types import INT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.syntax.types import CType, Machine
    from remuda.terms.store import Terms
    from remuda.terms.term import Term
    from remuda.terms.types import Type

_ARITHMETIC: Final = {"+": "add", "-": "sub", "*": "mul"}
_NAMES: Final = {"&": "$and", "|": "$or", "^": "$xor", "<<": "$shift_left", ">>": "$shift_right"}


@final
class MathematicalIntegers:
    """`Arithmetic` without wrap-around."""

    gives_up: tuple[str, ...] = (
        "integers and pointers are unbounded: arithmetic on them never overflows and never wraps around",
        "a conversion to a shorter integer type, or between signed and unsigned, keeps the value",
        "operators on bits may have any result where neither a constant nor arithmetic determines it",
    )

    def __init__(self, terms: Terms, machine: Machine) -> None:
        self._terms = terms
        self._machine = machine
        self._floats = Floats(terms)
        self._functions: dict[str, Function] = {}

    @property
    def functions(self) -> tuple[Function, ...]:
        return tuple(self._functions.values())

    def _shape(self, type_: CType) -> Shape:
        return shape_of(type_, self._machine)

    def type_of(self, type_: CType) -> Type:
        if isinstance(type_, FloatingType):
            return format_of(type_)
        self._shape(type_)
        return INT

    # --- values

    def literal(self, value: int, type_: CType) -> Term:
        return self._terms.integer(self._shape(type_).wrap(value))

    def float_literal(self, text: str, type_: FloatingType) -> Term:
        return self._floats.literal(text, type_)

    def from_bool(self, condition: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self._floats.from_bool(condition, type_)
        return self._terms.ite(condition, self._terms.integer(1), self._terms.integer(0))

    def _number(self, value: int) -> Term:
        return self._terms.integer(value)

    def _reduced(self, term: Term, shape: Shape) -> Term:
        """A literal is brought into the range of its type."""
        return self._number(shape.wrap(term.payload)) if term.op == "int" else term

    # --- operators

    def unary(self, op: str, operand: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self._floats.unary(op, operand)
        shape = self._shape(type_)
        match op:
            case "+":
                return operand
            case "-":
                return self._reduced(self._terms.neg(operand), shape)
            case "~":
                return self._complement(operand, shape)
            case _:
                raise InternalError(f"`{op}` is no operator on one number")

    def _complement(self, term: Term, shape: Shape) -> Term:
        return self._terms.arithmetic("sub", self._number(-1 if shape.signed else shape.largest), term)

    def binary(self, op: str, left: Term, right: Term, type_: CType, right_type: CType | None = None) -> Term:
        del right_type  # an amount is a number, whatever its type
        if isinstance(type_, FloatingType):
            return self._floats.binary(op, left, right)
        shape = self._shape(type_)
        match op:
            case "+" | "-" | "*":
                return self._reduced(self._plain(op, left, right), shape)
            case "/" | "%":
                return self._reduced(self._division(op, left, right, shape), shape)
            case "<<" | ">>":
                return self._reduced(self._shift(op, left, right, shape), shape)
            case "&" | "|" | "^":
                return self._bitwise(op, left, right, shape)
            case _:
                raise InternalError(f"`{op}` is no operator on two numbers")

    def _plain(self, op: str, left: Term, right: Term) -> Term:
        zero, one = self._number(0), self._number(1)
        if op == "*":
            if left is one or right is zero:
                return right
            if right is one or left is zero:
                return left
        elif right is zero:
            return left
        elif op == "+" and left is zero:
            return right
        return self._terms.arithmetic(_ARITHMETIC[op], left, right)

    def _division(self, op: str, left: Term, right: Term, shape: Shape) -> Term:
        """The logic's division rounds as C's does if the dividend is not negative."""
        divide = self._terms.div if op == "/" else self._terms.mod
        if not shape.signed:
            return divide(left, right)
        negated = self._terms.neg(divide(self._terms.neg(left), right))
        return self._terms.ite(self._terms.le(self._number(0), left), divide(left, right), negated)

    def _shift(self, op: str, left: Term, amount: Term, shape: Shape) -> Term:
        if amount.op != "int" or not 0 <= amount.payload < shape.width:
            return self._unknown(op, left, amount)
        power = self._number(1 << amount.payload)
        return self._plain("*", left, power) if op == "<<" else self._floor(left, power)

    def _floor(self, term: Term, power: Term) -> Term:
        """Division by a positive constant, rounded down."""
        return term if power is self._number(1) else self._terms.div(term, power)

    def _unknown(self, op: str, left: Term, right: Term) -> Term:
        name = _NAMES[op]
        function = self._functions.get(name)
        if function is None:
            parameters = tuple([Variable(letter, INT, VariableKind.BOUND) for letter in "xy"])
            function = self._functions[name] = Function(name, parameters, INT)
        return self._terms.apply(function, (left, right))

    # --- bits

    def _bitwise(self, op: str, left: Term, right: Term, shape: Shape) -> Term:
        if left.op == "int":
            left, right = right, left
        if left.op == "int":
            return self._number(_compute(op, left.payload, right.payload))
        if right.op == "int":
            found = self._with_constant(op, left, right.payload, shape)
        else:
            found = join_conditions(self._terms, op, left, right, (self._number(1), self._number(0)))
        return self._unknown(op, left, right) if found is None else found

    def _with_constant(self, op: str, term: Term, mask: int, shape: Shape) -> Term | None:
        all_ones = -1 if shape.signed else shape.largest
        if mask == 0:
            return self._number(0) if op == "&" else term
        if mask == all_ones:
            return term if op == "&" else self._number(mask) if op == "|" else self._complement(term, shape)
        if op == "&":
            return self._masked(term, mask, shape)
        if mask & (mask - 1) or mask < 0:
            return None
        # A single bit: `|` and `^` add it where it is missing, and `^` subtracts it where it is set.
        power = self._number(mask)
        missing = self._terms.eq(self._terms.mod(self._floor(term, power), self._number(2)), self._number(0))
        there = term if op == "|" else self._plain("-", term, power)
        return self._terms.ite(missing, self._plain("+", term, power), there)

    def _masked(self, term: Term, mask: int, shape: Shape) -> Term | None:
        """`term & mask` for ones that stand together. The logic's `mod` is right for negative numbers, too."""
        if _is_run(mask):
            start = (mask & -mask).bit_length() - 1
            power = self._number(1 << start)
            field = self._terms.mod(self._floor(term, power), self._number((mask >> start) + 1))
            return self._plain("*", field, power)
        rest = ~mask if shape.signed else shape.largest - mask
        if rest > 0 and rest & (rest + 1) == 0:
            return self._plain("-", term, self._terms.mod(term, self._number(rest + 1)))
        return None

    # --- comparisons and conversions

    def compare(self, op: str, left: Term, right: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self._floats.compare(op, left, right)
        terms = self._terms
        match op:
            case "==":
                return terms.eq(left, right)
            case "!=":
                return terms.not_(terms.eq(left, right))
            case "<":
                return terms.lt(left, right)
            case ">":
                return terms.lt(right, left)
            case "<=":
                return terms.le(left, right)
            case ">=":
                return terms.le(right, left)
            case _:
                raise InternalError(f"`{op}` is no comparison")

    def is_nonzero(self, term: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self._floats.is_nonzero(term)
        return self._terms.not_(self._terms.eq(term, self._number(0)))

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
            return self._floats.to_integer(term)
        return self._reduced(term, shape)

    # --- pointers

    def add_offset(self, pointer: Term, index: Term, index_type: CType, scale: int) -> Term:
        del index_type
        offset = self._plain("*", index, self._number(abs(scale)))
        return self._plain("+" if scale >= 0 else "-", pointer, offset)

    def pointer_difference(self, left: Term, right: Term, scale: int, result: CType) -> Term:
        distance = self._plain("-", left, right)
        return self._reduced(self._floor(distance, self._number(scale)), self._shape(result))

    # --- parts

    def bytes_of(self, term: Term, type_: CType) -> list[Term]:
        if isinstance(type_, FloatingType):
            raise Unsupported(None, f"the bytes of a {type_} among mathematical integers")
        shape = self._shape(type_)
        if shape.is_bool:
            return [term]
        return [self._field(term, start, 8) for start in range(0, shape.width, 8)]

    def _field(self, term: Term, offset: int, bits: int) -> Term:
        """Bits of a number as a number that is not negative."""
        return self._terms.mod(self._floor(term, self._number(1 << offset)), self._number(1 << bits))

    def _as_signed(self, term: Term, bits: int) -> Term:
        """The value of some bits as two's complement."""
        negative = self._terms.le(self._number(1 << (bits - 1)), term)
        return self._terms.ite(negative, self._plain("-", term, self._number(1 << bits)), term)

    def from_bytes(self, cells: Sequence[Term], type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            raise Unsupported(None, f"the bytes of a {type_} among mathematical integers")
        whole = cells[0]
        for index, cell in enumerate(cells[1:], 1):
            whole = self._plain("+", whole, self._plain("*", cell, self._number(1 << (8 * index))))
        return self._as_signed(whole, 8 * len(cells)) if self._shape(type_).signed else whole

    def float_of_bits(self, bits: Term, type_: FloatingType) -> Term:
        if bits.op != "int":
            raise Unsupported(None, f"the bits of a {type_} among mathematical integers")
        return self._floats.of_bits(self._terms.bitvector(bits.payload, type_.width), type_)

    def extract_bits(self, term: Term, type_: CType, offset: int, bits: int, *, signed: bool) -> Term:
        del type_
        field = self._field(term, offset, bits)
        return self._as_signed(field, bits) if signed else field

    def insert_bits(self, unit: Term, type_: CType, offset: int, bits: int, value: Term) -> Term:
        """The difference between the new field and the old one is added; the top bits of a signed unit are its sign."""
        shape = self._shape(type_)
        difference = self._plain("-", self._field(value, 0, bits), self._field(unit, offset, bits))
        scaled = self._plain("*", difference, self._number(1 << offset))
        if not shape.signed or offset + bits < shape.width:
            return self._plain("+", unit, scaled)
        unsigned = self._terms.mod(unit, self._number(1 << shape.width))
        return self._as_signed(self._plain("+", unsigned, scaled), shape.width)

    # --- conditions

    def in_range(self, term: Term, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self._terms.true
        shape = self._shape(type_)
        return self._is_between(term, shape.smallest, shape.largest)

    def _is_between(self, term: Term, low: int, high: int) -> Term:
        terms = self._terms
        return terms.and_((terms.le(self._number(low), term), terms.le(term, self._number(high))))

    def no_overflow(
        self, op: str, left: Term, right: Term | None, type_: CType, right_type: CType | None = None
    ) -> Term:
        del right_type
        if isinstance(type_, FloatingType):
            return self._terms.true
        if right is None:
            return self.in_range(self._terms.neg(left), type_)
        shape = self._shape(type_)
        match op:
            case "+" | "-" | "*":
                return self.in_range(self._plain(op, left, right), type_)
            case "/" | "%":
                if not shape.signed:
                    return self._terms.true
                smallest = self._terms.eq(left, self._number(shape.smallest))
                turned = self._terms.eq(right, self._number(-1))
                return self._terms.not_(self._terms.and_((smallest, turned)))
            case "<<":
                shifted = self._shift(op, left, right, shape)
                return self._terms.and_((self._terms.le(self._number(0), left), self.in_range(shifted, type_)))
            case _:
                return self._terms.true

    def valid_shift(self, amount: Term, amount_type: CType, type_: CType) -> Term:
        del amount_type
        return self._is_between(amount, 0, self._shape(type_).width - 1)

    def fits(self, term: Term, source: CType, target: CType) -> Term:
        if isinstance(target, FloatingType):
            if isinstance(source, FloatingType):
                return self._floats.survives(term, source, target)
            shape = self._shape(source)
            return self._floats.is_exact(term, target, signed=shape.signed, width=shape.width)
        goal = self._shape(target)
        if isinstance(source, FloatingType):
            return self._floats.is_between(term, goal.smallest, goal.largest)
        return self._terms.true if goal.includes(self._shape(source)) else self.in_range(term, target)


def _is_run(mask: int) -> bool:
    """Whether the ones of a positive number stand together."""
    return mask > 0 and ((mask + (mask & -mask)) & mask) == 0


def _compute(op: str, left: int, right: int) -> int:
    return left & right if op == "&" else left | right if op == "|" else left ^ right
