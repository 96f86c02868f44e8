"""Functions on numbers: floats, bits, arithmetic with overflow checks, and atomic operations."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import FloatingType, IntegerType, PointerType, size_of
from remuda.machine.arithmetic import limits, require_double, single, wrap
from remuda.machine.extended import NAN, Extended, extended
from remuda.machine.memory import Pointer, packing
from remuda.machine.outcomes import Cause, not_modelled, undefined

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.calls import Site
    from remuda.machine.intrinsics import Model
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution


# --- floats


def _float(function: Callable[..., float]) -> Model:
    def model(_: Execution, site: Site, values: list[Any]) -> Value | None:
        type_ = site.node.type
        require_double(type_, site.span)
        for argument in site.node.arguments:
            require_double(argument.type, site.span)
        result = function(*map(float, values))
        return single(result) if isinstance(type_, FloatingType) and type_.width == 32 else result

    return model


def _round(x: float) -> float:
    """`round`: ties go away from zero."""
    if not math.isfinite(x) or x == math.trunc(x):
        return x
    return math.copysign(float(math.floor(abs(Fraction(x)) + Fraction(1, 2))), x)


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    return lambda x: math.copysign(float(function(x)), x) if math.isfinite(x) else x


def _root(x: float) -> float:
    return math.sqrt(x) if x >= 0 else x if math.isnan(x) else math.nan


def _remainder(function: Callable[[float, float], float]) -> Callable[[float, float], float]:
    def of(x: float, y: float) -> float:
        if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
            return math.nan
        return function(x, y)

    return of


def _least(x: float, y: float) -> float:
    return y if math.isnan(x) else x if math.isnan(y) else min(x, y)


def _greatest(x: float, y: float) -> float:
    return y if math.isnan(x) else x if math.isnan(y) else max(x, y)


def _difference(x: float, y: float) -> float:
    """`fdim`."""
    return x - y if not x <= y else 0.0


def _scaled(x: float, count: float) -> float:
    """`ldexp`."""
    try:
        return math.ldexp(x, int(count))
    except OverflowError:
        return math.copysign(math.inf, x)


_FLOATS: Final[dict[str, Callable[..., float]]] = {
    "fabs": abs,
    "sqrt": _root,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "rint": _whole(round),
    "nearbyint": _whole(round),
    "round": _round,
    "fmod": _remainder(math.fmod),
    "remainder": _remainder(math.remainder),
    "fmin": _least,
    "fmax": _greatest,
    "copysign": math.copysign,
    "fdim": _difference,
    "ldexp": _scaled,
    "scalbn": _scaled,
}


def _to_integer(function: Callable[[float], float]) -> Model:
    """`lround` and its like."""

    def model(_: Execution, site: Site, values: list[Any]) -> Value | None:
        type_ = site.node.type
        assert isinstance(type_, IntegerType)
        require_double(site.node.arguments[0].type, site.span)
        whole = function(float(values[0]))
        if not math.isfinite(whole) or not limits(type_)[0] <= int(whole) <= limits(type_)[1]:
            raise not_modelled(site.span, f"{site.name} of {values[0]}")  # C leaves the result open
        return int(whole)

    return model


def _kind(site: Site, values: list[Any]) -> int:
    """The result of glibc's `fpclassify`."""
    value, type_ = values[-1], site.node.arguments[-1].type
    require_double(type_, site.span)
    least = 2.0**-126 if isinstance(type_, FloatingType) and type_.width == 32 else 2.0**-1022
    if not math.isfinite(value):
        return 0 if math.isnan(value) else 1
    return 2 if value == 0 else 3 if abs(value) < least else 4


def _classify(_: Execution, site: Site, values: list[Any]) -> Value | None:
    """`fpclassify(x)`, or `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`."""
    kind = _kind(site, values)
    told: Value = kind if len(values) == 1 else values[(0, 1, 4, 3, 2)[kind]]
    return told


def _is_normal(_: Execution, site: Site, values: list[Any]) -> Value | None:
    return int(_kind(site, values) == 4)


def _test(function: Callable[..., bool]) -> Model:
    def model(_: Execution, __: Site, values: list[Any]) -> Value | None:
        if any(isinstance(value, Extended) for value in values):
            return 1 if function(*map(extended, values)) else 0
        return 1 if function(*map(float, values)) else 0

    return model


