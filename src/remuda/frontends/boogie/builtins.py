"""SMT builtins: the terms for functions with `{:bvbuiltin "bvadd"}` and `{:builtin "fp.add"}`.

    function {:bvbuiltin "bvugt"} GT(x: bv8, y: bv8): bool;      GT(a, b) becomes bvult(b, a)

A name without a term operator has no builder; its function stays an opaque builtin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL, INT, REAL, ROUNDING, BvType, FloatType, MapType, RoundingType, Type

if TYPE_CHECKING:
    from remuda.terms.store import Terms
    from remuda.terms.term import Term

Builder = Callable[["Terms", Sequence["Term"]], "Term"]

_BV_UNARY = frozenset({"bvnot", "bvneg"})
_BV_BINARY = frozenset(
    [
        "bvadd",
        "bvsub",
        "bvmul",
        "bvudiv",
        "bvurem",
        "bvsdiv",
        "bvsrem",
        "bvsmod",
        "bvand",
        "bvor",
        "bvxor",
        "bvnand",
        "bvnor",
        "bvxnor",
        "bvshl",
        "bvlshr",
        "bvashr",
        "bvult",
        "bvule",
        "bvslt",
        "bvsle",
    ],
)
_BV_TURNED = {"bvugt": "bvult", "bvuge": "bvule", "bvsgt": "bvslt", "bvsge": "bvsle"}
_INDEXED = re.compile(
    r"\(?\s*_?\s*(zero_extend|sign_extend|rotate_left|rotate_right|repeat|int2bv|fp\.to_ubv|fp\.to_sbv)"
    r"\s+([0-9]+)\s*\)?(?:\s+(RNE|RNA|RTP|RTN|RTZ))?",
)
_EXTRACT = re.compile(r"\(?\s*_?\s*extract\s+([0-9]+)\s+([0-9]+)\s*\)?")
_TO_FP = re.compile(r"\(?\s*_?\s*(to_fp|to_fp_unsigned)\s+([0-9]+)\s+([0-9]+)\s*\)?(?:\s+(RNE|RNA|RTP|RTN|RTZ))?")
_FP_ROUNDED = {"fp.add": 2, "fp.sub": 2, "fp.mul": 2, "fp.div": 2, "fp.fma": 3, "fp.sqrt": 1, "fp.roundToIntegral": 1}
_FP_PLAIN = {"fp.abs": 1, "fp.neg": 1, "fp.rem": 2, "fp.min": 2, "fp.max": 2}
_FP_TESTS = {
    **dict.fromkeys(("fp.leq", "fp.lt", "fp.eq"), 2),
    **dict.fromkeys(
        ("fp.isNormal", "fp.isSubnormal", "fp.isZero", "fp.isInfinite", "fp.isNaN", "fp.isNegative", "fp.isPositive"),
        1,
    ),
}
_FP_TURNED = {"fp.geq": "fp.leq", "fp.gt": "fp.lt"}
_MODES = frozenset({"RNE", "RNA", "RTP", "RTN", "RTZ"})


def rounding(terms: Terms, mode: str) -> Term:
    return terms.make("rounding", (), mode, ROUNDING)


def fp(terms: Terms, op: str, args: Sequence[Term], type_: Type) -> Term:
    """An operator of the `fp_*` family, by its SMT-LIB name."""
    return terms.make(op.replace(".", "_"), tuple(args), None, type_)


def find_builtin(text: str, parameters: Sequence[Type], result: Type) -> Builder | None:
    """The builder of applications of a builtin to operands of these types; None if there is none."""
    name = text.strip()
    for rule in (_core, _bitvector, _indexed, _extract, _to_fp, _floating, _map):
        builder = rule(name, parameters, result)
        if builder is not None:
            return builder
    return None


def _all_bv(parameters: Sequence[Type], count: int) -> bool:
    return len(parameters) == count and all(
        isinstance(type_, BvType) and type_ == parameters[0] for type_ in parameters
    )


def _bitvector(name: str, parameters: Sequence[Type], result: Type) -> Builder | None:
    if name in _BV_UNARY and _all_bv(parameters, 1) and result == parameters[0]:
        return lambda terms, args: terms.bv(name, args)
    turned = _BV_TURNED.get(name)
    if turned is not None and _all_bv(parameters, 2) and result == BOOL:
        return lambda terms, args: terms.bv(turned, (args[1], args[0]))
    if name in _BV_BINARY and _all_bv(parameters, 2):
        comparison = name[2:] in {"ult", "ule", "slt", "sle"}
        if result == (BOOL if comparison else parameters[0]):
            return lambda terms, args: terms.bv(name, args)
    if name == "concat" and len(parameters) == 2 and all(isinstance(type_, BvType) for type_ in parameters):
        return lambda terms, args: terms.concat(args[0], args[1])
    if name in {"bv2nat", "bv2int"} and len(parameters) == 1 and isinstance(parameters[0], BvType) and result == INT:
        return lambda terms, args: terms.bv2nat(args[0])  # Z3's bv2int is the unsigned value, too
    return None


def _indexed(name: str, parameters: Sequence[Type], result: Type) -> Builder | None:
    found = _INDEXED.fullmatch(name)
    if found is None:
        return None
    op, count, mode = found[1], int(found[2]), found[3]
    if op == "int2bv":
        fits = tuple(parameters) == (INT,) and result == BvType(count)
        return (lambda terms, args: terms.int2bv(args[0], count)) if fits else None
    if op.startswith("fp."):
        return _float_to_bits(op, count, mode, parameters)
    if len(parameters) != 1 or not isinstance(parameters[0], BvType) or mode is not None:
        return None
    width = parameters[0].width
    expected = width + count if op.endswith("extend") else width * count if op == "repeat" else width
    return (lambda terms, args: terms.extend(op, args[0], count)) if result == BvType(expected) else None


def _float_to_bits(op: str, width: int, mode: str | None, parameters: Sequence[Type]) -> Builder | None:
    kind = op.replace(".", "_")
    if mode is not None and len(parameters) == 1:
        return lambda terms, args: terms.make(kind, (rounding(terms, mode), args[0]), width, BvType(width))
    if mode is None and len(parameters) == 2 and isinstance(parameters[0], RoundingType):
        return lambda terms, args: terms.make(kind, tuple(args), width, BvType(width))
    return None


def _extract(name: str, parameters: Sequence[Type], result: Type) -> Builder | None:
    found = _EXTRACT.fullmatch(name)
    if found is None or len(parameters) != 1 or not isinstance(parameters[0], BvType):
        return None
    high, low = int(found[1]), int(found[2])
    if not (low <= high < parameters[0].width and result == BvType(high + 1 - low)):
        return None
    return lambda terms, args: terms.extract(args[0], high + 1, low)


def _to_fp(name: str, parameters: Sequence[Type], result: Type) -> Builder | None:
    found = _TO_FP.fullmatch(name)
    if found is None or not parameters:
        return None
    type_ = FloatType(int(found[3]), int(found[2]))
    mode = found[4]
    value = parameters[-1]
    if result != type_:
        return None
    if len(parameters) == 1 and mode is None:
        if found[1] == "to_fp" and isinstance(value, BvType):
            return lambda terms, args: terms.make("to_fp_bits", (args[0],), type_, type_)
        return None
    op = _conversion(value, unsigned=found[1] == "to_fp_unsigned")
    if op is None:
        return None
    if mode is not None and len(parameters) == 1:
        return lambda terms, args: terms.make(op, (rounding(terms, mode), _real(terms, args[0])), type_, type_)
    if mode is None and len(parameters) == 2 and isinstance(parameters[0], RoundingType):
        return lambda terms, args: terms.make(op, (args[0], _real(terms, args[1])), type_, type_)
    return None


def _conversion(value: Type, *, unsigned: bool) -> str | None:
    if isinstance(value, BvType):
        return "to_fp_ubv" if unsigned else "to_fp_sbv"
    if unsigned:
        return None
    if value in (INT, REAL):
        return "to_fp_real"
    return "to_fp_float" if isinstance(value, FloatType) else None


def _real(terms: Terms, term: Term) -> Term:
    return terms.to_real(term) if term.type == INT else term


def _floating(name: str, parameters: Sequence[Type], result: Type) -> Builder | None:
    words = name.split()
    op = words[0] if words else ""
    mode = words[1] if len(words) == 2 and words[1] in _MODES else None
    if len(words) > 1 and mode is None:
        return None
    if op in _FP_ROUNDED:
        return _rounded(op, mode, parameters, result)
    if mode is not None:
        return None
    if op in _FP_TESTS and len(parameters) == _FP_TESTS[op]:
        return lambda terms, args: fp(terms, op, args, BOOL)
    turned = _FP_TURNED.get(op)
    if turned is not None and len(parameters) == 2:
        return lambda terms, args: fp(terms, turned, (args[1], args[0]), BOOL)
    if op in _FP_PLAIN and len(parameters) == _FP_PLAIN[op]:
        return lambda terms, args: fp(terms, op, args, result)
    if op == "fp.to_real" and len(parameters) == 1:
        return lambda terms, args: fp(terms, op, args, REAL)
    return None


def _rounded(op: str, mode: str | None, parameters: Sequence[Type], result: Type) -> Builder | None:
    count = _FP_ROUNDED[op]
    if mode is not None and len(parameters) == count:
        return lambda terms, args: fp(terms, op, (rounding(terms, mode), *args), result)
    if mode is None and len(parameters) == count + 1 and isinstance(parameters[0], RoundingType):
        return lambda terms, args: fp(terms, op, args, result)
    return None


# --- integers and booleans


def _core(name: str, parameters: Sequence[Type], _: Type) -> Builder | None:
    builder = _CORE.get(name)
    if builder is None:
        return None
    count, types, build = builder
    return build if len(parameters) == count and all(type_ in types for type_ in parameters) else None


def _rem(terms: Terms, args: Sequence[Term]) -> Term:
    """Z3's `rem`: `mod` with the opposite sign for a negative divisor."""
    remainder = terms.mod(args[0], args[1])
    return terms.ite(terms.lt(args[1], terms.integer(0)), terms.neg(remainder), remainder)


