"""The rules by which the store simplifies bit-vectors: they compute literals, and normalize simple equal terms.

    bvadd(bvadd(x, 1), 2)                     bvadd(x, 3)
    extract(zero_extend(x, 24), 8, 0)         x, if it has 8 bits
    concat(x[16:8], x[8:0])                   x[16:0]
    bvslt(if c then 1 else 0, 1)              !c

Every rule inspects only the term and its arguments, and never makes a term larger. None means that no rule applies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from remuda.terms.bit_operators import BINARY, COMPARISONS, RESIZINGS, UNARY, mask, signed
from remuda.terms.types import BvType

if TYPE_CHECKING:
    from remuda.terms.store import Terms
    from remuda.terms.term import Term

# A rule takes the store, the operand that is no literal, the literal's value, and the width.
Rule = Callable[["Terms", "Term", int, int], "Term | None"]

EXTENSIONS: Final = frozenset({"zero_extend", "sign_extend"})
_COMMUTATIVE: Final = frozenset({"bvadd", "bvmul", "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor"})
# The result bits of these operators depend on the same and lower bits only.
_LOW_BITS: Final = frozenset({"bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor"})


def _width(term: Term) -> int:
    width: int = term.type.width  # type: ignore[attr-defined]
    return width


def _is_choice(term: Term) -> bool:
    """Whether the term is an if-then-else of two literals."""
    return term.op == "ite" and term.args[1].op == "bv" and term.args[2].op == "bv"


# --- one operand


def simplify_unary(store: Terms, op: str, term: Term) -> Term | None:
    if term.op == op:
        return term.args[0]
    if term.op == "bv":
        value, width = term.payload
        return store.bitvector(UNARY[op](value, width), width)
    if _is_choice(term):
        condition, then, otherwise = term.args
        return store.ite(condition, store.bv(op, (then,)), store.bv(op, (otherwise,)))
    return None


# --- two operands


def simplify_binary(store: Terms, op: str, left: Term, right: Term) -> Term | None:
    if right.op == "bv":
        if left.op == "bv":
            return _compute(store, op, left, right)
        return _with_literal(store, op, left, right)
    if left.op == "bv":
        if op in _COMMUTATIVE:
            return store.bv(op, (right, left))
        return _after_literal(store, op, left, right)
    if left is right:
        rule = _SAME.get(op)
        return None if rule is None else rule(store, left)
    if op == "bvsub" and left.op == "bvadd":
        if left.args[0] is right:
            return left.args[1]
        return left.args[0] if left.args[1] is right else None
    if left.op in EXTENSIONS and left.op == right.op and left.payload == right.payload:
        narrow = _NARROWED.get((op, left.op))
        return None if narrow is None else store.bv(narrow, (left.args[0], right.args[0]))
    return None


def _compute(store: Terms, op: str, left: Term, right: Term) -> Term:
    value, width = left.payload
    comparison = COMPARISONS.get(op)
    if comparison is not None:
        return store.boolean(comparison(value, right.payload[0], width))
    return store.bitvector(BINARY[op](value, right.payload[0], width), width)


def _with_literal(store: Terms, op: str, left: Term, right: Term) -> Term | None:
    value, width = right.payload
    rule = _RIGHT_LITERAL.get(op)
    found = None if rule is None else rule(store, left, value, width)
    if found is None and _is_choice(left):
        condition, then, otherwise = left.args
        return store.ite(condition, _compute(store, op, then, right), _compute(store, op, otherwise, right))
    return found


def _after_literal(store: Terms, op: str, left: Term, right: Term) -> Term | None:
    value, width = left.payload
    rule = _LEFT_LITERAL.get(op)
    found = None if rule is None else rule(store, right, value, width)
    if found is None and _is_choice(right):
        condition, then, otherwise = right.args
        return store.ite(condition, _compute(store, op, left, then), _compute(store, op, left, otherwise))
    return found


def _add(store: Terms, left: Term, value: int, width: int) -> Term | None:
    if value == 0:
        return left
    if left.op == "bvadd" and left.args[1].op == "bv":
        return store.bv("bvadd", (left.args[0], store.bitvector(left.args[1].payload[0] + value, width)))
    if left.op == "bvsub" and left.args[1].op == "bv":
        return store.bv("bvadd", (left.args[0], store.bitvector(value - left.args[1].payload[0], width)))
    return None


def _subtract(store: Terms, left: Term, value: int, width: int) -> Term | None:
    if value == 0:
        return left
    if left.op == "bvadd" and left.args[1].op == "bv":
        return store.bv("bvadd", (left.args[0], store.bitvector(left.args[1].payload[0] - value, width)))
    if left.op == "bvsub" and left.args[1].op == "bv":
        return store.bv("bvsub", (left.args[0], store.bitvector(left.args[1].payload[0] + value, width)))
    return None


def _multiply(store: Terms, left: Term, value: int, width: int) -> Term | None:
    if value == 1:
        return left
    return store.bitvector(0, width) if value == 0 else None


def _divide(_: Terms, left: Term, value: int, width: int) -> Term | None:
    return left if value == 1 and width > 1 else None  # the value of a single set bit is -1


def _remainder(store: Terms, _: Term, value: int, width: int) -> Term | None:
    return store.bitvector(0, width) if value == 1 and width > 1 else None


def _and(store: Terms, left: Term, value: int, width: int) -> Term | None:
    if value == 0:
        return store.bitvector(0, width)
    return left if value == mask(width) else None


def _or(store: Terms, left: Term, value: int, width: int) -> Term | None:
    if value == 0:
        return left
    return store.bitvector(value, width) if value == mask(width) else None


def _xor(store: Terms, left: Term, value: int, width: int) -> Term | None:
    if value == 0:
        return left
    return store.bv("bvnot", (left,)) if value == mask(width) else None


def _shift(store: Terms, left: Term, value: int, width: int) -> Term | None:
    if value == 0:
        return left
    return store.bitvector(0, width) if value >= width else None


def _shift_signed(_: Terms, left: Term, value: int, __: int) -> Term | None:
    return left if value == 0 else None


def _shifted_zero(store: Terms, _: Term, value: int, width: int) -> Term | None:
    return store.bitvector(0, width) if value == 0 else None


def _limit(*, signed_: bool, largest: bool, answer: bool) -> Rule:
    """The rule of a comparison with the smallest or the largest value, which always or never holds."""

    def rule(store: Terms, _: Term, value: int, width: int) -> Term | None:
        number = signed(value, width) if signed_ else value
        half = 1 << (width - 1) if width else 0
        low, high = (-half, half - 1) if signed_ else (0, mask(width))
        return store.boolean(answer) if number == (high if largest else low) else None

    return rule


_RIGHT_LITERAL: Final[dict[str, Rule]] = {
    "bvadd": _add,
    "bvsub": _subtract,
    "bvmul": _multiply,
    "bvudiv": _divide,
    "bvsdiv": _divide,
    "bvurem": _remainder,
    "bvsrem": _remainder,
    "bvand": _and,
    "bvor": _or,
    "bvxor": _xor,
    "bvshl": _shift,
    "bvlshr": _shift,
    "bvashr": _shift_signed,
    "bvult": _limit(signed_=False, largest=False, answer=False),
    "bvule": _limit(signed_=False, largest=True, answer=True),
    "bvslt": _limit(signed_=True, largest=False, answer=False),
    "bvsle": _limit(signed_=True, largest=True, answer=True),
}

_LEFT_LITERAL: Final[dict[str, Rule]] = {
    "bvsub": lambda store, right, value, _: store.bv("bvneg", (right,)) if value == 0 else None,
    "bvshl": _shifted_zero,
    "bvlshr": _shifted_zero,
    "bvashr": _shifted_zero,
    "bvult": _limit(signed_=False, largest=True, answer=False),
    "bvule": _limit(signed_=False, largest=False, answer=True),
    "bvslt": _limit(signed_=True, largest=True, answer=False),
    "bvsle": _limit(signed_=True, largest=False, answer=True),
}

_SAME: Final[dict[str, Callable[[Terms, Term], Term]]] = {
    "bvsub": lambda store, term: store.bitvector(0, _width(term)),
    "bvxor": lambda store, term: store.bitvector(0, _width(term)),
    "bvand": lambda _, term: term,
    "bvor": lambda _, term: term,
    "bvult": lambda store, _: store.boolean(False),
    "bvslt": lambda store, _: store.boolean(False),
    "bvule": lambda store, _: store.boolean(True),
    "bvsle": lambda store, _: store.boolean(True),
}

# The comparison that gives the same result before two operands are extended in the same way.
_NARROWED: Final = {
    ("bvult", "zero_extend"): "bvult",
    ("bvule", "zero_extend"): "bvule",
    ("bvslt", "zero_extend"): "bvult",
    ("bvsle", "zero_extend"): "bvule",
    ("bvult", "sign_extend"): "bvult",
    ("bvule", "sign_extend"): "bvule",
    ("bvslt", "sign_extend"): "bvslt",
    ("bvsle", "sign_extend"): "bvsle",
}


def simplify_equality(store: Terms, term: Term, literal: Term) -> Term | None:
    """A simpler equality of a term and a bit-vector literal."""
    if term.op not in EXTENSIONS:
        return None
    (inner,) = term.args
    width = _width(inner)
    value = literal.payload[0]
    low = value & mask(width)
    if RESIZINGS[term.op](low, term.payload, width) != value:
        return store.boolean(False)
    return store.eq(inner, store.bitvector(low, width))


# --- other sizes


def simplify_resizing(store: Terms, op: str, term: Term, bits: int) -> Term | None:
    """A simpler form of an extension, rotation or repetition; `bits` is greater than 0."""
    if term.op == "bv":
        value, width = term.payload
        result = width + bits if op in EXTENSIONS else width * bits if op == "repeat" else width
        return store.bitvector(RESIZINGS[op](value, bits, width), result)
    if op not in EXTENSIONS:
        return None
    if term.op in {op, "zero_extend"}:
        return store.extend(term.op, term.args[0], term.payload + bits)
    if _is_choice(term):
        condition, then, otherwise = term.args
        return store.ite(condition, store.extend(op, then, bits), store.extend(op, otherwise, bits))
    return None


def simplify_extract(store: Terms, term: Term, end: int, start: int) -> Term | None:
    extensions: list[tuple[str, int]] = []
    inner, low = _descend(term, end, start, extensions)
    width = end - start - sum([bits for _, bits in extensions])
    found = inner if low == 0 and width == _width(inner) else _extract_simply(store, inner, low + width, low)
    if found is None:
        if inner is term:
            return None
        found = store.make("extract", (inner,), (low + width, low), BvType(width))
    for op, bits in reversed(extensions):
        found = store.extend(op, found, bits)
    return found


def _descend(term: Term, end: int, start: int, extensions: list[tuple[str, int]]) -> tuple[Term, int]:
    """The innermost term that has the bits, and where they start in it.

    It appends the extensions of the bits to `extensions`, the outermost first. It is a loop and not a recursion,
    because concatenations may be nested deeply.
    """
    while True:
        if term.op == "extract":
            start, end = start + term.payload[1], end + term.payload[1]
            (term,) = term.args
        elif term.op == "concat":
            high, low = term.args
            middle = _width(low)
            if end <= middle:
                term = low
            elif start >= middle:
                term, end, start = high, end - middle, start - middle
            else:
                return term, start
        elif term.op in EXTENSIONS and start < _width(term.args[0]):
            width = _width(term.args[0])
            if start == 0 and end == width + term.payload:
                return term, 0
            if end > width:
                extensions.append((term.op, end - width))
                end = width
            (term,) = term.args
        else:
            return term, start


def _extract_simply(store: Terms, term: Term, end: int, start: int) -> Term | None:
    if term.op == "bv":
        return store.bitvector((term.payload[0] >> start) & mask(end - start), end - start)
    if term.op == "zero_extend":  # only the leading zeros
        return store.bitvector(0, end - start)
    if _is_choice(term):
        condition, then, otherwise = term.args
        return store.ite(condition, store.extract(then, end, start), store.extract(otherwise, end, start))
    if start == 0 and term.op in _LOW_BITS and _is_narrow(term.args[0], end) and _is_narrow(term.args[1], end):
        return store.bv(term.op, [store.extract(argument, end, 0) for argument in term.args])
    return None


def _is_narrow(term: Term, width: int) -> bool:
    """Whether taking the low bits of a term makes no new term: it is a literal, or an extension of at most `width`
    bits."""
    return term.op == "bv" or (term.op in EXTENSIONS and _width(term.args[0]) <= width)


def simplify_concat(store: Terms, high: Term, low: Term) -> Term | None:
    if high.op == "bv":
        value, width = high.payload
        if low.op == "bv":
            return store.bitvector((value << low.payload[1]) | low.payload[0], width + low.payload[1])
        return store.extend("zero_extend", low, width) if value == 0 else None
    if high.op == "extract" and low.op == "extract":
        if high.args[0] is low.args[0] and high.payload[1] == low.payload[0]:
            return store.extract(high.args[0], high.payload[0], low.payload[1])
    return None
