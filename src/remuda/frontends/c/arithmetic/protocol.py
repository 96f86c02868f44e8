"""The arithmetic of C as terms: the protocol that the lowering uses, and the choice between its two forms.

    int x, y;   x + y       bits:  bvadd(x, y) on bv32, exactly as the machine does
                            math:  x + y on mathematical integers, which never wrap

Where C leaves the result of an operation open (shifts by too much, division by zero, conversions out of range), the
result is some value; the conditions at the end of the protocol say when that happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from remuda.base.errors import UsageError
from remuda.frontends.c.arithmetic.bitvectors import BitVectors
from remuda.frontends.c.arithmetic.mathematical import MathematicalIntegers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.syntax.types import CType, FloatingType, Machine
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Function
    from remuda.terms.term import Term
    from remuda.terms.types import Type


class Arithmetic(Protocol):
    """Values of scalar types (integers, floats, pointers) and the operators on them.

    A `type_` is the type of the operands, converted as C demands already. Comparisons and conditions are Booleans of
    the logic. What has no meaning here raises `Unsupported`.
    """

    @property
    def gives_up(self) -> tuple[str, ...]:
        """What differs from C, in sentences for the report."""
        ...

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions that the terms made so far apply; the program must declare them."""
        ...

    def type_of(self, type_: CType) -> Type:
        """The type of the terms that stand for values of a scalar type."""
        ...

    # --- values

    def literal(self, value: int, type_: CType) -> Term:
        """An integer or an address, modulo the type's size."""
        ...

    def float_literal(self, text: str, type_: FloatingType) -> Term:
        """A number as C writes it (no suffix), or `inf` or `nan`; rounded to the nearest float."""
        ...

    def from_bool(self, condition: Term, type_: CType) -> Term:
        """1 or 0."""
        ...

    # --- operators

    def unary(self, op: str, operand: Term, type_: CType) -> Term:
        """`-`, `~`, `+`."""
        ...

    def binary(self, op: str, left: Term, right: Term, type_: CType, right_type: CType | None = None) -> Term:
        """`* / % + - & | ^ << >>`. The amount of a shift may have a type of its own, `right_type`."""
        ...

    def compare(self, op: str, left: Term, right: Term, type_: CType) -> Term:
        """`< > <= >= == !=`; addresses as unsigned numbers, floats as IEEE compares them."""
        ...

    def convert(self, term: Term, source: CType, target: CType) -> Term:
        """A value of one scalar type as one of another. Addresses are converted as unsigned integers."""
        ...

    def is_nonzero(self, term: Term, type_: CType) -> Term: ...

    def float_function(self, name: str, arguments: Sequence[Term]) -> Term | None:
        """A function of `math.h` on floats of one type, by its name for `double`; None if it is not known here.

        `isnan`, `isinf`, `isfinite` and `isnormal` are Booleans of the logic.
        """
        ...

    def add_offset(self, pointer: Term, index: Term, index_type: CType, scale: int) -> Term:
        """`pointer + index * scale` in bytes; a negative `scale` counts backwards."""
        ...

    def pointer_difference(self, left: Term, right: Term, scale: int, result: CType) -> Term:
        """`(left - right) / scale`; some value if the distance is no multiple of the scale."""
        ...

    # --- parts of values

    def bytes_of(self, term: Term, type_: CType) -> list[Term]:
        """The bytes in memory, least significant first, as values of `unsigned char`.

        The bits of a float are known only if it was made of bits; otherwise they are those of an integer `bits` for
        which `float_of_bits(bits)` equals the float.
        """
        ...

    def from_bytes(self, cells: Sequence[Term], type_: CType) -> Term: ...

    def float_of_bits(self, bits: Term, type_: FloatingType) -> Term:
        """The float whose representation is an unsigned integer of the same size."""
        ...

    def extract_bits(self, term: Term, type_: CType, offset: int, bits: int, *, signed: bool) -> Term:
        """The value of a bit-field in a unit of the type, as a value of the type."""
        ...

    def insert_bits(self, unit: Term, type_: CType, offset: int, bits: int, value: Term) -> Term:
        """The unit with another bit-field; `value` is of the unit's type, and its high bits are lost."""
        ...

    # --- conditions: true if an operation is defined

    def in_range(self, term: Term, type_: CType) -> Term:
        """Whether the term is a value of the type; to be assumed of values that may be anything."""
        ...

    def no_overflow(
        self, op: str, left: Term, right: Term | None, type_: CType, right_type: CType | None = None
    ) -> Term:
        """Whether the result of `+ - * / % <<` or, without `right`, unary `-` is in the type's range.

        Division by zero and amounts of shifts have conditions of their own. Floats have infinities, so they never
        overflow.
        """
        ...

    def valid_shift(self, amount: Term, amount_type: CType, type_: CType) -> Term:
        """Whether the amount is at least zero and less than the width of the type."""
        ...

    def fits(self, term: Term, source: CType, target: CType) -> Term:
        """Whether a conversion keeps the value; from floats to integers, the value without its fraction."""
        ...


def create_arithmetic(terms: Terms, machine: Machine, integers: str = "bits") -> Arithmetic:
    """`integers` is the option: `bits` or `math`."""
    match integers:
        case "bits":
            return BitVectors(terms, machine)
        case "math":
            return MathematicalIntegers(terms, machine)
        case _:
            raise UsageError(f"integers are `bits` or `math`, not `{integers}`")
