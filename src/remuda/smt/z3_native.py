"""Z3's C functions, called through ctypes without the `z3` Python package.

The package's classes cost more than the calls they wrap (every expression is an object with a reference count
and a finalizer). Here a Z3 object is an `int`, and only the functions that Remuda uses are declared:

    library = load_library()
    context = Context(library, {"auto_config": "false"})
    three = library.Z3_mk_int64(context.handle, 3, sort)

Contexts are made with `Z3_mk_context`: expressions, sorts and declarations then live as long as their context.
Solvers, models, parameters, vectors and function interpretations are still counted.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int64, c_uint, c_void_p
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from remuda.base.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Library = ctypes.CDLL
Handle = int

# Kinds of expression and of operator, from `z3_api.h`.
NUMERAL_AST: Final = 0
APP_AST: Final = 1
VAR_AST: Final = 2
QUANTIFIER_AST: Final = 3
OP_TRUE: Final = 256
OP_FALSE: Final = 257
OP_EQ: Final = 258
OP_ITE: Final = 260
OP_AND: Final = 261
OP_OR: Final = 262
OP_NOT: Final = 265
OP_STORE: Final = 768
OP_CONST_ARRAY: Final = 770
OP_AS_ARRAY: Final = 778
OP_DT_CONSTRUCTOR: Final = 2048
OP_FPA_NAN: Final = 45064
ROUNDING_OPS: Final = {45056: "RNE", 45057: "RNA", 45058: "RTP", 45059: "RTN", 45060: "RTZ"}
REAL_SORT: Final = 3

# Functions of a context and this many more handles, giving a handle.
_OF_HANDLES: Final = {
    0: "mk_true mk_false mk_bool_sort mk_int_sort mk_real_sort mk_fpa_rounding_mode_sort mk_simple_solver mk_params"
    " mk_fpa_round_nearest_ties_to_even mk_fpa_round_nearest_ties_to_away mk_fpa_round_toward_positive"
    " mk_fpa_round_toward_negative mk_fpa_round_toward_zero",
    1: "mk_uninterpreted_sort mk_not mk_unary_minus mk_int2real mk_real2int mk_bvnot mk_bvneg mk_fpa_abs mk_fpa_neg"
    " mk_fpa_is_normal mk_fpa_is_subnormal mk_fpa_is_zero mk_fpa_is_infinite mk_fpa_is_nan mk_fpa_is_negative"
    " mk_fpa_is_positive mk_fpa_to_real mk_fpa_to_ieee_bv get_app_decl get_sort get_quantifier_body"
    " solver_get_unsat_core solver_get_statistics solver_get_assertions solver_get_model get_as_array_func_decl func_interp_get_else func_entry_get_value"
    " get_decl_name",
    2: "mk_const mk_eq mk_div mk_mod mk_lt mk_le mk_power mk_concat mk_select"
    " mk_bvadd mk_bvsub mk_bvmul mk_bvudiv mk_bvurem mk_bvsdiv mk_bvsrem mk_bvsmod mk_bvand mk_bvor mk_bvxor"
    " mk_bvnand mk_bvnor mk_bvxnor mk_bvshl mk_bvlshr mk_bvashr mk_bvult mk_bvule mk_bvslt mk_bvsle mk_array_sort"
    " mk_fpa_sqrt mk_fpa_rem mk_fpa_round_to_integral mk_fpa_min mk_fpa_max mk_fpa_leq mk_fpa_lt mk_fpa_geq"
    " mk_fpa_gt mk_fpa_eq mk_fpa_to_fp_bv model_get_const_interp model_get_func_interp mk_const_array",
    3: "mk_ite mk_store mk_fpa_add mk_fpa_sub mk_fpa_mul mk_fpa_div mk_fpa_to_fp_float mk_fpa_to_fp_real"
    " mk_fpa_to_fp_signed mk_fpa_to_fp_unsigned",
    4: "mk_fpa_fma",
}

# Functions of a context and a handle, giving nothing.
_COUNTING: Final = (
    "solver_inc_ref solver_dec_ref model_inc_ref model_dec_ref params_inc_ref params_dec_ref ast_vector_inc_ref"
    " ast_vector_dec_ref stats_inc_ref stats_dec_ref func_interp_inc_ref func_interp_dec_ref func_entry_inc_ref func_entry_dec_ref solver_push"
    " del_constructor del_constructor_list"
)

_H: Final = c_void_p
_U: Final = c_uint

# Everything else: result, then the arguments after the context.
_OTHERS: Final[dict[str, tuple[Any, ...]]] = {
    "del_context": (None,),
    "mk_int64": (_H, c_int64, _H),
    "mk_numeral": (_H, c_char_p, _H),
    "mk_string_symbol": (_H, c_char_p),
    "mk_fresh_const": (_H, c_char_p, _H),
    "mk_fresh_func_decl": (_H, c_char_p, _U, _H, _H),
    "mk_func_decl": (_H, _H, _U, _H, _H),
    "mk_app": (_H, _H, _U, _H),
    "mk_and": (_H, _U, _H),
    "mk_or": (_H, _U, _H),
    "mk_distinct": (_H, _U, _H),
    "mk_add": (_H, _U, _H),
    "mk_sub": (_H, _U, _H),
    "mk_mul": (_H, _U, _H),
    "mk_bv_sort": (_H, _U),
    "mk_fpa_sort": (_H, _U, _U),
    "mk_array_sort_n": (_H, _U, _H, _H),
    "mk_select_n": (_H, _H, _U, _H),
    "mk_store_n": (_H, _H, _U, _H, _H),
    "mk_extract": (_H, _U, _U, _H),
    "mk_zero_ext": (_H, _U, _H),
    "mk_sign_ext": (_H, _U, _H),
    "mk_repeat": (_H, _U, _H),
    "mk_rotate_left": (_H, _U, _H),
    "mk_rotate_right": (_H, _U, _H),
    "mk_int2bv": (_H, _U, _H),
    "mk_bv2int": (_H, _H, c_bool),
    "mk_fpa_to_ubv": (_H, _H, _H, _U),
    "mk_fpa_to_sbv": (_H, _H, _H, _U),
    "mk_pattern": (_H, _U, _H),
    "mk_quantifier_const_ex": (_H, c_bool, _U, _H, _H, _U, _H, _U, _H, _U, _H, _H),
    "mk_lambda_const": (_H, _U, _H, _H),
    "mk_constructor": (_H, _H, _H, _U, _H, _H, _H),
    "mk_constructor_list": (_H, _U, _H),
    "mk_datatype_sort": (_H, _H, _U, _H),
    "mk_datatypes": (None, _U, _H, _H, _H),
    "query_constructor": (None, _H, _U, POINTER(_H), POINTER(_H), _H),
    "substitute": (_H, _H, _U, _H, _H),
    "parse_smtlib2_string": (_H, c_char_p, _U, _H, _H, _U, _H, _H),
    "get_app_arg": (_H, _H, _U),
    "get_app_num_args": (_U, _H),
    "get_ast_kind": (_U, _H),
    "get_decl_kind": (_U, _H),
    "get_arity": (_U, _H),
    "get_sort_kind": (_U, _H),
    "get_symbol_string": (c_char_p, _H),
    "get_numeral_string": (c_char_p, _H),
    "get_index_value": (_U, _H),
    "get_quantifier_num_bound": (_U, _H),
    "is_lambda": (c_bool, _H),
    "ast_to_string": (c_char_p, _H),
    "ast_vector_size": (_U, _H),
    "ast_vector_get": (_H, _H, _U),
    "solver_assert": (None, _H, _H),
    "solver_pop": (None, _H, _U),
    "solver_set_params": (None, _H, _H),
    "solver_check_assumptions": (c_int, _H, _U, _H),
    "solver_get_reason_unknown": (c_char_p, _H),
    "solver_to_string": (c_char_p, _H),
    "stats_size": (_U, _H),
    "stats_get_key": (c_char_p, _H, _U),
    "stats_get_uint_value": (_U, _H, _U),
    "params_set_bool": (None, _H, _H, c_bool),
    "params_set_uint": (None, _H, _H, _U),
    "params_set_double": (None, _H, _H, c_double),
    "params_set_symbol": (None, _H, _H, _H),
    "model_eval": (c_bool, _H, _H, c_bool, POINTER(_H)),
    "model_get_num_funcs": (_U, _H),
    "model_get_func_decl": (_H, _H, _U),
    "func_interp_get_num_entries": (_U, _H),
    "func_interp_get_entry": (_H, _H, _U),
    "func_entry_get_num_args": (_U, _H),
    "func_entry_get_arg": (_H, _H, _U),
    "get_error_code": (c_int,),
    "get_error_msg": (c_char_p, c_int),
    "interrupt": (None,),
}

_ERROR_HANDLER: Final = ctypes.CFUNCTYPE(None, _H, c_int)


# Z3 exits the process on an error unless it has a handler; errors are noticed by their null results.
_IGNORE_ERROR: Final = _ERROR_HANDLER(lambda _context, _code: None)


def array(handles: Sequence[Handle]) -> ctypes.Array[c_void_p]:
    """A C array of handles."""
    return (c_void_p * len(handles))(*handles)


@cache
def load_library() -> Library:
    """The shared library of the `z3-solver` package."""
    specification = importlib.util.find_spec("z3")
    if specification is None or specification.origin is None:
        message = "the solver z3 is not installed: pip install z3-solver"
        raise ToolError(message)
    path = Path(specification.origin).parent / "lib" / _library_name()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        message = f"cannot load the solver z3 ({error}): pip install --force-reinstall z3-solver"
        raise ToolError(message) from error
    _declare(library)
    library.Z3_global_param_set(b"warning", b"false")  # else it writes to the standard error that users read
    return library


@final
class Context:
    """A context that keeps its expressions, and is deleted after its last user.

    Users count themselves, because the garbage collector may find a solver and its models in one cycle, and
    then finalizes them in any order.
    """

    __slots__ = ("_users", "handle", "library")

    def __init__(self, library: Library, settings: Mapping[str, str]) -> None:
        configuration = library.Z3_mk_config()
        for name, value in settings.items():
            library.Z3_set_param_value(configuration, name.encode(), value.encode())
        self.library = library
        self.handle: Handle = library.Z3_mk_context(configuration)
        self._users = 0
        library.Z3_del_config(configuration)
        library.Z3_set_error_handler(self.handle, _IGNORE_ERROR)

    def acquire(self) -> None:
        self._users += 1

    def release(self) -> None:
        self._users -= 1
        if self._users == 0:
            self.library.Z3_del_context(self.handle)


def error_message(library: Library, context: Handle) -> str | None:
    """Z3's words if the last call failed."""
    code = library.Z3_get_error_code(context)
    if code == 0:
        return None
    text: bytes = library.Z3_get_error_msg(context, code)
    return text.decode(errors="replace").strip()


