"""Operators that Boogie has no syntax for, as declared functions.

bvadd on bv32        function {:bvbuiltin "bvadd"} $bvadd.32(x: bv32, y: bv32) returns (bv32);
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.terms.types import BoolType, BvType, FloatType, IntType, RealType, RoundingType

if TYPE_CHECKING:
    from remuda.terms.term import Term
    from remuda.terms.types import Type

BV_OPERATORS: Final = frozenset(
    """
    bvnot bvneg bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvand bvor bvxor bvnand bvnor bvxnor
    bvshl bvlshr bvashr bvult bvule bvslt bvsle
    """.split()  # noqa: SIM905
)
_INDEXED: Final = frozenset({"zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat", "int2bv"})
_TO_FLOAT: Final = frozenset({"to_fp_real", "to_fp_bits", "to_fp_float", "to_fp_sbv", "to_fp_ubv"})


def is_declared_operator(op: str) -> bool:
    """Whether the operator is printed as a call of a function that must be declared."""
    return (
        op in BV_OPERATORS or op in _INDEXED or op in {"bv2nat", "bv2int"} or op in _TO_FLOAT or op.startswith("fp_")
    )


def builtin_of(term: Term) -> str:
    """The SMT-LIB operator for a term's operator."""
    op, payload = term.op, term.payload
    if op in _INDEXED:
        return f"(_ {op} {payload})"
    if op in _TO_FLOAT:
        name = "to_fp_unsigned" if op == "to_fp_ubv" else "to_fp"
        return f"(_ {name} {payload.exponent} {payload.significand})"
    if op in {"fp_to_ubv", "fp_to_sbv"}:
        return f"(_ {op.replace('_', '.', 1)} {payload})"
    return op.replace("_", ".", 1) if op.startswith("fp_") else op


def operator_name(term: Term) -> str:
    """A name made of the operator and its widths, such as `$bvadd.32` or `$zero_extend.8.32`."""
    parts = [f"${term.op}"]
    if term.op.startswith("rotate"):
        parts.append(str(term.payload))
    parts.extend(dict.fromkeys(part for type_ in (*_argument_types(term), term.type) if (part := _short(type_))))
    return ".".join(parts)


def _argument_types(term: Term) -> list[Type]:
    return [argument.type for argument in term.args]


def _short(type_: Type) -> str:
    match type_:
        case BvType(width):
            return str(width)
        case FloatType(significand, exponent):
            return f"{significand}e{exponent}"
        case BoolType() | IntType() | RealType() | RoundingType():
            return ""
        case _:
            return "".join(character for character in str(type_) if character.isalnum())


def declaration(term: Term, name: str) -> str:
    """The declaration of the function for a term's operator, except for `bv2int`."""
    attribute = "builtin" if "fp" in term.op else "bvbuiltin"
    parameters = ", ".join(f"{letter}: {type_}" for letter, type_ in zip("xyzw", _argument_types(term), strict=False))
    return f'function {{:{attribute} "{builtin_of(term)}"}} {name}({parameters}) returns ({term.type});'


def signed_value_declaration(name: str, width: int, unsigned_value: str) -> str:
    """The declaration of `bv2int`, defined by `bv2nat`: the solvers of Boogie 2.4 have no operator for it."""
    half, whole = 1 << (width - 1) if width else 1, 1 << width
    value = f"{unsigned_value}(x)"
    return (
        f"function {name}(x: bv{width}) returns (int) {{ (if {value} < {half} then {value} else {value} - {whole}) }}"
    )