_CORE: dict[str, tuple[int, tuple[Type, ...], Builder]] = {
    "div": (2, (INT,), lambda terms, args: terms.div(args[0], args[1])),
    "mod": (2, (INT,), lambda terms, args: terms.mod(args[0], args[1])),
    "rem": (2, (INT,), _rem),
    "/": (2, (REAL,), lambda terms, args: terms.realdiv(args[0], args[1])),
    "not": (1, (BOOL,), lambda terms, args: terms.not_(args[0])),
    "and": (2, (BOOL,), lambda terms, args: terms.and_(args)),
    "or": (2, (BOOL,), lambda terms, args: terms.or_(args)),
    "=>": (2, (BOOL,), lambda terms, args: terms.implies(args[0], args[1])),
    "to_real": (1, (INT,), lambda terms, args: terms.to_real(args[0])),
    "to_int": (1, (REAL,), lambda terms, args: terms.to_int(args[0])),
    **{
        symbol: (2, (INT, REAL), lambda terms, args, op=op: terms.arithmetic(op, args[0], args[1]))  # type: ignore[misc]
        for symbol, op in (("+", "add"), ("-", "sub"), ("*", "mul"))
    },
    "<": (2, (INT, REAL), lambda terms, args: terms.lt(args[0], args[1])),
    "<=": (2, (INT, REAL), lambda terms, args: terms.le(args[0], args[1])),
    ">": (2, (INT, REAL), lambda terms, args: terms.lt(args[1], args[0])),
    ">=": (2, (INT, REAL), lambda terms, args: terms.le(args[1], args[0])),
}


