"""The store's simplifications keep the value of every term, and find simple equal terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.replay.evaluate import Evaluator
from remuda.replay.scopes import Environment
from remuda.terms.bit_operators import BINARY, COMPARISONS, RESIZINGS, UNARY
from remuda.terms.store import Terms
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import Term, postorder
from remuda.terms.types import BOOL, INT, BvType, Type
from tests.hypothesis_settings import few

if TYPE_CHECKING:
    from remuda.terms.values import Value

WIDTHS = (1, 2, 3, 5)
WIDEST = 12
RAW = Terms()
TERMS = Terms()
BITS = {
    width: [Variable(f"{name}{width}", BvType(width), VariableKind.LOCAL) for name in "xy"]
    for width in range(1, WIDEST + 1)
}
BOOLS = [Variable(name, BOOL, VariableKind.LOCAL) for name in "pq"]


def raw_leaves(width: int) -> st.SearchStrategy[Term]:
    literals = st.integers(0, 2**width - 1)
    interesting = st.sampled_from(sorted({0, 1, 2**width - 1, 2 ** (width - 1), 2 ** (width - 1) - 1}))
    return st.one_of(
        st.sampled_from(BITS[width]).map(RAW.var),
        st.one_of(literals, interesting).map(lambda value: RAW.bitvector(value, width)),
    )


@dataclass(frozen=True)
class Family:
    """Terms of some operators only, so that those meet each other often."""

    kinds: tuple[str, ...]
    operators: tuple[str, ...] = tuple(sorted(BINARY))
    relations: tuple[str, ...] = ("eq", *sorted(COMPARISONS))


FAMILIES = {
    "all": Family(("unary", "binary", "binary", "ite", "choice", "extract", "concat", "extend")),
    "sums": Family(("binary",), ("bvadd", "bvsub")),
    "sizes": Family(("extract", "extract", "concat", "extend")),
    "low bits": Family(("extract", "binary", "extend"), ("bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor")),
    "relations": Family(("extend", "choice")),
}


def raw_unary(family: Family, width: int, depth: int) -> st.SearchStrategy[Term]:
    return st.builds(
        lambda op, argument: RAW.make(op, (argument,), None, BvType(width)),
        st.sampled_from(sorted(UNARY)),
        raw_bits(family, width, depth),
    )


def raw_binary(family: Family, width: int, depth: int) -> st.SearchStrategy[Term]:
    operands = raw_bits(family, width, depth)
    return st.builds(
        lambda op, left, right: RAW.make(op, (left, right), None, BvType(width)),
        st.sampled_from(family.operators),
        operands,
        operands,
    )


def raw_ite(family: Family, width: int, depth: int, inner: int) -> st.SearchStrategy[Term]:
    branches = raw_bits(family, width, inner)
    return st.builds(
        lambda condition, then, otherwise: RAW.make("ite", (condition, then, otherwise), None, BvType(width)),
        raw_bools(family, depth),
        branches,
        branches,
    )


@st.composite
def raw_extract(draw: st.DrawFn, family: Family, width: int, depth: int) -> Term:
    start = draw(st.integers(0, min(3, WIDEST - width)))
    rest = draw(st.integers(0, min(3, WIDEST - width - start)))
    argument = draw(raw_bits(family, start + width + rest, depth))
    return RAW.make("extract", (argument,), (start + width, start), BvType(width))


@st.composite
def raw_concat(draw: st.DrawFn, family: Family, width: int, depth: int) -> Term:
    low = draw(st.integers(1, width - 1))
    if draw(st.booleans()) and width < WIDEST:  # two parts of one term, often neighbours
        whole = draw(raw_bits(family, width, depth))
        cut = min(width - low, max(0, low + draw(st.sampled_from([0, 0, 0, 1]))))
        high = RAW.make("extract", (whole,), (cut + width - low, cut), BvType(width - low))
        return RAW.make("concat", (high, RAW.make("extract", (whole,), (low, 0), BvType(low))), None, BvType(width))
    parts = draw(raw_bits(family, width - low, depth)), draw(raw_bits(family, low, depth))
    return RAW.make("concat", parts, None, BvType(width))


@st.composite
def raw_extend(draw: st.DrawFn, family: Family, width: int, depth: int) -> Term:
    bits = draw(st.integers(1, width - 1))
    op = draw(st.sampled_from(["zero_extend", "sign_extend"]))
    return RAW.make(op, (draw(raw_bits(family, width - bits, depth)),), bits, BvType(width))


@st.composite
def raw_bits(draw: st.DrawFn, family: Family, width: int, depth: int) -> Term:
    """A bit-vector term that no rule has seen."""
    if depth == 0:
        return draw(raw_leaves(width))
    kind = draw(st.sampled_from(("leaf", *family.kinds)))
    if kind in {"concat", "extend"} and width == 1:
        kind = "leaf"
    match kind:
        case "unary":
            return draw(raw_unary(family, width, depth - 1))
        case "binary":
            return draw(raw_binary(family, width, depth - 1))
        case "ite" | "choice":
            return draw(raw_ite(family, width, depth - 1, depth - 1 if kind == "ite" else 0))
        case "extract":
            return draw(raw_extract(family, width, depth - 1))
        case "concat":
            return draw(raw_concat(family, width, depth - 1))
        case "extend":
            return draw(raw_extend(family, width, depth - 1))
        case _:
            return draw(raw_leaves(width))


@st.composite
def raw_bools(draw: st.DrawFn, family: Family, depth: int) -> Term:
    if depth == 0:
        return RAW.var(draw(st.sampled_from(BOOLS)))
    width = draw(st.sampled_from(WIDTHS))
    operands = draw(raw_bits(family, width, depth - 1)), draw(raw_bits(family, width, depth - 1))
    return RAW.make(draw(st.sampled_from(family.relations)), operands, None, BOOL)


def simplified(root: Term) -> Term:
    """The term as the store's own methods make it."""
    done: dict[Term, Term] = {}
    for term in postorder([root]):
        args = tuple([done[argument] for argument in term.args])
        done[term] = TERMS.rebuild(term, args) if args else TERMS.make(term.op, (), term.payload, term.type)
    return done[root]


