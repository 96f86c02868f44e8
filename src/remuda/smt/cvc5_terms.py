"""cvc5's sorts and terms: the binding that `Translation` drives.

cvc5's arrays have one index, so several indices become a tuple; maps of maps would do too, but their values in
models do not always have one default. cvc5 has no arrays given by a lambda, so those are not supported.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, final

import cvc5
from cvc5 import Kind

from remuda.base.errors import Unsupported
from remuda.smt.sorts import Sort, Sorts
from remuda.terms.types import BOOL, INT, REAL, ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remuda.smt.names import UniqueNames
    from remuda.smt.translation import Builder
    from remuda.terms.symbols import Constructor
    from remuda.terms.term import Term
    from remuda.terms.types import DataType, NamedType, Type

Node = Any  # cvc5's own term; cvc5 ships no types

_PLAIN = {
    "not": Kind.NOT,
    "and": Kind.AND,
    "or": Kind.OR,
    "implies": Kind.IMPLIES,
    "ite": Kind.ITE,
    "eq": Kind.EQUAL,
    "distinct": Kind.DISTINCT,
    "neg": Kind.NEG,
    "add": Kind.ADD,
    "sub": Kind.SUB,
    "mul": Kind.MULT,
    "div": Kind.INTS_DIVISION,
    "mod": Kind.INTS_MODULUS,
    "realdiv": Kind.DIVISION,
    "pow": Kind.POW,
    "lt": Kind.LT,
    "le": Kind.LEQ,
    "to_real": Kind.TO_REAL,
    "to_int": Kind.TO_INTEGER,
    "concat": Kind.BITVECTOR_CONCAT,
    "bvnot": Kind.BITVECTOR_NOT,
    "bvneg": Kind.BITVECTOR_NEG,
    "bvadd": Kind.BITVECTOR_ADD,
    "bvsub": Kind.BITVECTOR_SUB,
    "bvmul": Kind.BITVECTOR_MULT,
    "bvudiv": Kind.BITVECTOR_UDIV,
    "bvurem": Kind.BITVECTOR_UREM,
    "bvsdiv": Kind.BITVECTOR_SDIV,
    "bvsrem": Kind.BITVECTOR_SREM,
    "bvsmod": Kind.BITVECTOR_SMOD,
    "bvand": Kind.BITVECTOR_AND,
    "bvor": Kind.BITVECTOR_OR,
    "bvxor": Kind.BITVECTOR_XOR,
    "bvnand": Kind.BITVECTOR_NAND,
    "bvnor": Kind.BITVECTOR_NOR,
    "bvxnor": Kind.BITVECTOR_XNOR,
    "bvshl": Kind.BITVECTOR_SHL,
    "bvlshr": Kind.BITVECTOR_LSHR,
    "bvashr": Kind.BITVECTOR_ASHR,
    "bvult": Kind.BITVECTOR_ULT,
    "bvule": Kind.BITVECTOR_ULE,
    "bvslt": Kind.BITVECTOR_SLT,
    "bvsle": Kind.BITVECTOR_SLE,
    "bv2nat": Kind.BITVECTOR_UBV_TO_INT,
    "bv2int": Kind.BITVECTOR_SBV_TO_INT,
    "fp_abs": Kind.FLOATINGPOINT_ABS,
    "fp_neg": Kind.FLOATINGPOINT_NEG,
    "fp_add": Kind.FLOATINGPOINT_ADD,
    "fp_sub": Kind.FLOATINGPOINT_SUB,
    "fp_mul": Kind.FLOATINGPOINT_MULT,
    "fp_div": Kind.FLOATINGPOINT_DIV,
    "fp_fma": Kind.FLOATINGPOINT_FMA,
    "fp_sqrt": Kind.FLOATINGPOINT_SQRT,
    "fp_rem": Kind.FLOATINGPOINT_REM,
    "fp_roundToIntegral": Kind.FLOATINGPOINT_RTI,
    "fp_min": Kind.FLOATINGPOINT_MIN,
    "fp_max": Kind.FLOATINGPOINT_MAX,
    "fp_leq": Kind.FLOATINGPOINT_LEQ,
    "fp_lt": Kind.FLOATINGPOINT_LT,
    "fp_geq": Kind.FLOATINGPOINT_GEQ,
    "fp_gt": Kind.FLOATINGPOINT_GT,
    "fp_eq": Kind.FLOATINGPOINT_EQ,
    "fp_isNormal": Kind.FLOATINGPOINT_IS_NORMAL,
    "fp_isSubnormal": Kind.FLOATINGPOINT_IS_SUBNORMAL,
    "fp_isZero": Kind.FLOATINGPOINT_IS_ZERO,
    "fp_isInfinite": Kind.FLOATINGPOINT_IS_INF,
    "fp_isNaN": Kind.FLOATINGPOINT_IS_NAN,
    "fp_isNegative": Kind.FLOATINGPOINT_IS_NEG,
    "fp_isPositive": Kind.FLOATINGPOINT_IS_POS,
    "fp_to_real": Kind.FLOATINGPOINT_TO_REAL,
}

_COUNTED = {  # operators indexed by a number, their payload
    "zero_extend": Kind.BITVECTOR_ZERO_EXTEND,
    "sign_extend": Kind.BITVECTOR_SIGN_EXTEND,
    "rotate_left": Kind.BITVECTOR_ROTATE_LEFT,
    "rotate_right": Kind.BITVECTOR_ROTATE_RIGHT,
    "repeat": Kind.BITVECTOR_REPEAT,
    "int2bv": Kind.INT_TO_BITVECTOR,
    "fp_to_ubv": Kind.FLOATINGPOINT_TO_UBV,
    "fp_to_sbv": Kind.FLOATINGPOINT_TO_SBV,
}

_TO_FLOAT = {
    "to_fp_real": Kind.FLOATINGPOINT_TO_FP_FROM_REAL,
    "to_fp_bits": Kind.FLOATINGPOINT_TO_FP_FROM_IEEE_BV,
    "to_fp_float": Kind.FLOATINGPOINT_TO_FP_FROM_FP,
    "to_fp_sbv": Kind.FLOATINGPOINT_TO_FP_FROM_SBV,
    "to_fp_ubv": Kind.FLOATINGPOINT_TO_FP_FROM_UBV,
}

ROUNDING_MODES = {
    "RNE": cvc5.RoundingMode.ROUND_NEAREST_TIES_TO_EVEN,
    "RNA": cvc5.RoundingMode.ROUND_NEAREST_TIES_TO_AWAY,
    "RTP": cvc5.RoundingMode.ROUND_TOWARD_POSITIVE,
    "RTN": cvc5.RoundingMode.ROUND_TOWARD_NEGATIVE,
    "RTZ": cvc5.RoundingMode.ROUND_TOWARD_ZERO,
}

_CONNECTIVES = {kind: op for op, kind in _PLAIN.items() if op in {"ite", "eq", "and", "or", "not"}}


_KNOWN_FLOATS: Final = frozenset({(24, 8), (53, 11)})  # cvc5 calls its procedure for others experimental


@final
class Cvc5Binding:
    """Sorts, constants and builders of one term manager."""

    def __init__(self, manager: cvc5.TermManager, solver: cvc5.Solver, names: UniqueNames) -> None:
        self.manager = manager
        self.solver = solver
        self.names = names
        self.true: Node = manager.mkTrue()
        self.false: Node = manager.mkFalse()
        self.constructors: dict[Node, Constructor] = {}  # by cvc5's constructor term
        self.declared_sorts: list[Sort] = []
        self.declared_symbols: list[Node] = []
        self.declared_datatypes: list[list[Sort]] = []
        known = {
            BOOL: manager.getBooleanSort(),
            INT: manager.getIntegerSort(),
            REAL: manager.getRealSort(),
            ROUNDING: manager.getRoundingModeSort(),
        }
        self._sorts = Sorts(self, known)
        self.sort = self._sorts.sort
        self._datatypes: dict[Constructor, Any] = {}  # cvc5's DatatypeConstructor
        self.builders: dict[str, Builder] = self._table()

    # --- sorts

    def bitvector_sort(self, width: int) -> Sort:
        return self.manager.mkBitVectorSort(width)

    def float_sort(self, significand: int, exponent: int) -> Sort:
        if (significand, exponent) not in _KNOWN_FLOATS:
            raise Unsupported(None, f"float{significand}e{exponent}, such as `long double`, (with the solver cvc5)")
        return self.manager.mkFloatingPointSort(exponent, significand)

    def map_sort(self, domain: Sequence[Type], value: Type) -> Sort:
        indices = [self.sort(index) for index in domain]
        index = indices[0] if len(indices) == 1 else self.manager.mkTupleSort(*indices)
        return self.manager.mkArraySort(index, self.sort(value))

    def uninterpreted_sort(self, type_: NamedType) -> Sort:
        sort = self.manager.mkUninterpretedSort(self.names.unique(str(type_)))
        self.declared_sorts.append(sort)
        return sort

    def declare_datatypes(self, datatypes: Sequence[tuple[DataType, Sequence[Constructor]]]) -> None:
        before = dict(self._sorts.known)
        names = [self.names.unique(str(type_)) for type_, _ in datatypes]
        for (type_, _), name in zip(datatypes, names, strict=True):
            self._sorts.known[type_] = self.manager.mkUnresolvedDatatypeSort(name)
        declarations = [self._specify(name, some) for (_, some), name in zip(datatypes, names, strict=True)]
        sorts = self.manager.mkDatatypeSorts(declarations)
        self._sorts.known = before  # what was made of unresolved sorts is made again when it is needed
        self.declared_datatypes.append(sorts)
        for (type_, constructors), sort in zip(datatypes, sorts, strict=True):
            self._sorts.known[type_] = sort
            for constructor, made in zip(constructors, sort.getDatatype(), strict=True):
                self._datatypes[constructor] = made
                self.constructors[made.getTerm()] = constructor

    def _specify(self, name: str, constructors: Sequence[Constructor]) -> cvc5.DatatypeDecl:
        declaration = self.manager.mkDatatypeDecl(name)
        for constructor in constructors:
            unique = self.names.unique(constructor.name)
            made = self.manager.mkDatatypeConstructorDecl(unique)
            for field, type_ in constructor.fields:
                made.addSelector(self.names.unique(f"{unique}.{field}"), self.sort(type_))
            declaration.addConstructor(made)
        return declaration

    # --- for the translation

    def constant(self, name: str, type_: Type) -> Node:
        constant = self.manager.mkConst(self.sort(type_), name)
        self.declared_symbols.append(constant)
        return constant

    def declare(self, name: str, domain: Sequence[Type], result: Type) -> Node:
        sort = self.manager.mkFunctionSort([self.sort(type_) for type_ in domain], self.sort(result))
        declaration = self.manager.mkConst(sort, name)
        self.declared_symbols.append(declaration)
        return declaration

    def application(self, declaration: Node, arguments: Sequence[Node]) -> Node:
        return self.manager.mkTerm(Kind.APPLY_UF, declaration, *arguments)

    def substitute(self, native: Node, parameters: Sequence[Node], actuals: Sequence[Node]) -> Node:
        """Without cvc5's own substitution: that one recurses, and ends the process on deep terms."""
        return self.substitute_all([native], parameters, actuals)[0]

    def substitute_all(
        self, natives: Sequence[Node], parameters: Sequence[Node], actuals: Sequence[Node]
    ) -> list[Node]:
        value: dict[Node, Node] = dict(zip(parameters, actuals, strict=True))
        for node in nodes_below(natives, value):
            children = list(node)
            replaced = [value[child] for child in children]
            value[node] = node if replaced == children else self._rebuilt(node, replaced)
        return [value[native] for native in natives]

    def _rebuilt(self, node: Node, children: Sequence[Node]) -> Node:
        if node.isConstArray():
            return node
        return self.manager.mkTerm(node.getOp(), *children)

    def definition(self, bound: Sequence[Node], application: Node, body: Node) -> Node:
        equation = self.manager.mkTerm(Kind.EQUAL, application, body)
        return self._quantifier(Kind.FORALL, bound, equation, [[application]]) if bound else equation

    def builtin(self, operator: str, parameters: Sequence[Node], result: Type) -> Node | None:
        """Let cvc5 parse `(operator p0 p1)` over constants declared with the text of their sorts."""
        names = [f"remuda.{position}" for position in range(len(parameters))]
        lines = [
            f"(declare-const {name} {parameter.getSort()})" for name, parameter in zip(names, parameters, strict=True)
        ]
        parser = cvc5.InputParser(self.solver)
        try:
            parser.setIncrementalStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "builtin")
            parser.appendIncrementalStringInput("\n".join(lines))
            for _ in lines:
                parser.nextCommand().invoke(self.solver, parser.getSymbolManager())
            applied = f"({operator} {' '.join(names)})" if names else operator
            parser.appendIncrementalStringInput(" ".join([*names, applied]))
            declared = [parser.nextTerm() for _ in names]
            parsed = parser.nextTerm()
        except RuntimeError:
            return None
        if parsed.getSort() != self.sort(result):
            return None
        return self.substitute(parsed, declared, parameters)

    # --- for reading models

    def connective(self, node: Node) -> str:
        return _CONNECTIVES.get(node.getKind(), "")

    def arguments(self, node: Node) -> list[Node]:
        return list(node)

    def ite(self, condition: Node, then: Node, otherwise: Node) -> Node:
        return self.manager.mkTerm(Kind.ITE, condition, then, otherwise)

    def boolean(self, *, value: bool) -> Node:
        return self.true if value else self.false

    def shown(self, node: Node) -> str:
        return str(node)

    # --- binders

    def bind(self, term: Term, bound: Sequence[Node], arguments: list[Node]) -> Node:
        if term.op == "lambda":
            raise Unsupported(None, "a lambda expression (with the solver cvc5)")
        kind = Kind.FORALL if term.op == "forall" else Kind.EXISTS
        rest = iter(arguments[1:])
        triggers = [list(islice(rest, size)) for size in term.payload.triggers]
        return self._quantifier(kind, bound, arguments[0], triggers)

    def _quantifier(self, kind: Kind, bound: Sequence[Node], body: Node, triggers: Sequence[Sequence[Node]]) -> Node:
        """cvc5 binds its own kind of variable, so the constants are replaced."""
        variables = [self.manager.mkVar(constant.getSort(), constant.getSymbol()) for constant in bound]
        flat = [body, *(term for trigger in triggers for term in trigger)]
        body, *flat = self.substitute_all(flat, bound, variables)
        rest = iter(flat)
        patterns = [list(islice(rest, len(trigger))) for trigger in triggers]
        patterns = [pattern for pattern in patterns if all(_may_trigger(term) for term in pattern)]
        binder = self.manager.mkTerm(Kind.VARIABLE_LIST, *variables)
        if not patterns:
            return self.manager.mkTerm(kind, binder, body)
        made = [self.manager.mkTerm(Kind.INST_PATTERN, *pattern) for pattern in patterns]
        return self.manager.mkTerm(kind, binder, body, self.manager.mkTerm(Kind.INST_PATTERN_LIST, *made))

    # --- builders

    def _table(self) -> dict[str, Builder]:
        table: dict[str, Builder] = {}
        table.update({op: self._plain(kind) for op, kind in _PLAIN.items()})
        table.update({op: self._counted(kind) for op, kind in _COUNTED.items()})
        table.update({op: self._to_float(kind) for op, kind in _TO_FLOAT.items()})
        make, manager = self.manager.mkTerm, self.manager
        table.update(
            {
                "bool": lambda term, _: self.true if term.payload else self.false,
                "int": lambda term, _: manager.mkInteger(str(term.payload)),
                "real": lambda term, _: manager.mkReal(str(term.payload)),
                "bv": lambda term, _: manager.mkBitVector(term.payload[1], str(term.payload[0]), 10),
                "float": self._float,
                "rounding": lambda term, _: manager.mkRoundingMode(ROUNDING_MODES[term.payload]),
                "extract": self._extract,
                "select": lambda _, args: self._select(args[0], args[1:]),
                "store": lambda _, args: self._store(args[0], args[1:-1], args[-1]),
                "construct": lambda term, args: make(
                    Kind.APPLY_CONSTRUCTOR, self._datatypes[term.payload].getTerm(), *args
                ),
                "is": lambda term, args: make(
                    Kind.APPLY_TESTER, self._datatypes[term.payload].getTesterTerm(), *args
                ),
                "field": lambda term, args: make(Kind.APPLY_SELECTOR, self._selector(*term.payload), *args),
            }
        )
        return table

    def _plain(self, kind: Kind) -> Builder:
        make = self.manager.mkTerm
        return lambda _, args: make(kind, *args)

    def _counted(self, kind: Kind) -> Builder:
        return lambda term, args: self.manager.mkTerm(self.manager.mkOp(kind, term.payload), *args)

    def _to_float(self, kind: Kind) -> Builder:
        def build(term: Term, args: list[Node]) -> Node:
            self.sort(term.type)  # which refuses what cvc5 does not have
            return self.manager.mkTerm(
                self.manager.mkOp(kind, term.payload.exponent, term.payload.significand), *args
            )

        return build

    def _float(self, term: Term, _args: list[Node]) -> Node:
        self.sort(term.type)
        bits, significand, exponent = term.payload
        vector = self.manager.mkBitVector(significand + exponent, str(bits), 10)
        return self.manager.mkFloatingPoint(exponent, significand, vector)

    def _extract(self, term: Term, args: list[Node]) -> Node:
        end, start = term.payload
        return self.manager.mkTerm(self.manager.mkOp(Kind.BITVECTOR_EXTRACT, end - 1, start), *args)

    def _selector(self, constructor: Constructor, index: int) -> Node:
        return self._datatypes[constructor][index].getTerm()

    def _select(self, map_: Node, indices: Sequence[Node]) -> Node:
        return self.manager.mkTerm(Kind.SELECT, map_, self._index(indices)) if indices else map_

    def _store(self, map_: Node, indices: Sequence[Node], value: Node) -> Node:
        return self.manager.mkTerm(Kind.STORE, map_, self._index(indices), value) if indices else value

    def _index(self, indices: Sequence[Node]) -> Node:
        return indices[0] if len(indices) == 1 else self.manager.mkTuple(list(indices))


def nodes_below(roots: Iterable[Node], known: dict[Node, Node]) -> Iterable[Node]:
    """The nodes below the roots that are not yet known, children first; the caller makes each known."""
    stack = list(roots)
    while stack:
        node = stack[-1]
        if node in known:
            stack.pop()
            continue
        waiting = [child for child in node if child not in known]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        yield node


def _may_trigger(node: Node) -> bool:
    """cvc5 matches applications; a bound variable or a literal alone matches nothing."""
    return node.getKind() in _TRIGGER_KINDS


_TRIGGER_KINDS = frozenset(
    {Kind.APPLY_UF, Kind.SELECT, Kind.STORE, Kind.APPLY_SELECTOR, Kind.APPLY_CONSTRUCTOR, Kind.APPLY_TESTER}
)