def _infinite(_: Execution, __: Site, values: list[Any]) -> Value | None:
    if isinstance(values[0], Extended):
        is_infinite = values[0].magnitude is None and not values[0].is_nan
        return 0 if not is_infinite else -1 if values[0].negative else 1
    return 0 if not math.isinf(values[0]) else 1 if values[0] > 0 else -1


def _sign_bit(_: Execution, __: Site, values: list[Any]) -> Value | None:
    if isinstance(values[0], Extended):
        return int(values[0].negative)
    return 1 if math.copysign(1.0, values[0]) < 0 else 0


def _constant(value: float | Extended) -> Model:
    return lambda _, __, ___: value


def _is_nan(x: float | Extended) -> bool:
    return x.is_nan if isinstance(x, Extended) else math.isnan(x)


def _is_finite(x: float | Extended) -> bool:
    return x.magnitude is not None if isinstance(x, Extended) else math.isfinite(x)


_TESTS: Final[dict[str, Callable[..., bool]]] = {
    "isnan": _is_nan,
    "isfinite": _is_finite,
    "finite": _is_finite,
    "isgreater": lambda x, y: x > y,
    "isgreaterequal": lambda x, y: x >= y,
    "isless": lambda x, y: x < y,
    "islessequal": lambda x, y: x <= y,
    "islessgreater": lambda x, y: x < y or x > y,
    "isunordered": lambda x, y: _is_nan(x) or _is_nan(y),
}

_INEXACT: Final[dict[str, Callable[..., float]]] = {
    function.__name__: function
    for function in (
        *(math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.atan2, math.sinh, math.cosh, math.tanh),
        *(math.exp, math.expm1, math.log, math.log2, math.log10, math.log1p, math.pow, math.hypot),
    )
}
_OTHER_FLOATS: Final = (
    *(
        "exp2",
        "cbrt",
        "fma",
        "erf",
        "tgamma",
        "lgamma",
        "frexp",
        "modf",
        "logb",
        "ilogb",
    ),
    *("nextafter", "nan"),
)


def _inexact(function: Callable[..., float]) -> Model:
    """A function whose last digits C leaves open."""

    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        type_ = site.node.type
        require_double(type_, site.span)
        execution.leave_open(site.span, f"how exact {site.name} is")
        try:
            result = function(*map(float, values))
        except (ValueError, OverflowError):  # where Python has no result, C has infinity or no number
            raise not_modelled(site.span, f"{site.name} of {', '.join(map(str, values))}") from None
        return single(result) if isinstance(type_, FloatingType) and type_.width == 32 else result

    return model


def _no_meaning(_: Execution, site: Site, __: list[Any]) -> Value | None:
    raise not_modelled(site.span, site.name)


# --- bits


def _bits(function: Callable[[int, int], int], *, zero: bool = True) -> Model:
    """A function on the bits of an unsigned integer and their number."""

    def model(_: Execution, site: Site, values: list[Any]) -> Value | None:
        type_ = site.function.type.parameters[0] if site.function.type.parameters else site.node.arguments[0].type
        assert isinstance(type_, IntegerType)
        value = values[0] & ((1 << type_.width) - 1)
        if value == 0 and not zero:
            raise undefined(Cause.SHIFT, site.span, f"{site.name} of zero")
        return function(value, type_.width)

    return model


def _sign_copies(value: int, width: int) -> int:
    magnitude = ~value & ((1 << width) - 1) if value >> (width - 1) else value
    return width - 1 - magnitude.bit_length()


_BITS: Final[dict[str, Model]] = {
    "clz": _bits(lambda x, width: width - x.bit_length(), zero=False),
    "ctz": _bits(lambda x, _: (x & -x).bit_length() - 1, zero=False),
    "ffs": _bits(lambda x, _: (x & -x).bit_length()),
    "clrsb": _bits(_sign_copies),
    "popcount": _bits(lambda x, _: x.bit_count()),
    "parity": _bits(lambda x, _: x.bit_count() & 1),
}


