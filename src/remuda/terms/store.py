"""The store that makes terms, with a few simplifications that are always valid and always cheap."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from remuda.terms.bit_operators import BINARY, COMPARISONS, RESIZINGS, UNARY, signed
from remuda.terms.bit_rules import (
    EXTENSIONS,
    simplify_binary,
    simplify_concat,
    simplify_equality,
    simplify_extract,
    simplify_resizing,
    simplify_unary,
)
from remuda.terms.term import Binder, Term, postorder
from remuda.terms.types import BOOL, INT, REAL, BvType, FloatType, MapType, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from remuda.terms.symbols import Constructor, Function, Variable


@final
class Terms:
    """Interns terms: the same operator, arguments and payload give the same object."""

    __slots__ = ("_table", "false", "true")

    def __init__(self) -> None:
        self._table: dict[tuple[str, tuple[Term, ...], Any], Term] = {}
        self.true = self.make("bool", (), True, BOOL)
        self.false = self.make("bool", (), False, BOOL)

    def __iter__(self) -> Iterator[Term]:
        """All terms that were made so far, in this order."""
        return iter(self._table.values())

    def make(self, op: str, args: tuple[Term, ...], payload: Any, type_: Type) -> Term:  # noqa: ANN401
        """A term without simplification; callers outside this file prefer the methods below."""
        key = (op, args, payload)
        term = self._table.get(key)
        if term is None:
            term = Term(op, args, payload, type_, len(self._table))
            self._table[key] = term
        return term

    # --- leaves

    def boolean(self, value: bool) -> Term:  # noqa: FBT001
        return self.true if value else self.false

    def integer(self, value: int) -> Term:
        return self.make("int", (), value, INT)

    def real(self, value: Fraction) -> Term:
        return self.make("real", (), Fraction(value), REAL)

    def bitvector(self, value: int, width: int) -> Term:
        return self.make("bv", (), (value % (1 << width), width), BvType(width))

    def var(self, variable: Variable) -> Term:
        return self.make("var", (), variable, variable.type)

    def apply(self, function: Function, args: Sequence[Term]) -> Term:
        return self.make("apply", tuple(args), function, function.result)

    # --- booleans

    def not_(self, term: Term) -> Term:
        if term.op == "bool":
            return self.boolean(not term.payload)
        if term.op == "not":
            return term.args[0]
        return self.make("not", (term,), None, BOOL)

    def and_(self, terms: Iterable[Term]) -> Term:
        return self._junction("and", terms, self.true, self.false)

    def or_(self, terms: Iterable[Term]) -> Term:
        return self._junction("or", terms, self.false, self.true)

    def _junction(self, op: str, terms: Iterable[Term], unit: Term, zero: Term) -> Term:
        kept: dict[Term, None] = {}
        for term in terms:
            if term is zero:
                return zero
            if term is not unit:
                kept[term] = None
        if not kept:
            return unit
        if len(kept) == 1:
            return next(iter(kept))
        return self.make(op, tuple(kept), None, BOOL)

    def implies(self, premise: Term, conclusion: Term) -> Term:
        if premise is self.true:
            return conclusion
        if premise is self.false or conclusion is self.true:
            return self.true
        if conclusion is self.false:
            return self.not_(premise)
        return self.make("implies", (premise, conclusion), None, BOOL)

    def eq(self, left: Term, right: Term) -> Term:
        if left is right:
            return self.true
        if left.op in _UNIQUE_LITERALS and right.op in _UNIQUE_LITERALS:
            return self.false  # terms are interned, so different literals have different values
        if left.type == BOOL:
            if left.op == "bool":
                return right if left.payload else self.not_(right)
            if right.op == "bool":
                return left if right.payload else self.not_(left)
        simpler = None
        if right.op in _UNIQUE_LITERALS:
            simpler = self._equality(left, right)
        elif left.op in _UNIQUE_LITERALS:
            simpler = self._equality(right, left)
        elif left.op in EXTENSIONS and left.op == right.op and left.payload == right.payload:
            simpler = self.eq(left.args[0], right.args[0])
        return self.make("eq", (left, right), None, BOOL) if simpler is None else simpler

    def _equality(self, term: Term, literal: Term) -> Term | None:
        """A simpler form of `term == literal`, if the term is an `ite` of literals or an extended bit-vector."""
        if term.op == "ite":
            condition, then, otherwise = term.args
            if then.op not in _UNIQUE_LITERALS or otherwise.op not in _UNIQUE_LITERALS:
                return None
            return self.ite(condition, self.boolean(then is literal), self.boolean(otherwise is literal))
        return simplify_equality(self, term, literal)

    def distinct(self, terms: Sequence[Term]) -> Term:
        if len(terms) < 2:
            return self.true
        return self.make("distinct", tuple(terms), None, BOOL)

    def ite(self, condition: Term, then: Term, otherwise: Term) -> Term:
        if condition.op == "bool":
            return then if condition.payload else otherwise
        if then is otherwise:
            return then
        if then.type == BOOL:
            if then is self.true and otherwise is self.false:
                return condition
            if then is self.false and otherwise is self.true:
                return self.not_(condition)
        return self.make("ite", (condition, then, otherwise), None, then.type)

    # --- arithmetic

    def neg(self, term: Term) -> Term:
        if term.op in {"int", "real"}:
            return self._number(-term.payload, term.type)
        return self.make("neg", (term,), None, term.type)

    def arithmetic(self, op: str, left: Term, right: Term) -> Term:
        """`add`, `sub` or `mul` of two integers or two reals."""
        if left.op in {"int", "real"} and right.op == left.op:
            return self._number(_FOLD[op](left.payload, right.payload), left.type)
        return self.make(op, (left, right), None, left.type)

    def div(self, left: Term, right: Term) -> Term:
        if left.op == "int" and right.op == "int" and right.payload != 0:
            return self.integer(euclidean_div(left.payload, right.payload))
        return self.make("div", (left, right), None, INT)

    def mod(self, left: Term, right: Term) -> Term:
        if left.op == "int" and right.op == "int" and right.payload != 0:
            return self.integer(euclidean_mod(left.payload, right.payload))
        return self.make("mod", (left, right), None, INT)

    def realdiv(self, left: Term, right: Term) -> Term:
        if left.op == "real" and right.op == "real" and right.payload != 0:
            return self.real(left.payload / right.payload)
        return self.make("realdiv", (left, right), None, REAL)

    def pow_(self, base: Term, exponent: Term) -> Term:
        return self.make("pow", (base, exponent), None, base.type)

    def lt(self, left: Term, right: Term) -> Term:
        if left.op in {"int", "real"} and right.op == left.op:
            return self.boolean(left.payload < right.payload)
        return self.make("lt", (left, right), None, BOOL)

    def le(self, left: Term, right: Term) -> Term:
        if left.op in {"int", "real"} and right.op == left.op:
            return self.boolean(left.payload <= right.payload)
        return self.make("le", (left, right), None, BOOL)

    def to_real(self, term: Term) -> Term:
        if term.op == "int":
            return self.real(Fraction(term.payload))
        return self.make("to_real", (term,), None, REAL)

    def to_int(self, term: Term) -> Term:
        return self.make("to_int", (term,), None, INT)

    def _number(self, value: Any, type_: Type) -> Term:  # noqa: ANN401
        return self.integer(value) if type_ == INT else self.real(value)

    # --- bit-vectors and floats

    def concat(self, high: Term, low: Term) -> Term:
        if high.op in _JOINED:
            simpler = simplify_concat(self, high, low)
            if simpler is not None:
                return simpler
        return self.make("concat", (high, low), None, BvType(_width(high) + _width(low)))

    def extract(self, term: Term, end: int, start: int) -> Term:
        """The bits from `start` (included) to `end` (excluded), as in Boogie's `term[end:start]`."""
        simpler = simplify_extract(self, term, end, start)
        return self.make("extract", (term,), (end, start), BvType(end - start)) if simpler is None else simpler

    def bv(self, op: str, args: Sequence[Term]) -> Term:
        """An operator of the `bv*` family on operands of one width."""
        if len(args) == 1:
            simpler = simplify_unary(self, op, args[0])
        else:
            simpler = simplify_binary(self, op, args[0], args[1])
        if simpler is not None:
            return simpler
        type_ = BOOL if op in BV_COMPARISONS else args[0].type
        return self.make(op, tuple(args), None, type_)

    def extend(self, op: str, term: Term, bits: int) -> Term:
        """`zero_extend`, `sign_extend`, `rotate_left`, `rotate_right`, `repeat`."""
        if bits == 0 and op != "repeat":
            return term
        simpler = simplify_resizing(self, op, term, bits)
        if simpler is not None:
            return simpler
        width = _width(term)
        result = width + bits if op in EXTENSIONS else width * bits if op == "repeat" else width
        return self.make(op, (term,), bits, BvType(result))

    def bv2nat(self, term: Term) -> Term:
        if term.op == "bv":
            return self.integer(term.payload[0])
        return self.make("bv2nat", (term,), None, INT)

    def bv2int(self, term: Term) -> Term:
        if term.op == "bv":
            return self.integer(signed(*term.payload))
        return self.make("bv2int", (term,), None, INT)

    def int2bv(self, term: Term, width: int) -> Term:
        if term.op == "int":
            return self.bitvector(term.payload, width)
        return self.make("int2bv", (term,), width, BvType(width))

    def float_(self, bits: int, type_: FloatType) -> Term:
        return self.make("float", (), (bits, type_.significand, type_.exponent), type_)

    # --- maps, binders, datatypes

    def select(self, map_: Term, indices: Sequence[Term]) -> Term:
        """An element of a map. It skips stores at other indices, if these are obviously different."""
        assert isinstance(map_.type, MapType)
        range_ = map_.type.range
        wanted = tuple(indices)
        while map_.op == "store":
            stored = map_.args[1:-1]
            if stored == wanted:
                return map_.args[-1]
            if not _are_apart(stored, wanted):
                break
            map_ = map_.args[0]
        return self.make("select", (map_, *wanted), None, range_)

    def store(self, map_: Term, indices: Sequence[Term], value: Term) -> Term:
        if map_.op == "store" and map_.args[1:-1] == tuple(indices):
            map_ = map_.args[0]
        return self.make("store", (map_, *indices, value), None, map_.type)

    def quantifier(
        self,
        op: str,
        variables: Sequence[Variable],
        body: Term,
        triggers: Sequence[Sequence[Term]] = (),
        weight: int | None = None,
    ) -> Term:
        """`forall` or `exists`."""
        if body.op == "bool":
            return body  # every type has a value
        binder = Binder(tuple(variables), tuple(len(trigger) for trigger in triggers), weight)
        terms = tuple(term for trigger in triggers for term in trigger)
        return self.make(op, (body, *terms), binder, BOOL)

    def lambda_(self, variables: Sequence[Variable], body: Term) -> Term:
        type_ = MapType(tuple(variable.type for variable in variables), body.type)
        return self.make("lambda", (body,), Binder(tuple(variables)), type_)

    def construct(self, constructor: Constructor, args: Sequence[Term]) -> Term:
        return self.make("construct", tuple(args), constructor, constructor.datatype)

    def field(self, constructor: Constructor, index: int, term: Term) -> Term:
        if term.op == "construct" and term.payload is constructor:
            return term.args[index]
        return self.make("field", (term,), (constructor, index), constructor.fields[index][1])

    def is_(self, constructor: Constructor, term: Term) -> Term:
        if term.op == "construct":
            return self.boolean(term.payload is constructor)
        return self.make("is", (term,), constructor, BOOL)

    def old(self, term: Term) -> Term:
        return self.make("old", (term,), None, term.type)

    # --- rewriting

    def rebuild(self, term: Term, args: tuple[Term, ...]) -> Term:
        """The same operator on other arguments of the same types, simplified again."""
        if args == term.args:
            return term
        rule = _REBUILD.get(term.op)
        if rule is not None:
            return rule(self, term, args)
        return self.make(term.op, args, term.payload, term.type)

    def rewrite(self, roots: Sequence[Term], leaf: Callable[[Term], Term | None]) -> list[Term]:
        """The roots with every subterm replaced for which `leaf` returns a term.

        `leaf` is called before the arguments are visited; None means that they are rewritten.
        """
        value: dict[Term, Term] = {}
        stack: list[tuple[Term, bool]] = [(root, False) for root in roots]
        while stack:
            term, ready = stack.pop()
            if ready:
                value[term] = self.rebuild(term, tuple([value[argument] for argument in term.args]))
                continue
            if term in value:
                continue
            replacement = leaf(term)
            if replacement is not None:
                value[term] = replacement
            elif not term.args:
                value[term] = term
            else:
                stack.append((term, True))
                stack.extend([(argument, False) for argument in term.args if argument not in value])
        return [value[root] for root in roots]

    def substitute(self, roots: Sequence[Term], replacement: Mapping[Variable, Term]) -> list[Term]:
        """The roots with variables replaced.

        Symbols are compared by identity, so a bound variable is captured only if the caller puts the same
        Variable object into a replacement.
        """
        if not replacement:
            return list(roots)

        # Front ends and passes spend much of their time here, so unchanged terms cost no function calls.
        value: dict[Term, Term] = {}
        for root in roots:
            stack = [root]
            while stack:
                term = stack[-1]
                if term in value:
                    stack.pop()
                    continue
                args = term.args
                if not args:
                    value[term] = replacement.get(term.payload, term) if term.op == "var" else term
                    stack.pop()
                    continue
                is_ready = is_same = True
                for argument in args:
                    new = value.get(argument)
                    if new is None:
                        if argument.args:
                            stack.append(argument)
                            is_ready = False
                            continue
                        new = replacement.get(argument.payload, argument) if argument.op == "var" else argument
                        value[argument] = new
                    if new is not argument:
                        is_same = False
                if is_ready:
                    stack.pop()
                    value[term] = term if is_same else self.rebuild(term, tuple([value[each] for each in args]))
        return [value[root] for root in roots]


