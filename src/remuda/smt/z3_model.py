"""Z3's models, read on demand."""

from __future__ import annotations

import ctypes
from ctypes import c_void_p
from fractions import Fraction
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import Unsupported
from remuda.smt.model_values import (
    Branch,
    Cases,
    Split,
    data_split,
    decision_cases,
    leaf,
    map_split,
    nan_value,
    read_value,
    table_of,
)
from remuda.smt.z3_native import (
    APP_AST,
    NUMERAL_AST,
    OP_AND,
    OP_AS_ARRAY,
    OP_CONST_ARRAY,
    OP_DT_CONSTRUCTOR,
    OP_EQ,
    OP_FPA_NAN,
    OP_ITE,
    OP_NOT,
    OP_OR,
    OP_STORE,
    QUANTIFIER_AST,
    ROUNDING_OPS,
    VAR_AST,
    Handle,
    check_error,
)
from remuda.terms.types import (
    INT,
    REAL,
    BoolType,
    BvType,
    DataType,
    FloatType,
    IntType,
    MapType,
    NamedType,
    RealType,
    RoundingType,
    Type,
)
from remuda.terms.values import Element, FloatValue, FunctionTable, Interpretation, MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.smt.translation import Translation
    from remuda.smt.z3_native import Context
    from remuda.smt.z3_terms import Z3Binding
    from remuda.terms.symbols import Function, Variable

# Z3's names for its choice of division by zero.
_DIVISIONS: Final = {"div0": ("div", INT), "mod0": ("mod", INT), "/0": ("realdiv", REAL)}

_COMPLETE: Final = True  # choose a value where the model has none