# --- pointwise operators on maps


def _map(name: str, parameters: Sequence[Type], result: Type) -> Builder | None:
    if not isinstance(result, MapType):
        return None
    domain = result.domain
    if name == "MapConst":
        if tuple(parameters) != (result.range,):
            return None
        return lambda terms, args: terms.lambda_(_indices(domain), args[0])
    pointwise = _POINTWISE.get(name)
    if pointwise is None or len(parameters) != pointwise[0]:
        return None
    if not all(isinstance(type_, MapType) and type_.domain == domain for type_ in parameters):
        return None
    return lambda terms, args: _lift(terms, domain, args, pointwise[1])


def _indices(domain: tuple[Type, ...]) -> list[Variable]:
    return [Variable(f"i{position}", type_, VariableKind.BOUND) for position, type_ in enumerate(domain)]


def _lift(terms: Terms, domain: tuple[Type, ...], args: Sequence[Term], build: Builder) -> Term:
    variables = _indices(domain)
    indices = [terms.var(variable) for variable in variables]
    return terms.lambda_(variables, build(terms, [terms.select(map_, indices) for map_ in args]))


_POINTWISE: dict[str, tuple[int, Builder]] = {
    "MapAdd": (2, lambda terms, args: terms.arithmetic("add", args[0], args[1])),
    "MapSub": (2, lambda terms, args: terms.arithmetic("sub", args[0], args[1])),
    "MapMul": (2, lambda terms, args: terms.arithmetic("mul", args[0], args[1])),
    "MapDiv": (2, lambda terms, args: terms.div(args[0], args[1])),
    "MapMod": (2, lambda terms, args: terms.mod(args[0], args[1])),
    "MapAnd": (2, lambda terms, args: terms.and_(args)),
    "MapOr": (2, lambda terms, args: terms.or_(args)),
    "MapNot": (1, lambda terms, args: terms.not_(args[0])),
    "MapIte": (3, lambda terms, args: terms.ite(args[0], args[1], args[2])),
    "MapLe": (2, lambda terms, args: terms.le(args[0], args[1])),
    "MapLt": (2, lambda terms, args: terms.lt(args[0], args[1])),
    "MapGe": (2, lambda terms, args: terms.le(args[1], args[0])),
    "MapGt": (2, lambda terms, args: terms.lt(args[1], args[0])),
    "MapEq": (2, lambda terms, args: terms.eq(args[0], args[1])),
    "MapIff": (2, lambda terms, args: terms.eq(args[0], args[1])),
    "MapImp": (2, lambda terms, args: terms.implies(args[0], args[1])),
}