def check_error(library: Library, context: Handle) -> None:
    """Raise if the last call failed."""
    message = error_message(library, context)
    if message is not None:
        raise ToolError(f"z3: {message}")


def _library_name() -> str:
    if sys.platform in {"win32", "cygwin"}:
        return "libz3.dll"
    return "libz3.dylib" if sys.platform == "darwin" else "libz3.so"


def _declare(library: Library) -> None:
    """Give ctypes the signatures; without them it cuts pointers to 32 bits."""
    for count, names in _OF_HANDLES.items():
        for name in names.split():
            _signature(library, name, _H, [_H] * (count + 1))
    for name in _COUNTING.split():
        _signature(library, name, None, [_H, _H])
    for name, (result, *arguments) in _OTHERS.items():
        _signature(library, name, result, [_H, *arguments])
    _signature(library, "mk_config", _H, [])
    _signature(library, "mk_context", _H, [_H])
    _signature(library, "del_config", None, [_H])
    _signature(library, "set_param_value", None, [_H, c_char_p, c_char_p])
    _signature(library, "global_param_set", None, [c_char_p, c_char_p])
    _signature(library, "set_error_handler", None, [_H, _ERROR_HANDLER])


def _signature(library: Library, name: str, result: Any, arguments: list[Any]) -> None:  # noqa: ANN401
    function = getattr(library, "Z3_" + name)
    function.restype = result
    function.argtypes = arguments