def _are_apart(left: Sequence[Term], right: Sequence[Term]) -> bool:
    """Whether two index tuples obviously differ: by literals, or by different numbers added to the same term."""
    for one, other in zip(left, right, strict=True):
        base, offset = _offset(one)
        other_base, other_offset = _offset(other)
        if base is other_base and offset != other_offset:
            return True
    return False


def _offset(term: Term) -> tuple[Term | None, int]:
    """A term as the sum of a term and a number; None instead of a term if it is a literal."""
    if term.op == "bv":
        return None, term.payload[0]
    if term.op == "int":
        return None, term.payload
    if term.op == "bvadd" and term.args[1].op == "bv":
        return term.args[0], term.args[1].payload[0]
    if term.op == "add" and term.args[1].op == "int":
        return term.args[0], term.args[1].payload
    return term, 0


def euclidean_div(left: int, right: int) -> int:
    """SMT-LIB's and Boogie's integer division: the remainder is never negative."""
    quotient = left // abs(right)
    return quotient if right > 0 else -quotient


def euclidean_mod(left: int, right: int) -> int:
    return left % abs(right)


def contains_op(roots: Iterable[Term], ops: frozenset[str]) -> bool:
    """Whether one of the operators occurs below the roots."""
    return any(term.op in ops for term in postorder(roots))


