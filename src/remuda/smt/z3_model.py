"""Z3's models, read on demand."""

from __future__ import annotations

import ctypes
from ctypes import c_void_p
from fractions import Fraction
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import Unsupported
from remuda.smt.model_functions import body_cases, interpretation_of, unreadable
from remuda.smt.model_values import (
    Cases,
    Elements,
    Split,
    cell_split,
    data_split,
    leaf,
    map_split,
    nan_value,
    read_value,
    table_of,
)
from remuda.smt.z3_native import (
    NUMERAL_AST,
    OP_AS_ARRAY,
    OP_CONST_ARRAY,
    OP_DT_CONSTRUCTOR,
    OP_FPA_NAN,
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
from remuda.terms.values import FloatValue, FunctionTable, Interpretation, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        self._elements = Elements()  # Z3 keeps each at one address
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
        interpretation = interpretation_of(self, self._translation, constants, functions)
        interpretation.division_by_zero.update(self._division_tables())
        return interpretation

    def _evaluate(self, native: Handle) -> Handle:
        result = self._result
        if not self._library.Z3_model_eval(self._context, self._handle, native, _COMPLETE, ctypes.byref(result)):
            check_error(self._library, self._context)
            raise Unsupported(None, "a term that z3 cannot evaluate in its model")
        return result.value or 0

    # --- functions

    def function_table(self, declaration: Handle, domain: Sequence[Type], result: Type) -> FunctionTable | None:
        cases = self._function_cases(declaration)
        return None if cases is None else table_of(cases, domain, result, self._split)

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
        tail = body_cases(self._binding, rest, arity, self._variable)
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

    def _variable(self, native: Handle) -> int | None:
        """The index of a bound variable."""
        if self._library.Z3_get_ast_kind(self._context, native) != VAR_AST:
            return None
        index: int = self._library.Z3_get_index_value(self._context, native)
        return index

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
                return leaf(self._elements.element(native, type_))
            case DataType():
                return self._data(native)
            case MapType((), value):
                return cell_split(self._split(native, value))
            case MapType(domain, value):
                return map_split(self._map_cases(native, len(domain)), domain, value)
            case _:
                raise unreadable(self._binding, native)

    def _boolean(self, native: Handle) -> bool:
        if native not in {self._binding.true, self._binding.false}:
            raise unreadable(self._binding, native)
        return native == self._binding.true

    def _numeral(self, native: Handle) -> str:
        if self._library.Z3_get_ast_kind(self._context, native) != NUMERAL_AST:
            raise unreadable(self._binding, native)
        text: bytes = self._library.Z3_get_numeral_string(self._context, native)
        return text.decode()

    def _float(self, native: Handle, type_: FloatType) -> FloatValue:
        if self._binding.operator(native) == OP_FPA_NAN:
            return nan_value(type_)
        vector = self._library.Z3_mk_fpa_to_ieee_bv(self._context, native)
        check_error(self._library, self._context)
        return FloatValue(int(self._numeral(self._evaluate(vector))), type_.significand, type_.exponent)

    def _rounding(self, native: Handle) -> str:
        mode = ROUNDING_OPS.get(self._binding.operator(native))
        if mode is None:
            raise unreadable(self._binding, native)
        return mode

    def _data(self, native: Handle) -> Split:
        if self._binding.operator(native) != OP_DT_CONSTRUCTOR:
            raise unreadable(self._binding, native)
        declaration = self._library.Z3_get_app_decl(self._context, native)
        return data_split(self._binding.constructors[declaration], self._binding.arguments(native))

    def _map_cases(self, native: Handle, arity: int) -> Cases:
        entries: list[tuple[Sequence[Handle], Handle]] = []
        while self._binding.operator(native) == OP_STORE:
            inner, *indices, value = self._binding.arguments(native)
            entries.append((indices, value))
            native = inner
        rest = self._base_cases(native, arity)
        return Cases([*entries, *rest.entries], rest.default)

    def _base_cases(self, native: Handle, arity: int) -> Cases:
        """A map value that is not a store: constant, the graph of a function, or a lambda."""
        library, context = self._library, self._context
        operator = self._binding.operator(native)
        if operator == OP_CONST_ARRAY:
            return Cases([], self._binding.arguments(native)[0])
        if operator == OP_AS_ARRAY:
            cases = self._function_cases(library.Z3_get_as_array_func_decl(context, native))
            if cases is not None:
                return cases
        if library.Z3_get_ast_kind(context, native) == QUANTIFIER_AST and library.Z3_is_lambda(context, native):
            body = library.Z3_get_quantifier_body(context, native)
            return body_cases(self._binding, body, arity, lambda variable: self._counted_down(variable, arity))
        raise unreadable(self._binding, native)

    def _counted_down(self, native: Handle, arity: int) -> int | None:
        """The position of a lambda's variable; Z3 counts them from the last."""
        index = self._variable(native)
        return None if index is None else arity - 1 - index
