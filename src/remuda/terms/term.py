"""Terms: immutable, typed, interned. Equality is identity.

A term is an operator, its arguments and a payload; those three determine its type. The operators:

    bool, int, real, bv, float, rounding   literals; payload bool / int / Fraction / (value, width) /
                                           (bits, significand, exponent) / "RNE" "RNA" "RTP" "RTN" "RTZ"
    var                                    payload Variable
    apply                                  payload Function; arguments
    not and or implies ite eq distinct     `and`/`or` take any number of arguments; `eq` is `<==>` on bool
    neg add sub mul div mod                integers (and reals, but for div and mod). `div`/`mod` are SMT-LIB's:
                                           Euclidean, any value on a zero divisor. `add`, `mul` are binary
    realdiv pow                            `/` gives a real; `**` on reals
    lt le                                  integers and reals
    to_real to_int                         `to_int` is floor
    concat extract                         payload of extract: (high bit + 1, low bit), as Boogie's `x[hi:lo]`
    bvnot bvneg bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvand bvor bvxor bvnand bvnor bvxnor
    bvshl bvlshr bvashr bvult bvule bvslt bvsle           as in SMT-LIB (`gt`/`ge` forms swap their operands)
    zero_extend sign_extend rotate_left rotate_right repeat   payload: number of bits (or copies)
    bv2nat int2bv bv2int                   unsigned value; modulo 2^width (payload width); signed value
    select store                           a map and its indices (and the value): `m[i, j]`, `m[i, j := v]`
    forall exists lambda                   payload Binder; arguments: body, then trigger terms in order
    construct field is                     payload Constructor / (Constructor, index) / Constructor
    old                                    of a GLOBAL `var` term only: its value when the procedure started
    fp_*                                   IEEE floats, SMT-LIB's `fp.*` with dots as underscores
    to_fp_real to_fp_bits to_fp_float to_fp_sbv to_fp_ubv  payload FloatType; arguments: rounding mode unless
                                           `to_fp_bits`, then the value
    fp_to_real fp_to_ubv fp_to_sbv         payload of the last two: width; arguments: rounding mode, value
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remuda.terms.symbols import Variable
    from remuda.terms.types import Type


@final
class Term:
    """An interned term. Made by a `Terms` store only; `serial` orders the terms of one store."""

    __slots__ = ("args", "op", "payload", "serial", "type")

    # The payload's type depends on `op` (see the module's table).
    def __init__(self, op: str, args: tuple[Term, ...], payload: Any, type_: Type, serial: int) -> None:  # noqa: ANN401
        self.op = op
        self.args = args
        self.payload = payload
        self.type = type_
        self.serial = serial

    def __repr__(self) -> str:
        return f"<{self.op} {self.payload if self.payload is not None else ''} /{len(self.args)}>"


@final
@dataclass(frozen=True, slots=True)
class Binder:
    """The variables that a quantifier binds. `triggers[k]` is the number of arguments in its k-th trigger."""

    variables: tuple[Variable, ...]
    triggers: tuple[int, ...] = ()
    weight: int | None = None


def postorder(roots: Iterable[Term]) -> Iterator[Term]:
    """Every term below the roots once, arguments before the terms that use them, without recursion."""
    seen: set[Term] = set()
    stack: list[tuple[Term, bool]] = [(root, False) for root in reversed(list(roots))]
    while stack:
        term, ready = stack.pop()
        if ready:
            yield term
            continue
        if term in seen:
            continue
        seen.add(term)
        if not term.args:
            yield term
            continue
        stack.append((term, True))
        stack.extend((argument, False) for argument in reversed(term.args) if argument not in seen)


def variables_of(roots: Iterable[Term]) -> list[Variable]:
    """The variables that occur below the roots, bound ones too, in order of first occurrence."""
    return [term.payload for term in postorder(roots) if term.op == "var"]