def _width(term: Term) -> int:
    assert isinstance(term.type, BvType)
    return term.type.width


BV_COMPARISONS = frozenset(COMPARISONS)

_UNIQUE_LITERALS = frozenset({"int", "real", "bv", "bool"})
_JOINED = frozenset({"bv", "extract"})  # operators of a high part that a concatenation may simplify

_FOLD: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda left, right: left + right,
    "sub": lambda left, right: left - right,
    "mul": lambda left, right: left * right,
}

_REBUILD: dict[str, Callable[[Terms, Term, tuple[Term, ...]], Term]] = {
    "not": lambda store, _, args: store.not_(args[0]),
    "and": lambda store, _, args: store.and_(args),
    "or": lambda store, _, args: store.or_(args),
    "implies": lambda store, _, args: store.implies(*args),
    "eq": lambda store, _, args: store.eq(*args),
    "ite": lambda store, _, args: store.ite(*args),
    "neg": lambda store, _, args: store.neg(*args),
    "add": lambda store, _, args: store.arithmetic("add", *args),
    "sub": lambda store, _, args: store.arithmetic("sub", *args),
    "mul": lambda store, _, args: store.arithmetic("mul", *args),
    "div": lambda store, _, args: store.div(*args),
    "mod": lambda store, _, args: store.mod(*args),
    "lt": lambda store, _, args: store.lt(*args),
    "le": lambda store, _, args: store.le(*args),
    "to_real": lambda store, _, args: store.to_real(*args),
    "concat": lambda store, _, args: store.concat(*args),
    "extract": lambda store, term, args: store.extract(args[0], *term.payload),
    **dict.fromkeys([*UNARY, *BINARY, *COMPARISONS], lambda store, term, args: store.bv(term.op, args)),
    **dict.fromkeys(RESIZINGS, lambda store, term, args: store.extend(term.op, args[0], term.payload)),
    "bv2nat": lambda store, _, args: store.bv2nat(*args),
    "bv2int": lambda store, _, args: store.bv2int(*args),
    "int2bv": lambda store, term, args: store.int2bv(args[0], term.payload),
    "select": lambda store, _, args: store.select(args[0], args[1:]),
    "field": lambda store, term, args: store.field(term.payload[0], term.payload[1], args[0]),
    "is": lambda store, term, args: store.is_(term.payload, args[0]),
}
