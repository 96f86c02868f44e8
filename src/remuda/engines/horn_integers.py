"""Translates Horn clauses over bit-vectors to mathematical integers: a guess that is often right.

    x < 100bv32, x + 1bv32       become       x < 100, x + 1

Solvers find conditions on integers where they find none on bit-vectors. A solution is translated back to bit-vectors
that are wide enough not to wrap, once signed and once unsigned. If the guess is wrong, so is the solution; callers
must check it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, final

from remuda.terms.bit_operators import signed
from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.term import postorder
from remuda.terms.types import INT, BvType, MapType

if TYPE_CHECKING:
    from remuda.terms.store import Terms
    from remuda.terms.term import Term
    from remuda.terms.types import Type

WIDE: Final = 64  # bits of the terms that are translated back
ARITHMETIC: Final = {"bvadd": "add", "bvsub": "sub", "bvmul": "mul"}
UNSIGNED: Final = frozenset({"bvult", "bvule", "bvudiv", "bvurem", "zero_extend"})
SAME: Final = frozenset({"sign_extend", "zero_extend", "bv2nat", "bv2int", "int2bv"})


@final
class IntegerClauses:
    """Rules over integers for rules over bit-vectors, with their own predicates. With `natural`, all numbers are
    unsigned; otherwise only the operands of unsigned operators."""

    def __init__(self, terms: Terms, rules: Sequence[Term], predicates: Sequence[Function], *, natural: bool) -> None:
        self._terms = terms
        self._natural = natural
        self._variables: dict[Variable, Variable] = {}
        self.predicates: dict[Function, Function] = {
            each: Function(each.name, tuple(map(self._variable, each.parameters)), each.result) for each in predicates
        }
        self.rules = [self._rule(rule) for rule in rules]

    def _variable(self, variable: Variable) -> Variable:
        if variable not in self._variables:
            type_ = _without_bits(variable.type)
            is_same = type_ == variable.type
            self._variables[variable] = variable if is_same else Variable(variable.name, type_, variable.kind)
        return self._variables[variable]

    def _rule(self, rule: Term) -> Term:
        terms = self._terms
        body = rule.args[0] if rule.op == "forall" else rule
        bound = list(map(self._variable, rule.payload.variables)) if rule.op == "forall" else []
        new: dict[Term, Term] = {}
        natural: dict[Term, None] = {}
        for term in postorder([body]):
            arguments = [new[each] for each in term.args]
            new[term] = self._made(term, arguments, bound)
            if term.op in UNSIGNED:
                natural.update(dict.fromkeys(each for each in arguments if each.op == "var"))
            elif self._natural and term.op == "var" and isinstance(term.type, BvType):
                natural[new[term]] = None
        known = [terms.le(terms.integer(0), each) for each in natural if each.type == INT]
        whole = terms.implies(terms.and_(known), new[body])
        return terms.quantifier("forall", tuple(bound), whole) if bound else whole

    def _made(self, term: Term, args: list[Term], bound: list[Variable]) -> Term:
        terms = self._terms
        match term.op:
            case "var":
                return terms.var(self._variable(term.payload))
            case "bv":
                return terms.integer(signed(*term.payload))
            case "apply" if term.payload in self.predicates:
                return terms.apply(self.predicates[term.payload], args)
            case "bvadd" | "bvsub" | "bvmul":
                return terms.arithmetic(ARITHMETIC[term.op], *args)
            case "bvneg":
                return terms.neg(args[0])
            case "bvult" | "bvslt":
                return terms.lt(*args)
            case "bvule" | "bvsle":
                return terms.le(*args)
            case "bvudiv" | "bvsdiv" if args[1].op == "int":
                return terms.div(*args)
            case "bvurem" | "bvsrem" if args[1].op == "int":
                return terms.mod(*args)
            case "extract" if term.payload[1] == 0 and args[0].type == INT:
                return args[0]
            case op if op in SAME and args[0].type == INT:
                return args[0]
            case op if _without_bits(term.type) == term.type or op in {"ite", "store", "select"}:
                if not any(each.type != old.type for each, old in zip(args, term.args, strict=True)):
                    return terms.rebuild(term, tuple(args))
                return self._structural(term, args, bound)
            case _:
                return self._anything(term.type, bound)

    def _structural(self, term: Term, args: list[Term], bound: list[Variable]) -> Term:
        """The translation of operators that are independent of types, such as `and` and `eq`."""
        terms = self._terms
        makers: dict[str, Callable[[], Term]] = {
            "eq": lambda: terms.eq(*args),
            "ite": lambda: terms.ite(*args),
            "select": lambda: terms.select(args[0], args[1:]),
            "store": lambda: terms.store(args[0], args[1:-1], args[-1]),
            "distinct": lambda: terms.distinct(args),
        }
        return makers[term.op]() if term.op in makers else self._anything(term.type, bound)

    def _anything(self, type_: Type, bound: list[Variable]) -> Term:
        variable = Variable("any", _without_bits(type_), VariableKind.BOUND)
        bound.append(variable)
        return self._terms.var(variable)

    def taken_back(self, solution: Mapping[Function, Term]) -> Iterator[dict[Function, Term]]:
        """The solutions over bit-vectors: with signed numbers, and with unsigned ones."""
        for extend in ("sign_extend", "zero_extend"):
            found: dict[Function, Term] = {}
            for original, predicate in self.predicates.items():
                if predicate in solution:
                    back = dict(zip(predicate.parameters, original.parameters, strict=True))
                    said = solution[predicate]
                    parts = said.args if said.op == "and" else (said,)
                    read = [self._bits(part, back, extend) for part in parts]
                    found[original] = self._terms.and_([each for each in read if each is not None])
            yield found

    def _bits(self, condition: Term, back: Mapping[Variable, Variable], extend: str) -> Term | None:
        """A condition over integers as one over bit-vectors; None if there is none."""
        terms = self._terms
        new: dict[Term, Term] = {}
        for term in postorder([condition]):
            args = [new[each] for each in term.args]
            made = _wide(terms, term, args, back, extend)
            if made is None:
                return None
            new[term] = made
        return new[condition]


def _wide(terms: Terms, term: Term, args: list[Term], back: Mapping[Variable, Variable], extend: str) -> Term | None:
    """A term over integers as one over wide bit-vectors; None if there is none."""
    match term.op:
        case "var":
            original = back.get(term.payload, term.payload)
            if isinstance(original.type, BvType) and original.type.width <= WIDE:
                return terms.extend(extend, terms.var(original), WIDE - original.type.width)
            return terms.var(original) if original.type == term.type and term.type != INT else None
        case "int":
            return terms.bitvector(term.payload & ((1 << WIDE) - 1), WIDE)
        case "add" | "sub" | "mul":
            return terms.bv("bv" + term.op, args)
        case "neg":
            return terms.bv("bvneg", args)
        case "lt":
            return terms.bv("bvslt", args)
        case "le":
            return terms.bv("bvsle", args)
        case "eq":
            return terms.eq(*args) if args[0].type == args[1].type else None
        case "mod" if term.args[1].op == "int" and term.args[1].payload > 0:
            return terms.bv("bvsmod", args)
        case "ite":
            return terms.ite(*args)
        case "and" | "or" | "not" | "implies" | "bool":
            return terms.rebuild(term, tuple(args))
        case _:
            return None


def _without_bits(type_: Type) -> Type:
    if isinstance(type_, BvType):
        return INT
    if isinstance(type_, MapType):
        return MapType(tuple(map(_without_bits, type_.domain)), _without_bits(type_.range))
    return type_


def has_bits(rules: Sequence[Term]) -> bool:
    return any(isinstance(term.type, BvType) for term in postorder(rules))