def _swap(width: int) -> Model:
    def model(_: Execution, __: Site, values: list[Any]) -> Value | None:
        return int.from_bytes((values[0] & ((1 << width) - 1)).to_bytes(width // 8, "little"), "big")

    return model


def _reverse(width: int) -> Model:
    def model(_: Execution, __: Site, values: list[Any]) -> Value | None:
        return int(f"{values[0] & ((1 << width) - 1):0{width}b}"[::-1], 2)

    return model


# --- arithmetic with overflow checks


def _overflow(operation: Callable[[int, int], int]) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        type_ = site.node.arguments[2].type
        assert isinstance(type_, PointerType)
        target = type_.target
        assert isinstance(target, IntegerType)
        exact = operation(values[0], values[1])
        low, high = limits(target)
        _write(execution, values[2], target, wrap(exact, target), site)
        return 0 if low <= exact <= high else 1

    return model


_OPERATIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "nand": lambda x, y: ~(x & y),
}


# --- operations that are one step


def _target(site: Site) -> CType:
    node = given = site.node.arguments[0]
    while isinstance(node, ast.Cast) and isinstance(node.operand.type, PointerType):
        node = node.operand  # the type before it was converted to what the function takes
    assert isinstance(node.type, PointerType)
    assert isinstance(given.type, PointerType)
    if isinstance(node.type.target, PointerType) and isinstance(given.type.target, IntegerType):
        raise not_modelled(site.span, f"{site.name} of a pointer as a number")
    return node.type.target


def _read(execution: Execution, pointer: Pointer, type_: CType, site: Site) -> Any:  # noqa: ANN401
    size = size_of(type_, execution.target) or 0
    object_ = execution.prepare_read(pointer, 0, size, type_, site.span)
    if isinstance(type_, PointerType):
        return execution.memory.load_pointer(object_, pointer.offset)
    packed = packing(type_)
    if packed is None:
        raise not_modelled(site.span, f"{site.name} of {type_}")
    return packed[0](object_.data, pointer.offset)[0]


def _write(execution: Execution, pointer: Pointer, type_: CType, value: Any, site: Site) -> None:  # noqa: ANN401
    size = size_of(type_, execution.target) or 0
    object_ = execution.memory.check(pointer, 0, size, site.span, write=True)
    execution.memory.write_leaf(object_, pointer.offset, type_, value)


def _converted(value: Any, type_: CType) -> Any:  # noqa: ANN401
    return wrap(value, type_) if isinstance(type_, IntegerType) else value


def _moved(pointer: Pointer, address: int, execution: Execution) -> Pointer:
    """A pointer into the same object, moved by a number of bytes, as GNU's functions compute it."""
    width = execution.target.pointer_width
    return Pointer(pointer.object, pointer.offset + wrap(address - pointer.address, IntegerType(width, signed=True)))


def _update(operation: Callable[[int, int], int] | None, *, yields_new: bool) -> Model:
    """`*p op= v`; without an operation, an exchange."""

    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        type_ = _target(site)
        old = _read(execution, values[0], type_, site)
        if operation is None:
            new = _converted(values[1], type_)
        elif isinstance(type_, IntegerType):
            new = wrap(operation(old, values[1]), type_)
        elif isinstance(old, Pointer):
            added = values[1].address if isinstance(values[1], Pointer) else values[1]
            new = _moved(old, operation(old.address, added), execution)
        else:
            raise not_modelled(site.span, f"{site.name} of {type_}")
        _write(execution, values[0], type_, new, site)
        result: Value = new if yields_new else old
        return result

    return model


def _clear(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    _write(execution, values[0], _target(site), 0, site)
    return None


def _swap_if(*, yields_old: bool) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        type_ = _target(site)
        old = _read(execution, values[0], type_, site)
        wanted = _converted(values[1], type_)
        is_same = old.address == wanted.address if isinstance(old, Pointer) else old == wanted
        if is_same:
            _write(execution, values[0], type_, _converted(values[2], type_), site)
        result: Value = old if yields_old else int(is_same)
        return result

    return model


def _exchange_if(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    type_ = _target(site)
    old, wanted = (_read(execution, pointer, type_, site) for pointer in values[:2])
    is_same = old.address == wanted.address if isinstance(old, Pointer) else old == wanted
    if is_same:
        _write(execution, values[0], type_, _converted(values[2], type_), site)
    else:
        _write(execution, values[1], type_, old, site)
    return int(is_same)


def _load(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    value: Value = _read(execution, values[0], _target(site), site)
    return value


def _store(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    type_ = _target(site)
    _write(execution, values[0], type_, _converted(values[1], type_), site)
    return None


def _fence(_: Execution, __: Site, ___: list[Any]) -> Value | None:
    return None


_ATOMICS: Final[dict[str, Model]] = {
    **{
        f"__sync_fetch_and_{name}": _update(op, yields_new=False) for name, op in _OPERATIONS.items() if name != "mul"
    },
    **{f"__sync_{name}_and_fetch": _update(op, yields_new=True) for name, op in _OPERATIONS.items() if name != "mul"},
    **{f"__atomic_fetch_{name}": _update(op, yields_new=False) for name, op in _OPERATIONS.items() if name != "mul"},
    **{f"__atomic_{name}_fetch": _update(op, yields_new=True) for name, op in _OPERATIONS.items() if name != "mul"},
    "__sync_lock_test_and_set": _update(None, yields_new=False),
    "__atomic_exchange_n": _update(None, yields_new=False),
    "__sync_lock_release": _clear,
    "__atomic_clear": _clear,
    "__sync_bool_compare_and_swap": _swap_if(yields_old=False),
    "__sync_val_compare_and_swap": _swap_if(yields_old=True),
    "__atomic_compare_exchange_n": _exchange_if,
    "__atomic_load_n": _load,
    "__atomic_store_n": _store,
    **dict.fromkeys(("__sync_synchronize", "__atomic_thread_fence", "__atomic_signal_fence"), _fence),
}

NUMBERS: Final[dict[str, Model]] = {
    **{f"{name}{end}": _no_meaning for name in _OTHER_FLOATS for end in ("", "f", "l")},
    **{f"{name}{end}": _inexact(function) for name, function in _INEXACT.items() for end in ("", "f")},
    **{f"{name}l": _no_meaning for name in _INEXACT},
    **{f"{name}{end}": _float(function) for name, function in _FLOATS.items() for end in ("", "f")},
    **{f"{name}l": _no_meaning for name in _FLOATS},
    **{
        f"{size}{name}{end}": _to_integer(function)
        for name, function in (("round", _round), ("rint", _FLOATS["rint"]))
        for size in ("l", "ll")
        for end in ("", "f")
    },
    **{f"{size}{name}l": _no_meaning for name in ("round", "rint") for size in ("l", "ll")},
    "fpclassify": _classify,
    "isnormal": _is_normal,
    "fabsl": lambda _, __, values: -values[0] if values[0].negative else values[0],
    **{
        f"{before}{name}{end}": _test(function)
        for name, function in _TESTS.items()
        for before in ("", "__")  # the functions behind the macros in glibc's headers
        for end in ("", "f", "l")
    },
    **dict.fromkeys(
        ("isinf", "isinff", "isinfl", "__isinf", "__isinff", "__isinfl", "__builtin_isinf_sign"), _infinite
    ),
    **dict.fromkeys(("__fpclassify", "__fpclassifyf"), _classify),
    **dict.fromkeys(
        ("signbit", "__signbit", "__signbitf", "__signbitl", "__builtin_signbitf", "__builtin_signbitl"), _sign_bit
    ),
    **dict.fromkeys(
        (*("__builtin_inf", "__builtin_inff", "__builtin_huge_val", "__builtin_huge_valf"),), _constant(math.inf)
    ),
    **dict.fromkeys(("__builtin_nan", "__builtin_nanf"), _constant(math.nan)),
    **dict.fromkeys(("__builtin_infl", "__builtin_huge_vall"), _constant(Extended(None))),
    "__builtin_nanl": _constant(NAN),
    **{f"__builtin_{name}{end}": model for name, model in _BITS.items() for end in ("", "l", "ll")},
    **{f"ffs{end}": _BITS["ffs"] for end in ("", "l", "ll")},
    **{f"__builtin_bswap{width}": _swap(width) for width in (16, 32, 64)},
    **{f"__builtin_bitreverse{width}": _reverse(width) for width in (8, 16, 32, 64)},
    **{
        f"__builtin_{sign}{name}{width}_overflow": _overflow(_OPERATIONS[name])
        for name in ("add", "sub", "mul")
        for sign in ("", "s", "u")
        for width in ("", "l", "ll")
    },
    **_ATOMICS,
    **{
        f"{name}_{size}": model
        for name, model in _ATOMICS.items()
        if name.startswith("__sync_") and name != "__sync_synchronize"
        for size in (1, 2, 4, 8, 16)
    },
}
