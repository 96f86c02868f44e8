"""Z3's sorts and terms: the binding that `Translation` drives.

Natives are Z3's pointers as `int`. A failed construction gives a null result, so the check costs one comparison
with None and no extra call.
"""

from __future__ import annotations

import ctypes
from ctypes import c_void_p
from itertools import islice
from typing import TYPE_CHECKING, final

from remuda.base.errors import ToolError
from remuda.smt.sorts import Sorts
from remuda.smt.z3_native import (
    APP_AST,
    NUMERAL_AST,
    OP_AND,
    OP_EQ,
    OP_ITE,
    OP_NOT,
    OP_OR,
    REAL_SORT,
    Handle,
    Library,
    array,
    check_error,
    error_message,
)
from remuda.terms.types import BOOL, INT, REAL, ROUNDING, BvType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.smt.names import UniqueNames
    from remuda.smt.translation import Builder
    from remuda.terms.symbols import Constructor
    from remuda.terms.term import Term
    from remuda.terms.types import DataType, NamedType, Type

_INT64 = 1 << 63

_UNARY = {
    "not": "not",
    "neg": "unary_minus",
    "to_real": "int2real",
    "to_int": "real2int",
    "bvnot": "bvnot",
    "bvneg": "bvneg",
    "fp_abs": "fpa_abs",
    "fp_neg": "fpa_neg",
    "fp_isNormal": "fpa_is_normal",
    "fp_isSubnormal": "fpa_is_subnormal",
    "fp_isZero": "fpa_is_zero",
    "fp_isInfinite": "fpa_is_infinite",
    "fp_isNaN": "fpa_is_nan",
    "fp_isNegative": "fpa_is_negative",
    "fp_isPositive": "fpa_is_positive",
    "fp_to_real": "fpa_to_real",
}

_BINARY = {
    "eq": "eq",
    "div": "div",  # Z3 has one division, which the sort of its operands chooses
    "mod": "mod",
    "realdiv": "div",
    "lt": "lt",
    "le": "le",
    "concat": "concat",
    "fp_sqrt": "fpa_sqrt",
    "fp_rem": "fpa_rem",
    "fp_roundToIntegral": "fpa_round_to_integral",
    "fp_min": "fpa_min",
    "fp_max": "fpa_max",
    "fp_leq": "fpa_leq",
    "fp_lt": "fpa_lt",
    "fp_geq": "fpa_geq",
    "fp_gt": "fpa_gt",
    "fp_eq": "fpa_eq",
}
_BINARY |= {
    name: name
    for name in (
        *("bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"),
        *("bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvshl", "bvlshr", "bvashr"),
        *("bvult", "bvule", "bvslt", "bvsle"),
    )
}

_TERNARY = {"ite": "ite", "fp_add": "fpa_add", "fp_sub": "fpa_sub", "fp_mul": "fpa_mul", "fp_div": "fpa_div"}

_MANY = {"and": "and", "or": "or", "distinct": "distinct", "add": "add", "sub": "sub", "mul": "mul"}

_COUNTED = {  # operators with a number before their operand
    "zero_extend": "zero_ext",
    "sign_extend": "sign_ext",
    "rotate_left": "rotate_left",
    "rotate_right": "rotate_right",
    "repeat": "repeat",
    "int2bv": "int2bv",
}

_TO_FLOAT = {
    "to_fp_real": "fpa_to_fp_real",
    "to_fp_float": "fpa_to_fp_float",
    "to_fp_sbv": "fpa_to_fp_signed",
    "to_fp_ubv": "fpa_to_fp_unsigned",
}

_ROUNDING = {
    "RNE": "fpa_round_nearest_ties_to_even",
    "RNA": "fpa_round_nearest_ties_to_away",
    "RTP": "fpa_round_toward_positive",
    "RTN": "fpa_round_toward_negative",
    "RTZ": "fpa_round_toward_zero",
}

