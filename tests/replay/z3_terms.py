"""Random terms with values for their variables, and their values in Z3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3
from hypothesis import strategies as st

from remuda.terms.store import BV_COMPARISONS, Terms
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import Term, postorder
from remuda.terms.types import BOOL, INT, BvType, FloatType, MapType, Type
from remuda.terms.values import MapValue, Value

WIDTH = 5
BV = BvType(WIDTH)
INT_MAP = MapType((INT,), INT)
BOOL_MAP = MapType((BOOL,), INT)
FLOAT = FloatType(5, 3)
TERMS = Terms()

VARIABLES: dict[Type, tuple[Variable, ...]] = {
    type_: tuple(Variable(f"{name}{index}", type_, VariableKind.LOCAL) for index in range(2))
    for name, type_ in (("i", INT), ("b", BOOL), ("v", BV), ("m", INT_MAP), ("n", BOOL_MAP), ("f", FLOAT))
}

BV_BINARY = [
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
]

Make = Callable[..., Term]


def _leaves(type_: Type) -> st.SearchStrategy[Term]:
    variables = st.sampled_from([TERMS.var(variable) for variable in VARIABLES[type_]])
    if type_ == INT:
        return st.one_of(variables, st.integers(-4, 4).map(TERMS.integer))
    if type_ == BOOL:
        return st.one_of(variables, st.booleans().map(TERMS.boolean))
    if type_ == BV:
        return st.one_of(variables, st.integers(0, 2**WIDTH - 1).map(lambda value: TERMS.bitvector(value, WIDTH)))
    return variables


def _rules(type_: Type) -> list[tuple[Make, tuple[Type, ...]]]:
    """How to make a term of the type: a maker and the types of its arguments."""
    rules: list[tuple[Make, tuple[Type, ...]]] = [(TERMS.ite, (BOOL, type_, type_))]
    if type_ == INT:
        rules += [(_arithmetic(op), (INT, INT)) for op in ("add", "sub", "mul")]
        rules += [(TERMS.neg, (INT,)), (TERMS.bv2nat, (BV,)), (TERMS.bv2int, (BV,))]
        rules += [(_nonzero(TERMS.div), (INT, INT)), (_nonzero(TERMS.mod), (INT, INT))]
        rules += [(_select, (INT_MAP, INT)), (_select, (BOOL_MAP, BOOL))]
    elif type_ == BOOL:
        rules += [
            (TERMS.not_, (BOOL,)),
            (_and, (BOOL, BOOL, BOOL)),
            (_or, (BOOL, BOOL)),
            (TERMS.implies, (BOOL, BOOL)),
        ]
        rules += [(TERMS.eq, (each, each)) for each in (INT, BOOL, BV, INT_MAP, BOOL_MAP)]
        rules += [(TERMS.lt, (INT, INT)), (TERMS.le, (INT, INT)), (_distinct, (INT, INT, INT))]
        rules += [(_bv(op), (BV, BV)) for op in sorted(BV_COMPARISONS)]
        rules += [(_ranged("forall"), (INT,)), (_ranged("exists"), (INT,))]
    elif type_ == BV:
        rules += [(_bv(op), (BV, BV)) for op in BV_BINARY]
        rules += [(_bv("bvnot"), (BV,)), (_bv("bvneg"), (BV,)), (_int2bv, (INT,))]
        rules += [(_resize("zero_extend"), (BV,)), (_resize("sign_extend"), (BV,)), (_resize("repeat"), (BV,))]
        rules += [(_rotate("rotate_left"), (BV,)), (_rotate("rotate_right"), (BV,)), (_spliced, (BV, BV))]
    elif type_ == INT_MAP:
        rules += [(_store, (INT_MAP, INT, INT))]
    elif type_ == BOOL_MAP:
        rules += [(_store, (BOOL_MAP, BOOL, INT))]
    return rules


def _arithmetic(op: str) -> Make:
    return lambda left, right: TERMS.arithmetic(op, left, right)


def _nonzero(make: Make) -> Make:
    """Division whose divisor is never zero: Z3 is free to choose the result there."""
    return lambda left, right: TERMS.ite(TERMS.eq(right, TERMS.integer(0)), left, make(left, right))


def _bv(op: str) -> Make:
    return lambda *args: TERMS.bv(op, args)


def _select(map_: Term, index: Term) -> Term:
    return TERMS.select(map_, [index])


def _store(map_: Term, index: Term, value: Term) -> Term:
    return TERMS.store(map_, [index], value)


def _and(*args: Term) -> Term:
    return TERMS.and_(args)


def _or(*args: Term) -> Term:
    return TERMS.or_(args)


def _distinct(*args: Term) -> Term:
    return TERMS.distinct(args)


def _int2bv(term: Term) -> Term:
    return TERMS.int2bv(term, WIDTH)


def _resize(op: str) -> Make:
    return lambda term: TERMS.extract(TERMS.extend(op, term, 3), WIDTH + 2, 2)


def _rotate(op: str) -> Make:
    return lambda term: TERMS.extend(op, term, 3)


def _spliced(high: Term, low: Term) -> Term:
    return TERMS.extract(TERMS.concat(high, low), WIDTH + 3, 3)


def _ranged(op: str) -> Make:
    """A quantifier over -2..2 whose body is a condition on a term plus the bound variable."""

    def make(term: Term) -> Term:
        bound = Variable("q", INT, VariableKind.BOUND)
        variable = TERMS.var(bound)
        inside = TERMS.and_([TERMS.le(TERMS.integer(-2), variable), TERMS.lt(variable, TERMS.integer(3))])
        body = TERMS.lt(TERMS.arithmetic("mul", variable, variable), TERMS.arithmetic("add", term, variable))
        whole = TERMS.implies(inside, body) if op == "forall" else TERMS.and_([inside, body])
        return TERMS.quantifier(op, [bound], whole)

    return make


def terms(type_: Type, depth: int = 3) -> st.SearchStrategy[Term]:
    """Terms of the type over `VARIABLES`."""
    if depth == 0:
        return _leaves(type_)

    def build(rule: tuple[Make, tuple[Type, ...]] | None) -> st.SearchStrategy[Term]:
        if rule is None:
            return _leaves(type_)
        return st.tuples(*(terms(argument, depth - 1) for argument in rule[1])).map(lambda args: rule[0](*args))

    # Only one choice in many is a leaf, so that the terms are not trivial.
    return st.sampled_from([None, *_rules(type_)]).flatmap(build)


def values() -> st.SearchStrategy[dict[Variable, Value]]:
    """Values for all variables but the floats."""
    integers = st.integers(-4, 4)
    maps = st.builds(MapValue, integers, st.dictionaries(st.tuples(integers), integers, max_size=3))
    bool_maps = st.builds(MapValue, integers, st.dictionaries(st.tuples(st.booleans()), integers, max_size=2))
    kinds: dict[Type, st.SearchStrategy[Any]] = {
        INT: integers,
        BOOL: st.booleans(),
        BV: st.integers(0, 2**WIDTH - 1),
        INT_MAP: maps,
        BOOL_MAP: bool_maps,
    }
    return st.fixed_dictionaries({variable: kind for type_, kind in kinds.items() for variable in VARIABLES[type_]})


# --- Z3's side


def literal(value: Value, type_: Type) -> Any:  # noqa: ANN401
    """The value as a Z3 expression."""
    if isinstance(value, MapValue):
        assert isinstance(type_, MapType)
        array = z3.K(sort(type_.domain[0]), literal(value.default, type_.range))
        for index, element in value.entries.items():
            array = z3.Store(array, literal(index[0], type_.domain[0]), literal(element, type_.range))
        return array
    if isinstance(type_, BvType):
        return z3.BitVecVal(value, type_.width)
    return z3.BoolVal(value) if type_ == BOOL else z3.IntVal(value)


def sort(type_: Type) -> Any:  # noqa: ANN401
    return z3.BoolSort() if type_ == BOOL else z3.IntSort()


def translate(term: Term, values: dict[Variable, Value]) -> Any:  # noqa: ANN401
    """The term in Z3 with the variables replaced by their values."""
    done: dict[Term, Any] = {}
    for part in postorder([term]):
        done[part] = _translate_one(part, [done[argument] for argument in part.args], values)
    return done[term]


def _translate_one(part: Term, args: Sequence[Any], values: dict[Variable, Value]) -> Any:  # noqa: ANN401
    if part.op == "var":
        variable: Variable = part.payload
        return literal(values[variable], variable.type) if variable in values else z3.Int(variable.name)
    if part.op in {"bool", "int"}:
        return literal(part.payload, part.type)
    if part.op == "bv":
        return z3.BitVecVal(*part.payload)
    return Z3_OPERATORS[part.op](part, *args)


def _quantify(quantifier: Callable[..., Any]) -> Callable[..., Any]:
    return lambda part, body: quantifier([z3.Int(each.name) for each in part.payload.variables], body)


Z3_OPERATORS: dict[str, Callable[..., Any]] = {
    "not": lambda _, arg: z3.Not(arg),
    "and": lambda _, *args: z3.And(*args),
    "or": lambda _, *args: z3.Or(*args),
    "implies": lambda _, left, right: z3.Implies(left, right),
    "ite": lambda _, condition, then, otherwise: z3.If(condition, then, otherwise),
    "eq": lambda _, left, right: left == right,
    "distinct": lambda _, *args: z3.Distinct(*args),
    "neg": lambda _, arg: -arg,
    "add": lambda _, left, right: left + right,
    "sub": lambda _, left, right: left - right,
    "mul": lambda _, left, right: left * right,
    "div": lambda _, left, right: left / right,
    "mod": lambda _, left, right: left % right,
    "lt": lambda _, left, right: left < right,
    "le": lambda _, left, right: left <= right,
    "select": lambda _, map_, index: z3.Select(map_, index),
    "store": lambda _, map_, index, value: z3.Store(map_, index, value),
    "forall": _quantify(z3.ForAll),
    "exists": _quantify(z3.Exists),
    "concat": lambda _, high, low: z3.Concat(high, low),
    "extract": lambda part, arg: z3.Extract(part.payload[0] - 1, part.payload[1], arg),
    "zero_extend": lambda part, arg: z3.ZeroExt(part.payload, arg),
    "sign_extend": lambda part, arg: z3.SignExt(part.payload, arg),
    "repeat": lambda part, arg: z3.RepeatBitVec(part.payload, arg),
    "rotate_left": lambda part, arg: z3.RotateLeft(arg, part.payload),
    "rotate_right": lambda part, arg: z3.RotateRight(arg, part.payload),
    "bv2nat": lambda _, arg: z3.BV2Int(arg, is_signed=False),
    "bv2int": lambda _, arg: z3.BV2Int(arg, is_signed=True),
    "int2bv": lambda part, arg: z3.Int2BV(arg, part.payload),
    "bvnot": lambda _, arg: ~arg,
    "bvneg": lambda _, arg: -arg,
    "bvadd": lambda _, left, right: left + right,
    "bvsub": lambda _, left, right: left - right,
    "bvmul": lambda _, left, right: left * right,
    "bvudiv": lambda _, left, right: z3.UDiv(left, right),
    "bvurem": lambda _, left, right: z3.URem(left, right),
    "bvsdiv": lambda _, left, right: left / right,
    "bvsrem": lambda _, left, right: z3.SRem(left, right),
    "bvsmod": lambda _, left, right: left % right,
    "bvand": lambda _, left, right: left & right,
    "bvor": lambda _, left, right: left | right,
    "bvxor": lambda _, left, right: left ^ right,
    "bvnand": lambda _, left, right: ~(left & right),
    "bvnor": lambda _, left, right: ~(left | right),
    "bvxnor": lambda _, left, right: ~(left ^ right),
    "bvshl": lambda _, left, right: left << right,
    "bvlshr": lambda _, left, right: z3.LShR(left, right),
    "bvashr": lambda _, left, right: left >> right,
    "bvult": lambda _, left, right: z3.ULT(left, right),
    "bvule": lambda _, left, right: z3.ULE(left, right),
    "bvslt": lambda _, left, right: left < right,
    "bvsle": lambda _, left, right: left <= right,
}
