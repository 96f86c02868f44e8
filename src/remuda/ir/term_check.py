"""Typing rules of terms: one rule for every operator of the table in `terms/term.py`.

(add x true)          "`add` does not apply to (int, bool)"
(add x y) : real      "`add` of (int, int) is int, not real"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from remuda.ir.operator_text import BV_OPERATORS
from remuda.terms.store import BV_COMPARISONS
from remuda.terms.symbols import VariableKind
from remuda.terms.term import Binder, postorder
from remuda.terms.types import BOOL, INT, REAL, ROUNDING, BvType, FloatType, MapType, Type

if TYPE_CHECKING:
    from remuda.terms.term import Term

Rule = Callable[["Term"], "Type | None"]  # the type that the term must have; None: the arguments do not fit


def type_errors(term: Term) -> list[str]:
    """The type errors in a term, subterms first. Each shared subterm is checked once."""
    return [error for subterm in postorder((term,)) for error in own_type_errors(subterm)]


def own_type_errors(term: Term) -> Iterable[str]:
    """The type errors of a term whose arguments are well typed."""
    rule = _RULES.get(term.op)
    if rule is None:
        return (f"unknown operator `{term.op}`",)
    if term.op in _LITERALS and term.args:
        return (f"literal `{term.op}` has arguments",)
    expected = rule(term)
    if expected is None:
        return (f"`{term.op}` does not apply to {_arguments_text(term)}",)
    if expected != term.type:
        return (f"`{term.op}` of {_arguments_text(term)} is {expected}, not {term.type}",)
    return ()


def _arguments_text(term: Term) -> str:
    types = ", ".join([str(argument.type) for argument in term.args])
    return f"({types})"


def _types(term: Term) -> tuple[Type, ...]:
    return tuple([argument.type for argument in term.args])


# --- rules


def _literal(fits: Callable[[Term], bool], type_: Callable[[Term], Type]) -> Rule:
    return lambda term: type_(term) if fits(term) else None


def _fixed(arguments: tuple[Type, ...], result: Type) -> Rule:
    return lambda term: result if _types(term) == arguments else None


def _all_bool(term: Term) -> Type | None:
    return BOOL if all(argument.type == BOOL for argument in term.args) else None


def _same(term: Term) -> Type | None:
    """The rule of `eq` and `distinct`: all operands have one type."""
    types = _types(term)
    enough = len(types) == 2 if term.op == "eq" else bool(types)
    return BOOL if enough and all(type_ == types[0] for type_ in types) else None


def _ite(term: Term) -> Type | None:
    types = _types(term)
    return types[1] if len(types) == 3 and types[0] == BOOL and types[1] == types[2] else None


def _numeric(count: int, result: Type | None = None) -> Rule:
    """A rule for integers only or reals only; the result has that type unless another is given."""

    def rule(term: Term) -> Type | None:
        types = _types(term)
        if types not in {(INT,) * count, (REAL,) * count}:
            return None
        return result or types[0]

    return rule


def _quotient(term: Term) -> Type | None:
    return REAL if len(term.args) == 2 and all(type_ in {INT, REAL} for type_ in _types(term)) else None


def _bitvectors(term: Term) -> Type | None:
    types = _types(term)
    count = 1 if term.op in {"bvnot", "bvneg"} else 2
    if len(types) != count or not isinstance(types[0], BvType) or any(type_ != types[0] for type_ in types):
        return None
    return BOOL if term.op in BV_COMPARISONS else types[0]


def _width(term: Term) -> int | None:
    """The width of the only argument."""
    match _types(term):
        case (BvType(width),):
            return width
    return None


def _concat(term: Term) -> Type | None:
    match _types(term):
        case (BvType(high), BvType(low)):
            return BvType(high + low)
    return None


def _extract(term: Term) -> Type | None:
    width = _width(term)
    end, start = term.payload
    return BvType(end - start) if width is not None and 0 <= start <= end <= width else None


def _resize(term: Term) -> Type | None:
    width, bits = _width(term), term.payload
    if width is None or bits < 0:
        return None
    if term.op == "repeat":
        return BvType(width * bits) if bits else None
    return BvType(width + bits if term.op.endswith("extend") else width)


def _bv_value(term: Term) -> Type | None:
    return INT if _width(term) is not None else None


def _select(term: Term) -> Type | None:
    match _types(term):
        case (MapType(domain, range_), *indices) if tuple(indices) == domain:
            return range_
    return None


def _store(term: Term) -> Type | None:
    match _types(term):
        case (MapType(domain, range_) as map_, *rest) if tuple(rest) == (*domain, range_):
            return map_
    return None


def _binder(term: Term) -> Type | None:
    binder = term.payload
    if not isinstance(binder, Binder) or not term.args or sum(binder.triggers) != len(term.args) - 1:
        return None
    if any(variable.kind is not VariableKind.BOUND for variable in binder.variables):
        return None
    body = term.args[0].type
    if term.op == "lambda":
        return MapType(tuple([variable.type for variable in binder.variables]), body) if len(term.args) == 1 else None
    return BOOL if body == BOOL else None


def _apply(term: Term) -> Type | None:
    function = term.payload
    fits = _types(term) == tuple([parameter.type for parameter in function.parameters])
    return function.result if fits else None


def _construct(term: Term) -> Type | None:
    constructor = term.payload
    fits = _types(term) == tuple([type_ for _, type_ in constructor.fields])
    return constructor.datatype if fits else None


def _field(term: Term) -> Type | None:
    constructor, index = term.payload
    fits = _types(term) == (constructor.datatype,) and 0 <= index < len(constructor.fields)
    return constructor.fields[index][1] if fits else None


def _tester(term: Term) -> Type | None:
    return BOOL if _types(term) == (term.payload.datatype,) else None


def _old(term: Term) -> Type | None:
    match term.args:
        case (argument,) if argument.op == "var" and argument.payload.kind is VariableKind.GLOBAL:
            return argument.type
    return None


# --- floats


def _floats(count: int, *, rounded: bool = False, result: Type | None = None) -> Rule:
    """A rule for floats of one format, after a rounding mode if the operator rounds."""

    def rule(term: Term) -> Type | None:
        types = _types(term)
        if rounded:
            if types[:1] != (ROUNDING,):
                return None
            types = types[1:]
        if len(types) != count or not isinstance(types[0], FloatType) or any(type_ != types[0] for type_ in types):
            return None
        return result or types[0]

    return rule


def _to_float(source: Callable[[Term, Type], bool], *, rounded: bool = True) -> Rule:
    def rule(term: Term) -> Type | None:
        types = _types(term)
        if len(types) != 1 + rounded or (rounded and types[0] != ROUNDING) or not source(term, types[-1]):
            return None
        return term.payload if isinstance(term.payload, FloatType) else None

    return rule


def _float_to_bv(term: Term) -> Type | None:
    match _types(term):
        case (rounding, FloatType()) if rounding == ROUNDING:
            return BvType(term.payload)
    return None


def _holds_float(term: Term, type_: Type) -> bool:
    format_ = term.payload
    return isinstance(format_, FloatType) and type_ == BvType(format_.significand + format_.exponent)


_FLOAT_RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(("fp_abs", "fp_neg"), _floats(1)),
    **dict.fromkeys(("fp_add", "fp_sub", "fp_mul", "fp_div"), _floats(2, rounded=True)),
    "fp_fma": _floats(3, rounded=True),
    **dict.fromkeys(("fp_sqrt", "fp_roundToIntegral"), _floats(1, rounded=True)),
    **dict.fromkeys(("fp_rem", "fp_min", "fp_max"), _floats(2)),
    **dict.fromkeys(("fp_leq", "fp_lt", "fp_geq", "fp_gt", "fp_eq"), _floats(2, result=BOOL)),
    **dict.fromkeys(("fp_isNormal", "fp_isSubnormal", "fp_isZero", "fp_isInfinite"), _floats(1, result=BOOL)),
    **dict.fromkeys(("fp_isNaN", "fp_isNegative", "fp_isPositive"), _floats(1, result=BOOL)),
    "to_fp_real": _to_float(lambda _, type_: type_ == REAL),
    "to_fp_bits": _to_float(_holds_float, rounded=False),
    "to_fp_float": _to_float(lambda _, type_: isinstance(type_, FloatType)),
    "to_fp_sbv": _to_float(lambda _, type_: isinstance(type_, BvType)),
    "to_fp_ubv": _to_float(lambda _, type_: isinstance(type_, BvType)),
    "fp_to_real": _floats(1, result=REAL),
    "fp_to_ubv": _float_to_bv,
    "fp_to_sbv": _float_to_bv,
}

_LITERALS: Final = frozenset({"bool", "int", "real", "bv", "float", "rounding", "var"})

_RULES: Final[dict[str, Rule]] = {
    "bool": _literal(lambda term: isinstance(term.payload, bool), lambda _: BOOL),
    "int": _literal(lambda term: type(term.payload) is int, lambda _: INT),
    "real": _literal(lambda term: isinstance(term.payload, Fraction), lambda _: REAL),
    "bv": _literal(lambda term: 0 <= term.payload[0] < 1 << term.payload[1], lambda term: BvType(term.payload[1])),
    "float": _literal(
        lambda term: 0 <= term.payload[0] < 1 << (term.payload[1] + term.payload[2]),
        lambda term: FloatType(term.payload[1], term.payload[2]),
    ),
    "rounding": _literal(lambda term: term.payload in {"RNE", "RNA", "RTP", "RTN", "RTZ"}, lambda _: ROUNDING),
    "var": lambda term: term.payload.type,
    "apply": _apply,
    "not": _fixed((BOOL,), BOOL),
    "and": _all_bool,
    "or": _all_bool,
    "implies": _fixed((BOOL, BOOL), BOOL),
    "ite": _ite,
    "eq": _same,
    "distinct": _same,
    "neg": _numeric(1),
    **dict.fromkeys(("add", "sub", "mul"), _numeric(2)),
    **dict.fromkeys(("div", "mod"), _fixed((INT, INT), INT)),
    "realdiv": _quotient,
    "pow": _fixed((REAL, REAL), REAL),
    **dict.fromkeys(("lt", "le"), _numeric(2, BOOL)),
    "to_real": _fixed((INT,), REAL),
    "to_int": _fixed((REAL,), INT),
    "concat": _concat,
    "extract": _extract,
    **dict.fromkeys(BV_OPERATORS, _bitvectors),
    **dict.fromkeys(("zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat"), _resize),
    **dict.fromkeys(("bv2nat", "bv2int"), _bv_value),
    "int2bv": lambda term: BvType(term.payload) if _types(term) == (INT,) else None,
    "select": _select,
    "store": _store,
    **dict.fromkeys(("forall", "exists", "lambda"), _binder),
    "construct": _construct,
    "field": _field,
    "is": _tester,
    "old": _old,
    **_FLOAT_RULES,
}