_CONNECTIVES = {OP_ITE: "ite", OP_EQ: "eq", OP_AND: "and", OP_OR: "or", OP_NOT: "not"}


@final
class Z3Binding:
    """Sorts, constants and builders of one context."""

    def __init__(self, library: Library, context: Handle, names: UniqueNames) -> None:
        self.library = library
        self.context = context
        self.names = names
        self.true: Handle = library.Z3_mk_true(context)
        self.false: Handle = library.Z3_mk_false(context)
        self.constructors: dict[Handle, Constructor] = {}  # by declaration
        known = {
            BOOL: library.Z3_mk_bool_sort(context),
            INT: library.Z3_mk_int_sort(context),
            REAL: library.Z3_mk_real_sort(context),
            ROUNDING: library.Z3_mk_fpa_rounding_mode_sort(context),
        }
        self._sorts = Sorts(self, known)
        self.sort = self._sorts.sort
        self._construct: dict[Constructor, Handle] = {}
        self._recognize: dict[Constructor, Handle] = {}
        self._fields: dict[Constructor, list[Handle]] = {}
        self.builders: dict[str, Builder] = self._table()

    # --- symbols and sorts

    def symbol(self, name: str) -> Handle:
        symbol: Handle = self.library.Z3_mk_string_symbol(self.context, name.encode())
        return symbol

    def bitvector_sort(self, width: int) -> Handle:
        return self._made(self.library.Z3_mk_bv_sort(self.context, width))

    def float_sort(self, significand: int, exponent: int) -> Handle:
        return self._made(self.library.Z3_mk_fpa_sort(self.context, exponent, significand))

    def map_sort(self, domain: Sequence[Type], value: Type) -> Handle:
        indices = array([self.sort(index) for index in domain])
        return self._made(self.library.Z3_mk_array_sort_n(self.context, len(domain), indices, self.sort(value)))

    def uninterpreted_sort(self, type_: NamedType) -> Handle:
        symbol = self.symbol(self.names.unique(str(type_)))
        return self._made(self.library.Z3_mk_uninterpreted_sort(self.context, symbol))

    def declare_datatypes(self, datatypes: Sequence[tuple[DataType, Sequence[Constructor]]]) -> None:
        library, context = self.library, self.context
        symbols = []
        for type_, _ in datatypes:
            symbol = self.symbol(self.names.unique(str(type_)))
            symbols.append(symbol)
            self._sorts.known[type_] = self._made(library.Z3_mk_datatype_sort(context, symbol, 0, None))
        specifications = [[self._specify(made) for made in constructors] for _, constructors in datatypes]
        lists = [library.Z3_mk_constructor_list(context, len(some), array(some)) for some in specifications]
        sorts = (c_void_p * len(datatypes))()
        library.Z3_mk_datatypes(context, len(datatypes), array(symbols), sorts, array(lists))
        check_error(library, context)
        for position, (type_, constructors) in enumerate(datatypes):
            self._sorts.known[type_] = self._made(sorts[position])
            for constructor, specification in zip(constructors, specifications[position], strict=True):
                self._read_constructor(constructor, specification)

    def _specify(self, constructor: Constructor) -> Handle:
        name = self.names.unique(constructor.name)
        fields = [self.symbol(self.names.unique(f"{name}.{field}")) for field, _ in constructor.fields]
        sorts = [self.sort(type_) for _, type_ in constructor.fields]
        references = (ctypes.c_uint * len(fields))()  # all zero: the sorts above already name the datatypes
        return self._made(
            self.library.Z3_mk_constructor(
                self.context,
                self.symbol(name),
                self.symbol(f"is-{name}"),
                len(fields),
                array(fields),
                array(sorts),
                references,
            )
        )

    def _read_constructor(self, constructor: Constructor, specification: Handle) -> None:
        count = len(constructor.fields)
        construct, recognize, fields = c_void_p(), c_void_p(), (c_void_p * count)()
        self.library.Z3_query_constructor(
            self.context, specification, count, ctypes.byref(construct), ctypes.byref(recognize), fields
        )
        check_error(self.library, self.context)
        self._construct[constructor] = construct.value or 0
        self._recognize[constructor] = recognize.value or 0
        self._fields[constructor] = [field for field in fields if field is not None]
        self.constructors[construct.value or 0] = constructor

    # --- for the translation

    def constant(self, name: str, type_: Type) -> Handle:
        return self._made(self.library.Z3_mk_const(self.context, self.symbol(name), self.sort(type_)))

    def declare(self, name: str, domain: Sequence[Type], result: Type) -> Handle:
        sorts = array([self.sort(type_) for type_ in domain])
        return self._made(
            self.library.Z3_mk_func_decl(self.context, self.symbol(name), len(domain), sorts, self.sort(result))
        )

    def application(self, declaration: Handle, arguments: Sequence[Handle]) -> Handle:
        return self._made(self.library.Z3_mk_app(self.context, declaration, len(arguments), array(arguments)))

    def implies(self, premise: Handle, conclusion: Handle) -> Handle:
        """Not `Z3_mk_implies`: that one takes time linear in the depth of nested implications."""
        denied = self._made(self.library.Z3_mk_not(self.context, premise))
        return self._made(self.library.Z3_mk_or(self.context, 2, array((denied, conclusion))))

    def substitute(self, native: Handle, parameters: Sequence[Handle], actuals: Sequence[Handle]) -> Handle:
        count = len(parameters)
        return self._made(self.library.Z3_substitute(self.context, native, count, array(parameters), array(actuals)))

    def definition(self, bound: Sequence[Handle], application: Handle, body: Handle) -> Handle:
        equation = self._made(self.library.Z3_mk_eq(self.context, application, body))
        return self._quantifier("forall", bound, equation, [[application]], None) if bound else equation

    def builtin(self, operator: str, parameters: Sequence[Handle], result: Type) -> Handle | None:
        """Let Z3 parse `(assert (= result (operator p0 p1)))`, with the constants given as declarations."""
        library, context = self.library, self.context
        constants = [library.Z3_mk_fresh_const(context, b"result", self.sort(result)), *parameters]
        declarations = [library.Z3_get_app_decl(context, constant) for constant in constants]
        names = [f"remuda.{position}" for position in range(len(constants))]
        symbols = [self.symbol(name) for name in names]
        applied = f"({operator} {' '.join(names[1:])})" if parameters else operator
        script = f"(assert (= {names[0]} {applied}))".encode()
        vector = library.Z3_parse_smtlib2_string(
            context, script, 0, None, None, len(symbols), array(symbols), array(declarations)
        )
        if error_message(library, context) is not None or vector is None:
            return None
        library.Z3_ast_vector_inc_ref(context, vector)
        equation = library.Z3_ast_vector_get(context, vector, 0)
        native: Handle = library.Z3_get_app_arg(context, equation, 1)
        library.Z3_ast_vector_dec_ref(context, vector)
        return native

    # --- for reading models

    def connective(self, native: Handle) -> str:
        return _CONNECTIVES.get(self.operator(native), "")

    def arguments(self, native: Handle) -> list[Handle]:
        count = self.library.Z3_get_app_num_args(self.context, native)
        return [self.library.Z3_get_app_arg(self.context, native, position) for position in range(count)]

    def ite(self, condition: Handle, then: Handle, otherwise: Handle) -> Handle:
        return self._made(self.library.Z3_mk_ite(self.context, condition, then, otherwise))

    def boolean(self, *, value: bool) -> Handle:
        return self.true if value else self.false

    def shown(self, native: Handle) -> str:
        text: bytes = self.library.Z3_ast_to_string(self.context, native)
        return text.decode()

    def operator(self, native: Handle) -> int:
        """The operator's kind; -1 for what is no application. Float literals count as numerals to Z3."""
        if self.library.Z3_get_ast_kind(self.context, native) not in {APP_AST, NUMERAL_AST}:
            return -1
        kind: int = self.library.Z3_get_decl_kind(self.context, self.library.Z3_get_app_decl(self.context, native))
        return kind

    def _made(self, handle: Handle | None) -> Handle:
        if handle is None:
            check_error(self.library, self.context)
            message = "z3 gave no result and no error"
            raise ToolError(message)
        return handle

    # --- builders

    def _table(self) -> dict[str, Builder]:
        table: dict[str, Builder] = {}
        table.update({op: self._unary(name) for op, name in _UNARY.items()})
        table.update({op: self._binary(name) for op, name in _BINARY.items()})
        table.update({op: self._ternary(name) for op, name in _TERNARY.items()})
        table.update({op: self._many(name) for op, name in _MANY.items()})
        table.update({op: self._counted(name) for op, name in _COUNTED.items()})
        table.update({op: self._to_float(name) for op, name in _TO_FLOAT.items()})
        table.update({op: self._from_float(name) for op, name in (("fp_to_ubv", "ubv"), ("fp_to_sbv", "sbv"))})
        table.update(
            {
                "bool": lambda term, _: self.true if term.payload else self.false,
                "int": lambda term, _: self._integer(term.payload),
                "real": lambda term, _: self._numeral(str(term.payload), term.type),
                "bv": lambda term, _: self._numeral(str(term.payload[0]), term.type),
                "float": lambda term, _: self._float(term),
                "rounding": lambda term, _: self._made(self._function(_ROUNDING[term.payload])(self.context)),
                "implies": lambda _, args: self.implies(args[0], args[1]),
                "pow": self._power,
                "extract": self._extract,
                "bv2nat": self._bv_value,
                "bv2int": self._bv_value,
                "select": self._select,
                "store": self._store,
                "construct": lambda term, args: self.application(self._construct[term.payload], args),
                "is": lambda term, args: self.application(self._recognize[term.payload], args),
                "field": lambda term, args: self.application(self._fields[term.payload[0]][term.payload[1]], args),
                "fp_fma": lambda _, args: self._made(self.library.Z3_mk_fpa_fma(self.context, *args)),
                "to_fp_bits": lambda term, args: self._made(
                    self.library.Z3_mk_fpa_to_fp_bv(self.context, args[0], self.sort(term.type))
                ),
            }
        )
        return table

    def _function(self, name: str) -> Callable[..., Handle | None]:
        function: Callable[..., Handle | None] = getattr(self.library, f"Z3_mk_{name}")
        return function

    def _unary(self, name: str) -> Builder:
        function, context, made = self._function(name), self.context, self._made
        return lambda _, args: function(context, args[0]) or made(None)

    def _binary(self, name: str) -> Builder:
        function, context, made = self._function(name), self.context, self._made
        return lambda _, args: function(context, args[0], args[1]) or made(None)

    def _ternary(self, name: str) -> Builder:
        function, context, made = self._function(name), self.context, self._made
        return lambda _, args: function(context, args[0], args[1], args[2]) or made(None)

    def _many(self, name: str) -> Builder:
        function, context, made = self._function(name), self.context, self._made
        types = [c_void_p * count for count in range(5)]

        def build(_term: Term, args: list[Handle]) -> Handle:
            count = len(args)
            vector = types[count](*args) if count < 5 else array(args)
            return function(context, count, vector) or made(None)

        return build

    def _counted(self, name: str) -> Builder:
        function, context, made = self._function(name), self.context, self._made
        return lambda term, args: function(context, term.payload, args[0]) or made(None)

    def _to_float(self, name: str) -> Builder:
        function, context, made = self._function(name), self.context, self._made
        return lambda term, args: made(function(context, args[0], args[1], self.sort(term.type)))

    def _from_float(self, name: str) -> Builder:
        function, context, made = self._function(f"fpa_to_{name}"), self.context, self._made
        return lambda term, args: made(function(context, args[0], args[1], term.payload))

    def _integer(self, value: int) -> Handle:
        sort = self.sort(INT)
        if -_INT64 <= value < _INT64:
            return self._made(self.library.Z3_mk_int64(self.context, value, sort))
        return self._numeral(str(value), INT)

    def _numeral(self, text: str, type_: Type) -> Handle:
        return self._made(self.library.Z3_mk_numeral(self.context, text.encode(), self.sort(type_)))

    def _float(self, term: Term) -> Handle:
        bits, significand, exponent = term.payload
        vector = self._numeral(str(bits), BvType(significand + exponent))
        return self._made(self.library.Z3_mk_fpa_to_fp_bv(self.context, vector, self.sort(term.type)))

    def _power(self, term: Term, args: list[Handle]) -> Handle:
        power = self._made(self.library.Z3_mk_power(self.context, args[0], args[1]))
        sort = self.library.Z3_get_sort(self.context, power)
        if term.type == INT and self.library.Z3_get_sort_kind(self.context, sort) == REAL_SORT:
            return self._made(self.library.Z3_mk_real2int(self.context, power))
        return power

    def _extract(self, term: Term, args: list[Handle]) -> Handle:
        end, start = term.payload
        return self._made(self.library.Z3_mk_extract(self.context, end - 1, start, args[0]))

    def _bv_value(self, term: Term, args: list[Handle]) -> Handle:
        signed = term.op == "bv2int"
        return self._made(self.library.Z3_mk_bv2int(self.context, args[0], signed))

    def _select(self, _term: Term, args: list[Handle]) -> Handle:
        if len(args) == 2:
            return self._made(self.library.Z3_mk_select(self.context, args[0], args[1]))
        if len(args) == 1:
            return args[0]
        return self._made(self.library.Z3_mk_select_n(self.context, args[0], len(args) - 1, array(args[1:])))

    def _store(self, _term: Term, args: list[Handle]) -> Handle:
        if len(args) == 3:
            return self._made(self.library.Z3_mk_store(self.context, args[0], args[1], args[2]))
        if len(args) == 2:
            return args[1]
        indices = args[1:-1]
        return self._made(self.library.Z3_mk_store_n(self.context, args[0], len(indices), array(indices), args[-1]))

    # --- binders

    def bind(self, term: Term, bound: Sequence[Handle], arguments: list[Handle]) -> Handle:
        body, rest = arguments[0], iter(arguments[1:])
        if term.op == "lambda":
            return self._made(self.library.Z3_mk_lambda_const(self.context, len(bound), array(bound), body))
        triggers = [list(islice(rest, size)) for size in term.payload.triggers]
        return self._quantifier(term.op, bound, body, triggers, term.payload.weight)

    def _quantifier(
        self,
        op: str,
        bound: Sequence[Handle],
        body: Handle,
        triggers: Sequence[Sequence[Handle]],
        weight: int | None,
    ) -> Handle:
        patterns = [self.library.Z3_mk_pattern(self.context, len(some), array(some)) for some in triggers]
        patterns = [pattern for pattern in patterns if pattern is not None]
        whole = self._quantified(op, bound, body, patterns, weight)
        if whole is None and patterns:
            # Z3 refuses the quantifier if it refuses one trigger; the others are still good.
            patterns = [one for one in patterns if self._quantified(op, bound, body, [one], weight) is not None]
            whole = self._quantified(op, bound, body, patterns, weight)
        return self._made(whole)

    def _quantified(
        self, op: str, bound: Sequence[Handle], body: Handle, patterns: Sequence[Handle], weight: int | None
    ) -> Handle | None:
        handle: Handle | None = self.library.Z3_mk_quantifier_const_ex(
            self.context,
            op == "forall",
            1 if weight is None else weight,
            None,
            None,
            len(bound),
            array(bound),
            len(patterns),
            array(patterns),
            0,
            None,
            body,
        )
        return handle
