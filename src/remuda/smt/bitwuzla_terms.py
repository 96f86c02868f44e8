"""Bitwuzla's sorts and terms: the binding that `Translation` drives.

Bitwuzla knows bit-vectors, Booleans, floats, arrays and functions over them. It has no integers, reals, datatypes
or uninterpreted types: those are refused. It has no arrays given by a lambda: they become constants, see
`bitwuzla_lambdas`. Its arrays have one index, so several indices that are bit-vectors or Booleans are written one after
the other into one bit-vector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, final

import bitwuzla
from bitwuzla import BitwuzlaException, Kind

from remuda.base.errors import Unsupported
from remuda.smt.bitwuzla_lambdas import Lambda, LambdaArrays, require_independent
from remuda.smt.sorts import Sort, Sorts
from remuda.terms.types import (
    BOOL,
    ROUNDING,
    USUAL_FLOATS,
    BoolType,
    BvType,
    DataType,
    IntType,
    MapType,
    NamedType,
    RealType,
    Type,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.smt.translation import Builder
    from remuda.terms.term import Term

Node = Any  # Bitwuzla's own term; Bitwuzla ships no types

_LACKING: Final[dict[type[Type], str]] = {
    IntType: "bitwuzla has no integers: use --solver z3",
    RealType: "bitwuzla has no reals: use --solver z3",
    DataType: "bitwuzla has no datatypes: use --solver z3",
    NamedType: "bitwuzla has no uninterpreted types: use --solver z3",
}

_PLAIN: Final = {
    "not": Kind.NOT,
    "and": Kind.AND,
    "or": Kind.OR,
    "implies": Kind.IMPLIES,
    "ite": Kind.ITE,
    "eq": Kind.EQUAL,
    "distinct": Kind.DISTINCT,
    "concat": Kind.BV_CONCAT,
    "bvnot": Kind.BV_NOT,
    "bvneg": Kind.BV_NEG,
    "bvadd": Kind.BV_ADD,
    "bvsub": Kind.BV_SUB,
    "bvmul": Kind.BV_MUL,
    "bvudiv": Kind.BV_UDIV,
    "bvurem": Kind.BV_UREM,
    "bvsdiv": Kind.BV_SDIV,
    "bvsrem": Kind.BV_SREM,
    "bvsmod": Kind.BV_SMOD,
    "bvand": Kind.BV_AND,
    "bvor": Kind.BV_OR,
    "bvxor": Kind.BV_XOR,
    "bvnand": Kind.BV_NAND,
    "bvnor": Kind.BV_NOR,
    "bvxnor": Kind.BV_XNOR,
    "bvshl": Kind.BV_SHL,
    "bvlshr": Kind.BV_SHR,
    "bvashr": Kind.BV_ASHR,
    "bvult": Kind.BV_ULT,
    "bvule": Kind.BV_ULE,
    "bvslt": Kind.BV_SLT,
    "bvsle": Kind.BV_SLE,
    "fp_abs": Kind.FP_ABS,
    "fp_neg": Kind.FP_NEG,
    "fp_add": Kind.FP_ADD,
    "fp_sub": Kind.FP_SUB,
    "fp_mul": Kind.FP_MUL,
    "fp_div": Kind.FP_DIV,
    "fp_fma": Kind.FP_FMA,
    "fp_sqrt": Kind.FP_SQRT,
    "fp_rem": Kind.FP_REM,
    "fp_roundToIntegral": Kind.FP_RTI,
    "fp_min": Kind.FP_MIN,
    "fp_max": Kind.FP_MAX,
    "fp_leq": Kind.FP_LEQ,
    "fp_lt": Kind.FP_LT,
    "fp_geq": Kind.FP_GEQ,
    "fp_gt": Kind.FP_GT,
    "fp_eq": Kind.FP_EQUAL,
    "fp_isNormal": Kind.FP_IS_NORMAL,
    "fp_isSubnormal": Kind.FP_IS_SUBNORMAL,
    "fp_isZero": Kind.FP_IS_ZERO,
    "fp_isInfinite": Kind.FP_IS_INF,
    "fp_isNaN": Kind.FP_IS_NAN,
    "fp_isNegative": Kind.FP_IS_NEG,
    "fp_isPositive": Kind.FP_IS_POS,
}

_COUNTED: Final = {  # operators indexed by a number, their payload
    "zero_extend": Kind.BV_ZERO_EXTEND,
    "sign_extend": Kind.BV_SIGN_EXTEND,
    "rotate_left": Kind.BV_ROLI,
    "rotate_right": Kind.BV_RORI,
    "repeat": Kind.BV_REPEAT,
    "fp_to_ubv": Kind.FP_TO_UBV,
    "fp_to_sbv": Kind.FP_TO_SBV,
}

_TO_FLOAT: Final = {
    "to_fp_bits": Kind.FP_TO_FP_FROM_BV,
    "to_fp_float": Kind.FP_TO_FP_FROM_FP,
    "to_fp_sbv": Kind.FP_TO_FP_FROM_SBV,
    "to_fp_ubv": Kind.FP_TO_FP_FROM_UBV,
}

# What makes a value of a type that Bitwuzla lacks out of nothing, or out of one that it has.
_LEADING_OUT: Final = ("int", "real", "bv2nat", "bv2int", "fp_to_real", "construct")

_CONNECTIVES: Final = {kind: op for op, kind in _PLAIN.items() if op in {"ite", "eq", "and", "or", "not"}}


@final
class BitwuzlaBinding:
    """Sorts, constants and builders of one term manager."""

    def __init__(self, manager: bitwuzla.TermManager) -> None:
        self.manager = manager
        self.true: Node = manager.mk_true()
        self.false: Node = manager.mk_false()
        self._bits: tuple[Node, Node] = (self.vector(0, 1), self.vector(1, 1))
        self.sort = Sorts(self, {BOOL: manager.mk_bool_sort(), ROUNDING: manager.mk_rm_sort()}, _LACKING).sort
        self.builders: dict[str, Builder] = self._table()
        self.lambdas = LambdaArrays(manager, self._bound_parts)
        self.lambda_of: dict[Term, Lambda] = {}

    # --- sorts

    def bitvector_sort(self, width: int) -> Sort:
        return self.manager.mk_bv_sort(width)

    def float_sort(self, significand: int, exponent: int) -> Sort:
        if (significand, exponent) not in USUAL_FLOATS:
            raise Unsupported(
                None, f"float{significand}e{exponent}, such as `long double`, (with the solver bitwuzla)"
            )
        return self.manager.mk_fp_sort(exponent, significand)

    def map_sort(self, domain: Sequence[Type], value: Type) -> Sort:
        index = domain[0] if len(domain) == 1 else BvType(sum(index_widths(domain)))
        try:
            return self.manager.mk_array_sort(self.sort(index), self.sort(value))
        except BitwuzlaException as error:
            raise Unsupported(None, f"the type {MapType(tuple(domain), value)} (bitwuzla: {error})") from error

    def uninterpreted_sort(self, type_: NamedType) -> Sort:
        raise Unsupported(None, f"the type {type_} ({_LACKING[NamedType]})")

    # --- for the translation

    def constant(self, name: str, type_: Type) -> Node:
        return self.manager.mk_const(self.sort(type_), name)

    def declare(self, name: str, domain: Sequence[Type], result: Type) -> Node:
        sort = self.manager.mk_fun_sort([self.sort(type_) for type_ in domain], self.sort(result))
        return self.manager.mk_const(sort, name)

    def application(self, declaration: Node, arguments: Sequence[Node]) -> Node:
        return self.manager.mk_term(Kind.APPLY, [declaration, *arguments])

    def substitute(self, native: Node, parameters: Sequence[Node], actuals: Sequence[Node]) -> Node:
        if self.lambda_of and self._has_lambda(native):
            raise Unsupported(None, "a lambda expression inside a function (with the solver bitwuzla)")
        return self.manager.substitute_term(native, dict(zip(parameters, actuals, strict=True)))

    def definition(self, bound: Sequence[Node], application: Node, body: Node) -> Node:
        equation = self.manager.mk_term(Kind.EQUAL, [application, body])
        return self._quantifier(Kind.FORALL, bound, equation) if bound else equation

    def builtin(self, operator: str, parameters: Sequence[Node], result: Type) -> Node | None:
        """Let Bitwuzla parse `(operator p0 p1)` over constants declared with the text of their sorts."""
        names = [f"remuda.{position}" for position in range(len(parameters))]
        lines = [
            f"(declare-const {name} {parameter.sort()})" for name, parameter in zip(names, parameters, strict=True)
        ]
        parser = bitwuzla.Parser(self.manager, bitwuzla.Options())
        try:
            parser.parse("".join(lines), parse_only=True, parse_file=False)
            declared = [parser.parse_term(name) for name in names]
            parsed = parser.parse_term(f"({operator} {' '.join(names)})" if names else operator)
        except BitwuzlaException:
            return None
        return self.substitute(parsed, declared, parameters) if parsed.sort() == self.sort(result) else None

    def bind(self, term: Term, bound: Sequence[Node], arguments: list[Node]) -> Node:
        """Bind variables, without the triggers, because Bitwuzla chooses instances by models."""
        require_independent(term, term.payload.variables)
        if term.op == "lambda":
            lambda_ = Lambda(self.manager.mk_const(self.sort(term.type)), tuple(bound), arguments[0])
            self.lambda_of[term] = lambda_
            self.lambdas.define(lambda_)
            return lambda_.array
        return self._quantifier(Kind.FORALL if term.op == "forall" else Kind.EXISTS, bound, arguments[0])

    def _quantifier(self, kind: Kind, bound: Sequence[Node], body: Node) -> Node:
        """Bitwuzla binds its own kind of variable, so the constants are replaced."""
        variables = [self.manager.mk_var(constant.sort(), constant.symbol()) for constant in bound]
        return self.manager.mk_term(kind, [*variables, self.substitute(body, bound, variables)])

    def _has_lambda(self, native: Node) -> bool:
        seen, stack = set(), [native]
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                stack += node.children()
        return any(self.lambdas.is_defined(node) for node in seen)

    def _bound_parts(self, index: Node, lambda_: Lambda) -> list[Node]:
        """The index of an array, as the indices that are written one after the other in it."""
        if len(lambda_.bound) == 1:
            return [index]
        parts, start = [], 0
        for constant in reversed(lambda_.bound):
            sort = constant.sort()
            width = 1 if sort.is_bool() else sort.bv_size()
            part = self.manager.mk_term(Kind.BV_EXTRACT, [index], [start + width - 1, start])
            parts.append(self.manager.mk_term(Kind.EQUAL, [part, self._bits[1]]) if sort.is_bool() else part)
            start += width
        return parts[::-1]

    # --- for reading models

    def connective(self, node: Node) -> str:
        return _CONNECTIVES.get(node.kind(), "")

    def arguments(self, node: Node) -> list[Node]:
        children: list[Node] = node.children()
        return children

    def ite(self, condition: Node, then: Node, otherwise: Node) -> Node:
        return self.manager.mk_term(Kind.ITE, [condition, then, otherwise])

    def boolean(self, *, value: bool) -> Node:
        return self.true if value else self.false

    def shown(self, node: Node) -> str:
        return str(node)

    def indices(self, whole: Node, domain: Sequence[Type]) -> list[Node]:
        """The indices that are written one after the other in the value of a map's index."""
        if len(domain) == 1:
            return [whole]
        number, indices = int(whole.value(2), 2), []
        for width, type_ in zip(reversed(index_widths(domain)), reversed(domain), strict=True):
            number, index = divmod(number, 1 << width)
            indices.append(self.boolean(value=index == 1) if type_ == BOOL else self.vector(index, width))
        return indices[::-1]

    # --- builders

    def vector(self, value: int, width: int) -> Node:
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), value)

    def _table(self) -> dict[str, Builder]:
        table: dict[str, Builder] = {}
        table.update({op: self._plain(kind) for op, kind in _PLAIN.items()})
        table.update({op: self._counted(kind) for op, kind in _COUNTED.items()})
        table.update({op: self._to_float(kind) for op, kind in _TO_FLOAT.items()})
        table.update({op: lambda term, _: self.sort(term.type) for op in _LEADING_OUT})  # which refuses
        modes = {mode.name: self.manager.mk_rm_value(mode) for mode in bitwuzla.RoundingMode}
        table.update(
            {
                "bool": lambda term, _: self.true if term.payload else self.false,
                "bv": lambda term, _: self.manager.mk_bv_value(self.sort(term.type), term.payload[0]),
                "float": self._float,
                "rounding": lambda term, _: modes[term.payload],
                "extract": self._extract,
                "select": self._select,
                "store": self._store,
            }
        )
        return table

    def _plain(self, kind: Kind) -> Builder:
        make = self.manager.mk_term
        return lambda _, args: make(kind, args)

    def _counted(self, kind: Kind) -> Builder:
        make = self.manager.mk_term
        return lambda term, args: make(kind, args, [term.payload])

    def _to_float(self, kind: Kind) -> Builder:
        def build(term: Term, args: list[Node]) -> Node:
            self.sort(term.type)  # which refuses what Bitwuzla does not have
            return self.manager.mk_term(kind, args, [term.payload.exponent, term.payload.significand])

        return build

    def _float(self, term: Term, _args: list[Node]) -> Node:
        self.sort(term.type)
        bits, significand, exponent = term.payload
        rest, fraction = divmod(bits, 1 << (significand - 1))
        sign, biased = divmod(rest, 1 << exponent)
        return self.manager.mk_fp_value(
            self.vector(sign, 1), self.vector(biased, exponent), self.vector(fraction, significand - 1)
        )

    def _extract(self, term: Term, args: list[Node]) -> Node:
        end, start = term.payload
        return self.manager.mk_term(Kind.BV_EXTRACT, args, [end - 1, start])

    def _select(self, term: Term, args: list[Node]) -> Node:
        map_, *indices = args
        if not indices:
            return map_
        return self.manager.mk_term(Kind.ARRAY_SELECT, [map_, self._index(indices, term.args[1:])])

    def _store(self, term: Term, args: list[Node]) -> Node:
        map_, *indices, value = args
        if not indices:
            return value
        return self.manager.mk_term(Kind.ARRAY_STORE, [map_, self._index(indices, term.args[1:-1]), value])

    def _index(self, indices: Sequence[Node], terms: Sequence[Term]) -> Node:
        if len(indices) == 1:
            return indices[0]
        zero, one = self._bits
        vectors = [
            self.ite(index, one, zero) if term.type == BOOL else index
            for index, term in zip(indices, terms, strict=True)
        ]
        return self.manager.mk_term(Kind.BV_CONCAT, vectors)


def index_widths(domain: Sequence[Type]) -> list[int]:
    """The number of bits of each index in the one bit-vector for all of them."""
    widths = []
    for type_ in domain:
        match type_:
            case BoolType():
                widths.append(1)
            case BvType(width) if width > 0:
                widths.append(width)
            case _:
                raise Unsupported(None, f"the type {type_} among several indices (with the solver bitwuzla)")
    return widths