def values() -> st.SearchStrategy[dict[Variable, Value]]:
    kinds: dict[Variable, st.SearchStrategy[Value]] = dict.fromkeys(BOOLS, st.booleans())
    for width, variables in BITS.items():
        kinds.update(dict.fromkeys(variables, st.integers(0, 2**width - 1)))
    return st.fixed_dictionaries(kinds)


@pytest.mark.parametrize("name", FAMILIES)
@few(150)
@given(data=st.data(), chosen=values())
def test_simplified_terms_have_the_same_value(name: str, data: st.DataObject, chosen: dict[Variable, Value]) -> None:
    family = FAMILIES[name]
    bits = st.sampled_from(WIDTHS).flatmap(lambda width: raw_bits(family, width, 3))
    root = data.draw(st.one_of(raw_bools(family, 3), bits))
    term = simplified(root)
    assert term.type == root.type
    value = Evaluator().evaluate(term, Environment(dict(chosen)))
    assert value == Evaluator().evaluate(root, Environment(dict(chosen)))


def test_operators_on_literals_are_computed() -> None:
    four = [TERMS.bitvector(value, 4) for value in range(16)]
    made = [TERMS.bv(op, (four[left], four[right])) for op in BINARY for left in (0, 5, 15) for right in (0, 3, 8)]
    made += [TERMS.bv(op, (four[5], four[12])) for op in COMPARISONS]
    made += [TERMS.bv(op, (four[5],)) for op in UNARY]
    made += [TERMS.extend(op, four[9], 2) for op in RESIZINGS]
    made += [
        TERMS.extract(four[9], 3, 1),
        TERMS.concat(four[1], four[2]),
        TERMS.bv2int(four[9]),
        TERMS.bv2nat(four[9]),
    ]
    made += [TERMS.int2bv(TERMS.integer(-1), 4)]
    assert {term.op for term in made} == {"bv", "bool", "int"}