@final
class Z3Model:
    """One model. It keeps its context alive, also after the solver is gone."""

    __slots__ = (
        "_binding",
        "_context",
        "_elements",
        "_handle",
        "_library",
        "_owner",
        "_result",
        "_translation",
        "_truth",
    )

    def __init__(self, owner: Context, binding: Z3Binding, translation: Translation, handle: Handle) -> None:
        self._owner = owner
        self._binding = binding
        self._translation = translation
        self._library = binding.library
        self._context = binding.context
        self._handle = handle
        self._result = c_void_p()
        self._truth: dict[Handle, bool] = {}
        self._elements: dict[Handle, Element] = {}
        owner.acquire()
        self._library.Z3_model_inc_ref(self._context, handle)

    def __del__(self) -> None:
        self._library.Z3_model_dec_ref(self._context, self._handle)
        self._owner.release()

    def is_true(self, native: Handle) -> bool:
        known = self._truth.get(native)
        if known is None:
            known = self._evaluate(native) == self._binding.true
            self._truth[native] = known
        return known

    def value(self, native: Handle, type_: Type) -> Value:
        return read_value(self._evaluate(native), type_, self._split)

    def interpretation(self, constants: Sequence[Variable], functions: Sequence[Function]) -> Interpretation:
        interpretation = Interpretation()
        for constant in constants:
            native = self._translation.variables.get(constant)
            if native is not None:
                interpretation.constants[constant] = self.value(native, constant.type)
        for function in functions:
            table = self._function_table(function)
            if table is not None:
                interpretation.functions[function] = table
        interpretation.division_by_zero.update(self._division_tables())
        return interpretation

    def _evaluate(self, native: Handle) -> Handle:
        result = self._result
        if not self._library.Z3_model_eval(self._context, self._handle, native, _COMPLETE, ctypes.byref(result)):
            check_error(self._library, self._context)
            raise Unsupported(None, "a term that z3 cannot evaluate in its model")
        return result.value or 0

    # --- functions

    def _function_table(self, function: Function) -> FunctionTable | None:
        declaration = self._translation.declaration(function)
        if declaration is None:
            return None
        if not function.parameters:
            return FunctionTable({}, self.value(declaration, function.result))
        domain = [parameter.type for parameter in function.parameters]
        cases = self._function_cases(declaration)
        return None if cases is None else table_of(cases, domain, function.result, self._split)

    def _division_tables(self) -> dict[str, FunctionTable]:
        library, context = self._library, self._context
        tables: dict[str, FunctionTable] = {}
        for position in range(library.Z3_model_get_num_funcs(context, self._handle)):
            declaration = library.Z3_model_get_func_decl(context, self._handle, position)
            symbol = library.Z3_get_decl_name(context, declaration)
            division = _DIVISIONS.get(library.Z3_get_symbol_string(context, symbol).decode())
            cases = self._function_cases(declaration) if division else None
            if division is not None and cases is not None:
                name, type_ = division
                dividends = Cases([(indices[:1], value) for indices, value in cases.entries], cases.default)
                tables[name] = table_of(dividends, [type_], type_, self._split)
        return tables

    def _function_cases(self, declaration: Handle) -> Cases | None:
        """The table of a function in this model; None if the model leaves it open."""
        library, context = self._library, self._context
        interpretation = library.Z3_model_get_func_interp(context, self._handle, declaration)
        if interpretation is None:
            return None
        library.Z3_func_interp_inc_ref(context, interpretation)
        count = library.Z3_func_interp_get_num_entries(context, interpretation)
        entries = [self._entry(interpretation, position) for position in range(count)]
        rest = library.Z3_func_interp_get_else(context, interpretation)
        library.Z3_func_interp_dec_ref(context, interpretation)
        arity = library.Z3_get_arity(context, declaration)
        tail = self._body_cases(rest, lambda index: index, arity)
        return Cases([*entries, *tail.entries], tail.default)

    def _entry(self, interpretation: Handle, position: int) -> tuple[list[Handle], Handle]:
        library, context = self._library, self._context
        entry = library.Z3_func_interp_get_entry(context, interpretation, position)
        library.Z3_func_entry_inc_ref(context, entry)
        count = library.Z3_func_entry_get_num_args(context, entry)
        arguments = [library.Z3_func_entry_get_arg(context, entry, index) for index in range(count)]
        value = library.Z3_func_entry_get_value(context, entry)
        library.Z3_func_entry_dec_ref(context, entry)
        return arguments, value

    def _body_cases(self, body: Handle, position: Callable[[int], int], arity: int) -> Cases:
        """The cases of an expression over bound variables; `position` gives the argument of an index."""
        cases = decision_cases(body, arity, lambda native: self._branch(native, position))
        if cases is None:
            raise self._unreadable(body)
        return cases

    def _branch(self, native: Handle, position: Callable[[int], int]) -> Branch | None:
        operator = self._operator(native)
        true, false = self._binding.true, self._binding.false
        if operator == OP_ITE:
            condition, then, otherwise = self._arguments(native)
            return self._turned(condition, then, otherwise, position)
        if operator in {OP_EQ, OP_AND, OP_OR, OP_NOT} or self._is_variable(native):
            return self._turned(native, true, false, position)
        return None

    def _turned(
        self, condition: Handle, then: Handle, otherwise: Handle, position: Callable[[int], int]
    ) -> Branch | None:
        """The branch on a condition, with negations and disjunctions taken apart."""
        operator = self._operator(condition)
        if operator == OP_NOT:
            return self._turned(self._arguments(condition)[0], otherwise, then, position)
        if operator == OP_OR:
            first, *rest = self._arguments(condition)
            for alternative in reversed(rest):
                otherwise = self._library.Z3_mk_ite(self._context, alternative, then, otherwise)
            return self._turned(first, then, otherwise, position)
        conjuncts = self._arguments(condition) if operator == OP_AND else [condition]
        return Branch([self._equation(conjunct, position) for conjunct in conjuncts], then, otherwise)

    def _equation(self, condition: Handle, position: Callable[[int], int]) -> tuple[int, Handle]:
        """The variable and the literal of `variable == literal`, `variable` or `!variable`."""
        variable, literal = condition, self._binding.true
        if self._operator(condition) == OP_EQ:
            variable, literal = self._arguments(condition)
            if not self._is_variable(variable):
                variable, literal = literal, variable
        elif self._operator(condition) == OP_NOT:
            variable, literal = self._arguments(condition)[0], self._binding.false
        if not self._is_variable(variable) or self._is_variable(literal):
            raise self._unreadable(condition)
        return position(self._library.Z3_get_index_value(self._context, variable)), literal

    def _is_variable(self, native: Handle) -> bool:
        kind: int = self._library.Z3_get_ast_kind(self._context, native)
        return kind == VAR_AST

    # --- values

    def _split(self, native: Handle, type_: Type) -> Split:
        match type_:
            case BoolType():
                return leaf(self._boolean(native))
            case IntType() | BvType():
                return leaf(int(self._numeral(native)))
            case RealType():
                return leaf(Fraction(self._numeral(native)))
            case FloatType():
                return leaf(self._float(native, type_))
            case RoundingType():
                return leaf(self._rounding(native))
            case NamedType():
                return leaf(self._element(native, type_))
            case DataType():
                return self._data(native)
            case MapType((), value):
                inner = self._split(native, value)
                return Split(inner.parts, lambda read: MapValue(inner.combine(read), {}))
            case MapType(domain, value):
                return map_split(self._map_cases(native, len(domain)), domain, value)
            case _:
                raise self._unreadable(native)

    def _boolean(self, native: Handle) -> bool:
        if native not in {self._binding.true, self._binding.false}:
            raise self._unreadable(native)
        return native == self._binding.true

    def _numeral(self, native: Handle) -> str:
        if self._library.Z3_get_ast_kind(self._context, native) != NUMERAL_AST:
            raise self._unreadable(native)
        text: bytes = self._library.Z3_get_numeral_string(self._context, native)
        return text.decode()

    def _float(self, native: Handle, type_: FloatType) -> FloatValue:
        if self._operator(native) == OP_FPA_NAN:
            return nan_value(type_)
        vector = self._library.Z3_mk_fpa_to_ieee_bv(self._context, native)
        check_error(self._library, self._context)
        return FloatValue(int(self._numeral(self._evaluate(vector))), type_.significand, type_.exponent)

    def _rounding(self, native: Handle) -> str:
        mode = ROUNDING_OPS.get(self._operator(native))
        if mode is None:
            raise self._unreadable(native)
        return mode

    def _element(self, native: Handle, type_: Type) -> Element:
        """Elements are numbered in the order in which they are met; Z3 keeps each at one address."""
        element = self._elements.get(native)
        if element is None:
            taken = sum(other.type == type_ for other in self._elements.values())
            element = Element(type_, taken)
            self._elements[native] = element
        return element

    def _data(self, native: Handle) -> Split:
        if self._operator(native) != OP_DT_CONSTRUCTOR:
            raise self._unreadable(native)
        declaration = self._library.Z3_get_app_decl(self._context, native)
        return data_split(self._binding.constructors[declaration], self._arguments(native))

    def _map_cases(self, native: Handle, arity: int) -> Cases:
        entries: list[tuple[Sequence[Handle], Handle]] = []
        while self._operator(native) == OP_STORE:
            inner, *indices, value = self._arguments(native)
            entries.append((indices, value))
            native = inner
        rest = self._base_cases(native, arity)
        return Cases([*entries, *rest.entries], rest.default)

    def _base_cases(self, native: Handle, arity: int) -> Cases:
        """A map value that is not a store: constant, the graph of a function, or a lambda."""
        library, context = self._library, self._context
        operator = self._operator(native)
        if operator == OP_CONST_ARRAY:
            return Cases([], self._arguments(native)[0])
        if operator == OP_AS_ARRAY:
            cases = self._function_cases(library.Z3_get_as_array_func_decl(context, native))
            if cases is not None:
                return cases
        if library.Z3_get_ast_kind(context, native) == QUANTIFIER_AST and library.Z3_is_lambda(context, native):
            body = library.Z3_get_quantifier_body(context, native)
            return self._body_cases(body, lambda index: arity - 1 - index, arity)
        raise self._unreadable(native)

    # --- expressions

    def _operator(self, native: Handle) -> int:
        """The operator's kind; -1 for what is no application. Float literals count as numerals to Z3."""
        library, context = self._library, self._context
        if library.Z3_get_ast_kind(context, native) not in {APP_AST, NUMERAL_AST}:
            return -1
        kind: int = library.Z3_get_decl_kind(context, library.Z3_get_app_decl(context, native))
        return kind

    def _arguments(self, native: Handle) -> list[Handle]:
        library, context = self._library, self._context
        count = library.Z3_get_app_num_args(context, native)
        return [library.Z3_get_app_arg(context, native, position) for position in range(count)]

    def _unreadable(self, native: Handle) -> Unsupported:
        text = self._library.Z3_ast_to_string(self._context, native).decode()
        shown = text if len(text) <= 100 else f"{text[:100]}..."
        return Unsupported(None, f"the model value {shown}")