# --- shapes


def variable(width: int = 8, name: str = "x") -> Term:
    return TERMS.var(Variable(name, BvType(width), VariableKind.LOCAL))


def boolean() -> Term:
    return TERMS.var(Variable("c", BOOL, VariableKind.LOCAL))


def literal(value: int, width: int = 8) -> Term:
    return TERMS.bitvector(value, width)


def one_or_zero(condition: Term, type_: Type) -> Term:
    if isinstance(type_, BvType):
        return TERMS.ite(condition, literal(1, type_.width), literal(0, type_.width))
    return TERMS.ite(condition, TERMS.integer(1), TERMS.integer(0))


def test_a_condition_that_becomes_a_number_and_is_tested_is_the_condition() -> None:
    condition = boolean()
    for zero, type_ in ((literal(0, 32), BvType(32)), (TERMS.integer(0), INT)):
        number = one_or_zero(condition, type_)
        assert TERMS.not_(TERMS.eq(number, zero)) is condition
        assert TERMS.eq(zero, number) is TERMS.not_(condition)
    byte = one_or_zero(condition, BvType(8))
    for op in ("zero_extend", "sign_extend"):
        assert TERMS.not_(TERMS.eq(TERMS.extend(op, byte, 24), literal(0, 32))) is condition
    assert TERMS.eq(byte, literal(2)) is TERMS.false
    assert TERMS.bv("bvslt", (literal(0), byte)) is condition
    assert TERMS.bv("bvxor", (byte, literal(1))) is TERMS.ite(condition, literal(0), literal(1))


def test_a_value_taken_apart_and_put_together_is_the_value() -> None:
    term = variable(32)
    parts = [TERMS.extract(term, start + 8, start) for start in range(0, 32, 8)]
    whole = parts[0]
    for part in parts[1:]:
        whole = TERMS.concat(part, whole)
    assert whole is term


def test_sums_of_literals_are_collected() -> None:
    term = variable()
    for _ in range(1_000):
        term = TERMS.bv("bvadd", (term, literal(1)))
    assert (term.op, term.args[1]) == ("bvadd", literal(1_000))
    assert TERMS.bv("bvsub", (term, term.args[1])).op == "var"
    left, right = variable(), variable()
    assert TERMS.bv("bvsub", (TERMS.bv("bvadd", (left, right)), left)) is right
    assert TERMS.bv("bvsub", (TERMS.bv("bvadd", (left, right)), right)) is left
    less = TERMS.bv("bvsub", (TERMS.bv("bvsub", (left, literal(3))), literal(4)))
    assert less is TERMS.bv("bvsub", (left, literal(7)))
    for op in ("bvshl", "bvlshr", "bvashr"):
        assert TERMS.bv(op, (left, literal(0))) is left


def test_short_values_are_compared_short() -> None:
    left, right = variable(8, "left"), variable(8, "right")
    for op in ("zero_extend", "sign_extend"):
        wide = TERMS.extend(op, left, 24), TERMS.extend(op, right, 24)
        assert TERMS.eq(*wide) is TERMS.eq(left, right)
        assert TERMS.eq(wide[0], literal(7, 32)) is TERMS.eq(left, literal(7))
        assert TERMS.eq(wide[0], literal(300, 32)) is TERMS.false
        assert TERMS.extract(TERMS.bv("bvadd", wide), 8, 0) is TERMS.bv("bvadd", (left, right))
    assert TERMS.eq(TERMS.extend("sign_extend", left, 24), literal(-1, 32)) is TERMS.eq(left, literal(-1))


def test_deep_concatenations_need_no_stack() -> None:
    term = variable(1)
    for index in range(20_000):
        term = TERMS.concat(variable(1, f"x{index}"), term)
    assert TERMS.extract(term, 1, 0) is not term
    assert TERMS.extract(term, 1, 0).op == "var"
